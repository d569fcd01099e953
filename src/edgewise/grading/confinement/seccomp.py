"""seccomp: a filter over system calls, written as BPF for x86-64 and aarch64."""

from __future__ import annotations

import ctypes
import struct
from functools import cache

from edgewise.grading.confinement.kernel import ARCH, PR_SET_SECCOMP, prctl

_ARCH_WORD = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}

_NUMBERS: dict[str, tuple[int, int]] = {
    # sockets: a worker has one, and needs no other
    "socket": (41, 198),
    "connect": (42, 203),
    "bind": (49, 200),
    "listen": (50, 201),
    "accept": (43, 202),
    "accept4": (288, 242),
    # other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "kcmp": (312, 272),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    "setsid": (112, 157),
    "setpgid": (109, 154),
    "setpriority": (141, 140),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "sched_setattr": (314, 274),
    "sched_setaffinity": (203, 122),
    "ioprio_set": (251, 30),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    # what outlives a process or is shared between them
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "semget": (64, 190),
    "semop": (65, 193),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # the machine
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "open_tree_attr": (467, 467),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "unshare": (272, 97),
    "setns": (308, 268),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "syslog": (103, 116),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "iopl": (172, -1),
    "ioperm": (173, -1),
    "personality": (135, 92),
    "open_by_handle_at": (304, 265),
    "name_to_handle_at": (303, 264),
    "fanotify_init": (300, 262),
    # wide and seldom needed ways into the kernel
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "lookup_dcookie": (212, 18),
    "vhangup": (153, 58),
    "seccomp": (317, 277),
}
_BY_PATH = {
    "chmod": (90, -1),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, -1),
    "lchown": (94, -1),
    "fchownat": (260, 54),
    "utime": (132, -1),
    "utimes": (235, -1),
    "futimesat": (261, -1),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "setxattrat": (463, 463),
    "removexattrat": (466, 466),
    "file_setattr": (469, 469),
    "truncate": (76, 45),
    "inotify_add_watch": (254, 27),
}
"""What may be done to a file by its name alone, and Landlock leaves alone, or did in its first versions."""

_SIGNALS = {"kill": (62, 129), "tkill": (200, 130), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240)}
_TGKILL = (234, 131)
_CLONE, _CLONE3, _PRCTL, _IOCTL, _PRLIMIT = (56, 220), (435, 435), (157, 167), (16, 29), (302, 261)

_NAMESPACES = 0x7E02_0000
_PUSH_INPUT, _PDEATHSIG = 0x5412, 1  # TIOCSTI types into a terminal, PR_SET_PDEATHSIG asks to outlive the parent
_ALLOW, _EPERM, _ENOSYS, _KILL = 0x7FFF_0000, 0x0005_0001, 0x0005_0026, 0x8000_0000
_LOAD, _EQUAL, _ABOVE, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST, _SECOND = 0, 4, 16, 24

Instruction = tuple[int, int, int, int]


def is_known() -> bool:
    """Whether there is a table for this machine's processor."""
    return ARCH in _ARCH_WORD


@cache
def program(arch: str, *, signals_to: int | None = None, by_path: bool = True) -> bytes:
    """The filter for one architecture: what it names is refused with EPERM, what is left is allowed.

    With `signals_to`, a process may signal that process alone, itself: for a machine without process namespaces.
    Without `by_path`, no file's mode, owner, times or attributes are changed by its name: for one without mounts.
    """
    column = 0 if arch == "x86_64" else 1
    more = ({} if signals_to is None else _SIGNALS) | ({} if by_path else _BY_PATH)
    refused = [numbers[column] for numbers in (_NUMBERS | more).values() if numbers[column] >= 0]
    code: list[Instruction] = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, _ARCH_WORD[arch]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if arch == "x86_64":
        code += [(_ABOVE, 0, 1, 0x4000_0000), (_RETURN, 0, 0, _KILL)]  # the x32 calls have numbers of their own
    for number in sorted(refused):
        code += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _EPERM)]
    code += [(_EQUAL, 0, 1, _CLONE3[column]), (_RETURN, 0, 0, _ENOSYS)]  # its flags lie in memory: have clone used
    code += _where(_CLONE[column], _FIRST, (_ANY_BIT, 0, 1, _NAMESPACES))
    code += _where(_PRCTL[column], _FIRST, (_EQUAL, 0, 1, _PDEATHSIG))
    code += _where(_IOCTL[column], _SECOND, (_EQUAL, 0, 1, _PUSH_INPUT))
    code += _where(_PRLIMIT[column], _FIRST, (_EQUAL, 1, 0, 0))  # limits of its own alone
    if signals_to is not None:
        code += _where(_TGKILL[column], _FIRST, (_EQUAL, 1, 0, signals_to))
    code.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in code)


def _where(number: int, argument: int, test: Instruction) -> list[Instruction]:
    """Refuse one call where `test` says so about the low word of an argument."""
    return [
        (_EQUAL, 0, 4, number),
        (_LOAD, 0, 0, argument),
        test,
        (_RETURN, 0, 0, _EPERM),
        (_LOAD, 0, 0, _NUMBER),
    ]


def restrict(code: bytes) -> None:
    """Filter this process and all it will start by `code`. Needs no_new_privs. Raises OSError."""
    held = ctypes.create_string_buffer(code, len(code))
    filters = struct.pack("@HP", len(code) // 8, ctypes.addressof(held))
    prctl(PR_SET_SECCOMP, 2, ctypes.create_string_buffer(filters, len(filters)))
