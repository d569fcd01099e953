"""What one submission may do for or to another, and what a submission's files say about its own grade."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from edgewise.grading.confinement import Policy
from edgewise.grading.judging.judge import Judge
from edgewise.grading.workers.pool import ZygoteError
from tests.security.conftest import WITHOUT, left_of
from tests.security.submitted import CHECKS, COURSE, NAME, RIGHT, SESSION, WRONG, Result, hand_in, notebook
from tests.security.tricks import BASE

CONFINED = ("all layers", "no namespaces")
KINDS = (*CONFINED, "open")
FULL = (2.0, 3.0, 10.0)

confined = pytest.mark.parametrize("judge", CONFINED, indirect=True)
everywhere = pytest.mark.parametrize("judge", KINDS, indirect=True)
opened = pytest.mark.parametrize("judge", ["open"], indirect=True)


@pytest.fixture
def judge(request: pytest.FixtureRequest) -> Iterator[Judge]:
    with Judge(COURSE, SESSION, many=True, policy=Policy(without=WITHOUT[request.param])) as made:
        yield made


@pytest.fixture
def grade(judge: Judge, tmp_path: Path) -> Callable[..., Result]:
    """Grades a submission by a student of that name."""

    def run(student: str, raw: dict[str, Any], **files: str) -> Result:
        return Result(judge.grade(hand_in(tmp_path / student, raw, files)))

    return run


# --- One submission and the next ---

AS_A_STUB = """
import edgewise.grading.workers.following as following
stub, follow, asked = step, following.Follower.follow, 0
def first_as_stub(self, *arguments, **named):
    global asked
    asked += 1
    if asked == 1: self._objects = (stub,)
    return follow(self, *arguments, **named)
following.Follower.follow = first_as_stub
"""


@everywhere
def test_an_answer_that_passes_for_the_untouched_one_moves_no_points_to_those_who_left_it(
    grade: Callable[..., Result],
) -> None:
    cheat = grade("cheat", notebook({"ch08-e1": RIGHT["ch08-e1"]}, {CHECKS[2]: AS_A_STUB + RIGHT["ch08-e3"]}, "asked"))
    untouched = grade("untouched", notebook({}))

    assert (cheat.shown("after"), cheat.scores, untouched.scores) == ("1", (2.0, 0.0, 0.0), (0.0, 0.0, 0.0))


@everywhere
def test_an_answer_that_passes_for_the_untouched_one_puts_no_words_into_the_reports_of_others(
    grade: Callable[..., Result],
) -> None:
    before = grade("before", notebook({})).outcome.reports
    grade("cheat", notebook({}, {CHECKS[2]: AS_A_STUB + RIGHT["ch08-e3"]}))

    assert grade("after", notebook({})).outcome.reports == before


LEAVE = "with open({place!r}, 'w') as file: file.write({source!r})"
TAKE = "try: exec(open({place!r}).read()); why = 'found'\nexcept OSError: why = 'nothing'\nwhy"


def left(grade: Callable[..., Result], place: Path) -> tuple[str, tuple[float | None, ...]]:
    """What the second of two finds of what the first left, and earns with it."""
    leave = LEAVE.format(place=str(place), source=RIGHT["ch08-e1"] + RIGHT["ch08-e3"])
    grade("first", notebook(RIGHT, {CHECKS[2]: leave}))
    second = grade("second", notebook(WRONG, {CHECKS[2]: TAKE.format(place=str(place))}))
    return second.shown(f"before-{CHECKS[2]}"), second.scores


@confined
@pytest.mark.parametrize("place", ["@", ".", "/tmp", "/dev/shm", "/var/tmp"])
def test_what_an_earlier_submission_left_is_not_found(place: str, grade: Callable[..., Result], tmp_path: Path) -> None:
    assert left(grade, (tmp_path if place == "@" else Path(place)) / "edgewise-left") == ("nothing", BASE)


@opened
def test_what_an_earlier_submission_left_is_found_where_nothing_confines_it(
    grade: Callable[..., Result], tmp_path: Path
) -> None:
    assert left(grade, tmp_path / "left") == ("found", (*BASE[:2], 10.0))


def spoiled(grade: Callable[..., Result], folder: Path) -> tuple[float | None, ...]:
    """What a classmate earns after a submission wrote into theirs."""
    place = hand_in(folder / "classmate", notebook(RIGHT)) / f"{NAME}.ipynb"
    raw = json.dumps(notebook(WRONG))
    grade("cheat", notebook(RIGHT, {CHECKS[2]: LEAVE.format(place=str(place), source=raw)}))
    return grade("classmate", json.loads(place.read_text())).scores


@confined
def test_a_classmates_submission_stays_as_it_is(grade: Callable[..., Result], tmp_path: Path) -> None:
    assert spoiled(grade, tmp_path) == FULL


@opened
def test_a_classmates_submission_is_written_where_nothing_confines_it(
    grade: Callable[..., Result], tmp_path: Path
) -> None:
    assert spoiled(grade, tmp_path) == BASE


KILL = """
import os
for end in (os.kill, os.killpg):
    try: end(os.getppid() or 1, 9)
    except OSError: pass
"""


@confined
def test_who_grades_goes_on_after_a_submission_that_kills_its_parent(
    grade: Callable[..., Result], judge: Judge
) -> None:
    scores = [grade("killer", notebook(RIGHT, {CHECKS[2]: KILL})).scores, grade("next", notebook(RIGHT)).scores]

    assert (scores, left_of(judge._workers)) == ([FULL, FULL], 0)


@opened
def test_a_parent_is_killed_where_nothing_confines_a_worker_and_the_judge_says_so(
    grade: Callable[..., Result],
) -> None:
    killed = grade("killer", notebook(RIGHT, {CHECKS[2]: KILL}))
    with pytest.raises(ZygoteError):
        grade("next", notebook(RIGHT))

    assert (killed.scores, [problem.sentence for problem in killed.outcome.problems]) == (
        (2.0, 3.0, 0.0),
        [f"{NAME}: its code was ended by the machine; what was not checked before earns 0."],
    )


HOLDS = """
import os, signal
if os.fork() == 0:
    try: os.setsid()
    except OSError: pass
    for number in range(1, 65):
        try: signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError): pass
    while True: signal.pause()
os._exit(0)
"""


@confined
def test_a_process_left_behind_holds_nobody_up(grade: Callable[..., Result], judge: Judge) -> None:
    held = grade("holds", notebook(RIGHT, {CHECKS[2]: HOLDS}))

    assert (held.scores, grade("next", notebook(RIGHT)).scores, left_of(judge._workers)) == ((2.0, 3.0, 0.0), FULL, 0)


# --- A submission's own word about its grade ---


def metadata(raw: dict[str, Any], id_: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in raw["cells"] if one["id"] == id_)["metadata"]["nbgrader"]
    return found


@everywhere
def test_points_in_a_submissions_metadata_are_nobodys(grade: Callable[..., Result]) -> None:
    raw = notebook(WRONG)
    metadata(raw, CHECKS[2]).update(points=100, extra_credit=10, auto_score=10, manual_score=10)
    metadata(raw, "ch08-e3").update(grade=True, points=10)
    for one in raw["cells"]:
        if one["id"] == CHECKS[2]:
            points = {"output_type": "execute_result", "execution_count": 1, "data": {"text/plain": "10.0"}}
            one["outputs"] = [{**points, "metadata": {}}]
    result = grade("cheat", raw)
    said = [repair.sentence for repair in result.outcome.repairs]

    assert (result.scores, result.by_nbgrader, result.outcome.max_points, said) == (
        BASE,
        BASE,
        43.0,
        [
            f"{NAME}, 'ch08-e3': told nbgrader 'grade' is true; the course's word counts",
            f"{NAME}, 'ch08-e3-check': told nbgrader 'points' is 100, an unknown 'extra_credit', an unknown "
            "'auto_score', an unknown 'manual_score'; the course's word counts",
        ],
    )


SHADOWS = {
    "edgewise/__init__.py": "def check(*_): return 10.0\nTRANSITIONS = {}\n",
    "edgewise/machine.py": "raise SystemExit\n",
    "sitecustomize.py": "raise SystemExit\n",
    "check.py": "def check(*_): return 10.0\n",
    "json.py": "raise SystemExit\n",
    "course.yml": "course: mine\n",
    "checks/ch08_e3.py": "CHECK = None\n",
    "nbgrader_config.py": "raise SystemExit\n",
}


@everywhere
def test_files_named_like_ours_are_read_by_nobody_but_their_author(grade: Callable[..., Result]) -> None:
    look = "import os\nsorted(os.listdir())"
    shadowed = grade("cheat", notebook(WRONG, {CHECKS[2]: f"from check import check\n{look}"}), **SHADOWS)

    assert (shadowed.scores, shadowed.by_nbgrader, shadowed.shown(f"before-{CHECKS[2]}")) == (
        (*BASE[:2], 0.0),
        (*BASE[:2], 0.0),
        "['__pycache__', 'check.py', 'json.py']",
    )


@everywhere
def test_a_function_that_calls_the_librarys_is_judged_by_what_it_does(grade: Callable[..., Result]) -> None:
    """Nothing tells it from a right answer but its text, which nobody grades."""
    source = "import edgewise\ndef step(state, event): return edgewise.step(state, event)"

    assert grade("honest", notebook({**WRONG, "ch08-e3": source})).scores == (*BASE[:2], 10.0)


FEWER = "real = check\ndef check(*objects): real(objects[0])"
OURS = "from edgewise import step"


@pytest.mark.parametrize("judge", ["all layers"], indirect=True)
@pytest.mark.parametrize(
    ("trick", "lead"),
    [
        (OURS, "`step` is the library's own; the exercise asks for one that you wrote"),
        (
            FEWER,
            "ch08-e3 was not checked: `check` is another function in this notebook. Give yours another name, run "
            "`from edgewise import check`, and this cell again.",
        ),
        (
            "def check(*_): raise KeyError('x' * 1_000)",
            f"the check cell ended in an error, KeyError: '{'x' * 389}",
        ),
    ],
)
def test_an_answer_that_is_none_is_told_so_as_in_the_notebook(
    trick: str, lead: str, grade: Callable[..., Result]
) -> None:
    reports = grade("cheat", notebook(RIGHT, {CHECKS[2]: trick})).outcome.reports

    assert [one["findings"][0]["message"] for one in reports if one["findings"]] == [lead]
