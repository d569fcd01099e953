"""Students' copies: what is handed out, and what is never touched."""

import os
from pathlib import Path

import pytest

from edgewise.course import Course, load_course
from edgewise.my_sessions import hand_out, has_sources, needs_build, newest, release_folder

COURSE = """\
course: shop
title: A shop
layout: {source: notebooks, release: build/release, submitted: build/submitted, autograded: build/autograded,
         feedback: build/feedback, solution: build/solution, database: build/gradebook.db, exchange: build/exchange}
limits: {cell_seconds: 30, check_seconds: 5, file_seconds: 20, memory_megabytes: 1024}
late: none
sessions:
  ch07:
    number: 7
    title: Before
    date: 2026-09-16
    notebooks: {earlier: {title: Earlier, exercises: {ch07-e1: {title: One, objects: [one], points: 1}}}}
  ch08:
    number: 8
    title: Now
    date: 2026-09-23
    notebooks: {machine: {title: Machine, exercises: {ch08-e1: {title: One, objects: [one], points: 1}}}}
"""


@pytest.fixture
def course(tmp_path: Path) -> Course:
    (tmp_path / "course.yml").write_text(COURSE)
    written(tmp_path / "notebooks/ch08/machine.ipynb", "source")
    return load_course(tmp_path / "course.yml")


@pytest.fixture
def release(tmp_path: Path) -> Path:
    return written(tmp_path / "build/release/ch08/machine.ipynb", "first version").parent


@pytest.fixture
def copies(tmp_path: Path) -> Path:
    return tmp_path / "my-sessions"


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def aged(path: Path, seconds: int) -> None:
    os.utime(path, (seconds, seconds))


def files(folder: Path) -> dict[str, str]:
    """What a student sees: every visible file and what it says."""
    found = (path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    return {path.relative_to(folder).as_posix(): path.read_text() for path in found}


# --- Handing out ------------------------------------------------------------------------------------


def test_a_first_hand_out_copies_every_file_of_the_release(release: Path, copies: Path) -> None:
    written(release / "data/orders.csv", "id,state")

    told = hand_out(release, copies)

    assert told == ("ch08/data/orders.csv is ready", "ch08/machine.ipynb is ready")
    assert files(copies) == {"ch08/data/orders.csv": "id,state", "ch08/machine.ipynb": "first version"}


def test_a_second_hand_out_of_the_same_release_says_and_does_nothing(release: Path, copies: Path) -> None:
    hand_out(release, copies)

    assert hand_out(release, copies) == ()


def test_a_students_work_stays_byte_for_byte(release: Path, copies: Path) -> None:
    hand_out(release, copies)
    written(copies / "ch08/machine.ipynb", "my answer")

    told = hand_out(release, copies)

    assert (told, files(copies)) == ((), {"ch08/machine.ipynb": "my answer"})


def test_a_new_version_lands_beside_the_students_work(release: Path, copies: Path) -> None:
    hand_out(release, copies)
    written(copies / "ch08/machine.ipynb", "my answer")
    written(release / "machine.ipynb", "second version")

    told = hand_out(release, copies)

    assert told == ("ch08/machine.ipynb is yours and stays as it is; its new version is machine.new.ipynb",)
    assert files(copies) == {"ch08/machine.ipynb": "my answer", "ch08/machine.new.ipynb": "second version"}


def test_a_new_version_lands_beside_an_untouched_copy_too(release: Path, copies: Path) -> None:
    hand_out(release, copies)
    written(release / "machine.ipynb", "second version")

    hand_out(release, copies)

    assert files(copies) == {"ch08/machine.ipynb": "first version", "ch08/machine.new.ipynb": "second version"}


def test_a_third_version_leaves_the_second_alone(release: Path, copies: Path) -> None:
    for version in ("first version", "second version", "third version"):
        written(release / "machine.ipynb", version)
        told = hand_out(release, copies)

    assert told == ("ch08/machine.ipynb is yours and stays as it is; its new version is machine.new-2.ipynb",)
    assert files(copies)["ch08/machine.new.ipynb"] == "second version"


def test_a_new_version_that_was_deleted_is_not_handed_out_again(release: Path, copies: Path) -> None:
    hand_out(release, copies)
    written(release / "machine.ipynb", "second version")
    hand_out(release, copies)
    (copies / "ch08/machine.new.ipynb").unlink()

    assert hand_out(release, copies) == ()


def test_a_deleted_copy_comes_back_fresh(release: Path, copies: Path) -> None:
    hand_out(release, copies)
    (copies / "ch08/machine.ipynb").unlink()

    assert hand_out(release, copies) == ("ch08/machine.ipynb is ready",)


@pytest.mark.parametrize("record", ["", "[1]", '{"ch08/machine.ipynb": 3}', "\0"])
def test_a_spoilt_record_costs_a_copy_and_never_the_work(release: Path, copies: Path, record: str) -> None:
    hand_out(release, copies)
    written(copies / "ch08/machine.ipynb", "my answer")
    written(copies / ".handed-out.json", record)

    hand_out(release, copies)

    assert files(copies) == {"ch08/machine.ipynb": "my answer", "ch08/machine.new.ipynb": "first version"}


def test_hidden_files_of_the_release_are_not_handed_out(release: Path, copies: Path) -> None:
    written(release / ".ipynb_checkpoints/machine-checkpoint.ipynb", "an editor's leftover")

    assert hand_out(release, copies) == ("ch08/machine.ipynb is ready",)


# --- When a release is built ------------------------------------------------------------------------


def test_the_newest_session_is_the_one_with_the_latest_date(course: Course) -> None:
    assert newest(course).id == "ch08"


def test_a_session_whose_notebooks_are_not_there_has_no_sources(course: Course) -> None:
    found = {session.id: has_sources(course, session) for session in course.sessions.values()}

    assert found == {"ch07": False, "ch08": True}


def test_a_missing_release_needs_a_build(course: Course) -> None:
    assert needs_build(course, newest(course))


@pytest.mark.parametrize(
    ("notebook", "course_file", "released", "needed"),
    [(100, 100, 200, False), (300, 100, 200, True), (100, 300, 200, True)],
)
def test_a_release_older_than_its_sources_needs_a_build(
    course: Course, release: Path, notebook: int, course_file: int, released: int, needed: bool
) -> None:
    aged(course.root / "notebooks/ch08/machine.ipynb", notebook)
    aged(course.path, course_file)
    aged(release / "machine.ipynb", released)

    assert needs_build(course, newest(course)) is needed


def test_the_release_lies_where_the_layout_says(course: Course) -> None:
    assert release_folder(course, newest(course)) == course.root / "build/release/ch08"
