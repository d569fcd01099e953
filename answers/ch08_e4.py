"""Right answers to ch08-e4, the step with caps, in different styles: each earns every point."""

import functools
import itertools
from collections import Counter

from .ch08_e3 import Snapshot, moved, refused


def capped(sentence, undeclared="{event} has no row in {state}"):
    """A step whose refusal for a spent cap is `sentence`."""

    def capped_step(state, event, *, transitions, caps):
        target = transitions.get((state["state"], event["name"]))
        if target is None:
            return refused(state, event, undeclared)
        if target in caps and state["visited"].count(target) >= caps[target]:
            said = sentence.format(target=target, cap=caps[target], event=event["name"])
            return {**refused(state, event), "rejected": said}
        return moved(state, target)

    return capped_step


def with_counter(state, event, *, transitions, caps):
    current, name = state["state"], event["name"]
    if (current, name) not in transitions:
        return refused(state, event)
    target = transitions[current, name]
    spent = Counter(state["visited"])
    if spent[target] >= caps.get(target, float("inf")):
        return refused(state, event, "{event} in {state}: " + f"{target} is spent, limit {caps[target]}")
    return moved(state, target)


def after_the_move(state, event, *, transitions, caps):
    """Moves on a copy, then looks back whether that was one too many."""
    after = capped("never said")(state, event, transitions=transitions, caps={})
    target = after["state"]
    if after["rejected"] is None and target in caps and after["visited"].count(target) > caps[target]:
        return {**refused(state, event), "rejected": f"{target}: more than {caps[target]} entries"}
    return after


def in_order(state, event, transitions, caps):
    return capped("{target} at most {cap} times")(state, event, transitions=transitions, caps=caps)


def anything(*args, **kwargs):
    return in_order(*args, **kwargs)


class Capped:
    def __call__(self, state, event, *, caps, transitions, note="limit"):
        return Snapshot(capped(f"{note} {{cap}} on {{target}}")(state, event, transitions=transitions, caps=caps))


def row_by_row(state, event, *, transitions, caps):
    for (source, name), target in transitions.items():
        if source == state["state"] and name == event["name"]:
            entries = sum(1 for visit in state["visited"] if visit == target)
            for capped_state, limit in caps.items():
                if capped_state == target and entries >= limit:
                    return {
                        "state": state["state"],
                        "visited": state["visited"],
                        "rejected": f"{limit} is the limit for {target}",
                    }
            return {"state": target, "visited": [*itertools.chain(state["visited"], [target])], "rejected": None}
    return {
        "state": state["state"],
        "visited": state["visited"],
        "rejected": f"{event['name']}: not in {source_of(state)}",
    }


def source_of(state):
    return state["state"]


ANSWERS = {
    "a lookup and a count": capped("{target!r} may be entered at most {cap} times"),
    "the cap's sentence names the event too": capped("{event} would enter {target} again; the limit is {cap}"),
    "the cap's sentence in Polish": capped("stan „{target}” osiągnął limit {cap}, zdarzenie „{event}” odrzucone"),
    "a Counter, and no cap as infinity": with_counter,
    "a look back after a move on a copy": after_the_move,
    "positional transitions and caps": in_order,
    "*args and **kwargs": anything,
    "an object with __call__ and a further default": Capped(),
    "loops over rows and caps": row_by_row,
    "a partial": functools.partial(
        lambda word, state, event, **given: capped(word)(state, event, **given), "{target}: {cap}"
    ),
}
