"""Faults of memory: answers that depend on earlier calls, or on how long the run is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from edgewise.checking.mutants.turn import Fault, Snapshot, Turn, refused
from edgewise.checking.steps import answer, due


def memories() -> Iterator[tuple[str, Callable[[], Fault]]]:
    """Faults that depend on earlier calls or on the length of the run."""
    yield "a global state", _global_state
    yield "a shared list", _shared_list
    yield "the first answer to an event", partial(_first_answer, lambda turn: turn.name)
    yield "the first answer to a pair", partial(_first_answer, lambda turn: (turn.here, turn.name))
    yield "one move after a refusal", _after_a_refusal
    for often in (2, 3, 7, 50):
        yield f"call {often} and its multiples", partial(_every, often)
    for often in (2, 3, 4, 5):
        yield f"a pair for time {often}", partial(_time, often)
    for length in (2, 3, 4, 5, 9, 14, 100, 5_000, 9_999):
        yield f"more than {length} visits", partial(_longer, length)
    for often in (2, 3):
        yield f"a state visited {often} times", partial(_visited, often)


def _global_state() -> Fault:
    last: dict[str, str] = {}

    def fault(turn: Turn, right: Snapshot) -> Snapshot:
        here = last.get("state", turn.here)
        expected = due(turn.setting.machine, here, turn.visited, turn.name)
        last["state"] = expected.state
        return answer(turn.setting, expected, here, turn.name)

    return fault


def _shared_list() -> Fault:
    shared: list[str] = []

    def fault(turn: Turn, right: Snapshot) -> Snapshot:
        shared[:] = right["visited"]
        return {**right, "visited": shared}

    return fault


def _first_answer(key: Callable[[Turn], Any]) -> Fault:
    first: dict[Any, Snapshot] = {}
    return lambda turn, right: first.setdefault((turn.setting.title, key(turn)), right)


def _after_a_refusal() -> Fault:
    refusing = [False]

    def fault(turn: Turn, right: Snapshot) -> Snapshot:
        before, refusing[0] = refusing[0], turn.due.refused is not None
        return refused(turn) if before else right

    return fault


def _every(often: int) -> Fault:
    calls = [0]

    def fault(turn: Turn, right: Snapshot) -> Snapshot:
        calls[0] += 1
        return right if calls[0] % often else {**right, "visited": []}

    return fault


def _time(often: int) -> Fault:
    asked: dict[Any, int] = {}

    def fault(turn: Turn, right: Snapshot) -> Snapshot:
        key = (turn.setting.title, turn.here, turn.name)
        asked[key] = asked.get(key, 0) + 1
        return {**right, "visited": []} if asked[key] == often else right

    return fault


def _longer(length: int) -> Fault:
    return lambda turn, right: refused(turn) if len(turn.visited) > length else right


def _visited(often: int) -> Fault:
    return lambda turn, right: (
        refused(turn) if not turn.due.refused and turn.visited.count(turn.due.state) >= often else right
    )
