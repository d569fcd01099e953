"""`edgewise grade`: exit status, table, and one JSON object in every case."""

from __future__ import annotations

import errno
import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from edgewise.cli import app, main
from edgewise.grading.gradebook import batch, writer
from tests.grading.fake import Class

SHAPE = {"session": str, "submissions": list, "confinement": list}
SUBMISSION = {
    "student": str,
    "points": (int, float, type(None)),
    "max_points": (int, float),
    "repairs": list,
    "problems": list,
}


@pytest.fixture
def school(school: Class, monkeypatch: pytest.MonkeyPatch) -> Class:
    """The class, with the working folder in it, and fake judges."""
    monkeypatch.chdir(school.root)
    monkeypatch.setattr(batch, "judges", lambda _path, _session, many, **_: school.judging(many))
    return school


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["grade", *words])


def fits(made: dict, more: tuple[str, ...] = ()) -> bool:
    """Whether an object has the one shape that `--json` promises, with an error where there was one."""
    return (
        list(made) == [*SHAPE, *more]
        and all(isinstance(made[key], kind) for key, kind in SHAPE.items())
        and all(list(one) == list(SUBMISSION) for one in made["submissions"])
        and all(isinstance(one[key], kind) for one in made["submissions"] for key, kind in SUBMISSION.items())
    )


@pytest.mark.parametrize(
    ("said", "status"), [({}, 0), ({"repairs": ["x"]}, 0), ({"problems": ["x"]}, 1), ({"dies": 1}, 1)]
)
def test_the_status_says_whether_a_person_has_to_look_in_json_and_in_text(
    school: Class, said: dict, status: int
) -> None:
    school.hand_in("ada", **said)
    data, text = run("ch08", "--json"), run("ch08")
    made = json.loads(data.stdout)

    assert (fits(made), made["session"], [one["student"] for one in made["submissions"]], data.stderr) == (
        True,
        "ch08",
        ["ada"],
        "",
    )
    assert (data.exit_code, text.exit_code, "1 submission" in text.stdout, text.stderr) == (status, status, True, "")


def test_options_choose_students_and_grade_again(school: Class) -> None:
    school.hand_in("ada", "ben", "-rf")
    ran = [run("ch08", *words) for words in (["--student", "ben", "--student=-rf", "--jobs", "1"], ["--force"])]
    begun = school.begun()

    assert ([one.exit_code for one in ran], begun) == ([0, 0], ["-rf", "-rf", "ada", "ben", "ben"])


UNGRADED = {
    "an unknown session": (["ch09"], "'ch09' is not a session of this course; did you mean 'ch08'? possible: 'ch08'"),
    "an unknown student": (["ch08", "--student", "aad"], "'aad' has not handed in 'ch08'; did you mean 'ada'?"),
}


@pytest.mark.parametrize("what", UNGRADED)
def test_what_cannot_be_graded_exits_with_two_in_text_and_in_json(school: Class, what: str) -> None:
    words, reason = UNGRADED[what]
    school.hand_in("ada")
    text, data = run(*words), run(*words, "--json")
    made = json.loads(data.stdout)

    assert (text.stdout, text.stderr, text.exit_code) == ("", f"{reason}\n", 2)
    assert (fits(made, ("error",)), made["error"], made["submissions"], data.exit_code) == (True, reason, [], 2)


def test_no_student_steers_the_terminal_in_an_error(school: Class, monkeypatch: pytest.MonkeyPatch) -> None:
    school.hand_in("\x1b[31mada")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(writer, "_lay_out", full)

    assert run("ch08").stderr == (
        "autograded/\\x1b[31mada/ch08 cannot be written (No space left on device); "
        "make room for it, then run this again\n"
    )


def test_outside_a_course_nothing_is_graded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert json.loads(run("ch08", "--json").stdout)["error"] == (
        "there is no course.yml here or above; run this in the folder of the course"
    )


@pytest.mark.parametrize(
    ("words", "session", "named"),
    [(["ch08", "--jobs", "0"], "ch08", "--jobs"), (["ch08", "--job"], "ch08", "--job"), ([], "", "session")],
)
def test_a_call_that_cannot_be_read_is_answered_in_json_too(
    words: list[str], session: str, named: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["edgewise", "grade", "--json", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    made = json.loads(capsys.readouterr().out)

    assert (ended.value.code, fits(made, ("error",)), made["session"], named in made["error"].lower()) == (
        2,
        True,
        session,
        True,
    )


HEAVY = ("nbformat", "nbgrader", "nbconvert", "jsonschema", "sqlalchemy", "IPython", "zmq", "dask", "distributed")


def test_nothing_heavy_is_imported_on_the_way_to_a_grade(school: Class) -> None:
    """Neither by the command nor by what it needs for a judge; the worker's warm parent is a process of its own."""
    school.hand_in("ada")
    program = f"""
import json, sys
from pathlib import Path
from edgewise import cli
from edgewise.grading.gradebook.batch import Asked, grade
from edgewise.grading.gradebook.summary import bar
from edgewise.course import load_course
import edgewise.grading.judging.judge
from tests.grading.fake import Fake
course = load_course(Path({str(school.root)!r}) / "course.yml")
from functools import partial
made = grade(course, course.session("ch08"), Asked(), judging=lambda _: partial(Fake, Path({str(school.log)!r})))
made.text
assert made.status == 0, made
print(json.dumps([name for name in {HEAVY} if name in sys.modules]))
"""
    root = Path(__file__).parents[2]
    ran = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=False)

    assert (ran.stdout, ran.stderr) == ("[]\n", "")
