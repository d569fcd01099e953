"""Right answers to ch08-e1, the table, as different kinds of dict: each earns every point."""

from collections import OrderedDict, defaultdict
from typing import NamedTuple

from .ch08_e3 import ROWS, TRANSITIONS, Event, Snapshot, State


class Pair(NamedTuple):
    state: str
    event: str


class Name(str):
    __slots__ = ()


ANSWERS = {
    "a dict": dict(TRANSITIONS),
    "a comprehension, in another order": {(source, event): target for source, event, target in reversed(ROWS)},
    "an OrderedDict": OrderedDict(TRANSITIONS),
    "a defaultdict": defaultdict(lambda: "nowhere", TRANSITIONS),
    "a subclass of dict": Snapshot(TRANSITIONS),
    "an enum of strings": {(State(source), Event(event)): State(target) for source, event, target in ROWS},
    "named pairs": {Pair(source, event): target for source, event, target in ROWS},
    "a subclass of str": {(Name(source), Name(event)): Name(target) for source, event, target in ROWS},
}
