"""The filter over system calls: its program, read as the kernel reads it, and its numbers."""

import re
import struct
from pathlib import Path

import pytest

from edgewise.grading.confinement import seccomp

WORDS = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
COLUMN = {"x86_64": 0, "aarch64": 1}
HEADERS = {"x86_64": "/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "aarch64": "/usr/include/asm-generic/unistd.h"}
ALLOWED, REFUSED, UNKNOWN, KILLED = 0x7FFF0000, 0x00050001, 0x00050026, 0x80000000
READ = {"x86_64": 0, "aarch64": 63}
SINGLE = {
    **seccomp._SIGNALS,
    "tgkill": seccomp._TGKILL,
    "clone": seccomp._CLONE,
    "clone3": seccomp._CLONE3,
    "prctl": seccomp._PRCTL,
    "ioctl": seccomp._IOCTL,
    "prlimit64": seccomp._PRLIMIT,
}


def verdict(arch, number, *arguments, word=None, **settings):
    """What a filter says to a call: classic BPF, as far as the filter uses it."""
    program = seccomp.program(arch, **settings)
    code = [struct.unpack_from("=HBBI", program, at) for at in range(0, len(program), 8)]
    data = struct.pack("=IIQ6Q", number, word or WORDS[arch], 0, *(*arguments, 0, 0, 0, 0, 0, 0)[:6])
    at, held = 0, 0
    while True:
        kind, yes, no, value = code[at]
        if kind == 0x06:
            return value
        if kind == 0x20:
            held = struct.unpack_from("=I", data, value)[0]
        else:
            holds = {0x15: held == value, 0x35: held >= value, 0x45: bool(held & value)}[kind]
            at += yes if holds else no
        at += 1


@pytest.mark.parametrize("arch", WORDS)
@pytest.mark.parametrize("name", [name for name, numbers in seccomp._NUMBERS.items() if min(numbers) >= 0])
def test_every_listed_call_is_refused(name, arch):
    assert verdict(arch, seccomp._NUMBERS[name][COLUMN[arch]]) == REFUSED


@pytest.mark.parametrize("arch", WORDS)
def test_other_calls_are_allowed(arch):
    assert verdict(arch, READ[arch]) == ALLOWED


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("clone", (0x1200011,), ALLOWED),
        ("clone", (0x10000000,), REFUSED),
        ("clone", (0x20000,), REFUSED),
        ("clone3", (), UNKNOWN),
        ("prctl", (15,), ALLOWED),
        ("prctl", (1,), REFUSED),
        ("ioctl", (0, 0x5401), ALLOWED),
        ("ioctl", (0, 0x5412), REFUSED),
        ("prlimit64", (0,), ALLOWED),
        ("prlimit64", (7,), REFUSED),
        ("kill", (7,), ALLOWED),
        ("tgkill", (7,), ALLOWED),
    ],
)
@pytest.mark.parametrize("arch", WORDS)
def test_some_calls_are_refused_by_what_they_ask(arch, name, arguments, expected):
    assert verdict(arch, SINGLE[name][COLUMN[arch]], *arguments) == expected


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [("kill", (7,), REFUSED), ("tgkill", (7,), ALLOWED), ("tgkill", (8,), REFUSED), ("tkill", (7,), REFUSED)],
)
@pytest.mark.parametrize("arch", WORDS)
def test_without_process_namespaces_a_worker_signals_itself_alone(arch, name, arguments, expected):
    assert verdict(arch, SINGLE[name][COLUMN[arch]], *arguments, signals_to=7) == expected


@pytest.mark.parametrize("arch", WORDS)
@pytest.mark.parametrize(("by_path", "expected"), [(True, ALLOWED), (False, REFUSED)])
def test_without_mounts_no_file_is_changed_by_its_name(by_path, expected, arch):
    assert verdict(arch, seccomp._BY_PATH["fchmodat"][COLUMN[arch]], by_path=by_path) == expected


def test_calls_of_another_architecture_end_the_process():
    assert (verdict("x86_64", 0, word=0x40000003), verdict("x86_64", 0x40000000)) == (KILLED, KILLED)


@pytest.mark.parametrize("arch", WORDS)
def test_the_numbers_are_those_of_the_kernel_s_headers(arch):
    header = Path(HEADERS[arch])
    if not header.exists():
        pytest.skip("the kernel's headers are not installed")
    listed = dict(re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", header.read_text()))
    listed_by_us = {**seccomp._NUMBERS, **seccomp._BY_PATH, **SINGLE}
    ours = {name: numbers[COLUMN[arch]] for name, numbers in listed_by_us.items()}

    assert {
        name: number for name, number in ours.items() if number >= 0 and listed.get(name, str(number)) != str(number)
    } == {}
