"""`edgewise check`: one exercise in a file; exit status, text, and one JSON object in every case."""

import json
import sys

import pytest
from typer.testing import CliRunner

from edgewise.cli import app, main

RIGHT = """\
TRANSITIONS = {
    ("planning", "plan_ready"): "retrieving",
    ("planning", "out_of_scope"): "refusing",
    ("retrieving", "hits"): "answering",
    ("retrieving", "no_hits"): "refusing",
    ("answering", "answered"): "done",
    ("refusing", "refused"): "done",
}
"""
SHAPE = {
    "exercise": str,
    "outcome": str,
    "points": (int, float),
    "max_points": (int, float),
    "findings": list,
    "misconception": (dict, type(None)),
    "domain": str,
    "error": (str, type(None)),
}
FINDING = {"rule", "message", "events", "expected", "got"}


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs `edgewise check` beside the course, on a file of this text."""
    path = tmp_path / "answer.py"

    def check(text, *words, exercise="ch08-e1"):
        path.write_text(text)
        return CliRunner().invoke(app, ["check", exercise, str(path), *words])

    return check


def fits(data):
    """Whether an object has the one shape that `--json` promises."""
    kinds = {key: isinstance(data[key], kind) for key, kind in SHAPE.items()}
    findings = all(set(found) == FINDING for found in data["findings"])
    events = [name for found in data["findings"] for name in found["events"]]
    known = data["misconception"] is None or set(data["misconception"]) == {"name", "message"}
    kinds |= {"events": all(isinstance(name, str) for name in events), "findings": findings, "misconception": known}
    return list(data) == list(SHAPE) and all(kinds.values())


CASES = [
    (RIGHT, "passed", 2.0, 0),
    (RIGHT.replace('"no_hits"): "refusing"', '"no_hits"): "answering"'), "not yet", 1.0, 1),
    ("", "not yet", 0.0, 1),
    ("import os; os._exit(0)", "not yet", 0.0, 1),
    ("TRANSITIONS = {('a', 'b'): 1}", "not yet", 0.0, 1),
]


@pytest.mark.parametrize(("text", "outcome", "points", "status"), CASES)
def test_an_answer_is_one_json_object_and_an_exit_status(run, text, outcome, points, status):
    ran = run(text, "--json")
    data = json.loads(ran.stdout)

    assert (fits(data), data["outcome"], data["points"], data["max_points"], data["error"], ran.exit_code) == (
        True,
        outcome,
        points,
        2.0,
        None,
        status,
    )


def test_a_right_answer_is_told_in_text(run):
    ran = run(RIGHT)

    assert (ran.stdout, ran.exit_code) == (
        "ch08-e1 · The table · passed · 2 of 2 points\n"
        "Explored: 39 inputs of `TRANSITIONS`, smallest first, each twice.\n",
        0,
    )


def test_a_wrong_answer_is_told_in_text(run):
    ran = run("TRANSITIONS = []")

    assert (ran.stdout, ran.exit_code) == (
        "ch08-e1 · The table · not yet · 0 of 2 points\n"
        "`TRANSITIONS` is a list, not a dict; its rows are {(state, event): target}.\n"
        "Explored: nothing, since nothing could be asked.\n",
        1,
    )


def test_a_stopped_run_of_events_is_in_the_json(run):
    ran = run("def step(state, event):\n    while event['name'] == 'hits': pass\n", "--json", exercise="ch08-e3")
    data = json.loads(ran.stdout)

    assert (fits(data), data["findings"][0]["events"], data["findings"][0]["got"], ran.exit_code) == (
        True,
        ["hits"],
        None,
        1,
    )


UNASKED = [
    ("ch08-e9", "answer.py", "'ch08-e9' is not an exercise of this course; "),
    ("ch08-w1", "answer.py", "ch08-w1 is a written answer: a person reads it, and nothing checks it"),
    ("ch08-e1", "missing.py", "missing.py: there is no such file; here are: answer.py"),
    ("ch08-e1", "answer.txt", "answer.txt: a file to check ends in .py or .ipynb"),
]


@pytest.mark.parametrize(("exercise", "name", "reason"), UNASKED)
def test_what_can_not_be_checked_exits_with_two_in_text_and_in_json(tmp_path, exercise, name, reason):
    for there in ("answer.py", "answer.txt"):
        (tmp_path / there).write_text(RIGHT)
    words = ["check", exercise, str(tmp_path / name)]
    text, data = CliRunner().invoke(app, words), CliRunner().invoke(app, [*words, "--json"])
    made = json.loads(data.stdout)

    assert (reason in text.stderr, text.stdout, reason in made["error"]) == (True, "", True)
    assert (fits(made), made["outcome"], made["points"], made["max_points"], text.exit_code, data.exit_code) == (
        True,
        "could not check",
        0,
        0,
        2,
        2,
    )


def test_a_broken_course_exits_with_two_and_every_problem(tmp_path, monkeypatch):
    (tmp_path / "course.yml").write_text("course: 3\ntitle: 4\n")
    monkeypatch.chdir(tmp_path)
    ran = CliRunner().invoke(app, ["check", "ch08-e1", "x.py", "--json"])
    made = json.loads(ran.stdout)

    assert (fits(made), "course.yml:1: " in made["error"], "course.yml:2: " in made["error"], ran.exit_code) == (
        True,
        True,
        True,
        2,
    )


@pytest.mark.parametrize("words", [["check", "--json"], ["check", "ch08-e1", "--json"], ["check", "--json", "--what"]])
def test_a_call_that_can_not_be_read_is_one_json_object_too(monkeypatch, capsys, words):
    monkeypatch.setattr(sys, "argv", ["edgewise", *words])
    with pytest.raises(SystemExit) as end:
        main()
    made = json.loads(capsys.readouterr().out)

    assert (fits(made), made["outcome"], bool(made["error"]), end.value.code) == (True, "could not check", True, 2)
