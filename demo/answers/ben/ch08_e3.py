def step(state: dict, event: dict) -> dict:
    match state["state"], event["name"]:
        case "planning", "plan_ready":
            target = "retrieving"
        case "retrieving", "hits":
            target = "answering"
        case ("planning", "out_of_scope") | ("retrieving", "no_hits"):
            target = "refusing"
        case ("answering", "answered") | ("refusing", "refused"):
            target = "done"
        case here, name:
            sentence = f"In {here} ist {name} nicht vorgesehen."
            return {"state": here, "visited": [*state["visited"]], "rejected": sentence}
    return {"state": target, "visited": [*state["visited"], target], "rejected": None}
