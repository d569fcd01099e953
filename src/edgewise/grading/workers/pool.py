"""Starting workers: from the zygote where there is a fork, else one process after another."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from edgewise.grading.confinement import Policy
from edgewise.grading.confinement.policy import ENVIRONMENT
from edgewise.grading.workers.asking import Worker
from edgewise.grading.workers.channel import Channel
from edgewise.grading.workers.zygote import REQUEST, WARM

PREFIX = "edgewise-"


class ZygoteError(Exception):
    """Workers that can't be made: our fault or the machine's."""


class Workers:
    """Makes confined workers for as long as it is open. Safe to use from several threads.

    `preload` names modules that every worker finds imported. They hold nothing that a student may not see.
    """

    def __init__(
        self,
        policy: Policy | None = None,
        *,
        preload: Iterable[str] = (),
        forks: bool = hasattr(os, "fork"),
    ) -> None:
        chosen = policy or Policy()
        if hasattr(os, "getuid"):
            _sweep(Path(tempfile.gettempdir()))
        self._home = tempfile.TemporaryDirectory(prefix=f"{PREFIX}{os.getpid()}-")
        self._told: dict[str, Any] = {
            "policy": asdict(chosen) | {"without": sorted(chosen.without)},
            "home": self._home.name,
            "preload": list(preload),
        }
        self._made = 0
        self._is_used = False
        self._zygote = self._control = None
        if forks:
            self._control, theirs = socket.socketpair()
            with theirs:
                self._zygote = self._start("edgewise.grading.workers.zygote", theirs.fileno(), subprocess.DEVNULL)

    def _start(self, module: str, reads: int, writes: int) -> subprocess.Popen[bytes]:
        with self._complaints.open("wb") as complaints:
            return subprocess.Popen(  # noqa: S603  # this Python, and a module of ours
                [sys.executable, "-P", "-m", module, json.dumps(self._told)],
                stdin=reads,
                stdout=writes,
                stderr=complaints,
                cwd=self._home.name,
                env={**ENVIRONMENT, "IPYTHONDIR": f"{self._home.name}/ipython", "PYTHONWARNINGS": "ignore"},
            )

    @property
    def _complaints(self) -> Path:
        return Path(self._home.name, "complaints")

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def warm(self, cells: Iterable[str]) -> None:
        """Run cells once in the workers' parent, where there is one: they leave no name, but what they import or cache.

        They hold nothing that a student may not see. Raises ZygoteError.
        """
        if self._control is None:
            return
        with tempfile.TemporaryFile() as written:
            written.write(json.dumps([*cells]).encode())
            written.seek(0)
            try:
                socket.send_fds(self._control, [REQUEST.pack(WARM)], [written.fileno()])
            except OSError:
                raise ZygoteError(self._complaint()) from None

    def close(self) -> None:
        """End the zygote and every worker that still runs."""
        if self._zygote and self._control:
            self._control.close()
            if not self._is_used:
                self._zygote.kill()  # it may be on its way up still, and nobody needs it
            try:
                self._zygote.wait(10)
            except subprocess.TimeoutExpired:
                self._zygote.kill()
                self._zygote.wait()
        self._home.cleanup()

    def worker(self, seconds: float) -> Worker:
        """A fresh worker, to be ended after `seconds` whatever it does. Raises ZygoteError."""
        self._is_used = True
        worker = self._forked(self._control, seconds) if self._control else self._spawned(seconds)
        if worker.layers is None:
            worker.close()
            raise ZygoteError(self._complaint())
        return worker

    def _forked(self, control: socket.socket, seconds: float) -> Worker:
        channel, its_channel = socket.socketpair()
        fate, its_fate = os.pipe()

        def ended() -> dict[str, Any]:
            channel.close()
            return json.loads(os.read(fate, 4096) or b"{}")  # type: ignore[no-any-return]

        def leave() -> None:
            channel.close()
            os.close(fate)

        try:
            with its_channel:
                socket.send_fds(control, [REQUEST.pack(seconds)], [its_channel.fileno(), its_fate])
        except OSError:
            leave()
            raise ZygoteError(self._complaint()) from None
        finally:
            os.close(its_fate)
        return Worker(Channel(channel.fileno(), channel.fileno()), seconds, ended, leave)

    def _spawned(self, seconds: float) -> Worker:
        """A worker that is a process of its own from the start: slower, for platforms without a fork."""
        self._made += 1
        self._told |= {"number": self._made, "seconds": int(seconds) + 1}
        process = self._start("edgewise.grading.workers.worker", subprocess.PIPE, subprocess.PIPE)
        pipes = [pipe for pipe in (process.stdout, process.stdin) if pipe is not None]
        timer = threading.Timer(seconds, process.kill)
        timer.daemon = True
        timer.start()

        def leave() -> None:
            timer.cancel()
            for pipe in pipes:
                pipe.close()
            process.kill()
            process.wait()

        return Worker(
            Channel(*(pipe.fileno() for pipe in pipes)),
            seconds,
            lambda: {"code": process.wait(), "end": "late" if timer.finished.is_set() else None},
            leave,
        )

    def _complaint(self) -> str:
        lines = self._complaints.read_text(errors="replace").strip().splitlines()
        return f"no worker could be made: {lines[-1] if lines else 'the machine refuses a new process'}"


def _sweep(folder: Path) -> None:
    """Remove the homes that runs left behind which were killed: ours, of processes that are no more."""
    for home in folder.glob(f"{PREFIX}[0-9]*-*"):
        number = home.name.removeprefix(PREFIX).partition("-")[0]
        try:
            is_ours = home.lstat().st_uid == os.getuid() and home.is_dir() and not home.is_symlink()
            if is_ours and number.isdigit():
                os.kill(int(number), 0)
        except ProcessLookupError:
            shutil.rmtree(home, ignore_errors=True)
        except OSError:
            continue
