# misses the cap by one
def capped_step(state, event, *, transitions, caps):
    target = transitions.get((state["state"], event["name"]))
    visited = list(state["visited"])
    if target is None:
        sentence = f"{event['name']} is not allowed in {state['state']}"
    elif target in caps and visited.count(target) > caps[target]:
        sentence = f"{event['name']} would enter {target} more than {caps[target]} times"
    else:
        return {"state": target, "visited": [*visited, target], "rejected": None}
    return {"state": state["state"], "visited": visited, "rejected": sentence}
