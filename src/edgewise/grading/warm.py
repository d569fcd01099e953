"""What every worker finds done already: the library imported, and what the course's own cells compute remembered."""

from __future__ import annotations

from collections.abc import Iterable

from edgewise.grading.released import Released

PRELOADED = (
    *("edgewise.machine", "edgewise.trail", "edgewise.answer", "edgewise.retrieval", "edgewise.storm"),
    *("edgewise.contention", "edgewise.chart", "edgewise.draw"),
)

REMEMBERED = ("edgewise.storm.simulate", "edgewise.contention.calls")
"""Functions of the library whose answer depends on their arguments alone, and cannot be changed."""

_REMEMBER = """
def remember(*names):
    import functools, importlib
    for name in names:
        module, _, function = name.rpartition(".")
        home = importlib.import_module(module)
        asked = getattr(home, function)
        kept = functools.lru_cache(maxsize=1_000)(asked)

        @functools.wraps(asked)
        def remembered(*arguments, asked=asked, kept=kept, **keywords):
            try:
                return kept(*arguments, **keywords)
            except TypeError:  # an argument that has no hash, or one too many: the function says which
                return asked(*arguments, **keywords)

        setattr(home, function, remembered)
"""


def warming(notebooks: Iterable[Released]) -> tuple[str, ...]:
    """Cells for the workers' parent: every cell of the course that holds neither an answer nor a check."""
    first = f"{_REMEMBER}\nremember(*{REMEMBERED!r})"
    own = (slot.source for one in notebooks for slot in one.slots if slot.kind == "code" and slot.role in ROLES)
    return (first, *own)


ROLES = ("free", "locked")
