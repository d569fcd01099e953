"""course.yml → Course: what it holds, and every message for what it should not hold."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from edgewise import course
from edgewise.course import CourseError, Exercise, UnknownExerciseError, UnknownSessionError, find_course, load_course

GOOD = """\
course: small
title: A small course
layout:
  source: notebooks
  release: build/release
  submitted: build/submitted
  autograded: build/autograded
  feedback: build/feedback
  solution: build/solution
  database: build/gradebook.db
  exchange: build/exchange
limits: {cell_seconds: 30, check_seconds: 5, file_seconds: 20, memory_megabytes: 1024}
late: none
sessions:
  ch08:
    number: 8
    title: Graphs
    date: 2026-09-23
    due: 2026-09-30 23:59 +02:00
    notebooks:
      graph:
        title: A graph
        exercises:
          ch08-e1: {title: The step, objects: [step], points: 10}
          ch08-w1: {title: Why, written: true, points: 2.5}
"""


@pytest.fixture
def problems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """What `load_course` says about a text, as a list."""
    monkeypatch.chdir(tmp_path)

    def said(text: str | bytes) -> list[str]:
        path = tmp_path / "course.yml"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        with pytest.raises(CourseError) as caught:
            load_course(path)
        assert str(caught.value) == "\n".join(caught.value.problems)
        return list(caught.value.problems)

    return said


@pytest.fixture
def small(tmp_path: Path) -> course.Course:
    path = tmp_path / "course.yml"
    path.write_text(GOOD, encoding="utf-8")
    return load_course(path)


def test_a_course_lists_its_exercises_in_the_order_of_the_file(small: course.Course) -> None:
    assert small.exercises == (
        Exercise("ch08-e1", "The step", 10.0, ("step",), written=False, session="ch08", notebook="graph"),
        Exercise("ch08-w1", "Why", 2.5, (), written=True, session="ch08", notebook="graph"),
    )


def test_points_are_floats_so_that_nbgrader_reads_them(small: course.Course) -> None:
    assert [type(exercise.points) for exercise in small.exercises] == [float, float]


def test_a_session_has_a_day_and_a_due_moment(small: course.Course) -> None:
    session = small.session("ch08")

    assert (session.date, session.due) == (date(2026, 9, 23), datetime(2026, 9, 30, 21, 59, tzinfo=UTC))


def test_without_a_due_moment_nobody_is_late(tmp_path: Path) -> None:
    path = tmp_path / "course.yml"
    path.write_text("".join(line for line in GOOD.splitlines(keepends=True) if "due:" not in line), encoding="utf-8")

    assert load_course(path).session("ch08").due is None


def test_paths_start_from_the_folder_of_the_file(small: course.Course, tmp_path: Path) -> None:
    session = small.session("ch08")
    found = (
        small.root,
        small.check_path(small.exercise("ch08-e1")),
        small.notebook_path(session, session.notebooks[0]),
    )

    assert found == (tmp_path, tmp_path / "checks/ch08_e1.py", tmp_path / "notebooks/ch08/graph.ipynb")


URLS = (
    "postgresql://grader@db.example.org:5432/grades",
    "postgresql+psycopg://grader@/grades?host=/run/postgresql",
    "postgresql:///grades",
)


@pytest.mark.parametrize("url", URLS)
def test_grades_may_be_in_a_database_with_a_url_and_what_is_beside_them_with_the_outputs(
    tmp_path: Path, url: str
) -> None:
    (tmp_path / "course.yml").write_text(GOOD.replace("build/gradebook.db", url), encoding="utf-8")
    found = load_course(tmp_path / "course.yml")

    assert (found.database_url, found.beside, found.layout.has_url) == (url, tmp_path / "build", True)


def test_without_a_url_they_are_in_a_file(small: course.Course, tmp_path: Path) -> None:
    assert (small.database_url, small.beside, small.layout.has_url) == (
        f"sqlite:///{tmp_path / 'build/gradebook.db'}",
        tmp_path / "build",
        False,
    )


def test_the_projects_own_course_has_no_problem() -> None:
    own = load_course(Path(__file__).parent.parent / "course.yml")

    assert [exercise.id for exercise in own.exercises] == [
        "ch08-e1", "ch08-e2", "ch08-e3", "ch08-w1", "ch08-e4", "ch08-e5", "ch08-w2", "ch08-e6", "ch08-w3",
    ]  # fmt: skip


def test_an_unknown_exercise_is_answered_with_the_closest_one(small: course.Course) -> None:
    with pytest.raises(UnknownExerciseError) as caught:
        small.exercise("ch08-e11")

    assert str(caught.value) == (
        "'ch08-e11' is not an exercise of this course; did you mean 'ch08-e1'? possible: 'ch08-e1', 'ch08-w1'"
    )


def test_an_unknown_session_is_answered_with_those_there_are(small: course.Course) -> None:
    with pytest.raises(UnknownSessionError) as caught:
        small.session("x")

    assert str(caught.value) == "'x' is not a session of this course; possible: 'ch08'"


def test_the_nearest_course_upwards_is_found(tmp_path: Path) -> None:
    (tmp_path / "course.yml").touch()
    (tmp_path / "a/b").mkdir(parents=True)

    assert find_course(tmp_path / "a/b") == tmp_path / "course.yml"


def test_without_a_course_upwards_the_packages_own_is_found(tmp_path: Path) -> None:
    assert find_course(tmp_path).samefile(Path(__file__).parent.parent / "course.yml")


def test_a_course_is_read_once_and_again_when_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "course.yml"
    path.write_text(GOOD, encoding="utf-8")
    first, again = load_course(path), load_course(path)
    path.write_text(GOOD.replace("A small course", "A small course, changed"), encoding="utf-8")
    os.utime(path, ns=(1, 1))

    assert (first is again, load_course(path).title) == (True, "A small course, changed")


def test_importing_the_course_reads_neither_pydantic_nor_yaml() -> None:
    code = "import sys, edgewise.course; print(sorted({'pydantic', 'ruamel.yaml'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "[]\n"


E1 = "ch08-e1: {title: The step, objects: [step], points: 10}"
KNOWN = "'title', 'objects', 'points', 'written'"
SQLITE = "'database' of 'layout' is 'sqlite:////tmp/grades.db'"
POSSIBLE = "possible: a path below course.yml's folder, or a URL such as postgresql://grader@db.example.org/grades"
PASSWORD = (
    "'database' of 'layout' holds a password, and this file is handed on; leave it out, "
    "and put it where the database's driver looks, such as ~/.pgpass or PGPASSWORD"
)
WRONG = [
    (E1, "ch08-e1: {titel: The step, objects: [step], points: 10}", [
        "course.yml:24: 'title' is missing in 'ch08-e1'; possible: a line of text",
        f"course.yml:24: 'titel' is not known in 'ch08-e1'; did you mean 'title'? possible: {KNOWN}"]),
    ("points: 10", "points: 0", ["course.yml:24: 'points' of 'ch08-e1' is 0; possible: a number above 0"]),
    ("points: 10", "points: .nan", ["course.yml:24: 'points' of 'ch08-e1' is nan; possible: a number above 0"]),
    ("points: 10", "points: .inf", ["course.yml:24: 'points' of 'ch08-e1' is inf; possible: a number above 0"]),
    ("points: 10", "points: true", ["course.yml:24: 'points' of 'ch08-e1' is true; possible: a number above 0"]),
    ("points: 10", "points: ten", ["course.yml:24: 'points' of 'ch08-e1' is 'ten'; possible: a number above 0"]),
    ("points: 10", "points: null", ["course.yml:24: 'points' of 'ch08-e1' is empty; possible: a number above 0"]),
    ("points: 10", f"points: 1{'0' * 5000}", [
        f"course.yml:24: 'points' of 'ch08-e1' is '1{'0' * 74} …; possible: a number above 0"]),
    ("[step]", "step", [
        ("course.yml:24: 'objects' of 'ch08-e1' is 'step'; "
        "possible: a list of Python names, in the order `check` takes them")]),
    ("[step]", "[step, a b]", [
        ("course.yml:24: item 2 of 'objects' of 'ch08-e1' is 'a b'; "
        "possible: a list of Python names, in the order `check` takes them")]),
    ("[step]", "[step, step]", ["course.yml:24: 'ch08-e1' lists the object 'step' more than once"]),
    ("[step]", "[]", [
        "course.yml:24: 'ch08-e1' lists no objects and is not written; possible: objects: [step], or written: true"]),
    ("written: true", "written: true, objects: [x]", [
        "course.yml:25: 'ch08-w1' is written and lists objects; an exercise has one or the other"]),
    ("written: true", "written: 1", ["course.yml:25: 'written' of 'ch08-w1' is 1; possible: true or false"]),
    (E1, "ch08-e1: 7", [f"course.yml:24: 'ch08-e1' of 'exercises' is 7; possible: a mapping with {KNOWN}"]),
    ("ch08-w1", "ch08-e1", ["course.yml:25: 'ch08-e1' stands here a second time; first on line 24"]),
    ("ch08-w1", "ch09-w1", ["course.yml:25: exercise 'ch09-w1' does not begin with its session's id, 'ch08-'"]),
    ("ch08-w1", "ch08-W1", [
        ("course.yml:25: 'ch08-W1' cannot be used as a name here; "
        "an exercise id is made of a-z, 0-9 and '-', such as 'ch08-e3'")]),
    ("graph:", "my_graph:", [
        ("course.yml:21: 'my_graph' cannot be used as a name here; "
        "a notebook's name is made of a-z, 0-9 and '-', such as 'retry-storms'")]),
    ("  ch08:", "  Ch08:", [
        ("course.yml:15: 'Ch08' cannot be used as a name here; "
        "a session id is a letter followed by letters or digits, all lower case, such as 'ch08'"),
        "course.yml:24: exercise 'ch08-e1' does not begin with its session's id, 'Ch08-'",
        "course.yml:25: exercise 'ch08-w1' does not begin with its session's id, 'Ch08-'"]),
    ("date: 2026-09-23", "date: 2026-13-45", [
        "course.yml:18: 'date' of 'ch08' is '2026-13-45'; possible: a day such as 2026-09-23"]),
    ("date: 2026-09-23", "date: 23.9.2026", [
        "course.yml:18: 'date' of 'ch08' is '23.9.2026'; possible: a day such as 2026-09-23"]),
    ("23:59 +02:00", "23:59", [
        ("course.yml:19: 'due' of 'ch08' is '2026-09-30 23:59'; "
        "possible: a moment with its offset from UTC, such as 2026-09-30 23:59 +02:00")]),
    ("due: 2026-09-30", "due: 2026-09-20", [
        "course.yml:19: 'ch08' is due on 2026-09-20, before its own date, 2026-09-23"]),
    ("number: 8", "number: -8", ["course.yml:16: 'number' of 'ch08' is -8; possible: a whole number from 1 up"]),
    ("title: Graphs", "title: ' '", ["course.yml:17: 'title' of 'ch08' is ' '; possible: a line of text"]),
    ("title: Graphs", "title: [x]", ["course.yml:17: 'title' of 'ch08' is a list; possible: a line of text"]),
    ("late: none", "late: never", ["course.yml:13: 'late' of the course is 'never'; possible: none or zero"]),
    ("late: none", "late: none\nlate: zero", ["course.yml:14: 'late' stands here a second time; first on line 13"]),
    ("cell_seconds: 30", "cell_seconds: 0.5", [
        "course.yml:12: 'cell_seconds' of 'limits' is 0.5; possible: a whole number from 1 up"]),
    ("source: notebooks", "source: ../notebooks", [
        "course.yml:4: 'source' of 'layout' is '../notebooks'; possible: a path below course.yml's folder"]),
    ("source: notebooks", "source: /notebooks", [
        "course.yml:4: 'source' of 'layout' is '/notebooks'; possible: a path below course.yml's folder"]),
    ("release: build/release", "release: notebooks/release", [
        "course.yml:5: 'release' of 'layout' overlaps with 'source'; each step needs a folder of its own"]),
    ("database: build/gradebook.db", "database: sqlite:////tmp/grades.db", [f"course.yml:10: {SQLITE}; {POSSIBLE}"]),
    ("database: build/gradebook.db", "database: postgresql://db.example.org", [
        f"course.yml:10: 'database' of 'layout' is 'postgresql://db.example.org'; {POSSIBLE}"]),
    ("database: build/gradebook.db", "database: ../grades.db", [
        f"course.yml:10: 'database' of 'layout' is '../grades.db'; {POSSIBLE}"]),
    ("database: build/gradebook.db", "database: postgresql://grader:secret@db/grades", [f"course.yml:10: {PASSWORD}"]),
    ("database: build/gradebook.db", "database: postgresql://db?password=secret", [f"course.yml:10: {PASSWORD}"]),
    ("  exchange: build/exchange\n", "", [
        "course.yml:3: 'exchange' is missing in 'layout'; possible: a path below course.yml's folder"]),
    ("cell_seconds: 30", "cell_second: 30", [
        "course.yml:12: 'cell_seconds' is missing in 'limits'; possible: a whole number from 1 up",
        ("course.yml:12: 'cell_second' is not known in 'limits'; did you mean 'cell_seconds'? "
         "possible: 'cell_seconds', 'check_seconds', 'file_seconds', 'memory_megabytes'")]),
    ("title: Graphs", "title: {a: b}", ["course.yml:17: 'title' of 'ch08' is a mapping; possible: a line of text"]),
    ("title: Graphs", "title: {}", ["course.yml:17: 'title' of 'ch08' is an empty mapping; possible: a line of text"]),
    ("title: A small course", "title: &t A small course", [
        "course.yml:2: the anchor '&t' is not used here; write the value out"]),
    ("number: 8", "number: !!python/int 8", [
        "course.yml:16: the tag 'tag:yaml.org,2002:python/int' is not used here; leave it out",
        "course.yml:16: 'number' of 'ch08' is empty; possible: a whole number from 1 up"]),
    ("title: Graphs", "title: Graphs\n    [a]: b", ["course.yml:18: a key is a list or a mapping; a key is one word"]),
    ("title: Graphs", "title: [Graphs", [
        "course.yml:18: cannot be read as YAML from here on: expected ',' or ']', but got ':'"]),
    ("title: Graphs", "title: a: b", [
        "course.yml:17: cannot be read as YAML from here on: mapping values are not allowed here"]),
    ("title: Graphs", "title: *t", ["course.yml:17: cannot be read as YAML from here on: found undefined alias 't'"]),
    ("title: Graphs", "title: \x07", ["course.yml:17: holds the control character #x0007; remove it"]),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "expected"), WRONG, ids=[f"{new[:30]!r}" for _, new, _ in WRONG])
def test_what_does_not_fit_is_named_with_its_line(problems, old: str, new: str, expected: list[str]) -> None:
    assert old in GOOD

    assert problems(GOOD.replace(old, new, 1)) == expected


def test_all_problems_come_at_once_in_the_files_order(problems) -> None:
    text = GOOD.replace("late: none", "late: never").replace("points: 10", "points: x").replace("number: 8", "nr: 8")

    assert problems(text) == [
        "course.yml:13: 'late' of the course is 'never'; possible: none or zero",
        "course.yml:15: 'number' is missing in 'ch08'; possible: a whole number from 1 up",
        "course.yml:16: 'nr' is not known in 'ch08'; possible: 'number', 'title', 'date', 'due', 'notebooks'",
        "course.yml:24: 'points' of 'ch08-e1' is 'x'; possible: a number above 0",
    ]


def test_an_id_in_two_notebooks_is_named_with_the_first(problems) -> None:
    again = "      other:\n        title: t\n        exercises:\n          " + E1 + "\n"

    assert problems(GOOD + again) == ["course.yml:29: exercise 'ch08-e1' is listed a second time; first in 'graph'"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["course.yml:1: the file is empty; it lists the course, its layout, limits and sessions"]),
        ("# a comment\n", ["course.yml:1: the file is empty; it lists the course, its layout, limits and sessions"]),
        (b"course: small\ntitle: \xe9\n", ["course.yml:2: byte 0xe9 is not UTF-8; save the file as UTF-8"]),
        ("[" * 3000, ["course.yml:1: lists or mappings are nested too deeply to be read"]),
        (
            "a small course",
            [
                ("course.yml:1: the file is 'a small course'; possible: "
                "a mapping with 'course', 'title', 'layout', 'limits', 'late', 'sessions'")
            ],
        ),
        ("&a [*a]", ["course.yml:1: the anchor '&a' is not used here; write the value out",
                     ("course.yml:1: the file is a list; possible: "
                     "a mapping with 'course', 'title', 'layout', 'limits', 'late', 'sessions'")]),
    ],
    ids=["empty", "comment", "latin-1", "deep", "text", "itself"],
)  # fmt: skip
def test_a_file_that_is_no_course_at_all_is_named(problems, text: str | bytes, expected: list[str]) -> None:
    assert problems(text) == expected


def test_a_byte_order_mark_is_no_problem(tmp_path: Path) -> None:
    path = tmp_path / "course.yml"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.encode())

    assert load_course(path).course == "small"


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CourseError) as caught:
        load_course(tmp_path / "course.yml")

    assert caught.value.problems == ("course.yml: cannot be read (No such file or directory)",)


def test_a_folder_in_its_place_is_named(tmp_path: Path) -> None:
    (tmp_path / "course.yml").mkdir()
    with pytest.raises(CourseError) as caught:
        load_course(tmp_path / "course.yml")

    assert caught.value.problems == ("course.yml: cannot be read (Is a directory)",)


def test_a_message_names_the_file_from_where_the_user_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "kit").mkdir()
    (tmp_path / "kit/course.yml").touch()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CourseError) as caught:
        load_course(tmp_path / "kit/course.yml")

    assert caught.value.problems == (
        "kit/course.yml:1: the file is empty; it lists the course, its layout, limits and sessions",
    )


def test_a_file_that_may_not_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "course.yml"
    path.touch()

    def refuse(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(CourseError) as caught:
        load_course(path)

    assert caught.value.problems == ("course.yml: cannot be read (Permission denied)",)
