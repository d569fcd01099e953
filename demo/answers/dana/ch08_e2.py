def terminal(transitions: dict) -> set[str]:
    sources = {source for source, _ in transitions}
    return {target for target in transitions.values() if target not in sources}


def ways_into(transitions: dict, state: str) -> set[str]:
    return {source for (source, _), target in transitions.items() if target == state}
