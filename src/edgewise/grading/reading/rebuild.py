"""The clean notebook: the student's answers among the course's cells, which are as they were released."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from edgewise.grading.reading.cells import Loose, Raw
from edgewise.grading.reading.found import Found, said
from edgewise.grading.reading.matching import Matched, defines, match
from edgewise.grading.reading.released import Released, Slot, checksum

FLAGS = ("schema_version", "grade", "solution", "locked", "task", "points")
MOVED = "stood in another place; it stands where it was released again"
DELETED = "was deleted; the released cell was put back"
KNOWN = (*FLAGS, "grade_id", "checksum", "cell_type")


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of the clean notebook. `role` is answer, written, check, locked, free (the course's) or extra."""

    id: str
    kind: str
    role: str
    source: str
    metadata: Mapping[str, Any] = field(default_factory=dict)
    attachments: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    exercise: str | None = None

    @property
    def grade_id(self) -> str:
        """The name nbgrader has for it, empty if none."""
        return str(self.metadata.get("nbgrader", {}).get("grade_id", ""))

    @property
    def is_untouched(self) -> bool:
        """Whether a cell with an answer is as it was released, as nbgrader tells it."""
        graded = self.metadata["nbgrader"]
        return bool(checksum(self.source, self.kind, graded) == graded.get("checksum"))

    def as_json(self) -> dict[str, Any]:
        """The cell in nbformat 4.5."""
        cell: dict[str, Any] = {"cell_type": self.kind, "id": self.id, "metadata": copied(self.metadata)}
        if self.attachments and self.kind != "code":
            cell["attachments"] = {name: dict(bundle) for name, bundle in self.attachments.items()}
        if self.kind == "code":
            cell |= {"execution_count": None, "outputs": []}
        return {**cell, "source": self.source.splitlines(keepends=True)}


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """The cells, whether an answer of the student's is among them, and what was put right on the way."""

    cells: tuple[Cell, ...]
    is_answered: bool
    found: tuple[Found, ...]


def untouched(notebook: Released) -> Rebuilt:
    """The notebook as released."""
    return Rebuilt(tuple(_released(slot) for slot in notebook.slots), is_answered=False, found=())


def rebuild(student: Loose, notebook: Released) -> Rebuilt:
    """The student's cells where they were, the course's as they were released."""
    matched = match(student.cells, notebook)
    order, found = _ordered(matched, notebook)
    given = {slot.id for slot in notebook.slots}
    cells = []
    for index, number in order:
        slot = notebook.slots[number] if number is not None else None
        if index is not None:
            cells.append(_cell(matched.cells[index], slot, given))
        elif slot is not None:
            cells.append(_put_back(slot, matched))
        if index is not None and slot is not None and slot.grade_id:
            found += _changes(matched.cells[index], slot)
    answered = any(_is_answer(cell, notebook) for cell in cells)
    return Rebuilt(tuple(cells), answered, (*student.found, *matched.found, *found))


def _is_answer(cell: Cell, notebook: Released) -> bool:
    if cell.role not in ("answer", "written"):
        return False
    stub = next(slot.source for slot in notebook.slots if slot.id == cell.id)
    return bool(cell.source.strip()) and cell.source.strip() != stub.strip()


# --- Order: a list of (cell or None, slot or None) ---------------------------------------------------

Place = tuple[int | None, int | None]


def _ordered(matched: Matched, notebook: Released) -> tuple[list[Place], list[Found]]:
    slot_of = {**matched.anchors, **matched.claims}
    staying = _in_order(matched, notebook)
    moved = {matched.claims[cell]: cell for cell in matched.claims if cell not in staying}
    order: list[Place] = [
        (cell, slot_of.get(cell))
        for cell in range(len(matched.cells))
        if cell not in matched.left_out and (cell not in matched.claims or cell in staying)
    ]
    filled = set(matched.claims.values())
    found = []
    for number, slot in enumerate(notebook.slots):
        if number in moved:
            found.append(Found("moved", repr(slot.grade_id), MOVED))
            _insert(order, (moved[number], number), notebook)
        elif slot.grade_id and number not in filled:
            found.append(Found("deleted", repr(slot.grade_id), DELETED))
            _insert(order, (None, number), notebook)
    return order, [*found, *_import_first(order, matched, notebook)]


def _in_order(matched: Matched, notebook: Released) -> set[int]:
    """The claimed cells that can stay: the heaviest run in released order; an answer weighs more than a check."""
    cells = sorted(matched.claims)
    best: list[tuple[int, list[int]]] = []
    for index, cell in enumerate(cells):
        slot = matched.claims[cell]
        weight = 2 if notebook.slots[slot].holds_answer else 1
        before = [best[other] for other in range(index) if matched.claims[cells[other]] < slot]
        total, run = max(before, key=lambda one: one[0], default=(0, []))
        best.append((total + weight, [*run, cell]))
    return set(max(best, key=lambda one: one[0], default=(0, []))[1])


def _insert(order: list[Place], place: Place, notebook: Released) -> None:
    """Before the first of the course's later cells that follows the graded cell before it; else at the end."""
    wanted = place[1] or 0
    graded = [
        at for at, (_, slot) in enumerate(order) if slot is not None and slot < wanted and notebook.slots[slot].grade_id
    ]
    start = graded[-1] + 1 if graded else 0
    later = (at for at in range(start, len(order)) if (slot := order[at][1]) is not None and slot > wanted)
    order.insert(next(later, len(order)), place)


def _import_first(order: list[Place], matched: Matched, notebook: Released) -> Iterator[Found]:
    """Where no code above the first check imports from edgewise: the cell of the release that does."""
    roles = [None if slot is None else notebook.slots[slot].role for _, slot in order]
    above = order[: roles.index("check")] if "check" in roles else []
    number = next((at for at, slot in enumerate(notebook.slots) if slot.imports_check), None)
    if number is None or "check" not in roles or any(_imports(cell, matched) for cell, _ in above):
        return
    slot = notebook.slots[number]
    below = next((place for place in order if place[1] == number and _imports(place[0], matched)), None)
    if below is not None:
        order.remove(below)
    order[:] = [(cell, None if at == number else at) for cell, at in order]  # what is left of it is an extra cell
    _insert(order, below or (None, number), notebook)
    yield Found("moved" if below else "deleted", repr(slot.id), MOVED if below else DELETED)


def _imports(cell: int | None, matched: Matched) -> bool:
    if cell is None:
        return False
    raw = matched.cells[cell]
    return raw.kind == "code" and "import" in raw.source and "edgewise" in raw.source


# --- Cells -------------------------------------------------------------------------------------------


def _released(slot: Slot) -> Cell:
    exercise = slot.exercise.id if slot.exercise else None
    return Cell(slot.id, slot.kind, slot.role, slot.source, slot.metadata, exercise=exercise)


def _put_back(slot: Slot, matched: Matched) -> Cell:
    """The released cell; where a deleted answer is defined elsewhere, a line that does not undo that."""
    cell = _released(slot)
    names = slot.exercise.objects if slot.exercise else ()
    if slot.role == "answer" and any(one.kind == "code" and defines(one.source, names) for one in matched.cells):
        shown = ", ".join(names)
        text = f"# This cell was deleted; another defines {shown}."
        return Cell(cell.id, cell.kind, cell.role, text, cell.metadata, exercise=cell.exercise)
    return cell


def _cell(raw: Raw, slot: Slot | None, given: set[str]) -> Cell:
    if slot is None or not slot.grade_id:
        role, metadata = ("extra", {}) if slot is None else ("free", slot.metadata if slot.kind == raw.kind else {})
        id_ = slot.id if slot is not None else _new_id(raw, given)
        return Cell(id_, raw.kind, role, raw.source, metadata, raw.attachments)
    source = raw.source if slot.holds_answer else slot.source
    exercise = slot.exercise.id if slot.exercise else None
    attachments = raw.attachments if slot.holds_answer else {}
    return Cell(slot.id, slot.kind, slot.role, source, slot.metadata, attachments, exercise)


def _new_id(raw: Raw, given: set[str]) -> str:
    """The cell's own id if no other has it."""
    wanted = raw.id if raw.id and raw.id not in given else f"extra-{raw.number}"
    while wanted in given:
        wanted += "-"
    given.add(wanted)
    return wanted


def _changes(raw: Raw, slot: Slot) -> Iterator[Found]:
    """What the student's cell was where the course's says something else."""
    label = repr(slot.grade_id)
    if raw.kind != slot.kind:
        yield Found("retyped", label, f"was a {raw.kind} cell; it is a {slot.kind} cell again")
    if not slot.holds_answer and raw.source != slot.source:
        yield Found("changed", label, "was changed; the released text stands again")
    if raw.tags is not None and raw.tags != []:
        yield Found("tags", label, f"carried {_tags(raw.tags)}; nothing of it counts")
    said_to_nbgrader = _said(raw.graded, slot.metadata["nbgrader"]) if raw.grade_id == slot.grade_id else []
    if said_to_nbgrader:
        yield Found("metadata", label, f"told nbgrader {', '.join(said_to_nbgrader)}; the course's word counts")


def _tags(tags: object) -> str:
    if not isinstance(tags, list):
        return f"{said(tags)} for tags"
    return f"the tags {', '.join(map(said, tags[:5]))}" if len(tags) > 1 else f"the tag {said(tags[0])}"


def _said(graded: object, course: Mapping[str, Any]) -> list[str]:
    if not isinstance(graded, dict):
        return []
    told = []
    for key in FLAGS:
        wanted = course.get(key, False if key == "task" else None)
        got = graded.get(key, False if key == "task" else None)
        if not _same(got, wanted) and (key != "points" or course.get("grade")):
            told.append(f"{key!r} is {said(got)}" if key in graded else f"no {key!r}")
    return told + [f"an unknown {said(key)}" for key in list(graded)[:20] if key not in KNOWN]


def _same(got: object, wanted: object) -> bool:
    """Equal, and both numbers or both not: True is not 1 here."""
    if isinstance(got, dict | list):
        return False
    return isinstance(got, bool) == isinstance(wanted, bool) and got == wanted


def copied(value: Any) -> Any:
    """A copy that may be changed, of what JSON can hold."""
    if isinstance(value, Mapping):
        return {key: copied(one) for key, one in value.items()}
    return [copied(one) for one in value] if isinstance(value, Sequence) and not isinstance(value, str) else value
