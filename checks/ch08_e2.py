"""ch08-e2: what can be read off any table before anything runs: `terminal` and `ways_into`.

Goal: the right sets for any table, whatever its states are called. Out of scope: whether the table makes a good
machine. Points: half for each function.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from edgewise.checking.cases import Case, CaseCheck, Subject, gives
from edgewise.checking.exercise import Hints, Misconception, Rule
from edgewise.machine import STORM, TRANSITIONS, Table, terminal, ways_into

ORDER = {("new", "pay"): "paid", ("paid", "ship"): "shipped", ("paid", "refund"): "refunded"}
LOOP = {("red", "tick"): "green", ("green", "tick"): "red"}
AGAIN = {("new", "pay"): "paid", ("paid", "refund"): "paid_back", ("paid_back", "pay"): "paid"}
CIRCLE = {("draft", "edit"): "draft", ("draft", "send"): "sent"}

TERMINAL_CASES = (
    Case((ORDER,), {"shipped", "refunded"}),
    Case((LOOP,), set()),
    Case((CIRCLE,), {"sent"}),
    Case((TRANSITIONS,), {"done"}),
    Case(({},), set()),
)

WAYS_CASES = (
    Case((ORDER, "paid"), {"new"}),
    Case((ORDER, "new"), set()),
    Case((CIRCLE, "draft"), {"draft"}),
    Case((TRANSITIONS, "refusing"), {"planning", "retrieving"}),
    Case((STORM, "retrieving"), {"planning", "retrieving"}),
    Case((ORDER, "lost"), set()),
    Case((AGAIN, "paid"), {"new", "paid_back"}),
    Case((AGAIN, "paid_back"), {"paid"}),
)


def tables(rng: Random) -> Iterator[Table]:
    """Tables by chance of one row, then two, and so on up to twelve."""
    for rows in range(1, 13):
        for _ in range(4):
            states = [f"s{number}" for number in range(1 + rows // 2)]
            yield {(rng.choice(states), f"e{number}"): rng.choice(states) for number in range(rows)}


def terminal_inputs(rng: Random) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Each table."""
    for table in tables(rng):
        yield (table,), {}


def ways_inputs(rng: Random) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Each table with each of its first three states."""
    for table in tables(rng):
        for state in ("s0", "s1", "s2"):
            yield (table, state), {}


ends = gives("Finds the states in which no row starts", "terminal")
sources = gives("Finds the states from which a row leads here", "ways_into")


def only_done(transitions: Table) -> set[str]:
    """The end of one machine, by name."""
    return {"done"}


def never_targets(transitions: Table) -> set[str]:
    """The states into which nothing leads."""
    return {source for source, _ in transitions} - set(transitions.values())


def all_targets(transitions: Table) -> set[str]:
    """Every state that is a target."""
    return set(transitions.values())


def not_moving(transitions: Table) -> set[str]:
    """The targets that no row leaves for another state."""
    return set(transitions.values()) - {source for (source, _), target in transitions.items() if source != target}


def events_into(transitions: Table, state: str) -> set[str]:
    """The events that lead here."""
    return {event for (_, event), target in transitions.items() if target == state}


def ways_out(transitions: Table, state: str) -> set[str]:
    """The targets of the rows that start here."""
    return {target for (source, _), target in transitions.items() if source == state}


def others_into(transitions: Table, state: str) -> set[str]:
    """The other states that lead here."""
    return ways_into(transitions, state) - {state}


def all_before(transitions: Table, state: str) -> set[str]:
    """Every state on some way here."""
    found = ways_into(transitions, state)
    for _ in transitions:
        found = found | {source for target in found for source in ways_into(transitions, target)}
    return found


MISCONCEPTIONS = (
    Misconception(
        "the end by name",
        "'done' ends one machine; another one ends elsewhere. Ask the table: in which states does no row start?",
        only_done,
        ends,
        "terminal",
    ),
    Misconception(
        "the beginning for the end",
        "you find the states into which nothing leads; a terminal state is one that nothing leaves.",
        never_targets,
        ends,
        "terminal",
    ),
    Misconception(
        "every target is an end",
        "a state that is a target may have rows of its own; take away those in which a row starts.",
        all_targets,
        ends,
        "terminal",
    ),
    Misconception(
        "a loop is not leaving",
        "a row from a state to itself starts there all the same, so the state is not terminal: the run goes on.",
        not_moving,
        ends,
        "terminal",
    ),
    Misconception(
        "events for states",
        "you collect the events that lead there; asked for are the states in which those events come.",
        events_into,
        sources,
        "ways_into",
    ),
    Misconception(
        "the wrong way round",
        "you follow the rows forwards; asked for are the states from which a row leads here.",
        ways_out,
        sources,
        "ways_into",
    ),
    Misconception(
        "not from itself",
        "a row from the state to itself is a way into it too.",
        others_into,
        sources,
        "ways_into",
    ),
    Misconception(
        "one row, not a whole way",
        "asked for are the sources of single rows; you also collect states that are further away.",
        all_before,
        sources,
        "ways_into",
    ),
)

HINTS = Hints(
    by_rule={
        ends: "Two sets can be read off a table: the states in which rows start, and all the states it names. Which "
        "states are in the second and not in the first?",
        sources: "Go through the rows one by one. A row counts if its target is the state you ask about; what do you "
        "keep of it?",
    },
    neighbour='A door: {("closed", "push"): "open", ("open", "pull"): "closed", ("closed", "key"): "locked"}. Rows '
    "start "
    "in 'closed' and 'open'; named are 'closed', 'open' and 'locked'; so 'locked' alone is terminal. One row has the "
    "target 'closed', and it starts in 'open': the ways into 'closed' are {'open'}.",
)

CHECK = CaseCheck(
    subjects=(
        Subject("terminal", terminal, TERMINAL_CASES, by_chance=terminal_inputs),
        Subject("ways_into", ways_into, WAYS_CASES, by_chance=ways_inputs),
    ),
    rules=(Rule(ends, 0.5, "terminal"), Rule(sources, 0.5, "ways_into")),
    hints=HINTS,
    misconceptions=MISCONCEPTIONS,
)
