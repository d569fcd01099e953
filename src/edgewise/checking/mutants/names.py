"""Faults of the event's name: a name that is taken for a declared one."""

from __future__ import annotations

from collections.abc import Callable

from edgewise.checking.mutants.turn import Fault, Faults, Snapshot, Turn, moved


def readings() -> Faults:
    """Every way to read too much, or too little, into a name."""
    readings: dict[str, Callable[[str, str], bool]] = {
        "case": lambda name, known: name.lower() == known,
        "blanks before": lambda name, known: name.lstrip() == known,
        "blanks after": lambda name, known: name.rstrip() == known,
        "a prefix": lambda name, known: bool(name) and known.startswith(name),
        "a longer name": lambda name, known: name.startswith(known),
        "a name within": lambda name, known: known in name,
        "a name around": lambda name, known: bool(name) and name in known,
        "blanks for underscores": lambda name, known: name.replace(" ", "_") == known,
        "hyphens for underscores": lambda name, known: name.replace("-", "_") == known,
        "underscores left out": lambda name, known: name.replace("_", "") == known.replace("_", ""),
        "the first four letters": lambda name, known: name[:4] == known[:4],
        "no name": lambda name, known: not name,
        "a blank name": lambda name, known: name.isspace(),
        "the word None": lambda name, known: name == "None",
    }
    for name, reads in readings.items():
        yield name, _reading(reads)
    yield (
        "a state for an event",
        lambda turn, right: moved(turn, turn.name) if turn.name in turn.setting.machine.states else right,
    )


def _reading(reads: Callable[[str, str], bool]) -> Fault:
    def fault(turn: Turn, right: Snapshot) -> Snapshot:
        table = turn.setting.machine.table
        if (turn.here, turn.name) in table:
            return right
        found = next((known for source, known in table if source == turn.here and reads(turn.name, known)), None)
        return moved(turn, table[turn.here, found]) if found else right

    return fault
