"""Right answers to ch08-e3 in many styles: each earns every point.

`ANSWERS` maps a sentence about the style to the step.
"""

import functools
import logging
import random
import time
import types
from collections import OrderedDict, UserString, defaultdict, deque
from enum import Enum
from typing import Any, NamedTuple, TypedDict

TRANSITIONS = {
    ("planning", "plan_ready"): "retrieving",
    ("planning", "out_of_scope"): "refusing",
    ("retrieving", "hits"): "answering",
    ("retrieving", "no_hits"): "refusing",
    ("answering", "answered"): "done",
    ("refusing", "refused"): "done",
}
ROWS = [(source, event, target) for (source, event), target in TRANSITIONS.items()]
NESTED: dict[str, dict[str, str]] = {"done": {}}
for _source, _event, _target in ROWS:
    NESTED.setdefault(_source, {})[_event] = _target

ANSWERS: dict[str, Any] = {}


def style(sentence):
    """Keep the decorated step under a sentence about its style."""

    def keep(step):
        ANSWERS[sentence] = step
        return step

    return keep


def moved(state, target):
    return {"state": target, "visited": [*state["visited"], target], "rejected": None}


def refused(state, event, sentence="{event} came in {state}, where no edge takes it"):
    said = sentence.format(event=event["name"], state=state["state"])
    return {"state": state["state"], "visited": list(state["visited"]), "rejected": said}


def worded(sentence):
    """A table lookup whose refusal is `sentence`."""

    def step(state, event):
        target = TRANSITIONS.get((state["state"], event["name"]))
        return refused(state, event, sentence) if target is None else moved(state, target)

    return step


# --- How the pair is looked up -----------------------------------------------------------------------


@style("a table lookup")
def table_lookup(state: dict, event: dict) -> dict:
    current, name = state["state"], event["name"]
    target = TRANSITIONS.get((current, name))
    if target is None:
        refusal = f"{name!r} is not declared in {current!r}"
        return {"state": current, "visited": list(state["visited"]), "rejected": refusal}
    return {"state": target, "visited": state["visited"] + [target], "rejected": None}


@style("a match statement")
def matched(state, event):
    match state["state"], event["name"]:
        case "planning", "plan_ready":
            target = "retrieving"
        case ("planning", "out_of_scope") | ("retrieving", "no_hits"):
            target = "refusing"
        case "retrieving", "hits":
            target = "answering"
        case ("answering", "answered") | ("refusing", "refused"):
            target = "done"
        case _:
            return refused(state, event)
    return moved(state, target)


@style("a chain of ifs")
def chained(state, event):
    current, name = state["state"], event["name"]
    if current == "planning" and name == "plan_ready":
        return moved(state, "retrieving")
    if current == "planning" and name == "out_of_scope":
        return moved(state, "refusing")
    if current == "retrieving" and name == "hits":
        return moved(state, "answering")
    if current == "retrieving" and name == "no_hits":
        return moved(state, "refusing")
    if (current, name) in [("answering", "answered"), ("refusing", "refused")]:
        return moved(state, "done")
    return refused(state, event)


@style("a condition that names 'done' (M-44)")
def done_by_name(state, event):
    if state["state"] == "done":
        return refused(state, event, "the run is over: {event} comes too late for {state}")
    return worded("{event} has no row in {state}")(state, event)


@style("a nested table, asked with try and except")
def asked_for_forgiveness(state, event):
    try:
        target = NESTED[state["state"]][event["name"]]
    except KeyError:
        return refused(state, event)
    return moved(state, target)


@style("a loop over rows")
def over_rows(state, event):
    for source, name, target in ROWS:
        if (source, name) == (state["state"], event["name"]):
            return moved(state, target)
    return refused(state, event)


@style("a defaultdict that grows by what it is asked")
def with_defaultdict(state, event, table=defaultdict(str, TRANSITIONS)):  # noqa: B006  # a default that stays right
    target = table[state["state"], event["name"]]
    return moved(state, target) if target else refused(state, event)


@style("a generator expression and next")
def with_next(state, event):
    pair = (state["state"], event["name"])
    target = next((target for *row, target in ROWS if tuple(row) == pair), None)
    return refused(state, event) if target is None else moved(state, target)


@style("a helper with lru_cache")
def with_cache(state, event):
    target = _cached(state["state"], event["name"])
    return refused(state, event) if target is None else moved(state, target)


@functools.lru_cache(maxsize=16)
def _cached(state, name):
    return TRANSITIONS.get((state, name))


# --- What kind of thing the step is ------------------------------------------------------------------


class Stepper:
    def __init__(self, table):
        self.table = table

    def __call__(self, state, event):
        target = self.table.get((state["state"], event["name"]))
        return refused(state, event) if target is None else moved(state, target)

    def advance(self, state, event):
        return self(state, event)

    @staticmethod
    def static(state, event):
        return worded("{state} does not take {event}")(state, event)

    @classmethod
    def of_class(cls, state, event):
        return cls(TRANSITIONS)(state, event)


def over(table):
    def step(state, event):
        target = table.get((state["state"], event["name"]))
        return refused(state, event) if target is None else moved(state, target)

    return step


def with_table(table, state, event):
    return over(table)(state, event)


def logged(step):
    @functools.wraps(step)
    def wrapper(*args, **kwargs):
        return step(*args, **kwargs)

    return wrapper


def any_arguments(*args, **kwargs):
    return table_lookup(*args, **kwargs)


def positional_only(state, event, /):
    return table_lookup(state, event)


def other_parameter_names(snapshot, message):
    return table_lookup(snapshot, message)


ANSWERS |= {
    "an object with __call__": Stepper(TRANSITIONS),
    "a bound method": Stepper(TRANSITIONS).advance,
    "a static method": Stepper.static,
    "a class method": Stepper.of_class,
    "a closure": over(TRANSITIONS),
    "a functools.partial": functools.partial(with_table, TRANSITIONS),
    "a lambda": lambda state, event: (
        moved(state, TRANSITIONS[state["state"], event["name"]])
        if (state["state"], event["name"]) in TRANSITIONS
        else refused(state, event)
    ),
    "a decorated function": logged(table_lookup),
    "*args and **kwargs": any_arguments,
    "positional-only parameters": positional_only,
    "other parameter names": other_parameter_names,
}


@style("default arguments")
def with_defaults(state=None, event=None, *, table=types.MappingProxyType(TRANSITIONS)):
    return over(table)(state, event)


# --- What a refusal says -----------------------------------------------------------------------------

ANSWERS |= {
    "the names between colons": worded("{state}: {event}"),
    "the names in brackets": worded("refused ({event}@{state})"),
    "Polish": worded("zdarzenie „{event}” nie jest zadeklarowane w stanie „{state}”"),
    "Japanese, with no blank around the names": worded("状態{state}では{event}を受け付けません"),
    "German, with umlauts touching the names": worded("Ü{event}ß in ö{state}ä"),
    "several lines": worded("Refused.\n\tevent: {event}\n\tstate: {state}\n"),
    "a sentence that lists every row as well": worded("{event} in {state}; known: " + "; ".join(map(" ".join, ROWS))),
    "a very long sentence": worded("{event} in {state} " + "and so on " * 500),
    "braces and markup": worded("<b>{{{event}}}</b> & <i>{{{state}}}</i>"),
}


@style("what is declared there, and where the event is declared")
def helpful(state, event):
    here = [name for source, name, _ in ROWS if source == state["state"]]
    there = [source for source, name, _ in ROWS if name == event["name"]]
    answer = refused(state, event)
    if (state["state"], event["name"]) in TRANSITIONS:
        return moved(state, TRANSITIONS[state["state"], event["name"]])
    answer["rejected"] += f"; declared here: {here}; it is declared in: {there}"
    return answer


# --- What kind of value comes back -------------------------------------------------------------------


class State(str, Enum):  # noqa: UP042  # the older spelling of StrEnum
    PLANNING = "planning"
    RETRIEVING = "retrieving"
    ANSWERING = "answering"
    REFUSING = "refusing"
    DONE = "done"

    __str__ = Enum.__str__  # prints 'State.DONE'


class Event(str, Enum):  # noqa: UP042
    PLAN_READY = "plan_ready"
    OUT_OF_SCOPE = "out_of_scope"
    HITS = "hits"
    NO_HITS = "no_hits"
    ANSWERED = "answered"
    REFUSED = "refused"


ENUM_TABLE = {(State(source), Event(name)): State(target) for (source, name), target in TRANSITIONS.items()}


@style("an enum of strings for states and names")
def with_enums(state, event):
    current = State(state["state"])
    try:
        target = ENUM_TABLE[current, Event(event["name"])]
    except (KeyError, ValueError):
        refusal = f"{event['name']!r} came in {current.value!r}"
        return {"state": current, "visited": [*map(State, state["visited"])], "rejected": refusal}
    return {"state": target, "visited": [*map(State, state["visited"]), target], "rejected": None}


class Run(TypedDict):
    state: str
    visited: list[str]
    rejected: str | None


@style("a TypedDict")
def typed(state: Run, event: dict[str, Any]) -> Run:
    after = worded("{event} while {state}")(state, event)
    return Run(state=after["state"], visited=after["visited"], rejected=after["rejected"])


class Snapshot(dict):
    def __getattr__(self, key):
        return self[key]


class History(list):
    pass


@style("a subclass of dict with a subclass of list")
def subclassed(state, event):
    after = Snapshot(table_lookup(state, event))
    after["visited"] = History(after.visited)
    return after


@style("an OrderedDict")
def ordered(state, event):
    return OrderedDict(reversed(table_lookup(state, event).items()))


@style("the same list handed back on a refusal")
def same_list(state, event):
    target = TRANSITIONS.get((state["state"], event["name"]))
    if target is None:
        return {**state, "rejected": f"{event['name']} in {state['state']}"}
    return {**state, "state": target, "visited": [*state["visited"], target], "rejected": None}


@style("further keys that travel along")
def further_keys(state, event):
    after = table_lookup(state, event)
    return {**after, "accepted": after["rejected"] is None, "events": [*state.get("events", []), event["name"]]}


class Counts(NamedTuple):
    moves: int


@style("objects as further keys")
def further_objects(state, event):
    after = table_lookup(state, event)
    log = deque(state.get("log", ()), maxlen=3)
    log.append(event["name"])
    return {**after, "log": log, "counts": Counts(len(after["visited"])), "seen": {event["name"]}, "of": object}


@style("a record of the event in the snapshot")
def keeps_the_event(state, event):
    return {**table_lookup(state, event), "last": event}


# --- How it goes about it ----------------------------------------------------------------------------


@style("prints for debugging")
def prints(state, event):
    print("step", state, event)
    return table_lookup(state, event)


@style("logging and a warning to oneself")
def logs(state, event):
    logging.getLogger("student").debug("%s %s", state, event)
    return table_lookup(state, event)


@style("a slow one, 0.2 ms a call")
def slow(state, event):
    until = time.perf_counter() + 0.0002
    while time.perf_counter() < until:
        pass
    return table_lookup(state, event)


@style("an exception of its own, caught within")
def caught_within(state, event):
    try:
        if (state["state"], event["name"]) not in TRANSITIONS:
            raise LookupError(event["name"])  # noqa: TRY301
    except LookupError as error:
        return refused(state, {"name": str(error)})
    return table_lookup(state, event)


@style("a copy made by a trip through text")
def through_text(state, event):
    import json

    return table_lookup(json.loads(json.dumps(state)), event)


@style("random numbers that change nothing")
def shuffled(state, event):
    rows = list(ROWS)
    random.shuffle(rows)
    return moved_by(rows, state, event)


def moved_by(rows, state, event):
    table = {(source, name): target for source, name, target in rows}
    return over(table)(state, event)


@style("a sentence with a running number in it")
def numbered(state, event):
    after = table_lookup(state, event)
    if after["rejected"]:
        after["rejected"] = f"after {len(state['visited'])} visits: " + after["rejected"]
    return after


@style("a sentence as a subclass of str")
def string_class(state, event):
    after = table_lookup(state, event)
    if after["rejected"]:
        after["rejected"] = type("Sentence", (str,), {})(UserString(after["rejected"]))
    return after
