"""`examine`: one exercise, one Report; what is not the student's fault is a CheckError with a sentence."""

import os
from dataclasses import replace

import pytest

from answers.ch08_e3 import table_lookup
from edgewise.checking.engine import CheckError, examine, load_check
from tests.checking.asked import course, report


@pytest.fixture
def checks(tmp_path):
    """A course whose only check module is this text."""

    def made(text, name="ch08_e1.py", touched=1):
        path = tmp_path / "checks" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        os.utime(path, ns=(touched, touched))
        return replace(course(), path=tmp_path / "course.yml")

    return made


def error(its, *objects, exercise="ch08-e1"):
    with pytest.raises(CheckError) as raised:
        examine(its.exercise(exercise), objects, its)
    return str(raised.value)


BROKEN = """
class CHECK:
    rules = misconceptions = ()
    hints = None

    def within(self, _domain):
        return self

    def unfit(*_):
        return None

    def explore(*_):
        raise KeyError("mine")

CHECK = CHECK()
"""


def test_a_written_answer_is_for_a_person():
    message = "ch08-w1 is a written answer: a person reads it, and nothing checks it"

    assert error(course(), exercise="ch08-w1") == message


@pytest.mark.parametrize("objects", [(), (1, 2)])
def test_the_number_of_objects_is_told(objects):
    message = f'ch08-e1 is handed 1 object, check("ch08-e1", TRANSITIONS); {len(objects)} came'

    assert error(course(), *objects) == message


def test_a_missing_check_module_is_our_fault(checks):
    assert error(checks("", "other.py"), {}) == "checks/ch08_e1.py is not there"


def test_a_check_module_without_a_check_is_our_fault(checks):
    assert error(checks("x = 1"), {}) == "ch08_e1.py defines no CHECK"


def test_a_check_module_that_can_not_be_imported_is_our_fault(checks):
    message = "checks/ch08_e1.py can't be imported (ZeroDivisionError: division by zero)"

    assert error(checks("1 / 0"), {}) == message


def test_a_check_that_breaks_is_our_fault(checks):
    message = "the check of ch08-e1 broke (KeyError: 'mine'); this is a fault of the kit, not yours"

    assert error(checks(BROKEN), {}) == message


def test_a_fault_of_ours_prints_its_sentence_alone():
    assert CheckError("it broke")._render_traceback_() == ["Could not check: it broke"]


def test_a_check_module_is_read_again_when_it_changes(checks, tmp_path):
    path = tmp_path / "checks" / "ch08_e1.py"
    found = []
    for touched, text in enumerate(("CHECK = 1", "CHECK = 2", "CHECK = 2"), 1):
        checks(text, touched=touched)
        found.append(load_check(path))

    assert found == [1, 2, 2]


def test_an_answer_that_can_not_be_asked_is_a_report():
    found = report("ch08-e3", None)

    assert (found.outcome, found.points, found.findings[0].rule, found.domain, found.broken) == (
        "not yet",
        0.0,
        "Can be asked",
        "nothing, since nothing could be asked",
        (),
    )


def nameless(state, event):
    after = table_lookup(state, event)
    return {**after, "rejected": after["rejected"] and "no"}


def present(state, event):
    after = table_lookup(state, event)
    return {**after, "visited": [after["state"]]}


@pytest.mark.parametrize("points", [10, 3, 1, 0.1, 7.7])
def test_points_are_a_rounded_float_within_the_exercise(points):
    its = course()
    exercise = replace(its.exercise("ch08-e3"), points=points)
    earned = [
        examine(exercise, [step], its).points
        for step in (
            table_lookup,
            lambda state, event: {**table_lookup(state, event), "visited": [table_lookup(state, event)["state"]]},
            lambda state, event: {
                **table_lookup(state, event),
                "rejected": table_lookup(state, event)["rejected"] and "no",
            },
        )
    ]

    assert [type(each) for each in earned] == [float] * 3
    assert (earned[0], all(0 <= each <= points and each == round(each, 9) for each in earned)) == (float(points), True)


def test_the_same_question_gives_the_same_report():
    def step(state, event):
        return {**table_lookup(state, event), "rejected": {event["name"], state["state"]}}

    assert report("ch08-e3", step).text == report("ch08-e3", step).text


def test_a_slow_answer_is_stopped_and_says_so():
    def step(state, event):
        return table_lookup(state, {**event, "padding": sum(range(100_000))})

    found = report("ch08-e3", step, check_seconds=1)

    assert (found.findings[0].message, found.points, found.domain) == (
        "`step` is too slow: its answers together took more than 1 s",
        0.0,
        "what was asked until then",
    )


def test_an_answer_that_ends_itself_only_when_asked_again_is_still_a_report():
    calls = []

    def step(state, event):
        calls.append(event)
        if len(calls) > 5_000:
            raise SystemExit
        return {**table_lookup(state, event), "rejected": "no"}

    assert report("ch08-e3", step).outcome == "not yet"
