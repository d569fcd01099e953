"""A report word for word: the verdict, the shortest way to see the fault, and data for a program."""

import json
import math

import pytest

from answers import ch08_e4, ch08_e6
from answers.ch08_e3 import refused, table_lookup
from edgewise.checking.calling import Raised
from edgewise.checking.exercise import Finding
from edgewise.checking.report import Report, sentence, way
from tests.checking.asked import report

DOMAIN = (
    "Explored: all 35 pairs with 3 histories, an old rejection and further keys, 55 other names in every state, "
    "{} sequences of up to 4 events, each twice."
)
KEPT = (
    "Refuses what is not declared, without moving; {}Names the event and the state in a refusal; Returns rejected as "
    "None after a move; Leaves its arguments as they were; Answers the same question alike each time."
)
HISTORY = "Lets visited grow by the state it enters, and by nothing else"


def only_the_present(state, event):
    after = table_lookup(state, event)
    if after["rejected"] is None:
        after["visited"] = [after["state"]]
    return after


def blocked(state, event):
    if state["rejected"]:
        return refused(state, event, "{event} in {state}")
    return table_lookup(state, event)


def no_cap(state, event, *, transitions, caps):
    return ch08_e4.ANSWERS["a lookup and a count"](state, event, transitions=transitions, caps={})


def counted(found, failed):
    return {**ch08_e6.draft(found, failed), "missing": "<i>none</i>"}


def test_a_passing_report():
    assert report("ch08-e3", table_lookup).text.splitlines() == [
        "ch08-e3 · The step · passed · 10 of 10 points",
        DOMAIN.format("all 2,800"),
    ]


def test_a_history_that_holds_the_present_alone():
    assert report("ch08-e3", only_the_present).text.splitlines() == [
        "ch08-e3 · The step · not yet · 5 of 10 points",
        "After a move to 'retrieving' `visited` is the old list and 'retrieving'; `step` gives visited ['retrieving']; "
        "from a list that does not keep every visit, no cap can be counted.",
        "    planning ──plan_ready──▶ ?",
        "    expected  {'state': 'retrieving', 'visited': ['planning', 'retrieving'], 'rejected': None}",
        "    got       {'state': 'retrieving', 'visited': ['retrieving'], 'rejected': None}",
        "    differs   ['visited'][0]: 'planning' expected, 'retrieving' found",
        f"    your line {only_the_present.__code__.co_firstlineno + 4}: return after",
        'Known as "only the present": `visited` holds the current state alone. It is the run\'s history: without it no '
        "cap can be counted, and nobody sees which way the run came.",
        "5 more questions go wrong alike.",
        f"Kept: Follows every declared edge; {KEPT.format('')} Broken: {HISTORY}.",
        DOMAIN.format("1,092 of 2,800"),
        'Next: walk("ch08-e3", step, "plan_ready")   hint("ch08-e3")',
    ]


def test_a_run_that_an_old_rejection_blocks():
    assert report("ch08-e3", blocked).text.splitlines() == [
        "ch08-e3 · The step · not yet · 8.5 of 10 points",
        "'plan_ready' is declared in 'planning' and leads to 'retrieving'; "
        "`step` refuses it: 'plan_ready in planning'.",
        "    planning ──hits──▶ planning ──plan_ready──▶ ?",
        "    expected  {'state': 'retrieving', 'visited': ['planning', 'retrieving'], 'rejected': None}",
        "    got       {'state': 'planning', 'visited': ['planning'], 'rejected': 'plan_ready in planning'}",
        "    differs   ['state']: 'retrieving' expected, 'planning' found",
        f'    your line {blocked.__code__.co_firstlineno + 2}: return refused(state, event, "{{event}} in {{state}}")',
        "5 more questions go wrong alike.",
        f"Kept: {KEPT.format(HISTORY + '; ')} Broken: Follows every declared edge.",
        DOMAIN.format("1,778 of 2,800"),
        'Next: walk("ch08-e3", step, "hits plan_ready")   hint("ch08-e3")',
    ]


def test_a_cap_that_is_not_looked_at():
    text = report("ch08-e4", no_cap).text.splitlines()

    assert text[:5] == [
        "ch08-e4 · A step with caps · not yet · 3.2 of 8 points",
        "'reject' leads to 'draft', which was entered once, and its cap is 1; `capped_step` gives state 'draft' "
        "instead of staying.",
        "    a review, 'draft' at most once: draft ──submit──▶ review ──reject──▶ ?",
        "    expected  {'state': 'review', 'visited': ['draft', 'review'], "
        "'rejected': ‹a sentence that names 'draft' and the limit 1›}",
        "    got       {'state': 'draft', 'visited': ['draft', 'review', 'draft'], 'rejected': None}",
    ]


def test_one_key_of_a_draft():
    found = report("ch08-e6", ch08_e6.retrieval_event, counted)
    asked = (
        "draft([{'id': 'w1', 'source': 'wiki', 'text': 'A graph has nodes and edges.'}, "
        "{'id': 'm4', 'source': 'manual', 'text': 'A cap bounds a loop.'}], [])"
    )

    assert (found.findings[0].message, found.findings[0].events) == (
        f"{asked}['missing'] is []; yours gives '<i>none</i>'",
        (asked,),
    )


def test_a_broken_check_says_so():
    told = Report("ch08-e3", "The step", "could not check", error="The kit is at fault.")

    assert (told.text, repr(told)) == ("ch08-e3 · The step · could not check\nThe kit is at fault.",) * 2


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("the call changed it", "The call changed it."),
        ("`step` raised", "`step` raised."),
        ("draft([]) is", "draft([]) is."),
        ("'hits' is", "'hits' is."),
        ("Done!", "Done!"),
        ("", "."),
    ],
)
def test_a_message_is_a_sentence(message, said):
    assert sentence(message) == said


BY_HAND = Finding(
    "r", "m", (" hits",), states=("planning",), before={"visited": ["planning"], "rejected": "no"}, by_hand=True
)


def test_a_snapshot_made_by_the_check_is_told():
    assert way(BY_HAND) == [
        "planning ──' hits'──▶ ?",
        "from a snapshot made by the check: visited ['planning'], rejected 'no'",
    ]


def test_a_long_history_is_counted():
    long = Finding("r", "m", ("hits",), states=("done",), before={"visited": ["done"] * 10_000}, by_hand=True)

    assert way(long)[1] == "from a snapshot made by the check: visited 10,000 entries"


# --- As data -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "data"),
    [
        (..., None),
        ({"a": [1, None, True, 1.5]}, {"a": [1, None, True, 1.5]}),
        ((1, 2), "(1, 2)"),
        ({1: 2}, "{1: 2}"),
        ({"a": frozenset({2, 1})}, "{'a': {1, 2}}"),
        (math.inf, "inf"),
        (math.nan, "nan"),
        (Raised("KeyError", "'x'"), "KeyError: 'x'"),
        ("\ud800", "\ud800"),
    ],
)
def test_a_value_is_data_where_json_can_hold_it_else_its_text(value, data):
    made = Report("e", "t", "not yet", findings=(Finding("r", "m", ("e",), value, value),)).as_json()

    assert made["findings"] == [{"rule": "r", "message": "m", "events": ["e"], "expected": data, "got": data}]


def test_the_data_has_one_shape():
    made = report("ch08-e3", only_the_present).as_json()

    assert (json.loads(json.dumps(made)), made) == (
        made,
        {
            "exercise": "ch08-e3",
            "outcome": "not yet",
            "points": 5.0,
            "max_points": 10.0,
            "findings": made["findings"],
            "misconception": {"name": "only the present", "message": made["misconception"]["message"]},
            "domain": made["domain"],
            "error": None,
        },
    )
