"""Loops and graphs: workflows written as graphs that refuse what they do not declare.

What a student imports, and where it is written:

    STATES, TRANSITIONS, STORM, MAX_VISITS, start, step, Machine, replay    edgewise.machine
    Trail                                                                   edgewise.trail
    Answer                                                                  edgewise.answer
    gather, Source                                                          edgewise.retrieval
    simulate                                                                edgewise.storm
    draw                                                                    edgewise.draw
    check                                                                   edgewise.checking
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from edgewise.machine import MAX_VISITS, STATES, STORM, TRANSITIONS, Machine, replay, start, step
from edgewise.trail import Trail

if TYPE_CHECKING:
    from edgewise.checking.notebook import check

__all__ = ["MAX_VISITS", "STATES", "STORM", "TRANSITIONS", "Machine", "Trail", "check", "replay", "start", "step"]

_LATER = {"check": "edgewise.checking.notebook"}
"""Names whose modules are imported at their first use, so that `import edgewise` stays fast."""


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"edgewise has no {name!r}; it has: {', '.join(__all__)}")
    return getattr(import_module(_LATER[name]), name)
