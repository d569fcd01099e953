"""Faults of a cap: counted, placed or worded in another way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from edgewise.checking.mutants.answers import raising
from edgewise.checking.mutants.turn import Fault, Faults, Snapshot, Turn, moved, refused
from edgewise.checking.steps import Due, answer
from edgewise.machine import spent


def caps() -> Faults:
    """A cap that is counted, placed or worded in another way."""
    yield from _counts()
    yield "guards every state at 3", _by_default
    yield "stands before every event", _stranded
    yield from _refusals()


def _counts() -> Faults:
    """What else could be compared with the cap."""
    counts: dict[str, Callable[[Turn, str, int], bool]] = {
        "is ignored": lambda turn, target, cap: False,
        "lets one more in": lambda turn, target, cap: turn.visited.count(target) > cap,
        "lets one less in": lambda turn, target, cap: turn.visited.count(target) >= cap - 1,
        "lets twice as many in": lambda turn, target, cap: turn.visited.count(target) >= 2 * cap,
        "counts every move": lambda turn, target, cap: len(turn.visited) > cap,
        "counts the state that is left": lambda turn, target, cap: turn.visited.count(turn.here) >= cap,
        "leaves out the start": lambda turn, target, cap: turn.visited[1:].count(target) >= cap,
        "counts in a row": lambda turn, target, cap: turn.visited[-cap:] == cap * [target],
        "guards loops alone": lambda turn, target, cap: target == turn.here and turn.visited.count(target) >= cap,
        "guards ways in from elsewhere alone": lambda turn, target, cap: (
            target != turn.here and turn.visited.count(target) >= cap
        ),
        "takes the smallest": lambda turn, target, cap: (
            turn.visited.count(target) >= min(turn.setting.machine.caps.values())
        ),
        "takes the largest": lambda turn, target, cap: (
            turn.visited.count(target) >= max(turn.setting.machine.caps.values())
        ),
        "takes the first": lambda turn, target, cap: (
            target == next(iter(turn.setting.machine.caps)) and turn.visited.count(target) >= cap
        ),
        "takes the last": lambda turn, target, cap: (
            target == list(turn.setting.machine.caps)[-1] and turn.visited.count(target) >= cap
        ),
        "is always three": lambda turn, target, cap: turn.visited.count(target) >= 3,
    }
    for name, spends in counts.items():
        yield name, _counted(spends)


def _refusals() -> Faults:
    """What else a spent cap could answer."""
    answers: dict[str, Callable[[Turn], Any]] = {
        "raises": raising,
        "is silent": lambda turn: refused(turn, rejected=None),
        "names the event and the state alone": refused,
        "names no limit": lambda turn: refused(turn, rejected=f"{_target(turn)} may not be entered again"),
        "names no state": lambda turn: {
            **refused(turn),
            "rejected": f"limit {turn.setting.machine.caps[_target(turn)]}",
        },
        "moves on to the end": lambda turn: moved(turn, min(turn.setting.machine.terminal)),
        "writes the visit down": lambda turn: {
            **answer(turn.setting, turn.due, turn.here, turn.name),
            "visited": [*turn.visited, _target(turn)],
        },
    }
    for name, given in answers.items():
        yield name, _where_spent(given)


def _target(turn: Turn) -> str:
    return turn.setting.machine.table[turn.here, turn.name]


def _counted(spends: Callable[[Turn, str, int], bool]) -> Fault:
    def fault(turn: Turn, right: Snapshot) -> Snapshot:
        target = turn.setting.machine.table.get((turn.here, turn.name))
        if target is None or target not in turn.setting.machine.caps:
            return right
        if not spends(turn, target, turn.setting.machine.caps[target]):
            return moved(turn, target)
        held = Due(turn.here, turn.visited, "spent")
        return answer(turn.setting, held, turn.here, turn.name)

    return fault


def _by_default(turn: Turn, right: Snapshot) -> Snapshot:
    if turn.due.refused or turn.visited.count(turn.due.state) < 3:
        return right
    return refused(turn, rejected=spent(turn.name, turn.due.state, 3))


def _stranded(turn: Turn, right: Snapshot) -> Snapshot:
    state, caps = turn.here, turn.setting.machine.caps
    if state in caps and turn.visited.count(state) >= caps[state] and not turn.due.refused:
        return refused(turn, rejected=spent(turn.name, state, caps[state]))
    return right


def _where_spent(given: Callable[[Turn], Any]) -> Fault:
    return lambda turn, right: given(turn) if turn.due.refused == "spent" else right
