"""A submission goes in and its Outcome comes out: scores, outputs, reports, and what a person should know."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest

from edgewise.course import load_course
from edgewise.grading.judging.judge import Judge
from edgewise.grading.judging.outcome import Outcome
from edgewise.release.notebook import stubbed
from tests.release.conftest import Small, code, graded

RIGHT = """
def step(state, event):
    target = TRANSITIONS.get((state["state"], event["name"]))
    if target is None:
        return {**state, "rejected": f"{event['name']} has no row in {state['state']}"}
    return {"state": target, "visited": [*state["visited"], target], "rejected": None}
"""
HOME = "def step(state, event):\n    return {**state, 'state': 'planning', 'rejected': None}\n"

Change = Callable[[dict[str, Any]], object]


class Kit(Small):
    """The small course; `graded` judges one submission of it."""

    def graded(
        self, answer: str = RIGHT, why: str = "Because.", change: Change = lambda _: None, **files: str
    ) -> Outcome:
        raw = stubbed(json.loads(self.notebook.read_text(encoding="utf-8")))
        sources = {"ch08-e3": answer, "ch08-w1": why}
        for cell in raw["cells"]:
            named = cell["metadata"].get("nbgrader", {}).get("grade_id")
            cell["source"] = sources.get(named, cell["source"])
        change(raw)
        folder = self.root / "build/submitted/ada/ch08"
        folder.mkdir(parents=True)
        (folder / "graph.ipynb").write_text(json.dumps(raw), encoding="utf-8")
        for name, text in files.items():
            (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
        return self.outcome(folder)

    def outcome(self, folder: Path) -> Outcome:
        course = load_course(self.root / "course.yml")
        with Judge(course, course.session("ch08"), many=False) as judge:
            return judge.grade(folder)


@pytest.fixture
def kit(tmp_path: Path) -> Kit:
    return Kit(tmp_path / "kit")


def cells(outcome: Outcome) -> dict[str, Any]:
    """The cells of the autograded notebook by id."""
    text = outcome.notebooks[0].text
    assert text is not None
    read = nbformat.reads(text, as_version=4)
    nbformat.validate(read)
    return {cell.id: cell for cell in read.cells}


def scored(outcome: Outcome) -> tuple[dict[str, float | None], list[str]]:
    return dict(outcome.notebooks[0].scores), [problem.kind for problem in outcome.problems]


def said(outcome: Outcome) -> str:
    """The report in the check cell."""
    return next(str(one.data["text/plain"]) for one in cells(outcome)["step-check"].outputs if "data" in one)


def test_a_right_answer_earns_its_points_and_the_written_one_waits(kit: Kit):
    outcome = kit.graded()

    assert (scored(outcome), outcome.points, outcome.max_points) == (
        ({"ch08-e3-check": 10.0, "ch08-w1": None}, []),
        10.0,
        13.0,
    )


def test_an_untouched_written_answer_is_worth_nothing_and_no_response(kit: Kit):
    outcome = kit.outcome(hand_in_the_release(kit))

    assert (scored(outcome)[0], outcome.notebooks[0].answered) == (
        {"ch08-e3-check": 0.0, "ch08-w1": 0.0},
        {"ch08-e3": False, "ch08-w1": False},
    )


def hand_in_the_release(kit: Kit) -> Path:
    folder = kit.root / "build/submitted/bob/ch08"
    folder.mkdir(parents=True)
    raw = stubbed(json.loads(kit.notebook.read_text(encoding="utf-8")))
    (folder / "graph.ipynb").write_text(json.dumps(raw), encoding="utf-8")
    return folder


def test_the_check_cell_shows_the_report_and_then_the_points(kit: Kit):
    outputs = cells(kit.graded(HOME))["step-check"].outputs

    assert [
        (one.output_type, one.data["text/plain"].splitlines()[0], sorted(one.data), one.get("execution_count"))
        for one in outputs
    ] == [
        ("display_data", "ch08-e3 · The step · not yet · 0 of 10 points", ["text/html", "text/plain"], None),
        ("execute_result", "0.0", ["text/plain"], 3),
    ]


def test_the_report_names_the_students_line(kit: Kit):
    assert "your line 2: return {**state, 'state': 'planning', 'rejected': None}" in said(kit.graded(HOME))


def test_a_check_is_made_where_its_cell_stands_and_not_at_the_end(kit: Kit):
    outcome = kit.graded(change=lambda raw: raw["cells"].append(code("later", "TRANSITIONS = {}")))

    assert outcome.points == 10.0


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("stop = 1", "`step` is not defined in this notebook above its check"),
        (
            f"{RIGHT}\ndef check(*_): return 10.0",
            "ch08-e3 was not checked: `check` is another function in this notebook",
        ),
        (f"{RIGHT}\ndel check", "The check cell ended in an error, NameError: name 'check' is not defined"),
        ("from edgewise import step", "`step` is the library's own"),
    ],
)
def test_what_was_not_handed_in_earns_nothing_and_is_told_why(kit: Kit, answer: str, words: str):
    outcome = kit.graded(answer)

    assert (outcome.points, words in said(outcome)) == (0.0, True)


def test_an_error_of_the_check_cell_stays_beside_the_report(kit: Kit):
    kinds = [one.output_type for one in cells(kit.graded("stop = 1"))["step-check"].outputs]

    assert kinds == ["error", "display_data", "execute_result"]


def test_a_check_that_breaks_is_left_to_a_person(kit: Kit):
    path = kit.root / "checks/ch08_e3.py"
    path.write_text(path.read_text(encoding="utf-8") + BREAKS, encoding="utf-8")
    outcome = kit.graded(HOME)

    assert (scored(outcome), outcome.problems[0].sentence) == (
        ({"ch08-e3-check": None, "ch08-w1": None}, ["could not check"]),
        "graph: ch08-e3 could not be checked: the check of ch08-e3 broke (KeyError: 'mine'); this is a fault of the "
        "kit, not yours; a person will look at it.",
    )


BREAKS = """

from dataclasses import replace


def broken(call):
    \"\"\"Breaks.\"\"\"
    if call.got["state"] == "planning" and call.due.state != "planning":
        raise KeyError("mine")


CHECK = replace(CHECK, rules=(*CHECK.rules[:-1], replace(CHECK.rules[-1], holds=broken)))
"""


def test_stock_nbgrader_reads_nothing_out_of_what_could_not_be_checked(kit: Kit):
    path = kit.root / "checks/ch08_e3.py"
    path.write_text(path.read_text(encoding="utf-8") + BREAKS, encoding="utf-8")

    assert [one.output_type for one in cells(kit.graded(HOME))["step-check"].outputs] == ["error"]


def test_a_process_that_ends_is_a_problem_and_earns_nothing_after_it(kit: Kit):
    outcome = kit.graded(f"{RIGHT}\nimport os\nos._exit(3)")

    assert (scored(outcome), outcome.problems[0].sentence) == (
        ({"ch08-e3-check": 0.0, "ch08-w1": None}, ["ended"]),
        "graph: its code ended its process with status 3; what was not checked before earns 0.",
    )


def test_a_file_beside_the_notebook_can_be_imported_and_stands_beside_it_later(kit: Kit):
    outcome = kit.graded("from mine import step", mine_py=f"from edgewise.machine import TRANSITIONS\n{RIGHT}")

    assert (outcome.points, [name for name, _ in outcome.files]) == (10.0, ["mine.py"])


def test_the_courses_own_file_stands_above_a_students_of_its_name(kit: Kit):
    (kit.notebook.parent / "mine.py").write_text(f"from edgewise.machine import TRANSITIONS\n{RIGHT}", encoding="utf-8")
    outcome = kit.graded("from mine import step", mine_py="step = None")

    assert (outcome.points, [whole.parent.parent.name for _, whole in outcome.files]) == (10.0, ["ada", "notebooks"])


def asserts(source: str) -> Change:
    cell = code("tests", source, graded("tests", grade=True, locked=True, points=4))
    return lambda raw: raw["cells"].insert(4, cell)


@pytest.mark.parametrize(
    ("source", "points"),
    [
        ("assert callable(step)", 4.0),
        ("assert not callable(step)", 0.0),
        ("1.5", 1.5),
        ("'fine'", 4.0),
        ("9", 0.0),
        ("import sys; print('oh', file=sys.stderr)", 0.0),
    ],
)
def test_plain_asserts_count_as_nbgrader_reads_them_and_are_marked(kit: Kit, source: str, points: float):
    kit.change(asserts(source))
    outcome = kit.graded()
    shown = cells(outcome)["tests"].outputs[-1].data["text/plain"]

    assert (outcome.notebooks[0].scores["tests"], shown[:21], [one.kind for one in outcome.repairs]) == (
        points,
        "Judged by what the st",
        ["asserts"],
    )


def test_the_time_is_told_apart(kit: Kit):
    assert sorted(kit.graded().seconds) == ["confinement", "fork", "judge", "read", "run"]


def test_every_report_is_kept_with_its_rules(kit: Kit):
    (report,) = kit.graded(HOME).reports

    assert (report["exercise"], report["outcome"], len(report["broken"]) > 0) == ("ch08-e3", "not yet", True)


@pytest.mark.parametrize(
    ("change", "points"),
    [
        (lambda raw: None, 0.0),
        (lambda raw: raw["cells"].insert(3, code("mine", RIGHT)), 10.0),
        (lambda raw: raw["cells"].insert(3, code("mine", HOME)), 0.0),
    ],
)
def test_an_untouched_answer_is_known_again_only_where_it_answers_as_the_release_does(
    kit: Kit, change: Change, points: float
):
    folder = hand_in_the_release(kit)
    raw = json.loads((folder / "graph.ipynb").read_text(encoding="utf-8"))
    change(raw)
    (folder / "graph.ipynb").write_text(json.dumps(raw), encoding="utf-8")
    course = load_course(kit.root / "course.yml")
    with Judge(course, course.session("ch08"), many=True) as judge:
        among_many = judge.grade(folder)

    assert (among_many.points, among_many.reports) == (points, kit.outcome(folder).reports)
