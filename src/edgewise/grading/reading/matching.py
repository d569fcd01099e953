"""Which of a student's cells is which of the course's: by grade_id, else by id, by content, by place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from edgewise.grading.reading.cells import Raw, bare
from edgewise.grading.reading.found import Found, times
from edgewise.grading.reading.released import Released, Slot

MAX_SPLIT = 8

BY = {
    "id": "it was found by its id",
    "content": "it was found by what it holds",
    "place": "it was found by where it stands",
}


@dataclass(slots=True)
class Matched:
    """The student's cells and the slots they fill: `claims` and `anchors` map a cell's index to a slot's."""

    cells: list[Raw]
    claims: dict[int, int] = field(default_factory=dict)  # cells the course grades or locks
    anchors: dict[int, int] = field(default_factory=dict)  # cells of the course that are the student's to change
    left_out: set[int] = field(default_factory=set)
    found: list[Found] = field(default_factory=list)

    def cell_of(self, slot: int) -> int | None:
        """The index of the cell that fills the slot."""
        return next((cell for cell, claimed in self.claims.items() if claimed == slot), None)

    @property
    def free(self) -> list[int]:
        """The cells that are nobody's yet, in order."""
        return [
            index
            for index in range(len(self.cells))
            if index not in self.claims and index not in self.anchors and index not in self.left_out
        ]


def match(cells: Sequence[Raw], notebook: Released) -> Matched:
    """Every cell that can be told, and sentences about those that were not where or what they should be."""
    matched = Matched(list(cells))
    known = {slot.grade_id: slot for slot in notebook.slots if slot.grade_id}
    _anchor(matched, notebook, known)
    for index, slot in enumerate(notebook.slots):
        if slot.grade_id:
            _by_grade_id(matched, index, slot, notebook)
    for by, finder in (("id", _same_id), ("content", _same_content), ("place", _same_place)):
        for index, slot in enumerate(notebook.slots):
            if slot.grade_id and matched.cell_of(index) is None:
                _claim(matched, index, slot, by, finder(matched, index, slot))
    _unknown(matched, known)
    return matched


def _anchor(matched: Matched, notebook: Released, known: dict[str, Slot]) -> None:
    """The course's free cells, by id, else by the same text."""
    plain = [index for index, cell in enumerate(matched.cells) if cell.grade_id not in known]
    by_id = {matched.cells[index].id: index for index in reversed(plain)}
    by_text = {(matched.cells[index].kind, matched.cells[index].bare): index for index in reversed(plain)}
    for number, slot in enumerate(notebook.slots):
        if slot.grade_id:
            continue
        for index in (by_id.get(slot.id), by_text.get((slot.kind, bare(slot.source)))):
            if index is not None and index not in matched.anchors:
                matched.anchors[index] = number
                break


# --- By grade_id, which several cells may have -------------------------------------------------------


def _by_grade_id(matched: Matched, index: int, slot: Slot, notebook: Released) -> None:
    named = [number for number, cell in enumerate(matched.cells) if cell.grade_id == slot.grade_id]
    if len(named) > 1:
        named = _without_strangers(matched, named, slot, notebook) or named
    if not named:
        return
    kept = _kept_answer(matched, named, slot) if slot.holds_answer else _kept_check(matched, named, index)
    matched.claims[kept] = index
    if len(named) > 1:
        _set_copies_aside(matched, [number for number in named if number != kept], kept, slot)


def _without_strangers(matched: Matched, named: list[int], slot: Slot, notebook: Released) -> list[int]:
    """Without cells whose id says that they are another slot's, which no cell names."""
    named_at_all = {cell.grade_id for cell in matched.cells}
    missed = {other.id for other in notebook.slots if other.grade_id and other.grade_id not in named_at_all}
    return [number for number in named if matched.cells[number].id not in missed - {slot.id}]


def _kept_answer(matched: Matched, named: list[int], slot: Slot) -> int:
    """The last that holds an answer; a cell that goes on in the middle of a function is joined to the one before."""
    holding = [number for number in named if _holds(matched.cells[number], slot)]
    if not holding:
        return named[0]
    kept, joined = holding[-1], 1
    while slot.kind == "code" and joined < MAX_SPLIT and kept - 1 in holding and _goes_on(matched.cells[kept]):
        first, second = matched.cells[kept - 1], matched.cells[kept]
        matched.cells[kept - 1] = replace(first, source=f"{first.source}\n{second.source}")
        matched.left_out.add(kept)
        kept, joined = kept - 1, joined + 1
    if joined > 1:
        words = f"was split into {joined} cells; they were joined again"
        matched.found.append(Found("split", repr(slot.grade_id), words))
    return kept


def _holds(cell: Raw, slot: Slot) -> bool:
    return bool(cell.bare) and cell.bare != bare(slot.source)


def _goes_on(cell: Raw) -> bool:
    """Whether the first line of the cell is indented."""
    return cell.source.lstrip("\r\n")[:1] in (" ", "\t")


def _kept_check(matched: Matched, named: list[int], index: int) -> int:
    """The first after the answer, if there is one."""
    answer = matched.cell_of(index - 1)
    return next((number for number in named if answer is not None and number > answer), named[0])


def _set_copies_aside(matched: Matched, others: list[int], kept: int, slot: Slot) -> None:
    others = [number for number in others if number not in matched.left_out]
    if not others:
        return
    same = (bare(slot.source), matched.cells[kept].bare, "")
    alike = {number for number in others if matched.cells[number].bare in same}
    matched.left_out |= alike
    plain = len(others) - len(alike)
    which = "the last that holds an answer" if slot.holds_answer else "one"
    done = [f"{which} was kept"]
    if plain:
        done.append(f"{plain} stayed as {'a plain cell' if plain == 1 else 'plain cells'}")
    if alike:
        done.append(f"{len(alike)} that said nothing new {'was' if len(alike) == 1 else 'were'} left out")
    words = f"is there {times(len(others) + 1, 'time')}; {', '.join(done)}"
    matched.found.append(Found("duplicated", repr(slot.grade_id), words))


# --- By id, content and place ------------------------------------------------------------------------


def _claim(matched: Matched, index: int, slot: Slot, by: str, cell: int | None) -> None:
    if cell is None:
        return
    matched.claims[cell] = index
    raw = matched.cells[cell]
    lost = f"was named {raw.grade_id!r}" if raw.grade_id else "had lost its name, the grade_id"
    matched.found.append(Found("renamed", repr(slot.grade_id), f"{lost}; {BY[by]}"))


def _same_id(matched: Matched, _index: int, slot: Slot) -> int | None:
    return next((cell for cell in matched.free if matched.cells[cell].id == slot.id), None)


def _same_content(matched: Matched, index: int, slot: Slot) -> int | None:
    """A check by what it calls; an answer by a name that it defines, the last before the check."""
    fits = _test(slot)
    check = matched.cell_of(index + 1)
    found = [cell for cell in matched.free if matched.cells[cell].kind == "code" and fits(matched.cells[cell].source)]
    before = [cell for cell in found if check is not None and cell < check]
    return next(reversed(before or found), None)


def _test(slot: Slot) -> Callable[[str], bool]:
    if slot.role == "check" and slot.exercise is not None:
        call = re.compile(rf"""^\s*check\(\s*["']{re.escape(slot.exercise.id)}["']""")
        return lambda source: bool(call.search(source))
    if slot.role == "answer" and slot.exercise is not None:
        return lambda source: defines(source, slot.exercise.objects if slot.exercise else ())
    return lambda source: bare(source) == bare(slot.source) != ""


def defines(source: str, names: Sequence[str]) -> bool:
    """Whether the text defines one of the names at its top level, told without compiling it."""
    one = "|".join(map(re.escape, names))
    return bool(re.search(rf"^(?:(?:async[ \t]+)?def|class)[ \t]+(?:{one})\b|^(?:{one})[ \t]*[:=]", source, re.M))


def _same_place(matched: Matched, index: int, slot: Slot) -> int | None:
    """An answer by the course's cell right before or right after it; text by text, code by code."""
    if not slot.holds_answer:
        return None
    wanted = ("code",) if slot.kind == "code" else ("markdown", "raw")
    for cell in _beside(matched, index):
        raw = matched.cells[cell]
        if raw.kind in wanted and raw.bare:
            return cell
    return None


def _beside(matched: Matched, index: int) -> Iterator[int]:
    filled = {slot: cell for cell, slot in (matched.claims | matched.anchors).items()}
    free = set(matched.free)
    for slot, step in ((index - 1, 1), (index + 1, -1)):
        cell = filled.get(slot)
        if cell is not None and cell + step in free:
            yield cell + step


def _unknown(matched: Matched, known: dict[str, Slot]) -> None:
    for cell in matched.free + list(matched.anchors):
        raw = matched.cells[cell]
        if raw.grade_id and raw.grade_id not in known:
            words = (
                f"names itself {raw.grade_id!r} to nbgrader, which the course does not know; it stayed as a plain cell"
            )
            matched.found.append(Found("unknown", f"cell {raw.number}", words))
