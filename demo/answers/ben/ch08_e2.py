def terminal(transitions: dict) -> set[str]:
    ends = set(transitions.values())
    for source, _event in transitions:
        ends.discard(source)
    return ends


def ways_into(transitions: dict, state: str) -> set[str]:
    sources = set()
    for (source, _event), target in transitions.items():
        if target == state:
            sources.add(source)
    return sources
