"""One real class: `edgewise grade` writes what nbgrader's own autograde writes, and nbgrader goes on from there."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from typing import Any

import pytest

from edgewise.course import load_course
from edgewise.grading.gradebook import standing
from edgewise.grading.gradebook.batch import Asked, grade
from edgewise.grading.gradebook.database import opened
from edgewise.grading.gradebook.record import recorded
from tests.grading.test_door import STOCK, Graded

HONEST = ("ada", "bob", "cy")


FORMGRADER = """
import json
from nbgrader.apps import NbGrader
from nbgrader.apps.api import NbGraderAPI
app = NbGrader()
app.load_config_file()
listed = NbGraderAPI(config=app.config).get_submissions("ch08")
print(json.dumps({one["student"]: [one["autograded"], one["score"], one["needs_manual_grade"]] for one in listed}))
"""


def wrong(raw: dict[str, Any]) -> None:
    raw["cells"][2]["source"] = "def step(state, event):\n    raise ValueError('no')"


EDGEWISE = """
from edgewise.grading.gradebook import standing
standing.engine = lambda: "engine"
from edgewise.cli import main
main()
"""


@pytest.fixture(autouse=True)
def engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """One and the same, even while somebody works on it."""
    monkeypatch.setattr(standing, "engine", lambda: "engine")


def edgewise(school: Graded, *words: str) -> tuple[int, Any]:
    """Exit status and JSON of `edgewise grade ch08`."""
    command = [sys.executable, "-c", EDGEWISE, "grade", "ch08", *words, "--json"]
    ran = subprocess.run(command, cwd=school.root, capture_output=True, text=True, check=False)
    assert ran.stderr == "", ran.stderr
    return ran.returncode, json.loads(ran.stdout)


@pytest.fixture(scope="class")
def school(tmp_path_factory: pytest.TempPathFactory) -> Graded:
    """Three honest submissions, graded by `edgewise grade` and, in `stock`, by nbgrader as it is; and two odd ones."""
    school = Graded(tmp_path_factory.mktemp("class") / "kit")
    school.nbgrader("generate_assignment", "ch08")
    school.hand_in("ada", lambda raw: None)
    school.hand_in("cy", wrong)
    shutil.copy(school.root / "build/release/ch08/graph.ipynb", school.folder("bob"))
    stock = Graded(tmp_path_factory.mktemp("stock") / "kit")
    shutil.copytree(school.root / "build", stock.root / "build", dirs_exist_ok=True)
    (stock.root / "nbgrader_config.py").write_text(STOCK, encoding="utf-8")
    stock.nbgrader("autograde", "ch08")
    school.stock = stock
    school.folder("d'Arc [1]").joinpath("graph.ipynb").write_text("no JSON", encoding="utf-8")
    school.hand_in("e\nve", lambda raw: raw["cells"].pop(3))
    return school


class TestARealClass:
    """One class, step by step."""

    def test_it_is_graded(self, school: Graded) -> None:
        status, made = edgewise(school, "--jobs", "2")
        got = {
            one["student"]: (one["points"], len(one["repairs"]), len(one["problems"])) for one in made["submissions"]
        }

        assert (got, status, {one["student"] for one in made["submissions"]} == set(school.students())) == (
            {
                "ada": (10.0, 0, 0),
                "bob": (0.0, 0, 0),
                "cy": (0.0, 0, 0),
                "d'Arc [1]": (0.0, 0, 1),
                "e\nve": (10.0, 1, 0),
            },
            1,
            True,
        )

    def test_the_rows_are_nbgraders(self, school: Graded) -> None:
        assert school.rows(*HONEST) == school.stock.rows(*HONEST)

    def test_so_are_the_files_and_their_modes(self, school: Graded) -> None:
        def found(kit: Graded) -> list[tuple[str, int]]:
            home = kit.root / "build/autograded"
            paths = [path for name in HONEST for path in sorted((home / name).rglob("*"))]
            return [(path.relative_to(home).as_posix(), path.stat().st_mode) for path in paths if path.name[0] != "."]

        assert found(school) == found(school.stock)

    def test_what_the_grade_rests_on_is_recorded(self, school: Graded) -> None:
        with opened(school.root / "build/gradebook.db", "ch08") as connection:
            records = list(recorded(connection, "ch08"))

        assert (
            [one.student for one in records],
            records[0].data["reports"][0]["exercise"],
            records[0].data["points"],
        ) == (
            sorted(school.students()),
            "ch08-e3",
            10.0,
        )

    def test_a_second_run_does_nothing(self, school: Graded) -> None:
        course = load_course(school.root / "course.yml")
        summary = grade(course, course.session("ch08"), Asked())

        assert [(row.student, row.why) for row in summary.rows] == [(student, "") for student in school.students()]

    def test_nbgrader_makes_feedback_and_an_export(self, school: Graded) -> None:
        school.nbgrader("generate_feedback", "ch08", "--student=ada")
        school.nbgrader("export")
        export = (school.root / "build/grades.csv").read_text(encoding="utf-8")

        assert ((school.root / "build/feedback/ada/ch08/graph.html").is_file(), ",ada," in export) == (True, True)

    def test_formgrader_lists_the_class_as_autograded(self, school: Graded) -> None:
        command = [sys.executable, "-W", "ignore", "-c", FORMGRADER, str(school.root)]
        ran = subprocess.run(command, cwd=school.root, capture_output=True, text=True, check=False)

        assert (ran.returncode, json.loads(ran.stdout.splitlines()[-1])) == (
            0,
            {
                "ada": [True, 10.0, True],
                "bob": [True, 0.0, False],
                "cy": [True, 0.0, True],
                "d'Arc [1]": [True, 0.0, True],
                "e\nve": [True, 10.0, True],
            },
        )

    def test_nothing_of_ours_lies_in_the_feedback(self, school: Graded) -> None:
        names = {path.name for path in (school.root / "build/feedback/ada/ch08").rglob("*")}

        assert names == {"graph.html", "timestamp.txt"}

    def test_nbgrader_db_goes_on_with_our_table_there(self, school: Graded) -> None:
        listed = school.nbgrader("db", "student", "list")
        school.nbgrader("db", "upgrade")

        assert ("ada" in listed, len(school.rows(*HONEST)), records(school)) == (True, 12, 5)

    def test_a_later_stock_autograde_still_works_and_is_noticed(self, school: Graded) -> None:
        shutil.copy(school.stock.root / "nbgrader_config.py", school.root)
        school.nbgrader("autograde", "ch08", "--force", "--student=ada")
        rows = school.rows("ada")
        course = load_course(school.root / "course.yml")
        summary = grade(course, course.session("ch08"), Asked())
        again = {row.student: row.why for row in summary.rows if row.why}

        assert (rows, again, school.rows("ada")) == (
            school.stock.rows("ada"),
            {"ada": "not the folder that was recorded"},
            school.stock.rows("ada"),
        )

    def test_a_student_whom_nbgrader_removes_is_new_the_next_time(self, school: Graded) -> None:
        school.nbgrader("db", "student", "remove", "cy", "--force")
        course = load_course(school.root / "course.yml")
        summary = grade(course, course.session("ch08"), Asked())

        assert {row.student: row.why for row in summary.rows if row.why} == {"cy": "new"}


def records(school: Graded) -> int:
    with closing(sqlite3.connect(school.root / "build/gradebook.db")) as connection:
        return int(connection.execute("select count(*) from edgewise_grade").fetchone()[0])
