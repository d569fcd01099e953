"""nbgrader's own door: for `nbgrader autograde` and formgrader's button a submission is read and judged as elsewhere.

Imported by nbgrader's processes alone. nbgrader has no setting for the class that autogrades, nor for the reading
of timestamps; so `install` puts ours in their place.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook
from nbgrader.apps import api, autogradeapp
from nbgrader.converters import Autograde as Stock
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory

from edgewise.checking.engine import CheckError
from edgewise.course import FILE, Course, CourseError, Session, load_course
from edgewise.grading.judging.judge import MANY, Judge
from edgewise.grading.judging.outcome import GradedNotebook, Outcome
from edgewise.grading.plugins.judged import GRADED
from edgewise.grading.plugins.staging import stage, stage_graded
from edgewise.grading.reading.released import ReleaseError
from edgewise.grading.reading.submission import read
from edgewise.grading.reading.timestamp import timestamp
from edgewise.grading.workers.pool import ZygoteError


class Autograde(Stock):  # type: ignore[misc]
    """nbgrader's converter over submissions that were read and judged first, one at a time, in a folder aside."""

    reading: tuple[Course, Session, dict[str, Path]] | None = None
    judge: Judge | None = None
    outcome: Outcome | None = None

    def start(self) -> None:
        """Grade the session; one that course.yml does not list is nbgrader's own."""
        root = Path(self.coursedir.root)
        try:
            course = load_course(root / FILE)
        except CourseError:
            super().start()
            return
        session = course.sessions.get(self.coursedir.assignment_id)
        folders = dict(self._handed_in(session)) if session is not None else {}
        if session is None or not folders:
            super().start()  # says itself what it did not find
            return
        submitted = self.coursedir.submitted_directory
        with (
            self._judging(course, session, len(folders)) as self.judge,
            tempfile.TemporaryDirectory(prefix=".reading-", dir=(root / submitted).parent) as aside,
        ):
            self.reading = (course, session, folders)
            self.coursedir.submitted_directory = str(Path(aside).relative_to(root))
            try:
                super().start()
            finally:
                self.coursedir.submitted_directory = submitted
                self.reading = None

    @contextmanager
    def _judging(self, course: Course, session: Session, count: int) -> Iterator[Judge]:
        """The judge; what is ours to put right ends the command with a sentence, without a traceback."""
        try:
            with Judge(course, session, many=count >= MANY) as judge:
                yield judge
        except (ReleaseError, CheckError, ZygoteError) as error:
            self.log.critical(str(error))
            raise NbGraderException(str(error)) from None

    def _handed_in(self, session: Session) -> Iterator[tuple[str, Path]]:
        """The students that are asked for, and what each has handed in. A name may hold what a pattern would read."""
        home = Path(self.coursedir.root) / self.coursedir.submitted_directory
        wanted = self.coursedir.student_id
        for student in sorted(home.iterdir()) if home.is_dir() else ():
            asked = student.name == wanted or (student.name[0] != "." and fnmatchcase(student.name, wanted))
            if asked and student.is_dir() and os.path.lexists(student / session.id):
                yield student.name, student / session.id

    def init_notebooks(self) -> None:
        """List the submissions; which notebooks there are turns out when each is read."""
        if self.reading is None:
            super().init_notebooks()
            return
        _, session, folders = self.reading
        self.notebooks: list[str] = []
        self.assignments: dict[str, list[str]] = {self._format_source(session.id, student): [] for student in folders}

    def _format_source(self, assignment_id: str, student_id: str, escape: bool = False) -> str:
        """The staged folder; as a pattern it also finds a student whose id holds a line break."""
        path: str = super()._format_source(assignment_id, student_id, escape=escape)
        return f"(?s:{path})" if escape else path

    def init_destination(self, assignment_id: str, student_id: str) -> bool:
        """Read and stage the submission, then ask nbgrader whether it is to be graded."""
        if self.reading is None:
            return bool(super().init_destination(assignment_id, student_id))
        course, session, folders = self.reading
        submission = read(folders[student_id], session, course)
        staged = Path(self._format_source(assignment_id, student_id))
        names = stage(submission, staged)
        asked = [name for name in names if fnmatchcase(name, self.coursedir.notebook_id)]
        self.notebooks = [str(staged / f"{name}.ipynb") for name in asked]
        wanted = bool(super().init_destination(assignment_id, student_id))
        if wanted and self.judge is not None:
            self.outcome = self.judge.judged(submission)
            stage_graded(self.outcome, staged)
            self._say(student_id, self.outcome)
        return wanted

    def _say(self, student: str, outcome: Outcome) -> None:
        for repair in outcome.repairs:
            self.log.warning("%r: %s", student, repair.sentence)
        for problem in outcome.problems:
            self.log.warning("%r: %s %s", student, problem.sentence, problem.note)

    def _graded(self, notebook_filename: str) -> GradedNotebook | None:
        """What the judge made of the notebook; None where it is none of the course's."""
        if self.reading is None or self.outcome is None:
            return None
        name = Path(notebook_filename).stem
        return next((one for one in self.outcome.notebooks if one.name == name and one.text is not None), None)

    def init_single_notebook_resources(self, notebook_filename: str) -> Any:
        """Nbconvert's resources, and among them what the judge made of the notebook."""
        resources = super().init_single_notebook_resources(notebook_filename)
        resources[GRADED] = self._graded(notebook_filename)
        return resources

    def convert_single_notebook(self, notebook_filename: str) -> None:
        """Grade it; then let wait for a person what only a person can give points for."""
        super().convert_single_notebook(notebook_filename)
        graded = self._graded(notebook_filename)
        if graded is None or self.reading is None:
            return
        student = Path(notebook_filename).parent.parent.name
        with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as gradebook:
            for grade in gradebook.find_submission_notebook(graded.name, self.reading[1].id, student).grades:
                if graded.scores.get(grade.name, 0.0) is None:
                    grade.auto_score, grade.needs_manual_grade = None, True
            gradebook.db.commit()


def existing_timestamp(coursedir: Any, dest_path: str) -> datetime | None:
    """The moment of handing in, in UTC without saying so, as nbgrader keeps it; None where it can't be read."""
    moment = timestamp(Path(dest_path))
    if isinstance(moment, str):
        coursedir.log.warning("%s/timestamp.txt %s; nothing counts as late.", dest_path, moment)
        return None
    return moment.replace(tzinfo=None) if moment else None


def install() -> None:
    """Put these two in the place of nbgrader's, for its command and for formgrader's button."""
    autogradeapp.Autograde = api.Autograde = Autograde
    CourseDirectory.get_existing_timestamp = existing_timestamp
