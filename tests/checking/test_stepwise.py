"""`walk` shows a run event by event, and stops where it goes wrong."""

import pytest

from edgewise import walk
from edgewise.checking.engine import CheckError
from edgewise.machine import TRANSITIONS

from .asked import course

LISTED = ", ".join(repr(exercise.id) for exercise in course().exercises)


def right(state, event):
    target = TRANSITIONS.get((state["state"], event["name"]))
    if target is None:
        return {**state, "rejected": f"{event['name']} has no row in {state['state']}"}
    return {"state": target, "visited": [*state["visited"], target], "rejected": None}


def homing(state, event):
    target = TRANSITIONS.get((state["state"], event["name"]), "planning")
    return {"state": target, "visited": [*state["visited"], target], "rejected": None}


def test_each_event_of_a_right_run_is_one_line():
    walked = walk("ch08-e3", right, "plan_ready hits hits answered")

    assert repr(walked).splitlines() == [
        "1. planning ──plan_ready──▶ ✔ moved to 'retrieving'",
        "2. retrieving ──hits──▶ ✔ moved to 'answering'",
        "3. answering ──hits──▶ ✔ refused: hits has no row in answering",
        "4. answering ──answered──▶ ✔ moved to 'done'",
    ]


def test_a_walk_stops_at_the_first_wrong_answer_and_says_what_is_declared():
    walked = walk("ch08-e3", homing, "plan_ready shipped hits answered")

    assert repr(walked).splitlines() == [
        "1. planning ──plan_ready──▶ ✔ moved to 'retrieving'",
        "2. retrieving ──shipped──▶ ✘ {'state': 'planning', 'visited': ['planning', 'retrieving', 'planning'], "
        "'rejected': None}",
        "   declared: refused, since 'shipped' has no row in 'retrieving'; state and visited stay",
        "not walked after that: hits answered",
    ]


def test_a_move_that_is_not_made_is_shown_beside_the_declared_one():
    walked = walk("ch08-e3", lambda state, event: {**state, "rejected": "no"}, "plan_ready")

    assert repr(walked).splitlines()[1] == "   declared: moves to 'retrieving'; visited ['planning', 'retrieving']"


def test_an_exception_ends_the_walk():
    walked = walk("ch08-e3", lambda state, event: {}["x"], "plan_ready")

    assert repr(walked).splitlines()[0] == "1. planning ──plan_ready──▶ ✘ raised KeyError: 'x'"


def test_a_step_that_ends_the_program_ends_the_walk():
    def leaves(state, event):
        raise SystemExit

    walked = walk("ch08-e3", leaves, "plan_ready")

    assert repr(walked).splitlines()[0] == (
        "1. planning ──plan_ready──▶ ✘ ended the program (SystemExit); use `return`, and leave out exit() and quit()"
    )


def test_one_of_several_machines_is_walked_by_its_number():
    def no_caps(state, event, *, transitions, caps):
        target = transitions.get((state["state"], event["name"]))
        return {"state": target, "visited": [*state["visited"], target], "rejected": None}

    walked = walk("ch08-e4", no_caps, "pay declined declined", machine=3)

    assert repr(walked).splitlines()[-1] == "   declared: refused, the cap is spent; state and visited stay"


def test_the_drawing_carries_the_words_of_the_walk():
    shown = walk("ch08-e3", homing, "plan_ready shipped")._repr_html_()

    assert 'role="img"' in shown and "The declared machine and this walk." in shown and "✘" in shown


@pytest.mark.parametrize(
    ("exercise", "machine", "sentence"),
    [
        ("ch08-e1", 1, "ch08-e1 is no machine, so there is nothing to walk; check(…) shows its inputs"),
        ("ch08-e3", 2, "ch08-e3 has machines 1 to 1; there is no machine 2"),
        (
            "ch08-e33",
            1,
            f"'ch08-e33' is not an exercise of this course; did you mean 'ch08-e3'? possible: {LISTED}",
        ),
    ],
)
def test_what_cannot_be_walked_is_a_sentence(exercise, machine, sentence):
    with pytest.raises(CheckError) as raised:
        walk(exercise, right, "plan_ready", machine=machine)

    assert str(raised.value) == sentence


def test_what_is_no_step_cannot_be_walked():
    with pytest.raises(CheckError) as raised:
        walk("ch08-e3", 3, "plan_ready")

    assert str(raised.value) == "`step` is an int, not a function; define it with `def step(…)`"
