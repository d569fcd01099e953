def step(state: dict, event: dict) -> dict:
    here = state["state"]
    name = event["name"]
    target = None
    if here == "planning":
        if name == "plan_ready":
            target = "retrieving"
        if name == "out_of_scope":
            target = "refusing"
    elif here == "retrieving":
        if name == "hits":
            target = "answering"
        if name == "no_hits":
            target = "refusing"
    elif here == "answering" and name == "answered":
        target = "done"
    elif here == "refusing" and name == "refused":
        target = "done"
    new = {"state": here, "visited": list(state["visited"]), "rejected": None}
    if target:
        new["state"] = target
        new["visited"].append(target)
    else:
        new["rejected"] = name + " was refused in " + here
    return new
