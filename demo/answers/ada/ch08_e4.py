def capped_step(state, event, *, transitions, caps):
    here, name, visited = state["state"], event["name"], list(state["visited"])
    target = transitions.get((here, name))
    if target is None:
        return {"state": here, "visited": visited, "rejected": f"{name!r} is not declared in {here!r}"}
    if visited.count(target) >= caps.get(target, float("inf")):
        sentence = f"{name!r} would enter {target!r} again; the limit is {caps[target]}"
        return {"state": here, "visited": visited, "rejected": sentence}
    return {"state": target, "visited": [*visited, target], "rejected": None}
