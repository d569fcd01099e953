"""nbgrader's SQLite database: opened, held to the version known here, and written in whole transactions."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

SCHEMA = "e43177bfe90b"
"""The version of nbgrader 0.9's database that these rows fit (table alembic_version)."""

WAIT_SECONDS = 30.0
"""How long to wait for somebody else's transaction."""

REASONS = {
    sqlite3.SQLITE_BUSY: "another program is writing to it; wait until that is done, then run this again",
    sqlite3.SQLITE_LOCKED: "another program is writing to it; wait until that is done, then run this again",
    sqlite3.SQLITE_FULL: "the disk is full; make room, then run this again",
    sqlite3.SQLITE_READONLY: "it is read-only; allow writing to it and its folder, then run this again",
    sqlite3.SQLITE_CANTOPEN: "its folder allows no writing; allow it, then run this again",
    sqlite3.SQLITE_NOTADB: "it is no database; move it away, or put a copy of it back",
    sqlite3.SQLITE_CORRUPT: "it is damaged; put a copy of it back",
}


class GradebookError(Exception):
    """A gradebook that can't be written: not there, of another version, locked, read-only, full."""


@contextmanager
def opened(path: Path, session: str, *, wait_seconds: float = WAIT_SECONDS) -> Iterator[sqlite3.Connection]:
    """A connection to the gradebook in `path`, for grading a session. Raises GradebookError."""
    if not path.is_file():
        raise GradebookError(f"{path.name}: there is no gradebook yet; `edgewise build {session}` makes it")
    with told(f"{path.name} can't be opened"):
        connection = sqlite3.connect(path, timeout=wait_seconds, isolation_level=None)
    try:
        with told(f"{path.name} can't be read"):
            _look_at_version(connection, path.name, session)
            connection.execute("pragma foreign_keys = on")
        yield connection
    finally:
        connection.close()


def _look_at_version(connection: sqlite3.Connection, name: str, session: str) -> None:
    tables = {table for (table,) in connection.execute("select name from sqlite_master where type = 'table'")}
    row = None
    if "alembic_version" in tables:
        row = connection.execute("select version_num from alembic_version").fetchone()
    hold_to_version(tables, row[0] if row else None, name, session)


def hold_to_version(tables: Collection[str], version: str | None, name: str, session: str) -> None:
    """Raises GradebookError where a database has other tables, or is of another version, than is known here."""
    if not tables:
        raise GradebookError(f"{name} is empty; `edgewise build {session}` fills it")
    if version is None or "submitted_assignment" not in tables:
        raise GradebookError(
            f"{name} is half made: its making was broken off. Move it away; `edgewise build {session}` makes a new one"
        )
    if version != SCHEMA:
        raise GradebookError(f"{name} is of version {version}, not {SCHEMA}; `nbgrader db upgrade` brings it there")


@contextmanager
def told(what: str = "the gradebook can't be written") -> Iterator[None]:
    """SQLite's errors inside as a GradebookError that begins with `what` and says what is possible."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", None)
        reason = str(error) if code is None else REASONS.get(code & 0xFF, str(error))
        raise GradebookError(f"{what}: {reason}") from None


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """What is written inside is kept as a whole or not at all. Raises GradebookError."""
    with told():
        connection.execute("begin immediate")
        try:
            yield
            connection.execute("commit")
        except BaseException:
            if connection.in_transaction:
                connection.execute("rollback")
            raise
