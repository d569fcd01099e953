"""A class graded by `edgewise grade`, on its whole way: formgrader, a grade by hand, feedback, export, a second run."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from demo import sample
from edgewise.course import Course

from .conftest import Server, serving

SOME = ("ada", "dana", "emil")
COMMENT = "Say which of the three you would log."

Grades = dict[tuple[str, str], tuple[float | None, float | None, str | None]]


@dataclass(frozen=True)
class Class:
    """The sample class after `edgewise grade`, and what that said in JSON."""

    course: Course
    status: int
    summary: dict[str, Any]

    @property
    def points(self) -> dict[str, float]:
        """By student, before a person has read anything."""
        return {one["student"]: one["points"] for one in self.summary["submissions"]}

    @property
    def most(self) -> float:
        return sum(exercise.points for exercise in self.course.exercises)

    def edgewise(self, *words: str) -> subprocess.CompletedProcess[str]:
        """The command that an instructor types in the course's folder."""
        command = [str(Path(sysconfig.get_path("scripts")) / "edgewise"), *words]
        return subprocess.run(command, cwd=self.course.root, capture_output=True, text=True, check=False)

    def grades(self) -> Grades:
        """Automatic and manual score and manual comment, by student and cell, as nbgrader reads them."""
        from nbgrader.api import Gradebook

        found: Grades = {}
        with Gradebook(f"sqlite:///{self.course.root / self.course.layout.database}") as gradebook:
            for submission in gradebook.assignment_submissions(sample.SESSION):
                for notebook in submission.notebooks:
                    said = {comment.name: comment.manual_comment for comment in notebook.comments}
                    for grade in notebook.grades:
                        key = (submission.student.id, grade.name)
                        found[key] = (grade.auto_score, grade.manual_score, said.get(grade.name))
        return found


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Class:
    """Three of the sample class, released, handed in and graded."""
    course = sample.prepare(tmp_path_factory.mktemp("graded") / "class")
    release = sample.build(course, sample.SESSION)
    for student in sample.STUDENTS:
        if student.id in SOME:
            sample.hand_in(course, release, student)
    ran = Class(course, 0, {}).edgewise("grade", sample.SESSION, "--json")
    return Class(course, ran.returncode, json.loads(ran.stdout))


@pytest.fixture(scope="module")
def formgrader(graded: Class, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """JupyterLab as an instructor starts it, in the course's folder."""
    root = ["--allow-root"] if os.geteuid() == 0 else []
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", *root]
    yield from serving(command, graded.course.root, tmp_path_factory.mktemp("formgrader"))


def opened(page: Page, server: Server, student: str) -> None:
    """The student's five-state notebook, found as one finds it: its row, then its link."""
    page.goto(server.signed_in("formgrader/gradebook/ch08/five-state-machine"))
    page.locator("tbody tr", has_text=student).get_by_role("link").first.click()
    expect(page.locator("input.score#ch08-w1")).to_be_visible()


class TestAClassGradedByEdgewise:
    """One class, step by step."""

    before: Grades

    def test_everyone_has_a_grade(self, graded: Class) -> None:
        assert (graded.status, tuple(graded.points)) == (0, SOME)

    def test_formgrader_shows_the_points_of_the_summary(self, graded: Class, formgrader: Server, page: Page) -> None:
        page.goto(formgrader.signed_in("formgrader/manage_submissions/ch08"))
        page.wait_for_selector("td.student-id")
        rows = [(row.locator("td.student-id"), row.locator("td.score")) for row in page.locator("tbody tr").all()]
        shown = {student.inner_text(): score.inner_text() for student, score in rows}

        assert shown == {student: f"{points:g} / {graded.most:g}" for student, points in graded.points.items()}

    def test_a_submission_opens_with_its_report(self, formgrader: Server, page: Page) -> None:
        opened(page, formgrader, "emil")
        report = page.get_by_role("group", name="Report on ch08-e3: not yet")

        expect(report).to_contain_text("ch08-e3 · The step · not yet · 0 of 10 points")
        expect(report.get_by_role("img").first).to_be_visible()

    def test_a_written_answer_is_given_points_and_a_comment(
        self, graded: Class, formgrader: Server, page: Page
    ) -> None:
        opened(page, formgrader, "ada")
        for field, value in (("input.score#ch08-w1", "2.5"), ("textarea#ch08-w1-comment", COMMENT)):
            with page.expect_response(lambda response: response.request.method == "PUT"):
                page.locator(field).fill(value)
                page.locator(field).press("Tab")
        TestAClassGradedByEdgewise.before = graded.grades()

        assert self.before["ada", "ch08-w1"] == (None, 2.5, COMMENT)

    def test_the_feedback_says_both(self, graded: Class, page: Page) -> None:
        sample.nbgrader(graded.course, ["generate_feedback", sample.SESSION])
        folder = graded.course.root / graded.course.layout.feedback
        page.goto((folder / "ada/ch08/five-state-machine.html").as_uri())
        answer = page.locator(".nbgrader_cell", has_text=COMMENT)

        expect(answer).to_contain_text("2.5")
        expect(page.get_by_role("group", name="Report on ch08-e3: passed")).to_be_visible()

    def test_the_export_adds_them_up(self, graded: Class) -> None:
        sample.nbgrader(graded.course, ["export"])
        with (graded.course.root / "build/grades.csv").open(encoding="utf-8", newline="") as file:
            rows = {row["student_id"]: (float(row["score"]), float(row["max_score"])) for row in csv.DictReader(file)}

        by_hand = {"ada": 2.5}
        assert rows == {
            student: (points + by_hand.get(student, 0.0), graded.most) for student, points in graded.points.items()
        }

    def test_the_statistics_count_the_points_given_by_hand(self, graded: Class) -> None:
        made = json.loads(graded.edgewise("stats", sample.SESSION, "--json").stdout)
        why = next(one for one in made["exercises"] if one["exercise"] == "ch08-w1")

        assert (made["submissions"]["graded"], why["by_hand"], why["part"], why["not_handed_in"]) == (3, 1, 1, 0)

    def test_a_second_run_grades_nothing_and_leaves_them(self, graded: Class) -> None:
        ran = graded.edgewise("grade", sample.SESSION)

        assert ("0 submissions graded; 3 were up to date;" in ran.stdout, ran.returncode) == (True, 0)
        assert graded.grades() == self.before

    def test_a_forced_run_grades_all_and_leaves_them(self, graded: Class) -> None:
        ran = graded.edgewise("grade", sample.SESSION, "--force")

        assert ("3 submissions graded (3: --force);" in ran.stdout, ran.returncode) == (True, 0)
        assert graded.grades() == self.before

    def test_nbgraders_own_command_gives_the_same_and_leaves_them(self, graded: Class) -> None:
        sample.nbgrader(graded.course, ["autograde", sample.SESSION, "--force"])

        assert graded.grades() == self.before
