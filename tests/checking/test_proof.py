"""Every check is proved: mutants killed, misconceptions recognised, right answers accepted, nothing for nothing."""

import dataclasses

import pytest
from typer.testing import CliRunner

from edgewise.checking import proof
from edgewise.checking.mutants import mutants
from edgewise.checking.rules import RULES, names_event_and_state
from edgewise.cli import app

from .asked import check_of, course

EXERCISES = [exercise.id for exercise in course().exercises if not exercise.written]


@pytest.mark.parametrize("exercise", EXERCISES)
def test_no_mutant_survives_and_no_right_answer_is_refused(exercise):
    its = course()

    assert proof.prove(its, its.exercise(exercise)).missed == ()


@pytest.mark.parametrize(("exercise", "least"), [("ch08-e3", 280), ("ch08-e4", 700)])
def test_a_machine_has_several_hundred_mutants_with_names_of_their_own(exercise, least):
    named = [(mutant.family, mutant.name) for mutant in mutants(check_of(exercise))]

    assert len(named) >= least and len(set(named)) == len(named)


def test_the_edges_of_the_five_state_machine_are_dropped_and_redirected_and_the_rest_accepted():
    families = [mutant.family for mutant in mutants(check_of("ch08-e3"))]

    counts = {family: families.count(family) for family in ("edge dropped", "edge redirected", "pair accepted")}

    assert counts == {"edge dropped": 6, "edge redirected": 6 * 4, "pair accepted": 29 * 5}


def test_at_least_twenty_right_steps_in_different_styles_are_accepted():
    its = course()

    right = proof.right_answers(its.root / proof.ANSWERS, its.exercise("ch08-e3"))

    assert len(right) >= 20


def test_a_check_that_does_not_read_the_sentences_is_found_out():
    sharp = check_of("ch08-e3")
    blunt = dataclasses.replace(sharp, rules=tuple(rule for rule in RULES if rule.holds is not names_event_and_state))

    families = {family.name: family for family in proof._generated(blunt, course())}

    assert families["refusal"].missed == (
        "names nothing",
        "names the event alone",
        "names the state alone",
        "names another event",
        "names another state",
        "runs the names together",
        "says one sentence for all",
    )


def test_a_check_that_is_too_strict_is_found_out(monkeypatch, tmp_path):
    its = course()
    exercise = its.exercise("ch08-e1")
    (tmp_path / "ch08_e1.py").write_text("ANSWERS = {'nothing at all': {}}\n")
    monkeypatch.setattr(proof, "ANSWERS", str(tmp_path))

    assert proof._right(its, exercise).missed == (
        "'nothing at all' earns 0 of 2: TRANSITIONS['planning', 'plan_ready'] is 'retrieving'; yours gives None",
    )


def test_the_command_prints_a_table_and_exits_with_nought():
    run = CliRunner().invoke(app, ["mutants", "ch08-e1"])

    assert (run.exit_code, run.stdout.splitlines()) == (
        0,
        [
            "ch08-e1          tried right",
            "misconception        6     6",
            "empty answer         2     2",
            "right answer         8     8",
            "all                 16    16",
            "",
        ],
    )


def test_the_command_names_what_is_possible_for_an_unknown_exercise():
    run = CliRunner().invoke(app, ["mutants", "ch08-e11"])

    assert run.exit_code == 2 and "did you mean 'ch08-e1'?" in run.stderr


def test_a_survivor_makes_the_command_exit_with_one(monkeypatch):
    family = proof.Family("edge dropped", 1, ("('planning', 'plan_ready') to nowhere",))
    monkeypatch.setattr(proof, "prove", lambda course, exercise: proof.Proof(exercise.id, (family,)))

    run = CliRunner().invoke(app, ["mutants", "ch08-e3"])

    assert (run.exit_code, run.stderr) == (1, "ch08-e3: edge dropped: ('planning', 'plan_ready') to nowhere\n")
