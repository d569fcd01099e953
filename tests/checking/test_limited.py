"""A student's file in a child process: whatever it does is a report, and nothing it does reaches us."""

import json
import os
import select
import textwrap

import pytest

from edgewise.checking.engine import CheckError
from edgewise.checking.exits import how_it_ended
from edgewise.checking.limited import Checked, check_file
from tests.checking.asked import course

RIGHT = """\
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
        return {"state": current, "visited": state["visited"], "rejected": f"{name} has no row in {current}"}
    return {"state": target, "visited": state["visited"] + [target], "rejected": None}
"""

FIVE = "TRANSITIONS = " + RIGHT.partition("TRANSITIONS = ")[2].partition("\n\n")[0]


@pytest.fixture
def checked(tmp_path):
    """Checks a file of this text under this name; limits as given."""

    def check(text, name="answer.py", exercise="ch08-e1", **limits):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else textwrap.dedent(text).encode())
        its = course(**limits)
        return check_file(its, its.exercise(exercise), path)

    return check


def notebook(*cells, **more):
    """The text of a notebook of these code cells."""
    made = [{"cell_type": "code", "source": cell, "outputs": [], "metadata": {}} for cell in cells]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more})


def said(report):
    """The outcome, the points and the first finding's sentence."""
    return report.outcome, report.points, report.findings[0].message if report.findings else None


PASSED = ("passed", 2.0, None)


def test_a_right_step_in_a_file_earns_everything(checked):
    report = checked(RIGHT, exercise="ch08-e3")

    assert (report.outcome, report.points, report.max_points, report.data["findings"]) == ("passed", 10.0, 10.0, [])


def test_a_wrong_answer_comes_out_with_its_misconception(checked):
    report = checked(FIVE.replace('"retrieving", "no_hits"): "refusing"', '"retrieving", "no_hits"): "answering"'))

    assert report.data["misconception"]["name"] == "an answer from nothing"


# --- What a file can do ------------------------------------------------------------------------------

SURROGATE = "'utf-8' codec can't encode character '\\ud800' in position 0: surrogates not allowed"
UNDEFINED = "does not define `TRANSITIONS`; the exercise asks for it by that name"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import os; os._exit(3)", "answer.py ended its process with status 3, so no answer came"),
        ("import os; os._exit(0)", "answer.py ended its process with status 0, so no answer came"),
        ("import os; os.kill(os.getpid(), 11)", "answer.py was ended by the signal SIGSEGV, so no answer came"),
        ("import os; os.kill(0, 9)", "answer.py was ended by the signal SIGKILL, so no answer came"),
        ("import sys\n\nsys.exit('bye')", "answer.py:3: SystemExit: bye"),
        ("raise SystemExit", "answer.py:1: SystemExit"),
        ("raise KeyboardInterrupt", "answer.py:1: KeyboardInterrupt"),
        ("def step(:\n    pass", "answer.py:1: SyntaxError: invalid syntax"),
        ("x = 1\n  y = 2", "answer.py:2: IndentationError: unexpected indent"),
        ("x = '\\ud800'\nx.encode()", f"answer.py:2: UnicodeEncodeError: {SURROGATE}"),
        ("class Odd(BaseException): pass\nraise Odd('x')", "answer.py:2: Odd: x"),
        ("", f"answer.py {UNDEFINED}"),
        ("transitions = {}", f"answer.py {UNDEFINED}"),
        ("TRANSITIONS = [1]", "`TRANSITIONS` is a list, not a dict; its rows are {(state, event): target}"),
        ("x = bytearray(8 * 2**30)", "answer.py:1: MemoryError"),
    ],
    ids=lambda value: None if isinstance(value, str) and value.startswith("answer") else str(value)[:24],
)  # fmt: skip
def test_a_file_that_gives_no_answer_is_told_why(checked, text, message):
    assert said(checked(text)) == ("not yet", 0.0, message)


@pytest.mark.parametrize("text", [b"x = 1\0", b"x = '\xff'", b"# coding: nothing\nx = 1", b"\xff\xfex\0"])
def test_a_file_in_a_strange_encoding_is_told_apart(checked, text):
    report = checked(text)

    assert (said(report)[:2], "SyntaxError" in said(report)[2]) == (("not yet", 0.0), True)


def test_two_missing_names_are_named_at_once(checked):
    message = "answer.py does not define `terminal` and `ways_into`; the exercise asks for it by that name"

    assert said(checked("", exercise="ch08-e2")) == ("not yet", 0.0, message)


def test_a_file_that_never_ends_is_stopped(checked):
    message = "answer.py ran for more than 2 s and was stopped"

    assert said(checked("while True: pass", file_seconds=2)) == ("not yet", 0.0, message)


def test_a_call_that_ends_the_process_is_told(checked):
    text = "import os\ndef step(state, event): os._exit(5)"
    message = "answer.py ended its process with status 5, so no answer came"

    assert said(checked(text, exercise="ch08-e3")) == ("not yet", 0.0, message)


def test_a_call_that_exits_is_a_finding_with_its_line(checked):
    report = checked("import sys\ndef step(state, event):\n    sys.exit()", exercise="ch08-e3")

    assert (said(report)[2], "your line 3: sys.exit()" in report.text) == (
        "`step` ended the program (SystemExit); use `return`, and leave out exit() and quit()",
        True,
    )


@pytest.mark.parametrize(
    "before",
    [
        "print('{\"report\": 1}' * 1000)",
        "import os; os.write(1, b'{}'); os.write(2, b'noise')",
        "import sys; sys.stdout.close(); sys.stdin.close()",
        "import os; os.close(0); os.close(1); os.close(2)",
        "import sys; sys.setrecursionlimit(60)",
        "import json; json.dump = json.dumps = None",
        "import builtins; builtins.print = None",
        "import os; os.chdir('/')",
        "import threading, time; threading.Thread(target=time.sleep, args=(60,)).start()",
        "import atexit, os; atexit.register(os._exit, 7)",
        "import sys; sys.path.clear()",
        "import warnings; warnings.warn('careful')",
        "from edgewise import *",
        "if __name__ == '__main__': raise SystemExit",
        "import answer_file\nassert answer_file.__file__ == __file__",
        "from dataclasses import dataclass\n@dataclass\nclass A:\n    x: 'int' = 1",
    ],
)
def test_what_a_file_does_beside_its_answer_is_no_matter(checked, before):
    assert said(checked(f"{before}\n{FIVE}")) == PASSED


def test_a_process_that_outlives_the_file_is_ended(checked, tmp_path):
    pid = tmp_path / "pid"
    text = f"""
        import subprocess, sys
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        open({str(pid)!r}, "w").write(str(child.pid))
        """
    report = checked(textwrap.dedent(text) + FIVE)

    assert (said(report), ends(int(pid.read_text()))) == (PASSED, True)


def ends(pid):
    """Whether a process is gone, or goes within ten seconds."""
    try:
        watched = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([watched], [], [], 10)[0])
    finally:
        os.close(watched)


@pytest.mark.parametrize("name", ["json.py", "edgewise.py", "typing.py", "my answer.py", "ch08-e1.py", "класс.py"])
def test_a_file_may_have_any_name(checked, name):
    assert said(checked(FIVE, name)) == PASSED


@pytest.mark.parametrize("name", ["json.py", "edgewise.py", "pydantic.py", "sitecustomize.py", "checks.py"])
def test_a_neighbour_shadows_nothing_of_ours(checked, tmp_path, name):
    (tmp_path / name).write_text("raise RuntimeError('shadow')")

    assert said(checked(FIVE)) == PASSED


def test_a_neighbour_can_be_imported(checked, tmp_path):
    (tmp_path / "table_of_mine.py").write_text(FIVE)

    assert said(checked("from table_of_mine import TRANSITIONS")) == PASSED


def test_what_is_handed_to_check_is_what_counts(checked):
    handed = "mine = dict(TRANSITIONS)\nTRANSITIONS = 3\nassert check('ch08-e1', mine) == 0.0"

    assert said(checked(f"from edgewise import check\n{FIVE}\n{handed}")) == PASSED


def test_another_exercises_check_does_not_count(checked):
    assert said(checked(f"import edgewise\nedgewise.check('ch08-e3', 3)\n{FIVE}")) == PASSED


# --- Notebooks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        notebook(FIVE, 'from edgewise import check\ncheck("ch08-e1", TRANSITIONS)', "raise RuntimeError"),
        notebook("%matplotlib_is_not_here", FIVE),
        notebook("%%timeit -n1 -r1\npass", "!true", "?print", FIVE),
        notebook("1 / 0", "raise SystemExit", "def (", FIVE),
        notebook(FIVE.splitlines(keepends=True), "TRANSITIONS"),
        notebook("await_me = 1\nimport asyncio\nawait asyncio.sleep(0)", FIVE),
        notebook("from IPython.display import display\ndisplay(1)\nprint(2)", FIVE),
        b"\xef\xbb\xbf" + notebook(FIVE).encode(),
        notebook(FIVE, nbformat_minor=0, metadata=None),
        json.dumps({"cells": [None, 3, {"cell_type": "markdown"}, {"cell_type": "code", "source": FIVE}]}),
    ],
)  # fmt: skip
def test_a_notebook_is_run_up_to_its_check_whatever_else_it_holds(checked, text):
    assert said(checked(text, "book.ipynb")) == PASSED


NO_BOOK = "book.ipynb is not a notebook"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", f"{NO_BOOK}: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ("", f"{NO_BOOK}: Expecting value: line 1 column 1 (char 0)"),
        ("[]", f"{NO_BOOK}: it has no list of cells"),
        (json.dumps({"worksheets": [{"cells": []}], "nbformat": 3}), f"{NO_BOOK}: it has no list of cells"),
        (b"\xff\xfe", f"{NO_BOOK}: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte"),
        (notebook(), "book.ipynb does not define `TRANSITIONS`; ch08-e1 is in five-state-machine.ipynb"),
        (notebook("def ("), "book.ipynb, cell 1: SyntaxError: invalid syntax"),
        (notebook("raise NotImplementedError()"), "book.ipynb, cell 1: NotImplementedError"),
        (notebook("x = 1", "1 / 0"), "book.ipynb, cell 2: ZeroDivisionError: division by zero"),
        (notebook("import os; os._exit(4)"), "book.ipynb ended its process with status 4, so no answer came"),
        (
            notebook('from edgewise import check\ncheck("ch08-e1", TRANSITIONS)'),
            "book.ipynb, cell 1: NameError: name 'TRANSITIONS' is not defined",
        ),
    ],
)  # fmt: skip
def test_a_notebook_that_gives_no_answer_is_told_why(checked, text, message):
    assert said(checked(text, "book.ipynb")) == ("not yet", 0.0, message)


# --- What can't be asked -----------------------------------------------------------------------------


def refused(tmp_path, name, exercise="ch08-e1"):
    its = course()
    with pytest.raises(CheckError) as error:
        check_file(its, its.exercise(exercise), tmp_path / name)
    return str(error.value)


def test_another_kind_of_file_is_refused(tmp_path):
    assert refused(tmp_path, "answer.txt") == "answer.txt: a file to check ends in .py or .ipynb"


def test_a_missing_file_is_named_beside_those_that_are_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("b.py", "a.ipynb", "c.txt"):
        (tmp_path / name).write_text("")

    assert refused(tmp_path, "x.py") == "x.py: there is no such file; here are: a.ipynb, b.py"


def test_a_missing_file_in_an_empty_or_missing_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = [refused(tmp_path, "x.py"), refused(tmp_path, "no/x.py")]

    assert said == [
        "x.py: there is no such file; no .py or .ipynb file is there",
        "no/x.py: there is no such file; nor a folder 'no'",
    ]


def test_a_written_exercise_is_for_a_person(tmp_path):
    (tmp_path / "x.py").write_text("")
    message = "ch08-w1 is a written answer: a person reads it, and nothing checks it"

    assert refused(tmp_path, "x.py", "ch08-w1") == message


def test_a_wrong_number_of_objects_is_a_wrong_question(checked):
    with pytest.raises(CheckError) as error:
        checked("from edgewise import check\ncheck('ch08-e1')")

    assert str(error.value) == 'ch08-e1 is handed 1 object, check("ch08-e1", TRANSITIONS); 0 came'


def test_a_signal_without_a_name_is_told_by_its_number():
    assert [how_it_ended(-250), how_it_ended(-9), how_it_ended(1)] == [
        "was ended by the signal 250",
        "was ended by the signal SIGKILL",
        "ended its process with status 1",
    ]


def test_findings_come_back_whole():
    data = {"findings": [{"rule": "r", "message": "m", "events": ["e"], "expected": 1, "got": None}]}

    assert [finding.events for finding in Checked(data, "").findings] == [("e",)]


def test_the_child_leaves_nothing_beside_the_file(checked, tmp_path):
    checked(notebook(FIVE), "book.ipynb")

    assert [path.name for path in tmp_path.iterdir()] == ["book.ipynb"]
