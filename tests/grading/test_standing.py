"""Which submissions there are, and which part of a stamp changes when what a grade rests on changes."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest

from edgewise.grading.gradebook import standing
from edgewise.grading.gradebook.record import Stamp
from edgewise.grading.gradebook.standing import StandingError, folder_of, shared, stamp, students
from edgewise.grading.reading import hashes
from tests.grading.fake import Class

IDS = (
    *("'quoted' \"twice\"", "a+b@uni.example", "ada", "ada [1]", "Ada, the second", "two\nlines", "  spaces  "),
    *("x" * 120, "Ωmega", "李小龙", "عمر", "e\u0301", "-rf", "~", "*", "[bold]", "\x1b[31m", "con", "a.b.", "%2e%2e"),
)


def test_every_folder_with_a_submission_is_a_student_whatever_it_is_called(school: Class) -> None:
    school.hand_in(*IDS, ".trash")
    (school.root / "build/submitted/no-submission").mkdir()
    (school.root / "build/submitted/gradebook.csv").touch()

    assert students(school.course, school.session) == tuple(sorted(IDS))


def test_a_submission_that_is_a_broken_link_is_one_too(school: Class) -> None:
    school.hand_in("ada")
    (school.root / "build/submitted/ben").mkdir()
    (school.root / "build/submitted/ben/ch08").symlink_to("nowhere")

    assert students(school.course, school.session) == ("ada", "ben")


def test_a_folder_that_cannot_be_read_is_not_overlooked(school: Class, monkeypatch: pytest.MonkeyPatch) -> None:
    school.hand_in("ada")
    school.hand_in("ben")
    real = Path.lstat

    def lstat(path: Path) -> os.stat_result:
        if path.parent.name == "ben":
            raise PermissionError
        return real(path)

    monkeypatch.setattr(Path, "lstat", lstat)

    assert students(school.course, school.session) == ("ada", "ben")


def test_those_who_are_asked_for_come_once_and_in_order(school: Class) -> None:
    school.hand_in("ada", "ben", "chloe")

    assert students(school.course, school.session, ("chloe", "ada", "chloe")) == ("ada", "chloe")


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (("aad",), "'aad' has not handed in 'ch08'; did you mean 'ada'?"),
        (("zoe", "bem"), "'zoe' has not handed in 'ch08'; 3 others have; 'bem' has not handed in 'ch08'; "
         "did you mean 'ben'?"),
        (("../ada",), "'../ada' has not handed in 'ch08'; did you mean 'ada'?"),
    ],
)  # fmt: skip
def test_a_student_whom_nobody_knows_is_named(school: Class, wanted: tuple[str, ...], said: str) -> None:
    school.hand_in("ada", "ben", "chloe")
    with pytest.raises(StandingError) as raised:
        students(school.course, school.session, wanted)

    assert str(raised.value) == said


@pytest.mark.parametrize("there", [True, False])
def test_a_session_that_nobody_handed_in_says_where_submissions_lie(school: Class, there: bool) -> None:
    if there:
        (school.root / "build/submitted/ada").mkdir(parents=True)
    with pytest.raises(StandingError) as raised:
        students(school.course, school.session)

    assert str(raised.value) == "nobody has handed in 'ch08'; submissions lie in build/submitted/<student>/ch08"


def test_submissions_that_cannot_be_listed_are_named(school: Class) -> None:
    (school.root / "build/submitted").touch()
    with pytest.raises(StandingError) as raised:
        students(school.course, school.session)

    assert str(raised.value) == "submitted/ cannot be listed (Not a directory)"


# --- Stamps ---


def now(school: Class) -> dict[str, str]:
    made: Stamp = stamp(shared(school.course, school.session), folder_of(school.course, school.session, "ada"))
    return asdict(made)


def changed(school: Class, how: Callable[[], object]) -> list[str]:
    """The parts of the stamp that another state of the course gives otherwise."""
    before = now(school)
    how()
    after = now(school)
    return [part for part in before if before[part] != after[part]]


def written(path: Path, text: str = "other") -> Callable[[], object]:
    def write() -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    return write


PLACES = {
    "build/submitted/ada/ch08/graph.ipynb": ["submission"],
    "build/submitted/ada/ch08/timestamp.txt": ["submission"],
    "build/submitted/ada/ch08/data/deep/plan.csv": ["submission"],
    "build/submitted/ada/ch08/.DS_Store": [],
    "build/submitted/ben/ch08/graph.ipynb": [],
    "notebooks/ch08/graph.ipynb": ["source"],
    "notebooks/ch08/data.csv": ["source"],
    "build/release/ch08/graph.ipynb": ["source"],
    "checks/ch08_e3.py": ["checks"],
    "checks/ch08_w1.py": [],
    "checks/ch09_e1.py": [],
    "course.private.yml": ["course"],
    "build/gradebook.csv": [],
}


@pytest.mark.parametrize("place", PLACES)
def test_a_file_changes_the_part_that_it_belongs_to(school: Class, place: str) -> None:
    school.hand_in("ada")

    assert changed(school, written(school.root / place)) == PLACES[place]


def test_a_source_that_was_released_no_longer_counts(school: Class) -> None:
    school.hand_in("ada")
    written(school.root / "build/release/ch08/graph.ipynb")()

    assert changed(school, written(school.notebook)) == []


@pytest.mark.parametrize(
    ("old", "new", "parts"),
    [
        ("late: none", "late: zero", ["course"]),
        ("check_seconds: 5", "check_seconds: 6", ["course"]),
        ("points: 10", "points: 11", ["course"]),
        ("date: 2026-09-23", "date: 2026-09-23\n    due: 2026-09-30 23:59 +02:00", ["course"]),
        ("database: build/gradebook.db", "database: build/other.db", []),
    ],
)
def test_what_course_yml_says_of_the_session_counts(school: Class, old: str, new: str, parts: list[str]) -> None:
    school.hand_in("ada")

    assert changed(school, lambda: school.course_says(old, new)) == parts


def test_a_source_that_is_gone_counts_too(school: Class) -> None:
    school.hand_in("ada")

    assert changed(school, lambda: shutil.rmtree(school.notebook.parent)) == ["source"]


def test_edgewise_itself_and_python_count(school: Class, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Found out once a process; a second look finds what changed."""
    school.hand_in("ada")
    home = tmp_path / "edgewise"
    written(home / "engine.py")()
    monkeypatch.setattr(hashes.edgewise, "__file__", str(home / "__init__.py"))
    monkeypatch.setattr(standing, "engine", standing.engine.__wrapped__)
    found = [changed(school, written(home / "engine.py", text)) for text in ("other", "new")]
    found.append(changed(school, lambda: monkeypatch.setattr(platform, "python_version", lambda: "3.99")))

    assert found == [[], ["engine"], ["engine"]]


def test_no_clock_has_a_part_in_a_stamp(school: Class) -> None:
    folder = school.hand_in("ada")

    assert changed(school, lambda: os.utime(folder / "graph.ipynb", (0, 0))) == []


def test_two_files_that_trade_their_borders_are_another_submission(school: Class) -> None:
    folder = school.hand_in("ada")
    written(folder / "a", "xy")()
    written(folder / "b", "z")()

    def trade() -> None:
        written(folder / "a", "x")()
        written(folder / "b", "yz")()

    assert changed(school, trade) == ["submission"]


def test_a_link_in_a_submission_counts_by_its_name_alone(school: Class, tmp_path: Path) -> None:
    folder = school.hand_in("ada")
    outside = tmp_path / "outside"
    written(outside, "secret")()
    (folder / "link").symlink_to(outside)

    assert changed(school, written(outside, "another")) == []


def test_a_pipe_in_a_submission_stops_nothing(school: Class) -> None:
    folder = school.hand_in("ada")

    assert changed(school, lambda: os.mkfifo(folder / "pipe")) == ["submission"]


@pytest.mark.parametrize("how", ["link", "file", "gone"])
def test_a_submission_that_is_no_folder_has_a_stamp_as_well(school: Class, tmp_path: Path, how: str) -> None:
    folder = school.hand_in("ada")

    def spoil() -> None:
        folder.rename(tmp_path / "elsewhere")
        if how == "link":
            folder.symlink_to(tmp_path / "elsewhere")
        elif how == "file":
            folder.touch()

    assert (changed(school, spoil), changed(school, written(tmp_path / "elsewhere/graph.ipynb"))) == (
        ["submission"],
        [],
    )


def test_more_than_can_be_read_counts_by_its_size(school: Class, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = school.hand_in("ada")
    monkeypatch.setattr(standing, "MOST_HASHED", 100)
    written(folder / "film", "x" * 200)()
    found = [changed(school, written(folder / "film", text)) for text in ("y" * 200, "y" * 201)]

    assert found == [[], ["submission"]]


def test_a_file_too_large_to_be_graded_counts_by_its_size(school: Class) -> None:
    film = school.hand_in("ada") / "film"
    with film.open("wb") as file:
        file.truncate(70 * 2**20)

    def cut() -> None:
        os.truncate(film, 66 * 2**20)

    assert changed(school, cut) == ["submission"]


def test_a_heap_of_files_counts_as_one(school: Class) -> None:
    folder = school.hand_in("ada")
    for number in range(1_999):
        (folder / f"{number:04}").touch()
    found = [changed(school, how) for how in ((folder / "one too many").touch, lambda: None)]

    assert found == [["submission"], []]
