"""`edgewise stats`: a table, a picture, and one JSON object in every case."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from edgewise.cli import app, main
from edgewise.grading.stats import statistics as work_out
from tests.grading.marked import Marked, mark_five

ERRORS = {
    "an unknown session": (["ch09"], "'ch09' is not a session of this course; did you mean 'ch08'? possible: 'ch08'"),
    "nothing graded": (
        ["ch08"],
        "no grade of 'ch08' is recorded yet; `edgewise grade ch08` grades what is handed in",
    ),
    "a plot in another kind of file": (
        ["ch08", "--plot", "course.yml"],
        "the plot is an SVG picture; name its file so, such as course.svg",
    ),
}
HEAVY = ("nbformat", "nbgrader", "nbconvert", "jsonschema", "sqlalchemy", "IPython", "zmq", "multiprocessing")


@pytest.fixture
def school(empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Marked:
    """The class, with the working folder in it."""
    school = Marked.marked(tmp_path / "kit", empty)
    monkeypatch.chdir(school.root)
    return school


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["stats", *words])


def test_people_get_two_tables_and_what_they_mean(school: Marked) -> None:
    mark_five(school)
    made = run("ch08")
    lines = [line.split() for line in made.stdout.splitlines()]

    assert (made.exit_code, made.stderr) == (0, "")
    assert ["ch08-e3", "The", "step", "5", "2", "2", "1", "0", "0", "0.50", "0.44"] in lines
    assert ["1", "5", "Follows", "every", "declared", "edge", "untouched", "1"] in lines
    assert made.stdout.endswith("5 submissions graded.\n")


def test_programs_get_one_object(school: Marked) -> None:
    mark_five(school)
    made = run("ch08", "--json")
    data = json.loads(made.stdout)

    assert (made.exit_code, list(data), len(data["exercises"]), data["plot"]) == (
        0,
        ["session", "title", "submissions", "exercises", "plot"],
        4,
        None,
    )


def test_the_plot_is_a_file_that_is_named(school: Marked) -> None:
    mark_five(school)
    data, text = run("ch08", "--json", "--plot", "a.svg"), run("ch08", "--plot", "b.svg")
    drawn = [(school.root / name).read_text(encoding="utf-8") for name in ("a.svg", "b.svg")]

    assert (json.loads(data.stdout)["plot"], text.stdout.splitlines()[-1]) == ("a.svg", "Drawn in b.svg.")
    assert (drawn[0] == drawn[1], drawn[0].startswith("<svg ")) == (True, True)


@pytest.mark.parametrize("what", ERRORS)
def test_what_cannot_be_told_exits_with_two_in_text_and_in_json(school: Marked, what: str) -> None:
    words, reason = ERRORS[what]
    text, data = run(*words), run(*words, "--json")

    assert (text.stdout, text.stderr, text.exit_code) == ("", f"{reason}\n", 2)
    assert (json.loads(data.stdout), data.exit_code) == ({"error": reason}, 2)


def test_without_a_gradebook_it_says_what_makes_one(school: Marked) -> None:
    (school.root / "build/gradebook.db").unlink()

    assert run("ch08").stderr == "gradebook.db: there is no gradebook yet; `edgewise build ch08` makes it\n"


def test_a_locked_gradebook_is_waited_for_then_named(school: Marked, monkeypatch: pytest.MonkeyPatch) -> None:
    mark_five(school)
    monkeypatch.setitem(work_out.stats.__kwdefaults__, "wait_seconds", 0)
    with closing(sqlite3.connect(school.root / "build/gradebook.db", isolation_level=None)) as other:
        other.execute("begin exclusive")
        made = run("ch08")

    assert (made.exit_code, made.stderr) == (
        2,
        "gradebook.db can't be read: another program is writing to it; wait until that is done, then run this again\n",
    )


def test_a_failed_plot_leaves_one_object(school: Marked) -> None:
    mark_five(school)
    made = run("ch08", "--json", "--plot", "no/such.svg")

    assert (made.exit_code, list(json.loads(made.stdout))) == (2, ["error"])


@pytest.mark.parametrize(("words", "named"), [(["ch08", "--plots"], "--plots"), ([], "session")])
def test_a_call_that_cannot_be_read_is_answered_in_json_too(
    words: list[str], named: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["edgewise", "stats", "--json", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    made = json.loads(capsys.readouterr().out)

    assert (ended.value.code, list(made), named in made["error"].lower()) == (2, ["error"], True)


def test_nothing_is_imported_that_it_does_not_need(school: Marked) -> None:
    """For programs not even what draws tables."""
    mark_five(school)
    program = f"""
import json, sys
from edgewise.cli import app
app(["stats", "ch08", "--json", "--plot", "a.svg"], standalone_mode=False)
print(json.dumps([name for name in {(*HEAVY, "rich.table", "graphviz")} if name in sys.modules]))
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert (ran.stdout.splitlines()[1:], ran.stderr) == (["[]"], "")
