"""Wrong answers to ch08-e3: what each does, the rule that leads its report, and the points it is left with.

The misconceptions of checks/ch08_e3.py are likely wrong answers; these are the unlikely ones as well, written as a
student might, and with memory. `fresh()` makes each anew, since some remember.
"""

import copy
import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

from answers.ch08_e3 import TRANSITIONS, moved, refused, table_lookup

FOLLOWS = "Follows every declared edge"
REFUSES = "Refuses what is not declared, without moving"
HISTORY = "Lets visited grow by the state it enters, and by nothing else"
NAMES = "Names the event and the state in a refusal"
CLEARS = "Returns rejected as None after a move"
ARGUMENTS = "Leaves its arguments as they were"
ALIKE = "Answers the same question alike each time"

STATES = ("planning", "retrieving", "answering", "refusing", "done")


class Wrong(NamedTuple):
    """How a wrong answer is made, the rule that leads its report, and what it earns."""

    fresh: Callable[[], Any]
    leads: str
    points: float


def right(state, event):
    return copy.deepcopy(table_lookup(state, event))


def on_move(change):
    """A right step, `change(after, state, event)` applied after a move."""

    def step(state, event):
        after = right(state, event)
        return change(after, state, event) if after["rejected"] is None else after

    return step


def on_refusal(change):
    """A right step, `change(after, state, event)` applied after a refusal."""

    def step(state, event):
        after = right(state, event)
        return after if after["rejected"] is None else change(after, state, event)

    return step


def fails(after, state, event):
    raise KeyError((state["state"], event["name"]))


def in_place(state, event):
    after = right(state, event)
    state.update(after)
    return state


def shared_list(state, event):
    after = right(state, event)
    if after["rejected"] is None:
        state["visited"].append(after["state"])
    return {**after, "visited": state["visited"]}


def detour(state, event):
    if (state["state"], event["name"]) == ("planning", "out_of_scope"):
        return {**moved(moved(state, "retrieving"), "refusing")}
    return right(state, event)


def unknown_names_finish(state, event):
    known = {name for _, name in TRANSITIONS}
    return right(state, event) if event["name"] in known else moved(state, "done")


def popped_event(state, event):
    return right(state, {"name": event.pop("name")})


def written_event(state, event):
    event["seen"] = True
    return right(state, event)


def reads_partial(state, event):
    return refused(state, event) if event.get("partial") else right(state, event)


def old_rejection_blocks(state, event):
    return refused(state, event) if state["rejected"] else right(state, event)


# --- The sixteen that the first published check was tried with (docs/statements.md) -----------------------

PUBLISHED = {
    "mutates its argument": Wrong(lambda: in_place, HISTORY, 4.5),
    "appends to the list it hands back": Wrong(lambda: shared_list, HISTORY, 4.5),
    "one constant sentence naming everything": Wrong(
        lambda: on_refusal(lambda after, *_: {**after, "rejected": f"{TRANSITIONS} shipped {STATES}"}), NAMES, 9.5
    ),
    "a detour recorded on the out-of-scope walk": Wrong(lambda: detour, HISTORY, 5.0),
    "'refusing' recorded twice": Wrong(
        lambda: on_move(lambda after, *_: moved(after, "refusing") if after["state"] == "refusing" else after),
        HISTORY,
        5.0,
    ),
    "a legal move into 'refusing' marked as rejected": Wrong(
        lambda: on_move(
            lambda after, *_: {**after, "rejected": "no" if after["state"] == "refusing" else None},
        ),
        CLEARS,
        9.5,
    ),
    "an old rejection never cleared": Wrong(
        lambda: on_move(lambda after, state, _: {**after, "rejected": state["rejected"]}), CLEARS, 9.5
    ),
    "the `rejected` key dropped on success": Wrong(
        lambda: on_move(lambda after, *_: {key: after[key] for key in ("state", "visited")}), CLEARS, 9.5
    ),
    "history forgotten beyond five entries": Wrong(
        lambda: on_move(lambda after, *_: {**after, "visited": after["visited"][-5:]}), HISTORY, 5.0
    ),
    "a third visit refused with no cap declared": Wrong(
        lambda: on_move(
            lambda after, state, event: refused(state, event) if after["visited"].count(after["state"]) > 2 else after
        ),
        FOLLOWS,
        8.5,
    ),
    "'done' on any event name nobody tested": Wrong(lambda: unknown_names_finish, REFUSES, 3.5),
    "event names accepted in another case": Wrong(
        lambda: lambda state, event: right(state, {"name": event["name"].lower()}), REFUSES, 8.0
    ),
    "raises after 'done'": Wrong(
        lambda: on_refusal(lambda after, *given: fails(after, *given) if after["state"] == "done" else after),
        REFUSES,
        8.5,
    ),
    "a rewritten `visited`": Wrong(
        lambda: on_move(lambda after, *_: {**after, "visited": ["planning", after["state"]]}), HISTORY, 5.0
    ),
    "a move on refusal": Wrong(lambda: on_refusal(lambda after, state, _: moved(state, "refusing")), REFUSES, 0.0),
    "a sentence without names": Wrong(
        lambda: on_refusal(lambda after, *_: {**after, "rejected": "not now"}), NAMES, 9.5
    ),
}

# --- A history that does not hold --------------------------------------------------------------------------


def visited(change):
    """A right step whose moves give `change(old list, target)` as `visited`."""
    return lambda: on_move(lambda after, state, _: {**after, "visited": change(state["visited"], after["state"])})


HISTORIES = {
    "only [current] (M-43)": Wrong(visited(lambda old, target: [target]), HISTORY, 5.0),
    "the start alone": Wrong(visited(lambda old, target: old[:1]), HISTORY, 5.0),
    "never grows": Wrong(visited(lambda old, target: old), HISTORY, 5.0),
    "newest first": Wrong(visited(lambda old, target: [target, *old]), HISTORY, 5.0),
    "sorted": Wrong(visited(lambda old, target: sorted([*old, target])), HISTORY, 5.0),
    "repeats left out": Wrong(visited(lambda old, target: list(dict.fromkeys([*old, target]))), HISTORY, 5.0),
    "a repeat of the last left out": Wrong(
        visited(lambda old, target: old if target in old[-2:] else [*old, target]), HISTORY, 5.0
    ),
    "grows by two": Wrong(visited(lambda old, target: [*old, target, target]), HISTORY, 5.0),
    "the state it leaves": Wrong(visited(lambda old, target: [*old, old[-1]]), HISTORY, 5.0),
    "the event's name": Wrong(
        lambda: on_move(lambda after, state, event: {**after, "visited": [*state["visited"], event["name"]]}),
        HISTORY,
        5.0,
    ),
    "cut at a hundred": Wrong(visited(lambda old, target: [*old, target][-100:]), HISTORY, 5.0),
    "cut at 9,999": Wrong(visited(lambda old, target: [*old, target][-9_999:]), HISTORY, 5.0),
    "a tuple": Wrong(visited(lambda old, target: (*old, target)), HISTORY, 5.0),
    "a set": Wrong(visited(lambda old, target: {*old, target}), HISTORY, 5.0),
    "a text": Wrong(visited(lambda old, target: " ".join([*old, target])), HISTORY, 5.0),
    "None": Wrong(visited(lambda old, target: None), HISTORY, 5.0),
    "pairs": Wrong(visited(lambda old, target: [*old, (target,)]), HISTORY, 5.0),
    "grows on a refusal": Wrong(
        lambda: on_refusal(lambda after, state, _: {**after, "visited": [*state["visited"], state["state"]]}),
        HISTORY,
        5.0,
    ),
    "emptied by a refusal": Wrong(lambda: on_refusal(lambda after, *_: {**after, "visited": []}), HISTORY, 5.0),
    "no key at all": Wrong(
        lambda: lambda state, event: {key: right(state, event)[key] for key in ("state", "rejected")}, HISTORY, 5.0
    ),
}

# --- A refusal that is none --------------------------------------------------------------------------------


def rejected(change):
    """A right step whose refusals say `change(state, name)`."""
    return lambda: on_refusal(lambda after, state, event: {**after, "rejected": change(state["state"], event["name"])})


REFUSALS = {
    "True": Wrong(rejected(lambda state, name: True), REFUSES, 0.0),
    "an empty text": Wrong(rejected(lambda state, name: ""), REFUSES, 0.0),
    "blanks": Wrong(rejected(lambda state, name: " \n\t"), REFUSES, 0.0),
    "a list": Wrong(rejected(lambda state, name: [state, name]), REFUSES, 0.0),
    "bytes": Wrong(rejected(lambda state, name: f"{state} {name}".encode()), REFUSES, 0.0),
    "an exception as a value": Wrong(rejected(lambda state, name: ValueError(f"{state} {name}")), REFUSES, 0.0),
    "a raise": Wrong(lambda: on_refusal(fails), REFUSES, 0.0),
    "the snapshot handed back": Wrong(lambda: on_refusal(lambda after, state, _: state), REFUSES, 0.0),
    "None in the place of the snapshot": Wrong(lambda: on_refusal(lambda *_: None), REFUSES, 0.0),
    "an extra sentence beside a silent one": Wrong(
        lambda: on_refusal(lambda after, *_: {**after, "error": after["rejected"], "rejected": None}), REFUSES, 0.0
    ),
    "the state alone": Wrong(rejected(lambda state, name: f"not in {state}"), NAMES, 9.5),
    "the event alone": Wrong(rejected(lambda state, name: f"{name} is not allowed"), NAMES, 9.5),
    "names that touch other letters": Wrong(rejected(lambda state, name: f"x{name}x in y{state}y"), NAMES, 9.5),
    "names in capitals": Wrong(rejected(lambda state, name: f"{name.upper()} in {state.upper()}"), NAMES, 9.5),
    "names joined by an underscore": Wrong(rejected(lambda state, name: f"{name}_{state}"), NAMES, 9.5),
    "the wrong state's name": Wrong(rejected(lambda state, name: f"{name} came in {state[::-1]}"), NAMES, 9.5),
    "silent in 'done' alone": Wrong(
        rejected(lambda state, name: None if state == "done" else f"{name} in {state}"), REFUSES, 8.5
    ),
    "a state object that moves although the sentence is right": Wrong(
        lambda: on_refusal(lambda after, *_: {**after, "state": "refusing"}), REFUSES, 3.5
    ),
}

# --- Names and keys that should not matter, or should ------------------------------------------------------


def named(change):
    """A right step that reads the event's name as `change(name)`, and refuses in the words as they came."""

    def step(state, event):
        after = right(state, {"name": change(event["name"])})
        return refused(state, event) if after["rejected"] else after

    return lambda: step


NAMES_OF_EVENTS = {
    "stripped": Wrong(named(str.strip), REFUSES, 8.5),
    "in lower case": Wrong(named(str.lower), REFUSES, 8.5),
    "cut at the first blank": Wrong(named(lambda name: (name.split(" ") or [""])[0]), REFUSES, 8.5),
    "with a suffix taken off": Wrong(named(lambda name: name.removesuffix("_again")), REFUSES, 8.5),
    "completed from a prefix": Wrong(
        named(lambda name: next((full for _, full in TRANSITIONS if name and full.startswith(name)), name)),
        REFUSES,
        8.5,
    ),
    "an empty name as a tick": Wrong(named(lambda name: name or "plan_ready"), REFUSES, 8.5),
    "a state's name as an order to go there": Wrong(
        lambda: lambda state, event: moved(state, event["name"]) if event["name"] in STATES else right(state, event),
        REFUSES,
        3.5,
    ),
    "a partial event is refused": Wrong(lambda: reads_partial, FOLLOWS, 8.5),
    "an old rejection blocks the run": Wrong(lambda: old_rejection_blocks, FOLLOWS, 8.5),
    "the event's name popped": Wrong(lambda: popped_event, ARGUMENTS, 9.5),
    "a mark left in the event": Wrong(lambda: written_event, ARGUMENTS, 9.5),
}

# --- Memory ------------------------------------------------------------------------------------------------


def remembers_the_state():
    """A global run: the snapshot that comes in is not looked at."""
    run = {"state": "planning", "visited": ["planning"], "rejected": None}

    def step(state, event):
        run.update(right(run, event))
        return copy.deepcopy(run)

    return step


def every(number, otherwise):
    """Another answer at each `number`-th call."""
    counter = itertools.count(1)

    def step(state, event):
        after = right(state, event)
        return otherwise(after) if next(counter) % number == 0 else after

    return step


def once(otherwise, *, when):
    """Another answer to the second and later calls for which `when(state, event)` holds."""
    met = []

    def step(state, event):
        after = right(state, event)
        if when(state, event):
            met.append(event)
        return otherwise(after) if len(met) > 1 and when(state, event) else after

    return step


def deaf_to_repeats():
    """Each pair is answered the first time; then the first answer comes again, whatever the history."""
    answers = {}

    def step(state, event):
        return copy.deepcopy(answers.setdefault((state["state"], event["name"]), right(state, event)))

    return step


def one_list_for_all():
    """Every snapshot shares one list that belongs to the step."""
    history = []

    def step(state, event):
        after = right(state, event)
        history[:] = after["visited"]
        return {**after, "visited": history}

    return step


def idle(state, event):
    return state["state"] == "planning" and event["name"] == "shipped"


MEMORIES = {
    "a global run": Wrong(remembers_the_state, ALIKE, 0.5),
    "every 1,000th answer is silent": Wrong(
        lambda: every(1_000, lambda after: {**after, "rejected": None}), ALIKE, 8.0
    ),
    "a duplicate event is silent": Wrong(
        lambda: once(lambda after: {**after, "rejected": None}, when=idle), REFUSES, 8.5
    ),
    "answers kept by pair": Wrong(deaf_to_repeats, HISTORY, 5.0),
    "one list for all snapshots": Wrong(one_list_for_all, HISTORY, 4.5),
}

# --- Answers that do nothing -------------------------------------------------------------------------------

NOTHING = {
    "the stub": Wrong(lambda: fails_as_a_stub, FOLLOWS, 0.0),
    "refuses everything": Wrong(lambda: lambda state, event: refused(state, event), FOLLOWS, 0.0),
    "accepts everything": Wrong(lambda: lambda state, event: moved(state, "done"), FOLLOWS, 0.0),
    "moves to the state it is in": Wrong(lambda: lambda state, event: moved(state, state["state"]), FOLLOWS, 0.0),
    "hands the snapshot back": Wrong(lambda: lambda state, event: state, FOLLOWS, 0.0),
    "None": Wrong(lambda: lambda state, event: None, FOLLOWS, 0.0),
    "a number": Wrong(lambda: lambda state, event: 10.0, FOLLOWS, 0.0),
    "an empty dict": Wrong(lambda: lambda state, event: {}, FOLLOWS, 0.0),
    "the start, always": Wrong(
        lambda: lambda state, event: {"state": "planning", "visited": ["planning"], "rejected": None}, FOLLOWS, 0.0
    ),
    "the target alone": Wrong(
        lambda: lambda state, event: TRANSITIONS.get((state["state"], event["name"])), FOLLOWS, 0.0
    ),
}


def fails_as_a_stub(state, event):
    raise NotImplementedError


ANSWERS = {
    f"{kind}: {name}": wrong
    for kind, group in {
        "published": PUBLISHED,
        "visited": HISTORIES,
        "rejected": REFUSALS,
        "names": NAMES_OF_EVENTS,
        "memory": MEMORIES,
        "nothing": NOTHING,
    }.items()
    for name, wrong in group.items()
}
