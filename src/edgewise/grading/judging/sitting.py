"""One notebook of a submission, run in its own worker from top to bottom and judged at each check cell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, NamedTuple

from edgewise.checking.engine import CheckError, examine, unasked
from edgewise.checking.exercise import Domain
from edgewise.checking.notebook import NOT_OURS
from edgewise.checking.report import Report
from edgewise.course import Course, Exercise
from edgewise.grading.judging.outputs import (
    Output,
    errors,
    points_shown,
    reported,
    self_judged,
    unreported,
    well_formed,
)
from edgewise.grading.judging.plan import Batch, Plan
from edgewise.grading.judging.remote import Asker, Remote
from edgewise.grading.reading.rebuild import Cell
from edgewise.grading.workers.answers import Followed
from edgewise.grading.workers.asking import Cell as Source
from edgewise.grading.workers.asking import Ran, Worker, WorkerError

ONLY_NAMED = "`{name}` is not defined in this notebook above its check"
FOREIGN = "`{name}` is the library's own; the exercise asks for one that you wrote"
LONGEST_SAID = 400
"""The most characters of an error that a sentence repeats."""


class Stub(NamedTuple):
    """What an untouched answer answers to the first questions of its exercise, and the report on it."""

    beginning: Followed
    report: Report


@dataclass(slots=True)
class Sitting:
    """What came of one notebook so far: outputs and counts by cell, points by check cell, reports by exercise.

    `points` of None wait for a person. `ended` says how the worker ended, if it did before the last cell. `stub`
    gives what the released notebook's own answers answer to the first questions, and the report on it, if it is known.
    """

    worker: Worker
    course: Course
    domain: Domain
    plans: Mapping[str, Plan]
    exercises: Mapping[str, Exercise]
    stub: Callable[[str], Stub | None]
    outputs: dict[str, list[Output]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    points: dict[str, float | None] = field(default_factory=dict)
    reports: dict[str, Report] = field(default_factory=dict)
    asserts: list[str] = field(default_factory=list)
    ended: str | None = None
    seconds: dict[str, float] = field(default_factory=lambda: {"run": 0.0, "judge": 0.0})
    _handed: dict[str, tuple[tuple[str, bool, bool], ...]] = field(default_factory=dict)
    _untouched: set[str] = field(default_factory=set)

    def hand_out(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Put files beside the notebook."""
        try:
            for path, data in files:
                self.worker.put(path, data)
        except WorkerError as error:
            self.ended = str(error)

    def sit(self, cells: tuple[Cell, ...]) -> None:
        """Run the code cells in order; at each check cell stop and judge."""
        waiting: list[Cell] = []
        for cell in cells:
            if cell.role == "answer" and cell.exercise and cell.is_untouched:
                self._untouched.add(cell.exercise)
            if cell.kind != "code" or not cell.source.strip():
                continue
            self.counts[cell.id] = len(self.counts) + 1
            waiting.append(cell)
            if cell.role == "check":
                self._run(waiting)
                self._mark(cell)
                waiting = []
        self._run(waiting)

    def _run(self, cells: list[Cell]) -> None:
        if self.ended or not cells:
            return
        began = perf_counter()
        sources = [Source(cell.id, cell.source, cell.exercise if cell.role == "check" else None) for cell in cells]
        try:
            ran: Ran = self.worker.run(sources, cell_seconds=self.course.limits.cell_seconds)
        except WorkerError as error:
            self.ended = str(error)
        else:
            for cell in cells:  # a worker may speak of others too, such as checks that were marked before
                self.outputs[cell.id] = well_formed(ran.outputs.get(cell.id, []), self.counts[cell.id])
            self._handed = ran.handed
        self.seconds["run"] += perf_counter() - began

    def _mark(self, cell: Cell) -> None:
        """Judge the exercise of a check cell, which has run, and write the cell's outputs."""
        began = perf_counter()
        exercise = self.exercises.get(cell.exercise or "")
        if exercise is None:
            self._mark_asserts(cell)
        else:
            report = self._judged(exercise, self.outputs.get(cell.id, []))
            self.reports[exercise.id] = report
            if report.outcome == "could not check":
                self.points[cell.grade_id] = None
                self.outputs[cell.id] = unreported(report)
            else:
                self.points[cell.grade_id] = report.points
                said = [] if report.points else errors(self.outputs.get(cell.id, []))  # nbgrader reads 0 out of one
                self.outputs[cell.id] = [*said, *reported(report, report.points, self.counts[cell.id])]
        self.seconds["judge"] += perf_counter() - began

    def _mark_asserts(self, cell: Cell) -> None:
        """A cell of the instructor's without a check: what it showed in the worker counts, and is marked as such."""
        most = float(cell.metadata["nbgrader"]["points"])
        self.asserts.append(cell.grade_id)
        shown = self.outputs.get(cell.id, [])
        points = 0.0 if self.ended else points_shown(shown, most)
        self.points[cell.grade_id] = points
        self.outputs[cell.id] = self_judged(shown, points)

    def _judged(self, exercise: Exercise, outputs: list[Output]) -> Report:
        if self.ended:
            return unasked(exercise, f"the notebook's code {self.ended}; nothing could be asked")
        handed = self._handed.get(exercise.id)
        if handed is None:
            return unasked(exercise, _why_nothing(exercise, outputs))
        if len(handed) != len(exercise.objects):
            return unasked(exercise, NOT_OURS.format(exercise=exercise.id))
        for name, (_, _, ours) in zip(exercise.objects, handed, strict=True):
            if ours:
                return unasked(exercise, FOREIGN.format(name=name))
        try:
            return self._examined(exercise)
        except WorkerError as error:
            self.ended = str(error)
        except CheckError as error:
            if not isinstance(error.__cause__, WorkerError):
                return _not_checked(exercise, str(error))
            self.ended = str(error.__cause__)
        names = " or ".join(f"`{name}`" for name in exercise.objects)
        return unasked(exercise, f"while {names} was asked, its code {self.ended}")

    def _examined(self, exercise: Exercise) -> Report:
        """The stub's report where it is the stub, the plan's where that passes, else what the check itself finds."""
        plan, followed = self.plans.get(exercise.id), None
        if plan is not None and all(called for _, called, _ in self._handed[exercise.id]):
            stub = self.stub(exercise.id) if exercise.id in self._untouched else None
            if stub is not None and self._followed(plan, plan.beginning).is_like(stub.beginning):
                return stub.report
            followed = self._followed(plan, plan.batch)
            if plan.passes(followed):
                return plan.passed
        objects = [Remote(exercise.id, position) for position in range(len(self._handed[exercise.id]))]
        return examine(
            exercise,
            objects,
            self.course,
            lambda seconds: Asker(self.worker, seconds, plan, followed),
            self.domain,
        )

    def _followed(self, plan: Plan, batch: Batch) -> Followed:
        seconds = self.course.limits.check_seconds
        return self.worker.follow(plan.exercise, batch.packed, batch.count, seconds=seconds)

    def as_stubs(self) -> dict[str, Stub]:
        """What the answers in this notebook answer to the first questions: of use where it is the released one."""
        found: dict[str, Stub] = {}
        for name, report in self.reports.items():
            plan = self.plans.get(name)
            if plan is not None and name in self._handed and report.outcome == "not yet":
                with suppress(WorkerError):
                    found[name] = Stub(self._followed(plan, plan.beginning), report)
        return found


def _why_nothing(exercise: Exercise, outputs: list[Output]) -> str:
    """Why a check cell that ran handed nothing in."""
    said: Any = errors(outputs)
    if not said:
        return NOT_OURS.format(exercise=exercise.id)
    for name in exercise.objects:
        if said[0]["ename"] == "NameError" and f"'{name}'" in said[0]["evalue"]:
            return ONLY_NAMED.format(name=name)
    error = f"{said[0]['ename']}: {said[0]['evalue']}"
    return f"the check cell ended in an error, {error[:LONGEST_SAID]}"


def _not_checked(exercise: Exercise, why: str) -> Report:
    return Report(
        exercise=exercise.id,
        title=exercise.title,
        outcome="could not check",
        max_points=float(exercise.points),
        error=f"{why}; a person will look at it",
    )
