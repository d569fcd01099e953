"""A Dask cluster, fed with submissions as jobs are, so that a class is graded on many machines.

Each submission is sent to one worker, and only a few are out at a time. A worker that ends under a submission leaves it
to another, where it is alone; results stream back to the one writer here. Client, scheduler and workers exchange
pickles: whoever reaches one of their ports runs code as the instructor. So they trust one another, and stand in a
network of their own or speak `tls://`. No student is among them: code of students runs in confined processes, of which
the judge beside them reads plain data.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

from distributed import KilledWorker, wait
from distributed.client import FutureCancelledError, FuturesCancelledError

from edgewise.grading.gradebook.bench import Bench, View, answer
from edgewise.grading.gradebook.client import CONNECT_SECONDS, joined
from edgewise.grading.gradebook.jobs import ATTEMPTS, Done, JobError, Judging, Task
from edgewise.grading.gradebook.standing import stamp
from edgewise.grading.judging.outcome import Outcome

AHEAD = 1
"""How many submissions a worker has beyond those that its threads grade."""

WORKER_SECONDS = 60.0
"""How long a cluster may be without any worker."""

TICK_SECONDS = 0.5

ENDED = "its Dask worker ended, perhaps for want of memory"
LOST = (FutureCancelledError, FuturesCancelledError, OSError, RuntimeError)
"""What Dask raises when its scheduler is gone, or was started anew."""


@dataclass(slots=True, eq=False)
class Sent:
    """A submission that is out; `is_alone` says that its worker has no other, `is_done` that its result is there."""

    task: Task
    future: Any
    is_alone: bool
    is_done: bool = False


@dataclass(slots=True)
class Worker:
    """One Dask worker, as it is seen from here: the oldest of `out` are at work, one a thread."""

    threads: int
    out: deque[Sent] = field(default_factory=deque)

    def takes(self, is_alone: bool) -> bool:
        """Whether it may have one more."""
        if is_alone:
            return not self.out
        return len(self.out) < self.threads + AHEAD and not any(sent.is_alone for sent in self.out)


class Cluster:
    """The workers of the scheduler at `address`, each with what `judging` opens where `view` is seen. Like Jobs."""

    def __init__(self, address: str, judging: Judging, view: View, *, worker_seconds: float = WORKER_SECONDS) -> None:
        self._address = address
        self._bench = Bench(judging, view)
        self._common = view.stamp
        self._worker_seconds = worker_seconds
        self._run = f"edgewise-{uuid4().hex}"
        self._count = 0
        self._workers: dict[str, Worker] = {}
        self._again: deque[Task] = deque()
        self._suspects: deque[Task] = deque()
        self._begun: dict[Path, int] = {}
        self._seen = self._looked = time.monotonic()
        self._stack = ExitStack()

    def __enter__(self) -> Cluster:
        """Join the cluster. Raises JobError."""
        with ExitStack() as stack:
            self._client = stack.enter_context(joined(self._address))
            stack.callback(self._leave)
            try:
                self._client.register_plugin(self._bench, name=self._run)
            except Exception as error:  # whatever a worker says, it is for people to read
                raise JobError(f"the Dask workers at {self._address} are not ready to grade: {error}") from error
            self._look(at_once=True)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of what is out, close the judges, leave the cluster as it was."""
        self._stack.close()

    def _leave(self) -> None:
        for worker in self._workers.values():
            for sent in worker.out:
                sent.future.release()
        self._workers.clear()
        if self._client.status == "running":
            with suppress(Exception):  # what is not closed now closes itself after a while
                leaving = self._client.scheduler.unregister_worker_plugin
                self._client.sync(leaving, name=self._run, callback_timeout=CONNECT_SECONDS)

    def over(self, tasks: Iterable[Task], tick: Callable[[], object] = lambda: None) -> Iterator[Done]:
        """Each submission as it is done, in no order; `tick` is called now and then meanwhile. Raises JobError."""
        coming = iter(tasks)
        while self._hand_out(coming):
            with self._told():
                came = [*self._came()]
            for worker, sent in came:
                yield from self._heard(worker, sent)
            for sent in self._look():
                yield from self._failed(sent.task, ENDED)
            tick()

    def _hand_out(self, coming: Iterator[Task]) -> bool:
        """Give each worker as much as it may have; whether anything is left to be done."""
        while (task := self._next(coming)) is not None:
            is_alone = task.folder in self._begun
            free = [address for address, worker in self._workers.items() if worker.takes(is_alone)]
            if not free:
                (self._suspects if is_alone else self._again).appendleft(task)
                return True
            self._send(task, min(free, key=self._load), is_alone)
        return any(worker.out for worker in self._workers.values())

    def _next(self, coming: Iterator[Task]) -> Task | None:
        """A submission to be sent; those under which a worker ended come last, so that no other is near them."""
        task = self._again.popleft() if self._again else next(coming, None)
        return self._suspects.popleft() if task is None and self._suspects else task

    def _load(self, address: str) -> float:
        worker = self._workers[address]
        return len(worker.out) / worker.threads

    def _send(self, task: Task, address: str, is_alone: bool) -> None:
        self._count += 1
        seen = stamp(self._common, task.folder).submission
        with self._told():
            future = self._client.submit(
                answer,
                self._run,
                task.folder,
                seen,
                key=f"{self._run}-{self._count}",
                workers=[address],
                pure=False,
            )
        self._workers[address].out.append(Sent(task, future, is_alone))

    def _came(self) -> Iterator[tuple[Worker, Sent]]:
        """What is back, after a while at most."""
        out = [(worker, sent) for worker in self._workers.values() for sent in worker.out]
        if not out:
            time.sleep(TICK_SECONDS)
            return
        with self._client.as_current(), suppress(TimeoutError):
            done = wait([sent.future for _, sent in out], TICK_SECONDS, "FIRST_COMPLETED").done  # type: ignore[no-untyped-call]
            yield from ((worker, sent) for worker, sent in out if sent.future in done)

    def _heard(self, worker: Worker, sent: Sent) -> Iterator[Done]:
        """What one result comes to."""
        sent.is_done = True
        with self._told():
            found = _fetched(sent.future)
        if found is None:
            return
        worker.out.remove(sent)
        task, (kind, said) = sent.task, found
        if kind == "fault":
            raise JobError(said)
        if kind == "broke":
            yield from self._failed(task, said)
            return
        self._begun.pop(task.folder, None)
        if kind == "graded" and not isinstance(said, Outcome):
            raise JobError(f"a Dask worker sent a {type(said).__name__!r} instead of an outcome")
        yield Done(task, said) if kind == "graded" else Done(task, None, said)

    def _failed(self, task: Task, reason: str) -> Iterator[Done]:
        """Try it once more, alone, or say that it cannot be done."""
        begun = self._begun[task.folder] = self._begun.get(task.folder, 0) + 1
        if begun < ATTEMPTS:
            self._suspects.append(task)
        else:
            yield Done(task, None, f"{reason}, each of {begun} times")

    def _look(self, *, at_once: bool = False) -> list[Sent]:
        """Note workers that came and went; what was at work with those that went. Raises JobError."""
        now = time.monotonic()
        if not at_once and now - self._looked < TICK_SECONDS:
            return []
        with self._told():
            there: Mapping[str, int] = self._client.nthreads()
        self._looked = time.monotonic()
        for address in there.keys() - self._workers.keys():
            self._workers[address] = Worker(there[address])
        begun: list[Sent] = []
        for address in self._workers.keys() - there.keys():
            begun += self._gone(self._workers.pop(address))
        if there:
            self._seen = now
        elif now - self._seen >= self._worker_seconds:
            raise JobError(
                f"the Dask scheduler at {self._address} has had no worker for {self._worker_seconds:g} s; "
                f"`dask worker {self._address}` starts one"
            )
        return begun

    def _gone(self, worker: Worker) -> list[Sent]:
        """What the worker was at work on; what it had not begun is for others.

        A result that was on its way seems to have been at work. Tried again, alone, it shows that it is not at fault.
        """
        for sent in worker.out:
            sent.future.release()
        begun = [sent for sent in worker.out if not sent.is_done][: worker.threads]
        self._again.extendleft(sent.task for sent in reversed(worker.out) if sent not in begun)
        return begun

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What Dask raises inside when the cluster fails, as a JobError."""
        try:
            yield
        except LOST as error:
            raise JobError(
                f"the Dask scheduler at {self._address} was lost, or let go of what it was sent; "
                "what was graded is kept, and the next run goes on from there"
            ) from error


def _fetched(future: Any) -> tuple[str, Any] | None:
    """What a worker answered, in words as those of a job; None while it is on its way, or lost with its worker."""
    try:
        kind, said = future.result(timeout=TICK_SECONDS)
    except TimeoutError:
        return None
    except KilledWorker as error:  # a worker came back at its old address, and took it up again
        kind, said = "ungraded", f"{ENDED}, each of {error.allowed_failures + 1} times"
    future.release()
    return kind, said
