"""ch08-e1: the value `TRANSITIONS`, the table of the five-state machine.

Goal: all six rows and no other. Out of scope: what order they come in.
Points: half for the declared rows, half for declaring nothing else; neither earns before one declared pair and
one undeclared pair were right, so that an empty table and a table of everything earn nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from edgewise.checking.cases import Asked, Case, CaseCheck, Subject, gives
from edgewise.checking.exercise import Hints, Misconception, Rule
from edgewise.checking.values import a, plain, shown
from edgewise.machine import STATES, STORM, TRANSITIONS

EVENTS = tuple(dict.fromkeys(event for _, event in TRANSITIONS))
ELSEWHERE = ("any other state", "any other event")

CASES = (
    Case(("planning", "plan_ready"), "retrieving"),
    Case(("planning", "out_of_scope"), "refusing"),
    Case(("retrieving", "hits"), "answering"),
    Case(("retrieving", "no_hits"), "refusing"),
    Case(("answering", "answered"), "done"),
    Case(("refusing", "refused"), "done"),
    Case(("planning", "hits"), None),
    Case(("done", "plan_ready"), None),
    Case(ELSEWHERE, None),
)


def lookup(table: Any) -> Callable[[str, str], str | None]:
    """A function that reads one row of the student's table. Raises ValueError where it is no such table."""
    if not isinstance(table, dict):
        raise ValueError(f"`TRANSITIONS` is {a(table)}, not a dict; its rows are {{(state, event): target}}")
    rows: dict[tuple[str, str], str] = plain(table)
    for key, target in rows.items():
        if not (isinstance(key, tuple) and len(key) == 2 and all(isinstance(name, str) for name in key)):
            raise ValueError(f"`TRANSITIONS` has the key {shown(key)}; a key is a pair of strings, (state, event)")
        if not isinstance(target, str):
            raise ValueError(
                f"`TRANSITIONS` leads {shown(key)} to {shown(target)}; a target is a string, the next state"
            )

    def row(state: str, event: str) -> str | None:
        if (state, event) == ELSEWHERE:
            beyond = [f"{key} to {target}" for key, target in rows.items() if key not in GRID]
            return min(beyond, default=None)
        return rows.get((state, event))

    return row


GRID = frozenset(product(STATES, EVENTS))


def inputs() -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Every pair of a declared state and a declared event name."""
    for pair in product(STATES, EVENTS):
        yield pair, {}


def declared(asked: Asked) -> bool:
    """Whether the table has a row here."""
    return asked.expected is not None


def undeclared(asked: Asked) -> bool:
    """Whether the table has no row here."""
    return asked.expected is None


leads = gives("Leads every declared pair where it belongs", "TRANSITIONS", when=declared)
nothing_else = gives("Declares nothing else", "TRANSITIONS", when=undeclared)

NO_PLAN = {pair: target for pair, target in TRANSITIONS.items() if pair != ("planning", "out_of_scope")}
NO_END = {pair: target for pair, target in TRANSITIONS.items() if target != "done"}
TO_THE_END = {pair: "done" if target == "refusing" else target for pair, target in TRANSITIONS.items()}
UNFOUND = TRANSITIONS | {("retrieving", "no_hits"): "answering"}
AGAIN = TRANSITIONS | {("done", "plan_ready"): "retrieving"}

MISCONCEPTIONS = (
    Misconception(
        "no way to say no",
        "a question outside the scope needs an edge of its own, straight from 'planning' to 'refusing'.",
        NO_PLAN,
        leads,
    ),
    Misconception(
        "a run that never ends",
        "'answering' and 'refusing' each need one more edge, to 'done'; without it nobody knows that the run is over.",
        NO_END,
        leads,
    ),
    Misconception(
        "refusing is skipped",
        "a run that refuses passes through 'refusing' first, so that its history shows what happened.",
        TO_THE_END,
        leads,
    ),
    Misconception(
        "an answer from nothing",
        "'no_hits' leads to 'refusing'; with your row a run can answer without having found anything.",
        UNFOUND,
        leads,
    ),
    Misconception(
        "a retry, one lesson early",
        "('retrieving', 'retry') is a row of the next notebook's table; this machine does not declare it.",
        {**STORM},
        nothing_else,
    ),
    Misconception(
        "a run that starts over",
        "no row starts in 'done'; that is what makes it the end.",
        AGAIN,
        nothing_else,
    ),
)

HINTS = Hints(
    by_rule={
        leads: "Go through the picture arrow by arrow: where an arrow starts and what it is called is the key, where "
        "it "
        "ends is the value. Six arrows, six rows.",
        nothing_else: "Cover the picture and read your rows aloud, one sentence each. Which sentence is in no arrow?",
    },
    neighbour="A door is closed, open or locked. 'A closed door opens when pushed' is the row "
    '("closed", "push"): "open"; \'a closed door locks with the key\' is ("closed", "key"): "locked". Nothing is said '
    'of pushing a locked door, so ("locked", "push") has no row. That is the whole table: two rows.',
)

CHECK = CaseCheck(
    subjects=(
        Subject(
            name="TRANSITIONS",
            reference=lookup(TRANSITIONS),
            cases=CASES,
            inputs=inputs,
            reads=lookup,
            kind=lambda asked: "declared" if declared(asked) else "undeclared",
        ),
    ),
    rules=(Rule(leads, 0.5, "TRANSITIONS"), Rule(nothing_else, 0.5, "TRANSITIONS")),
    hints=HINTS,
    misconceptions=MISCONCEPTIONS,
)
