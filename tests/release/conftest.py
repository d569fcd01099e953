"""A small course in a temporary folder: one notebook, one machine exercise, one written answer."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent

COURSE = """\
course: small
title: A small course
layout:
  source: notebooks
  release: build/release
  submitted: build/submitted
  autograded: build/autograded
  feedback: build/feedback
  solution: build/solution
  database: build/gradebook.db
  exchange: build/exchange
limits: {cell_seconds: 30, check_seconds: 5, file_seconds: 20, memory_megabytes: 1024}
late: none
sessions:
  ch08:
    number: 8
    title: Graphs
    date: 2026-09-23
    notebooks:
      graph:
        title: A graph
        exercises:
          ch08-e3: {title: The step, objects: [step], points: 10}
          ch08-w1: {title: Why, written: true, points: 3}
"""

STEP = '''\
def step(state: dict, event: dict) -> dict:
    """Return the snapshot after the event."""
    ### BEGIN SOLUTION
    current = state["state"]
    target = TRANSITIONS.get((current, event["name"]))
    if target is None:
        refusal = f"{event['name']} has no edge in {current}"
        return {"state": current, "visited": list(state["visited"]), "rejected": refusal}
    return {"state": target, "visited": [*state["visited"], target], "rejected": None}
    ### END SOLUTION'''


def graded(grade_id: str, **flags: Any) -> dict[str, Any]:
    flags = {"grade": False, "solution": False, "locked": False, "task": False, **flags}
    return {"nbgrader": {"schema_version": 3, "grade_id": grade_id, **flags}}


def code(id_: str, source: str, metadata: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "cell_type": "code", "id": id_, "metadata": metadata or {}, "source": source,
        "outputs": [], "execution_count": None,
    }  # fmt: skip


def words(id_: str, source: str, metadata: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"cell_type": "markdown", "id": id_, "metadata": metadata or {}, "source": source}


def notebook() -> dict[str, Any]:
    """A notebook that lint finds nothing in."""
    why = "### BEGIN SOLUTION\nA refusal keeps the run where it is, and says so.\n### END SOLUTION"
    return {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
        "cells": [
            words("goal", "# A graph\n\nAfter this you can write a step."),
            code("setup", "from edgewise import check\nfrom edgewise.machine import TRANSITIONS"),
            code("step", STEP, graded("ch08-e3", solution=True)),
            code("step-check", 'check("ch08-e3", step)', graded("ch08-e3-check", grade=True, locked=True, points=10)),
            words("why", why, graded("ch08-w1", grade=True, solution=True, points=3)),
        ],
    }


class Small:
    """The small course on disk, to be changed and looked at."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.notebook = root / "notebooks/ch08/graph.ipynb"
        self.notebook.parent.mkdir(parents=True)
        self.change(lambda _: None)
        (root / "course.yml").write_text(COURSE, encoding="utf-8")
        (root / "checks").mkdir()
        shutil.copy(ROOT / "checks/ch08_e3.py", root / "checks")
        shutil.copy(ROOT / "nbgrader_config.py", root)

    def change(self, how: Callable[[dict[str, Any]], object]) -> None:
        """Write the notebook, `how` having changed its JSON."""
        raw = notebook()
        how(raw)
        self.notebook.write_text(json.dumps(raw, indent=1), encoding="utf-8")

    def course_says(self, old: str, new: str) -> None:
        """Change course.yml."""
        assert old in COURSE
        (self.root / "course.yml").write_text(COURSE.replace(old, new), encoding="utf-8")


@pytest.fixture
def small(tmp_path: Path) -> Small:
    return Small(tmp_path / "kit")
