"""Right answers to ch08-e2, pairs of (terminal, ways_into), in different styles: each earns every point."""

import functools
from collections import defaultdict


def terminal(transitions: dict[tuple[str, str], str]) -> set[str]:
    return set(transitions.values()) - {source for source, _ in transitions}


def ways_into(transitions: dict[tuple[str, str], str], state: str) -> set[str]:
    return {source for (source, _), target in transitions.items() if target == state}


def terminal_by_loop(transitions):
    found = set()
    for target in transitions.values():
        leaves = False
        for source, _event in transitions:
            if source == target:
                leaves = True
        if not leaves:
            found.add(target)
    return found


def ways_by_loop(transitions, state):
    found = set()
    for pair in transitions:
        if transitions[pair] == state:
            found.add(pair[0])
    return found


def terminal_frozen(transitions):
    return frozenset(transitions.values()).difference(source for source, _ in transitions)


def ways_frozen(transitions, state):
    return frozenset(source for (source, _), target in transitions.items() if target == state)


def terminal_by_filter(transitions, /):
    sources = [source for source, _ in transitions]
    return set(filter(lambda target: target not in sources, transitions.values()))


def ways_by_index(transitions, state):
    into = defaultdict(set)
    for (source, _), target in transitions.items():
        into[target].add(source)
    return into[state]


class Names(set):
    pass


class Graph:
    def __init__(self, transitions):
        self.transitions = transitions

    @staticmethod
    def ends(transitions):
        return Names(terminal(transitions))

    @classmethod
    def into(cls, transitions, state):
        return Names(ways_into(cls(transitions).transitions, state))


def emptied(transitions, state):
    """A copy that is used up."""
    left, found = dict(transitions), set()
    while left:
        (source, _), target = left.popitem()
        found |= {source} if target == state else set()
    return found


ANSWERS = {
    "set comprehensions": (terminal, ways_into),
    "loops": (terminal_by_loop, ways_by_loop),
    "frozensets": (terminal_frozen, ways_frozen),
    "filter and an index": (terminal_by_filter, ways_by_index),
    "methods that give a subclass of set": (Graph.ends, Graph.into),
    "a lambda and a copy that is used up": (lambda table: terminal(table), emptied),
    "keyword defaults and a partial": (functools.partial(lambda table, extra: terminal(table), extra=1), ways_into),
}
