"""A submission's folder: what lies in it, and the bytes of its regular files. No link is followed, nothing hangs."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

MAX_BYTES = 32 * 2**20
"""A notebook of more is not read; old outputs of 20 MB are."""

MAX_ENTRIES = 2_000
MAX_DEPTH = 4

SKIPPED = (".*", "__MACOSX", "__pycache__", "*.pyc", "*~")
"""What tools leave behind: as if it were not there."""

KINDS = {
    stat.S_IFREG: "file",
    stat.S_IFDIR: "folder",
    stat.S_IFLNK: "link",
    stat.S_IFIFO: "FIFO",
    stat.S_IFSOCK: "socket",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """Something in the folder: its path from there, and what it is."""

    path: str
    kind: str
    size: int

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Listing:
    """The entries in order of depth and name; `whole` is false where there are too many to be listed."""

    entries: tuple[Entry, ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class Unread:
    """Why a file gives no bytes, and what kind of problem that is."""

    kind: str
    words: str


def listing(folder: Path) -> Listing:
    """What lies in `folder`, down to a few levels. Raises OSError only where the folder itself cannot be listed."""
    found: list[Entry] = []
    level = [""]
    if folder.is_symlink():
        raise OSError(errno.ELOOP, "it is a link")
    next(folder.iterdir(), None)
    for _ in range(MAX_DEPTH):
        here = [entry for below in level for entry in _in(folder, below, MAX_ENTRIES + 1 - len(found))]
        found += sorted(here, key=lambda entry: entry.path)
        if len(found) > MAX_ENTRIES:
            return Listing(tuple(found[:MAX_ENTRIES]), whole=False)
        level = [entry.path for entry in here if entry.kind == "folder"]
    return Listing(tuple(found), whole=True)


def _in(folder: Path, below: str, most: int) -> Iterator[Entry]:
    """The first `most` entries right below."""
    try:
        with os.scandir(folder / below) as entries:
            for entry in entries:
                if any(fnmatch(entry.name, pattern) for pattern in SKIPPED):
                    continue
                if most <= 0:
                    return
                most -= 1
                seen = entry.stat(follow_symlinks=False)
                kind = KINDS.get(stat.S_IFMT(seen.st_mode), "device")
                yield Entry(f"{below}/{entry.name}" if below else entry.name, kind, seen.st_size)
    except OSError:
        return  # a folder that cannot be listed holds nothing for us


def content(folder: Path, path: str, most: int = MAX_BYTES) -> bytes | Unread:
    """The bytes of a regular file, or why there are none."""
    flags = os.O_RDONLY
    for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"):
        flags |= getattr(os, name, 0)
    try:
        kind = KINDS.get(stat.S_IFMT((folder / path).lstat().st_mode), "device")
        if kind != "file":
            return Unread("not a file", f"is a {kind}, not a file")
        descriptor = os.open(folder / path, flags)
        with os.fdopen(descriptor, "rb") as file:
            seen = os.fstat(descriptor)
            if not stat.S_ISREG(seen.st_mode):
                return Unread("not a file", "is no regular file")
            data = file.read(min(seen.st_size, most) + 1)  # a buffer is made for as much as is asked for
    except OSError as error:
        return Unread("unreadable", f"cannot be opened ({error.strerror or type(error).__name__})")
    except ValueError:  # a NUL in the path
        return Unread("unreadable", "cannot be opened")
    if len(data) > most:
        return Unread("too large", f"is larger than {most // 2**20} MB" if most >= 2**20 else "is too large")
    return data
