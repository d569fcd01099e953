"""`edgewise lint`: every sentence it can say, each from a small course with one thing out of place."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import pytest

from edgewise.course import UnknownSessionError, load_course
from edgewise.release.lint import problems

FILE = "notebooks/ch08/graph.ipynb"


def said(small, *, measured: bool = False) -> list[str]:
    return list(problems(load_course(small.root / "course.yml"), measured=measured))


def put(cell: int, **changes: Any) -> Callable[[dict[str, Any]], None]:
    """Change some keys of one cell."""
    return lambda raw: raw["cells"][cell].update(changes)


def grade(cell: int, **changes: Any) -> Callable[[dict[str, Any]], None]:
    """Change what one cell says to nbgrader."""
    return lambda raw: raw["cells"][cell]["metadata"]["nbgrader"].update(changes)


def swap(cell: int, old: str, new: str) -> Callable[[dict[str, Any]], None]:
    """Change a piece of one cell's source."""

    def change(raw: dict[str, Any]) -> None:
        assert old in raw["cells"][cell]["source"]
        raw["cells"][cell]["source"] = raw["cells"][cell]["source"].replace(old, new)

    return change


def shows(data: dict[str, str]) -> Callable[[dict[str, Any]], None]:
    """Give the set-up cell an output."""
    return put(1, outputs=[{"output_type": "display_data", "data": data, "metadata": {}}])


def test_a_course_where_all_fits_has_no_problem(small) -> None:
    assert said(small, measured=True) == []


ACCIDENT = "which nbgrader could score by accident; it has to be exactly 'check(\"ch08-e3\", step)'"
KEYS = "'schema_version', 'grade', 'solution', 'locked', 'task', 'grade_id', 'points', 'checksum', 'cell_type'"
GONE = "a tag can keep a graded cell from running, and then it earns all"
NO_ALT = "has no alt text; say in words what it shows"
PNG = base64.b64encode(b"x").decode()

WRONG = {
    # the notebook as a file
    "an old format": (lambda raw: [raw.update(nbformat_minor=4), *[cell.pop("id") for cell in raw["cells"]]], [
        ": is in format 4.4; possible: 4.5, whose cells have ids",
        *[f": cell '': cell {number} needs an id that can be read, of a-z, 0-9 and '-'" for number in range(1, 6)]]),
    "another kernel": (lambda raw: raw["metadata"].update(kernelspec={"name": "ir", "display_name": "R"}), [
        ": names the kernel 'ir' in None; nbgrader needs 'python3' in 'python'"]),
    "no kernel": (lambda raw: raw["metadata"].clear(), [
        ": names the kernel None in None; nbgrader needs 'python3' in 'python'"]),
    "a random id": (put(0, id="3f9a0b12"), [
        ": cell '3f9a0b12': cell 1 needs an id that can be read, of a-z, 0-9 and '-'"]),
    "an id in capitals": (put(0, id="Goal_1"), [
        ": cell 'Goal_1': cell 1 needs an id that can be read, of a-z, 0-9 and '-'"]),
    # what the cells say to nbgrader
    "a flag that is text": (grade(2, grade="no"), [
        ": cell 'step': nbgrader's 'grade' is 'no'; possible: true or false",
        ": cell 'step': nbgrader's 'grade' has to be false in this cell"]),
    "an old schema": (grade(2, schema_version=1), [": cell 'step': nbgrader's 'schema_version' is 1; possible: 3"]),
    "a key nbgrader does not know": (grade(2, hint="x"), [
        f": cell 'step': nbgrader does not know 'hint'; possible: {KEYS}"]),
    "a grade_id with a blank": (grade(0 + 4, grade_id="ch08 w1"), [
        ": has no answer cell for 'ch08-w1' (the grade_id), and course.yml lists it",
        ": cell 'why': nbgrader's 'grade_id' is 'ch08 w1'; possible: letters, digits, '-', '_'",
        ": cell 'why': nbgrader would grade 'ch08 w1', which course.yml does not list here"]),
    "a task": (grade(4, task=True), [
        ": cell 'why': is a manual task; a written answer is a cell with grade and solution"]),
    "a check cell that is skipped": (lambda raw: raw["cells"][3]["metadata"].update(tags=["skip-execution"]), [
        f": cell 'step-check': carries 'skip-execution'; {GONE}"]),
    "an answer cell that is skipped": (lambda raw: raw["cells"][2]["metadata"].update(tags=["a", "b"]), [
        f": cell 'step': carries 'a', 'b'; {GONE}"]),
    "a grade_id twice": (lambda raw: raw["cells"].append({**raw["cells"][4], "id": "why-not"}), [
        ": cell 'why-not': 2 cells have the grade_id 'ch08-w1'; nbgrader keeps the last"]),
    "a graded cell of no exercise": (grade(4, grade_id="ch08-w9"), [
        ": has no answer cell for 'ch08-w1' (the grade_id), and course.yml lists it",
        ": cell 'why': nbgrader would grade 'ch08-w9', which course.yml does not list here"]),
    "no check cell": (lambda raw: raw["cells"].pop(3), [
        ": has no check cell 'ch08-e3-check' (the grade_id), so 'ch08-e3' earns 0"]),
    "a check cell elsewhere": (lambda raw: raw["cells"].append(raw["cells"].pop(3)), [
        ": cell 'step-check': does not stand right after the answer cell 'step'"]),
    "a check cell at the top": (lambda raw: raw["cells"].insert(0, raw["cells"].pop(3)), [
        ": cell 'step-check': does not stand right after the answer cell 'step'",
        ": cell 'step-check': no cell above it imports `check` from edgewise"]),
    "an open check cell": (grade(3, locked=False), [
        ": cell 'step-check': nbgrader's 'locked' has to be true in this cell"]),
    "a check cell that is a solution": (grade(3, solution=True), [
        ": cell 'step-check': nbgrader's 'solution' has to be false in this cell"]),
    "an answer that is locked": (grade(2, locked=True), [
        ": cell 'step': nbgrader's 'locked' has to be false in this cell"]),
    "a written answer in code": (lambda raw: raw["cells"][4].update(
        cell_type="code", outputs=[], execution_count=None), [": cell 'why': is a code cell; possible: markdown"]),
    "other points": (grade(3, points=9), [": cell 'step-check': gives 9 points, and course.yml gives 10"]),
    "points that are text": (grade(4, points="3"), [": cell 'why': gives '3' points, and course.yml gives 3"]),
    "no import of check": (swap(1, "from edgewise import check\n", ""), [
        ": cell 'step-check': no cell above it imports `check` from edgewise"]),
    # a check cell that nbgrader would score by accident
    "a semicolon": (swap(3, "step)", "step);"), [
        f": cell 'step-check': holds 'check(\"ch08-e3\", step);', {ACCIDENT}"]),
    "a name for the points": (swap(3, "check(", "points = check("), [
        f": cell 'step-check': holds 'points = check(\"ch08-e3\", step)', {ACCIDENT}"]),
    "a second line": (swap(3, "step)", "step)\nprint()"), [
        f": cell 'step-check': holds 'check(\"ch08-e3\", step)\\nprint()', {ACCIDENT}"]),
    "another exercise's check": (swap(3, "ch08-e3", "ch08-e4"), [
        f": cell 'step-check': holds 'check(\"ch08-e4\", step)', {ACCIDENT}"]),
    "an empty check cell": (put(3, source=""), [f": cell 'step-check': holds '', {ACCIDENT}"]),
    "a long check cell": (put(3, source="x" * 90), [f": cell 'step-check': holds '{'x' * 75} …, {ACCIDENT}"]),
    # what students get
    "a solution without delimiters": (put(2, source="def step(state, event):\n    return state"), [
        ": cell 'step': has no '### BEGIN SOLUTION', so students get none of it, not even the 'def' line"]),
    "a def line in the solution": (put(2, source="### BEGIN SOLUTION\ndef step(): 0\n### END SOLUTION"), [
        ": cell 'step': does not define 'step' once the solution is out, and the check needs it"]),
    "a stub that is no Python": (swap(2, "-> dict:", "-> dict"), [
        ": cell 'step': is no Python once the solution is out: expected ':'"]),
    "an end that is missing": (swap(4, "\n### END SOLUTION", ""), [
        ": cell 'why': 'BEGIN SOLUTION' has no 'END SOLUTION'"]),
    "a second beginning": (swap(4, "A refusal", "### BEGIN SOLUTION\nA refusal"), [
        ": cell 'why', line 2: 'BEGIN SOLUTION' and 'END SOLUTION' do not take turns here"]),
    "an end alone": (swap(4, "### BEGIN SOLUTION\n", "x\n### END SOLUTION\n### BEGIN SOLUTION\n"), [
        ": cell 'why', line 2: 'BEGIN SOLUTION' and 'END SOLUTION' do not take turns here"]),
    "a solution nbgrader does not know": (swap(0, "# A graph", "### BEGIN SOLUTION"), [
        ": cell 'goal': 'BEGIN SOLUTION' has no 'END SOLUTION'",
        ": cell 'goal', line 1: holds a solution's delimiter, and nbgrader does not know it as a solution"]),
    "a hidden test": (swap(0, "# A graph", "BEGIN HIDDEN TESTS"), [
        ": cell 'goal', line 1: holds 'BEGIN HIDDEN TESTS'; nothing is hidden from students here"]),
    "a solution line in the text": (swap(0, "A graph", '\ntarget = TRANSITIONS.get((current, event["name"]))'), [
        (": cell 'goal', line 2: holds a line of the solution in cell 'step': "
        "'target = TRANSITIONS.get((current, event[\"name\"]))'")]),
    "a solution line quoted in a sentence": (
        swap(0, "A graph", '\nWrite `target = TRANSITIONS.get((current, event["name"]))` there.'), [
        (": cell 'goal', line 2: holds a line of the solution in cell 'step': "
        "'Write `target = TRANSITIONS.get((current, event[\"name\"]))` there.'")]),
    "a solution line left outside": (swap(2, '    """Return', '    current = state["state"]\n    """Return'), [
        ": cell 'step', line 2: holds a line of the solution in cell 'step': 'current = state[\"state\"]'"]),
    # pictures
    "an image without words": (swap(0, "# A graph", "![](https://example.org/a.png)"), [
        f": cell 'goal', line 1: the image 'https://example.org/a.png' {NO_ALT}"]),
    "an image that is not there": (swap(0, "# A graph", "# A\n\n![five states](five.svg)"), [
        ": cell 'goal', line 3: the image 'five.svg' is not there"]),
    "an <img> without words": (swap(0, "# A graph", '<img src="https://example.org/a.png" alt="">'), [
        f": cell 'goal', line 1: an <img> {NO_ALT}"]),
    "an <img> in an output": (shows({"text/html": "<img src='x'>"}), [
        f": cell 'setup': an <img> in its output {NO_ALT}"]),
    "an <svg> in an output": (shows({"text/html": "<svg><path/></svg>"}), [
        ": cell 'setup': an <svg> in its output has no role=\"img\" with an aria-label"]),
    "a bare picture": (shows({"image/png": PNG}), [
        ": cell 'setup': its output is image/png, which carries no alt text; give it a _repr_html_"]),
}  # fmt: skip


@pytest.mark.parametrize(("change", "expected"), WRONG.values(), ids=WRONG)
def test_what_does_not_fit_is_said(small, change, expected: list[str]) -> None:
    small.change(change)

    assert said(small) == [FILE + sentence for sentence in expected]


RIGHT = {
    "an image with words": swap(0, "# A graph", "![five states in a row](https://example.org/a.png)"),
    "an image in code": swap(0, "# A graph", "Write `![](x.png)` for a picture.\n\n```\n![](x.png)\n```"),
    "a decorative svg": shows({"text/html": '<svg aria-hidden="true"></svg>'}),
    "an svg with words": shows({"text/html": '<svg role="img" aria-label="five states"></svg>'}),
    "a short line that any program holds": swap(0, "# A graph", "```\nif target is None:\n```"),
    "a name bound by assignment": swap(2, "def step", "limit = 3\n\ndef step"),
}


@pytest.mark.parametrize("change", RIGHT.values(), ids=RIGHT)
def test_what_fits_is_not_said(small, change) -> None:
    small.change(change)

    assert said(small) == []


def test_an_id_twice_in_a_notebook_is_said(small) -> None:
    small.change(put(1, id="goal"))

    assert said(small) == [f"{FILE}: cell 'goal': 2 cells have this id; one id names one cell"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"{", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        (b'{"nbformat": 4, "nbformat_minor": 5, "cells": []}', "'metadata' is a required property"),
        (b"\xff", "'utf-8' codec can't decode byte 0xff in position 0: invalid start byte"),
        (b"[1]", "a notebook is one JSON object"),
    ],
)
def test_a_file_that_is_no_notebook_is_said(small, content: bytes, reason: str) -> None:
    small.notebook.write_bytes(content)

    assert said(small, measured=True) == [f"{FILE}: cannot be read as a notebook: {reason}"]


def test_missing_and_stray_files_are_said(small) -> None:
    small.notebook.rename(small.notebook.with_name("graph (1).ipynb"))
    small.notebook.with_name("solutions.txt").touch()
    small.notebook.with_name(".DS_Store").touch()
    (small.root / "notebooks/ch09").mkdir()
    (small.root / "checks/ch08_e3.py").rename(small.root / "checks/ch08_e33.py")
    (small.root / "checks/ch08_w1.py").touch()

    assert said(small) == [
        f"{FILE}: is not there, and course.yml lists it",
        "notebooks/ch08/graph (1).ipynb: course.yml does not list it; list it under 'ch08', or move it",
        "notebooks/ch08/solutions.txt: no notebook of 'ch08' names it; name it, or move it",
        "notebooks/ch09: course.yml lists no session of that name; list it, or move it",
        "checks/ch08_e3.py: is not there, and exercise 'ch08-e3' needs it",
        "checks/ch08_e33.py: belongs to no exercise of course.yml; list one, or move it",
        "checks/ch08_w1.py: exercise 'ch08-w1' is written, so no check module belongs to it",
    ]


def test_a_picture_that_a_notebook_names_is_no_stray_file(small) -> None:
    small.notebook.with_name("five states.svg").touch()
    small.change(swap(0, "# A graph", "![five states](five%20states.svg)"))

    assert said(small) == []


AFTER = """
def step(state, event):
    def target_of():
        return TRANSITIONS.get((state["state"], event["name"]))
    if not target_of():
        return {**state, "visited": [*state["visited"]], "rejected": event["name"] + " in " + state["state"]}
    return {"state": target_of(), "visited": [*state["visited"], target_of()], "rejected": None}
"""


def test_a_stub_that_earns_points_is_said(small) -> None:
    small.change(swap(2, "### END SOLUTION", "### END SOLUTION\n\n" + AFTER))

    assert (
        said(small, measured=True)[-1] == f"{FILE}: 'ch08-e3': the unedited stub earns 10 points; it has to earn none"
    )


def test_a_solution_that_does_not_earn_all_is_said(small) -> None:
    small.change(swap(2, '"rejected": refusal', '"rejected": None'))
    found = said(small, measured=True)

    assert len(found) == 1 and found[0].startswith(f"{FILE}: 'ch08-e3': the solution earns ")


def test_a_check_that_breaks_is_said_of_both(small) -> None:
    (small.root / "checks/ch08_e3.py").write_text("raise RuntimeError('half written')", encoding="utf-8")
    found = said(small, measured=True)

    assert [sentence.partition(" could not be checked: ")[0] for sentence in found] == [
        f"{FILE}: 'ch08-e3': the solution",
        f"{FILE}: 'ch08-e3': the unedited stub",
    ]


def test_lint_knows_the_sessions_there_are(small) -> None:
    with pytest.raises(UnknownSessionError):
        problems(load_course(small.root / "course.yml"), sessions=["ch09"])
