"""`edgewise lint` and `edgewise build`: what they print, and how they end."""

from __future__ import annotations

import importlib.util

import pytest
from typer.testing import CliRunner

from edgewise.cli import app
from edgewise.release import generate


@pytest.fixture
def run(small, monkeypatch: pytest.MonkeyPatch):
    """Exit status, stdout and stderr of a command that stands in the small course."""
    monkeypatch.chdir(small.root)

    def command(*words: str) -> tuple[int, str, str]:
        done = CliRunner().invoke(app, words)
        return done.exit_code, done.stdout, done.stderr

    return command


def test_a_course_where_all_fits_ends_with_0(run) -> None:
    assert run("lint") == (0, "No problems: 1 notebooks, 2 exercises.\n", "")


def test_a_problem_ends_with_1(run, small) -> None:
    (small.root / "checks/other.py").touch()

    assert run("lint") == (
        1,
        "checks/other.py: belongs to no exercise of course.yml; list one, or move it\n",
        "1 problem.\n",
    )


@pytest.mark.parametrize("words", [("lint",), ("build", "ch08")])
def test_a_broken_course_is_said_line_by_line(run, small, words: tuple[str, ...]) -> None:
    small.course_says("late: none", "late: never\nlater: 1")

    assert run(*words) == (
        1,
        (
            "course.yml:13: 'late' of the course is 'never'; possible: none or zero\n"
            "course.yml:14: 'later' is not known in the course; did you mean 'late'? "
            "possible: 'course', 'title', 'layout', 'limits', 'late', 'sessions'\n"
        ),
        "2 problems.\n",
    )


@pytest.mark.parametrize("words", [("lint",), ("build", "ch08")])
def test_a_course_without_notebooks_ends_with_2(run, small, words: tuple[str, ...]) -> None:
    small.course_says("source: notebooks", "source: lessons")

    assert run(*words) == (2, "", "there is no folder lessons/ beside course.yml, where the notebooks lie\n")


@pytest.mark.parametrize("words", [("lint",), ("build", "ch08")])
def test_a_machine_without_nbgrader_ends_with_2(run, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)

    assert run(*words) == (2, "", "nbgrader is not installed; `pip install 'edgewise[instructor]'` brings it\n")


def test_an_unknown_session_ends_with_2(run) -> None:
    assert run("build", "ch09") == (
        2,
        "",
        "'ch09' is not a session of this course; did you mean 'ch08'? possible: 'ch08'\n",
    )


def test_a_build_says_where_the_release_is(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate, "build", lambda course, session, *, measured: course.root / "build/release" / session)

    assert run("build", "ch08") == (0, "Released in build/release/ch08\n", "")


def test_a_build_measures_unless_it_has_to_be_quick(run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(generate, "build", lambda course, _, *, measured: asked.append(measured) or course.root)
    run("build", "ch08")
    run("build", "ch08", "--quick")

    assert asked == [True, False]


def test_a_build_stops_at_what_does_not_fit(run, small) -> None:
    (small.root / "checks/other.py").touch()

    assert (*run("build", "ch08"), (small.root / "build").exists()) == (
        1,
        "checks/other.py: belongs to no exercise of course.yml; list one, or move it\n",
        "1 problem.\n",
        False,
    )
