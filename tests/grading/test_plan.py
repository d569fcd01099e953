"""A plan passes exactly what is right: every mutant and misconception falls through to the check itself."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from edgewise.checking.calling import Caller
from edgewise.checking.engine import examine
from edgewise.checking.machines import MachineCheck
from edgewise.checking.mutants import mutants
from edgewise.course import Course, load_course
from edgewise.grading.judging.plan import FOLDER, Plan, planned
from edgewise.grading.workers.answers import Followed
from edgewise.grading.workers.following import Follower
from edgewise.machine import TRANSITIONS

COURSE = load_course(Path(__file__).parents[2] / "course.yml")
ASKED = [exercise.id for exercise in COURSE.exercises if not exercise.written and exercise.id != "ch08-e1"]


@cache
def plan_of(exercise: str) -> Plan:
    made = planned(COURSE.exercise(exercise), COURSE)
    assert made is not None
    return made


def references(check: Any) -> list[Any]:
    return [check.reference] if isinstance(check, MachineCheck) else [each.reference for each in check.subjects]


def followed(plan: Plan, *objects: Any) -> Followed:
    with Caller(60) as ask:
        data = json.loads("{" + Follower(objects, {}, 0).follow(plan.batch.packed, ask) + "}")
    return Followed(0, tuple(data["entries"]), tuple(data["ids"]))


def right_step(state: dict[str, Any], event: dict[str, Any]) -> dict[str, Any]:
    here, name = state["state"], event["name"]
    if (here, name) not in TRANSITIONS:
        return {**state, "visited": [*state["visited"]], "rejected": f"no way for {name} out of {here}"}
    there = TRANSITIONS[here, name]
    return {"state": there, "visited": [*state["visited"], there], "rejected": None}


def told_apart() -> Callable[..., Any]:
    """Right, but a refusal's words count the calls: another answer to the same question."""
    calls: list[int] = []

    def step(state: dict[str, Any], event: dict[str, Any]) -> dict[str, Any]:
        calls.append(0)
        answer = right_step(state, event)
        return answer if answer["rejected"] is None else {**answer, "rejected": f"{answer['rejected']} {len(calls)}"}

    return step


def same_words(state: dict[str, Any], event: dict[str, Any]) -> dict[str, Any]:
    """Right, but one sentence names every event and every state."""
    answer = right_step(state, event)
    names = " ".join(sorted({name for pair in TRANSITIONS for name in pair}))
    return answer if answer["rejected"] is None else {**answer, "rejected": f"{names} shipped {event['name']}"[:90]}


def writes(state: dict[str, Any], event: dict[str, Any]) -> dict[str, Any]:
    """Right, but the event is changed."""
    answer = right_step(state, dict(event))
    event["seen"] = True
    return answer


def test_a_right_step_in_words_of_its_own_passes():
    plan = plan_of("ch08-e3")

    assert plan.passes(followed(plan, right_step))


@pytest.mark.parametrize("exercise", ASKED)
def test_a_passed_plan_says_what_the_check_says(exercise: str):
    plan = plan_of(exercise)

    assert (plan.passes(followed(plan, *references(plan.check))), plan.passed.outcome, plan.passed.points) == (
        True,
        "passed",
        COURSE.exercise(exercise).points,
    )


@pytest.mark.parametrize("step", [told_apart(), same_words, writes], ids=["told apart", "same words", "writes"])
def test_what_only_the_whole_walk_can_tell_does_not_pass(step: Callable[..., Any]):
    plan = plan_of("ch08-e3")

    assert not plan.passes(followed(plan, step))


def test_the_check_finds_the_same_report_for_what_passes():
    plan = plan_of("ch08-e3")

    assert plan.passed == examine(COURSE.exercise("ch08-e3"), [right_step], COURSE)


@pytest.mark.parametrize("exercise", [name for name in ASKED if isinstance(plan_of(name).check, MachineCheck)])
def test_no_mutant_of_a_sample_passes(exercise: str):
    plan = plan_of(exercise)

    some = islice(mutants(plan.check), 0, None, 40)  # type: ignore[arg-type]  # the whole walk takes its time for each

    assert [mutant.name for mutant in some if plan.passes(followed(plan, mutant.make()))] == []


@pytest.mark.parametrize("exercise", ASKED)
def test_no_misconception_passes(exercise: str):
    plan = plan_of(exercise)
    right = references(plan.check)
    names = COURSE.exercise(exercise).objects
    wrong = [
        known.name
        for known in plan.check.misconceptions
        if plan.passes(
            followed(plan, *[known.answer if known.about in ("", name) else one for name, one in zip(names, right)])  # noqa: B905
        )
    ]

    assert wrong == []


@pytest.fixture
def course(tmp_path: Path) -> Course:
    """The course somewhere else, with checks of its own."""
    shutil.copytree(COURSE.root / "checks", tmp_path / "checks", ignore=shutil.ignore_patterns("__pycache__"))
    return replace(COURSE, path=tmp_path / "course.yml")


def same(one: Plan | None, other: Plan | None) -> bool:
    """Whether two plans ask and expect the same; each has a check module of its own."""
    return one is not None and other is not None and replace(one, check=other.check) == other


def kept(course: Course) -> list[str]:
    return sorted(path.name for path in (course.root / "build" / FOLDER).iterdir())


def test_a_plan_is_kept_and_read_again(course: Course, monkeypatch: pytest.MonkeyPatch):
    made = planned(course.exercise("ch08-e6"), course)
    monkeypatch.setattr("edgewise.grading.judging.plan.recorded", None)

    assert same(planned(course.exercise("ch08-e6"), course), made)


def test_a_changed_check_makes_another_plan_in_its_place(course: Course):
    planned(course.exercise("ch08-e6"), course)
    before = kept(course)
    with (course.root / "checks/ch08_e6.py").open("a") as file:
        file.write("\n# another state of it\n")
    planned(course.exercise("ch08-e6"), course)

    assert (len(before), len(kept(course)), before == kept(course)) == (1, 1, False)


@pytest.mark.parametrize("damage", [lambda data: b"", lambda data: data[:-1], lambda data: bytes(32) + data[32:]])
def test_a_damaged_plan_is_made_again(course: Course, damage: Callable[[bytes], bytes]):
    made = planned(course.exercise("ch08-e6"), course)
    path = course.root / "build" / FOLDER / kept(course)[0]
    path.write_bytes(damage(path.read_bytes()))

    assert same(planned(course.exercise("ch08-e6"), course), made)


def test_where_no_plan_can_be_kept_it_is_made_all_the_same(course: Course):
    (course.root / "build").write_text("a file in the folder's place")

    assert same(planned(course.exercise("ch08-e6"), course), plan_of("ch08-e6"))
