"""Submissions of session 8's first notebook, made of a few cells, and what grading one gives."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import nbformat
from nbgrader.utils import determine_grade

from edgewise.course import load_course
from edgewise.grading.judging.outcome import Outcome
from edgewise.grading.reading.rebuild import copied
from edgewise.grading.reading.released import released

ROOT = Path(__file__).parents[2]
_COURSE = load_course(ROOT / "course.yml")
COURSE = replace(_COURSE, limits=replace(_COURSE.limits, cell_seconds=2, check_seconds=2))
SESSION = COURSE.session("ch08")
NAME = "five-state-machine"
RELEASED = next(one for one in released(COURSE, SESSION) if one.name == NAME)
CHECKS = ("ch08-e1-check", "ch08-e2-check", "ch08-e3-check")

RIGHT_TABLE = """\
TRANSITIONS = {
    ("planning", "plan_ready"): "retrieving",
    ("planning", "out_of_scope"): "refusing",
    ("retrieving", "hits"): "answering",
    ("retrieving", "no_hits"): "refusing",
    ("answering", "answered"): "done",
    ("refusing", "refused"): "done",
}
"""
RIGHT_SETS = """\
def terminal(transitions):
    return set(transitions.values()) - {source for source, _ in transitions}
def ways_into(transitions, state):
    return {source for (source, _), target in transitions.items() if target == state}
"""
RIGHT_STEP = """\
def step(state, event):
    target = TRANSITIONS.get((state["state"], event["name"]))
    if target is None:
        refusal = f"{event['name']} has no row in {state['state']}"
        return {"state": state["state"], "visited": [*state["visited"]], "rejected": refusal}
    return {"state": target, "visited": [*state["visited"], target], "rejected": None}
"""
RIGHT = {"ch08-e1": RIGHT_TABLE, "ch08-e2": RIGHT_SETS, "ch08-e3": RIGHT_STEP}
WRONG = {
    "ch08-e1": RIGHT_TABLE + "TRANSITIONS['done', 'hits'] = 'answering'\n",
    "ch08-e2": RIGHT_SETS.replace("set(transitions.values()) - ", ""),
    "ch08-e3": RIGHT_STEP.replace('[*state["visited"], target]', "[target]").replace("TRANSITIONS", "ROWS")
    + f"ROWS = {RIGHT_TABLE.partition(' = ')[2]}",
}
"""A row too many, one of two functions, and a history that holds the present alone."""


def cell(id_: str, source: str, kind: str = "code", metadata: Mapping[str, Any] | None = None) -> dict[str, Any]:
    made: dict[str, Any] = {"cell_type": kind, "id": id_, "metadata": copied(metadata or {}), "source": source}
    return made | ({"outputs": [], "execution_count": None} if kind == "code" else {})


def notebook(answers: Mapping[str, str], before: Mapping[str, str] | None = None, after: str = "") -> dict[str, Any]:
    """The notebook as handed in; `before` puts cells in front of others, by their ids, and `after` one at the end."""
    cells = []
    for slot in RELEASED.slots:
        if before and slot.id in before:
            cells.append(cell(f"before-{slot.id}", before[slot.id]))
        cells.append(cell(slot.id, answers.get(slot.id, slot.source), slot.kind, slot.metadata))
    if after:
        cells.append(cell("after", after))
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": dict(RELEASED.metadata), "cells": cells}


def hand_in(folder: Path, raw: dict[str, Any], files: Mapping[str, str] | None = None) -> Path:
    """The folder of a submission that holds that notebook, and files beside it."""
    for path, text in {f"{NAME}.ipynb": json.dumps(raw), **(files or {})}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


@dataclass(frozen=True)
class Result:
    """What came of one notebook of a submission."""

    outcome: Outcome
    name: str = NAME

    @cached_property
    def graded(self) -> Any:
        """The autograded notebook: encoded, read back and valid, or this raises."""
        (one,) = (one for one in self.outcome.notebooks if one.name == self.name)
        assert one.text is not None
        with warnings.catch_warnings(action="error"):
            nbformat.validate(json.loads(one.text.encode("utf-8")))
            return nbformat.reads(one.text, as_version=4)

    @property
    def scores(self) -> tuple[float | None, ...]:
        """The points of each check cell."""
        (one,) = (one for one in self.outcome.notebooks if one.name == self.name)
        return tuple(score for cell, score in one.scores.items() if cell.endswith("-check"))

    @property
    def by_nbgrader(self) -> tuple[float | None, ...]:
        """The points that nbgrader's own rule reads out of the check cells' outputs."""
        graded = (one for one in self.graded.cells if one.metadata.get("nbgrader", {}).get("grade"))
        return tuple(determine_grade(one)[0] for one in graded if one.cell_type == "code")

    def shown(self, id_: str) -> str:
        """The last value, text or error's name of a cell."""
        outputs = next(one.outputs for one in self.graded.cells if one.id == id_)
        return last(outputs)


def last(outputs: list[Any]) -> str:
    if not outputs:
        return ""
    if "ename" in outputs[-1]:
        return str(outputs[-1]["ename"])
    return str(outputs[-1].get("text") or outputs[-1]["data"].get("text/plain")).strip("'\n")
