"""Checking a student's file in a child process, with time and memory limits, so that nothing it does ends ours."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from edgewise.checking.engine import CheckError, unasked
from edgewise.checking.exercise import Finding
from edgewise.checking.exits import how_it_ended
from edgewise.checking.report import Report
from edgewise.course import Course, Exercise, shown

SUFFIXES = (".py", ".ipynb")


@dataclass(frozen=True, slots=True)
class Checked:
    """A report as it came out of the child: its JSON form and its text."""

    data: dict[str, Any]
    text: str

    @classmethod
    def of(cls, report: Report) -> Checked:
        """What is left of a report on its way out of a process."""
        return cls(report.as_json(), report.text)

    @property
    def outcome(self) -> str:
        """One of "passed", "not yet", "could not check"."""
        return str(self.data["outcome"])

    @property
    def points(self) -> float:
        """What was earned."""
        return float(self.data["points"])

    @property
    def max_points(self) -> float:
        """What the exercise is worth."""
        return float(self.data["max_points"])

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings, `expected` and `got` as JSON gives them back."""
        return tuple(Finding(**{**found, "events": tuple(found["events"])}) for found in self.data["findings"])


def check_file(course: Course, exercise: Exercise, path: Path) -> Checked:
    """The report on the answers in `path`, a .py or an .ipynb file.

    A notebook's cells run in order until the first `check("…", …)` of the exercise: what that is handed is
    judged. A file without one is searched for the names the exercise lists. Raises CheckError when there is no
    such file, or the check itself breaks.
    """
    file = Path(path)
    if file.suffix not in SUFFIXES:
        raise CheckError(f"{file.name}: a file to check ends in {' or '.join(SUFFIXES)}")
    if file.is_dir():
        raise CheckError(f"{shown(file)} is a folder; a file to check ends in {' or '.join(SUFFIXES)}")
    if not file.is_file():
        raise CheckError(f"{shown(file)}: there is no such file; {_neighbours(file)}")
    if exercise.written:
        raise CheckError(f"{exercise.id} is a written answer: a person reads it, and nothing checks it")
    request = {"course": str(course.path), "exercise": exercise.id, "file": str(file.resolve())}
    with tempfile.TemporaryDirectory() as home:
        answer, code = _run(request, file.resolve().parent, home, course.limits.file_seconds)
    if code is None:
        return Checked.of(
            unasked(exercise, f"{file.name} ran for more than {course.limits.file_seconds} s and was stopped")
        )
    try:
        reply = json.loads(answer)
    except ValueError:
        return Checked.of(unasked(exercise, f"{file.name} {how_it_ended(code)}, so no answer came"))
    if reply["error"] is not None:
        raise CheckError(reply["error"])
    return Checked(reply["report"], reply["text"])


def _run(request: dict[str, str], folder: Path, home: str, seconds: int) -> tuple[bytes, int | None]:
    """The child's answer and its exit status; None where it had to be stopped."""
    child = subprocess.Popen(
        [sys.executable, "-P", "-m", "edgewise.checking.child"],
        cwd=folder,
        env={**os.environ, "IPYTHONDIR": home, "PYTHONWARNINGS": "ignore"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        answer, _ = child.communicate(json.dumps(request).encode(), timeout=seconds)
    except subprocess.TimeoutExpired:
        return b"", None
    finally:
        _end(child)
    return answer, child.returncode


def _end(child: subprocess.Popen[bytes]) -> None:
    """End the child and whatever it started."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
    else:
        child.kill()
    child.wait()
    for pipe in (child.stdin, child.stdout):
        if pipe is not None:
            pipe.close()


def _neighbours(file: Path) -> str:
    """What could have been meant."""
    try:
        near = sorted(other.name for other in file.parent.iterdir() if other.suffix in SUFFIXES)
    except OSError:
        return f"nor a folder {file.parent.name!r}"
    return f"here are: {', '.join(near)}" if near else f"no {' or '.join(SUFFIXES)} file is there"
