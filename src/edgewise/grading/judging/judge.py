"""A submission in, its Outcome out: read and repaired, each notebook run in a worker of its own, judged from here."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter
from typing import Any

from edgewise.checking.report import Report
from edgewise.course import Course, Session
from edgewise.grading.confinement import Policy
from edgewise.grading.judging.outcome import GradedNotebook, Outcome
from edgewise.grading.judging.outputs import nothing_ran
from edgewise.grading.judging.plan import planned_all
from edgewise.grading.judging.private import domain_of
from edgewise.grading.judging.sitting import Sitting, Stub
from edgewise.grading.reading.folder import Unread, content, listing
from edgewise.grading.reading.found import Problem, Repair
from edgewise.grading.reading.note import with_note
from edgewise.grading.reading.rebuild import Cell, untouched
from edgewise.grading.reading.released import Released, released
from edgewise.grading.reading.submission import Notebook, Submission, read
from edgewise.grading.reading.timestamp import FILE
from edgewise.grading.workers.asking import Worker
from edgewise.grading.workers.pool import Workers
from edgewise.grading.workers.warm import PRELOADED, warming
from edgewise.release.ignored import is_ignored

MANY = 4
"""From so many submissions on it pays to warm up."""

FORM = {"indent": 1, "sort_keys": True, "ensure_ascii": False, "separators": (",", ": ")}
"""How nbformat writes a notebook."""


class Judge:
    """Grades submissions of one session, one after another; a context manager, which keeps a warm parent of workers.

    `workers` are somebody else's, to be used and left open; it makes its own if there are none. With `many` to grade,
    their parent first runs the course's own cells once, so that what these cache is there for
    every worker. Raises CourseError, ReleaseError, CheckError or ZygoteError for what is ours to put right, and
    nothing for what a submission is or does.
    """

    def __init__(
        self,
        course: Course,
        session: Session,
        *,
        many: bool = True,
        policy: Policy | None = None,
        workers: Workers | None = None,
    ) -> None:
        self.course = course
        self.session = session
        self._many = many
        self._policy = policy
        self._given = workers
        self._stack = ExitStack()
        self._stubs: dict[str, dict[str, Stub]] = {}

    def __enter__(self) -> Judge:
        self.domain = domain_of(self.course)
        self._released = released(self.course, self.session)
        self._most = _most(self._released)
        self._further = tuple(_further(self.course, self.session))
        with ExitStack() as stack:
            self._workers = self._given or stack.enter_context(Workers(self._policy, preload=PRELOADED))
            if self._many:
                self._workers.warm(warming(self._released))
            self._plans = {
                plan.exercise: plan for plan in planned_all(self.session.exercises, self.course, self.domain)
            }
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *exc: object) -> None:
        self._stack.close()

    def grade(self, folder: Path) -> Outcome:
        """What the submission in `folder` earns."""
        began = perf_counter()
        submission = read(folder, self.session, self.course)
        reading = perf_counter() - began
        outcome = self.judged(submission)
        return outcome.within({"read": reading})

    def judged(self, submission: Submission) -> Outcome:
        """What a submission that was read earns."""
        nothing = all(notebook.state == "missing" for notebook in submission.notebooks)
        handed_in = [notebook for notebook in submission.notebooks if notebook.state == "read"]
        sat = dict(zip([one.name for one in handed_in], self._all_sat(handed_in, submission), strict=True))
        repairs, problems = [*submission.repairs], [*submission.problems]
        for name, sitting in sat.items():
            repairs += _asserts(name, sitting)
            problems += _problems(name, sitting)
        graded = tuple(
            _graded(notebook, sat.get(notebook.name), nothing, repairs, problems) for notebook in submission.notebooks
        )
        return Outcome(
            notebooks=graded,
            files=(*((path, submission.folder / path) for path in _kept(submission)), *self._further),
            handed_in=submission.handed_in,
            points=sum(score or 0.0 for notebook in graded for score in notebook.scores.values()),
            max_points=self._most,
            repairs=tuple(repairs),
            problems=tuple(problems),
            depth=self.domain.depth,
            seed=self.domain.seed,
            reports=tuple(_record(report) for sitting in sat.values() for report in sitting.reports.values()),
            layers=next((sitting.worker.layers for sitting in sat.values()), None),
            seconds=_added(sitting.seconds for sitting in sat.values()),
        )

    def _all_sat(self, notebooks: Sequence[Notebook], submission: Submission) -> list[Sitting]:
        """The notebooks after they were run: one after another among many submissions, else at the same time."""
        if self._many or len(notebooks) < 2:
            return [self._sat(notebook, submission) for notebook in notebooks]
        with ThreadPoolExecutor(len(notebooks)) as at_once:
            return [*at_once.map(lambda notebook: self._sat(notebook, submission), notebooks)]

    def _sat(self, notebook: Notebook, submission: Submission) -> Sitting:
        """The notebook after it was run; its worker is gone."""
        began = perf_counter()
        with self._worker(notebook.name) as worker:
            made = perf_counter() - began
            sitting = self._sitting(worker, notebook.name, self._stub if self._many else _unknown)
            sitting.seconds |= {"fork": made - worker.confining_seconds, "confinement": worker.confining_seconds}
            sitting.hand_out(self._beside(submission))
            sitting.sit(notebook.cells)
        return sitting

    def _worker(self, notebook: str) -> Worker:
        limits = self.course.limits
        exercises = sum(one.notebook == notebook for one in self.session.exercises)
        return self._workers.worker(2 * limits.cell_seconds + 4 * limits.check_seconds * exercises)

    def _sitting(self, worker: Worker, notebook: str, stub: Callable[[str], Stub | None]) -> Sitting:
        exercises = {one.id: one for one in self.session.exercises if one.notebook == notebook}
        return Sitting(worker, self.course, self.domain, self._plans, exercises, stub)

    def _stub(self, exercise: str) -> Stub | None:
        """What the release itself answers: run here, since no student's process may say what others answer."""
        name = self.course.exercise(exercise).notebook
        if name not in self._stubs:
            own = next(one for one in self._released if one.name == name)
            with self._worker(name) as worker:
                sitting = self._sitting(worker, name, _unknown)
                sitting.sit(untouched(own).cells)
                self._stubs[name] = sitting.as_stubs()
        return self._stubs[name].get(exercise)

    def _beside(self, submission: Submission) -> Iterator[tuple[str, bytes]]:
        """The files that lie beside the notebooks: the student's, and above them the course's own."""
        own = [(path, path, submission.folder) for path in submission.files]
        given = [(path, whole.name, whole.parent) for path, whole in self._further]
        for path, name, folder in (*own, *given):
            data = content(folder, name)
            if not isinstance(data, Unread):
                yield path, data


def _unknown(_exercise: str) -> None:
    """No stub is known: every answer is asked everything."""


def _kept(submission: Submission) -> tuple[str, ...]:
    """The student's files that stand beside the autograded notebooks; the timestamp if it says when."""
    return submission.files if submission.handed_in is None else (*submission.files, FILE)


def _further(course: Course, session: Session) -> Iterator[tuple[str, Path]]:
    """The course's own files beside the session's notebooks, as a release has them."""
    folder = (course.root / course.layout.source / session.id).resolve()
    for entry in listing(folder).entries if folder.is_dir() else ():
        parts = Path(entry.path).parts
        if entry.kind == "file" and not entry.name.endswith(".ipynb") and not any(map(is_ignored, parts)):
            yield entry.path, folder / entry.path


def _graded(
    notebook: Notebook,
    sitting: Sitting | None,
    nothing: bool,
    repairs: Sequence[Repair],
    problems: Sequence[Problem],
) -> GradedNotebook:
    """One notebook's file, scores and what was answered. `nothing` says that no notebook was handed in at all."""
    is_left_out = notebook.state == "missing" and not nothing
    scores = {
        cell.grade_id: 0.0 if is_left_out else _score(cell, sitting) for cell in notebook.cells if _flag(cell, "grade")
    }
    if is_left_out:
        scores |= {cell.grade_id: 0.0 for cell in notebook.cells if _flag(cell, "task")}
    answered = {
        cell.grade_id: _flag(cell, "task") or not cell.is_untouched
        for cell in notebook.cells
        if _flag(cell, "solution") or _flag(cell, "task")
    }
    if is_left_out:
        return GradedNotebook(notebook.name, None, scores, {})
    mine = [one for one in repairs if one.notebook in (notebook.name, None)]
    wrong = [one for one in problems if one.notebook in (notebook.name, None)]
    raw = with_note(notebook, mine, wrong)
    _fill(raw, notebook, sitting)
    text = json.dumps(raw, **FORM).encode("utf-8", "replace").decode() + "\n"  # type: ignore[arg-type]
    return GradedNotebook(notebook.name, text, scores, answered)


def _score(cell: Cell, sitting: Sitting | None) -> float | None:
    """A cell's points; None where a person has to give them."""
    if sitting is None:
        return None
    if cell.role == "check":
        return sitting.points.get(cell.grade_id)
    return 0.0 if cell.is_untouched else None


def _flag(cell: Cell, name: str) -> bool:
    return bool(cell.metadata.get("nbgrader", {}).get(name))


def _fill(raw: dict[str, Any], notebook: Notebook, sitting: Sitting | None) -> None:
    """Put outputs and counts into the notebook's cells; where nothing ran, each check says so, and so earns nothing."""
    checks = {cell.id for cell in notebook.cells if cell.role == "check"}
    for cell in raw["cells"]:
        if sitting is None and cell["id"] in checks:
            cell["outputs"] = [nothing_ran()]
        elif sitting is not None and cell["id"] in sitting.counts:
            cell["execution_count"] = sitting.counts[cell["id"]]
            cell["outputs"] = sitting.outputs.get(cell["id"], [])


def _problems(name: str, sitting: Sitting) -> Iterator[Problem]:
    """What a person should know of a notebook that was run."""
    if sitting.ended:
        words = f"{name}: its code {sitting.ended}; what was not checked before earns 0."
        note = "Run the notebook yourself, in a place where it can do no harm, to see which cell did it."
        yield Problem("ended", name, words, note)
    for report in sitting.reports.values():
        if report.outcome == "could not check":
            words = f"{name}: {report.exercise} could not be checked: {report.error}."
            yield Problem(
                "could not check", name, words, "This is a fault of the kit or the course, not the student's."
            )


def _asserts(name: str, sitting: Sitting) -> Iterator[Repair]:
    for cell in sitting.asserts:
        words = f"{name}, {cell!r}: plain asserts, judged by what the student's own process said"
        yield Repair("asserts", name, cell, words)


def _record(report: Report) -> dict[str, Any]:
    return {**report.as_json(), "kept": [*report.kept], "broken": [*report.broken]}


def _added(parts: Iterable[Mapping[str, float]]) -> dict[str, float]:
    total: dict[str, float] = {}
    for seconds in parts:
        for name, some in seconds.items():
            total[name] = total.get(name, 0.0) + some
    return total


def _most(notebooks: Sequence[Released]) -> float:
    """The points that all of the session's cells give together."""
    cells = [slot.metadata["nbgrader"] for notebook in notebooks for slot in notebook.slots if slot.grade_id]
    return float(sum(cell.get("points", 0) for cell in cells if cell.get("grade") or cell.get("task")))
