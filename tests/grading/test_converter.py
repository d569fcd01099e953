"""The class that stands in for nbgrader's, where no kernel is needed to see what it does."""

from __future__ import annotations

import logging
from datetime import datetime
from pathlib import Path

import pytest
from nbgrader.apps import api, autogradeapp
from nbgrader.converters import Autograde as Stock
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory

from edgewise.grading.plugins.converter import Autograde, existing_timestamp, install
from tests.release.conftest import Small


@pytest.fixture
def small(tmp_path: Path) -> Small:
    return Small(tmp_path / "kit")


def converter(root: Path, **asked: str) -> Autograde:
    settings = {"submitted_directory": "build/submitted", "assignment_id": "ch08", **asked}
    return Autograde(coursedir=CourseDirectory(root=str(root), **settings))


def handed_in(small: Small, *students: str) -> None:
    for student in students:
        (small.root / "build/submitted" / student / "ch08").mkdir(parents=True)


def test_a_course_without_notebooks_ends_the_command_with_a_sentence(
    small: Small, caplog: pytest.LogCaptureFixture
) -> None:
    handed_in(small, "ada")
    small.notebook.unlink()
    sentence = "graph.ipynb: is not there, and there is no release; 'ch08' cannot be graded"
    logging.getLogger("traitlets").propagate = True
    with pytest.raises(NbGraderException) as caught:
        converter(small.root).start()

    assert (str(caught.value), caplog.messages) == (sentence, [sentence])


@pytest.mark.parametrize("asked", [{}, {"assignment_id": "ch09"}, {"student_id": "zoe"}])
def test_where_nothing_was_handed_in_nbgrader_says_so_itself(small: Small, asked: dict[str, str]) -> None:
    if asked:
        handed_in(small, "ada")
    with pytest.raises(NbGraderException, match=r"^No notebooks were matched by "):
        converter(small.root, **asked).start()


def test_a_folder_without_course_yml_is_nbgraders_own(tmp_path: Path) -> None:
    with pytest.raises(NbGraderException, match=r"^No notebooks were matched by "):
        converter(tmp_path).start()


@pytest.mark.parametrize(
    ("pattern", "students"),
    [("*", ["ada", "ada [1]", "bob"]), ("ada*", ["ada", "ada [1]"]), ("ada [1]", ["ada [1]"]), ("bo?", ["bob"])],
)
def test_a_student_is_asked_for_by_name_or_by_pattern(small: Small, pattern: str, students: list[str]) -> None:
    handed_in(small, "ada", "ada [1]", "bob", ".trash")
    asked = converter(small.root, student_id=pattern)
    session = next(iter(_course(small).sessions.values()))

    assert [student for student, _ in asked._handed_in(session)] == students


def _course(small: Small):
    from edgewise.course import load_course

    return load_course(small.root / "course.yml")


@pytest.mark.parametrize(
    ("text", "moment", "said"),
    [
        ("2026-10-01 00:00:00 +0200", datetime(2026, 9, 30, 22), []),
        ("soon", None, ["ada/timestamp.txt holds 'soon', which is no moment; nothing counts as late."]),
        (None, None, []),
    ],
)
def test_a_timestamp_is_read_alike_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | None, moment: datetime | None, said: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ada").mkdir()
    if text is not None:
        Path("ada/timestamp.txt").write_text(text, encoding="utf-8")
    heard: list[str] = []

    class Heard:
        class log:  # noqa: N801
            @staticmethod
            def warning(form: str, *words: object) -> None:
                heard.append(form % words)

    assert (existing_timestamp(Heard, "ada"), heard) == (moment, said)


def test_both_of_nbgraders_doors_are_ours_once_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    for place in (api, autogradeapp):
        monkeypatch.setattr(place, "Autograde", Stock)
    monkeypatch.setattr(CourseDirectory, "get_existing_timestamp", None)
    install()

    assert (api.Autograde, autogradeapp.Autograde, CourseDirectory.get_existing_timestamp) == (
        Autograde,
        Autograde,
        existing_timestamp,
    )
