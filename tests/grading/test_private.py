"""course.private.yml says how far a class is asked, and every problem in it is named with its line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from edgewise.checking.calling import Caller
from edgewise.checking.engine import examine
from edgewise.checking.exercise import Domain
from edgewise.course import Course, CourseError, load_course
from edgewise.grading.judging.plan import planned
from edgewise.grading.judging.private import FILE, domain_of
from edgewise.machine import TRANSITIONS

ROOT = Path(__file__).parents[2]
COURSE = load_course(ROOT / "course.yml")


def course_in(folder: Path, text: str | bytes | None) -> Course:
    if text is not None:
        (folder / FILE).write_bytes(text if isinstance(text, bytes) else text.encode())
    return replace(COURSE, path=folder / "course.yml")


def step(state, event):
    here, name = state["state"], event["name"]
    if (here, name) not in TRANSITIONS:
        return {**state, "visited": [*state["visited"]], "rejected": f"no way for {name} out of {here}"}
    there = TRANSITIONS[here, name]
    return {"state": there, "visited": [*state["visited"], there], "rejected": None}


def terminal(table):
    return {target for target in table.values() if target not in {source for source, _ in table}}


def ways_into(table, state):
    return {source for (source, _), target in table.items() if target == state}


@pytest.mark.parametrize(
    ("text", "domain"),
    [
        (None, Domain()),
        ("", Domain()),
        ("# nothing yet\n", Domain()),
        ("depth: 3\n", Domain(depth=3)),
        ("seed: 0\ndepth: 5\n", Domain(depth=5, seed=0)),
    ],
)
def test_what_is_left_out_is_as_the_check_says(tmp_path: Path, text: str | None, domain: Domain):
    assert domain_of(course_in(tmp_path, text)) == domain


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        (
            "seed: 1\ndept: 4\ndepth: 6\n",
            [
                "course.private.yml:2: 'dept' is unknown here; did you mean 'depth'? possible: 'depth', 'seed'",
                "course.private.yml:3: 'depth' is 6; it is a whole number from 1 to 5",
            ],
        ),
        ("seed: -1", ["course.private.yml:1: 'seed' is -1; it is a whole number from 0 up"]),
        ("depth: yes", ["course.private.yml:1: 'depth' is 'yes'; it is a whole number from 1 to 5"]),
        ("- 1", ["course.private.yml:1: the file is a mapping with 'depth' and 'seed'"]),
        (b"seed: \xff", ["course.private.yml: is not UTF-8; save the file as UTF-8"]),
    ],
)
def test_every_problem_is_named_with_its_line(tmp_path: Path, text: str | bytes, problems: list[str]):
    with pytest.raises(CourseError) as raised:
        domain_of(course_in(tmp_path, text))

    assert [*raised.value.problems] == problems


def test_a_file_that_can_t_be_read_is_named(tmp_path: Path):
    (tmp_path / FILE).mkdir()

    with pytest.raises(CourseError, match=r"course\.private\.yml: cannot be read \(Is a directory\)"):
        domain_of(course_in(tmp_path, None))


def test_a_depth_reaches_every_sequence_and_the_report(tmp_path: Path):
    report = examine(COURSE.exercise("ch08-e3"), [step], COURSE, Caller, Domain(depth=2))

    assert report.domain.endswith("all 56 sequences of up to 2 events, each twice")


def test_a_seed_makes_other_inputs_and_is_in_the_report():
    exercise = COURSE.exercise("ch08-e2")
    asked: dict[int | None, list[object]] = {None: [], 9: []}

    reports = [
        examine(exercise, [lambda table, seed=seed: asked[seed].append(table) or terminal(table), ways_into],
                COURSE, Caller, Domain(seed=seed)).domain.rpartition("each twice")[2]
        for seed in asked
    ]  # fmt: skip

    assert (reports, asked[None] == asked[9]) == (["", ", seed 9"], False)


def test_a_plan_asks_as_far_as_it_is_told():
    shallow, deep = (planned(COURSE.exercise("ch08-e3"), COURSE, Domain(depth=depth)) for depth in (1, 2))

    assert deep.batch.count - shallow.batch.count == 2 * 49
