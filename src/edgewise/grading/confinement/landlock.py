"""Landlock: a process gives up all access to files, ports and other processes save what it lists."""

from __future__ import annotations

import ctypes
import os

from edgewise.grading.confinement.kernel import call

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_TRUNCATE, _DEVICE_COMMANDS = 1 << 14, 1 << 15
_FILES = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1}
"""The rights over files that each version knows; from the fifth on, device commands too."""

LOOK = _READ_DIR
READ = _EXECUTE | _READ_FILE | _READ_DIR
READ_ONE_FILE = _EXECUTE | _READ_FILE
USE_DEVICE = _READ_FILE | _WRITE_FILE
_FOR_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _DEVICE_COMMANDS


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def version() -> int:
    """The version of Landlock that the kernel offers; 0 for none."""
    try:
        return call("landlock_create_ruleset", None, 0, 1)
    except OSError:
        return 0


def every_right(offered: int) -> int:
    """All rights over files of one version."""
    return _FILES.get(offered, (1 << 16) - 1)


def opened(path: str) -> int:
    """A descriptor that stands for `path` in a rule."""
    return os.open(path, os.O_PATH | os.O_CLOEXEC)


def restrict(offered: int, rules: list[tuple[int, int]]) -> None:
    """Keep only `rules`, pairs of an opened path and the rights below it. Needs no_new_privs. Raises OSError.

    The fourth version also denies binding and connecting TCP ports, the sixth signals to processes outside and
    abstract sockets of theirs.
    """
    files = every_right(offered)
    attributes = _Ruleset(files, 3 if offered >= 4 else 0, 3 if offered >= 6 else 0)
    size = 24 if offered >= 6 else 16 if offered >= 4 else 8
    ruleset = call("landlock_create_ruleset", ctypes.byref(attributes), size, 0)
    try:
        for path, rights in rules:
            rule = _Beneath(rights & files, path)
            call("landlock_add_rule", ruleset, 1, ctypes.byref(rule), 0)
        call("landlock_restrict_self", ruleset, 0)
    finally:
        os.close(ruleset)
