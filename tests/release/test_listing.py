"""One more line in course.yml: where it belongs, and every other character as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewise.course import Exercise
from edgewise.release.listing import ListingError, entry, listed
from tests.release.conftest import COURSE

FILE = Path("course.yml")
DOOR = Exercise("ch08-e4", "A door", 2.0, ("door",), False, "ch08", "graph")
LINE = "ch08-e4: {title: A door, objects: [door], points: 2}"
LAST = "          ch08-w1: {title: Why, written: true, points: 3}\n"


@pytest.mark.parametrize(
    ("title", "written"),
    [
        ("A door", "A door"),
        ("It's half-open", "It's half-open"),
        ("A door: half open", '"A door: half open"'),
        ("Doors, {all} #1", '"Doors, {all} #1"'),
        ('Say "no"', '"Say \\"no\\""'),
        ("No", '"No"'),
        ("12", '"12"'),
        ("Türen", '"Türen"'),
    ],
)
def test_a_title_is_quoted_where_yaml_would_read_it_otherwise(title: str, written: str) -> None:
    exercise = Exercise("ch08-e4", title, 2.0, ("door",), False, "ch08", "graph")

    assert f"title: {written}, " in entry(exercise)
    assert entry(exercise) in listed(COURSE, FILE, exercise)


def test_what_stands_behind_and_beside_the_last_exercise_stays() -> None:
    text = COURSE.replace(LAST, f"{LAST.rstrip()}   # read by a person\n\n  # the next session comes here\n")
    made = listed(text, FILE, DOOR)

    assert made == text.replace("# read by a person\n", f"# read by a person\n          {LINE}\n")


def test_an_exercise_in_lines_of_its_own_is_kept_whole() -> None:
    text = COURSE.replace(
        LAST, "          ch08-w1:\n            title: Why\n            written: true\n            points: 3\n"
    )

    assert listed(text, FILE, DOOR) == f"{text}          {LINE}\n"


def test_other_notebooks_and_sessions_are_left_alone() -> None:
    more = """\
      other:
        title: Another
        exercises:
          ch08-e5: {title: Five, objects: [five], points: 1}
  ch09:
    number: 9
    title: Loops
    date: 2026-09-30
    notebooks: {graph: {title: A graph}}
"""
    assert listed(COURSE + more, FILE, DOOR) == f"{COURSE}          {LINE}\n{more}"


def test_a_notebook_without_exercises_gets_the_first_one() -> None:
    text = COURSE.partition("        exercises:")[0]

    assert listed(text, FILE, DOOR) == f"{text}        exercises:\n          {LINE}\n"


def test_line_endings_are_those_of_the_file() -> None:
    text = COURSE.replace("\n", "\r\n")

    assert listed(text, FILE, DOOR) == f"{text}          {LINE}\r\n"


def test_a_last_line_without_an_end_gets_one() -> None:
    assert listed(COURSE.rstrip("\n"), FILE, DOOR) == f"{COURSE}          {LINE}\n"


def test_a_layout_without_lines_is_left_to_its_writer() -> None:
    text = COURSE.partition("      graph:")[0] + "      graph: {title: A graph}\n"

    with pytest.raises(ListingError) as caught:
        listed(text, FILE, DOOR)

    assert str(caught.value) == (
        "course.yml is not written one exercise a line there; write this one yourself, "
        f"under 'exercises' of 'graph': {LINE}"
    )
