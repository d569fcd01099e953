"""Asking a check from a test: the course as it stands, and a report on some objects."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from edgewise.checking.engine import examine, load_check
from edgewise.checking.report import Report
from edgewise.course import Course, load_course

ROOT = Path(__file__).parents[2]


def course(**limits: int) -> Course:
    """The repository's own course, with other limits where given."""
    read = load_course(ROOT / "course.yml")
    return replace(read, limits=replace(read.limits, **limits))


def report(exercise: str, *objects: Any, **limits: int) -> Report:
    """The report on `objects`."""
    its = course(**limits)
    return examine(its.exercise(exercise), objects, its)


def check_of(exercise: str) -> Any:
    """The check of an exercise."""
    its = course()
    return load_check(its.check_path(its.exercise(exercise)))
