"""Loops and graphs: workflows written as graphs that refuse what they do not declare.

What a notebook imports from here, and where it is written:

    STATES, TRANSITIONS, STORM, MAX_VISITS, start, step, Machine, replay    machine.py
    Trail                                                                   trail.py
    check, walk, hint                                                       checking/notebook.py
    progress                                                                checking/progress.py

and from the modules themselves: `table` (what is wrong with a table), `answer`, `retrieval`, `storm`,
`contention`, `draw` and `chart`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from edgewise.machine import MAX_VISITS, STATES, STORM, TRANSITIONS, Machine, replay, start, step
from edgewise.trail import Trail

if TYPE_CHECKING:
    from edgewise.checking.notebook import check, hint, walk
    from edgewise.checking.progress import progress

__all__ = [
    "MAX_VISITS",
    "STATES",
    "STORM",
    "TRANSITIONS",
    "Machine",
    "Trail",
    "check",
    "hint",
    "progress",
    "replay",
    "start",
    "step",
    "walk",
]

_LATER = {
    **dict.fromkeys(("check", "hint", "walk"), "edgewise.checking.notebook"),
    "progress": "edgewise.checking.progress",
}
"""Names whose modules are imported at their first use, so that `import edgewise` stays fast."""


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"edgewise has no {name!r}; it has: {', '.join(__all__)}")
    return getattr(import_module(_LATER[name]), name)
