"""`nbgrader export`: nbgrader's table of grades, quoted as CSV is, with no cell that a spreadsheet would run."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook, SubmittedAssignment
from nbgrader.plugins import ExportPlugin

COLUMNS = (
    "assignment",
    "duedate",
    "timestamp",
    "student_id",
    "last_name",
    "first_name",
    "email",
    "raw_score",
    "late_submission_penalty",
    "score",
    "max_score",
)
STARTS = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
"""What a spreadsheet takes for the start of a formula; Excel in East Asian settings also the wide forms."""


class Grades(ExportPlugin):  # type: ignore[misc]
    """nbgrader's CSV exporter with the same rows and columns, in the same order."""

    def export(self, gradebook: Gradebook) -> None:
        """Write grades.csv, or the file that `--to` names; `--student` and `--assignment` choose rows."""
        path = Path(self.to or "grades.csv")
        self.log.info("Exporting grades to %s", path)
        if self.assignment:
            self.log.info("Exporting only assignments: %s", self.assignment)
        if self.student:
            self.log.info("Exporting only students: %s", self.student)
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)  # \r\n ends a line: with \n alone, csv leaves a cell's own \r without quotes
            writer.writerow(COLUMNS)
            writer.writerows([cell(value) for value in row] for row in self._rows(gradebook))

    def _rows(self, gradebook: Gradebook) -> Iterator[tuple[Any, ...]]:
        """One row for each student and assignment; 0 points where nothing was handed in."""
        found = gradebook.db.query(
            SubmittedAssignment.assignment_id,
            SubmittedAssignment.student_id,
            SubmittedAssignment.timestamp,
            SubmittedAssignment.score,
            SubmittedAssignment.late_submission_penalty,
        )
        handed_in = {(assignment, student): rest for assignment, student, *rest in found}
        students = [one for one in gradebook.students if _wanted(one.id, self.student)]
        for assignment in gradebook.assignments:
            if not _wanted(assignment.name, self.assignment):
                continue
            most = assignment.max_score
            for student in students:
                timestamp, score, penalty = handed_in.get((assignment.id, student.id), (None, 0.0, 0.0))
                who = (student.id, student.last_name, student.first_name, student.email)
                points = (score, penalty, max(0.0, score - penalty), most)
                yield (assignment.name, assignment.duedate, timestamp, *who, *points)


def _wanted(name: str, chosen: list[Any]) -> bool:
    return not chosen or name in map(str, chosen)


def cell(value: object) -> object:
    """A number as it is; a text with an apostrophe before it, where a spreadsheet would take it for a formula.

    Spaces, control characters and quotes before the sign do not hide it: some spreadsheets drop them.
    """
    if value is None or isinstance(value, int | float):
        return value
    text = str(value)
    start = text.lstrip(" \t\r\n\0\v\f\N{NO-BREAK SPACE}\N{ZERO WIDTH NO-BREAK SPACE}'\"")
    return f"'{text}" if text[:1] in ("\t", "\r", "\n") or start.startswith(STARTS) else text
