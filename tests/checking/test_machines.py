"""The frame for machines: what can be asked, what was asked in a sentence, what may earn, which arrows are wrong."""

import functools

import pytest

import edgewise
from answers.ch08_e3 import moved, refused, table_lookup
from answers.ch08_e4 import ANSWERS as CAPPED
from edgewise.checking.calling import Caller
from edgewise.checking.exercise import Edge
from edgewise.machine import TRANSITIONS
from tests.checking.asked import check_of, report

CHECK = check_of("ch08-e3")


def explored(step, exercise="ch08-e3"):
    with Caller(5) as ask:
        return check_of(exercise).explore((step,), ask)


OWN = "`step` is the library's own; the exercise asks for one that you wrote"


@pytest.mark.parametrize("step", [edgewise.step, functools.partial(edgewise.step), edgewise.Machine(TRANSITIONS).step])
def test_the_librarys_own_step_is_no_answer(step):
    found = report("ch08-e3", step)

    assert (found.findings[0].message, found.points) == (OWN, 0.0)


def test_a_step_that_takes_no_tables_is_no_capped_step():
    message = (
        "`capped_step(state, event)` can't be called as the exercise says: "
        "got an unexpected keyword argument 'transitions'"
    )

    assert report("ch08-e4", table_lookup).findings[0].message == message


def test_the_domain_is_what_was_asked():
    assert explored(table_lookup).domain == (
        "all 35 pairs with 3 histories, an old rejection and further keys, 55 other names in every state, "
        "all 2,800 sequences of up to 4 events, each twice"
    )


def test_the_domain_of_several_machines_is_their_sum():
    assert explored(CAPPED["a lookup and a count"], "ch08-e4").domain == (
        "5 machines: all 280 pairs with 3 histories, an old rejection and further keys, 229 other names in every "
        "state, all 6,272 sequences of up to 4 events, each twice"
    )


def test_a_stop_keeps_what_was_found_until_then_and_earns_nothing():
    def step(state, event):
        if event["name"] == "answered":
            raise SystemExit
        return refused(state, event)

    found = explored(step)

    assert (bool(found.wrong), found.earns, found.domain, found.stopped.events) == (
        True,
        frozenset(),
        "what was asked until then",
        ("hits", "no_hits", "answered"),
    )


def silent(state, event):
    return {**table_lookup(state, event), "rejected": None}


def handed_back(state, event):
    after = table_lookup(state, event)
    return after if after["rejected"] is None else state


def refuses(state, event):
    return refused(state, event)


def accepts(state, event):
    return moved(state, TRANSITIONS.get((state["state"], event["name"]), "done"))


@pytest.mark.parametrize("step", [silent, handed_back, refuses, accepts])
def test_nothing_is_earned_before_a_move_and_a_refusal_were_right(step):
    assert explored(step).earns == frozenset()


def test_the_first_wrong_call_ends_a_search():
    with Caller(5) as ask:
        found = [CHECK.first_wrong(table_lookup, ask), CHECK.first_wrong(silent, ask).path]

    assert found == [None, ("hits",)]


def detour(state, event):
    pair = state["state"], event["name"]
    if pair == ("planning", "out_of_scope"):
        return moved(state, "retrieving")
    if pair == ("retrieving", "hits"):
        return refused(state, event)
    if pair == ("done", "hits"):
        return moved(state, "planning")
    return table_lookup(state, event)


def test_wrong_arrows_are_the_students_machine():
    assert set(explored(detour).edges) == {
        Edge("", "planning", "out_of_scope", "retrieving"),
        Edge("", "retrieving", "hits", None),
        Edge("", "done", "hits", "planning"),
    }


def test_what_goes_wrong_after_an_old_rejection_or_with_further_keys_is_no_arrow():
    def step(state, event):
        return refused(state, event) if state["rejected"] or len(event) > 1 else table_lookup(state, event)

    assert (bool(explored(step).wrong), explored(step).edges) == (True, ())
