"""`nbgrader export` writes a table that a spreadsheet opens, and runs nothing of."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from nbgrader.plugins import CsvExportPlugin, ExportPlugin
from sqlalchemy import event

from edgewise.grading.plugins.export import Grades, cell
from tests.release.conftest import Small

PLAIN = {"ada": ("Lovelace", "Ada", "ada@example.org"), "bob": (None, None, None)}
HOSTILE = {
    "=1+1": ('=HYPERLINK("//evil.test","x")', "@SUM(A1)", "+1-2@x.y"),
    'a,"b"': ("-2+3", "\t=1", "\r=1"),
    "line\nbreak": ("'=1", ' "=1', "\ufeff=1"),
    "ünï": ("＝1", "O'Brien", "a-b@c.d"),
}


@pytest.fixture(scope="module")
def gradebook(tmp_path_factory: pytest.TempPathFactory):
    """A gradebook of two assignments, in which some have handed in something, and bob late."""
    folder = tmp_path_factory.mktemp("gradebook")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(
            "PATH", str(Path(sys.executable).parent), prepend=os.pathsep
        )  # nbgrader calls `alembic` by its name
        with Gradebook(f"sqlite:///{folder / 'gradebook.db'}", "small") as gradebook:
            yield filled(gradebook)


def filled(gradebook: Gradebook) -> Gradebook:
    for assignment, due in {"ch08": "2026-09-30T22:00:00", "=ch09": None}.items():
        gradebook.add_assignment(assignment, duedate=due)
        gradebook.add_notebook("graph", assignment)
        gradebook.add_grade_cell("e1", "graph", assignment, max_score=4, cell_type="code")
    for student, (last, first, email) in (PLAIN | HOSTILE).items():
        gradebook.add_student(student, last_name=last, first_name=first, email=email)
    for student, score in {"ada": 2.5, "bob": 4.0, "=1+1": 0.0}.items():
        submission = gradebook.add_submission("ch08", student)
        submission.notebooks[0].grades[0].auto_score = score
        submission.notebooks[0].late_submission_penalty = 1.5 if student == "bob" else None
    gradebook.db.commit()
    return gradebook


@pytest.fixture
def table(gradebook: Gradebook, tmp_path: Path):
    def exported(plugin: type[ExportPlugin] = Grades, **chosen: list[str]) -> list[dict[str, str]]:
        path = tmp_path / "grades.csv"
        plugin(to=str(path), **chosen).export(gradebook)
        with path.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    return exported


pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")  # nbgrader's own


@pytest.mark.parametrize("chosen", [{}, {"student": ["ada"]}, {"assignment": ["ch08"], "student": ["bob"]}])
def test_the_rows_of_plain_names_are_those_that_nbgrader_writes(table, chosen: dict[str, list[str]]) -> None:
    chosen = {"student": list(PLAIN), "assignment": ["ch08"]} | chosen

    ours, theirs = table(**chosen), table(CsvExportPlugin, **chosen)

    assert (ours, [*ours[0]]) == (theirs, [*theirs[0]])


def test_nothing_is_a_formula_and_everything_reads_back(table) -> None:
    rows = table(assignment=["=ch09"], student=list(HOSTILE))

    assert {tuple(row.values())[:7] for row in rows} == {
        ("'=ch09", "", "", "'=1+1", '\'=HYPERLINK("//evil.test","x")', "'@SUM(A1)", "'+1-2@x.y"),
        ("'=ch09", "", "", 'a,"b"', "'-2+3", "'\t=1", "'\r=1"),
        ("'=ch09", "", "", "line\nbreak", "''=1", "' \"=1", "'\ufeff=1"),
        ("'=ch09", "", "", "ünï", "'＝1", "O'Brien", "a-b@c.d"),
    }


def test_nbgraders_own_table_of_the_same_names_has_formulas_and_other_columns(table) -> None:
    rows = table(CsvExportPlugin, assignment=["ch08"], student=["=1+1"])

    assert [(row["student_id"], row["last_name"], row["first_name"]) for row in rows] == [
        ("=1+1", '=HYPERLINK("//evil.test"', "x)"),
    ]


def test_numbers_stay_numbers(table) -> None:
    rows = table(assignment=["ch08"], student=["bob", "=1+1"])

    assert [[row[name] for name in ("raw_score", "late_submission_penalty", "score", "max_score")] for row in rows] == [
        ["4.0", "1.5", "2.5", "4.0"],
        ["0.0", "0.0", "0.0", "4.0"],
    ]


@pytest.mark.parametrize(("value", "written"), [(-1.5, -1.5), (None, None), ("-1", "'-1"), ("a=1", "a=1"), ("", "")])
def test_only_a_text_that_begins_like_a_formula_is_marked(value: object, written: object) -> None:
    assert cell(value) == written


def test_a_class_of_any_size_is_read_in_three_queries(gradebook: Gradebook, table) -> None:
    asked: list[str] = []
    gradebook.db.expire_all()
    listener = (gradebook.db.get_bind(), "before_cursor_execute", lambda *args: asked.append(args[2]))
    event.listen(*listener)
    rows = table()
    event.remove(*listener)

    assert (len(rows), len(asked)) == (12, 3)


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory, gradebook: Gradebook) -> Small:
    small = Small(tmp_path_factory.mktemp("course") / "kit")
    (small.root / "build").mkdir()
    shutil.copy(gradebook.engine.url.database, small.root / "build/gradebook.db")
    return small


@pytest.mark.parametrize(
    ("words", "written", "first"),
    [
        ([], "build/grades.csv", "'=1+1"),
        (["--exporter=nbgrader.plugins.CsvExportPlugin", "--to=theirs.csv"], "theirs.csv", "=1+1"),
    ],
    ids=["by course.yml", "by the exporter that is asked for"],
)
def test_the_command_exports(course: Small, words: list[str], written: str, first: str) -> None:
    asked = ["export", "--student=['=1+1']", *words]
    subprocess.run([sys.executable, "-m", "nbgrader", *asked], cwd=course.root, capture_output=True, check=True)

    with (course.root / written).open(encoding="utf-8", newline="") as file:
        assert [row["student_id"] for row in csv.DictReader(file)] == [first, first]
