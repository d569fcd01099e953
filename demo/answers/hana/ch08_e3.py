# silent: the run stays where it is, and nobody hears of it
from edgewise.machine import TRANSITIONS


def step(state: dict, event: dict) -> dict:
    target = TRANSITIONS.get((state["state"], event["name"]))
    if target is None:
        return {"state": state["state"], "visited": list(state["visited"]), "rejected": None}
    return {"state": target, "visited": [*state["visited"], target], "rejected": None}
