"""`edgewise new`: a new exercise is laid out, or a sentence says what is possible, and nothing is overwritten."""

from __future__ import annotations

import json
import subprocess
import sysconfig
from pathlib import Path

import pytest
from typer.testing import CliRunner

from edgewise.checking.engine import examine
from edgewise.checking.proof import prove
from edgewise.cli import app
from edgewise.course import load_course
from edgewise.release.lint import problems
from edgewise.release.new import NewError, lay_out

ROOT = Path(__file__).parents[2]
LAST = "          ch08-w1: {title: Why, written: true, points: 3}\n"


def new(small, id_: str = "ch08-e4", **more) -> tuple[str, ...]:
    return lay_out(load_course(small.root / "course.yml"), id_, **more)


def cells(small) -> list[dict]:
    return json.loads(small.notebook.read_text(encoding="utf-8"))["cells"]


def files(small) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(small.root.rglob("*")) if path.is_file()}


# --- What is laid out -------------------------------------------------------------------------------


def test_the_files_are_named_in_the_order_of_the_work(small) -> None:
    assert new(small) == ("checks/ch08_e4.py", "notebooks/ch08/graph.ipynb", "course.yml")


def test_course_yml_gets_one_line_and_stays_as_it_is(small) -> None:
    before = (small.root / "course.yml").read_text(encoding="utf-8")
    new(small, title="A door", name="door", points=1.5)

    line = "          ch08-e4: {title: A door, objects: [door], points: 1.5}\n"
    assert (small.root / "course.yml").read_text(encoding="utf-8") == before.replace(LAST, LAST + line)


def test_the_notebook_gets_a_task_an_answer_and_its_check_at_its_end(small) -> None:
    before = cells(small)
    new(small, title="A door", name="door")
    flags = {"schema_version": 3, "solution": False, "grade": False, "locked": False, "task": False}
    answer = {**flags, "grade_id": "ch08-e4", "solution": True}
    check = {**flags, "grade_id": "ch08-e4-check", "grade": True, "locked": True, "points": 2}

    assert cells(small)[: len(before)] == before
    assert [(cell["id"], "".join(cell["source"]), cell["metadata"]) for cell in cells(small)[len(before) :]] == [
        (
            "ch08-e4-task",
            (
                "## Exercise · ch08-e4 · A door\n\n**Write** `door(number)`. FILL IN what it takes and gives, "
                "with one example that is not among the check's cases."
            ),
            {},
        ),
        (
            "ch08-e4",
            (
                'def door(number: int) -> int:\n    """FILL IN what it gives."""\n    ### BEGIN SOLUTION\n'
                "    return 2 * number  # FILL IN the solution\n    ### END SOLUTION"
            ),
            {"nbgrader": answer},
        ),
        ("ch08-e4-check", 'check("ch08-e4", door)', {"nbgrader": check}),
    ]


def test_a_written_answer_gets_a_task_and_a_cell_and_no_check(small) -> None:
    written = new(small, "ch08-w2", title="Who & why")

    assert written == ("notebooks/ch08/graph.ipynb", "course.yml")
    assert [cell["id"] for cell in cells(small)[-2:]] == ["ch08-w2-task", "ch08-w2"]
    assert LAST + '          ch08-w2: {title: "Who & why", written: true, points: 2}\n' in (
        small.root / "course.yml"
    ).read_text(encoding="utf-8")


@pytest.mark.parametrize("indent", [1, 2, None])
@pytest.mark.parametrize("end", ["\n", ""])
def test_the_notebook_is_written_the_way_it_was(small, indent: int | None, end: str) -> None:
    raw = json.loads(small.notebook.read_text(encoding="utf-8"))
    small.notebook.write_text(json.dumps(raw, indent=indent, ensure_ascii=False) + end, encoding="utf-8")
    new(small)

    after = small.notebook.read_text(encoding="utf-8")
    assert after == json.dumps(json.loads(after), indent=indent, ensure_ascii=False) + end


def test_a_notebook_in_a_way_of_its_own_is_written_as_nbformat_writes(small) -> None:
    raw = json.loads(small.notebook.read_text(encoding="utf-8"))
    small.notebook.write_text(json.dumps(raw, indent=7), encoding="utf-8")
    new(small)

    after = small.notebook.read_text(encoding="utf-8")
    assert after == json.dumps(json.loads(after), indent=1, ensure_ascii=False) + "\n"


def test_the_check_module_earns_all_for_its_solution_and_is_proved(small) -> None:
    new(small, name="door")
    course = load_course(small.root / "course.yml")
    exercise = course.exercise("ch08-e4")
    report = examine(exercise, [lambda number: number + number], course)

    assert (report.outcome, report.points, prove(course, exercise).missed) == ("passed", 2.0, ())


def test_the_check_module_keeps_the_house_s_form(small) -> None:
    new(small, name="door")
    ruff = Path(sysconfig.get_path("scripts")) / "ruff"
    common = ["--no-cache", "--config", str(ROOT / "pyproject.toml"), str(small.root / "checks/ch08_e4.py")]
    ends = [
        subprocess.run([ruff, *how, *common], check=False, capture_output=True, text=True).stdout
        for how in (["check"], ["format", "--check"])
    ]

    assert ends == ["All checks passed!\n", "1 file already formatted\n"]


def test_lint_says_what_is_left_to_do(small) -> None:
    new(small)

    assert problems(load_course(small.root / "course.yml"), measured=False) == (
        "course.yml:25: FILL IN a title",
        "checks/ch08_e4.py:1: FILL IN what it is about.",
        "checks/ch08_e4.py:3: FILL IN what a right answer does. Out of scope: FILL IN what is not asked for. "
        "Points: all for the one rule.",
        "checks/ch08_e4.py:16: FILL IN the right answer: others are compared with it.",
        "checks/ch08_e4.py:20: FILL IN questions that a person can read, each beside its answer.",
        "checks/ch08_e4.py:25: FILL IN more questions, arguments and keywords, the small ones first.",
        "checks/ch08_e4.py:30: FILL IN the rule as the student reads it",
        "checks/ch08_e4.py:34: FILL IN a likely wrong answer.",
        "checks/ch08_e4.py:40: FILL IN its name",
        "checks/ch08_e4.py:41: FILL IN the sentence for those whose answer behaves like it.",
        "checks/ch08_e4.py:48: FILL IN what helps with this rule, short of the solution.",
        "checks/ch08_e4.py:49: FILL IN a case beside this one, worked through.",
        "notebooks/ch08/graph.ipynb: cell 'ch08-e4-task', line 1: FILL IN a title",
        "notebooks/ch08/graph.ipynb: cell 'ch08-e4-task', line 3: FILL IN what it takes and gives, with one example "
        "that is not among the check's cases.",
        "notebooks/ch08/graph.ipynb: cell 'ch08-e4', line 2: FILL IN what it gives.",
        "notebooks/ch08/graph.ipynb: cell 'ch08-e4', line 4: FILL IN the solution",
    )


# --- What is not possible ---------------------------------------------------------------------------

REFUSED = {
    "ch08-e3": "'ch08-e3' is there already, in 'graph'; free is 'ch08-e4'",
    "ch08-w1": "'ch08-w1' is there already, in 'graph'; free is 'ch08-w2'",
    "ch80-e1": "'ch80-e1' begins with no session's id; did you mean 'ch08'? possible: 'ch08'",
    "Ch08-e4": "'Ch08-e4' cannot be used; an exercise id is made of a-z, 0-9 and '-', such as 'ch08-e3'",
    "ch08": "'ch08' cannot be used; an exercise id is made of a-z, 0-9 and '-', such as 'ch08-e3'",
}
MORE = [
    ({"notebook": "grap"}, "'grap' is not a notebook of 'ch08'; did you mean 'graph'? possible: 'graph'"),
    ({"name": "two words"}, "'two words' cannot be a function's name; possible: a name such as 'answer'"),
    ({"name": "def"}, "'def' cannot be a function's name; possible: a name such as 'answer'"),
    ({"points": 0}, "an exercise gives 0 points; possible: a number above 0"),
    ({"points": float("inf")}, "an exercise gives inf points; possible: a number above 0"),
    ({"title": " "}, "' ' cannot be a title; possible: a line of text"),
    ({"title": "a\nb"}, r"'a\nb' cannot be a title; possible: a line of text"),
]


def refused(small, *words, **more) -> str:
    """Why nothing was laid out, after a look that nothing changed."""
    before = files(small)
    with pytest.raises(NewError) as caught:
        new(small, *words, **more)

    assert files(small) == before
    return str(caught.value)


@pytest.mark.parametrize(("id_", "sentence"), REFUSED.items())
def test_an_id_that_cannot_be_used_is_answered_with_what_can(small, id_: str, sentence: str) -> None:
    assert refused(small, id_) == sentence


@pytest.mark.parametrize(("more", "sentence"), MORE)
def test_an_option_that_cannot_be_used_is_answered_with_what_can(small, more: dict, sentence: str) -> None:
    assert refused(small, **more) == sentence


def test_the_notebook_s_file_name_is_as_good_as_its_name(small) -> None:
    assert new(small, notebook="graph.ipynb")[1] == "notebooks/ch08/graph.ipynb"


def test_a_check_module_that_is_there_stays(small) -> None:
    (small.root / "checks/ch08_e4.py").write_text("mine")

    assert refused(small) == (
        "checks/ch08_e4.py is there already, and nothing is overwritten; move it, or take another id"
    )


def test_a_cell_that_is_there_stays(small) -> None:
    small.change(lambda raw: raw["cells"][0].update(id="ch08-e4"))

    assert refused(small) == "notebooks/ch08/graph.ipynb holds a cell 'ch08-e4' already; nothing is overwritten"


def test_a_notebook_that_is_not_there_is_written_first(small) -> None:
    small.notebook.unlink()

    assert refused(small) == (
        "notebooks/ch08/graph.ipynb is not there, and the exercise stands at its end; write it first"
    )


def test_a_notebook_that_cannot_be_read_is_said(small) -> None:
    small.notebook.write_text("[]")

    assert refused(small) == "notebooks/ch08/graph.ipynb cannot be read as a notebook: a notebook is one JSON object"


def test_a_course_in_another_layout_is_left_to_its_writer(small) -> None:
    old = """
        exercises:
          ch08-e3: {title: The step, objects: [step], points: 10}
          ch08-w1: {title: Why, written: true, points: 3}
"""
    small.course_says(old, "\n        exercises: {ch08-e3: {title: The step, objects: [step], points: 10}}\n")

    assert refused(small) == (
        "course.yml is not written one exercise a line there; write this one yourself, under 'exercises' of 'graph': "
        "ch08-e4: {title: FILL IN a title, objects: [answer], points: 2}"
    )


def test_a_folder_that_cannot_be_written_to_is_said(small, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, _content: bytes) -> None:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(Path, "write_bytes", full)

    assert refused(small) == "checks/ cannot be written to (No space left on device); nothing was laid out"


# --- The command ------------------------------------------------------------------------------------


@pytest.fixture
def run(small, monkeypatch: pytest.MonkeyPatch):
    """Exit status, stdout and stderr of `edgewise new`, called in the small course."""
    monkeypatch.chdir(small.root)

    def command(*words: str) -> tuple[int, str, str]:
        done = CliRunner().invoke(app, ["new", *words])
        return done.exit_code, done.stdout, done.stderr

    return command


def test_the_command_names_the_files_and_the_next_step(run) -> None:
    assert run("ch08-e4", "--title", "A door", "--notebook", "graph", "--name", "door", "--points", "4") == (
        0,
        "checks/ch08_e4.py\nnotebooks/ch08/graph.ipynb\ncourse.yml\n`edgewise lint` says what is left to do.\n",
        "",
    )


def test_what_is_not_possible_ends_with_2(run) -> None:
    assert run("ch08-e3") == (2, "", "'ch08-e3' is there already, in 'graph'; free is 'ch08-e4'\n")


def test_a_broken_course_ends_with_2(run, small) -> None:
    small.course_says("late: none", "late: never")

    assert run("ch08-e4") == (2, "", "course.yml:13: 'late' of the course is 'never'; possible: none or zero\n")


def test_a_course_without_notebooks_ends_with_2(run, small) -> None:
    small.course_says("source: notebooks", "source: lessons")

    assert run("ch08-e4") == (2, "", "there is no folder lessons/ beside course.yml, where the notebooks lie\n")
