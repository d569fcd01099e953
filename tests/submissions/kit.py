"""A course of two notebooks in a temporary folder, and an honest submission to it."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

from edgewise.course import Course, Session, load_course
from edgewise.grading.reading.submission import Submission, read
from tests.release.conftest import COURSE, STEP, code, graded, notebook, words

SECOND = """\
      storm:
        title: A storm
        exercises:
          ch08-e4: {title: A cap, objects: [capped, cap], points: 5}
"""

STEP_ANSWER = '''\
def step(state: dict, event: dict) -> dict:
    """Return the snapshot after the event."""
    return {"state": TRANSITIONS[state["state"], event["name"]]}'''
WHY_ANSWER = "It stays where it is, and says why."
CAP_ANSWER = "cap = 3\n\n\ndef capped(state):\n    return min(state, cap)"
ANSWERS = {"ch08-e3": STEP_ANSWER, "ch08-w1": WHY_ANSWER, "ch08-e4": CAP_ANSWER}


def storm() -> dict[str, Any]:
    """The second source notebook."""
    cap = "cap = 1\n\n\ndef capped(state):\n    ### BEGIN SOLUTION\n    return min(state, cap)\n    ### END SOLUTION"
    check = graded("ch08-e4-check", grade=True, locked=True, points=5)
    cells = [
        words("goal", "# A storm"),
        code("setup", "from edgewise import check"),
        code("cap", cap, graded("ch08-e4", solution=True)),
        code("cap-check", 'check("ch08-e4", capped, cap)', check),
        words("recap", "That was a storm."),
    ]
    return {**notebook(), "cells": cells}


def course(root: Path) -> Course:
    """The course, its notebooks and its course.yml written into `root`."""
    folder = root / "notebooks/ch08"
    folder.mkdir(parents=True)
    for name, raw in (("graph", notebook()), ("storm", storm())):
        (folder / f"{name}.ipynb").write_text(json.dumps(raw), encoding="utf-8")
    (root / "course.yml").write_text(COURSE + SECOND, encoding="utf-8")
    return load_course(root / "course.yml")


def session(of: Course) -> Session:
    """Its one session."""
    return of.session("ch08")


def handed_out(of: Course, folder: Path) -> dict[str, dict[str, Any]]:
    """The notebooks as students get them: what the reader makes of a submission that holds nothing."""
    folder.mkdir()
    return {one.name: one.as_json() for one in read(folder, session(of), of).notebooks}


def honest(released: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The notebooks with an answer in each answer cell."""
    made = copy.deepcopy(released)
    for raw in made.values():
        for cell in raw["cells"]:
            grade_id = cell["metadata"].get("nbgrader", {}).get("grade_id")
            if grade_id in ANSWERS:
                cell["source"] = ANSWERS[grade_id].splitlines(keepends=True)
    return made


def answers(submission: Submission) -> dict[str, str]:
    """What stands in the answer cells."""
    cells = [cell for one in submission.notebooks for cell in one.cells if cell.role in ("answer", "written")]
    return {cell.grade_id: cell.source for cell in cells}


__all__ = ["ANSWERS", "STEP", "answers", "course", "handed_out", "honest", "session"]
