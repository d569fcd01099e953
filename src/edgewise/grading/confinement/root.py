"""A root folder that holds what Python needs to run, read-only, and nothing else of the machine."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path

import edgewise
from edgewise.grading.confinement import kernel

WORK = "/room"
"""Where a worker's private folder lies in the new root."""

DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_SYSTEM = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/alternatives",
    "/etc/localtime",
)
_READ_ONLY, _NO_SETUID, _RECURSIVE, _HERE = 1, 2, 0x8000, -100


def readable() -> tuple[str, ...]:
    """The paths that Python, the package and the system's programs are read from; none is inside another."""
    package = Path(edgewise.__file__).parent
    packages = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    installed = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    candidates = [*_SYSTEM, sys.base_prefix, sys.prefix, *packages, *installed, str(package)]
    found: list[str] = []
    for path in sorted(dict.fromkeys(map(os.path.abspath, candidates)), key=len):
        is_covered = any(path == other or path.startswith(f"{other}/") for other in found)
        if Path(path).exists() and not is_covered:
            found.append(path)
    return tuple(found)


def hidden(more: Iterable[str] = ()) -> tuple[str, ...]:
    """What stays unreadable although it lies below a readable path: the packaged course, and `more`."""
    packaged = Path(edgewise.__file__).parent / "_course"
    return tuple(str(path) for path in (packaged, *map(Path.absolute, map(Path, more))) if path.exists())


def enter(at: str, hide: Iterable[str], megabytes: int) -> None:
    """Make the folder `at` the root of this process. Needs a mount namespace of its own. Raises OSError."""
    kernel.mount("none", "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    kernel.mount("tmpfs", at, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "size=1m,mode=755")
    for path in readable():
        _show(path, at, _READ_ONLY | _NO_SETUID)
    for path in DEVICES:
        _show(path, at, _NO_SETUID)
    for path in hide:
        if Path(at + path).exists():
            _cover(at + path)
    Path(at + WORK).mkdir()
    kernel.mount("tmpfs", at + WORK, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, f"size={megabytes}m,mode=1777")
    if not Path(at, "tmp").exists():  # it does where Python itself lies there
        Path(at, "tmp").symlink_to(WORK)
    os.chdir(at)
    kernel.call("pivot_root", b".", b".")
    kernel.unmount(".", kernel.MNT_DETACH)
    os.chdir("/")
    _set("/", _READ_ONLY, recursive=False)


def _show(path: str, at: str, attributes: int) -> None:
    """Make `path` visible below `at`: a link as a link, the rest bound."""
    source, target = Path(path), Path(at + path)
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_symlink():
        target.symlink_to(source.readlink())
    elif source.exists():
        target.mkdir(exist_ok=True) if source.is_dir() else target.touch()
        kernel.mount(path, str(target), None, kernel.MS_BIND | kernel.MS_REC)
        _set(str(target), attributes, recursive=True)


def _cover(path: str) -> None:
    """Put nothing where something was."""
    if Path(path).is_dir():
        kernel.mount("tmpfs", path, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "size=4k,mode=755")
    else:
        kernel.mount("/dev/null", path, None, kernel.MS_BIND)


def _set(path: str, attributes: int, *, recursive: bool) -> None:
    values = (ctypes.c_uint64 * 4)(attributes, 0, 0, 0)
    kernel.call("mount_setattr", _HERE, path.encode(), _RECURSIVE if recursive else 0, ctypes.byref(values), 32)


def rules(paths: Iterable[str], hide: Iterable[str]) -> list[tuple[str, bool]]:
    """What to allow for `paths` without `hide`: a path, and whether it is only looked at, not read below.

    Where something hidden lies inside, a folder is replaced by what stands in it, so that imports still find it.
    """
    found: list[tuple[str, bool]] = []
    for path in paths:
        inside = [other for other in hide if other == path or other.startswith(f"{path.rstrip('/')}/")]
        if path in inside:
            continue
        found.append((path, bool(inside)))
        if inside:
            with contextlib.suppress(OSError):
                found += rules([entry.path for entry in os.scandir(path)], inside)
    return found
