"""ch08-e3: the step of the five-state machine.

Goal: every declared edge followed, everything else refused in words, a history that only grows (M-09 to M-25).
Out of scope: the words of a refusal beyond the two names, states the table does not know, caps.
Points: the shares of RULES; half of them are for the history (M-43), and nothing is earned before one declared
move and one refusal were right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from edgewise.checking.exercise import REFUSED, Hints, Misconception, Script
from edgewise.checking.machines import MachineCheck
from edgewise.checking.rules import (
    RULES,
    answers_alike,
    clears_the_rejection,
    follows_every_edge,
    keeps_the_history,
    leaves_its_arguments_alone,
    names_event_and_state,
    refuses_without_moving,
)
from edgewise.checking.steps import Setting
from edgewise.machine import STATES, TRANSITIONS, Machine

Snapshot = dict[str, Any]
Event = Mapping[str, Any]

SCRIPTS = (
    Script(
        "The answer walk",
        events=(("plan_ready", "retrieving"), ("hits", "answering"), ("answered", "done")),
        hint="Look the pair up, and let `visited` grow by the target.",
    ),
    Script(
        "A question outside the scope",
        events=(("out_of_scope", "refusing"), ("refused", "done")),
    ),
    Script(
        "Nothing was found",
        events=(("plan_ready", "retrieving"), ("no_hits", "refusing"), ("refused", "done")),
        hint="A legal move into 'refusing' is a move: `rejected` is None.",
    ),
    Script(
        "Too early, in 'planning'",
        events=(
            ("hits", REFUSED),
            ("no_hits", REFUSED),
            ("answered", REFUSED),
            ("refused", REFUSED),
            ("shipped", REFUSED),
        ),
        hint="An event without a row: stay, and say which event came in which state.",
    ),
    Script(
        "Out of turn, in 'retrieving'",
        events=(
            ("plan_ready", "retrieving"),
            ("plan_ready", REFUSED),
            ("out_of_scope", REFUSED),
            ("answered", REFUSED),
            ("refused", REFUSED),
            ("shipped", REFUSED),
        ),
        hint="An event that comes twice is ordinary; the second one is refused.",
    ),
    Script(
        "Out of turn, in 'answering'",
        events=(
            ("plan_ready", "retrieving"),
            ("hits", "answering"),
            ("plan_ready", REFUSED),
            ("out_of_scope", REFUSED),
            ("hits", REFUSED),
            ("no_hits", REFUSED),
            ("refused", REFUSED),
            ("shipped", REFUSED),
        ),
    ),
    Script(
        "Out of turn, in 'refusing'",
        events=(
            ("out_of_scope", "refusing"),
            ("plan_ready", REFUSED),
            ("out_of_scope", REFUSED),
            ("hits", REFUSED),
            ("no_hits", REFUSED),
            ("answered", REFUSED),
            ("shipped", REFUSED),
        ),
    ),
    Script(
        "Too late, in 'done'",
        events=(
            ("plan_ready", "retrieving"),
            ("hits", "answering"),
            ("answered", "done"),
            ("plan_ready", REFUSED),
            ("out_of_scope", REFUSED),
            ("hits", REFUSED),
            ("no_hits", REFUSED),
            ("answered", REFUSED),
            ("refused", REFUSED),
            ("shipped", REFUSED),
        ),
        hint="Nothing special: no row starts in 'done', so every event is refused there.",
    ),
)


# --- Likely wrong answers -----------------------------------------------------------------------------


def moved(state: Event, target: str) -> Snapshot:
    """A right move."""
    return {"state": target, "visited": [*state["visited"], target], "rejected": None}


def stays(state: Event, sentence: str | None) -> Snapshot:
    """A snapshot that stays."""
    return {"state": state["state"], "visited": [*state["visited"]], "rejected": sentence}


def sentence(state: Event, event: Event) -> str:
    """A right refusal's sentence."""
    return f"{event['name']!r} is not declared in {state['state']!r}"


def right(state: Event, event: Event) -> Snapshot:
    """A right step, from which the wrong ones differ in one place."""
    target = TRANSITIONS.get((state["state"], event["name"]))
    return stays(state, sentence(state, event)) if target is None else moved(state, target)


def undeclared(answer: Callable[[Event, Event], Snapshot]) -> Callable[[Event, Event], Snapshot]:
    """A step that gives `answer` where a refusal is due."""

    def step(state: Event, event: Event) -> Snapshot:
        target = TRANSITIONS.get((state["state"], event["name"]))
        return answer(state, event) if target is None else moved(state, target)

    return step


def declared(answer: Callable[[Event, str], Snapshot]) -> Callable[[Event, Event], Snapshot]:
    """A step that gives `answer(state, target)` where a move is due."""

    def step(state: Event, event: Event) -> Snapshot:
        target = TRANSITIONS.get((state["state"], event["name"]))
        return stays(state, sentence(state, event)) if target is None else answer(state, target)

    return step


def by_event_alone(state: Event, event: Event) -> Snapshot:
    """The event decides, wherever it comes."""
    targets = {name: target for (_, name), target in TRANSITIONS.items()}
    return moved(state, targets[event["name"]]) if event["name"] in targets else stays(state, sentence(state, event))


def raises(state: Event, event: Event) -> Snapshot:
    """An undeclared event is an exception."""
    raise ValueError(sentence(state, event))


def in_place(state: Snapshot, event: Event) -> Snapshot:
    """The snapshot that was handed in is changed."""
    target = TRANSITIONS.get((state["state"], event["name"]))
    if target is None:
        state["rejected"] = sentence(state, event)
    else:
        state["state"], state["rejected"] = target, None
        state["visited"].append(target)
    return state


def shared_history(state: Snapshot, event: Event) -> Snapshot:
    """A new dict around the old list, which grows."""
    target = TRANSITIONS.get((state["state"], event["name"]))
    if target is None:
        return {**state, "rejected": sentence(state, event)}
    state["visited"].append(target)
    return {"state": target, "visited": state["visited"], "rejected": None}


def forgiving_names(state: Event, event: Event) -> Snapshot:
    """Case and blanks do not matter."""
    return right(state, {**event, "name": event["name"].strip().lower()})


def a_third_visit(state: Event, event: Event) -> Snapshot:
    """A cap that nobody declared."""
    after = right(state, event)
    return after if after["visited"].count(after["state"]) < 3 else stays(state, sentence(state, event))


def extra_stop(state: Event, event: Event) -> Snapshot:
    """Refusing stands in the history twice."""
    after = right(state, event)
    if after["state"] == "refusing" and after["rejected"] is None:
        after["visited"].append("refusing")
    return after


def refusing_is_rejected(state: Event, event: Event) -> Snapshot:
    """A legal move into 'refusing' is marked as a rejection."""
    after = right(state, event)
    if after["state"] == "refusing" and after["rejected"] is None:
        after["rejected"] = "the question is refused"
    return after


MISCONCEPTIONS = (
    Misconception(
        "back to the start",
        "an event that is not declared sends the run home, and its work is lost. Stay where you are.",
        undeclared(lambda state, event: moved(state, "planning")),
        refuses_without_moving,
    ),
    Misconception(
        "straight to the end",
        "an event that is not declared finishes the run, and nobody sees that it never answered. Stay where you are.",
        undeclared(lambda state, event: moved(state, "done")),
        refuses_without_moving,
    ),
    Misconception(
        "the event decides",
        "you look at the event's name alone; the same event means nothing in another state. Look up the pair.",
        by_event_alone,
        refuses_without_moving,
    ),
    Misconception(
        "silence",
        "an undeclared event is ignored, so nobody can tell a late event from none. Say so in `rejected`.",
        undeclared(lambda state, event: stays(state, None)),
        refuses_without_moving,
    ),
    Misconception(
        "an exception for an ordinary event",
        "events come late or twice every day; an exception ends the run for it. Return a refusal as a value.",
        undeclared(raises),
        refuses_without_moving,
    ),
    Misconception(
        "a refusal that helps nobody",
        "the reader of the log at night needs to know which event came in which state. Name both.",
        undeclared(lambda state, event: stays(state, "this event is not allowed here")),
        names_event_and_state,
    ),
    Misconception(
        "a refusal that names everything",
        "one constant sentence with every name in it says nothing about this event. Name this event and this state.",
        undeclared(lambda state, event: stays(state, f"allowed: {sorted(TRANSITIONS.items())} shipped {STATES}")),
        names_event_and_state,
    ),
    Misconception(
        "half a refusal",
        "you name the event and leave out the state; the same event is welcome elsewhere. Name both.",
        undeclared(lambda state, event: stays(state, f"{event['name']!r} is not declared here")),
        names_event_and_state,
    ),
    Misconception(
        "only the present",
        "`visited` holds the current state alone. It is the run's history: without it no cap can be counted, and "
        "nobody sees which way the run came.",
        declared(lambda state, target: {"state": target, "visited": [target], "rejected": None}),
        keeps_the_history,
    ),
    Misconception(
        "a history that stands still",
        "`visited` never grows. Add the state that is entered, each time.",
        declared(lambda state, target: {"state": target, "visited": [*state["visited"]], "rejected": None}),
        keeps_the_history,
    ),
    Misconception(
        "the state that was left",
        "`visited` grows by the state the run leaves; add the one it enters.",
        declared(
            lambda state, target: {"state": target, "visited": [*state["visited"], state["state"]], "rejected": None}
        ),
        keeps_the_history,
    ),
    Misconception(
        "refusals in the history",
        "`visited` grows on a refusal too; it holds moves that were made. Refusals stand in the event log.",
        undeclared(
            lambda state, event: {
                **stays(state, sentence(state, event)),
                "visited": [*state["visited"], state["state"]],
            }
        ),
        keeps_the_history,
    ),
    Misconception(
        "each state once",
        "you leave out a state that is in `visited` already; a second visit is a visit, and a cap counts it.",
        declared(
            lambda state, target: {
                "state": target,
                "visited": list(dict.fromkeys([*state["visited"], target])),
                "rejected": None,
            }
        ),
        keeps_the_history,
    ),
    Misconception(
        "the last five",
        "the history is cut to its last entries; what happened at the beginning is what somebody will look for.",
        declared(
            lambda state, target: {"state": target, "visited": [*state["visited"], target][-5:], "rejected": None}
        ),
        keeps_the_history,
    ),
    Misconception(
        "one stop, written down twice",
        "'refusing' stands in `visited` twice for one visit; one move adds one entry.",
        extra_stop,
        keeps_the_history,
    ),
    Misconception(
        "the caller's snapshot",
        "you change the snapshot you were handed, so every snapshot kept from earlier changes too. Build a new one.",
        in_place,
        keeps_the_history,
    ),
    Misconception(
        "the caller's list",
        "you append to the list you were handed, so an earlier snapshot's history grows as well. Build a new list.",
        shared_history,
        keeps_the_history,
    ),
    Misconception(
        "an old rejection for ever",
        "a legal move clears what was rejected before: `rejected` is about this event.",
        declared(lambda state, target: {**moved(state, target), "rejected": state["rejected"]}),
        clears_the_rejection,
    ),
    Misconception(
        "a key left out",
        "after a move `rejected` is there as well, and None; whoever reads it need not ask whether it exists.",
        declared(lambda state, target: {"state": target, "visited": [*state["visited"], target]}),
        clears_the_rejection,
    ),
    Misconception(
        "a move into 'refusing' is no refusal",
        "'no_hits' and 'out_of_scope' are declared: the run moves to 'refusing', and `rejected` is None.",
        refusing_is_rejected,
        clears_the_rejection,
    ),
    Misconception(
        "names that are nearly right",
        "an event's name counts as it is written; ' Hits' is another name, and nobody declared it.",
        forgiving_names,
        refuses_without_moving,
    ),
    Misconception(
        "a cap nobody declared",
        "you refuse a third visit; this exercise has no cap, and where there is one the caller hands it in.",
        a_third_visit,
        follows_every_edge,
    ),
)

HINTS = Hints(
    by_rule={
        follows_every_edge: "One lookup decides: the pair of the state you are in and the event's name. What does your "
        "code look up, and what does it do with the target?",
        refuses_without_moving: "What does your lookup give for a pair that has no row? Follow that value through your "
        "code to the `return`: which `state` comes out, and what does `rejected` say?",
        keeps_the_history: "Write down `visited` before the event and after it. After a move it is one longer, by the "
        "state that was entered; after a refusal it is the same.",
        names_event_and_state: "Read your sentence without the code beside it. Could a colleague tell from it which "
        "event came, and in which state?",
        clears_the_rejection: "`rejected` is about the event at hand. After a legal move, what is there to reject?",
        leaves_its_arguments_alone: "Somebody kept the snapshot you were handed. After your call, is it still what it "
        "was? Look for append, for +=, and for assignments to `state[...]`.",
        answers_alike: "The answer may depend on nothing but the two arguments. What does your code remember between "
        "two calls?",
    },
    neighbour='A turnstile has one row: ("locked", "coin") leads to "open". From {"state": "locked", "visited": '
    '["locked"], "rejected": None} the event "coin" gives {"state": "open", "visited": ["locked", "open"], "rejected": '
    'None}. A second "coin" gives {"state": "open", "visited": ["locked", "open"], "rejected": "\'coin\' is not '
    "declared "
    "in 'open'\"}: the same state, the same history, and a sentence.",
)

CHECK = MachineCheck(
    settings=(Setting(Machine(TRANSITIONS, states=STATES), scripts=SCRIPTS, foreign=("shipped",)),),
    rules=RULES,
    follows=follows_every_edge,
    refuses=refuses_without_moving,
    hints=HINTS,
    misconceptions=MISCONCEPTIONS,
)
