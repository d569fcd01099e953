"""`check` in a notebook: shows the report, returns the points.

Importing this module in a kernel also registers one listener, which explains a name that a check cell misses:
Python raises its NameError before `check` is called, so nothing else could.
"""

from __future__ import annotations

import re
import sys
from typing import Any

from edgewise.checking.engine import CheckError, examine, unasked
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
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None


def explain_missing(result: Any) -> None:
    """After a check cell that failed for a missing name: say what is missing, and what to do."""
    error = result.error_in_exec
    call = re.search(r"""check\(\s*["']([\w-]+)["']""", result.info.raw_cell or "")
    if not isinstance(error, NameError) or call is None:
        return
    try:
        exercise = load_course().exercise(call[1])
    except (CourseError, UnknownExerciseError):
        return
    if error.name in exercise.objects:
        missing = f"`{error.name}` is not defined in this notebook; run the cell that defines it, then this one again"
        _show(unasked(exercise, missing))


if _kernel() is not None:
    _kernel().events.register("post_run_cell", explain_missing)
