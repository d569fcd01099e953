from edgewise.machine import TRANSITIONS


def step(state: dict, event: dict) -> dict:
    here, name = state["state"], event["name"]
    target = TRANSITIONS.get((here, name))
    if target is None:
        return {**state, "visited": list(state["visited"]), "rejected": f"no edge {name!r} leaves {here!r}"}
    return {"state": target, "visited": state["visited"] + [target], "rejected": None}
