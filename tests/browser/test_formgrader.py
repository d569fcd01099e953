"""What an instructor sees in formgrader of the graded sample class."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from edgewise.course import load_course

from .conftest import ROOT, Server, serving

SOME = ("ada", "dana", "emil")
"""Enough of the class to see it: all right, late, and all wrong. `make demo` grades everyone."""


@dataclass(frozen=True)
class Class:
    """A graded class: its folder, the most points, and what each student has before a person reads anything."""

    folder: Path
    most: float
    sums: dict[str, float]


@pytest.fixture(scope="session")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Class:
    """The sample class, after nbgrader graded it."""
    folder = tmp_path_factory.mktemp("sample") / "class"
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT)
        from demo.sample import STUDENTS, run
    rows = run(folder, [student for student in STUDENTS if student.id in SOME], say=lambda _: None)
    course = load_course(folder / "course.yml")
    sums = {row.student: sum(points or 0 for points in row.points.values()) for row in rows}
    return Class(folder, sum(exercise.points for exercise in course.exercises), sums)


@pytest.fixture(scope="session")
def formgrader(graded: Class, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """JupyterLab as an instructor starts it, in the course's folder."""
    root = ["--allow-root"] if os.geteuid() == 0 else []
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", *root]
    yield from serving(command, graded.folder, tmp_path_factory.mktemp("formgrader"))


def test_formgrader_shows_the_graded_sample_class(graded: Class, formgrader: Server, page: Page) -> None:
    page.goto(formgrader.signed_in("formgrader/manage_submissions/ch08"))
    page.wait_for_selector("td.student-id")

    rows = [(row.locator("td.student-id"), row.locator("td.score")) for row in page.locator("tbody tr").all()]
    shown = {student.inner_text(): score.inner_text() for student, score in rows}

    assert shown == {student: f"{points:g} / {graded.most:g}" for student, points in graded.sums.items()}


def test_a_report_on_a_wrong_answer_can_be_read_in_formgrader(formgrader: Server, page: Page) -> None:
    open_submission(page, formgrader, "emil")

    report = page.get_by_role("group", name="Report on ch08-e3: not yet")

    expect(report).to_contain_text("ch08-e3 · The step · not yet · 0 of 10 points")
    expect(report.get_by_role("img").first).to_be_visible()


def test_a_written_answer_is_graded_by_hand_in_formgrader(formgrader: Server, page: Page) -> None:
    open_submission(page, formgrader, "ada")
    written = page.locator("input.score#ch08-w1")

    with page.expect_response(lambda response: response.request.method == "PUT" and "/api/grade/" in response.url):
        written.fill("2.5")
        written.press("Tab")
    page.reload()

    expect(written).to_have_value("2.5")


def open_submission(page: Page, server: Server, student: str) -> None:
    """The student's five-state notebook, found as one finds it: its row, then its link."""
    page.goto(server.signed_in("formgrader/gradebook/ch08/five-state-machine"))
    page.locator("tbody tr", has_text=student).get_by_role("link").first.click()
    expect(page.locator("input.score#ch08-w1")).to_be_visible()
