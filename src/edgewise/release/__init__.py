"""From the instructor's notebooks to the students': nbgrader's settings, lint, and the release itself."""

from __future__ import annotations

from pathlib import Path

from edgewise.course import Course


def build(course: Course, session_id: str, *, measured: bool = False) -> Path:
    """The folder of a session's new release; see edgewise.release.generate, which is imported only now."""
    from edgewise.release import generate

    return generate.build(course, session_id, measured=measured)
