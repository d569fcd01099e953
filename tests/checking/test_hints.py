"""Hints come in three steps: from the finding, from its rule, and from a neighbour case."""

import pytest

from edgewise import check, hint
from edgewise.checking import notebook
from edgewise.checking.engine import CheckError

from .asked import check_of, course, report

EXERCISES = [exercise.id for exercise in course().exercises if not exercise.written]


@pytest.fixture(autouse=True)
def _nothing_seen(monkeypatch):
    monkeypatch.setattr(notebook, "_SEEN", {})


def silent(state, event):
    return {**state, "rejected": None}


def test_the_three_hints_on_a_machine_come_one_at_a_time_and_the_last_stays(capsys):
    check("ch08-e3", silent)
    capsys.readouterr()

    for _ in range(4):
        hint("ch08-e3")

    shown = capsys.readouterr().out.splitlines()
    assert [line.partition(".")[0] for line in shown] == ["Hint 1 of 3", "Hint 2 of 3", "Hint 3 of 3", "Hint 3 of 3"]
    assert shown[0] == (
        "Hint 1 of 3. Look at one call: 'plan_ready' comes in 'planning', with visited ['planning']. In the table this "
        "pair leads to 'retrieving'. Go through your code with these values, line by line. Where does it first do "
        "something you did not expect?"
    )


def test_a_new_check_begins_the_hints_anew(capsys):
    check("ch08-e3", silent)
    hint("ch08-e3")
    hint("ch08-e3")
    check("ch08-e3", silent)
    capsys.readouterr()

    hint("ch08-e3")

    assert capsys.readouterr().out.startswith("Hint 1 of 3.")


def test_the_first_hint_on_a_function_is_its_smallest_failing_input(capsys):
    check("ch08-e5", lambda *arguments, **keywords: None, lambda *arguments: None)
    capsys.readouterr()

    hint("ch08-e5")

    assert capsys.readouterr().out == (
        "Hint 1 of 3. Take retry_budget({'tokens': 0, 'allowed': None}, {'name': 'success'}). Work it out on paper, "
        "from the exercise's text alone, before you look at your code again.\n"
    )


def test_without_a_check_there_is_nothing_to_hint_at():
    with pytest.raises(CheckError) as raised:
        hint("ch08-e3")

    assert str(raised.value) == "no check of ch08-e3 ran here yet; a hint starts from what it found"


def test_what_has_passed_needs_no_hint(capsys):
    from edgewise.machine import TRANSITIONS

    check("ch08-e1", dict(TRANSITIONS))
    capsys.readouterr()

    hint("ch08-e1")

    assert capsys.readouterr().out == "ch08-e1 has passed; there is nothing to hint at.\n"


@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_rule_has_a_hint_of_its_own(exercise):
    its = check_of(exercise)

    assert set(its.hints.by_rule) == {rule.holds for rule in its.rules}


@pytest.mark.parametrize("exercise", EXERCISES)
def test_no_hint_holds_the_code_of_a_solution(exercise):
    its = check_of(exercise)

    said = " ".join([*its.hints.by_rule.values(), its.hints.neighbour])

    assert not [word for word in ("return {", "def ", "lambda", ".get(", "for row in") if word in said]


def test_a_report_says_how_to_walk_it_and_where_hints_are():
    assert report("ch08-e3", silent).next_steps == ('walk("ch08-e3", step, "plan_ready")', 'hint("ch08-e3")')


def test_a_report_on_one_of_several_machines_names_its_number():
    def no_caps(state, event, *, transitions, caps):
        target = transitions.get((state["state"], event["name"]))
        if target is None:
            return {**state, "rejected": f"no {event['name']} in {state['state']}"}
        return {"state": target, "visited": [*state["visited"], target], "rejected": None}

    assert report("ch08-e4", no_caps).next_steps[0] == 'walk("ch08-e4", capped_step, "submit reject", machine=4)'
