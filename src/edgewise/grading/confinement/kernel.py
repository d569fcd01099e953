"""Linux system calls that Python does not offer, by number, for x86-64 and aarch64."""

from __future__ import annotations

import ctypes
import os
import platform

ARCH = platform.machine()

CLONE_NEWNS = 0x0002_0000
CLONE_NEWUTS = 0x0400_0000
CLONE_NEWIPC = 0x0800_0000
CLONE_NEWUSER = 0x1000_0000
CLONE_NEWPID = 0x2000_0000
CLONE_NEWNET = 0x4000_0000

MS_NOSUID, MS_NODEV, MS_NOEXEC = 2, 4, 8
MS_BIND, MS_REC, MS_PRIVATE = 0x1000, 0x4000, 0x40000
MNT_DETACH = 2

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
PR_SET_CHILD_SUBREAPER = 36
PR_CAPBSET_DROP = 24
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 47, 4

_NUMBERS = {
    "x86_64": {"clone": 56, "pivot_root": 155, "capset": 126},
    "aarch64": {"clone": 220, "pivot_root": 41, "capset": 91},
}
_NEWER = {"mount_setattr": 442, "landlock_create_ruleset": 444, "landlock_add_rule": 445, "landlock_restrict_self": 446}
"""Calls since 2019 have one number everywhere."""

_libc = ctypes.CDLL(None, use_errno=True)
_libc_holding_the_gil = ctypes.PyDLL(None)


def call(name: str, *arguments: object) -> int:
    """The result of a system call. Raises OSError."""
    number = _NEWER.get(name) or _NUMBERS.get(ARCH, {}).get(name)
    if number is None:
        raise OSError(f"{name} is not known on {ARCH}")
    return checked(name, _libc.syscall(ctypes.c_long(number), *map(_widened, arguments)))


def _widened(argument: object) -> object:
    return ctypes.c_long(argument) if isinstance(argument, int) else argument


def checked(name: str, result: int) -> int:
    """`result`, where it is no failure. Raises OSError with the C library's error number."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return result


def prctl(option: int, *arguments: object) -> int:
    """The C library's `prctl`. Raises OSError."""
    wide = [*map(_widened, arguments), *([ctypes.c_long(0)] * (4 - len(arguments)))]
    return checked("prctl", _libc.prctl(option, *wide))


def unshare(flags: int) -> None:
    """Leave the namespaces in `flags` for new ones. Raises OSError."""
    checked("unshare", _libc.unshare(flags))


def mount(source: str, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    """The C library's `mount`. Raises OSError."""
    texts = [text.encode() if text is not None else None for text in (source, target, kind)]
    checked("mount", _libc.mount(*texts, ctypes.c_ulong(flags), data.encode() if data is not None else None))


def unmount(target: str, flags: int) -> None:
    """The C library's `umount2`. Raises OSError."""
    checked("umount2", _libc.umount2(target.encode(), flags))


def fork(flags: int) -> int:
    """`os.fork` into new namespaces: the child is the first process of its own, without a second fork.

    Raises OSError. The C library has no call for it, so Python's own preparations are made here.
    """
    number = _NUMBERS.get(ARCH, {}).get("clone")
    if not flags or number is None:
        return os.fork()
    python = _libc_holding_the_gil
    python.PyOS_BeforeFork()
    child: int = python.syscall(
        ctypes.c_long(number), ctypes.c_long(flags | 17), *[ctypes.c_long(0)] * 4
    )  # 17: SIGCHLD
    if child == 0:
        python.PyOS_AfterFork_Child()
        return 0
    python.PyOS_AfterFork_Parent()
    if child < 0:
        raise PermissionError("the machine refuses new namespaces")
    return child


def drop_capabilities() -> None:
    """Give up every capability, for good. Raises OSError."""
    for capability in range(64):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:  # past the last one, or not allowed to; then there is nothing to drop
            break
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    header = (ctypes.c_uint32 * 2)(0x2008_0522, 0)  # the third version of the interface, this process
    call("capset", ctypes.byref(header), ctypes.byref((ctypes.c_uint32 * 6)()))
