"""A class is graded on a Dask cluster as on this machine; what ends on the way stops nobody else."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from distributed import KilledWorker, LocalCluster
from distributed.client import FutureCancelledError
from typer.testing import CliRunner

from edgewise.cli import app
from edgewise.grading.gradebook import client as joining
from edgewise.grading.gradebook import cluster as module
from edgewise.grading.gradebook.batch import Asked, grade
from edgewise.grading.gradebook.bench import Bench, View
from edgewise.grading.gradebook.client import unlike
from edgewise.grading.gradebook.cluster import Cluster
from edgewise.grading.gradebook.jobs import JobError, Judging, Task
from edgewise.grading.gradebook.standing import shared, stamp
from edgewise.grading.gradebook.summary import Summary
from tests.grading.fake import Class, Fake
from tests.grading.test_batch import points, why
from tests.grading.test_jobs import NAMES, Closing, Echo
from tests.release.conftest import STEP, notebook

ENDED = "It could not be graded: its Dask worker ended, perhaps for want of memory, each of 2 times."
NOT_GRADED = "Nothing was recorded: grade it by hand, or run this again."
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    """Two processes on this machine."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Port 8787 is already in use")  # then Dask takes another
        made = LocalCluster(
            n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, silence_logs=logging.CRITICAL
        )
    with made:
        yield made


@pytest.fixture
def scheduler(cluster: LocalCluster) -> str:
    """The cluster's address; what the test before has killed is there again."""
    cluster.wait_for_workers(2, timeout=60)
    return str(cluster.scheduler_address)


def on(scheduler: str, school: Class, *students: str, force: bool = False, **told: Any) -> Summary:
    """The class graded on a cluster, by fake judges."""
    asked = Asked(students, None, force, scheduler)
    return grade(school.course, school.session, asked, judging=school.judging, **told)


def view(school: Class) -> View:
    return View(school.course.path, "ch08", shared(school.course, school.session))


@contextlib.contextmanager
def joined(scheduler: str, school: Class, judging: Judging, **seen: Any) -> Iterator[Cluster]:
    with Cluster(scheduler, judging, replace(view(school), **seen), worker_seconds=0) as cluster:
        yield cluster


# --- The same as here ---


def test_rows_files_and_summary_are_those_of_a_run_on_this_machine(scheduler: str, empty: Path, tmp_path: Path) -> None:
    there, here = (Class.made(tmp_path / name, empty) for name in ("there", "here"))
    for school in (there, here):
        for number, name in enumerate(NAMES):
            school.hand_in(name, points=number % 11, repairs=["put right"] * (number % 2))
        school.hand_in("zoe", points=0, problems=["odd"], files=["graph.ipynb"])
    made = (on(scheduler, there), here.grade(jobs=1))

    assert made[0].as_json() == made[1].as_json()
    assert (there.rows(), list(there.files())) == (here.rows(), list(here.files()))


def test_a_second_run_grades_nothing(scheduler: str, school: Class) -> None:
    school.hand_in("ada", "ben")
    first = on(scheduler, school)
    school.begun()

    assert (on(scheduler, school).as_json(), school.begun()) == (first.as_json(), [])


def real(school: Class, student: str, change: Callable[[dict[str, Any]], object]) -> None:
    """Hand in the notebook with the right answer, changed."""
    raw = notebook()
    raw["cells"][2]["source"] = "\n".join(line for line in STEP.split("\n") if "SOLUTION" not in line)
    raw["cells"][4]["source"] = "Because."
    change(raw)
    school.hand_in(student).joinpath("graph.ipynb").write_text(json.dumps(raw), encoding="utf-8")


def wrong(raw: dict[str, Any]) -> None:
    raw["cells"][2]["source"] = "def step(state, event):\n    raise ValueError('no')"


def test_the_real_judge_says_the_same_there_to_the_last_byte(scheduler: str, empty: Path, tmp_path: Path) -> None:
    there, here = (Class.made(tmp_path / name, empty) for name in ("there", "here"))
    for school in (there, here):
        real(school, "ada", lambda raw: None)
        real(school, "ben", wrong)
        real(school, "cy", lambda raw: raw["cells"].pop(3))
        real(school, "dee", lambda raw: raw.update(cells="none"))
    made = (
        grade(there.course, there.session, Asked(scheduler=scheduler)),
        grade(here.course, here.session, Asked(jobs=1)),
    )

    assert [one.as_json() for one in made[:1]] == [one.as_json() for one in made[1:]]
    assert (points(made[0]), there.rows(), contents(there)) == (
        {"ada": 10.0, "ben": 0.0, "cy": 10.0, "dee": 0.0},
        here.rows(),
        contents(here),
    )


def contents(school: Class) -> dict[str, bytes]:
    home = school.root / "build/autograded"
    return {str(path.relative_to(home)): path.read_bytes() for path in home.rglob("graph.ipynb")}


def test_only_a_few_submissions_are_out_at_a_time(scheduler: str, school: Class) -> None:
    school.hand_in(*NAMES)
    taken: list[str] = []

    def tasks() -> Iterator[Task]:
        for name in NAMES:
            taken.append(name)
            yield Task(school.root / "build/submitted" / name / "ch08")

    most = 0
    with joined(scheduler, school, school.judging(True)) as cluster:
        for back, _ in enumerate(cluster.over(tasks())):
            most = max(most, len(taken) - back)

    assert most <= 2 * (1 + module.AHEAD) + 1


def test_without_work_nobody_is_asked(scheduler: str, school: Class) -> None:
    with joined(scheduler, school, school.judging(True)) as cluster:
        assert list(cluster.over([])) == []


def test_judges_are_closed_when_the_run_ends(scheduler: str, school: Class, tmp_path: Path) -> None:
    school.hand_in("ada")
    with (
        pytest.raises(JobError) as raised,
        joined(scheduler, school, partial(Closing, tmp_path)) as cluster,
    ):
        list(cluster.over([Task(school.root / "build/submitted/ada/ch08")]))
    closed = [path.name for path in tmp_path.iterdir() if path.name.isdigit()]

    assert (str(raised.value), len(closed)) == ("a Dask worker sent a 'tuple' instead of an outcome", 1)


# --- What ends on the way ---


class Waiting(Fake):
    """A judge that, the first time it meets ben, says which process it is and waits to be killed."""

    def grade(self, folder: Path) -> Any:
        met = self.log.with_suffix(".met")
        if folder.parent.name == "ben" and not met.exists():
            met.with_suffix(".new").write_text(str(os.getpid()), encoding="utf-8")
            met.with_suffix(".new").rename(met)
            threading.Event().wait()
        return super().grade(folder)


def test_what_a_killed_worker_had_is_graded_by_another(scheduler: str, school: Class) -> None:
    school.hand_in("ada", "ben", *NAMES)
    met, killed = school.log.with_suffix(".met"), []

    def kill(*_: int) -> None:
        if met.exists() and not killed:
            killed.append(int(met.read_text(encoding="utf-8")))
            os.kill(killed[0], signal.SIGKILL)

    asked = Asked(scheduler=scheduler)
    judging = partial(Waiting, school.log)
    summary = grade(school.course, school.session, asked, judging=lambda _: judging, tell=kill)

    assert (len(killed), points(summary), summary.status, {row[0] for row in school.rows()}) == (
        1,
        dict.fromkeys(("ada", "ben", *NAMES), 7.0),
        0,
        {"ada", "ben", *NAMES},
    )


def test_a_submission_that_ends_two_workers_is_named_and_the_others_go_on(scheduler: str, school: Class) -> None:
    school.hand_in("ada", "chloe", *NAMES)
    school.hand_in("ben", dies=True)
    summary = on(scheduler, school)
    begun = school.begun()

    assert (summary.rows[1].problems, summary.status, begun.count("ben")) == (((ENDED, NOT_GRADED),), 1, 2)
    assert points(summary) == {**dict.fromkeys(("ada", "chloe", *NAMES), 7.0), "ben": None}


ENDS = {"bug": "LookupError: sorry, each of 2 times", "check": "sorry"}


@pytest.mark.parametrize("how", ENDS)
def test_a_submission_that_cannot_be_graded_is_named_as_on_this_machine(
    scheduler: str, school: Class, how: str
) -> None:
    school.hand_in("ada", "chloe")
    school.hand_in("ben", **{how: "sorry"})
    summary = on(scheduler, school)

    assert (points(summary), summary.rows[1].problems) == (
        {"ada": 7.0, "ben": None, "chloe": 7.0},
        ((f"It could not be graded: {ENDS[how]}.", NOT_GRADED),),
    )


def test_a_fault_of_the_course_ends_the_run_with_its_sentence(scheduler: str, school: Class) -> None:
    school.hand_in("ada", release="there is no release")
    summary = on(scheduler, school)

    assert (summary.error, summary.status, school.rows()) == ("there is no release", 2, [])


DASK = "from distributed.cli.{0} import main; main()"


@contextlib.contextmanager
def started(kind: str, *words: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", DASK.format(kind), *words, "--no-dashboard"]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@contextlib.contextmanager
def alone() -> Iterator[tuple[str, int]]:
    """A scheduler that is a process of its own: its address and its process."""
    with started("dask_scheduler", "--host", "127.0.0.1", "--port", "0") as process:
        assert process.stderr is not None
        lines = (line for line in process.stderr if "Scheduler at:" in line)
        yield next(lines).split()[-1], process.pid


def test_a_scheduler_that_is_lost_on_the_way_ends_the_run_and_what_is_written_stays(school: Class) -> None:
    school.hand_in(*NAMES)
    with (
        alone() as (address, process),
        started("dask_worker", address, "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny"),
    ):
        done: list[int] = []

        def tell(count: int, _total: int) -> None:
            if count == 5 and not done:
                done.append(count)
                os.kill(process, signal.SIGKILL)

        summary = on(address, school, tell=tell)

    assert (summary.error, summary.status, len(summary.rows) >= 5) == (
        f"the Dask scheduler at {address} was lost, or let go of what it was sent; "
        "what was graded is kept, and the next run goes on from there",
        2,
        True,
    )
    assert len(why(school.grade(jobs=1))) == len(NAMES) - len(summary.rows)


# --- A cluster that cannot be used ---


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("tcp://127.0.0.1:1", "no Dask scheduler answers at tcp://127.0.0.1:1; `dask scheduler` starts one"),
        ("ftp://127.0.0.1", "'ftp://127.0.0.1' is no address of a Dask scheduler; possible: tcp://host:8786"),
    ],
)
def test_a_scheduler_that_cannot_be_reached_is_named_in_text_and_in_json(
    school: Class, address: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    school.hand_in("ada")
    monkeypatch.chdir(school.root)
    monkeypatch.setattr(joining, "CONNECT_SECONDS", 0.2)
    text, data = (
        CliRunner().invoke(app, ["grade", "ch08", "--scheduler", address, *words]) for words in ([], ["--json"])
    )

    assert (text.stderr, text.exit_code, json.loads(data.stdout)["error"], data.exit_code) == (f"{said}\n", 2, said, 2)


def test_a_cluster_without_a_worker_is_named(school: Class) -> None:
    with (
        alone() as (address, _),
        pytest.raises(JobError) as raised,
        joined(address, school, school.judging(True)),
    ):
        pass

    assert str(raised.value) == (
        f"the Dask scheduler at {address} has had no worker for 0 s; `dask worker {address}` starts one"
    )


def test_a_worker_that_comes_later_is_given_work(school: Class) -> None:
    folder = school.hand_in("ada")
    with (
        alone() as (address, _),
        Cluster(address, school.judging(True), view(school)) as made,
        started("dask_worker", address, "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny"),
    ):
        done = [(one.task.folder, one.why_not) for one in made.over([Task(folder)])]

    assert done == [(folder, None)]


def test_a_scheduler_that_is_lost_before_anything_is_begun_is_named() -> None:
    def lost(**_: object) -> None:
        raise OSError

    with pytest.raises(JobError) as raised:
        next(joining._unlike_any(SimpleNamespace(get_versions=lost), "x"))

    assert str(raised.value) == "the Dask scheduler at x was lost; nothing was begun"


UNSEEN = {
    "edgewise or Python": (
        {"engine": "another"},
        "has not the same as this machine: edgewise or Python; install the same on both",
    ),
    "the course": (
        {"course": "another", "checks": "another"},
        "has not the same as this machine: course.yml, the checks; share one folder with it",
    ),
}


@pytest.mark.parametrize("what", UNSEEN)
def test_a_worker_that_has_something_else_ends_the_run(scheduler: str, school: Class, what: str) -> None:
    parts, said = UNSEEN[what]
    school.hand_in("ada")
    common = replace(view(school).stamp, **parts)
    with pytest.raises(JobError) as raised, joined(scheduler, school, school.judging(True), stamp=common) as cluster:
        list(cluster.over([Task(school.root / "build/submitted/ada/ch08")]))

    assert without_port(str(raised.value)) == f"the Dask worker at tcp://127.0.0.1 {said}"


def without_port(said: str) -> str:
    before, _, after = said.partition("tcp://127.0.0.1:")
    return f"{before}tcp://127.0.0.1{after.lstrip('0123456789')}"


def test_a_worker_that_does_not_see_the_course_ends_the_run(scheduler: str, school: Class, tmp_path: Path) -> None:
    school.hand_in("ada")
    there = tmp_path / "not-mounted/course.yml"
    with pytest.raises(JobError) as raised, joined(scheduler, school, school.judging(True), course=there) as cluster:
        list(cluster.over([Task(school.root / "build/submitted/ada/ch08")]))

    assert without_port(str(raised.value)) == (
        f"the Dask worker at tcp://127.0.0.1 does not see {there}; "
        "the course has to lie in a folder that all workers share, under one path"
    )


def test_a_submission_that_a_worker_sees_otherwise_is_named(
    scheduler: str, school: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    school.hand_in("ada", "ben")
    other = school.root / "build/submitted/ben/ch08"
    monkeypatch.setattr(module, "stamp", lambda common, folder: common if folder == other else stamp(common, folder))
    summary = on(scheduler, school)
    ((said, note),) = summary.rows[1].problems

    assert (points(summary), without_port(said), note) == (
        {"ada": 7.0, "ben": None},
        "It could not be graded: the Dask worker at tcp://127.0.0.1 does not see the same files in submitted/ben/ch08; "
        "the submissions have to lie in a folder that all workers share.",
        NOT_GRADED,
    )


HERE = {"packages": {"python": "3.11.7.final.0", "distributed": "2026.8.0", "edgewise": "0.1.0"}}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, []),
        ({"python": "3.13.1.final.0"}, ["python 3.13.1.final.0, this machine 3.11.7.final.0"]),
        ({"distributed": "2025.1.0", "edgewise": None}, ["distributed 2025.1.0, this machine 2026.8.0"]),
        ({"edgewise": None}, ["edgewise (none), this machine 0.1.0"]),
    ],
)
def test_other_versions_are_named(changes: dict[str, str], said: list[str]) -> None:
    there = {"packages": HERE["packages"] | changes}

    assert [*unlike("scheduler at x", there, HERE)] == [
        f"the Dask scheduler at x has {one}; install the same on both" for one in said
    ]


def test_a_cluster_of_other_versions_is_not_used(
    scheduler: str, school: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(joining, "unlike", lambda name, *_: iter([f"{name} is old"]))
    with pytest.raises(JobError) as raised, joined(scheduler, school, school.judging(True)):
        pass

    assert str(raised.value) == f"scheduler at {scheduler} is old"


def test_without_dask_a_sentence_says_how_to_get_it(school: Class, monkeypatch: pytest.MonkeyPatch) -> None:
    school.hand_in("ada")
    monkeypatch.setitem(sys.modules, "edgewise.grading.gradebook.cluster", None)

    assert on("tcp://127.0.0.1:1", school).error == (
        "Dask is not installed; `pip install 'edgewise[cluster]'` brings it"
    )


def test_jobs_and_a_scheduler_are_not_asked_for_at_once(school: Class) -> None:
    school.hand_in("ada")

    assert grade(school.course, school.session, Asked((), 2, scheduler="tcp://127.0.0.1:1")).error == (
        "--jobs counts processes here, with --scheduler none grade here; use one of them"
    )


# --- Parts ---


class Future:
    """One whose result is an exception."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.released = False

    def result(self, timeout: float) -> None:
        raise self.error

    def release(self) -> None:
        self.released = True


@pytest.mark.parametrize(
    ("error", "found", "released"),
    [
        (TimeoutError(), None, False),
        (KilledWorker("key", None, 3), ("ungraded", f"{module.ENDED}, each of 4 times"), True),
    ],
)
def test_a_result_that_does_not_come_waits_for_news_of_its_worker(error: Exception, found: Any, released: bool) -> None:
    future = Future(error)

    assert (module._fetched(future), future.released) == (found, released)


def test_what_dask_lets_go_of_ends_the_run_with_a_sentence(school: Class) -> None:
    cluster = Cluster("x", school.judging(True), view(school))
    with pytest.raises(JobError) as raised, cluster._told():
        raise FutureCancelledError("key", "lost")

    assert str(raised.value) == (
        "the Dask scheduler at x was lost, or let go of what it was sent; "
        "what was graded is kept, and the next run goes on from there"
    )


class Unready:
    """A judge's maker that no worker can read."""

    def __reduce__(self) -> tuple[Any, ...]:
        return exec, ("raise ModuleNotFoundError('no edgewise here')",)


def test_workers_that_cannot_read_what_they_are_sent_end_the_run(scheduler: str, school: Class) -> None:
    with pytest.raises(JobError) as raised, joined(scheduler, school, Unready()):  # type: ignore[arg-type]
        pass

    assert str(raised.value) == (
        f"the Dask workers at {scheduler} are not ready to grade: ModuleNotFoundError('no edgewise here')"
    )


def test_a_result_that_takes_its_time_is_fetched_later(
    scheduler: str, school: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    school.hand_in("ada")
    fetched, late = module._fetched, [True]
    monkeypatch.setattr(module, "_fetched", lambda future: None if late and late.pop() else fetched(future))

    assert points(on(scheduler, school)) == {"ada": 7.0}


@pytest.mark.parametrize(("last", "closed"), [("close", 1), ("idle", 1), ("raise", 1)])
def test_a_bench_closes_a_judge_with_its_worker_after_a_while_and_when_it_broke(
    school: Class, tmp_path: Path, last: str, closed: int
) -> None:
    folder = school.hand_in("ada").parent / ("raise" if last == "raise" else "ch08")
    bench = Bench(partial(Closing, tmp_path), view(school), idle_seconds=0 if last == "idle" else 60)
    bench.setup(SimpleNamespace(address="here"))  # type: ignore[arg-type]
    bench.answer(folder, stamp(view(school).stamp, folder).submission)
    if last == "idle" and bench._closing is not None:
        bench._closing.join()
    if last == "close":
        asyncio.run(bench.teardown(SimpleNamespace()))  # type: ignore[arg-type]

    assert len([path for path in tmp_path.iterdir() if path.name.isdigit()]) == closed


def test_a_judge_that_cannot_be_opened_is_a_fault(school: Class) -> None:
    bench = Bench(partial(Echo, "raise"), view(school))
    bench.setup(SimpleNamespace(address="here"))  # type: ignore[arg-type]

    assert bench.answer(school.root, "") == ("fault", "raise")


def bench(school: Class, **seen: Any) -> Bench:
    """A bench of this process."""
    made = Bench(school.judging(True), replace(view(school), **seen))
    made.setup(SimpleNamespace(address="here"))  # type: ignore[arg-type]
    return made


def test_a_bench_grades_with_one_judge_what_looks_as_it_should(school: Class) -> None:
    folder = school.hand_in("ada")
    made = bench(school)
    said = [made.answer(folder, seen) for seen in (stamp(view(school).stamp, folder).submission, "otherwise")]

    assert ([kind for kind, _ in said], said[1][1], len(made._idle)) == (
        ["graded", "ungraded"],
        "the Dask worker at here does not see the same files in submitted/ada/ch08; "
        "the submissions have to lie in a folder that all workers share",
        1,
    )
    made.close()


@pytest.mark.parametrize("what", UNSEEN)
def test_a_bench_that_has_something_else_has_a_fault(school: Class, what: str) -> None:
    parts, said = UNSEEN[what]
    made = bench(school, stamp=replace(view(school).stamp, **parts))

    assert made.answer(school.root, "") == ("fault", f"the Dask worker at here {said}")


def test_a_bench_that_does_not_see_the_course_has_a_fault(school: Class) -> None:
    there = school.root / "not-mounted/course.yml"

    assert bench(school, course=there).answer(school.root, "") == (
        "fault",
        f"the Dask worker at here does not see {there}; "
        "the course has to lie in a folder that all workers share, under one path",
    )


def test_a_course_that_is_broken_there_is_a_fault_with_its_own_sentence(school: Class) -> None:
    bench = Bench(school.judging(True), view(school))
    bench.setup(SimpleNamespace(address="here"))  # type: ignore[arg-type]
    school.course_says("late: none", "late: never")

    assert bench.answer(school.root, "") == (
        "fault",
        "course.yml:13: 'late' of the course is 'never'; possible: none or zero",
    )
