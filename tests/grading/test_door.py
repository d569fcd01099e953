"""`nbgrader autograde` over a class in which most hand in something odd: it stops for none, and names every repair."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tests.release.conftest import STEP, Small

SOLUTION = "\n".join(line for line in STEP.split("\n") if "SOLUTION" not in line)
STOCK = """\
from pathlib import Path
import edgewise.release.config as config
config._repair_first = lambda: None
config.configure(get_config(), Path(__file__).resolve().parent)
"""
ROWS = """
select student.id, a.timestamp, a.extension, n.flagged, n.late_submission_penalty, nb.name, cell.name,
       grade.auto_score, grade.manual_score, grade.extra_credit, grade.needs_manual_grade, null, null
from submitted_assignment a join student on a.student_id = student.id
join submitted_notebook n on n.assignment_id = a.id join notebook nb on n.notebook_id = nb.id
join grade on grade.notebook_id = n.id join base_cell cell on grade.cell_id = cell.id
union all
select student.id, a.timestamp, a.extension, n.flagged, n.late_submission_penalty, nb.name, cell.name,
       null, null, null, null, comment.auto_comment, comment.manual_comment
from submitted_assignment a join student on a.student_id = student.id
join submitted_notebook n on n.assignment_id = a.id join notebook nb on n.notebook_id = nb.id
join comment on comment.notebook_id = n.id join base_cell cell on comment.cell_id = cell.id
order by 1, 7, 8
"""
HONEST = ("ada's [1]", "bob")


class Graded(Small):
    """The small course with a class; `stock` is the same course graded by nbgrader as it is, `said` our log."""

    stock: Graded
    said: str

    def nbgrader(self, *words: str, status: int = 0) -> str:
        home = self.root.parent / "home"
        places = {f"JUPYTER_{name}_DIR": str(home / name) for name in ("CONFIG", "DATA", "RUNTIME")}
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", *words],
            cwd=self.root, env={**os.environ, **places, "IPYTHONDIR": str(home / "ipython")},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    def folder(self, student: str) -> Path:
        folder = self.root / "build/submitted" / student / "ch08"
        folder.mkdir(parents=True)
        return folder

    def hand_in(self, student: str, how: Callable[[dict[str, Any]], object], name: str = "graph.ipynb") -> Path:
        """The released notebook with the right answer, `how` having changed it."""
        raw = json.loads((self.root / "build/release/ch08/graph.ipynb").read_text(encoding="utf-8"))
        raw["cells"][2]["source"] = SOLUTION
        raw["cells"][4]["source"] = "Because."
        how(raw)
        folder = self.folder(student)
        (folder / "timestamp.txt").write_text("2026-09-30 22:00:00.000000 UTC", encoding="utf-8")
        (folder / name).write_text(json.dumps(raw), encoding="utf-8")
        return folder

    def rows(self, *students: str) -> list[tuple[Any, ...]]:
        """What the gradebook holds about them, uuids aside."""
        with sqlite3.connect(self.root / "build/gradebook.db") as gradebook:
            return [row for row in gradebook.execute(ROWS) if row[0] in students]

    def points(self) -> dict[str, tuple[float | None, bool]]:
        """Of each student's check: the score, and whether a person has to look."""
        return {row[0]: (row[7], bool(row[10])) for row in self.rows(*self.students()) if row[6] == "ch08-e3-check"}

    def students(self) -> list[str]:
        return sorted(path.name for path in (self.root / "build/submitted").iterdir())

    def note(self, student: str) -> str:
        """The cell on top of the autograded notebook."""
        path = self.root / "build/autograded" / student / "ch08/graph.ipynb"
        return str(nbformat.read(path, as_version=4).cells[0].source)


def duplicated(raw: dict[str, Any]) -> None:
    raw["cells"].insert(2, {**raw["cells"][2], "id": "first", "source": "def step(state, event): ..."})
    raw["cells"].append({**raw["cells"][5], "id": "again"})


def deleted_and_retyped(raw: dict[str, Any]) -> None:
    raw["cells"][2]["metadata"]["nbgrader"]["grade_id"] = "mine"
    raw["cells"][4]["cell_type"] = "code"
    raw["cells"][4] |= {"outputs": [], "execution_count": None}
    del raw["cells"][3]


def old_and_raised(raw: dict[str, Any]) -> None:
    raw["cells"][2]["source"] = "def step(state, event): ..."
    raw["cells"][3]["metadata"] |= {"tags": ["skip-execution"]}
    raw["cells"][3]["metadata"]["nbgrader"] |= {"schema_version": 1, "points": 100, "grade": False}


@pytest.fixture(scope="class")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Graded:
    kit = Graded(tmp_path_factory.mktemp("class") / "kit")
    kit.nbgrader("generate_assignment", "ch08")
    kit.hand_in(HONEST[0], lambda raw: None)
    shutil.copy(kit.root / "build/release/ch08/graph.ipynb", kit.folder("bob"))
    stock = Graded(tmp_path_factory.mktemp("stock") / "kit")
    shutil.copytree(kit.root / "build", stock.root / "build", dirs_exist_ok=True)
    (stock.root / "nbgrader_config.py").write_text(STOCK, encoding="utf-8")
    (stock.root / "build/submitted" / HONEST[0]).rename(stock.root / "build/submitted/ada")  # stock finds no "[1]"
    stock.nbgrader("autograde", "ch08")
    kit.stock = stock

    kit.hand_in("c\ny", duplicated)
    kit.hand_in("dan", deleted_and_retyped, "graph (1) <b>.ipynb")
    kit.hand_in("eve", old_and_raised)
    kit.folder("fay").joinpath("graph.ipynb").write_text("no JSON", encoding="utf-8")
    os.mkfifo(kit.folder("gus") / "timestamp.txt")
    (kit.root / "build/submitted/hal").mkdir()
    kit.said = kit.nbgrader("autograde", "ch08")
    kit.nbgrader("generate_feedback", "ch08", "--student=dan")
    return kit


class TestAClass:
    """One class, graded once by nbgrader as it is, once through our door."""

    def test_nobody_stops_the_others(self, graded: Graded) -> None:
        assert graded.points() == {
            "ada's [1]": (10.0, False),
            "bob": (0.0, False),
            "c\ny": (10.0, False),
            "dan": (10.0, False),
            "eve": (0.0, False),
            "fay": (None, True),
            "gus": (None, True),
        }

    def test_an_honest_submission_has_the_rows_that_nbgrader_gives_it(self, graded: Graded) -> None:
        stock = graded.stock.rows("ada", "bob")
        ours = [("ada", *row[1:]) if row[0] == HONEST[0] else row for row in graded.rows(*HONEST)]

        assert (ours, len(ours)) == (stock, 8)

    def test_an_honest_autograded_notebook_has_no_note(self, graded: Graded) -> None:
        assert graded.note(HONEST[0]) == "# A graph\n\nAfter this you can write a step."

    def test_every_repair_is_named_on_top_of_the_autograded_notebook(self, graded: Graded) -> None:
        assert graded.note("c\ny").splitlines() == [
            "**What was repaired before grading**",
            "",
            "- graph, 'ch08-e3': is there 2 times; the last that holds an answer was kept, 1 stayed as a plain cell",
            "- graph, 'ch08-w1': is there 2 times; the last that holds an answer was kept, "
            "1 that said nothing new was left out",
        ]

    def test_what_could_not_be_read_is_named_too(self, graded: Graded) -> None:
        assert (graded.note("fay"), graded.note("gus")) == (
            "**What could not be read**\n\n"
            "- graph: 'graph.ipynb' is no JSON from line 1 on; nothing of it could be graded",
            "**What could not be read**\n\n- The submission holds no notebook of ch08.\n"
            "- timestamp.txt is a FIFO, not a file; nothing counts as late.",
        )

    def test_the_feedback_shows_the_repairs_and_runs_nothing_of_a_file_name(self, graded: Graded) -> None:
        feedback = (graded.root / "build/feedback/dan/ch08/graph.html").read_text(encoding="utf-8")
        said = (
            "<li>graph: was handed in as 'graph (1) &lt;b&gt;.ipynb'; it was read from there</li>",
            "<li>graph, 'ch08-e3': was named 'mine'; it was found by its id</li>",
            "<li>graph, 'ch08-w1': was a code cell; it is a markdown cell again</li>",
            "<li>graph, 'ch08-e3-check': was deleted; the released cell was put back</li>",
        )

        assert [sentence for sentence in said if sentence not in feedback] == []

    def test_the_instructor_reads_every_repair_and_problem_in_the_log(self, graded: Graded) -> None:
        said = (
            "'eve': graph, 'ch08-e3-check': carried the tag 'skip-execution'; nothing of it counts",
            "'fay': graph: 'graph.ipynb' is no JSON from line 1 on; nothing of it could be graded "
            "It earns 0 until a file that can be read is handed in, or it is graded by hand.",
        )

        assert [sentence for sentence in said if sentence not in graded.said] == []

    def test_nothing_is_left_of_the_folder_aside(self, graded: Graded) -> None:
        assert list((graded.root / "build").glob(".reading-*")) == []
