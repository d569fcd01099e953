"""ch08-e4: `capped_step`, a step over any table with a cap on how often a state may be entered.

Goal: the cap is looked at before the move, counts entries in `visited`, and comes from the caller (M-29 to
M-33). Out of scope: tables and caps that make no machine. Points: the shares of CAPPED_RULES, half of them for
the cap; nothing is earned before one declared move and one refusal were right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from edgewise.checking.exercise import REFUSED, Hints, Misconception, Script
from edgewise.checking.machines import MachineCheck
from edgewise.checking.rules import (
    CAPPED_RULES,
    answers_alike,
    clears_the_rejection,
    follows_every_edge,
    keeps_the_history,
    leaves_its_arguments_alone,
    names_event_and_state,
    refuses_a_spent_cap,
    refuses_without_moving,
)
from edgewise.checking.steps import Setting
from edgewise.machine import MAX_VISITS, STORM, Machine, Table, spent

ORDERS = {
    ("new", "pay"): "paying",
    ("paying", "declined"): "paying",
    ("paying", "paid"): "shipped",
    ("paying", "give_up"): "cancelled",
    ("paying", "wait"): "paying_later",
    ("paying_later", "resume"): "paying",
    ("new", "cancel"): "cancelled",
}

REVIEW = {("draft", "submit"): "review", ("review", "reject"): "draft", ("review", "accept"): "published"}


def setting(title: str, table: Table, caps: Mapping[str, int], *scripts: Script, depth: int = 3) -> Setting:
    """A machine with caps, and the arguments that hand both to the student's step."""
    arguments = {"transitions": dict(table), "caps": dict(caps)}
    return Setting(Machine(table, caps=caps), scripts, ("unheard_of",), depth, title, arguments)


SETTINGS = (
    setting(
        "the storm, 'retrieving' at most 3 times",
        STORM,
        {"retrieving": MAX_VISITS},
        Script(
            "The first pass, two retries, and one too many",
            events=(
                ("plan_ready", "retrieving"),
                ("retry", "retrieving"),
                ("retry", "retrieving"),
                ("retry", REFUSED),
                ("hits", "answering"),
            ),
            hint="The cap guards the way in. The events that lead out are never held back.",
        ),
        Script(
            "Spent, and nothing was found",
            events=(
                ("plan_ready", "retrieving"),
                ("retry", "retrieving"),
                ("retry", "retrieving"),
                ("no_hits", "refusing"),
                ("refused", "done"),
            ),
        ),
        depth=4,
    ),
    setting(
        "the storm without a cap",
        STORM,
        {},
        Script(
            "No cap, no limit",
            events=(
                ("plan_ready", "retrieving"),
                ("retry", "retrieving"),
                ("retry", "retrieving"),
                ("retry", "retrieving"),
                ("retry", "retrieving"),
            ),
            hint="A state that `caps` does not name may be entered as often as the table allows.",
        ),
    ),
    setting(
        "an order, 'paying' at most twice",
        ORDERS,
        {"paying": 2},
        Script(
            "A payment put off once, which is no visit to 'paying'",
            events=(("pay", "paying"), ("wait", "paying_later"), ("resume", "paying"), ("wait", "paying_later")),
            hint="Another state whose name begins alike is another state: count whole names.",
        ),
        Script(
            "A card declined twice",
            events=(("pay", "paying"), ("declined", "paying"), ("declined", REFUSED), ("give_up", "cancelled")),
        ),
    ),
    setting(
        "a review, 'draft' at most once",
        REVIEW,
        {"draft": 1},
        Script(
            "No way back",
            events=(("submit", "review"), ("reject", REFUSED), ("accept", "published")),
            hint="The start counts: 'draft' stands in `visited` before the first event.",
        ),
    ),
    setting(
        "a review, 'draft' at most 3 times and 'review' at most twice",
        REVIEW,
        {"draft": 3, "review": 2},
        Script(
            "Two caps, each on its own",
            events=(
                ("submit", "review"),
                ("reject", "draft"),
                ("submit", "review"),
                ("reject", "draft"),
                ("submit", REFUSED),
            ),
        ),
        depth=4,
    ),
)

Step = Callable[..., dict[str, Any]]


def undeclared(name: str, state: str) -> str:
    """The sentence of a plain refusal."""
    return f"{name!r} is not declared in {state!r}"


def with_guard(holds_back: Callable[[dict[str, Any], str, Mapping[str, int]], tuple[str, int] | None]) -> Step:
    """A step whose cap is `holds_back(state, target, caps)`: the state and limit to refuse with, or None."""

    def step(
        state: dict[str, Any], event: dict[str, Any], *, transitions: Table, caps: Mapping[str, int]
    ) -> dict[str, Any]:
        current, name = state["state"], event["name"]
        target = transitions.get((current, name))
        if target is None:
            return {**state, "visited": [*state["visited"]], "rejected": undeclared(name, current)}
        held = holds_back(state, target, caps)
        if held:
            return {**state, "visited": [*state["visited"]], "rejected": spent(name, *held)}
        return {"state": target, "visited": [*state["visited"], target], "rejected": None}

    return step


right = with_guard(
    lambda state, target, caps: (
        (target, caps[target]) if target in caps and state["visited"].count(target) >= caps[target] else None
    )
)


def strands(
    state: dict[str, Any], event: dict[str, Any], *, transitions: Table, caps: Mapping[str, int]
) -> dict[str, Any]:
    """The guard stands before every event."""
    current = state["state"]
    if current in caps and state["visited"].count(current) >= caps[current]:
        return {**state, "rejected": spent(event["name"], current, caps[current]) + f" in {current!r}"}
    return right(state, event, transitions=transitions, caps=caps)


def gives_up(
    state: dict[str, Any], event: dict[str, Any], *, transitions: Table, caps: Mapping[str, int]
) -> dict[str, Any]:
    """A spent cap sends the run to another state."""
    after = right(state, event, transitions=transitions, caps=caps)
    if after["rejected"] and (state["state"], event["name"]) in transitions:
        return {"state": "refusing", "visited": [*state["visited"], "refusing"], "rejected": after["rejected"]}
    return after


def raises(
    state: dict[str, Any], event: dict[str, Any], *, transitions: Table, caps: Mapping[str, int]
) -> dict[str, Any]:
    """A spent cap is an exception."""
    after = right(state, event, transitions=transitions, caps=caps)
    if after["rejected"] and (state["state"], event["name"]) in transitions:
        raise RuntimeError(after["rejected"])
    return after


def needs_a_cap(
    state: dict[str, Any], event: dict[str, Any], *, transitions: Table, caps: Mapping[str, int]
) -> dict[str, Any]:
    """Every target is looked up in caps."""
    target = transitions.get((state["state"], event["name"]))
    if target is not None:
        caps[target]
    return right(state, event, transitions=transitions, caps=caps)


def wordless(
    state: dict[str, Any], event: dict[str, Any], *, transitions: Table, caps: Mapping[str, int]
) -> dict[str, Any]:
    """A spent cap is refused like an undeclared event."""
    after = right(state, event, transitions=transitions, caps=caps)
    if after["rejected"] and (state["state"], event["name"]) in transitions:
        return {**after, "rejected": undeclared(event["name"], state["state"])}
    return after


MISCONCEPTIONS = (
    Misconception(
        "no cap at all",
        "`caps` is never looked at, so a run can go round for ever.",
        with_guard(lambda state, target, caps: None),
        refuses_a_spent_cap,
    ),
    Misconception(
        "one entry too many",
        "the cap is the most entries that `visited` may hold: with that many there, the next is refused.",
        with_guard(
            lambda state, target, caps: (
                (target, caps[target]) if target in caps and state["visited"].count(target) > caps[target] else None
            )
        ),
        refuses_a_spent_cap,
    ),
    Misconception(
        "one entry too few",
        "a cap of 3 allows three entries; yours refuses the third.",
        with_guard(
            lambda state, target, caps: (
                (target, caps[target])
                if target in caps and state["visited"].count(target) >= caps[target] - 1
                else None
            )
        ),
        follows_every_edge,
    ),
    Misconception(
        "stranded",
        "the guard stands before every event, so a run whose cap is spent can't leave either. Guard the way in: look "
        "at the target's cap, not at the cap of the state the run is in.",
        strands,
        follows_every_edge,
    ),
    Misconception(
        "the source is counted",
        "you count the state the run is in; the cap belongs to the state that the event would enter.",
        with_guard(
            lambda state, target, caps: (
                (target, caps[target])
                if target in caps and state["visited"].count(state["state"]) >= caps[target]
                else None
            )
        ),
        follows_every_edge,
    ),
    Misconception(
        "every move counts",
        "you count all of `visited`; the cap counts the entries of one state.",
        with_guard(
            lambda state, target, caps: (
                (target, caps[target]) if target in caps and len(state["visited"]) > caps[target] else None
            )
        ),
        follows_every_edge,
    ),
    Misconception(
        "a cap of your own",
        "'retrieving' and 3 are one application's choice; take the states and the numbers from `caps`.",
        with_guard(
            lambda state, target, caps: (
                (target, 3) if target == "retrieving" and state["visited"].count(target) >= 3 else None
            )
        ),
        refuses_a_spent_cap,
    ),
    Misconception(
        "capped by default",
        "a state that `caps` does not name has no cap; yours stops at 3 all the same.",
        with_guard(
            lambda state, target, caps: (
                (target, caps.get(target, 3)) if state["visited"].count(target) >= caps.get(target, 3) else None
            )
        ),
        follows_every_edge,
    ),
    Misconception(
        "every state needs a cap",
        "`caps[target]` raises KeyError for a state without a cap; use `caps.get(target)`, or ask `target in caps`.",
        needs_a_cap,
        follows_every_edge,
    ),
    Misconception(
        "given up for the caller",
        "a spent cap refuses the event and the run stays; where it goes then is the caller's decision.",
        gives_up,
        refuses_a_spent_cap,
    ),
    Misconception(
        "a spent cap raises",
        "running into the cap is ordinary; return a refusal, so that the run keeps its history and its other ways out.",
        raises,
        refuses_a_spent_cap,
    ),
    Misconception(
        "a refusal that hides the cap",
        "the event is declared; what is spent is the cap. Name the state that may not be entered, and the limit.",
        wordless,
        names_event_and_state,
    ),
)

HINTS = Hints(
    by_rule={
        follows_every_edge: "A cap holds back one thing: entering its state once more. Is the event you refuse really "
        "one that leads into a capped state, and are there as many visits as the cap allows?",
        refuses_without_moving: "Before any cap is looked at: does `transitions` have a row for this pair? Without one "
        "the event is refused, and the run stays.",
        refuses_a_spent_cap: "Before the move, count how often the target stands in `visited` already. Compare that "
        "number with the target's cap: when is one more entry too many?",
        keeps_the_history: "After a move `visited` is one longer, by the state that was entered; after any refusal it "
        "is the same.",
        names_event_and_state: "An undeclared event: name the event and the state. A spent cap: name the state that "
        "may "
        "not be entered, and the limit.",
        clears_the_rejection: "`rejected` is about the event at hand. After a legal move it is None.",
        leaves_its_arguments_alone: "The snapshot, the table and the caps belong to the caller. What does your code "
        "append to or assign to?",
        answers_alike: "Count in `visited`, not in a variable of your own that lives on between two calls.",
    },
    neighbour="A printer may enter 'printing' twice. In 'ready', with visited ['ready', 'printing', 'ready', "
    "'printing', "
    "'ready'], the event 'print' leads to 'printing', which stands there 2 times, and its cap is 2: refused, naming "
    "'printing' and 2. With one 'printing' fewer it would move. The event 'jam' in 'printing' leads to 'ready', which "
    "has no cap: it moves, however often that was.",
)

CHECK = MachineCheck(
    settings=SETTINGS,
    rules=CAPPED_RULES,
    follows=follows_every_edge,
    refuses=refuses_without_moving,
    hints=HINTS,
    misconceptions=MISCONCEPTIONS,
)
