"""A class whose grades are written down as a judge would have, and the reports that go with them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any, Self
from uuid import uuid4

from edgewise.grading.gradebook.record import Record
from edgewise.grading.gradebook.rows import Graded, Sqlite
from edgewise.grading.gradebook.standing import folder_of, shared, stamp
from edgewise.grading.stats.item import Item, Stats
from edgewise.grading.stats.statistics import stats
from tests.grading.fake import Class

FOLLOWS = "Follows every declared edge"
REFUSES = "Refuses what is not declared, without moving"
GROWS = "Lets visited grow by the state it enters, and by nothing else"
RULES = (
    FOLLOWS,
    REFUSES,
    GROWS,
    "Names the event and the state in a refusal",
    "Returns rejected as None after a move",
    "Leaves its arguments as they were",
    "Answers the same question alike each time",
)
ENDS = "Finds the states in which no row starts"
WAYS = "Finds the states from which a row leads here"
STEP_AND_MORE = """\
          ch08-e3: {title: The step, objects: [step], points: 10}
          ch08-e4: {title: A step with caps, objects: [capped_step], points: 8}
          ch08-w1: {title: Why, written: true, points: 3}
      ends:
        title: Ends
        exercises:
          ch08-e2: {title: Read off the table, objects: [terminal, ways_into], points: 3}
"""
STEP = STEP_AND_MORE.splitlines()[0]
ROOT = Path(__file__).parents[2]


class Marked(Class):
    """A course of three checks in two notebooks, in whose gradebook one writes down what a judge would."""

    @classmethod
    def marked(cls, root: Path, gradebook: Path) -> Self:
        """A new course in `root`, with a copy of that gradebook, and nobody graded."""
        made = cls.made(root, gradebook)
        made.prepare()
        return made

    def prepare(self) -> None:
        """Add a second check, and a second notebook, to course, gradebook and checks."""
        why = "\n          ch08-w1: {title: Why, written: true, points: 3}\n"
        self.course_says(f"{STEP}{why}", STEP_AND_MORE)
        for name in ("ch08_e2.py", "ch08_e4.py"):
            (self.root / "checks" / name).write_bytes((ROOT / "checks" / name).read_bytes())
        with closing(sqlite3.connect(self.root / "build/gradebook.db")) as connection, connection:
            graph = connection.execute("select id, assignment_id from notebook").fetchone()
            ends = uuid4().hex
            connection.execute("insert into notebook (id, name, assignment_id) values (?, 'ends', ?)", (ends, graph[1]))
            for notebook, name, points in ((graph[0], "ch08-e4", 8), (ends, "ch08-e2", 3)):
                for cell, kind in ((f"{name}-check", "GradeCell"), (name, "SolutionCell")):
                    made = uuid4().hex
                    connection.execute("insert into base_cell values (?, ?, ?, ?)", (made, cell, notebook, kind))
                    table = "grade_cells" if kind == "GradeCell" else "solution_cells"
                    values = (made, points, "code") if kind == "GradeCell" else (made,)
                    connection.execute(f"insert into {table} values ({', '.join('?' * len(values))})", values)

    def mark(
        self,
        student: str,
        reports: Iterable[dict[str, Any]] = (),
        untouched: tuple[str, ...] = (),
        **points: float | None,
    ) -> None:
        """Write one student's grade: points by exercise, ch08_e3=10.0; a notebook without any is left out."""
        (self.root / "build/submitted" / student / "ch08").mkdir(parents=True, exist_ok=True)
        course = self.course
        session = course.session("ch08")
        scores: dict[str, dict[str, float | None]] = {}
        answered: dict[str, dict[str, bool]] = {}
        for notebook in session.notebooks:
            named = {one.id: one.id.replace("-", "_") for one in notebook.exercises}
            is_there = any(name in points for name in named.values())
            scores[notebook.name] = {
                one.id if one.written else f"{one.id}-check": points.get(named[one.id], 0.0)
                for one in notebook.exercises
            }
            answered[notebook.name] = {one: one not in untouched for one in named} if is_there else {}
        now = stamp(shared(course, session), folder_of(course, session, student))
        data = {"reports": list(reports), "points": 0.0, "max_points": 0.0}
        with closing(sqlite3.connect(self.root / "build/gradebook.db", isolation_level=None)) as connection:
            book = Sqlite(connection, session, late="none")
            book.prepare()
            with book.writing(Graded(student, None, scores, answered), Record(uuid4().hex, now, data)):
                pass

    def by_hand(self, student: str, cell: str, points: float) -> None:
        """A person's points, as formgrader writes them."""
        with closing(sqlite3.connect(self.root / "build/gradebook.db")) as connection, connection:
            connection.execute(
                "update grade set manual_score = ?, needs_manual_grade = 0 where id in (select grade.id from grade "
                "join base_cell on base_cell.id = cell_id "
                "join submitted_notebook on submitted_notebook.id = grade.notebook_id "
                "join submitted_assignment on submitted_assignment.id = submitted_notebook.assignment_id "
                "where student_id = ? and base_cell.name = ?)",
                (points, student, cell),
            )

    def stats(self, **told: Any) -> Stats:
        return stats(self.course, self.session, **told)

    def item(self, name: str) -> Item:
        return next(item for item in self.stats().items if item.exercise.id == name)


def passed(exercise: str) -> dict[str, Any]:
    return {"exercise": exercise, "outcome": "passed", "findings": [], "misconception": None, "broken": []}


def broke(exercise: str, *rules: str, known: str | None = None) -> dict[str, Any]:
    """A report that broke these rules, behaving like a known misconception."""
    findings = [{"rule": rule} for rule in rules]
    misconception = None if known is None else {"name": known, "message": "…"}
    report = {"exercise": exercise, "outcome": "not yet", "findings": findings, "misconception": misconception}
    return {**report, "broken": list(rules)}


def unasked(exercise: str, why: str = "Can be asked") -> dict[str, Any]:
    return {**broke(exercise, why), "broken": []}


def unchecked(exercise: str) -> dict[str, Any]:
    return {**passed(exercise), "outcome": "could not check"}


def mark_five(school: Marked) -> None:
    """Two with a right step, two with a wrong one, and one who handed in the release as it was."""
    school.mark("ada", [passed("ch08-e3"), passed("ch08-e4")], ch08_e3=10.0, ch08_e4=8.0, ch08_w1=None)
    school.mark("ben", [passed("ch08-e3"), broke("ch08-e4", GROWS)], ch08_e3=10.0, ch08_e4=4.0, ch08_w1=None)
    school.mark(
        "cy",
        [broke("ch08-e3", REFUSES, GROWS, known="straight to the end"), broke("ch08-e4", FOLLOWS)],
        ch08_e3=2.5, ch08_e4=0.0, ch08_w1=None,
    )  # fmt: skip
    school.mark(
        "dot",
        [broke("ch08-e3", REFUSES, GROWS), passed("ch08-e4"), broke("ch08-e2", ENDS, known="the end by name")],
        ch08_e3=2.5, ch08_e4=8.0, ch08_w1=None, ch08_e2=1.5,
    )  # fmt: skip
    untouched = ("ch08-e3", "ch08-e4", "ch08-w1")
    school.mark(
        "eve",
        [broke("ch08-e3", FOLLOWS, REFUSES, known="silence"), unasked("ch08-e4")],
        untouched, ch08_e3=0.0, ch08_e4=0.0, ch08_w1=0.0,
    )  # fmt: skip
