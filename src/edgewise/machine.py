"""The five-state retrieval machine of session 8, and a machine from any table.

A workflow is a graph: rows that say which event leads from which state to which. What has no row is
refused, as a value: the state stays, and the refusal says which event came in which state. The statements
cited as M-… stand in docs/statements.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from edgewise.trail import Trail

Table = Mapping[tuple[str, str], str]
Rows = Iterable[tuple[str, str, str]]

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
        return {"state": current, "visited": [*state["visited"]], "rejected": refusal(name, current, TRANSITIONS)}
    return {"state": target, "visited": [*state["visited"], target], "rejected": None}


def refusal(name: str, state: str, table: Table) -> str:
    """The sentence of a refusal: the event, the state it came in, and what is declared there (M-12)."""
    declared = ", ".join(repr(event) for source, event in table if source == state)
    return f"{name!r} is not declared in {state!r}; declared there: {declared or 'nothing'}"


def terminal(table: Table) -> set[str]:
    """The states in which a run ends: those where no row starts (M-05)."""
    return set(table.values()) - {source for source, _ in table}


def ways_into(table: Table, state: str) -> set[str]:
    """The states from which one row leads to `state`."""
    return {source for (source, _), target in table.items() if target == state}


# --- A machine from any table -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Where a run stands: its state, the states visited so far (oldest first), and the last refusal or None."""

    state: str
    visited: Trail
    rejected: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The same as the dict-shaped `step` gives it, `visited` as a list of its own."""
        return {"state": self.state, "visited": list(self.visited), "rejected": self.rejected}


class TableError(ValueError):
    """A table that no machine can be built from; `problems` holds every sentence about it."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


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
        rows = _rows(table)
        names = _declared(rows) if states is None else tuple(states)
        first = initial if initial is not None else next(iter(names), "")
        found = problems(rows, states=names, initial=first, caps=caps)
        if found:
            raise TableError(found)
        self.table: dict[tuple[str, str], str] = {(source, event): target for source, event, target in rows}
        self.states = names
        self.initial = first
        self.caps: dict[str, int] = dict(caps or {})
        self.terminal = frozenset(names) - {source for source, _, _ in rows}
        self._edges: dict[str, dict[str, str]] = {state: {} for state in names}
        for source, event, target in rows:
            self._edges[source][event] = target

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
            return Snapshot(snapshot.state, snapshot.visited, refusal(name, snapshot.state, self.table))
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
                f"{state!r} is not a state of this machine; its states: {_listed(self.states)}"
            ) from None


def replay(events: Iterable[Mapping[str, Any]], start: Snapshot | None = None) -> Snapshot:
    """The snapshot of the five-state machine after `events`. Raises UnknownStateError for a foreign `start`."""
    return Machine(TRANSITIONS, states=STATES).replay(events, start)


def spent(name: str, target: str, cap: int) -> str:
    """The sentence of a refusal because a cap is spent: the state that may not be entered, and the limit (M-31)."""
    times = "once" if cap == 1 else f"{cap} times"
    return f"{name!r} would enter {target!r} again, which may be entered at most {times} (limit {cap})"


# --- What is wrong with a table ---------------------------------------------------------------------


def problems(
    table: Table | Rows,
    *,
    states: Iterable[str] | None = None,
    initial: str | None = None,
    caps: Mapping[str, int] | None = None,
) -> tuple[str, ...]:
    """Every reason why no machine can be built, one sentence each; empty when one can (M-38).

    Takes what `Machine` takes. The order is fixed: blank names, undeclared states, double rows, the initial
    state, states that cannot be reached, states that reach no terminal one, caps.
    """
    rows = _rows(table)
    names = _declared(rows) if states is None else tuple(states)
    first = initial if initial is not None else next(iter(names), "")
    return (
        *_blank_names(rows, names),
        *_undeclared_states(rows, names),
        *_double_rows(rows),
        *_initial(first, names),
        *_unreachable(rows, names, first),
        *_endless(rows, names),
        *_caps(caps or {}, names),
    )


def _rows(table: Table | Rows) -> tuple[tuple[str, str, str], ...]:
    if isinstance(table, Mapping):
        return tuple((source, event, target) for (source, event), target in table.items())
    return tuple((source, event, target) for source, event, target in table)


def _declared(rows: tuple[tuple[str, str, str], ...]) -> tuple[str, ...]:
    """The states the rows name, each once, in the order of their first mention."""
    return tuple(dict.fromkeys(name for source, _, target in rows for name in (source, target)))


def _blank_names(rows: tuple[tuple[str, str, str], ...], names: tuple[str, ...]) -> Iterable[str]:
    for number, row in enumerate(rows, 1):
        if any(not name.strip() for name in row):
            yield f"row {number} {row!r} has a blank name; a state and an event need at least one visible character"
    if any(not name.strip() for name in names):
        yield "the states hold a blank name; a state needs at least one visible character"


def _undeclared_states(rows: tuple[tuple[str, str, str], ...], names: tuple[str, ...]) -> Iterable[str]:
    for number, (source, event, target) in enumerate(rows, 1):
        for end, name in (("starts from", source), ("leads to", target)):
            if name not in names:
                row = f"row {number} ({source!r}, {event!r})"
                yield f"{row} {end} {name!r}, which is not declared; declared: {_listed(names)}"


def _double_rows(rows: tuple[tuple[str, str, str], ...]) -> Iterable[str]:
    first: dict[tuple[str, str], tuple[int, str]] = {}
    for number, (source, event, target) in enumerate(rows, 1):
        if (source, event) in first:
            earlier, other = first[source, event]
            yield (
                f"row {number} leads ({source!r}, {event!r}) to {target!r}, "
                f"and row {earlier} leads it to {other!r}; one pair has one target"
            )
        else:
            first[source, event] = (number, target)


def _initial(first: str, names: tuple[str, ...]) -> Iterable[str]:
    if first not in names:
        yield f"the initial state {first!r} is not declared; declared: {_listed(names)}"


def _unreachable(rows: tuple[tuple[str, str, str], ...], names: tuple[str, ...], first: str) -> Iterable[str]:
    if first in names:
        met = _closure(first, {(source, target) for source, _, target in rows})
        for name in names:
            if name not in met:
                yield f"{name!r} cannot be reached from {first!r}"


def _endless(rows: tuple[tuple[str, str, str], ...], names: tuple[str, ...]) -> Iterable[str]:
    arrows = {(source, target) for source, _, target in rows}
    ends = set(names) - {source for source, _ in arrows}
    for name in names:
        if ends.isdisjoint(_closure(name, arrows)):
            yield f"no terminal state can be reached from {name!r}; terminal: {_listed(sorted(ends))}"


def _closure(first: str, arrows: set[tuple[str, str]]) -> set[str]:
    """Every state on a way that begins in `first`, itself included."""
    met, fresh = {first}, {first}
    while fresh:
        fresh = {target for source, target in arrows if source in fresh} - met
        met |= fresh
    return met


def _caps(caps: Mapping[str, int], names: tuple[str, ...]) -> Iterable[str]:
    for name, cap in caps.items():
        if name not in names:
            yield f"a cap is set on {name!r}, which is not declared; declared: {_listed(names)}"
        if isinstance(cap, bool) or not isinstance(cap, int) or cap < 1:
            yield f"the cap on {name!r} is {cap!r}; a cap is a whole number from 1 up"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(repr, names)) or "none"
