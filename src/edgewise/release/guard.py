"""Two preprocessors that nbgrader runs first: they hold its pipeline to course.yml. Imported by nbgrader alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor

from edgewise.course import Course, Session, find_course, load_course
from edgewise.release.files import stray


class StrayFileError(Exception):
    """A session's folder holds what course.yml does not list, so nothing of it is released."""


class DueDate(NbGraderPreprocessor):  # type: ignore[misc]
    """Writes the session's due date, or that it has none, into the gradebook: course.yml is the only list."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """The notebook as it came."""
        named = resources["nbgrader"]
        course = load_course(find_course(Path(resources["metadata"]["path"])))
        session = course.sessions.get(named["assignment"])
        if session is not None:
            due = session.due.isoformat() if session.due else None
            with Gradebook(named["db_url"], course.course) as gradebook:
                gradebook.update_or_create_assignment(session.id, duedate=due)
        return nb, resources


class Listed(DueDate):
    """Lets only a session through whose folder holds nothing but what course.yml lists."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """The notebook as it came. Raises StrayFileError, or UnknownSessionError."""
        course: Course = load_course(find_course(Path(resources["metadata"]["path"])))
        session: Session = course.session(resources["nbgrader"]["assignment"])
        found = stray(course, session)
        if found:
            raise StrayFileError("\n".join(found))
        return super().preprocess(nb, resources)
