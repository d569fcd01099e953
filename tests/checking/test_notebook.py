"""`check` in a notebook: shows the report, returns a float that nbgrader reads, keeps the kernel alive."""

import html

import nbformat
import pytest
from nbclient import NotebookClient
from nbgrader.utils import determine_grade

from edgewise import check
from edgewise.checking.engine import CheckError
from edgewise.course import UnknownExerciseError
from tests.answers.wrong.nothing import stub
from tests.checking.asked import ROOT, course

TABLE = """\
from edgewise import check
TRANSITIONS = {
    ("planning", "plan_ready"): "retrieving",
    ("planning", "out_of_scope"): "refusing",
    ("retrieving", "hits"): "answering",
    ("retrieving", "no_hits"): "refusing",
    ("answering", "answered"): "done",
    ("refusing", "refused"): "done",
}
def step(state, event):
    current, name = state["state"], event["name"]
    target = TRANSITIONS.get((current, name))
    if target is None:
        return {"state": current, "visited": state["visited"], "rejected": f"{name} in {current}"}
    return {"state": target, "visited": state["visited"] + [target], "rejected": None}
right = step"""

CELLS = {
    "right": "check('ch08-e3', step)",
    "half": "def step(state, event):\n    after = right(state, event)\n"
    "    return {**after, 'visited': [after['state']]} if after['rejected'] is None else after\ncheck('ch08-e3', step)",
    "stub": "def step(state, event):\n    raise NotImplementedError()\ncheck('ch08-e3', step)",
    "prints": "def step(state, event):\n    import sys\n    print('out')\n    print('err', file=sys.stderr)\n"
    "    display('shown')\n    return right(state, event)\ncheck('ch08-e3', step)",
    "logs": "import logging, sys\nlogging.basicConfig()\nerr = sys.stderr\ndef step(state, event):\n"
    "    logging.warning('late: %s', event)\n    print('err', file=err)\n    return right(state, event)\n"
    "check('ch08-e3', step)",
    "exits": "def step(state, event):\n    exit()\ncheck('ch08-e3', step)",
    "endless": "def step(state, event):\n    while True:\n        pass\ncheck('ch08-e3', step)",
    "floods": "def step(state, event):\n    while True:\n        print('x' * 1000)\ncheck('ch08-e3', step)",
    "not callable": "check('ch08-e3', 3)",
    "missing": "del step\ncheck('ch08-e3', step)",
    "unknown": "check('ch08-e33', right)",
    "several": "check('ch08-e3', right, right)",
    "alive": "check('ch08-e3', right)",
    "own check": "def check(*snapshots):\n    'my own little test'",
    "own check called": "check('ch08-e3', right)",
    "our check again": "from edgewise import check\ncheck('ch08-e3', right)",
}


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    """Each cell as a kernel left it, with nbgrader's metadata on it."""
    book = nbformat.v4.new_notebook(metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}})
    book.cells = [nbformat.v4.new_code_cell(source) for source in (TABLE, *CELLS.values())]
    graded = {"grade": True, "solution": False, "locked": True, "points": 10, "grade_id": "ch08-e3-check"}
    for cell in book.cells:
        cell.metadata["nbgrader"] = {"schema_version": 3, "task": False, "cell_type": "code", "checksum": "", **graded}
    client = NotebookClient(book, timeout=60, allow_errors=True, resources={"metadata": {"path": str(ROOT)}})
    client.execute()
    return dict(zip(CELLS, book.cells[1:], strict=True))


def shown(cell):
    """The text of what a cell displayed."""
    return [output.data["text/plain"] for output in cell.outputs if output.output_type == "display_data"]


@pytest.mark.parametrize(
    ("name", "points"),
    [
        ("right", 10.0),
        ("half", 5.0),
        ("stub", 0.0),
        ("prints", 10.0),
        ("logs", 10.0),
        ("exits", 0.0),
        ("endless", 0.0),
        ("floods", 0.0),
        ("not callable", 0.0),
        ("missing", 0.0),
        ("unknown", 0.0),
        ("several", 0.0),
        ("alive", 10.0),
        ("own check called", 0.0),
        ("our check again", 10.0),
    ],
)
def test_nbgrader_reads_the_points(executed, name, points):
    assert determine_grade(executed[name]) == (points, 10)


@pytest.mark.parametrize(
    "name", ["right", "half", "stub", "prints", "logs", "exits", "endless", "floods", "not callable"]
)
def test_a_check_shows_one_report_and_one_number(executed, name):
    kinds = [output.output_type for output in executed[name].outputs]

    assert kinds == ["display_data", "execute_result"]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("stub", "`step` raised NotImplementedError."),
        ("exits", "`step` ended the program (SystemExit); use `return`, and leave out exit() and quit()."),
        ("endless", "`step` gave no answer within 2 s; look for a loop that does not end."),
        ("floods", "`step` printed more than 1,000,000 characters in one call; print less, or nothing."),
        ("not callable", "`step` is an int, not a function; define it with `def step(…)`."),
        ("missing", "`step` is not defined in this notebook; run the cell that defines it, then this one again."),
    ],
)
def test_a_report_says_what_happened_and_what_to_do(executed, name, sentence):
    [text] = shown(executed[name])

    assert text.splitlines()[1].endswith(sentence)


def test_a_report_shows_the_line_of_the_cell(executed):
    [text] = shown(executed["exits"])

    assert "    your line 2: exit()" in text.splitlines()


def test_a_report_has_the_same_in_html(executed):
    [output] = [output for output in executed["stub"].outputs if output.output_type == "display_data"]

    assert "<code>step</code> raised NotImplementedError." in html.unescape(output.data["text/html"])


def test_what_can_not_be_checked_is_one_sentence_without_a_traceback(executed):
    [unknown], [several] = executed["unknown"].outputs, executed["several"].outputs
    with pytest.raises(UnknownExerciseError) as error:
        course().exercise("ch08-e33")

    assert [(each.ename, each.traceback) for each in (unknown, several)] == [
        ("CheckError", [f"Could not check: {error.value}"]),
        ("CheckError", ['Could not check: ch08-e3 is handed 1 object, check("ch08-e3", step); 2 came']),
    ]


# --- Without a front end -----------------------------------------------------------------------------


def test_points_are_exactly_a_float(capsys):
    points = check("ch08-e3", stub)

    assert (type(points), points) == (float, 0.0)


def test_without_a_front_end_the_text_is_printed(capsys):
    check("ch08-e3", 3)

    assert capsys.readouterr().out == (
        "ch08-e3 · The step · not yet · 0 of 10 points\n"
        "`step` is an int, not a function; define it with `def step(…)`.\n"
        "Explored: nothing, since nothing could be asked.\n"
    )


def test_a_written_exercise_is_for_a_person():
    message = "ch08-w1 is a written answer: a person reads it, and nothing checks it"

    with pytest.raises(CheckError, match=message):
        check("ch08-w1")


def test_a_broken_course_is_our_fault(tmp_path, monkeypatch):
    (tmp_path / "course.yml").write_text("course: 3")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CheckError) as error:
        check("ch08-e3", stub)

    assert "course.yml:1: " in str(error.value)


def test_a_check_of_the_students_own_is_said_to_be_none(executed):
    assert [output.text for output in executed["own check called"].outputs] == [
        "ch08-e3 was not checked: `check` is another function in this notebook. Give yours another name, run "
        "`from edgewise import check`, and this cell again.\n"
    ]
