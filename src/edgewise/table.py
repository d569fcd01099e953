"""A table of rows (state, event, target): what it says, and what is wrong with it.

A table is a mapping from (state, event) to the target, or an iterable of rows. Nothing here runs it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeGuard

Table = Mapping[tuple[str, str], str]
Rows = Iterable[tuple[str, str, str]]


def terminal(table: Table) -> set[str]:
    """The states in which a run ends: those where no row starts (M-05)."""
    return set(table.values()) - {source for source, _ in table}


def ways_into(table: Table, state: str) -> set[str]:
    """The states from which one row leads to `state`."""
    return {source for (source, _), target in table.items() if target == state}


def declared_in(table: Table) -> dict[str, str]:
    """The events of each state that has any, by repr, with commas."""
    events: dict[str, list[str]] = {}
    for state, event in table:
        events.setdefault(state, []).append(event)
    return {state: listed(names) for state, names in events.items()}


class TableError(ValueError):
    """A table that no machine can be built from; `problems` holds every sentence about it."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems

    def __reduce__(self) -> tuple[type[TableError], tuple[tuple[str, ...]]]:
        return TableError, (self.problems,)


def problems(
    table: Table | Rows,
    *,
    states: Iterable[str] | None = None,
    initial: str | None = None,
    caps: Mapping[str, int] | None = None,
) -> tuple[str, ...]:
    """Every reason why no machine can be built, one sentence each; empty when one can (M-38).

    Takes what `Machine` takes. The order is fixed: entries that are no rows, blank names, undeclared states,
    double rows, the initial state, states that cannot be reached, states that reach no terminal one, caps.
    Reachability waits until every entry is a row, since the missing ones might be the way.
    """
    entries = _entries(table)
    rows = _rows(entries)
    listing = None if states is None else tuple(states)
    names = states_of(rows, listing)
    first = initial if initial is not None else next(iter(names), None)
    is_whole = len(rows) == len(entries)
    return (
        *_no_rows(entries),
        *_no_names(names if listing is None else listing),
        *_blank_names(rows, names),
        *_undeclared_states(rows, names),
        *_double_rows(rows),
        *_initial(first, names),
        *(_unreachable(rows, names, first) if is_whole else ()),
        *(_endless(rows, names) if is_whole else ()),
        *_caps(caps or {}, names),
    )


class Row(NamedTuple):
    """One row, and its number in the table, from 1."""

    number: int
    source: str
    event: str
    target: str


def rows_of(table: Table | Rows) -> tuple[Row, ...]:
    """The rows of a table, in its order, without what is no row."""
    return _rows(_entries(table))


def states_of(rows: tuple[Row, ...], states: Iterable[str] | None) -> tuple[str, ...]:
    """The declared states, each once; where none are declared, those the rows name, in that order."""
    if states is None:
        states = (name for row in rows for name in (row.source, row.target))
    return tuple(dict.fromkeys(name for name in states if isinstance(name, str)))


def _entries(table: Table | Rows) -> tuple[object, ...]:
    """What the table holds; a mapping's keys and values joined to (state, event, target) where they can be."""
    if isinstance(table, Mapping):
        return tuple(
            (*pair, target) if isinstance(pair, tuple) and len(pair) == 2 else (pair, target)
            for pair, target in table.items()
        )
    return tuple(table)


def _rows(entries: tuple[object, ...]) -> tuple[Row, ...]:
    return tuple(Row(number, *entry) for number, entry in enumerate(entries, 1) if _is_row(entry))


def _is_row(entry: object) -> TypeGuard[tuple[str, str, str]]:
    return isinstance(entry, tuple | list) and len(entry) == 3 and all(isinstance(name, str) for name in entry)


def _no_rows(entries: tuple[object, ...]) -> Iterable[str]:
    for number, entry in enumerate(entries, 1):
        if not _is_row(entry):
            yield f"row {number} is {entry!r}; a row is (state, event, target), three strings"


def _no_names(names: tuple[object, ...]) -> Iterable[str]:
    if not names:
        yield "there is no state; a machine needs one to start in"
    for name in names:
        if not isinstance(name, str):
            yield f"the states hold {name!r}; a state is a string"


def _blank_names(rows: tuple[Row, ...], names: tuple[str, ...]) -> Iterable[str]:
    for number, *row in rows:
        if any(not name.strip() for name in row):
            yield f"row {number} {(*row,)!r} has a blank name; a state and an event need a visible character"
    met = {name for row in rows for name in (row.source, row.target)}
    for name in names:
        if not name.strip() and name not in met:
            yield f"the states hold {name!r}, a blank name; a state needs a visible character"


def _undeclared_states(rows: tuple[Row, ...], names: tuple[str, ...]) -> Iterable[str]:
    declared = set(names)
    for row in rows:
        for end, name in (("starts from", row.source), ("leads to", row.target)):
            if name not in declared:
                pair = f"({row.source!r}, {row.event!r})"
                yield f"row {row.number} {pair} {end} {name!r}, which is not declared; declared: {listed(names)}"


def _double_rows(rows: tuple[Row, ...]) -> Iterable[str]:
    first: dict[tuple[str, str], Row] = {}
    for row in rows:
        earlier = first.setdefault((row.source, row.event), row)
        if earlier is not row:
            yield (
                f"row {row.number} leads ({row.source!r}, {row.event!r}) to {row.target!r}, "
                f"and row {earlier.number} leads it to {earlier.target!r}; one pair has one target"
            )


def _initial(first: str | None, names: tuple[str, ...]) -> Iterable[str]:
    if first is not None and first not in names:
        yield f"the initial state {first!r} is not declared; declared: {listed(names)}"


def _unreachable(rows: tuple[Row, ...], names: tuple[str, ...], first: str | None) -> Iterable[str]:
    if first in names:
        met = _closure({first}, {(row.source, row.target) for row in rows})
        for name in names:
            if name not in met:
                yield f"{name!r} cannot be reached from {first!r}"


def _endless(rows: tuple[Row, ...], names: tuple[str, ...]) -> Iterable[str]:
    sources = {row.source for row in rows}
    # An undeclared target is a problem of its own: here it ends a run, so that one slip is one sentence.
    ends = [name for name in dict.fromkeys((*names, *(row.target for row in rows))) if name not in sources]
    ending = _closure(ends, {(row.target, row.source) for row in rows})
    for name in names:
        if name not in ending:
            yield f"no terminal state can be reached from {name!r}; terminal: {listed(ends)}"


def _closure(seeds: Iterable[str], arrows: set[tuple[str, str]]) -> set[str]:
    """Every state on a way that begins in one of `seeds`, themselves included."""
    onward: dict[str, list[str]] = {}
    for source, target in arrows:
        onward.setdefault(source, []).append(target)
    met = set(seeds)
    waiting = list(met)
    while waiting:
        fresh = set(onward.get(waiting.pop(), ())) - met
        met |= fresh
        waiting += fresh
    return met


def _caps(caps: Mapping[str, int], names: tuple[str, ...]) -> Iterable[str]:
    for name, cap in caps.items():
        if name not in names:
            yield f"a cap is set on {name!r}, which is not declared; declared: {listed(names)}"
        if isinstance(cap, bool) or not isinstance(cap, int) or cap < 1:
            yield f"the cap on {name!r} is {cap!r}; a cap is a whole number from 1 up"


def listed(names: Iterable[object]) -> str:
    """The names by repr, with commas; "none" if there are none."""
    return ", ".join(map(repr, names)) or "none"
