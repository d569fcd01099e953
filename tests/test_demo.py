"""The demo: what each answer earns, and a class of three from release to table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from demo.__main__ import table
from demo.sample import ANSWERS, DUE, GRAPH, STUDENTS, DemoError, Row, nbgrader, prepare, results, run
from edgewise.checking.engine import examine
from edgewise.course import load_course

COURSE = load_course(Path(__file__).parent.parent / "course.yml")

EARNED = {
    "ada": {"e1": 2, "e2": 3, "e3": 10, "e4": 8, "e5": 5, "e6": 6},
    "ben": {"e1": 2, "e2": 3, "e3": 10, "e4": 8, "e5": 5, "e6": 6},
    "chloe": {"e1": 2, "e2": 3, "e3": 10, "e6": 6},
    "dana": {"e1": 2, "e2": 3, "e3": 10, "e4": 8, "e5": 5},
    "emil": {"e1": 2, "e2": 3, "e3": 0},
    "fay": {"e1": 2, "e2": 1.5, "e3": 4.5, "e4": 3.2},
    "gus": {"e1": 2, "e2": 1.5, "e3": 0, "e6": 3.6},
    "hana": {"e1": 2, "e3": 0, "e5": 1.5},
    "june": {"e1": 1, "e2": 1.5, "e3": 10},
}


@pytest.mark.parametrize("student", EARNED)
def test_each_answer_earns_what_it_is_there_to_show(student: str) -> None:
    earned = {}
    for path in sorted((ANSWERS / student).glob("*.py")):
        exercise = COURSE.exercise(path.stem.replace("_", "-"))
        names: dict[str, object] = {}
        exec(compile(path.read_text(encoding="utf-8"), path.name, "exec"), names)
        report = examine(exercise, [names[name] for name in exercise.objects], COURSE)
        earned[exercise.id.removeprefix("ch08-")] = report.points

    assert earned == EARNED[student]


def test_every_folder_of_answers_belongs_to_a_student() -> None:
    folders = {path.name for path in ANSWERS.iterdir()}

    assert (len(STUDENTS) >= 8, folders <= {student.id for student in STUDENTS}) == (True, True)


@pytest.fixture(scope="module")
def few() -> tuple:
    """Three of the class, one notebook each: one wrong, one late, one in a zip."""
    return tuple(replace(one, notebooks=(GRAPH,)) for one in STUDENTS if one.id in ("dana", "emil", "june"))


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory, few: tuple) -> tuple[Path, list[Row], list[str]]:
    folder, said = tmp_path_factory.mktemp("demo") / "class", []
    return folder, run(folder, few, said.append), said


class TestAClassOfThree:
    """One run, looked at from several sides."""

    def test_the_rows_hold_points_and_lateness(self, ran) -> None:
        found = {row.student: ([row.points[f"ch08-e{n}"] for n in (1, 2, 3, 4)], row.late_seconds) for row in ran[1]}

        assert found == {
            "dana": ([2, 3, 10, None], 126060.0),
            "emil": ([2, 3, 0, None], 0),
            "june": ([1, 1.5, 10, None], 0),
        }

    def test_each_step_is_said(self, ran) -> None:
        assert ran[2] == [
            f"A course of its own in class/, due {DUE}",
            "Releasing: nbgrader generate_assignment",
            "Handing in: 3 students, 1 of them in a zip",
            "nbgrader zip_collect ch08",
            "nbgrader autograde ch08",
            "nbgrader generate_feedback ch08",
            "nbgrader export",
        ]

    def test_there_is_feedback_and_an_export(self, ran) -> None:
        outputs = ran[0] / "build"
        feedback = sorted(path.parent.parent.name for path in outputs.glob(f"feedback/*/ch08/{GRAPH}.html"))

        assert (feedback, (outputs / "grades.csv").is_file()) == (["dana", "emil", "june"], True)

    def test_a_student_who_handed_in_nothing_is_named(self, ran) -> None:
        with pytest.raises(DemoError) as caught:
            results(load_course(ran[0] / "course.yml"), STUDENTS)

        assert str(caught.value) == "the gradebook holds nothing of 'ada'"


def test_a_verb_that_fails_is_said_with_its_last_lines(tmp_path: Path) -> None:
    course = prepare(tmp_path / "class")
    with pytest.raises(DemoError) as caught:
        nbgrader(course, ["autograde"])

    first, *_, last = str(caught.value).splitlines()
    assert (first, last.partition(" | ERROR] ")[2]) == (
        "nbgrader autograde ended with 1:",
        "An assignment id must be specified, either as an argument or with --assignment",
    )


def test_the_demo_empties_its_own_folder_alone(tmp_path: Path) -> None:
    folder = tmp_path / "class"
    prepare(folder)
    (folder / "leftover").touch()
    prepare(folder)
    (tmp_path / "other").mkdir()
    with pytest.raises(DemoError) as caught:
        prepare(tmp_path / "other")

    assert ((folder / "leftover").exists(), str(caught.value)) == (
        False,
        f"{tmp_path / 'other'} was not made by the demo; move it away, or name another folder",
    )


def test_the_table_marks_what_is_missing_and_what_a_person_reads() -> None:
    points = dict.fromkeys([exercise.id for exercise in COURSE.exercises], None)
    row = Row("ada", points | {"ch08-e1": 2.0, "ch08-e2": 1.5, "ch08-w1": 0.0}, ("ch08-w1",), 126060.0)
    console = Console(width=112)
    with console.capture() as capture:
        console.print(table(COURSE.session("ch08"), [row]))
    line = next(line for line in capture.get().splitlines() if "ada" in line)

    assert [cell.strip() for cell in line.strip("│").split("│")] == [
        "ada", "right, by table", "2", "1.5", "–", "?", "–", "–", "–", "–", "–", "3.5", "35 h",
    ]  # fmt: skip
