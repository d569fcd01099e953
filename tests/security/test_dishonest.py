"""No trick of the table earns a point more than the same wrong answer without it, and each reached what it tried."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbgrader.utils import determine_grade

import tests.security.around
import tests.security.lying
import tests.security.reading
import tests.security.rebound
import tests.security.talking  # noqa: F401  (each lists its rows)
from edgewise.grading.confinement import Policy
from edgewise.grading.judging.judge import Judge
from edgewise.grading.workers.asking import Cell
from tests.security.conftest import WITHOUT, left_of
from tests.security.submitted import (
    CHECKS,
    COURSE,
    NAME,
    RELEASED,
    RIGHT,
    ROOT,
    SESSION,
    WRONG,
    Result,
    hand_in,
    notebook,
)
from tests.security.tricks import BASE, TRICKS, Trick

CONFINED = ("all layers", "no namespaces")
OWN_CHECK = "import edgewise\nfrom edgewise.checking import notebook\nedgewise.check = notebook.check"

tricks = pytest.mark.parametrize("trick", TRICKS, ids=lambda trick: trick.name)
Judges = Callable[[str], Judge]


@pytest.fixture(scope="module")
def judges() -> Iterator[Judges]:
    """One judge of each kind for the whole table: what a trick leaves behind meets the next."""
    made: dict[str, Judge] = {}
    with ExitStack() as stack:

        def judge(kind: str) -> Judge:
            if kind not in made:
                policy = Policy(without=WITHOUT[kind])
                made[kind] = stack.enter_context(Judge(COURSE, SESSION, many=True, policy=policy))
            return made[kind]

        yield judge


@pytest.fixture
def there(tmp_path: Path) -> dict[str, Path]:
    """What there is to reach around a submission."""
    hand_in(tmp_path / "classmate", notebook(RIGHT))
    with sqlite3.connect(tmp_path / "gradebook.db") as base:
        base.execute("create table grade (points real, extra_credit real)")
    base.close()
    return {
        "@CLASSMATE@": tmp_path / f"classmate/{NAME}.ipynb",
        "@NEXT@": tmp_path / "classmate/retry-storms.ipynb",
        "@GRADEBOOK@": tmp_path / "gradebook.db",
        "@MARKER@": tmp_path / "marker",
        "@SOURCE@": ROOT / f"notebooks/ch08/{NAME}.ipynb",
        "@CHECK@": ROOT / "checks/ch08_e3.py",
    }


def placed(source: str, there: dict[str, Path]) -> str:
    for sign, path in there.items():
        source = source.replace(sign, repr(str(path)))
    return source


def graded(judge: Judge, trick: Trick, there: dict[str, Path], folder: Path) -> Result:
    raw = notebook(WRONG, {CHECKS[2]: placed(trick.cell, there)}, trick.after)
    return Result(judge.grade(hand_in(folder / "cheat", raw)))


def proof(trick: Trick, result: Result) -> str:
    return result.shown("after" if trick.after else f"before-{CHECKS[2]}")


def outcome(trick: Trick, result: Result) -> tuple[Any, ...]:
    """The proof; the scores, in the outcome and as nbgrader's rule reads them out of the notebook."""
    return proof(trick, result), result.scores, result.by_nbgrader


@pytest.mark.parametrize("kind", CONFINED)
@tricks
def test_a_trick_gains_nothing(trick: Trick, kind: str, judges: Judges, there: dict[str, Path], tmp_path: Path) -> None:
    result = graded(judges(kind), trick, there, tmp_path)

    assert (*outcome(trick, result), there["@MARKER@"].exists()) == (trick.shows, trick.scores, trick.scores, False)


@tricks
def test_where_nothing_confines_a_worker_only_what_lies_around_it_is_reached(
    trick: Trick, judges: Judges, there: dict[str, Path], tmp_path: Path
) -> None:
    shows, scores = trick.opened or (trick.shows, trick.scores)
    result = graded(judges("open"), trick, there, tmp_path)

    assert outcome(trick, result) == (shows, scores, scores)


@pytest.mark.parametrize("trick", [one for one in TRICKS if one.unguarded is not None], ids=lambda trick: trick.name)
def test_unguarded_cells_say_what_the_trick_wants(
    trick: Trick, kinds: Callable[[str], Any], there: dict[str, Path], tmp_path: Path
) -> None:
    assert unguarded(placed(trick.cell, there), kinds, tmp_path) == trick.unguarded


def test_unguarded_cells_say_the_same_without_a_trick(kinds: Callable[[str], Any], tmp_path: Path) -> None:
    assert unguarded("", kinds, tmp_path) == BASE[2]


def unguarded(trick: str, kinds: Callable[[str], Any], folder: Path) -> float | None:
    """What nbgrader's rule reads out of the last check where the notebook's own check runs beside the trick."""
    shutil.copytree(ROOT / "checks", folder / "checks")
    shutil.copy(ROOT / "course.yml", folder)
    check = next(slot for slot in RELEASED.slots if slot.id == CHECKS[2])
    setup = next(slot.source for slot in RELEASED.slots if slot.imports_check)
    cells = (f"import os\nos.chdir({str(folder)!r})\n{OWN_CHECK}", setup, *WRONG.values(), trick, check.source)
    with kinds("open").worker(30) as worker:
        ran = worker.run([Cell(str(number), source) for number, source in enumerate(cells)], cell_seconds=10)
        worker.ended()
    made = nbformat.v4.new_code_cell(check.source, metadata=dict(check.metadata))
    made.outputs = [nbformat.from_dict(output) for output in ran.outputs[str(len(cells) - 1)]]
    points: float | None = determine_grade(made)[0]
    return points


@pytest.mark.parametrize("kind", CONFINED)
def test_after_tricks_the_next_is_graded_as_ever_and_nothing_is_left(
    kind: str, judges: Judges, there: dict[str, Path], tmp_path: Path
) -> None:
    judge = judges(kind)
    for trick in TRICKS[::8]:
        graded(judge, trick, there, tmp_path)
    right = Result(judge.grade(hand_in(tmp_path / "right", notebook(RIGHT))))
    untouched = Result(judge.grade(hand_in(tmp_path / "untouched", notebook({}))))

    assert (right.scores, untouched.scores, left_of(judge._workers)) == ((2.0, 3.0, 10.0), (0.0, 0.0, 0.0), 0)
