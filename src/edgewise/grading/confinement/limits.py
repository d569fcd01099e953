"""Resource limits, where the platform has them: each process on its own."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

MEBI = 2**20


def limit(*, seconds: int, memory: int, file: int, files: int, processes: int | None) -> bool:
    """Whether limits hold from here on: processor seconds, bytes of memory and of a file, counts of the rest."""
    try:
        import resource
    except ImportError:  # Windows
        return False
    limits = [
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, file),
        (resource.RLIMIT_NOFILE, files),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_STACK, 64 * MEBI),
    ]
    if processes is not None:
        limits.append((resource.RLIMIT_NPROC, processes))
    for kind, wanted in limits:
        _, most = resource.getrlimit(kind)
        bound = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        with contextlib.suppress(*([ValueError] if sys.platform == "darwin" else [])):
            resource.setrlimit(kind, (min(bound, 8 * MEBI) if kind == resource.RLIMIT_STACK else bound, bound))
    return True


def tasks_of(user: int) -> int:
    """How many tasks of a user run now: without a user namespace the limit counts all of them."""
    count = 0
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if process.stat().st_uid == user:
                count += sum(1 for _ in (process / "task").iterdir())
    return count


def holds_more(folder: Path, bytes_: int) -> bool:
    """Whether the files below a folder are larger than so many bytes, together."""
    left = bytes_
    for path, _, files in os.walk(folder):
        for name in files:
            with contextlib.suppress(OSError):
                left -= Path(path, name).lstat().st_size
            if left < 0:
                return True
    return False
