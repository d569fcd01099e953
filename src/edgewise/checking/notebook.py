"""`check` in a notebook: shows the report, returns the points."""

from __future__ import annotations

from typing import Any

from edgewise.checking.engine import CheckError, examine
from edgewise.checking.report import Report
from edgewise.course import CourseError, UnknownExerciseError, load_course


def check(exercise: str, *objects: object) -> float:
    """The points that `objects` earn in `exercise`, after showing the report.

    The objects come in the order in which the exercise lists them: `check("ch08-e3", step)`. The value is a
    float from 0 to the exercise's points, which nbgrader reads as partial credit. Raises CheckError, which
    earns nothing under nbgrader, when there is no such exercise, or the check itself is broken.
    """
    try:
        course = load_course()
        report = examine(course.exercise(exercise), objects, course)
    except (CourseError, UnknownExerciseError) as error:
        raise CheckError(str(error)) from None
    _show(report)
    return report.points


def _show(report: Report) -> None:
    """Show the report where there is a front end, else print it."""
    kernel = _kernel()
    if kernel is None:
        print(report.text)
    else:
        from IPython.display import display

        display(report)  # type: ignore[no-untyped-call]


def _kernel() -> Any:
    """The running IPython, if there is one; IPython is not imported for the question."""
    import sys

    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None
