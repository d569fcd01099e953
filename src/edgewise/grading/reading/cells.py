"""A student's notebook as a list of cells that can be worked with, whatever its JSON holds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from edgewise.grading.reading.found import Found, said, times

KINDS = ("code", "markdown", "raw")
MAX_CELLS = 5_000
ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
SURROGATE = re.compile("[\ud800-\udfff]")
OLD_TEXT = {"heading": "markdown", "html": "markdown", "text": "markdown"}


@dataclass(frozen=True, slots=True)
class Raw:
    """One of the student's cells: `number` is its place in the file, from 1; `id` and `grade_id` may be empty."""

    number: int
    kind: str
    source: str
    id: str = ""
    grade_id: str = ""
    graded: object = None
    has_graded: bool = False
    tags: object = None
    attachments: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """What a sentence calls the cell."""
        return repr(self.grade_id) if self.grade_id else f"cell {self.number}"

    @property
    def bare(self) -> str:
        """Its text without what editors change in passing: line ends, blanks around."""
        return bare(self.source)


@dataclass(frozen=True, slots=True)
class Loose:
    """The student's notebook: its cells, and what had to be mended to have them."""

    cells: tuple[Raw, ...]
    found: tuple[Found, ...]


def bare(source: str) -> str:
    """A cell's text as two are compared."""
    return source.replace("\r\n", "\n").strip()


def loose(data: object, kernel: str, *, whole: bool = True) -> Loose | str:
    """The cells in `data`, or why it is no notebook; `kernel` is the name that the course's kernelspec has."""
    if not isinstance(data, dict):
        return f"holds {said(data)} where a notebook is a mapping"
    listed = _listed(data)
    if listed is None:
        return "holds no list of cells, so it is no notebook"
    found = [*_format(data), *(_metadata(data, kernel) if whole else ())]
    cells: list[Raw] = []
    if len(listed) > MAX_CELLS:
        found.append(Found("many", None, f"has {len(listed):,} cells; the first {MAX_CELLS:,} were read"))
    for number, cell in enumerate(listed[:MAX_CELLS], 1):
        if not isinstance(cell, dict):
            what = "text" if isinstance(cell, str) else said(cell)
            found.append(Found("no cell", f"cell {number}", f"is {what}, not a cell; it was left out"))
            continue
        read = _cell(number, cell)
        found += _mended(cell, read)
        cells.append(read)
    return Loose(tuple(cells), (*found, *_ids(data, cells)))


def _listed(data: Mapping[str, Any]) -> list[Any] | None:
    """The list of cells; format 3 has one in each worksheet."""
    if isinstance(data.get("cells"), list):
        return list(data["cells"])
    sheets = data.get("worksheets")
    if not isinstance(sheets, list):
        return None
    lists = [sheet["cells"] for sheet in sheets if isinstance(sheet, dict) and isinstance(sheet.get("cells"), list)]
    return [cell for cells in lists for cell in cells] if lists else None


def _format(data: Mapping[str, Any]) -> Iterator[Found]:
    major, minor = data.get("nbformat"), data.get("nbformat_minor", 0)
    if type(major) is int and major == 4 and type(minor) is int and minor >= 5:
        return
    if major is None:
        yield Found("format", None, "names no format; it was read as 4.5")
    else:
        shown = f"{major}.{minor}" if type(major) is int and type(minor) is int and major == 4 else said(major)
        yield Found("format", None, f"is in format {shown}; it was read as 4.5")


def _metadata(data: Mapping[str, Any], kernel: str) -> Iterator[Found]:
    metadata = data.get("metadata")
    if not isinstance(metadata, dict):
        yield Found("metadata", None, "has no metadata that can be read; the course's stands")
        return
    spec = metadata.get("kernelspec")
    name = spec.get("name") if isinstance(spec, dict) else None
    if name != kernel or not isinstance(name, str):
        got = "no kernel" if name is None else f"the kernel {said(name)}"
        yield Found("kernel", None, f"names {got}; the course's {kernel!r} runs it")


def _cell(number: int, cell: Mapping[str, Any]) -> Raw:
    metadata = cell.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    graded = metadata.get("nbgrader")
    grade_id = graded.get("grade_id") if isinstance(graded, dict) else None
    return Raw(
        number=number,
        kind=_kind(cell),
        source=_clean(_source(cell) or ""),
        id=_text_of(cell.get("id")),
        grade_id=_text_of(grade_id),
        graded=graded,
        has_graded="nbgrader" in metadata,
        tags=metadata.get("tags"),
        attachments=_attachments(cell.get("attachments")),
    )


def _kind(cell: Mapping[str, Any]) -> str:
    kind = cell.get("cell_type")
    if not isinstance(kind, str):
        return "raw"
    return kind if kind in KINDS else OLD_TEXT.get(kind, "raw")


def _source(cell: Mapping[str, Any]) -> str | None:
    """The cell's text, None where it has none that can be read. Format 3 has a code cell's in "input"."""
    source = cell.get("source", cell.get("input"))
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if not isinstance(source, str):
        return None
    level = cell.get("level")
    if cell.get("cell_type") == "heading" and type(level) is int and 1 <= level <= 6:
        return f"{'#' * level} {source}"
    return source


def _clean(text: str) -> str:
    return SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text).replace("\0", "")


def _text_of(value: object) -> str:
    return value if isinstance(value, str) and ID.fullmatch(value) else ""


def _attachments(value: object) -> Mapping[str, Mapping[str, str]]:
    """The pictures of a text cell: name, then type, then data."""
    if not isinstance(value, dict):
        return {}
    return {
        _clean(name): {_clean(kind): _clean(data) for kind, data in bundle.items() if isinstance(data, str)}
        for name, bundle in value.items()
        if isinstance(bundle, dict)
    }


def _mended(cell: Mapping[str, Any], read: Raw) -> Iterator[Found]:
    source, kind = _source(cell), cell.get("cell_type")
    if source is None:
        got = said(cell["source"]) if "source" in cell else "missing"
        yield Found("source", read.label, f"its text is {got}; it was read as empty")
    elif SURROGATE.search(source):
        yield Found("characters", read.label, "holds half a character; it was replaced by '\N{REPLACEMENT CHARACTER}'")
    if source is not None and "\0" in source:
        yield Found("characters", read.label, "holds NUL characters; they were left out")
    if kind not in KINDS and (not isinstance(kind, str) or kind not in OLD_TEXT):
        got = "names no type" if kind is None else f"is of the type {said(kind)}, which no notebook has"
        yield Found("type", read.label, f"{got}; it was read as {read.kind}")
    if not isinstance(cell.get("metadata"), dict):
        yield Found("metadata", read.label, "has no metadata that can be read; it was read as empty")


def _ids(data: Mapping[str, Any], cells: list[Raw]) -> Iterator[Found]:
    """Ids that are missing, bad or there twice, in a format whose cells have ids."""
    if any(True for _ in _format(data)):
        return
    missing = sum(not cell.id for cell in cells)
    double = len(cells) - missing - len({cell.id for cell in cells if cell.id})
    if missing + double:
        count = times(missing + double, "cell")
        yield Found("ids", None, f"{count} had no id of their own; new ids were given")
