"""What every worker finds done already: the library imported, and what the course's own cells compute remembered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from edgewise.grading.reading.released import Released
from edgewise.grading.workers.pool import Workers
from edgewise.grading.workers.remembering import REMEMBERED

PRELOADED = (
    *("edgewise.machine", "edgewise.trail", "edgewise.answer", "edgewise.retrieval", "edgewise.storm"),
    *("edgewise.contention", "edgewise.chart", "edgewise.draw"),
)

FIRST = f"from edgewise.grading.workers.remembering import remember\nremember(*{REMEMBERED!r})"

ROLES = ("free", "locked")


@contextmanager
def early() -> Iterator[Workers | None]:
    """Workers whose parent gets ready while the course is read; None where it can't be made, and the judge says why."""
    try:
        workers = Workers(preload=PRELOADED)
    except OSError:
        yield None
        return
    with workers:
        yield workers


def warming(notebooks: Iterable[Released]) -> tuple[str, ...]:
    """Cells for the workers' parent: every cell of the course that holds neither an answer nor a check."""
    own = (slot.source for one in notebooks for slot in one.slots if slot.kind == "code" and slot.role in ROLES)
    return (FIRST, *own)
