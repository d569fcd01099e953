"""From the instructor's notebooks to the students': nbgrader's settings, lint, and the release itself."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from edgewise.course import Course


class BuildError(RuntimeError):
    """No release was made, and the one before is as it was; `problems` holds every sentence about it."""

    def __init__(self, *problems: str) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


def build(course: Course, session_id: str, *, measured: bool = False) -> Path:
    """The folder of the release, new from the instructor's notebooks. Raises BuildError, UnknownSessionError.

    Made aside and moved into place in the end, so there is never half a release. Submissions and grades stay
    as they are; nbgrader refuses to change a session's cells once it has submissions, and so does this.
    `measured` also runs every stub and solution first, which takes a second or two an exercise.
    """
    from edgewise.release import generate

    return generate.build(course, session_id, measured=measured)


def instructor_needs(course: Course) -> str:
    """What lint and build miss here, in one sentence; empty if they can run."""
    if importlib.util.find_spec("nbgrader") is None:
        return "nbgrader is not installed; `pip install 'edgewise[instructor]'` brings it"
    if not (course.root / course.layout.source).is_dir():
        return f"there is no folder {course.layout.source}/ beside {course.path.name}, where the notebooks lie"
    return ""
