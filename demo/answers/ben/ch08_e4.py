def capped_step(state, event, *, transitions, caps):
    def refuse(sentence):
        return {"state": state["state"], "visited": [*state["visited"]], "rejected": sentence}

    match transitions.get((state["state"], event["name"])):
        case None:
            return refuse(f"{event['name']} kennt {state['state']} nicht")
        case target if target in caps and state["visited"].count(target) >= caps[target]:
            return refuse(f"{event['name']}: {target} ist schon {caps[target]} mal betreten worden")
        case target:
            return {"state": target, "visited": [*state["visited"], target], "rejected": None}
