"""A course of two notebooks, and a student's copies of them as nbgrader releases them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.utils import compute_checksum

COURSE = """\
course: small
title: A small course
layout: {source: notebooks, release: build/release, submitted: build/submitted, autograded: build/autograded,
         feedback: build/feedback, solution: build/solution, database: build/gradebook.db, exchange: build/exchange}
limits: {cell_seconds: 30, check_seconds: 5, file_seconds: 20, memory_megabytes: 1024}
late: none
sessions:
  ch01:
    number: 1
    title: Numbers
    date: 2026-09-02
    notebooks:
      twice:
        title: Twice
        exercises:
          ch01-e1: {title: Double, objects: [double], points: 2}
          ch01-w1: {title: Why twice, written: true, points: 3}
      thrice:
        title: Thrice
        exercises:
          ch01-e2: {title: Treble, objects: [treble], points: 4}
"""

CHECK = '''\
"""A check of one function."""

from edgewise.checking.cases import Case, CaseCheck, Subject, gives
from edgewise.checking.exercise import Hints, Rule

right = gives("Multiplies", "{name}")


def times(number):
    return {factor} * number


def numbers():
    for number in range(5):
        yield (number,), {{}}


CHECK = CaseCheck(
    subjects=(Subject("{name}", times, (Case((2,), {twice}),), numbers),),
    rules=(Rule(right, 1.0, "{name}"),),
    hints=Hints({{right: "Count."}}, "Five times two is ten."),
)
'''

STUB = "    # YOUR CODE HERE\n    raise NotImplementedError()"


def answer(exercise: str, source: str) -> dict[str, Any]:
    """A released answer cell, with the checksum that nbgrader itself gives it."""
    return _released(exercise, "code", source, grade=False, solution=True, locked=False)


def check(exercise: str, name: str, points: int) -> dict[str, Any]:
    """A released check cell."""
    flags = {"grade": True, "solution": False, "locked": True, "points": points}
    return _released(f"{exercise}-check", "code", f'check("{exercise}", {name})', **flags)


def words(exercise: str, points: int) -> dict[str, Any]:
    """A released written answer."""
    return _released(exercise, "markdown", "YOUR ANSWER HERE", grade=True, solution=True, locked=False, points=points)


def _released(grade_id: str, kind: str, source: str, **flags: Any) -> dict[str, Any]:
    marks = {"schema_version": 3, "task": False, "grade_id": grade_id, "cell_type": kind, **flags}
    cell = {"cell_type": kind, "id": grade_id, "metadata": {"nbgrader": marks}, "source": source}
    marks["checksum"] = compute_checksum(NotebookNode({**cell, "metadata": NotebookNode(nbgrader=NotebookNode(marks))}))
    return cell | ({"outputs": [], "execution_count": None} if kind == "code" else {})


def code(source: str) -> dict[str, Any]:
    """A cell of the student's own."""
    return {"cell_type": "code", "id": "own", "metadata": {}, "source": source, "outputs": [], "execution_count": None}


class Copies:
    """The course, and the folder with a student's copies, to be changed and looked at."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / "my-sessions"
        (root / "checks").mkdir(parents=True)
        (root / "course.yml").write_text(COURSE)
        for exercise, name, factor in (("e1", "double", 2), ("e2", "treble", 3)):
            check_module = CHECK.format(name=name, factor=factor, twice=2 * factor)
            (root / f"checks/ch01_{exercise}.py").write_text(check_module)
        double, treble = f"def double(number):\n{STUB}", f"def treble(number):\n{STUB}"
        self.twice = [
            code("from edgewise import check"),
            answer("ch01-e1", double),
            check("ch01-e1", "double", 2),
            words("ch01-w1", 3),
        ]
        self.thrice = [code("from edgewise import check"), answer("ch01-e2", treble), check("ch01-e2", "treble", 4)]
        self.save("ch01/twice.ipynb", self.twice)
        self.save("ch01/thrice.ipynb", self.thrice)

    def save(self, name: str, cells: list[dict[str, Any]], *, at: int | None = None) -> None:
        """Write a notebook, as if saved `at` that second."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
        path.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells}))
        if at is not None:
            os.utime(path, (at, at))
