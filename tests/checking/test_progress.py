"""Progress: what a student's saved notebooks say about how far they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import edgewise
from edgewise import my_sessions
from edgewise.checking import answer_cells
from edgewise.checking.engine import CheckError
from edgewise.checking.progress import Progress, progress
from edgewise.cli import app
from tests.checking.sessions import STUB, Copies, code

SAVED = "Worked out from the notebooks as they were saved last."
FRESH = f"""\
ch01  ○ e1  ○ w1  ○ e2    0 of 3 done

○ ch01-e1  not begun  ·  Double
○ ch01-w1  not begun  ·  Why twice
○ ch01-e2  not begun  ·  Treble

next: ch01-e1 · Double, in ch01/twice.ipynb
{SAVED}"""


@pytest.fixture
def copies(tmp_path: Path) -> Copies:
    return Copies(tmp_path / "kit")


def words(found: Progress) -> list[str]:
    """The standing of each exercise."""
    return [standing.said for standing in found.standings]


# --- Standings --------------------------------------------------------------------------------------


def test_fresh_copies_are_not_begun_and_nothing_is_run(copies: Copies, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("edgewise.checking.progress.check_file", None)

    assert progress(copies.folder).text == FRESH


def test_a_right_answer_is_done_a_wrong_one_begun_and_words_are_begun(copies: Copies) -> None:
    copies.twice[1]["source"] = "def double(number):\n    return number + number"
    copies.twice[3]["source"] = "Because once is not enough."
    copies.thrice[1]["source"] = "def treble(number):\n    return number"
    copies.save("ch01/twice.ipynb", copies.twice)
    copies.save("ch01/thrice.ipynb", copies.thrice)

    assert progress(copies.folder).text == (
        "ch01  ✔ e1  ◐ w1  ◐ e2    1 of 3 done\n"
        "\n"
        "✔ ch01-e1  done  ·  Double\n"
        "◐ ch01-w1  begun (a person reads it)  ·  Why twice\n"
        "◐ ch01-e2  begun (0 of 4 points)  ·  Treble\n"
        "\n"
        "next: ch01-e2 · Treble, in ch01/thrice.ipynb\n"
        f"{SAVED}"
    )


def test_when_all_is_done_nothing_is_next(copies: Copies) -> None:
    copies.twice[1]["source"] = "def double(number):\n    return number + number"
    copies.twice[3]["source"] = "YOUR ANSWER HERE: because."
    copies.save("ch01/twice.ipynb", copies.twice)
    (copies.root / "course.yml").write_text((copies.root / "course.yml").read_text().partition("      thrice:")[0])

    assert progress(copies.folder).next_said == "next: nothing; every exercise is done, every written answer begun"


def test_an_answer_in_a_cell_of_its_own_counts(copies: Copies) -> None:
    copies.thrice.insert(2, code("def treble(number):\n    return 3 * number"))
    copies.save("ch01/thrice.ipynb", copies.thrice)

    assert words(progress(copies.folder)) == ["not begun", "not begun", "done"]


def test_without_a_checksum_the_stub_is_known_by_its_text(copies: Copies) -> None:
    for cell in (copies.twice[1], copies.twice[3]):
        del cell["metadata"]["nbgrader"]["checksum"]
    copies.save("ch01/twice.ipynb", copies.twice)

    assert words(progress(copies.folder)) == ["not begun", "not begun", "not begun"]


def test_an_emptied_written_answer_is_not_begun(copies: Copies) -> None:
    copies.twice[3]["source"] = " \n"
    copies.save("ch01/twice.ipynb", copies.twice)

    assert words(progress(copies.folder))[1] == "not begun"


def test_an_answer_that_cannot_be_asked_says_why(copies: Copies) -> None:
    copies.thrice[1]["source"] = "treble = 3"
    copies.save("ch01/thrice.ipynb", copies.thrice)
    found = progress(copies.folder)

    assert (words(found)[2], found.notes) == (
        "begun (0 of 4 points)",
        ("ch01-e2: `treble` is an int, not a function; define it with `def treble(…)`",),
    )


# --- Odd folders ------------------------------------------------------------------------------------


def test_a_missing_notebook_is_said(copies: Copies) -> None:
    (copies.folder / "ch01/thrice.ipynb").unlink()
    found = progress(copies.folder)

    assert (words(found), found.notes, found.is_known) == (
        ["not begun"] * 3,
        ("thrice.ipynb is not in my-sessions; `edgewise lab` brings it back",),
        True,
    )


def test_a_renamed_notebook_is_found_by_its_exercises(copies: Copies) -> None:
    (copies.folder / "ch01/thrice.ipynb").rename(copies.folder / "ch01/Kopie.ipynb")
    found = progress(copies.folder)

    assert (found.standings[2].where, found.notes) == (
        "ch01/Kopie.ipynb",
        ("thrice.ipynb is not there; its exercises were found in ch01/Kopie.ipynb",),
    )


def test_of_two_renamed_copies_the_one_saved_last_counts(copies: Copies) -> None:
    (copies.folder / "ch01/thrice.ipynb").unlink()
    copies.save("late.ipynb", copies.thrice, at=2_000)
    copies.save("mine.ipynb", copies.thrice, at=1_000)

    assert progress(copies.folder).notes == (
        "thrice.ipynb is not there; its exercises were found in late.ipynb, the copy saved last",
    )


def test_a_copy_beside_the_notebook_changes_nothing(copies: Copies) -> None:
    copies.save("ch01/thrice.new.ipynb", copies.thrice)
    copies.save("ch01/.ipynb_checkpoints/thrice-checkpoint.ipynb", copies.thrice)

    assert progress(copies.folder).text == FRESH


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ('{"cells": [', "Expecting value: line 1 column 12 (char 11)"),
        ("[]", "it has no list of cells"),
        ("", "Expecting value: line 1 column 1 (char 0)"),
    ],
)
def test_a_broken_notebook_is_said_and_the_others_count(copies: Copies, content: str, reason: str) -> None:
    (copies.folder / "ch01/twice.ipynb").write_text(content)
    found = progress(copies.folder)

    assert (words(found), found.next_said, found.notes, found.is_known) == (
        ["not known", "not known", "not begun"],
        "next: ch01-e2 · Treble, in ch01/thrice.ipynb",
        (f"ch01/twice.ipynb cannot be read as a notebook: {reason}",),
        False,
    )


def test_a_broken_notebook_is_replaced_by_its_copy(copies: Copies) -> None:
    (copies.folder / "ch01/twice.ipynb").write_text("{}")
    copies.save("ch01/copy.ipynb", copies.twice)

    assert progress(copies.folder).notes == (
        "ch01/twice.ipynb cannot be read as a notebook: it has no list of cells",
        "twice.ipynb cannot be read; its exercises were found in ch01/copy.ipynb",
    )


def test_odd_cells_are_passed_over(copies: Copies) -> None:
    copies.save("ch01/thrice.ipynb", [*copies.thrice, 7, {"metadata": []}, {"cell_type": "code", "source": None}])

    assert progress(copies.folder).text == FRESH


def test_an_exercise_without_a_cell_is_said(copies: Copies) -> None:
    copies.save("ch01/twice.ipynb", copies.twice[3:])
    found = progress(copies.folder)

    assert (words(found)[0], found.notes) == ("not begun", ("ch01/twice.ipynb has no cell for ch01-e1",))


def test_a_notebook_without_its_exercises_is_said_once(copies: Copies) -> None:
    copies.save("ch01/twice.ipynb", [])

    assert progress(copies.folder).notes == ("ch01/twice.ipynb holds none of its exercises",)


def test_a_notebook_without_exercises_is_taken_from_a_copy(copies: Copies) -> None:
    copies.save("ch01/twice.ipynb", [])
    copies.save("ch01/other.ipynb", copies.twice)

    assert progress(copies.folder).notes == (
        "twice.ipynb holds none of its exercises; its exercises were found in ch01/other.ipynb",
    )


def test_a_check_that_breaks_is_not_the_students_fault(copies: Copies) -> None:
    (copies.root / "checks/ch01_e2.py").write_text("CHECK = None")
    copies.thrice[1]["source"] = "def treble(number):\n    return 3 * number"
    copies.save("ch01/thrice.ipynb", copies.thrice)
    found = progress(copies.folder)

    assert (words(found)[2], found.next_said, found.notes) == (
        "not known",
        "next: ch01-e1 · Double, in ch01/twice.ipynb",
        ("ch01-e2 could not be checked: ch01_e2.py defines no CHECK",),
    )


def test_with_nothing_but_broken_notebooks_the_next_one_is_not_known(copies: Copies) -> None:
    for path in copies.folder.glob("*/*.ipynb"):
        path.write_text("{")

    assert progress(copies.folder).next_said == "next: not known"


# --- The folder -------------------------------------------------------------------------------------


def test_the_nearest_my_sessions_is_looked_at(copies: Copies, monkeypatch: pytest.MonkeyPatch) -> None:
    said = []
    for start in (copies.root, copies.folder, copies.folder / "ch01", copies.root / "checks"):
        monkeypatch.chdir(start)
        said.append(progress().next_said)

    assert said == ["next: ch01-e1 · Double, in ch01/twice.ipynb"] * 4


def test_a_folder_of_another_name_is_known_by_what_lab_left_in_it(
    copies: Copies, monkeypatch: pytest.MonkeyPatch
) -> None:
    copies.save("../elsewhere/ch01/twice.ipynb", copies.twice)
    (copies.root / "elsewhere/.handed-out.json").write_text("{}")
    monkeypatch.chdir(copies.root / "elsewhere/ch01")

    assert progress().folder == "elsewhere"


def test_folder_and_record_are_named_as_lab_names_them() -> None:
    assert (answer_cells.FOLDER, answer_cells.RECORD) == (my_sessions.FOLDER, my_sessions.RECORD)


def test_a_course_with_problems_is_said_without_our_frames(copies: Copies) -> None:
    (copies.root / "course.yml").write_text("late: never")

    with pytest.raises(CheckError, match=r"course\.yml:1: 'course' is missing in the course") as caught:
        progress(copies.folder)

    assert caught.value._render_traceback_() == [f"Could not check: {caught.value}"]


def test_edgewise_hands_it_out() -> None:
    assert edgewise.progress is progress


# --- The command ------------------------------------------------------------------------------------


def run(*arguments: object) -> tuple[int, str, str]:
    """Exit status, stdout and stderr of `edgewise progress`."""
    done = CliRunner().invoke(app, ["progress", *map(str, arguments)])
    return done.exit_code, done.stdout, done.stderr


def test_the_command_prints_the_text_and_ends_with_0(copies: Copies) -> None:
    assert run(copies.folder) == (0, f"{FRESH}\n", "")


def test_the_command_prints_json(copies: Copies) -> None:
    (copies.folder / "ch01/twice.ipynb").unlink()
    copies.thrice[1]["source"] = f"def treble(number):\n{STUB}  # soon"
    copies.save("ch01/thrice.ipynb", copies.thrice)
    status, out, _ = run(copies.folder, "--json")

    assert (status, json.loads(out)) == (
        0,
        {
            "folder": "my-sessions",
            "exercises": [
                {
                    "exercise": "ch01-e1",
                    "title": "Double",
                    "notebook": "twice.ipynb",
                    "standing": "not begun",
                    "points": None,
                    "max_points": 2.0,
                },
                {
                    "exercise": "ch01-w1",
                    "title": "Why twice",
                    "notebook": "twice.ipynb",
                    "standing": "not begun",
                    "points": None,
                    "max_points": 3.0,
                },
                {
                    "exercise": "ch01-e2",
                    "title": "Treble",
                    "notebook": "ch01/thrice.ipynb",
                    "standing": "begun",
                    "points": 0.0,
                    "max_points": 4.0,
                },
            ],
            "next": "ch01-e1",
            "notes": ["twice.ipynb is not in my-sessions; `edgewise lab` brings it back"],
        },
    )


def test_a_folder_without_notebooks_ends_with_2(tmp_path: Path) -> None:
    assert run(tmp_path) == (
        2,
        f"{tmp_path.name} holds no notebook of this course; `edgewise lab` hands them out\n",
        "",
    )


def test_a_folder_that_is_not_there_ends_with_2(tmp_path: Path) -> None:
    assert run(tmp_path / "gone") == (2, "gone: there is no such folder\n", "")


def test_a_broken_notebook_ends_with_2(copies: Copies) -> None:
    (copies.folder / "ch01/twice.ipynb").write_text("{")

    assert run(copies.folder)[0] == 2


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_broken_course_ends_with_2(copies: Copies, form: tuple[str, ...]) -> None:
    (copies.root / "course.yml").write_text("")
    said = "course.yml:1: the file is empty; it lists the course, its layout, limits and sessions"

    expected = (2, json.dumps({"error": said}) + "\n", "") if form else (2, "", f"{said}\n")
    assert run(copies.folder, *form) == expected
