from edgewise.machine import TRANSITIONS


def make_step(table):
    def step(state, event):
        key = state["state"], event["name"]
        if key in table:
            return {"state": table[key], "visited": [*state["visited"], table[key]], "rejected": None}
        return {"state": key[0], "visited": [*state["visited"]], "rejected": "%s / %s: refused" % key}

    return step


step = make_step(TRANSITIONS)
