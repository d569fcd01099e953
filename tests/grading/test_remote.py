"""A check that asks a worker from outside says what it says in this process."""

from __future__ import annotations

import marshal
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from edgewise.checking.engine import examine
from edgewise.checking.report import Report
from edgewise.course import load_course
from edgewise.grading.judging.plan import Plan, planned
from edgewise.grading.judging.remote import Asker, Remote
from edgewise.grading.workers.asking import Cell
from edgewise.grading.workers.pool import Workers

COURSE = load_course(Path(__file__).parents[2] / "course.yml")
TABLE = "from edgewise.machine import TRANSITIONS\n"

RIGHT = """
def step(state, event):
    target = TRANSITIONS.get((state["state"], event["name"]))
    if target is None:
        return {**state, "rejected": f"{event['name']} has no row in {state['state']}"}
    return {"state": target, "visited": [*state["visited"], target], "rejected": None}
"""

STEPS = {
    "a right step": RIGHT,
    "a right step with a key of its own": RIGHT.replace('"rejected": None}', '"rejected": None, "log": object()}'),
    "back to the start": """
def step(state, event):
    target = TRANSITIONS.get((state["state"], event["name"]), "planning")
    return {"state": target, "visited": [*state["visited"], target], "rejected": None}
""",
    "raises": """
def step(state, event):
    target = TRANSITIONS[state["state"], event["name"]]
    return {"state": target, "visited": [*state["visited"], target], "rejected": None}
""",
    "changes its argument": """
def step(state, event):
    target = TRANSITIONS.get((state["state"], event["name"]))
    if target is None:
        return {**state, "rejected": f"{event['name']} has no row in {state['state']}"}
    state["visited"].append(target)
    return {"state": target, "visited": state["visited"], "rejected": None}
""",
    "only the present": """
def step(state, event):
    target = TRANSITIONS.get((state["state"], event["name"]))
    if target is None:
        return {**state, "rejected": f"{event['name']} has no row in {state['state']}"}
    return {"state": target, "visited": [target], "rejected": None}
""",
    "never ends": "def step(state, event):\n    while True:\n        pass\n",
    "ends the program": "def step(state, event):\n    raise SystemExit\n",
    "takes one argument": "def step(state):\n    return state\n",
}


COUNTING = """
calls = []
def step(state, event):
    calls.append(event)
    target = TRANSITIONS.get((state["state"], event["name"])) if len(calls) % 50 else None
    if target is None:
        return {**state, "rejected": f"{event['name']} has no row in {state['state']}"}
    return {"state": target, "visited": [*state["visited"], target], "rejected": None}
"""


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    with Workers() as made:
        yield made


@pytest.fixture(scope="module")
def plan() -> Plan:
    made = planned(COURSE.exercise("ch08-e3"), COURSE)
    assert made is not None
    return made


def asked(workers: Workers, source: str, plan: Plan | None) -> Report:
    exercise = COURSE.exercise("ch08-e3")
    check = 'from edgewise import check\ncheck("ch08-e3", step)'
    cells = [Cell("answer", TABLE + source), Cell("check", check, "ch08-e3")]
    with workers.worker(60) as worker:
        worker.run(cells, cell_seconds=20)
        followed = worker.follow("ch08-e3", plan.batch.packed, plan.batch.count, seconds=5) if plan else None
        remote = [Remote("ch08-e3", 0)]
        return examine(exercise, remote, COURSE, lambda seconds: Asker(worker, seconds, plan, followed))


def called(source: str) -> Report:
    names: dict = {}
    exec(TABLE + textwrap.dedent(source), names)
    return examine(COURSE.exercise("ch08-e3"), [names["step"]], COURSE)


def compared(report: Report) -> Report:
    """What has to be alike: all but the lines of code, which stand in a cell there and in a text here."""
    return replace(report, findings=tuple(replace(finding, line=None) for finding in report.findings))


@pytest.mark.parametrize("name", STEPS)
def test_a_worker_is_judged_as_a_function_is(workers: Workers, plan: Plan, name: str):
    assert compared(asked(workers, STEPS[name], plan)).text == compared(called(STEPS[name])).text


def test_a_plan_changes_nothing_but_the_time(workers: Workers, plan: Plan):
    assert (
        asked(workers, STEPS["back to the start"], None).text == asked(workers, STEPS["back to the start"], plan).text
    )


def test_a_finding_shows_the_students_line(workers: Workers, plan: Plan):
    report = asked(workers, STEPS["raises"], plan)

    assert report.findings[0].line == 'line 4: target = TRANSITIONS[state["state"], event["name"]]'


def test_a_plan_names_own_answers_by_number_so_that_it_holds_no_expectation(plan: Plan):
    questions = [(head, marshal.loads(others)) for _, head, others, _ in plan.batch.places]

    assert questions[:3] == [
        (None, ({"state": "planning", "visited": ["planning"], "rejected": None}, {"name": "plan_ready"})),
        (0, ({"name": "hits"},)),
        (1, ({"name": "answered"},)),
    ]


def test_a_step_that_counts_its_calls_is_found_out_there_too(workers: Workers, plan: Plan):
    report = asked(workers, COUNTING, plan)

    assert (report.outcome, report.findings[0].rule) == ("not yet", called(COUNTING).findings[0].rule)
