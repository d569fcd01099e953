"""Every exercise of session 8: wrong answers are caught and paid as written; what is proved stands in test_proof."""

import importlib

import pytest

from edgewise.checking.exercise import REFUSED
from edgewise.machine import STATES, TRANSITIONS
from tests.answers.wrong.ch08_e3 import ANSWERS as WRONG_STEPS
from tests.answers.wrong.nothing import ANSWERS as NOTHING
from tests.checking.asked import check_of, course, report

EXERCISES = [exercise.id for exercise in course().exercises if not exercise.written]
CHECKS = {exercise: check_of(exercise) for exercise in EXERCISES}


def right(exercise):
    """The right answers to an exercise, each as the objects that `check` is handed."""
    answers = importlib.import_module(f"answers.{exercise.replace('-', '_')}").ANSWERS
    return {style: value if isinstance(value, tuple) else (value,) for style, value in answers.items()}


IDLE = [(exercise, answer) for exercise in EXERCISES for answer in NOTHING.get(exercise, ())]


@pytest.mark.parametrize("name", WRONG_STEPS)
def test_a_wrong_step_is_caught_by_the_rule_it_breaks(name):
    wrong = WRONG_STEPS[name]
    found = report("ch08-e3", wrong.fresh())

    assert (found.outcome, found.findings[0].rule, found.points) == ("not yet", wrong.leads, wrong.points)


@pytest.mark.parametrize(("exercise", "answer"), IDLE, ids=[f"{exercise}-{answer}" for exercise, answer in IDLE])
def test_an_answer_that_does_nothing_earns_nothing(exercise, answer):
    found = report(exercise, *NOTHING[exercise][answer])

    assert (found.outcome, found.points) == ("not yet", 0.0)


def test_a_history_that_does_not_grow_earns_at_most_half_and_says_why():
    found = report("ch08-e3", WRONG_STEPS["visited: only [current] (M-43)"].fresh())
    said = "from a list that does not keep every visit, no cap can be counted"

    assert (found.outcome, found.points, found.findings[0].message.partition("['retrieving']; ")[2]) == (
        "not yet",
        found.max_points / 2,
        said,
    )


@pytest.mark.parametrize("exercise", EXERCISES)
def test_points_are_shares_that_add_up(exercise):
    assert round(sum(rule.share for rule in CHECKS[exercise].rules), 9) == 1


@pytest.mark.parametrize("exercise", EXERCISES)
def test_rules_have_names_of_their_own_and_misconceptions_too(exercise):
    rules = [rule.name for rule in CHECKS[exercise].rules]
    names = [known.name for known in CHECKS[exercise].misconceptions]

    assert (len(set(rules)), len(set(names)), len(names) >= 6) == (len(rules), len(names), True)


def test_the_scripts_of_the_step_hold_every_edge_and_every_refusal():
    walked = set()
    for script in CHECKS["ch08-e3"].settings[0].scripts:
        state = "planning"
        for event, leads_to in script.events:
            walked.add((state, event, leads_to))
            state = state if leads_to == REFUSED else leads_to
    edges = {(state, event, target) for (state, event), target in TRANSITIONS.items()}
    names = [*dict.fromkeys(event for _, event in TRANSITIONS), "shipped"]
    refusals = {(state, event, REFUSED) for state in STATES for event in names if (state, event) not in TRANSITIONS}

    assert (walked, len(edges), len(refusals)) == (edges | refusals, 6, 29)


def test_a_right_and_a_wrong_function_share_the_points():
    terminal, ways_into = right("ch08-e2")["loops"]
    wrong = terminal, lambda transitions, state: transitions
    points = [report("ch08-e2", *wrong).points, report("ch08-e2", len, ways_into).points]

    assert points == [1.5, 1.5]
