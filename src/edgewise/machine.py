"""The five-state retrieval machine of session 8, and a machine from any table.

A workflow is a graph: rows that say which event leads from which state to which. What has no row is
refused, as a value: the state stays, and the refusal says which event came in which state. The statements
cited as M-… stand in docs/statements.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from edgewise.table import (
    Rows,
    Table,
    TableError,
    declared_in,
    listed,
    problems,
    rows_of,
    states_of,
    terminal,
    ways_into,
)
from edgewise.trail import Trail

__all__ = [
    "MAX_VISITS",
    "STATES",
    "STORM",
    "TRANSITIONS",
    "Machine",
    "Rows",
    "Snapshot",
    "Table",
    "TableError",
    "UnknownStateError",
    "problems",
    "replay",
    "start",
    "step",
    "terminal",
    "ways_into",
]

STATES = ("planning", "retrieving", "answering", "refusing", "done")

TRANSITIONS: dict[tuple[str, str], str] = {
    ("planning", "plan_ready"): "retrieving",
    ("planning", "out_of_scope"): "refusing",
    ("retrieving", "hits"): "answering",
    ("retrieving", "no_hits"): "refusing",
    ("answering", "answered"): "done",
    ("refusing", "refused"): "done",
}

STORM: dict[tuple[str, str], str] = TRANSITIONS | {("retrieving", "retry"): "retrieving"}
"""`TRANSITIONS` and one more legal edge, which makes a run that need never end (M-28)."""

MAX_VISITS = 3
"""The first visit and two retries: what an application hands in as the cap on 'retrieving' (M-30)."""


DECLARED = declared_in(TRANSITIONS)
"""What a refusal says is possible, by state; written once, so that refusing costs no more than moving."""


# --- The step the notebooks teach -------------------------------------------------------------------


def start(initial: str = "planning") -> dict[str, Any]:
    """A start snapshot: `{"state": initial, "visited": [initial], "rejected": None}` (M-07)."""
    return {"state": initial, "visited": [initial], "rejected": None}


def step(state: Mapping[str, Any], event: Mapping[str, Any]) -> dict[str, Any]:
    """The snapshot after `event`, a new dict that shares no list with `state` (M-09 to M-22).

    `state` has `state` (str), `visited` (list of str, oldest first) and `rejected` (None or a sentence);
    `event` has `name` (str), and further keys that never change the move. An undeclared pair is refused.
    """
    current, name = state["state"], event["name"]
    target = TRANSITIONS.get((current, name))
    if target is None:
        sentence = refusal(name, current, DECLARED.get(current, "nothing"))
        return {"state": current, "visited": [*state["visited"]], "rejected": sentence}
    return {"state": target, "visited": [*state["visited"], target], "rejected": None}


def refusal(name: str, state: str, declared: str) -> str:
    """The sentence of a refusal: the event, the state it came in, and the events declared there (M-12)."""
    return f"{name!r} is not declared in {state!r}; declared there: {declared}"


# --- A machine from any table -----------------------------------------------------------------------


class Snapshot(NamedTuple):
    """Where a run stands: its state, the states visited so far (oldest first), and the last refusal or None.

    A named tuple because every move makes one, and it is made in half the time of a frozen dataclass.
    """

    state: str
    visited: Trail
    rejected: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The same as the dict-shaped `step` gives it, `visited` as a list of its own."""
        return {"state": self.state, "visited": list(self.visited), "rejected": self.rejected}


class UnknownStateError(ValueError):
    """A snapshot whose state the table does not know: the caller's bug (M-27)."""


class Machine:
    """A machine from a table, with caps handed in.

    `table` maps (state, event) to the target, or is an iterable of rows (state, event, target). `states`
    declares the states; left out, they are those the rows name. `initial` is where a run starts; left out,
    it is the first of `states`. `caps` maps a state to the most entries `visited` may hold of it; a state
    without a cap is unbounded.

    Raises TableError with every problem that `problems` lists.
    """

    def __init__(
        self,
        table: Table | Rows,
        *,
        states: Iterable[str] | None = None,
        initial: str | None = None,
        caps: Mapping[str, int] | None = None,
    ) -> None:
        table = table if isinstance(table, Mapping) else tuple(table)
        names = None if states is None else tuple(states)
        found = problems(table, states=names, initial=initial, caps=caps)
        if found:
            raise TableError(found)
        rows = rows_of(table)
        self.table: dict[tuple[str, str], str] = {(row.source, row.event): row.target for row in rows}
        self.states = states_of(rows, names)
        self.initial = self.states[0] if initial is None else initial
        self.caps: dict[str, int] = dict(caps or {})
        self._edges: dict[str, dict[str, str]] = {state: {} for state in self.states}
        for row in rows:
            self._edges[row.source][row.event] = row.target
        self._declared = declared_in(self.table)
        self.terminal = frozenset(state for state, edges in self._edges.items() if not edges)

    def start(self) -> Snapshot:
        """The snapshot before any event."""
        return Snapshot(self.initial, Trail((self.initial,)))

    def events(self, state: str) -> tuple[str, ...]:
        """The events declared in `state`, in the table's order. Raises UnknownStateError."""
        return tuple(self._edges_of(state))

    def step(self, snapshot: Snapshot, event: Mapping[str, Any]) -> Snapshot:
        """The snapshot after `event`. Costs the same however long the run is. Raises UnknownStateError.

        A cap is looked at before the move and counts entries in `visited` (M-29): it guards entering its
        state, so the events that leave it are never held back (M-32).
        """
        name = event["name"]
        target = self._edges_of(snapshot.state).get(name)
        if target is None:
            declared = self._declared.get(snapshot.state, "nothing")
            return Snapshot(snapshot.state, snapshot.visited, refusal(name, snapshot.state, declared))
        cap = self.caps.get(target)
        if cap is not None and snapshot.visited.count(target) >= cap:
            return Snapshot(snapshot.state, snapshot.visited, spent(name, target, cap))
        return Snapshot(target, snapshot.visited.append(target))

    def replay(self, events: Iterable[Mapping[str, Any]], start: Snapshot | None = None) -> Snapshot:
        """The snapshot after all of `events`, from `start` or from the beginning (M-26)."""
        snapshot = self.start() if start is None else start
        self._edges_of(snapshot.state)
        for event in events:
            snapshot = self.step(snapshot, event)
        return snapshot

    def _edges_of(self, state: str) -> dict[str, str]:
        try:
            return self._edges[state]
        except KeyError:
            raise UnknownStateError(
                f"{state!r} is not a state of this machine; its states: {listed(self.states)}"
            ) from None


def replay(events: Iterable[Mapping[str, Any]], start: Snapshot | None = None) -> Snapshot:
    """The snapshot of the five-state machine after `events`. Raises UnknownStateError for a foreign `start`."""
    return Machine(TRANSITIONS, states=STATES).replay(events, start)


def spent(name: str, target: str, cap: int) -> str:
    """The sentence of a refusal because a cap is spent: the state that may not be entered, and the limit (M-31)."""
    times = "once" if cap == 1 else f"{cap} times"
    return f"{name!r} would enter {target!r} again, which may be entered at most {times} (limit {cap})"
