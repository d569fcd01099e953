"""A session's release: lint, then nbgrader's generate_assignment, then a look at what came out, then the swap."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from edgewise.course import Course, Session
from edgewise.release import BuildError
from edgewise.release.lint import problems
from edgewise.release.notebook import NotebookError, read, released


def build(course: Course, session_id: str, *, measured: bool = False) -> Path:
    """See edgewise.release.build."""
    session = course.session(session_id)
    found = problems(course, sessions=[session.id], measured=measured)
    if found:
        raise BuildError(*found)
    release = course.root / course.layout.release
    release.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".building-", dir=release.parent) as folder:
        aside = Path(folder) / "release"
        _generate(course, session, aside)
        _look_over(course, session, aside / session.id)
        _swap(aside / session.id, release / session.id, Path(folder) / "before")
    return release / session.id


def _generate(course: Course, session: Session, aside: Path) -> None:
    command = [
        *(sys.executable, "-m", "nbgrader", "generate_assignment", session.id, "--log-level=WARN"),
        f"--CourseDirectory.release_directory={aside.relative_to(course.root)}",
    ]
    done = subprocess.run(command, cwd=course.root, capture_output=True, text=True, env=_quiet(), check=False)  # noqa: S603
    if done.returncode or not (aside / session.id).is_dir():
        raise BuildError(f"nbgrader made no release of {session.id!r}: {_reason(done.stdout + done.stderr)}")


def _quiet() -> dict[str, str]:
    """The environment without colour and warnings, which would stand in nbgrader's reasons."""
    return {**os.environ, "NO_COLOR": "1", "PYTHONWARNINGS": "ignore"}


def _reason(log: str) -> str:
    """The line that names the exception, the last one of nbgrader's traceback, or all that it said."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    named = [line for line in lines if "Error: " in line and not line.startswith(("[", "raise "))]
    return named[-1] if named else " ".join(lines[-3:]) or "it gave no reason"


def _look_over(course: Course, session: Session, made: Path) -> None:
    """Compare every released cell with what lint looked at. Raises BuildError."""
    found = []
    for notebook in session.notebooks:
        name = f"{notebook.name}.ipynb"
        try:
            before, after = (
                read(course.notebook_path(session, notebook))[0],
                read(made / name)[0],
            )
        except NotebookError as error:
            raise BuildError(f"{session.id}/{name}: cannot be read: {error}") from None
        if [released(cell) for cell in before.cells] != [cell.source for cell in after.cells]:
            found.append(f"{session.id}/{name}: nbgrader's release holds another text than lint looked at")
        if any(cell.outputs for cell in after.cells):
            found.append(f"{session.id}/{name}: nbgrader's release holds saved outputs")
    if found:
        raise BuildError(*found)


def _swap(made: Path, place: Path, before: Path) -> None:
    if place.exists():
        place.rename(before)
    try:
        made.rename(place)
    except OSError:
        if before.exists():
            before.rename(place)
        raise
