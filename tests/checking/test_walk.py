"""The walk drives a step through its whole domain, and sees what a call does beside its answer."""

import copy
import threading
from collections import Counter

import pytest

from answers.ch08_e3 import refused, table_lookup
from edgewise.checking.calling import Caller
from edgewise.checking.exercise import REFUSED, Script
from edgewise.checking.rules import RULES
from edgewise.checking.steps import Setting
from edgewise.checking.walk import Walk
from edgewise.machine import STATES, STORM, TRANSITIONS, Machine
from tests.checking.asked import report

FIVE = Setting(Machine(TRANSITIONS, states=STATES), scripts=(), foreign=("shipped",))
ARGUMENTS = "Leaves its arguments as they were"


def calls(step, part, setting=FIVE):
    """What a step was asked in one part of the walk, as (state, name, length of visited), and the wrong calls."""
    asked = []

    def recorded(state, event, **arguments):
        asked.append((state["state"], event["name"], len(state["visited"])))
        return step(state, event, **arguments)

    with Caller(5) as ask:
        walk = Walk(setting, recorded, ask, lambda call: any(rule.holds(call) for rule in RULES))
        wrong = list(part(walk))
    return asked, wrong


def test_every_pair_is_asked_the_shortest_way():
    asked, wrong = calls(table_lookup, Walk.pairs)
    shortest = {"planning": 1, "retrieving": 2, "refusing": 2, "answering": 3, "done": 3}

    assert (set(asked), wrong) == ({(state, name, shortest[state]) for state in STATES for name in FIVE.names}, [])


def test_every_sequence_is_asked_up_to_the_depth_and_its_last_call_twice():
    asked, wrong = calls(table_lookup, Walk.sequences)

    assert (len(asked), wrong) == (2 * 2_800, [])


def test_a_cap_is_walked_at_every_count_of_visits():
    setting = Setting(Machine(STORM, caps={"retrieving": 3}), scripts=(), foreign=(), depth=1)
    asked, _ = calls(table_lookup, Walk.pairs, setting)
    entered = {length - 1 for state, _, length in asked if state == "retrieving"}

    assert entered == {1, 2, 3}


def test_every_pair_is_asked_with_other_histories_and_further_keys():
    asked, wrong = calls(table_lookup, Walk.other_inputs)
    per_pair = Counter((state, name) for state, name, _ in asked)

    assert (all(per_pair[state, name] >= 4 for state in STATES for name in FIVE.names), wrong) == (True, [])


def test_a_history_of_ten_thousand_is_asked():
    asked, _ = calls(table_lookup, Walk.long_run)

    assert [(name, length) for _, name, length in asked] == [("plan_ready", 10_000), ("shipped", 10_000)]


def test_a_script_that_the_table_denies_is_our_fault():
    script = Script("Wrong", events=(("plan_ready", "retrieving"), ("hits", REFUSED)))

    with pytest.raises(ValueError, match=r"the script 'Wrong' says 'refused' for 'hits', the table Due"):
        calls(table_lookup, lambda walk: walk.script(script))


def test_a_script_ends_at_its_first_wrong_answer():
    script = Script("Long", events=(("plan_ready", "retrieving"), ("hits", "answering"), ("answered", "done")))
    asked, wrong = calls(refused, lambda walk: walk.script(script))

    assert ([name for _, name, _ in asked], len(wrong)) == (["plan_ready"], 1)


# --- What a call does beside its answer --------------------------------------------------------------


class EqualsEverything(list):
    def __eq__(self, other):
        return True

    __hash__ = None


class RaisesWhenCompared:
    def __eq__(self, other):
        raise RuntimeError

    __hash__ = None


def writes(change):
    def step(state, event):
        after = copy.deepcopy(table_lookup(state, event))
        change(state, event)
        return after

    return step


@pytest.mark.parametrize(
    ("change", "altered"),
    [
        (lambda state, event: state.update(state=RaisesWhenCompared()), "state['state']"),
        (lambda state, event: state.pop("rejected"), "state['rejected']"),
        (lambda state, event: state.update(note=1), "state"),
        (lambda state, event: event.update(name=RaisesWhenCompared()), "event"),
        (lambda state, event: event.clear(), "event"),
        (lambda state, event: event.get("failed", []).append("news"), "event"),
    ],
)
def test_a_change_of_an_argument_is_seen(change, altered):
    message = f"the call changed {altered}, which it was handed; build a new one, so that kept snapshots stay true"
    found = report("ch08-e3", writes(change))

    assert (found.findings[0].rule, found.findings[0].message, found.points) == (ARGUMENTS, message, 9.5)


@pytest.mark.parametrize(
    "change",
    [
        lambda state, event: state.update(visited=EqualsEverything()),
        lambda state, event: state["visited"].append("done"),
        lambda state, event: state.clear(),
    ],
)
def test_a_change_of_the_history_that_was_handed_in_costs_more_than_half(change):
    found = report("ch08-e3", writes(change))

    assert (found.findings[0].message, found.points) == (
        "the call changed the list it was handed, and with it the history of every snapshot kept from earlier",
        4.5,
    )


def test_a_changed_event_is_whole_again_for_the_next_student():
    report("ch08-e3", writes(lambda state, event: event.get("failed", []).append("news")))

    assert report("ch08-e3", table_lookup).outcome == "passed"


def test_a_further_key_that_can_not_be_copied_travels_along():
    lock = threading.Lock()

    def step(state, event):
        return {**table_lookup(state, event), "lock": lock, "rows": (row for row in TRANSITIONS)}

    assert report("ch08-e3", step).outcome == "passed"


def test_a_snapshot_that_is_changed_by_a_later_call_is_seen():
    kept = []

    def step(state, event):
        for snapshot in kept[-1:]:
            snapshot["visited"].append("done")
        after = table_lookup(state, event)
        kept.append(after)
        return copy.deepcopy(after) if state["state"] == "done" else after

    assert ARGUMENTS in [finding.rule for finding in report("ch08-e3", step).findings]
