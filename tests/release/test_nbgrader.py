"""nbgrader's own verbs, run from the course's root as an instructor runs them, on one small class."""

from __future__ import annotations

import csv
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest
from nbgrader.utils import determine_grade

from edgewise.course import UnknownSessionError, load_course
from edgewise.release import BuildError, build
from edgewise.release.notebook import read, released
from tests.release.conftest import STEP, Small


class Class(Small):
    """The small course as a class uses it."""

    def nbgrader(self, *words: str, status: int = 0) -> str:
        """What a verb logs. PATH holds neither nbgrader nor alembic, as where nothing was activated."""
        home = self.root.parent / "home"
        places = {f"JUPYTER_{name}_DIR": str(home / name) for name in ("CONFIG", "DATA", "RUNTIME")}
        environment = {**os.environ, **places, "IPYTHONDIR": str(home / "ipython"), "PATH": "/usr/bin:/bin"}
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", *words],
            cwd=self.root, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    def answer(self, source: str) -> str:
        """The released notebook with another answer cell, as JSON."""
        raw = json.loads((self.root / "build/release/ch08/graph.ipynb").read_text(encoding="utf-8"))
        for cell in raw["cells"]:
            if cell["metadata"].get("nbgrader", {}).get("grade_id") == "ch08-e3" and source:
                cell["source"] = source
        return json.dumps(raw)

    def submit(self, student: str, source: str, timestamp: str | None = None) -> None:
        folder = self.root / "build/submitted" / student / "ch08"
        folder.mkdir(parents=True)
        (folder / "graph.ipynb").write_text(self.answer(source), encoding="utf-8")
        if timestamp:
            (folder / "timestamp.txt").write_text(timestamp, encoding="utf-8")

    def files(self) -> list[str]:
        return sorted(
            path.relative_to(self.root / "build").as_posix()
            for path in (self.root / "build").rglob("*")
            if path.is_file() and "exchange" not in path.parts
        )


@pytest.fixture(scope="class")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Class:
    """A class of three that went through every verb: ada's solution, bob's stub, and cy's skipped check in a zip."""
    kit = Class(tmp_path_factory.mktemp("class") / "kit")
    kit.course_says("date: 2026-09-23", "date: 2026-09-23\n    due: 2026-09-30 23:59 +02:00")
    (kit.notebook.parent / ".ipynb_checkpoints").mkdir()
    (kit.notebook.parent / ".ipynb_checkpoints/graph-checkpoint.ipynb").touch()
    kit.notebook.with_name("graph.ipynb~").touch()
    kit.nbgrader("generate_assignment", "ch08")
    kit.nbgrader("release_assignment", "ch08")
    kit.submit("ada", STEP, "2026-09-30 22:00:00 UTC")
    kit.submit("bob", "")
    archive = kit.root / "build/downloaded/ch08/archive"
    archive.mkdir(parents=True)
    with zipfile.ZipFile(archive / "class.zip", "w") as file:
        skipped = json.loads(kit.answer("def step(state, event): ..."))
        skipped["cells"][3]["metadata"]["tags"] = ["skip-execution"]
        file.writestr("cy_graph.ipynb", json.dumps(skipped))
    kit.nbgrader("zip_collect", "ch08")
    kit.nbgrader("collect", "ch08")
    for verb in ("autograde", "generate_feedback", "export"):
        kit.nbgrader(verb, *(["ch08"] if verb != "export" else []))
    return kit


class TestAClass:
    """One class, graded once."""

    def test_the_solution_earns_everything_and_the_unedited_release_nothing(self, graded: Class) -> None:
        with sqlite3.connect(graded.root / "build/gradebook.db") as gradebook:
            scores = gradebook.execute(
                "select student.id, grade.auto_score from grade join submitted_notebook n on grade.notebook_id = n.id "
                "join submitted_assignment a on n.assignment_id = a.id join student on a.student_id = student.id "
                "join base_cell on grade.cell_id = base_cell.id where base_cell.name = 'ch08-e3-check' order by 1"
            ).fetchall()

        assert scores == [("ada", 10.0), ("bob", 0.0), ("cy", 0.0)]

    def test_nbgraders_own_rule_reads_the_same_points_off_the_check_cell(self, graded: Class) -> None:
        points = {}
        for student in ("ada", "bob", "cy"):
            path = graded.root / f"build/autograded/{student}/ch08/graph.ipynb"
            cells = {cell.id: cell for cell in nbformat.read(path, as_version=4).cells}
            points[student] = determine_grade(cells["step-check"])

        assert points == {"ada": (10.0, 10), "bob": (0, 10), "cy": (0, 10)}

    def test_a_due_date_in_course_yml_makes_late_work_late(self, graded: Class) -> None:
        with sqlite3.connect(graded.root / "build/gradebook.db") as gradebook:
            due = gradebook.execute("select duedate from assignment").fetchall()

        assert due == [("2026-09-30 21:59:00.000000",)]

    def test_the_export_lists_the_class(self, graded: Class) -> None:
        with (graded.root / "build/grades.csv").open(encoding="utf-8", newline="") as file:
            rows = [(row["student_id"], row["raw_score"], row["max_score"]) for row in csv.DictReader(file)]

        assert rows == [("ada", "10.0", "13.0"), ("bob", "0.0", "13.0"), ("cy", "0.0", "13.0")]

    def test_every_output_lies_in_one_folder(self, graded: Class) -> None:
        beside = sorted(path.name for path in graded.root.iterdir())
        students = [f"{step}/{name}/ch08/graph" for step in ("autograded", "feedback") for name in ("ada", "bob", "cy")]
        made = [f"{path}.{'html' if path.startswith('feedback') else 'ipynb'}" for path in students]

        assert (beside, set(made) <= set(graded.files())) == (
            ["build", "checks", "course.yml", "nbgrader_config.py", "notebooks"],
            True,
        )

    def test_what_editors_leave_behind_is_not_released(self, graded: Class) -> None:
        assert [path for path in graded.files() if path.startswith("release/")] == ["release/ch08/graph.ipynb"]

    def test_lint_reads_the_release_as_nbgrader_makes_it(self, graded: Class) -> None:
        source, _ = read(graded.notebook)
        made, _ = read(graded.root / "build/release/ch08/graph.ipynb")

        assert [cell.source for cell in made.cells] == [released(cell) for cell in source.cells]

    def test_a_release_made_again_keeps_the_submissions(self, graded: Class) -> None:
        before = graded.files()
        made = build(load_course(graded.root / "course.yml"), "ch08")

        assert (made, graded.files()) == (graded.root / "build/release/ch08", before)

    def test_a_release_whose_cells_changed_is_refused_once_there_are_submissions(self, graded: Class) -> None:
        release = graded.root / "build/release/ch08/graph.ipynb"
        before = release.read_bytes()
        added = {
            "nbgrader": {"schema_version": 3, "grade_id": "note", "grade": False, "solution": False, "locked": True}
        }
        graded.change(lambda raw: raw["cells"][0].update(metadata=added))
        with pytest.raises(BuildError) as caught:
            build(load_course(graded.root / "course.yml"), "ch08")
        graded.change(lambda _: None)

        assert (caught.value.problems, release.read_bytes(), list(graded.root.glob("build/.building-*"))) == (
            (
                (
                    "nbgrader made no release of 'ch08': RuntimeError: Cannot add or remove cells for notebook 'graph' "
                    "because there are submissions associated with it"
                ),
            ),
            before,
            [],
        )


@pytest.fixture
def kit(tmp_path: Path) -> Class:
    return Class(tmp_path / "kit")


def test_nbgrader_stops_at_a_broken_course(kit: Class) -> None:
    kit.course_says("late: none", "late: never")

    assert kit.nbgrader("generate_assignment", "ch08", status=2).splitlines()[-2:] == [
        "course.yml:13: 'late' of the course is 'never'; possible: none or zero",
        "nbgrader stops here: course.yml has to be put right first.",
    ]


def test_nbgrader_stops_where_edgewise_is_not_installed(kit: Class) -> None:
    config = kit.root / "nbgrader_config.py"
    config.write_text(
        config.read_text(encoding="utf-8").replace("edgewise.release", "edgeless.release"), encoding="utf-8"
    )

    assert kit.nbgrader("generate_assignment", "ch08", status=1).splitlines()[-1] == (
        "nbgrader stops here: No module named 'edgeless'; run it where edgewise is installed, such as .venv/bin"
    )


def test_nbgrader_releases_nothing_that_course_yml_does_not_list(kit: Class) -> None:
    shutil.copy(kit.notebook, kit.notebook.with_name("solutions.ipynb"))
    log = kit.nbgrader("generate_assignment", "ch08", "--no-db", status=1)
    said = "notebooks/ch08/solutions.ipynb: course.yml does not list it; list it under 'ch08', or move it"

    assert (said in log, (kit.root / "build/release/ch08").exists()) == (True, False)


def test_a_session_that_is_not_listed_has_no_release(kit: Class) -> None:
    with pytest.raises(UnknownSessionError):
        build(load_course(kit.root / "course.yml"), "ch09")
