"""A class graded twice: by stock `nbgrader autograde`, and by `edgewise grade`, side by side in one run.

The same submissions lie in two copies of one course. Ours runs before and after nbgrader, and its mean counts, so
that a machine whose speed wavers favours nobody.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from statistics import mean, median
from time import perf_counter
from typing import NamedTuple

import psutil

from benchmarks.figure import Figure
from demo.sample import ALL, IN_TIME, SESSION, STUDENTS, answered, prepare
from edgewise.course import Course, load_course
from edgewise.grading.gradebook.database import opened
from edgewise.grading.gradebook.record import recorded
from edgewise.release import build

CLASS = 60
GROWTH = (10, 100, 1_000)
ALONE = 5

GRADE = (str(Path(sysconfig.get_path("scripts"), "edgewise")), "grade", SESSION)
NBGRADER = (sys.executable, "-W", "ignore", "-m", "nbgrader")

STOCK = """
from pathlib import Path
c = get_config()
c.CourseDirectory.root = str(Path(__file__).resolve().parent)
c.CourseDirectory.course_id = {course!r}
for step, folder in {folders!r}.items():
    setattr(c.CourseDirectory, f"{{step}}_directory", folder)
c.CourseDirectory.db_url = "sqlite:///" + str(Path(__file__).resolve().parent / {database!r})
c.Execute.timeout = {seconds!r}
"""
"""nbgrader_config.py without anything of ours."""


class Cost(NamedTuple):
    """What one command took: seconds by the clock and of all processors, and the most memory of its processes."""

    wall: float
    cpu: float
    megabytes: float


def figures() -> Iterable[Figure]:
    """The whole class first, then how it grows, then the parts of one notebook."""
    with tempfile.TemporaryDirectory(prefix="one-class-") as folder:
        course = _course(Path(folder, "ours"))
        _hand_in(course, range(CLASS))
        stock = _as_nbgrader_has_it(course, Path(folder, "stock"))
        yield from _side_by_side(course, stock)
        yield from _alone(course)
        yield from _growth(course)
        yield from _parts(course)
        yield _feedback(course)


def _course(folder: Path) -> Course:
    course = prepare(folder)
    build(course, SESSION)
    return load_course(folder / "course.yml")


def _hand_in(course: Course, numbers: Iterable[int]) -> None:
    """Students of the sample class over and over, each with all three notebooks; no two files alike."""
    release = course.root / course.layout.release / SESSION
    for number in numbers:
        student = STUDENTS[number % len(STUDENTS)].id
        folder = course.root / course.layout.submitted / f"{student}-{number:04}" / SESSION
        folder.mkdir(parents=True)
        (folder / "timestamp.txt").write_text(IN_TIME, encoding="utf-8")
        for name in ALL:
            raw = json.loads(answered(release / f"{name}.ipynb", student))
            raw["cells"].append({"cell_type": "markdown", "id": "own", "metadata": {}, "source": f"By {number}."})
            (folder / f"{name}.ipynb").write_text(json.dumps(raw), encoding="utf-8")


def _as_nbgrader_has_it(course: Course, folder: Path) -> Path:
    """A copy of the course that knows nothing of us."""
    shutil.copytree(course.root, folder)
    layout = course.layout
    steps = ("source", "release", "submitted", "autograded", "feedback", "solution")
    config = STOCK.format(
        course=course.course,
        folders={step: getattr(layout, step) for step in steps},
        database=layout.database,
        seconds=course.limits.cell_seconds,
    )
    (folder / "nbgrader_config.py").write_text(config, encoding="utf-8")
    return folder


def _side_by_side(course: Course, stock: Path) -> Iterator[Figure]:
    before = _cost(course.root, [*GRADE, "--force", "--json"])
    theirs = _cost(stock, [*NBGRADER, "autograde", SESSION])
    after = _cost(course.root, [*GRADE, "--force", "--json"])
    ours = Cost(*map(mean, zip(before, after, strict=True)))
    shown = f"{CLASS} students, {len(ALL)} notebooks each, {os.cpu_count()} processors, {_layers(course)} layers on"
    times = f"nbgrader {theirs.wall:.0f} s, edgewise {before.wall:.1f} and {after.wall:.1f} s; {shown}"
    yield Figure("class", "wall clock, times faster", theirs.wall / ours.wall, 50, "×", at_least=True, detail=times)
    cpu = f"nbgrader {theirs.cpu:.0f} s, edgewise {ours.cpu:.1f} s of all processors"
    yield Figure("class", "processor time, times less", theirs.cpu / ours.cpu, 50, "×", at_least=True, detail=cpu)
    memory = (
        f"nbgrader {theirs.megabytes:.0f} MB, edgewise {ours.megabytes:.0f} MB, resident, shared pages counted twice"
    )
    yield Figure("class", "peak memory beside nbgrader's", ours.megabytes / theirs.megabytes, 2, "×", detail=memory)


def _layers(course: Course) -> int:
    with opened(course.root / course.layout.database, SESSION) as gradebook:
        some = next(iter(recorded(gradebook, SESSION)))
    return sum(bool(on) for _, on in some.data["layers"])


def _alone(course: Course) -> Iterator[Figure]:
    """One submission, from the start of the process; the least of some tries."""
    student = next((course.root / course.layout.submitted).iterdir()).name
    command = [*GRADE, "--student", student, "--force", "--json"]
    walls = sorted(_cost(course.root, command).wall for _ in range(ALONE))
    detail = f"three notebooks; least of {ALONE}, median {median(walls):.2f} s"
    yield Figure("class", "one submission alone, from process start", walls[0], 1, "s", detail=detail)


def _growth(course: Course) -> Iterator[Figure]:
    """Classes of other sizes, each in a folder of its own."""
    costs: dict[int, Cost] = {}
    for size in GROWTH:
        with tempfile.TemporaryDirectory(prefix="class-of-", dir=course.root.parent) as folder:
            other = _course(Path(folder, "course"))
            _hand_in(other, range(size))
            costs[size] = _cost(other.root, [*GRADE, "--json"])
    each = {size: cost.wall / size for size, cost in costs.items()}
    told = ", ".join(f"{size:,}: {1000 * seconds:.0f} ms" for size, seconds in each.items())
    most = each[GROWTH[-1]] / each[GROWTH[1]]
    yield Figure("class", "a student's time among 1,000 beside that among 100", most, 1.2, "×", detail=told)
    memory = ", ".join(f"{size:,}: {cost.megabytes:.0f} MB" for size, cost in costs.items())
    grown = costs[GROWTH[-1]].megabytes / costs[GROWTH[1]].megabytes
    yield Figure("class", "peak memory for 1,000 beside that for 100", grown, 1.2, "×", detail=memory)


def _parts(course: Course) -> Iterator[Figure]:
    """Where the time of a submission goes, as the grades of the class recorded it."""
    with opened(course.root / course.layout.database, SESSION) as gradebook:
        parts: dict[str, list[float]] = {}
        for one in recorded(gradebook, SESSION):
            for name, seconds in one.data["seconds"].items():
                parts.setdefault(name, []).append(seconds / len(ALL))
    means: Mapping[str, float] = {name: 1000 * mean(times) for name, times in parts.items()}
    told = ", ".join(f"{name} {milliseconds:.1f}" for name, milliseconds in means.items())
    detail = f"ms a notebook, by the clock, two at a time: {told}"
    yield Figure("class", "a notebook, all parts", sum(means.values()), 100, "ms", detail=detail)


def _feedback(course: Course) -> Figure:
    some = sorted(path.name for path in (course.root / course.layout.submitted).iterdir())[:10]
    command = [*NBGRADER, "generate_feedback", SESSION, "--student"]
    cost = _cost(course.root, [*command, f"*-000[0-{len(some) - 1}]"])
    detail = f"{len(some)} students, nbgrader's own generate_feedback with our sanitiser"
    return Figure("class", "feedback, apart", cost.wall, 60, "s", detail=detail)


def _cost(folder: Path, words: list[str]) -> Cost:
    """What a command takes. Raises CalledProcessError."""
    before, began = os.times(), perf_counter()
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "IPYTHONDIR": home, "JUPYTER_CONFIG_DIR": home, "NO_COLOR": "1"}
        process = subprocess.Popen(
            words, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        with _watched(process.pid) as most:
            status = process.wait()
    if status not in (0, 1):
        raise subprocess.CalledProcessError(status, words)
    wall, after = perf_counter() - began, os.times()
    cpu = after.children_user - before.children_user + after.children_system - before.children_system
    return Cost(wall, cpu, most[0] / 2**20)


@contextmanager
def _watched(pid: int) -> Iterator[list[int]]:
    """The most bytes that a process and all below it held at one time, looked at four times a second."""
    most, over = [0], threading.Event()

    def look() -> None:
        while not over.wait(0.25):
            total = 0
            try:
                root = psutil.Process(pid)
                for process in (root, *root.children(recursive=True)):
                    total += process.memory_info().rss
            except psutil.Error:
                continue
            most[0] = max(most[0], total)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield most
    finally:
        over.set()
        thread.join()
