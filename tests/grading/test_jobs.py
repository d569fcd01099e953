"""Job processes grade side by side; one that ends is replaced, and all end with their parent."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Self

import pytest

from edgewise.grading.gradebook import jobs as module
from edgewise.grading.gradebook.jobs import JobError, Jobs, Judging, Task, usable

ROOT = Path(__file__).parents[2]


class Echo:
    """A judge whose outcome is the folder's name and its process; `begins` and names say how it ends."""

    def __init__(self, begins: str = "") -> None:
        self.begins = begins

    def __enter__(self) -> Self:
        end(self.begins)
        return self

    def __exit__(self, *_: object) -> None: ...

    def grade(self, folder: Path) -> Any:
        end(folder.name)
        return folder.name, os.getpid()


def end(how: str) -> None:
    if how.startswith("kill"):
        os.kill(os.getpid(), signal.SIGKILL)
    if how.startswith("exit"):
        os._exit(3)
    if how.startswith("raise"):
        raise ZeroDivisionError(how)


def over(count: int, names: list[str], judging: Judging = Echo, **how: bool) -> list[tuple[str, Any]]:
    with Jobs(judging, count, **how) as jobs:
        done = jobs.over(Task(Path(name), position) for position, name in enumerate(names))
        return [(one.task.folder.name, one.why_not) for one in sorted(done, key=lambda one: one.task.about)]


FORKS = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded, use of fork:DeprecationWarning")
"""A test runner's own threads, of which a fork knows nothing, are no reason to spawn."""


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a process without threads."""
    monkeypatch.setattr(module.threading, "active_count", lambda: 1)


NAMES = [f"s{number:02}" for number in range(20)]


@pytest.mark.parametrize("count", [1, 2, 5])
def test_everything_comes_back_once_with_what_it_was_about(count: int) -> None:
    assert over(count, NAMES) == [(name, None) for name in NAMES]


def test_no_more_jobs_are_started_than_there_is_work_for() -> None:
    with Jobs(Echo, 5) as jobs:
        found = {one.outcome[1] for one in jobs.over([Task(Path("a")), Task(Path("b"))])}  # type: ignore[index]
        started = len(jobs._jobs)

    assert (started, os.getpid() in found) == (2, False)


def test_without_work_no_job_is_started() -> None:
    assert over(2, []) == []


def test_only_a_few_submissions_are_out_at_a_time() -> None:
    taken: list[int] = []

    def tasks() -> Iterator[Task]:
        for number in range(100):
            taken.append(number)
            yield Task(Path(f"s{number}"))

    most = 0
    with Jobs(Echo, 2) as jobs:
        for back, _ in enumerate(jobs.over(tasks())):
            most = max(most, len(taken) - back)

    assert most <= 2 * module.AHEAD


DEATHS = {
    "kill": "its process was killed by signal 9, perhaps for want of memory, each of 2 times",
    "exit": "its process ended with 3, each of 2 times",
    "raise": "ZeroDivisionError: raise, each of 2 times",
}


@pytest.mark.parametrize("how", DEATHS)
def test_a_job_that_ends_twice_under_a_submission_is_named_and_the_others_go_on(how: str) -> None:
    names = [*NAMES[:5], how, *NAMES[5:]]

    assert over(2, names) == [(name, DEATHS.get(name)) for name in names]


def test_several_that_end_their_jobs_stop_nobody() -> None:
    names = ["kill1", "kill2", "s1", "kill3", "s2"]

    assert [why_not is None for _, why_not in over(2, names)] == [False, False, True, False, True]


def test_a_submission_that_ended_one_job_is_graded_by_the_next(tmp_path: Path) -> None:
    assert over(1, ["a", "b", "c"], partial(Once, tmp_path / "met")) == [("a", None), ("b", None), ("c", None)]


class Once(Echo):
    """A judge that is killed the first time that it meets b."""

    def __init__(self, met: Path) -> None:
        super().__init__()
        self.met = met

    def grade(self, folder: Path) -> Any:
        if folder.name == "b" and not self.met.exists():
            self.met.touch()
            end("kill")
        return folder.name, os.getpid()


@pytest.mark.parametrize(
    ("begins", "said"),
    [
        ("raise", "raise"),
        ("exit", "no grading process could be started: its process ended with 3"),
        ("kill", "no grading process could be started: its process was killed by signal 9, perhaps for want of memory"),
    ],
)
def test_a_judge_that_cannot_begin_ends_it_all_with_a_sentence(begins: str, said: str) -> None:
    with pytest.raises(JobError) as raised:
        over(2, NAMES, partial(Echo, begins), forks=False)

    assert str(raised.value) == said


def test_a_judge_that_cannot_be_opened_for_all_ends_it_with_a_sentence() -> None:
    with pytest.raises(JobError) as raised:
        over(2, NAMES, partial(Echo, "raise"))

    assert str(raised.value) == "raise"


@FORKS
@pytest.mark.usefixtures("alone")
def test_where_processes_fork_one_judge_is_made_for_all() -> None:
    made: list[int] = []

    class Counted(Echo):
        def __enter__(self) -> Self:
            made.append(os.getpid())
            return self

    assert (len(over(3, NAMES, Counted)), made) == (len(NAMES), [os.getpid()])


@FORKS
@pytest.mark.usefixtures("alone")
def test_after_a_job_ended_the_next_has_a_new_judge(tmp_path: Path) -> None:
    made: list[int] = []

    class Counted(Once):
        def __enter__(self) -> Self:
            made.append(os.getpid())
            return self

    over(1, ["a", "b", "c"], partial(Counted, tmp_path / "met"))

    assert made == [os.getpid()] * 2


def test_a_fault_that_has_no_words_is_named_by_its_kind() -> None:
    with pytest.raises(JobError) as raised:
        over(1, NAMES, speechless)

    assert str(raised.value) == "KeyError"


def speechless() -> Any:
    raise KeyError


def test_a_process_that_does_not_end_is_said_to() -> None:
    assert module._fate(None) == "its process did not end"


def test_where_there_is_no_fork_processes_are_spawned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.threading, "active_count", lambda: 2)

    assert over(2, [*NAMES[:3], "kill"]) == [*((name, None) for name in NAMES[:3]), ("kill", DEATHS["kill"])]


@pytest.mark.parametrize(("offers", "count"), [(True, 3), (False, 7)])
def test_as_many_jobs_as_processors_may_be_used(monkeypatch: pytest.MonkeyPatch, offers: bool, count: int) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    if offers:
        monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 2, 5}, raising=False)
    else:
        monkeypatch.delattr(os, "sched_getaffinity", raising=False)

    assert usable() == count


def test_a_tick_comes_while_submissions_are_graded() -> None:
    ticks: list[int] = []
    with Jobs(Echo, 1) as jobs:
        done = list(jobs.over([Task(Path("a"))], lambda: ticks.append(1)))

    assert (len(done), len(ticks) > 0) == (1, True)


@FORKS
@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("broken_off", [False, True])
@pytest.mark.parametrize(("forks", "judges"), [(True, 1), (False, 2)])
def test_jobs_end_with_what_was_opened_when_the_run_does_or_is_broken_off(
    broken_off: bool, forks: bool, judges: int, tmp_path: Path
) -> None:
    with suppress(ZeroDivisionError):
        broken_off_when_both_are_at_work(tmp_path, broken_off, forks)

    assert (multiprocessing.active_children(), len(list(tmp_path.iterdir()))) == ([], judges)


def broken_off_when_both_are_at_work(folder: Path, broken_off: bool, forks: bool) -> None:
    with Jobs(partial(Closing, folder), 2, forks=forks) as jobs:
        for _ in jobs.over(Task(Path(name)) for name in itertools.cycle(NAMES)):
            if len(jobs._jobs) == 2 and all(job.is_ready for job in jobs._jobs):
                break
        if broken_off:
            raise ZeroDivisionError


class Closing(Echo):
    """A judge that leaves a file when it is closed."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder

    def __exit__(self, *_: object) -> None:
        (self.folder / str(os.getpid())).touch()


# --- The parent is killed ---


class Holding(Echo):
    """A judge with a child of its own, which lives as long as somebody can write to it; grading never ends."""

    def __enter__(self) -> Self:
        self.child = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE)
        return self

    def grade(self, folder: Path) -> Any:
        if folder.name == "last":
            os.kill(os.getppid(), signal.SIGKILL)
        while True:
            pass


class Stubborn(Holding):
    """One that does not hear that it should end."""

    def grade(self, folder: Path) -> Any:
        while True:
            with suppress(SystemExit):
                super().grade(folder)


PARENT = """
from tests.grading.test_jobs import *
module.END_SECONDS = 0.1
with Jobs({judge}, 3) as jobs:
    list(jobs.over(Task(Path(name)) for name in ("a", "b", "last")))
"""


@pytest.mark.parametrize("judge", [Holding, Stubborn])
def test_jobs_and_their_children_end_when_the_parent_is_killed(judge: type) -> None:
    """Each of them holds the end of a pipe that this process reads until nobody holds it."""
    words = [sys.executable, "-c", PARENT.format(judge=judge.__name__)]
    ran = subprocess.run(words, cwd=ROOT, capture_output=True, timeout=60, check=False)

    assert (ran.returncode, ran.stdout, ran.stderr) == (-signal.SIGKILL, b"", b"")
