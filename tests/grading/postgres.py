"""A PostgreSQL of the tests' own, reached through a socket file alone, with the small course's gradebook in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.grading.conftest import fill

SETTINGS = "-c listen_addresses='' -c fsync=off -c autovacuum=off"


class Server:
    """A running server; every database that is asked for is new."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._made = 0

    def url(self, database: str) -> str:
        """The address of a database, as course.yml may name it."""
        return f"postgresql+psycopg://tests@/{database}?host={self.folder}"

    def database(self, template: str = "filled") -> str:
        """The URL of a new database, a copy of the template."""
        self._made += 1
        self.does(f"create database d{self._made} template {template}")
        return self.url(f"d{self._made}")

    def does(self, statement: str) -> None:
        """Run one statement for the whole server."""
        import psycopg

        with psycopg.connect(dbname="postgres", user="tests", host=str(self.folder), autocommit=True) as connection:
            connection.execute(statement)  # type: ignore[call-overload]


@contextmanager
def running() -> Iterator[Server]:
    """A server for as long as it is needed. Skips the test where no PostgreSQL is installed."""
    found = shutil.which("initdb") or next(map(str, Path("/usr/lib/postgresql").glob("*/bin/initdb")), None)
    if found is None:
        pytest.skip("no PostgreSQL is installed here")
    programs = Path(found).resolve().parent
    folder = Path(tempfile.mkdtemp(prefix="edgewise-pg-"))
    who: dict[str, Any] = {"user": "nobody"} if os.geteuid() == 0 else {}
    if who:
        shutil.chown(folder, "nobody")

    def run(program: str, *words: str) -> None:
        command = [str(programs / program), "-D", str(folder / "data"), *words]
        log = (folder / "log").open("ab")
        with log:
            subprocess.run(command, cwd=folder, stdout=log, stderr=log, check=True, timeout=60, **who)

    try:
        run("initdb", "--username=tests", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
        run("pg_ctl", "start", "-w", "-o", f"-k {folder} {SETTINGS}")
        try:
            yield _filled(Server(folder))
        finally:
            run("pg_ctl", "stop", "-m", "immediate")
    finally:
        shutil.rmtree(folder)


def _filled(server: Server) -> Server:
    server.does("create database filled")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)  # nbgrader calls `alembic`
        fill(server.url("filled"))
    return server
