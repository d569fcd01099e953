"""Three kinds of workers: confined by all layers, by Landlock and seccomp alone, and not at all."""

import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from edgewise.grading.confinement import LAYERS, NAMESPACES, Policy
from edgewise.grading.workers.asking import Cell, WorkerError
from edgewise.grading.workers.pool import Workers

ROOT = Path(__file__).parents[2]
WITHOUT = {"all layers": frozenset(), "no namespaces": frozenset(NAMESPACES), "open": frozenset(LAYERS)}


@pytest.fixture(scope="session")
def kinds():
    made = {}

    def workers(kind):
        if kind not in made:
            made[kind] = Workers(Policy(without=WITHOUT[kind]))
        return made[kind]

    yield workers
    for each in made.values():
        each.close()


@pytest.fixture
def attempt(kinds):
    """What came of a cell in a fresh worker: its last value, or its error's name, or how the worker ended."""

    def run(kind, source, *, seconds=20.0):
        with kinds(kind).worker(seconds) as worker:
            try:
                outputs = worker.run([Cell("attack", source)], cell_seconds=seconds).outputs["attack"]
            except WorkerError as error:
                return str(error)
            worker.ended()
        last = outputs[-1]
        return last["ename"] if last["output_type"] == "error" else last["data"]["text/plain"].strip("'")

    return run


def family(workers):
    """How many processes the zygote and its workers are, with all that these started."""
    home = workers._home.name.encode()
    return sum(home in command for command in map(command_of, Path("/proc").glob("[0-9]*")))


def left_of(workers, seconds=10.0):
    """How many processes the zygote has beside itself, once those that are taking leave have gone."""
    until, pause = time.monotonic() + seconds, threading.Event()
    while (left := family(workers) - 1) and time.monotonic() < until:
        pause.wait(0.01)
    return left


def command_of(process):
    try:
        return (process / "cmdline").read_bytes()
    except OSError:
        return b""


@pytest.fixture
def victim():
    """A process of the same user that an attack may harm."""
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    yield process
    process.kill()
    process.wait()
    process.stdin.close()


@pytest.fixture
def listener():
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]
