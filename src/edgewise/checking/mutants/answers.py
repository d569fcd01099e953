"""Faults of the answer: what a refusal says, what `visited` and `rejected` hold, what becomes of the arguments."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from edgewise.checking.mutants.turn import Fault, Faults, Snapshot, Turn, moved, refused, without


def refusals() -> Faults:
    """What a refusal can do instead of staying and naming the event and the state."""
    given: dict[str, Callable[[Turn], Any]] = {
        "raises": raising,
        "returns None": lambda turn: None,
        "is silent": lambda turn: refused(turn, rejected=None),
        "is blank": lambda turn: refused(turn, rejected=" "),
        "is not a sentence": lambda turn: refused(turn, rejected=True),
        "is a list": lambda turn: refused(turn, rejected=[turn.name, turn.here]),
        "names nothing": lambda turn: refused(turn, rejected="not here, not now"),
        "names the event alone": lambda turn: refused(turn, rejected=f"no row for {turn.name!r}"),
        "names the state alone": lambda turn: refused(turn, rejected=f"no such row in {turn.here!r}"),
        "names another event": lambda turn: refused(turn, rejected=f"no other_{turn.name} in {turn.here}"),
        "names another state": lambda turn: refused(turn, rejected=f"no {turn.name} in {turn.here}_too"),
        "runs the names together": lambda turn: refused(turn, rejected=f"{turn.name}_{turn.here}"),
        "says one sentence for all": lambda turn: refused(turn, rejected=_everything(turn)),
        "goes back to the start": lambda turn: moved(turn, turn.setting.machine.initial),
        "goes to a terminal state": lambda turn: moved(turn, min(turn.setting.machine.terminal)),
        "moves without history": lambda turn: refused(turn, state=turn.setting.machine.initial, rejected="moved"),
        "leaves out the state": lambda turn: without(refused(turn), "state"),
        "hands back the snapshot": lambda turn: turn.state,
    }
    for name, answer in given.items():
        yield name, _where_refused(answer)


def raising(turn: Turn) -> Any:
    """An exception where a refusal is due."""
    raise ValueError(turn.name)


def _everything(turn: Turn) -> str:
    return " ".join((*turn.setting.machine.states, *turn.setting.names))


def _where_refused(answer: Callable[[Turn], Any]) -> Fault:
    return lambda turn, right: answer(turn) if turn.due.refused == "undeclared" else right


def histories() -> Faults:
    """What a move can do to `visited` instead of adding the state it enters, and a refusal instead of nothing."""
    changes: dict[str, Callable[[list[str], str, str], Any]] = {
        "is rewritten": lambda old, left, entered: [entered],
        "stands still": lambda old, left, entered: [*old],
        "holds the state that was left": lambda old, left, entered: [*old, left],
        "grows by two": lambda old, left, entered: [*old, entered, entered],
        "grows by both ends": lambda old, left, entered: [*old, left, entered],
        "grows at the front": lambda old, left, entered: [entered, *old],
        "is sorted": lambda old, left, entered: sorted([*old, entered]),
        "is reversed": lambda old, left, entered: [*old, entered][::-1],
        "holds each state once": lambda old, left, entered: list(dict.fromkeys([*old, entered])),
        "repeats no state": lambda old, left, entered: [*old] if old[-1:] == [entered] else [*old, entered],
        "leaves out the start": lambda old, left, entered: [*old, entered][1:],
        "is a tuple": lambda old, left, entered: (*old, entered),
        "is a set": lambda old, left, entered: {*old, entered},
        "is a text": lambda old, left, entered: " ".join([*old, entered]),
        "is a count": lambda old, left, entered: len(old) + 1,
    }
    for name, change in changes.items():
        yield name, _where_moved(change)
    for kept in (1, 2, 3, 4, 5, 8, 13, 100, 1_000, 10_000):
        yield f"keeps the last {kept}", _where_moved(partial(_last, kept))
        yield f"keeps the first {kept}", _where_moved(partial(_first, kept))
    yield "grows on a refusal", _in_refusals(lambda old, state: [*old, state])
    yield "is cleared by a refusal", _in_refusals(lambda old, state: [state])
    yield "loses its last entry by a refusal", _in_refusals(lambda old, state: old[:-1])
    yield "is sorted by a refusal", _in_refusals(lambda old, state: sorted(old))
    yield "is left out", lambda turn, right: without(right, "visited")


def _last(kept: int, old: list[str], left: str, entered: str) -> list[str]:
    return [*old, entered][-kept:]


def _first(kept: int, old: list[str], left: str, entered: str) -> list[str]:
    return [*old, entered][:kept]


def _where_moved(change: Callable[[list[str], str, str], Any]) -> Fault:
    def fault(turn: Turn, right: Snapshot) -> Snapshot:
        return right if turn.due.refused else {**right, "visited": change(turn.visited, turn.here, turn.due.state)}

    return fault


def _in_refusals(change: Callable[[list[str], str], Any]) -> Fault:
    def fault(turn: Turn, right: Snapshot) -> Snapshot:
        return {**right, "visited": change(turn.visited, turn.here)} if turn.due.refused else right

    return fault


def rejections() -> Faults:
    """What can stand in `rejected` after a move, and what an earlier rejection can do."""
    for name, value in {"False": False, "an empty text": "", "zero": 0, "a list": [], "a sentence": "moved on"}.items():
        yield f"is {name} after a move", partial(_holding, value)
    yield "is kept after a move", lambda turn, right: _holding(turn.state["rejected"], turn, right)
    yield "is left out after a move", lambda turn, right: right if turn.due.refused else without(right, "rejected")
    yield "is left out", lambda turn, right: without(right, "rejected")
    yield "stops the run", lambda turn, right: refused(turn) if turn.state["rejected"] else right
    yield (
        "is never replaced",
        lambda turn, right: (
            {**right, "rejected": turn.state["rejected"] or right["rejected"]} if turn.due.refused else right
        ),
    )
    yield "silences the next", lambda turn, right: {**right, "rejected": None} if turn.state["rejected"] else right


def _holding(value: Any, turn: Turn, right: Snapshot) -> Snapshot:
    return right if turn.due.refused else {**right, "rejected": value}


def arguments() -> Faults:
    """What a call can do to what it was handed, and what it can wrongly read there."""
    yield "is changed and returned", _in_place
    yield "has its list extended", _shares_the_list
    yield "has its state changed", _changing(lambda turn, right: turn.state.update(state=right["state"]))
    yield "has its rejection changed", _changing(lambda turn, right: turn.state.update(rejected=right["rejected"]))
    yield "is emptied", _changing(lambda turn, right: turn.visited.clear())
    yield "loses the event's name", _changing(lambda turn, right: turn.event.pop("name"))
    yield "has a mark left in the event", _changing(lambda turn, right: turn.event.update(seen=True))
    yield "refuses further keys", lambda turn, right: refused(turn) if len(turn.event) > 1 else right
    yield (
        "goes elsewhere when partial",
        lambda turn, right: moved(turn, turn.setting.machine.initial) if turn.event.get("partial") else right,
    )


def _changing(change: Callable[[Turn, Snapshot], object]) -> Fault:
    def fault(turn: Turn, right: Snapshot) -> Snapshot:
        change(turn, right)
        return right

    return fault


def _in_place(turn: Turn, right: Snapshot) -> Snapshot:
    turn.visited.extend(right["visited"][len(turn.visited) :])
    turn.state.update(state=right["state"], rejected=right["rejected"])
    return turn.state


def _shares_the_list(turn: Turn, right: Snapshot) -> Snapshot:
    turn.visited.extend(right["visited"][len(turn.visited) :])
    return {**right, "visited": turn.visited}
