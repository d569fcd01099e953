"""Where the grades are: a file below course.yml's folder, or a database named by its URL, without a password."""

from __future__ import annotations

import re

URL = re.compile(r"(?!sqlite)[a-z][a-z0-9]*(\+\w+)?://[^/?\s]*/[^/?\s]+(\?\S*)?")
PASSWORD = re.compile(r"://[^/?@]*:[^/?@]*@|[?&]passw(or)?d=")

POSSIBLE = "a path below course.yml's folder, or a URL such as postgresql://grader@db.example.org/grades"
LEAVE_OUT = (
    "'database' of 'layout' holds a password, and this file is handed on; leave it out, "
    "and put it where the database's driver looks, such as ~/.pgpass or PGPASSWORD"
)


def is_url(database: str) -> bool:
    """Whether it names a database, and not a file; a SQLite database is named by its path."""
    return "://" in database


def fits(url: str) -> bool:
    """Whether it has a URL's form. One with a password has; what is said of that one does not show it."""
    return has_password(url) or URL.fullmatch(url) is not None


def has_password(database: str) -> bool:
    """Whether whoever reads course.yml could read a password."""
    return PASSWORD.search(database) is not None
