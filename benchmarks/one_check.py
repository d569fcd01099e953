"""What a check costs: its parts, a whole one of a right and of a wrong answer, and the proof of all checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from io import StringIO
from time import perf_counter

from benchmarks.figure import Figure
from benchmarks.timing import least
from edgewise import check
from edgewise.checking.calling import Caller
from edgewise.checking.engine import examine, load_check
from edgewise.checking.machines import MachineCheck
from edgewise.checking.page import page
from edgewise.checking.proof import prove
from edgewise.checking.walk import Walk
from edgewise.course import load_course
from edgewise.machine import TRANSITIONS

COURSE = load_course()
EXERCISE = COURSE.exercise("ch08-e3")


def step(state: dict, event: dict) -> dict:
    """A right answer that is not the library's."""
    here, name = state["state"], event["name"]
    if (here, name) not in TRANSITIONS:
        return {**state, "visited": list(state["visited"]), "rejected": f"{name!r} does not fit in {here!r}"}
    there = TRANSITIONS[here, name]
    return {"state": there, "visited": [*state["visited"], there], "rejected": None}


def homing(state: dict, event: dict) -> dict:
    """A wrong answer, which needs every part of a report: drawing, misconception, line, "your machine"."""
    there = TRANSITIONS.get((state["state"], event["name"]), "planning")
    return {"state": there, "visited": [*state["visited"], there], "rejected": None}


def figures() -> Iterable[Figure]:
    """The parts first, each the least of its rounds; every check but the proof has run before in this process."""
    found = load_check(COURSE.check_path(EXERCISE))
    assert isinstance(found, MachineCheck)
    with Caller(60) as ask:
        parts = least({"walk": _part(found, ask, Walk.pairs), "sequences": _part(found, ask, Walk.sequences)})
    with redirect_stdout(StringIO()) as shown:
        points = check("ch08-e3", step)
        whole = least(
            {
                "right": lambda: check("ch08-e3", step),
                "wrong": lambda: page(examine(EXERCISE, [homing], COURSE)),
            }
        )
    detail = f"{points:g} points; {shown.getvalue().splitlines()[0]}"
    yield Figure("check", "the walk over all pairs of ch08-e3", parts["walk"] * 1000, 1, "ms", detail="35 calls")
    yield Figure("check", "all 2,800 sequences, each twice", parts["sequences"] * 1000, 30, "ms", detail="5,600 calls")
    yield Figure("check", 'check("ch08-e3", step), a right answer', whole["right"] * 1000, 50, "ms", detail=detail)
    yield Figure("check", "a wrong one, with report and drawings", whole["wrong"] * 1000, 100, "ms", detail="homing")
    yield _proofs()


def _part(found: MachineCheck, ask: Caller, part: Callable[[Walk], Iterable[object]]) -> Callable[[], object]:
    """One part of the domain, walked by a new walk each time."""
    return lambda: list(part(Walk(found.settings[0], step, ask, found._breaks)))


def _proofs() -> Figure:
    began = perf_counter()
    proofs = [prove(COURSE, exercise) for exercise in COURSE.exercises if not exercise.written]
    seconds = perf_counter() - began
    tried = sum(family.tried for proof in proofs for family in proof.families)
    missed = sum(len(proof.missed) for proof in proofs)
    detail = f"wall clock, one process; {tried} answers tried, {missed} missed"
    return Figure("check", "all mutants of all exercises", seconds, 60, "s", detail=detail)
