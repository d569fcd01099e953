"""Odd submissions through the judge, end to end: each gets its points or a named problem, and none stops the next."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import nbformat
import pytest

import tests.submissions.cells
import tests.submissions.code
import tests.submissions.files
import tests.submissions.metadata
import tests.submissions.notebooks
import tests.submissions.places  # noqa: F401  (each lists its rows)
from edgewise.course import Course
from edgewise.grading.judging.judge import Judge
from tests.security.conftest import left_of
from tests.security.submitted import CHECKS, COURSE, NAME, RIGHT, SESSION, Result, hand_in, notebook
from tests.submissions import kit
from tests.submissions.conftest import Handed
from tests.submissions.ran import CODE, FULL, RUN, Row
from tests.submissions.table import ROWS, Odd

HONEST = 5.0
"""What the table's honest submission earns in the small course."""

CAPPED = """
from edgewise.checking.cases import Case, CaseCheck, Subject, gives
from edgewise.checking.exercise import Hints, Rule
right, three = gives("Caps", "capped"), gives("Is three", "cap")
cases = tuple(Case((number,), min(number, 3)) for number in range(6))
CHECK = CaseCheck(
    (
        Subject("capped", lambda number: min(number, 3), cases, lambda: ()),
        Subject("cap", lambda: 3, (Case((), 3),), lambda: (), reads=lambda value: lambda: value),
    ),
    (Rule(right, 0.5, "capped"), Rule(three, 0.5, "cap")),
    Hints({}, ""),
)
"""


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    """One for all rows: what one leaves behind meets the next."""
    with Judge(COURSE, SESSION, many=True) as made:
        yield made


# --- Code that is odd when it runs ---


@pytest.mark.parametrize("row", [*CODE, *RUN], ids=lambda row: row.name)
def test_odd_code_earns_what_it_is_worth_and_is_told_why(row: Row, judge: Judge, tmp_path: Path) -> None:
    answers = {**RIGHT, "ch08-e3": row.answer} if row.answer is not None else {**RIGHT}
    if row.answer is None:
        del answers["ch08-e3"]
    result = Result(judge.grade(hand_in(tmp_path, notebook(answers, row.before, row.after))))
    leads = [one["findings"][0]["message"] for one in result.outcome.reports if one["findings"]]
    problems = [problem.sentence for problem in result.outcome.problems]
    ended = f"{NAME}: its code {row.ended}; what was not checked before earns 0."

    assert (result.scores, result.by_nbgrader, result.shown("ch08-e3"), leads, problems) == (
        row.scores,
        row.scores,
        row.shows,
        [row.lead] if row.lead else [],
        [ended] if row.ended else [],
    )


def test_after_all_of_them_an_ordinary_submission_is_graded_and_no_process_is_left(
    judge: Judge, tmp_path: Path
) -> None:
    result = Result(judge.grade(hand_in(tmp_path, notebook(RIGHT))))

    assert (result.scores, left_of(judge._workers)) == (FULL, 0)


CLOSED = "import os\nos.close(3)\nwhile True: pass"
STOPPED = "import os, signal\ntry: os.kill(os.getpid(), signal.SIGSTOP)\nexcept OSError: pass\nwhile True: pass"
LATE = "ran for more than 4.2 s and was stopped"
ENDLESS = {
    "hears nothing": f"import signal\nsignal.setitimer(signal.ITIMER_REAL, 0)\n{CLOSED.partition(chr(10))[2][12:]}",
    "closes the conversation and stays": f"import signal\nsignal.setitimer(signal.ITIMER_REAL, 0)\n{CLOSED}",
    "stops itself": f"import signal\nsignal.setitimer(signal.ITIMER_REAL, 0)\n{STOPPED}",
    "is asked and never says how it can be called": (
        "class Step:\n    __call__ = step\n    @property\n    def __signature__(self):\n        while True: pass\n"
        "step = Step()"
    ),
}


@pytest.fixture(scope="module")
def hasty() -> Iterator[Judge]:
    """A judge whose workers have 4.2 s."""
    course = replace(COURSE, limits=replace(COURSE.limits, cell_seconds=0.5, check_seconds=0.2))
    with Judge(course, SESSION, many=True) as made:
        yield made


@pytest.mark.parametrize("name", ENDLESS)
def test_what_nothing_else_ends_the_deadline_ends(name: str, hasty: Judge, tmp_path: Path) -> None:
    result = Result(hasty.grade(hand_in(tmp_path, notebook(RIGHT, {CHECKS[2]: ENDLESS[name]}))))
    problems = [problem.sentence for problem in result.outcome.problems]

    assert (result.scores, problems, left_of(hasty._workers)) == (
        (2.0, 3.0, 0.0),
        [f"{NAME}: its code {LATE}; what was not checked before earns 0."],
        0,
    )


# --- What is around the notebooks ---


@pytest.mark.parametrize(
    "student",
    ["ada lovelace", 'o\'hara "x"', "a+b", "a@b.org", "[1]", "a,b;c", "new\nline", "x" * 120, "Łódź 学生", "=1+1", "*"],
)
def test_a_student_may_have_any_name(student: str, judge: Judge, tmp_path: Path) -> None:
    result = Result(judge.grade(hand_in(tmp_path / student / "ch08", notebook(RIGHT))))

    assert (result.scores, result.outcome.problems, result.outcome.repairs) == (FULL, (), ())


@pytest.mark.parametrize(
    ("stamp", "moment", "said"),
    [
        (b"", None, ["timestamp.txt is empty; nothing counts as late."]),
        (b"soon", None, ["timestamp.txt holds 'soon', which is no moment; nothing counts as late."]),
        (bytes(range(128, 132)), None, ["timestamp.txt holds '����', which is no moment; nothing counts as late."]),
        (b"2026-09-30 23:59:00 +0200", datetime(2026, 9, 30, 21, 59, tzinfo=UTC), []),
        (b"2999-01-01 00:00:00 UTC", datetime(2999, 1, 1, tzinfo=UTC), []),
    ],
)
def test_an_odd_timestamp_costs_no_points(
    stamp: bytes, moment: datetime | None, said: list[str], judge: Judge, tmp_path: Path
) -> None:
    folder = hand_in(tmp_path, notebook(RIGHT))
    (folder / "timestamp.txt").write_bytes(stamp)
    result = Result(judge.grade(folder))
    problems = [problem.sentence for problem in result.outcome.problems]

    assert (result.scores, result.outcome.handed_in, problems) == (FULL, moment, said)


def test_of_two_attempts_one_counts_and_the_other_is_named(judge: Judge, tmp_path: Path) -> None:
    hand_in(tmp_path, notebook(RIGHT))
    (tmp_path / f"{NAME}-Copy1.ipynb").write_text(json.dumps(notebook({"ch08-e1": RIGHT["ch08-e1"]})))
    result = Result(judge.grade(tmp_path))
    said = [repair.sentence for repair in result.outcome.repairs]

    assert (result.scores, said) == (FULL, [f"{NAME}: '{NAME}-Copy1.ipynb' holds answers too; it was left out"])


@pytest.mark.parametrize("size", [9, 15, 20])
def test_large_files_beside_a_notebook_cost_no_points(size: int, judge: Judge, tmp_path: Path) -> None:
    folder = hand_in(tmp_path, notebook(RIGHT))
    for name in "abc":
        (folder / name).write_bytes(bytes(size * 2**20))

    assert Result(judge.grade(folder)).scores == FULL


# --- The table of what is odd to read ---


@pytest.fixture(scope="module")
def small(course: Course) -> Iterator[Judge]:
    """A judge of the small course that the table's rows are handed in to."""
    checks = course.root / "checks"
    checks.mkdir(exist_ok=True)
    (checks / "ch08_e3.py").write_bytes((COURSE.root / "checks/ch08_e3.py").read_bytes())
    (checks / "ch08_e4.py").write_text(CAPPED, encoding="utf-8")
    with Judge(course, kit.session(course), many=True) as made:
        yield made


@pytest.mark.parametrize("row", ROWS, ids=[f"{row.kind}: {row.name}" for row in ROWS])
def test_every_odd_submission_is_graded_and_those_that_could_be_repaired_as_the_honest_one(
    row: Odd, handed: Handed, small: Judge
) -> None:
    row.make(handed)
    outcome = small.grade(handed.folder)
    problems = tuple(problem.sentence.removesuffix(".") for problem in outcome.problems)
    with warnings.catch_warnings(action="error"):
        for one in outcome.notebooks:
            if one.text is not None:
                nbformat.validate(json.loads(one.text.encode("utf-8")))

    assert (
        outcome.points == HONEST or not row.survive,
        0 <= outcome.points <= outcome.max_points,
        tuple(repair.sentence for repair in outcome.repairs),
        problems,
    ) == (True, True, row.repairs, tuple(one.removesuffix(".") for one in row.problems))


def test_an_honest_submission_to_the_small_course_earns_points(handed: Handed, small: Judge) -> None:
    scores = [dict(one.scores) for one in small.grade(handed.folder).notebooks]

    assert scores == [{"ch08-e3-check": 0.0, "ch08-w1": None}, {"ch08-e4-check": HONEST}]


def test_a_class_leaves_no_descriptor_open(judge: Judge, tmp_path: Path) -> None:
    folders = [
        hand_in(tmp_path / str(number), notebook({**RIGHT, "ch08-e3": source}))
        for number, source in enumerate(("import os\nos._exit(3)", "import os\nos.close(3)", RIGHT["ch08-e3"]))
    ]

    def descriptors() -> tuple[int, ...]:
        zygote = judge._workers._zygote
        assert zygote is not None
        assert left_of(judge._workers) == 0
        with judge._workers.worker(20):  # before it made this one, the zygote let go of all that had ended
            return tuple(len([*Path(f"/proc/{number}/fd").iterdir()]) for number in ("self", zygote.pid))

    before = descriptors()
    for folder in folders * 3:
        judge.grade(folder)

    assert descriptors() == before
