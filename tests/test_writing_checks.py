"""docs/writing-checks.md: every example in it runs, proves, and has the house's form."""

from __future__ import annotations

import re
import subprocess
import sysconfig
from pathlib import Path

import pytest

from edgewise.checking.engine import examine, load_check
from edgewise.checking.proof import prove, right_answers
from edgewise.course import Course, load_course
from edgewise.release import wording
from edgewise.release.new import lay_out
from tests.release.conftest import COURSE, Small

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/writing-checks.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"`((?:checks|answers)/\w+\.py)`:\n\n```python\n(.*?)```\n", PAGE, re.DOTALL))
LISTED = """\
          ch08-e8: {title: The next wait, objects: [next_wait], points: 5}
          ch08-e9: {title: A library book, objects: [step], points: 5}
"""


@pytest.fixture
def course(tmp_path: Path) -> Course:
    """A course whose last exercises are those of the page."""
    root = Small(tmp_path / "kit").root
    (root / "course.yml").write_text(COURSE + LISTED, encoding="utf-8")
    (root / "answers").mkdir()
    for name, text in FILES.items():
        (root / name).write_text(text, encoding="utf-8")
    return load_course(root / "course.yml")


def test_every_python_block_of_the_page_is_a_file() -> None:
    assert list(FILES) == ["checks/ch08_e8.py", "checks/ch08_e9.py", "answers/ch08_e8.py"]
    assert PAGE.count("```python") == len(FILES)


@pytest.mark.parametrize("id_", ["ch08-e8", "ch08-e9"])
def test_each_example_is_proved(course: Course, id_: str) -> None:
    assert prove(course, course.exercise(id_)).missed == ()


def test_the_table_on_the_page_is_the_one_that_is_printed(course: Course) -> None:
    proof = prove(course, course.exercise("ch08-e8"))

    assert f"$ edgewise mutants ch08-e8\n{proof.text}```" in PAGE


def test_the_right_answers_of_the_page_earn_every_point(course: Course) -> None:
    exercise = course.exercise("ch08-e8")
    answers = right_answers(course.root / "answers", exercise)

    assert {name: examine(exercise, objects, course).points for name, objects in answers.items()} == {
        "a shift": 5.0,
        "a loop": 5.0,
    }


def test_a_machine_s_mutants_are_generated_by_the_hundred(course: Course) -> None:
    assert sum(family.tried for family in prove(course, course.exercise("ch08-e9")).families) > 100


def test_the_shares_of_each_example_add_up_to_1(course: Course) -> None:
    shares = [
        round(sum(rule.share for rule in load_check(course.check_path(course.exercise(id_))).rules), 9)
        for id_ in ("ch08-e8", "ch08-e9")
    ]

    assert shares == [1.0, 1.0]


def test_lint_has_nothing_to_say_about_their_wording(course: Course) -> None:
    assert list(wording.findings(course, course.sessions["ch08"])) == []


def test_the_examples_have_the_house_s_form(course: Course) -> None:
    ruff = Path(sysconfig.get_path("scripts")) / "ruff"
    examples = [str(course.root / name) for name in FILES if name.startswith("checks/")]
    common = ["--no-cache", "--config", str(ROOT / "pyproject.toml"), *examples]
    ends = [
        subprocess.run([ruff, *how, *common], check=False, capture_output=True, text=True)
        for how in (["check", "--ignore", "ARG"], ["format", "--check"])
    ]

    assert [(end.returncode, end.stdout) for end in ends] == [
        (0, "All checks passed!\n"),
        (0, "2 files already formatted\n"),
    ]


def test_the_first_command_of_the_page_prints_what_it_says(course: Course) -> None:
    command, *printed = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)[0].splitlines()
    written = lay_out(course, "ch08-e7", title="A door", name="door")

    assert command == '$ edgewise new ch08-e7 --title "A door" --name door'
    assert printed == [
        *(name.replace("graph", "partial-failures") for name in written),
        "`edgewise lint` says what is left to do.",
    ]
