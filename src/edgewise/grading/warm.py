"""What every worker finds done already: the library imported, and what the course's own cells compute remembered."""

from __future__ import annotations

from collections.abc import Iterable

from edgewise.grading.released import Released
from edgewise.grading.remembering import REMEMBERED

PRELOADED = (
    *("edgewise.machine", "edgewise.trail", "edgewise.answer", "edgewise.retrieval", "edgewise.storm"),
    *("edgewise.contention", "edgewise.chart", "edgewise.draw"),
)

FIRST = f"from edgewise.grading.remembering import remember\nremember(*{REMEMBERED!r})"

ROLES = ("free", "locked")


def warming(notebooks: Iterable[Released]) -> tuple[str, ...]:
    """Cells for the workers' parent: every cell of the course that holds neither an answer nor a check."""
    own = (slot.source for one in notebooks for slot in one.slots if slot.kind == "code" and slot.role in ROLES)
    return (FIRST, *own)
