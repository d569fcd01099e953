"""Folder and rows of a graded submission belong together, whatever happens while they are written."""

from __future__ import annotations

import errno
import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from edgewise.grading.gradebook import writer as module
from edgewise.grading.gradebook.database import GradebookError, opened
from edgewise.grading.gradebook.record import Record, Stamp
from edgewise.grading.gradebook.rows import Graded, Sqlite
from edgewise.grading.gradebook.writer import MARK, PlaceError, WriteError, Writer
from edgewise.grading.judging.outcome import Outcome
from tests.grading.fake import Class, outcome

STAMP = Stamp("a", "b", "c", "d", "e")
ROWS_OF_7 = [("ada", None, "graph", None, "ch08-e3-check", 7.0, 0), ("ada", None, "graph", None, "ch08-w1", None, 1)]


class Written(Class):
    """The class, and a writer with an open gradebook."""

    gradebook: Sqlite
    writer: Writer

    def write(self, points: float = 7, student: str = "ada", **said: Any) -> Outcome:
        folder = self.root / "build/submitted" / student / "ch08"
        made = outcome(folder, {"points": points, **said})
        self.writer.write(student, made, STAMP, self.grading(student))
        return made

    def grading(self, student: str = "ada") -> str | None:
        recorded = self.gradebook.recorded(student)
        return recorded.grading if recorded else None

    def stands(self, student: str = "ada") -> bool:
        return self.writer.stands(student, self.grading(student))

    @property
    def both(self) -> tuple[list[str], list[Any]]:
        """What of the class is on disk, and its points in the gradebook."""
        return list(self.files()), [row[5] for row in self.rows() if row[4] == "ch08-e3-check"]


GRADED = (["ada", "ada/ch08", "ada/ch08/graph.ipynb"], [7.0])


@pytest.fixture
def school(empty: Path, tmp_path: Path) -> Iterator[Written]:
    made = Written.made(tmp_path / "kit", empty)
    made.hand_in("ada")
    with opened(made.root / "build/gradebook.db", "ch08", wait_seconds=0) as connection:
        made.gradebook = Sqlite(connection, made.session, late="none")
        made.gradebook.prepare()
        made.writer = Writer(made.root / "build/autograded", "ch08", made.gradebook)
        made.writer.prepare()
        yield made


def test_a_graded_submission_has_folder_rows_and_record(school: Written) -> None:
    school.write()

    assert (school.both, school.rows(), school.stands()) == (GRADED, ROWS_OF_7, True)


def test_files_come_along_and_all_have_the_modes_that_nbgrader_gives(school: Written) -> None:
    folder = school.root / "build/submitted/ada/ch08"
    (folder / "data/deep").mkdir(parents=True)
    for name in ("timestamp.txt", "data/deep/plan.csv"):
        (folder / name).write_text("mine", encoding="utf-8")
    school.write(files=["timestamp.txt", "data/deep/plan.csv", "gone.csv"])
    modes = {
        path.relative_to(school.graded("ada")).as_posix(): oct(stat.S_IMODE(path.stat().st_mode))
        for path in (school.graded("ada"), *school.graded("ada").rglob("*"))
    }

    assert modes == {
        ".": "0o755",
        "data": "0o755",
        "data/deep": "0o755",
        "data/deep/plan.csv": "0o444",
        "timestamp.txt": "0o444",
        "graph.ipynb": "0o444",
        ".edgewise.json": "0o444",
    }


def test_a_second_grading_takes_the_place_of_the_first(school: Written) -> None:
    school.write(6, files=["graph.ipynb"])
    school.write()

    assert (school.both, (school.graded("ada") / "graph.ipynb").read_text("utf-8"), school.stands()) == (
        GRADED,
        "7\n",
        True,
    )


def test_a_text_that_is_no_unicode_is_still_written_as_json(school: Written) -> None:
    made = outcome(school.root / "build/submitted/ada/ch08", {"points": 7})
    notebook = replace(made.notebooks[0], text='{"source": "\udcff"}')
    school.writer.write("ada", replace(made, notebooks=(notebook,)), STAMP, None)

    assert json.loads((school.graded("ada") / "graph.ipynb").read_bytes()) == {"source": "\udcff"}


def test_a_notebook_that_was_not_handed_in_has_no_file(school: Written) -> None:
    made = outcome(school.root / "build/submitted/ada/ch08", {"points": 7})
    school.writer.write("ada", replace(made, notebooks=(replace(made.notebooks[0], text=None),)), STAMP, None)

    assert list(school.files()) == ["ada", "ada/ch08"]


# --- Killed ---


def test_a_kill_at_any_step_loses_nothing_and_doubles_nothing(empty: Path, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "tests.grading.kills", str(tmp_path / "kit"), str(empty)]
    root = Path(__file__).parents[2]
    ran = subprocess.run(words, cwd=root, capture_output=True, text=True, check=False)

    def rows(points: float) -> dict[str, Any]:
        return {"integrity": "ok", "rows": [["ch08-e3-check", points, 0], ["ch08-w1", None, 1]]}

    complete = {
        "rows": rows(9.0)["rows"],
        "files": ["ada", "ada/ch08", "ada/ch08/graph.ipynb", "ada/ch08/notes.txt"],
        "notebook": "9\n",
        "alike": True,
    }
    standing = {"a folder stands": True, **complete}
    assert (json.loads(ran.stdout or "null"), ran.stderr) == (
        {
            "first": {"many": True, "ends": [[rows(9.0), standing], [{"integrity": "ok", "rows": []}, complete]]},
            "second": {"many": True, "ends": [[rows(7.0), standing], [rows(9.0), standing]]},
        },
        "",
    )


def leave(school: Written, *which: str) -> None:
    """As after a kill: each of the folders here, new, old holds a grading of its own, old the recorded one."""
    home = school.graded("ada")
    school.write()
    home.rename(home.parent / ".ch08-old")
    for name in which:
        folder = home.parent / {"here": "ch08", "new": ".ch08-new"}[name]
        folder.mkdir()
        (folder / "graph.ipynb").write_text("half", encoding="utf-8")


@pytest.mark.parametrize("which", [(), ("new",), ("here",), ("here", "new")])
def test_the_folder_of_the_record_is_put_back(school: Written, which: tuple[str, ...]) -> None:
    leave(school, *which)

    assert (school.stands(), school.both) == (True, GRADED)


def test_a_folder_that_is_the_only_one_is_put_back_even_without_a_record(school: Written) -> None:
    (school.graded("ada").parent / ".ch08-old").mkdir(parents=True)

    assert (school.stands(), list(school.files())) == (False, ["ada", "ada/ch08"])


def test_leavings_beside_the_recorded_folder_are_removed_whatever_they_are(school: Written) -> None:
    school.write()
    (school.graded("ada").parent / ".ch08-new").touch()
    (school.graded("ada").parent / ".ch08-old").symlink_to(school.root)

    assert (school.stands(), school.both, school.notebook.exists()) == (True, GRADED, True)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda folder: (folder / "graph.ipynb").unlink(),
        lambda folder: ((folder / "graph.ipynb").unlink(), (folder / "graph.ipynb").write_text("other")),
        lambda folder: (folder / MARK).unlink(),
        lambda folder: ((folder / MARK).unlink(), (folder / MARK).write_text("[]")),
        lambda folder: ((folder / MARK).unlink(), (folder / MARK).write_text("{")),
        lambda folder: ((folder / MARK).unlink(), (folder / MARK).write_text('{"files": [], "grading": 1}')),
    ],
)
def test_a_folder_that_lacks_something_does_not_stand(school: Written, spoil: Callable[[Path], object]) -> None:
    school.write()
    spoil(school.graded("ada"))

    assert not school.stands()


# --- Nothing half-written ---


def fails(monkeypatch: pytest.MonkeyPatch, code: int, when: int = 1) -> None:
    """Writing a file fails so, from its n-th time on."""
    real, times = Path.write_bytes, iter(range(1, 100))

    def write(path: Path, data: bytes) -> int:
        if next(times) >= when:
            real(path, data[:3])
            raise OSError(code, os.strerror(code))
        return real(path, data)

    monkeypatch.setattr(Path, "write_bytes", write)


@pytest.mark.parametrize("when", [1, 2])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO])
def test_a_full_or_failing_disk_ends_the_run_and_leaves_all_as_it_was(
    school: Written, monkeypatch: pytest.MonkeyPatch, code: int, when: int
) -> None:
    school.write()
    with monkeypatch.context() as patch:
        fails(patch, code, when)
        with pytest.raises(WriteError) as raised:
            school.write(9)

    assert (str(raised.value), school.both, school.stands()) == (
        f"autograded/ada/ch08 cannot be written ({os.strerror(code)}); make room for it, then run this again",
        GRADED,
        True,
    )


def test_a_place_that_cannot_be_written_is_this_submissions_alone(
    school: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        fails(patch, errno.EACCES)
        with pytest.raises(PlaceError) as raised:
            school.write()

    assert (str(raised.value), school.both) == (
        "autograded/ada/ch08 cannot be written (Permission denied)",
        (["ada"], []),
    )


def test_a_real_full_disk_leaves_all_as_it_was(school: Written) -> None:
    if os.geteuid() != 0:
        pytest.skip("only the superuser can make a small disk")
    school.writer = Writer(school.root / "small", "ch08", school.gradebook)
    (school.root / "small").mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "small", school.root / "small"], check=False)
    if mounted.returncode:
        pytest.skip("no disk can be mounted here")
    try:
        school.write()
        big = outcome(school.root / "build/submitted/ada/ch08", {"points": 9})
        big = replace(big, notebooks=(replace(big.notebooks[0], text="x" * 200_000),))
        with pytest.raises(WriteError) as raised:
            school.writer.write("ada", big, STAMP, school.grading())
        found = (
            str(raised.value),
            school.stands(),
            school.rows(),
            [path.name for path in (school.root / "small/ada").iterdir()],
        )
    finally:
        subprocess.run(["umount", school.root / "small"], check=True)

    assert found == (
        "small/ada/ch08 cannot be written (No space left on device); make room for it, then run this again",
        True,
        ROWS_OF_7,
        ["ch08"],
    )


@pytest.mark.parametrize("pragma", ["query_only = on", "max_page_count = 1"])
def test_a_gradebook_that_cannot_be_written_leaves_the_folder_as_it_was(school: Written, pragma: str) -> None:
    school.write()
    connection = school.gradebook._connection
    connection.execute(f"pragma {pragma}")
    with pytest.raises(GradebookError):
        school.write(9, repairs=["x" * 100_000])
    connection.execute("pragma query_only = off")

    assert (school.both, school.stands()) == (GRADED, True)


class Uncommitted:
    """A gradebook that fails in the end, when the folder is in place already."""

    def __init__(self, gradebook: Sqlite) -> None:
        self.recorded = gradebook.recorded
        self._gradebook = gradebook

    @contextmanager
    def writing(self, graded: Graded, record: Record) -> Iterator[None]:
        with self._gradebook.writing(graded, record):
            yield
            raise GradebookError("the disk is full")


@pytest.mark.parametrize("is_graded", [False, True])
def test_a_commit_that_fails_puts_the_folder_before_back(school: Written, is_graded: bool) -> None:
    if is_graded:
        school.write()
    school.writer = Writer(school.root / "build/autograded", "ch08", Uncommitted(school.gradebook))
    with pytest.raises(GradebookError):
        school.write(9)

    assert (school.both, school.stands()) == ((GRADED, True) if is_graded else ((["ada"], []), False))


@pytest.mark.parametrize("step", ["_swap", "_lay_out", "_remove"])
def test_ctrl_c_at_a_step_leaves_all_as_it_was_or_all_as_it_will_be(
    school: Written, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    school.write()

    def stopped(*_: object) -> None:
        monkeypatch.undo()
        raise KeyboardInterrupt

    monkeypatch.setattr(module, step, stopped)
    with pytest.raises(KeyboardInterrupt):
        school.write(7)

    assert (school.stands(), school.both) == (True, GRADED)


# --- Places that lead elsewhere ---


@pytest.mark.parametrize("which", ["ada", "ada/ch08"])
@pytest.mark.parametrize("kind", ["link", "file", "pipe"])
def test_a_place_that_is_no_folder_is_named_and_not_followed(
    school: Written, tmp_path: Path, which: str, kind: str
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    place = school.root / "build/autograded" / which
    place.parent.mkdir(exist_ok=True)
    {"link": lambda: place.symlink_to(elsewhere), "file": place.touch, "pipe": lambda: os.mkfifo(place)}[kind]()
    said = []
    for attempt in (school.stands, school.write):
        with pytest.raises(PlaceError) as raised:
            attempt()
        said.append(str(raised.value))

    assert (said, list(elsewhere.iterdir()), school.rows()) == (
        2 * [f"autograded/{which} is no folder; move it away"],
        [],
        [],
    )


@pytest.mark.parametrize("is_shared", [False, True])
def test_a_folder_that_belongs_to_another_user_is_left_alone_unless_all_is_shared(
    school: Written, is_shared: bool
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only the superuser can give a folder away")
    folder = school.graded("ada").parent
    folder.mkdir()
    os.chown(folder, 65534, os.getegid())
    if is_shared:
        folder.parent.chmod(0o775)
        school.write()
        said = ""
    else:
        with pytest.raises(PlaceError) as raised:
            school.write()
        said = str(raised.value)

    assert (said, school.both) == (
        ("", GRADED) if is_shared else ("autograded/ada belongs to another user; move it away", (["ada"], []))
    )


def test_a_name_too_long_for_the_disk_is_this_submissions_alone(school: Written) -> None:
    with pytest.raises(PlaceError) as raised:
        school.writer.stands("x" * 300, None)

    assert str(raised.value) == f"autograded/{'x' * 300}/ch08 cannot be looked at (File name too long)"


@pytest.mark.parametrize("path", ["../ben", "/etc/cron", "data/../../ben"])
def test_a_file_that_leads_out_of_the_submission_is_refused(school: Written, path: str) -> None:
    made = outcome(school.root / "build/submitted/ada/ch08", {"points": 7})
    made = replace(made, files=((path, school.notebook),))
    with pytest.raises(PlaceError) as raised:
        school.writer.write("ada", made, STAMP, None)

    assert (str(raised.value), school.both) == (f"{path!r} leads out of the submission", (["ada"], []))


def test_a_file_that_became_a_link_is_not_followed(school: Written, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret", encoding="utf-8")
    (school.root / "build/submitted/ada/ch08/data.csv").symlink_to(tmp_path / "secret")
    school.write(files=["data.csv"])

    assert school.both == GRADED


def test_an_autograded_folder_that_cannot_be_made_ends_the_run(school: Written) -> None:
    (school.root / "file").touch()
    with pytest.raises(WriteError) as raised:
        Writer(school.root / "file", "ch08", school.gradebook).prepare()

    assert str(raised.value) == "file/ cannot be made (File exists); make way for it"


def test_an_autograded_folder_that_allows_no_writing_ends_the_run(
    school: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(WriteError) as raised:
        school.writer.prepare()

    assert str(raised.value) == "autograded/ allows no writing; allow it, then run this again"
