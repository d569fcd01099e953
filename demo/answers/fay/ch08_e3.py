# rewrites the history: the list of the snapshot before grows as well
from edgewise.machine import TRANSITIONS


def step(state: dict, event: dict) -> dict:
    target = TRANSITIONS.get((state["state"], event["name"]))
    if target is None:
        return {**state, "rejected": f"{event['name']} is not allowed in {state['state']}"}
    state["visited"].append(target)
    return {"state": target, "visited": state["visited"], "rejected": None}
