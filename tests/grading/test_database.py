"""A gradebook that can't be used is named, with what is possible; nothing of it is changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from edgewise.grading.gradebook.database import GradebookError, opened, transaction


def sql(*statements: str) -> Callable[[Path], object]:
    def run(path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection, connection:
            for statement in statements:
                connection.execute(statement)

    return run


UNUSABLE = {
    "not there": (Path.unlink, "gradebook.db: there is no gradebook yet; `edgewise build ch08` makes it"),
    "a folder": (
        lambda path: (path.unlink(), path.mkdir()),
        "gradebook.db: there is no gradebook yet; `edgewise build ch08` makes it",
    ),
    "empty": (lambda path: path.write_bytes(b""), "gradebook.db is empty; `edgewise build ch08` fills it"),
    "no database": (
        lambda path: path.write_bytes(b"half made" * 200),
        "gradebook.db can't be read: it is no database; move it away, or put a copy of it back",
    ),
    "cut": (
        lambda path: path.write_bytes(path.read_bytes()[:5_000]),
        "gradebook.db can't be read: it is damaged; put a copy of it back",
    ),
    "tables without a version": (
        sql("drop table alembic_version"),
        "gradebook.db is half made: its making was broken off. Move it away; `edgewise build ch08` makes a new one",
    ),
    "a version table without a version": (
        sql("delete from alembic_version"),
        "gradebook.db is half made: its making was broken off. Move it away; `edgewise build ch08` makes a new one",
    ),
    "a version without tables": (
        sql("drop table submitted_assignment"),
        "gradebook.db is half made: its making was broken off. Move it away; `edgewise build ch08` makes a new one",
    ),
    "older": (
        sql("update alembic_version set version_num = '167914646830'"),
        "gradebook.db is of version 167914646830, not e43177bfe90b; `nbgrader db upgrade` brings it there",
    ),
}


@pytest.mark.parametrize("how", UNUSABLE)
def test_a_gradebook_that_cannot_be_used_is_named(path: Path, how: str):
    spoil, said = UNUSABLE[how]
    spoil(path)
    with pytest.raises(GradebookError) as raised, opened(path, "ch08"):
        pass

    assert str(raised.value) == said


def insert(connection: sqlite3.Connection, student: str = "'ada'", fault: type[Exception] | None = None) -> None:
    with transaction(connection):
        connection.execute(f"insert into student (id) values ({student})")
        if fault:
            raise fault


def test_a_gradebook_that_another_program_writes_is_named(path: Path):
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("begin immediate")
        with opened(path, "ch08", wait_seconds=0) as connection, pytest.raises(GradebookError) as raised:
            insert(connection)

    assert str(raised.value) == (
        "the gradebook can't be written: another program is writing to it; wait until that is done, then run this again"
    )


def test_a_gradebook_that_another_program_keeps_to_itself_is_named(path: Path):
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("begin exclusive")
        with pytest.raises(GradebookError) as raised, opened(path, "ch08", wait_seconds=0):
            pass

    assert str(raised.value) == (
        "gradebook.db can't be read: another program is writing to it; wait until that is done, then run this again"
    )


@pytest.mark.parametrize(
    ("pragma", "said"),
    [
        ("query_only = on", "it is read-only; allow writing to it and its folder, then run this again"),
        ("max_page_count = 1", "the disk is full; make room, then run this again"),
    ],
)
def test_a_gradebook_that_can_not_grow_or_change_is_named_and_stays_as_it_is(path: Path, pragma: str, said: str):
    before = path.read_bytes()
    with opened(path, "ch08") as connection:
        connection.execute(f"pragma {pragma}")
        with pytest.raises(GradebookError) as raised:
            insert(connection, "zeroblob(10000000)")

    assert (str(raised.value), path.read_bytes() == before) == (f"the gradebook can't be written: {said}", True)


def test_what_is_written_before_an_exception_is_undone(path: Path):
    with opened(path, "ch08") as connection:
        with pytest.raises(ZeroDivisionError):
            insert(connection, fault=ZeroDivisionError)

        assert connection.execute("select count(*) from student").fetchone() == (0,)
