"""`python -m demo`: runs the sample class in build/demo, prints its table, says where to look next."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from demo.sample import ROOT, SESSION, STUDENTS, DemoError, Row, run
from edgewise.course import CourseError, Session, load_course
from edgewise.release import BuildError

FOLDER = ROOT / "build" / "demo"
NEXT = """\
Look next:
  formgrader   cd {folder} && {jupyter} lab, then the menu Nbgrader, Formgrader: {count} written answers wait there
  feedback     {folder}/build/feedback/emil/{session}/five-state-machine.html
  grades       {folder}/build/grades.csv
Nothing of this touched build/gradebook.db; the next `make demo` begins anew in {folder}."""


def main() -> int:
    """Exit status: 0, or 2 where a step did not finish."""
    try:
        rows = run(FOLDER, say=lambda sentence: print(f"· {sentence}", flush=True))
    except (DemoError, BuildError, CourseError) as error:
        print(error, file=sys.stderr)
        return 2
    session = load_course(FOLDER / "course.yml").session(SESSION)
    Console(width=112).print(table(session, rows))
    waiting = sum(len(row.to_read) for row in rows)
    jupyter = os.path.relpath(Path(sysconfig.get_path("scripts")) / "jupyter", FOLDER)
    print(NEXT.format(folder=_shown(FOLDER), jupyter=jupyter, count=waiting, session=session.id))
    return 0


def table(session: Session, rows: Sequence[Row]) -> Table:
    """Students by exercises: points, – for what was not handed in, ? for what a person has to read."""
    said = {student.id: student.says for student in STUDENTS}
    drawn = Table(
        title=f"{session.title} ({session.id}), graded by nbgrader", caption="– not handed in · ? for a person to read"
    )
    drawn.add_column("student")
    drawn.add_column("what is handed in")
    for exercise in session.exercises:
        drawn.add_column(f"{exercise.id.partition('-')[2]}\n/{exercise.points:g}", justify="right")
    drawn.add_column("sum", justify="right")
    drawn.add_column("late", justify="right")
    for row in rows:
        cells = [_cell(row, exercise.id) for exercise in session.exercises]
        total = sum(points or 0 for points in row.points.values())
        drawn.add_row(row.student, said[row.student], *cells, f"{total:g}", _late(row.late_seconds))
    return drawn


def _cell(row: Row, exercise: str) -> str:
    points = row.points[exercise]
    if exercise in row.to_read:
        return "?"
    return "–" if points is None else f"{points:g}"


def _late(seconds: float) -> str:
    return f"{seconds / 3600:.0f} h" if seconds else ""


def _shown(path: Path) -> str:
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


if __name__ == "__main__":
    sys.exit(main())
