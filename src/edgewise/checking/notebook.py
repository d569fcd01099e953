"""What a student calls in a notebook: `check`, `walk` and `hint`.

Importing this module in a kernel also registers one listener, which explains a check cell that never came to our
`check`: for a name that is missing, or a `check` of the student's own. Nothing else could.
"""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

from edgewise.checking.calling import Caller
from edgewise.checking.engine import CheckError, examine, load_check, unasked
from edgewise.checking.exercise import Check
from edgewise.checking.hints import hints_for
from edgewise.checking.machines import MachineCheck
from edgewise.checking.page import page
from edgewise.checking.report import Report
from edgewise.checking.stepwise import Walked, walk_through
from edgewise.course import Course, CourseError, Exercise, UnknownExerciseError, load_course


def check(exercise: str, *objects: object) -> float:
    """The points that `objects` earn in `exercise`, after showing the report.

    The objects come in the order in which the exercise lists them: `check("ch08-e3", step)`. The value is a
    float from 0 to the exercise's points, which nbgrader reads as partial credit. Raises CheckError, which
    earns nothing under nbgrader, when there is no such exercise, or the check itself is broken.
    """
    _CALLED.append(exercise)
    course, listed = _listed(exercise)
    with _kept_within():
        report = examine(listed, objects, course)
    _SEEN[exercise] = Seen(report, load_check(course.check_path(listed)))
    _show(report.text, page(report))
    return report.points


def walk(exercise: str, step: Callable[..., Any], events: str | Iterable[str] = "", *, machine: int = 1) -> Walked:
    """The run of `step` through `events` (names, or a text of them), shown beside the declared machine.

    `machine` is the number of the machine, from 1, where the exercise has several. Raises CheckError when the
    exercise has no machine, or not that many.
    """
    course, listed = _listed(exercise)
    check = load_check(course.check_path(listed))
    if not isinstance(check, MachineCheck):
        raise CheckError(f"{exercise} is no machine, so there is nothing to walk; check(…) shows its inputs")
    if not 1 <= machine <= len(check.settings):
        raise CheckError(f"{exercise} has machines 1 to {len(check.settings)}; there is no machine {machine}")
    setting = check.settings[machine - 1]
    with _kept_within(), Caller(course.limits.check_seconds) as ask:
        reason = check.unfit((step,), listed.objects, ask)
        if reason:
            raise CheckError(reason)
        return walk_through(setting, step, events.split() if isinstance(events, str) else [*events], ask)


def hint(exercise: str) -> None:
    """Show the next hint, of three, on what the last `check` of `exercise` in this kernel found."""
    _listed(exercise)
    seen = _SEEN.get(exercise)
    if seen is None:
        raise CheckError(f"no check of {exercise} ran here yet; a hint starts from what it found")
    if not seen.report.findings:
        text = f"{exercise} has passed; there is nothing to hint at."
        _show(text, f"<p>{escape(text)}</p>")
        return
    hints = hints_for(seen.report.findings[0], seen.check)
    number = min(seen.given, len(hints) - 1)
    seen.given += 1
    text = f"Hint {number + 1} of {len(hints)}. {hints[number]}"
    _show(text, f'<p style="max-width: 60em">{escape(text)}</p>')


def _listed(exercise: str) -> tuple[Course, Exercise]:
    try:
        course = load_course()
        return course, course.exercise(exercise)
    except (CourseError, UnknownExerciseError) as error:
        raise CheckError(str(error)) from None


@dataclass(slots=True)
class Seen:
    """The last report on an exercise, and how many hints followed it."""

    report: Report
    check: Check
    given: int = 0


_SEEN: dict[str, Seen] = {}
"""What `hint` starts from: it is a question about the check that was made last, so somebody has to remember it."""


def _show(text: str, html: str) -> None:
    """Show the HTML where there is a front end, else print the text."""
    kernel = _kernel()
    if kernel is None:
        print(text)
    else:
        from IPython.display import display

        display({"text/plain": text, "text/html": html}, raw=True)  # type: ignore[no-untyped-call]


def _kernel() -> Any:
    """The running IPython, if there is one; IPython is not imported for the question."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None


@contextlib.contextmanager
def _kept_within() -> Iterator[None]:
    """In a kernel: what student code displays or logs is not shown, and its exit() does not end the kernel."""
    kernel = _kernel()
    if kernel is None:
        yield
        return
    from IPython.utils.capture import capture_output

    streams = (sys.stdout, sys.stderr)
    with capture_output(stdout=False, stderr=False):
        kernel.ask_exit = sys.exit
        for stream in streams:
            stream.write = len  # type: ignore[method-assign]  # a log handler may hold it
        try:
            yield
        finally:
            del kernel.ask_exit
            for stream in streams:
                del stream.write


CALL = re.compile(r"""check\(\s*["']([\w-]+)["']""")


def after_cell(result: Any) -> None:
    """What the kernel calls after each cell: a check cell that was none of ours is explained.

    A name that is missing raises before `check` is called. A `check` of the student's own earns nothing: what is
    written to stderr counts as 0 under nbgrader, where a cell without a number would earn everything.
    """
    called, _CALLED[:] = list(_CALLED), []
    source = (result.info.raw_cell or "").strip()
    call = CALL.search(source)
    if call is None or called:
        return
    try:
        exercise = load_course().exercise(call[1])
    except (CourseError, UnknownExerciseError):
        return
    error = result.error_in_exec
    if isinstance(error, NameError) and error.name in exercise.objects:
        missing = f"`{error.name}` is not defined in this notebook; run the cell that defines it, then this one again"
        report = unasked(exercise, missing)
        _show(report.text, page(report))
    elif result.success and call.start() == 0:
        print(NOT_OURS.format(exercise=exercise.id), file=sys.stderr)


NOT_OURS = (
    "{exercise} was not checked: `check` is another function in this notebook. Give yours another name, run "
    "`from edgewise import check`, and this cell again."
)

_CALLED: list[str] = []
"""The checks that the cell at hand has made."""


if _kernel() is not None:
    _kernel().events.register("post_run_cell", after_cell)
