"""What a Dask worker keeps of a run: judges, made on first use and closed with it, and the answer to one submission."""

from __future__ import annotations

import asyncio
import threading
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from distributed import Worker, WorkerPlugin, get_worker

from edgewise.course import CourseError, load_course
from edgewise.grading.gradebook.jobs import ANSWERED, Grader, JobError, Judging, answered
from edgewise.grading.gradebook.record import Stamp
from edgewise.grading.gradebook.standing import shared, stamp

IDLE_SECONDS = 300.0
"""After so long without a submission a bench closes its judges: the run may have been killed."""

PARTS = {
    "source": "the released notebooks",
    "course": "course.yml",
    "checks": "the checks",
    "engine": "edgewise or Python",
}
"""By the parts of a stamp."""


@dataclass(frozen=True, slots=True)
class View:
    """What a worker has to see as it is seen here: the course.yml in this place, and all that its session rests on."""

    course: Path
    session: str
    stamp: Stamp


def answer(run: str, folder: Path, seen: str) -> tuple[str, Any]:
    """What a worker's bench says of a submission, in words as those of a job."""
    bench: Any = get_worker().plugins[run]
    return bench.answer(folder, seen)  # type: ignore[no-any-return]


class Bench(WorkerPlugin):
    """The judges of one run in one worker: as many as its threads use at a time, each for one submission after another.

    Is pickled on its way to each worker, also to those that come later.
    """

    def __init__(self, judging: Judging, view: View, *, idle_seconds: float = IDLE_SECONDS) -> None:
        self._judging = judging
        self._view = view
        self._idle_seconds = idle_seconds

    def setup(self, worker: Worker) -> None:
        """Have room for judges; none is made yet."""
        self._address = worker.address
        self._lock = threading.Lock()
        self._idle: list[tuple[ExitStack, Grader]] = []
        self._closing: threading.Timer | None = None

    async def teardown(self, worker: Worker) -> None:  # noqa: ARG002  # Dask names it
        """Close the judges that have nothing to do, beside the worker's own business."""
        await asyncio.to_thread(self.close)

    def close(self) -> None:
        """Close the judges that have nothing to do."""
        with self._lock:
            idle, self._idle = self._idle, []
            if self._closing is not None:
                self._closing.cancel()
        for stack, _ in idle:
            stack.close()

    def answer(self, folder: Path, seen: str) -> tuple[str, Any]:
        """What becomes of the submission in `folder`, which looks as in `seen`."""
        try:
            stack, judge = self._taken()
        except Exception as error:  # whatever it is, the client says it
            return "fault", str(error) or type(error).__name__
        kind = "broke"
        try:
            if stamp(self._view.stamp, folder).submission != seen:
                kind, said = "ungraded", self._unseen(folder)
            else:
                kind, said = answered(judge, folder)
        finally:
            if kind in ANSWERED:
                self._give_back(stack, judge)
            else:
                stack.close()
        return kind, said

    def _taken(self) -> tuple[ExitStack, Grader]:
        """A judge for one thread. Raises JobError, or whatever keeps a judge from being opened."""
        with self._lock:
            if self._closing is not None:
                self._closing.cancel()
            if self._idle:
                return self._idle.pop()
        self._compare()
        stack = ExitStack()
        return stack, stack.enter_context(self._judging())

    def _give_back(self, stack: ExitStack, judge: Grader) -> None:
        with self._lock:
            self._idle.append((stack, judge))
            self._closing = threading.Timer(self._idle_seconds, self.close)
            self._closing.daemon = True
            self._closing.start()

    def _compare(self) -> None:
        """Hold what is seen here against what the client sees. Raises JobError."""
        path = self._view.course
        try:
            course = load_course(path)
            here = shared(course, course.session(self._view.session))
        except CourseError as error:
            if path.is_file():
                raise
            raise JobError(
                f"the Dask worker at {self._address} does not see {path}; "
                "the course has to lie in a folder that all workers share, under one path"
            ) from error
        there = asdict(self._view.stamp)
        unlike = [name for part, name in PARTS.items() if getattr(here, part) != there[part]]
        if unlike:
            cure = "install the same on both" if "edgewise or Python" in unlike else "share one folder with it"
            raise JobError(
                f"the Dask worker at {self._address} has not the same as this machine: {', '.join(unlike)}; {cure}"
            )

    def _unseen(self, folder: Path) -> str:
        return (
            f"the Dask worker at {self._address} does not see the same files in {'/'.join(folder.parts[-3:])}; "
            "the submissions have to lie in a folder that all workers share"
        )
