"""Job processes, fed with submissions, so that a class is graded in parallel.

Where processes fork, a judge is made once and inherited; elsewhere each job makes its own. Only a few submissions are
out at a time. A job that ends under a submission is replaced, the submission tried once more, by a new judge. Jobs end
with their parent, however it ends.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple, NoReturn, Protocol

from edgewise.grading.judging.outcome import Outcome

AHEAD = 2
"""How many submissions a job has at a time: the one it grades, and the next."""

ATTEMPTS = 2
"""How often a submission is begun, counting the first."""

STARTS = 3
"""How many jobs in a row may end before they are ready, until nothing is to be hoped for."""

ANSWERED = ("graded", "ungraded")
"""After one of these words a judge may go on."""

TICK_SECONDS = 0.5
END_SECONDS = 15.0


class Grader(Protocol):
    """What a job asks: the outcome of one submission."""

    def grade(self, folder: Path) -> Outcome:
        """The outcome of the submission in `folder`."""


Judging = Callable[[], AbstractContextManager[Grader]]


class JobError(Exception):
    """Nothing can be graded: the fault is ours, the course's or the machine's."""


class Task(NamedTuple):
    """A submission to be graded; `about` comes back with it."""

    folder: Path
    about: Any = None


class Done(NamedTuple):
    """A submission that was graded; `why_not` ends a sentence where it could not be."""

    task: Task
    outcome: Outcome | None
    why_not: str | None = None


def usable() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(slots=True)
class Job:
    """One process, as its parent sees it; `tasks` are out, the first of them at work."""

    process: BaseProcess
    connection: Connection
    tasks: deque[Task] = field(default_factory=deque)
    is_ready: bool = False


class Jobs:
    """At most `count` processes, started as they are needed, each with what `judging` opens, or a fork of it."""

    def __init__(self, judging: Judging, count: int, *, forks: bool = sys.platform == "linux") -> None:
        self._forks = forks
        self._judging = judging
        self._count = count
        self._jobs: list[Job] = []
        self._again: deque[Task] = deque()
        self._begun: dict[Path, int] = {}
        self._false_starts = 0
        self._stack = ExitStack()
        self._judge: Grader | None = None

    def __enter__(self) -> Jobs:
        return self

    def __exit__(self, *_: object) -> None:
        """End every job: those without work end of themselves."""
        for job in self._jobs:
            if job.tasks:
                job.process.terminate()
            job.connection.close()
        for job in self._jobs:
            job.process.join(END_SECONDS)
            if job.process.is_alive():
                job.process.kill()
                job.process.join()
        self._jobs.clear()
        self._stack.close()

    def over(self, tasks: Iterable[Task], tick: Callable[[], object] = lambda: None) -> Iterator[Done]:
        """Each submission as it is done, in no order; `tick` is called now and then meanwhile. Raises JobError."""
        coming = iter(tasks)
        while True:
            self._hand_out(coming)
            if not any(job.tasks for job in self._jobs):
                return
            for connection in wait([job.connection for job in self._jobs], TICK_SECONDS):
                job = next(job for job in self._jobs if job.connection is connection)
                yield from self._heard(job)
            tick()

    def _hand_out(self, coming: Iterator[Task]) -> None:
        """Give each job as much as it may have, starting jobs while there is work for them."""
        while True:
            job = min(self._jobs, key=lambda job: len(job.tasks), default=None)
            if job is not None and job.tasks and len(self._jobs) < self._count:
                job = None
            if job is not None and len(job.tasks) >= AHEAD:
                return
            task = self._again.popleft() if self._again else next(coming, None)
            if task is None:
                return
            job = job or self._start()
            job.tasks.append(task)
            with suppress(OSError):  # a job that has ended is heard of soon
                job.connection.send(task.folder)

    def _start(self) -> Job:
        can_fork = self._forks and threading.active_count() == 1
        judging = self._inherited() if can_fork else self._judging
        context: Any = multiprocessing.get_context("fork" if can_fork else "spawn")
        ours, theirs = context.Pipe()
        inherited = [ours, *(job.connection for job in self._jobs)] if can_fork else []
        process = context.Process(target=_serve, args=(theirs, inherited, judging), daemon=True)
        process.start()
        theirs.close()
        job = Job(process, ours)
        self._jobs.append(job)
        return job

    def _inherited(self) -> Judging:
        """Gives a job the judge that stands open here. Raises JobError where none can be opened."""
        if self._judge is None:
            try:
                self._judge = self._stack.enter_context(self._judging())
            except Exception as error:  # whatever it is, it is for people to read
                raise JobError(str(error) or type(error).__name__) from error
        judge = self._judge
        return lambda: nullcontext(judge)

    def _heard(self, job: Job) -> Iterator[Done]:
        """What one message of a job comes to."""
        try:
            kind, said = job.connection.recv()
        except (EOFError, OSError):
            yield from self._ended(job, None)
            return
        if kind == "fault":
            raise JobError(said)
        if kind == "ready":
            job.is_ready, self._false_starts = True, 0
        elif kind == "broke":
            yield from self._ended(job, said)
        else:
            task = job.tasks.popleft()
            self._begun.pop(task.folder, None)
            yield Done(task, said) if kind == "graded" else Done(task, None, said)

    def _ended(self, job: Job, said: str | None) -> Iterator[Done]:
        """Take the job away; what it had not begun is for others, what it had is tried once more."""
        self._jobs.remove(job)
        self._judge = None  # it may be the judge that is at fault; jobs that have it keep it
        job.connection.close()
        job.process.join(END_SECONDS)
        reason = said or _fate(job.process.exitcode)
        if not job.is_ready:
            self._false_starts += 1
            if self._false_starts >= STARTS:
                raise JobError(f"no grading process could be started: {reason}")
            self._again.extendleft(reversed(job.tasks))
            return
        if not job.tasks:
            return
        task, *others = job.tasks
        self._again.extendleft(reversed(others))
        begun = self._begun[task.folder] = self._begun.get(task.folder, 0) + 1
        if begun < ATTEMPTS:
            self._again.append(task)
        else:
            yield Done(task, None, f"{reason}, each of {begun} times")


def _fate(code: int | None) -> str:
    """How a process ended, in words."""
    if code is None:
        return "its process did not end"
    if code >= 0:
        return f"its process ended with {code}"
    out_of_memory = ", perhaps for want of memory" if code == -9 else ""
    return f"its process was killed by signal {-code}{out_of_memory}"


# --- In a job ----------------------------------------------------------------------------------------


def _serve(connection: Connection, inherited: list[Connection], judging: Judging) -> None:
    """Grade what comes until nothing comes any more, or the parent is gone."""
    for other in inherited:  # while one of them is open here, its job would not notice the end of the parent
        other.close()
    _settle()
    with suppress(EOFError, OSError), ExitStack() as stack:
        try:
            judge = stack.enter_context(judging())
        except Exception as error:  # whatever it is, the parent says it
            connection.send(("fault", str(error) or type(error).__name__))
            return
        stack.callback(signal.signal, signal.SIGTERM, signal.SIG_IGN)  # what is closed is closed to the end
        connection.send(("ready", None))
        kind = "graded"
        while kind in ANSWERED:
            kind, said = answered(judge, connection.recv())
            connection.send((kind, said))


def answered(judge: Grader, folder: Path) -> tuple[str, Any]:
    """What a judge says of one submission: "graded" and the outcome; or another word, and why not."""
    from edgewise.checking.engine import CheckError
    from edgewise.grading.reading.released import ReleaseError

    try:
        return "graded", judge.grade(folder)
    except CheckError as error:
        return "ungraded", str(error)
    except ReleaseError as error:
        return "fault", str(error)
    except Exception as error:  # a fault of ours that one submission showed; the class goes on
        return "broke", f"{type(error).__name__}: {error}"


def _settle() -> None:
    """Be out of reach of Ctrl-C, which is the parent's to hear, and end in order with it."""
    signal.signal(signal.SIGINT, lambda *_: None)
    signal.signal(signal.SIGTERM, _leave)
    if hasattr(os, "setpgrp"):
        os.setpgrp()
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_leave_with, args=(parent.sentinel,), daemon=True).start()


def _leave(_signal: int, _frame: FrameType | None) -> NoReturn:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit(0)


def _leave_with(parent: int) -> None:
    wait([parent])
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(END_SECONDS)
    os._exit(1)  # the signal came just before a call that waits for ever
