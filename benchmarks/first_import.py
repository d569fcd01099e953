"""What `import edgewise` costs beyond the interpreter, in the processor time of fresh interpreters."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from statistics import median

from benchmarks.figure import Figure


def figures() -> Iterable[Figure]:
    """One figure."""
    times: dict[str, list[float]] = {"pass": [], "import edgewise": []}
    for _ in range(25):
        for program, taken in times.items():
            taken.append(_milliseconds(program))
    bare, whole = map(median, times.values())
    yield Figure(
        "import",
        "import edgewise, beyond the interpreter",
        whole - bare,
        100,
        "ms",
        detail=f"{whole:.0f} ms in all, {bare:.0f} ms for the interpreter",
    )


def _milliseconds(program: str) -> float:
    before = os.times()
    subprocess.run([sys.executable, "-c", program], check=True)
    after = os.times()
    return 1000 * (after.children_user - before.children_user + after.children_system - before.children_system)
