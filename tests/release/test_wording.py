"""How the messages of a check are worded is a lint, since students read them at midnight."""

import dataclasses

import pytest

from edgewise.checking.engine import load_check
from edgewise.checking.exercise import Hints, Misconception
from edgewise.course import load_course
from edgewise.release import wording

from .conftest import ROOT


@pytest.fixture
def check():
    course = load_course(ROOT / "course.yml")
    return load_check(course.check_path(course.exercise("ch08-e3")))


def said(check, monkeypatch):
    course = load_course(ROOT / "course.yml")
    session = dataclasses.replace(course.sessions["ch08"], notebooks=course.sessions["ch08"].notebooks[:1])
    monkeypatch.setattr(wording, "load_check", lambda path: check)
    return [sentence for sentence in wording.findings(course, session) if "ch08_e3" in sentence]


def test_the_messages_of_session_8_are_worded_as_they_should_be():
    course = load_course(ROOT / "course.yml")

    assert list(wording.findings(course, course.sessions["ch08"])) == []


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ("this is invalid.", "says 'invalid'; say what happened, and what is possible"),
        ("Just look it up.", "says 'Just'; say what happened, and what is possible"),
        ("the state is lost", "does not end like a sentence"),
        (" ", "says nothing; write a sentence"),
    ],
)
def test_a_misconception_that_blames_or_breaks_off_is_named(check, monkeypatch, message, sentence):
    known = Misconception("a slip", message, None, check.rules[0].holds)

    found = said(dataclasses.replace(check, misconceptions=(known,)), monkeypatch)

    assert found == [f"checks/ch08_e3.py: the misconception 'a slip' {sentence}"]


def test_a_rule_without_a_hint_is_named(check, monkeypatch):
    found = said(dataclasses.replace(check, hints=Hints({}, "A neighbour.")), monkeypatch)

    assert found[0] == "checks/ch08_e3.py: the hint on 'Follows every declared edge' says nothing; write a sentence"


def test_a_misconception_that_breaks_no_rule_of_the_check_is_named(check, monkeypatch):
    def other(call):
        """Rhymes."""

    known = Misconception("a slip", "it does not rhyme.", None, other)

    found = said(dataclasses.replace(check, misconceptions=(known,)), monkeypatch)

    assert found == [
        "checks/ch08_e3.py: the misconception 'a slip', which breaks 'Rhymes', no rule here: says nothing; "
        "write a sentence"
    ]
