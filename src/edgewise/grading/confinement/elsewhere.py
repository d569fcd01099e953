"""Confinement where there is no Linux: a process with limits and a folder of its own, as far as the platform goes.

Not run by our tests, which know Linux alone.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
from pathlib import Path

from edgewise.grading.confinement.limits import MEBI, holds_more, limit
from edgewise.grading.confinement.policy import ENVIRONMENT, Layer, Policy, layers


class Enclosure:
    """What the zygote prepared, and each worker goes through; as on Linux, with less in it."""

    def __init__(self, policy: Policy, home: str) -> None:
        self.policy = policy
        self._rooms = Path(home, "rooms")
        self._rooms.mkdir(mode=0o711, exist_ok=True)

    def fork(self, number: int) -> int:
        """0 in the worker that this makes, its process id in the zygote."""
        self.room(number)
        return os.fork()

    def room(self, number: int) -> Path:
        """The empty folder of one worker."""
        room = self._rooms / str(number)
        room.mkdir(mode=0o700)
        return room

    def is_overfull(self, number: int) -> bool:
        """Whether a worker's folder holds too much."""
        return holds_more(self._rooms / str(number), self.policy.folder_megabytes * MEBI)

    def end(self, worker: int) -> None:
        """End a worker and its process group."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(worker, signal.SIGKILL)

    def tidy(self, _worker: int, number: int) -> None:
        """Remove what a worker left behind."""
        shutil.rmtree(self._rooms / str(number), ignore_errors=True)

    def confine(self, number: int, seconds: int) -> tuple[Layer, ...]:
        """Take away from this process, a worker, what can be taken away here."""
        if hasattr(os, "setsid"):
            os.setsid()
        folder = str(self._rooms / str(number))
        os.chdir(folder)
        policy = self.policy
        limited = limit(
            seconds=seconds,
            memory=policy.memory_megabytes * MEBI,
            file=policy.file_megabytes * MEBI,
            files=policy.files,
            processes=None,
        )
        kept = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}  # Windows needs it
        os.environ.clear()
        os.environ.update(ENVIRONMENT, TMPDIR=folder, **kept)
        return layers({"limits": limited, "folder": True, "environment": True})
