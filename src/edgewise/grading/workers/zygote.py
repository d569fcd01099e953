"""The warm parent of the workers: holds no secret, forks one confined worker for each that is asked for.

Runs as `python -m edgewise.grading.workers.zygote`. Its standard input is a socket; a request is eight bytes, the
worker's seconds, with two descriptors: the worker's end of its conversation, and a pipe for how it ended. What
a worker runs comes over its own socket, and is never seen here. WARM in the place of seconds comes with one: a file
of the course's own cells, to be run here once.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import selectors
import signal
import socket
import struct
import sys
import time
from dataclasses import dataclass
from typing import Any, NoReturn

from edgewise.grading.confinement import Enclosure, Policy
from edgewise.grading.workers.channel import Channel
from edgewise.grading.workers.worker import Worker

REQUEST = struct.Struct("!d")
WARM = -1.0
GLANCE = 0.25
"""How many seconds may pass between two looks at the workers' folders."""

CHANNEL = 3
"""The one descriptor that a worker has besides the three standard ones, which lead nowhere."""


@dataclass(slots=True)
class Running:
    """A worker that has not ended."""

    number: int
    fate: int
    deadline: float
    end: str | None = None


class Zygote:
    """Makes workers and waits for their ends."""

    def __init__(self, control: socket.socket, enclosure: Enclosure, shell: Any) -> None:
        self._control = control
        self._enclosure = enclosure
        self._shell = shell
        self._made = 0
        self._running: dict[int, Running] = {}

    def serve(self) -> None:
        """Make workers until nobody asks for more; then end those that still run."""
        woken, wake = os.pipe()
        os.set_blocking(woken, False)
        os.set_blocking(wake, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        with selectors.DefaultSelector() as ready:
            ready.register(self._control, selectors.EVENT_READ)
            ready.register(woken, selectors.EVENT_READ)
            while True:
                found = {key.fileobj for key, _ in ready.select(self._patience())}
                if woken in found:
                    with contextlib.suppress(BlockingIOError):
                        os.read(woken, 4096)
                self._reap()
                self._end_unruly()
                if self._control in found and not self._take():
                    break
        for worker in self._running:
            self._enclosure.end(worker)

    def _patience(self) -> float | None:
        waiting = [running.deadline for running in self._running.values() if not running.end]
        return min(max(0.0, min(waiting) - time.monotonic()), GLANCE) if waiting else None

    def _take(self) -> bool:
        """Make the worker that is asked for; False when nobody will ask again."""
        data, descriptors, _, _ = socket.recv_fds(self._control, REQUEST.size, 2)
        if len(data) != REQUEST.size or len(descriptors) not in (1, 2):
            return False
        (seconds,) = REQUEST.unpack(data)
        if seconds == WARM:
            self._warm(descriptors[0])
            return True
        channel, fate = descriptors
        self._made += 1
        try:
            worker = self._enclosure.fork(self._made)
        except OSError:
            self._tell(fate, {"unmade": True})
            os.close(channel)
            return True
        if worker == 0:
            self._become(self._made, channel, seconds)
        os.close(channel)
        self._running[worker] = Running(self._made, fate, time.monotonic() + seconds)
        return True

    def _warm(self, cells: int) -> None:
        """Run the cells; what they leave is every worker's from now on."""
        with os.fdopen(cells, "rb") as file:
            self._shell.rehearse(json.loads(file.read()))
        gc.collect()
        gc.freeze()

    def _become(self, number: int, channel: int, seconds: float) -> NoReturn:
        """Be the worker: confine this process, forget the zygote's descriptors, answer until the end."""
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            began = time.perf_counter()
            layers = self._enclosure.confine(number, int(seconds) + 1)
            took = time.perf_counter() - began
            os.dup2(channel, CHANNEL, inheritable=False)
            os.closerange(CHANNEL + 1, 2**16)
            gc.enable()
            Worker(self._shell).serve(Channel(CHANNEL, CHANNEL), layers, took)
        finally:
            os._exit(0)

    def _reap(self) -> None:
        """Note every worker that ended, and say how."""
        while self._running:
            worker, status = os.waitpid(-1, os.WNOHANG)
            if worker == 0:
                return
            ended = self._running.pop(worker, None)
            if ended is None:  # a process that a worker left behind
                continue
            self._enclosure.end(worker)
            self._enclosure.tidy(worker, ended.number)
            self._tell(ended.fate, {"code": os.waitstatus_to_exitcode(status), "end": ended.end})

    def _end_unruly(self) -> None:
        """End the workers that ran for too long or filled their folder."""
        for worker, running in self._running.items():
            if running.end is None:
                if running.deadline <= time.monotonic():
                    running.end = "late"
                elif self._enclosure.is_overfull(running.number):
                    running.end = "overfull"
            if running.end is not None:
                self._enclosure.end(worker)

    def _tell(self, fate: int, message: dict[str, Any]) -> None:
        with contextlib.suppress(OSError):
            os.write(fate, json.dumps(message).encode())
        os.close(fate)


def main() -> None:
    """Warm up, move into the enclosure, serve."""
    told = json.loads(sys.argv[1])
    control = socket.socket(fileno=os.dup(0))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(nowhere, stream)
    from edgewise.grading.workers.shell import make_shell

    for name in told["preload"]:
        importlib.import_module(name)
    shell = make_shell()
    enclosure = Enclosure(Policy.told(told["policy"]), told["home"])
    os.dup2(nowhere, 2)
    gc.collect()
    gc.freeze()
    gc.disable()
    Zygote(control, enclosure, shell).serve()


if __name__ == "__main__":
    main()
