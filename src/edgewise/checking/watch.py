"""Checking a file again after each save, for those who work in an editor."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

from edgewise.checking.engine import CheckError

POLL_SECONDS = 0.25
"""How long a save may go unseen, and how long a file has to rest before it is read."""

PATIENCE = 8
"""Looks until a missing file is spoken of: an editor that saves takes it away for a moment."""

Stamp = tuple[int, int, int]


def saved(file: Path) -> Stamp | None:
    """What changes with every save: when, how large, which file; None while there is no file."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def watch(
    file: Path,
    check: Callable[[], str],
    say: Callable[[str], None],
    *,
    clear: Callable[[], None] | None = None,
    sleep: Callable[[float], None] = time.sleep,
    look: Callable[[Path], Stamp | None] = saved,
) -> None:
    """Say what `check` gives for `file`, now and again after each save, until Ctrl-C.

    `clear` empties the screen before each report; `look` tells one state of the file from the next. Raises
    CheckError when the first check can't be made; a later one says why and waits for the next save.
    """
    count = 0
    try:
        for _ in _saves(file, say, sleep, look):
            count += 1
            report = _report(check, is_first=count == 1)
            if clear:
                clear()
            say(f"── {file.name} · check {count} · Ctrl-C ends ──\n{report}")
    except KeyboardInterrupt:
        times = "once" if count == 1 else f"{count} times"
        say(f"\n{file.name} was checked {times}; it is no longer watched.")


def _report(check: Callable[[], str], *, is_first: bool) -> str:
    try:
        return check()
    except CheckError as error:
        if is_first:
            raise
        return str(error)


def _saves(
    file: Path, say: Callable[[str], None], sleep: Callable[[float], None], look: Callable[[Path], Stamp | None]
) -> Iterator[None]:
    """One item now, and one for each save, once the file has rested: an editor writes in several steps."""
    known, missed = look(file), 0  # taken before the check, so that a save while it runs is seen
    yield
    while True:
        sleep(POLL_SECONDS)
        seen = look(file)
        missed = missed + 1 if seen is None else 0
        if missed == PATIENCE:
            say(f"{file.name} is not there; it is checked again when it is back")
        if seen is None or seen == known:
            continue
        sleep(POLL_SECONDS)
        if look(file) == seen:
            known = seen
            yield
