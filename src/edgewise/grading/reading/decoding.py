"""From a file's bytes to the JSON in it, whatever its encoding, and however much of it is there."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from edgewise.grading.reading.folder import Unread
from edgewise.grading.reading.found import Found

MAX_PARTS = 2_000_000
"""More lists and mappings than that would take gigabytes to hold."""

NAMES = {"utf-8-sig": "UTF-8", "cp1252": "Windows-1252", "latin-1": "Latin-1"}
CELLS = re.compile(r'"cells"\s*:\s*\[')
CELL = re.compile(r'\{\s*"(?:attachments|cell_type|execution_count|id|metadata)"')
MAX_BREAKS = 50
"""Each costs a look at the whole text."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """The JSON of a file; `cut` is the number of whole cells where others could not be read."""

    data: object
    found: tuple[Found, ...] = ()
    cut: int | None = None


def decode(raw: bytes) -> Decoded | Unread:
    """The JSON in `raw`, or why there is none."""
    if not raw.strip(b"\0 \t\r\n\xef\xbb\xbf"):
        return Unread("empty", "is empty")
    if raw.count(b"[") + raw.count(b"{") > MAX_PARTS:
        return Unread("too large", f"holds more than {MAX_PARTS:,} lists and mappings")
    text, found = _text(raw)
    try:
        data, end = _json(text)
    except RecursionError:
        return _whole_cells(text, found) or Unread("too deep", "is nested too deep to be read")
    except json.JSONDecodeError as error:
        return _whole_cells(text, found) or Unread("not JSON", f"is no JSON from line {error.lineno} on")
    except (ValueError, MemoryError):
        return Unread("not JSON", "is no JSON that can be held")
    if text[end:].strip("\0 \t\r\n"):
        found = (*found, Found("rest", None, "goes on after the notebook's end; the rest was left out"))
    return Decoded(data, found)


def _text(raw: bytes) -> tuple[str, tuple[Found, ...]]:
    encoding = json.detect_encoding(raw)
    for name in (encoding, "utf-8", "cp1252"):
        try:
            text = raw.decode(name, "surrogatepass" if name.startswith("utf") else "strict")
        except UnicodeError:
            continue
        if name == "utf-8" or "{" in text or "[" in text:
            return text, _encoding(name)
    return raw.decode("latin-1"), _encoding("latin-1")


def _encoding(name: str) -> tuple[Found, ...]:
    if name == "utf-8":
        return ()
    if name == "utf-8-sig":
        return (Found("encoding", None, "begins with a byte order mark; it was skipped"),)
    shown = NAMES.get(name, name[:6].upper())
    return (Found("encoding", None, f"is written in {shown}, not in UTF-8; it was read as {shown}"),)


def _json(text: str) -> tuple[object, int]:
    """The first JSON value, and where it ends. Control characters in strings are let through."""
    start = len(text) - len(text.lstrip("\0 \t\r\n\ufeff"))
    try:
        return json.JSONDecoder(strict=False).raw_decode(text, start)
    except json.JSONDecodeError:
        raise
    except ValueError:  # a whole number of thousands of digits
        return json.JSONDecoder(strict=False, parse_int=lambda digits: int(digits[:300])).raw_decode(text, start)


def _whole_cells(text: str, found: tuple[Found, ...]) -> Decoded | None:
    """The cells that are whole in broken JSON, None where there is none."""
    start = CELLS.search(text)
    if start is None:
        return None
    decoder = json.JSONDecoder(strict=False)
    cells, at, breaks = [], start.end(), 0
    while breaks < MAX_BREAKS and (begin := CELL.search(text, at)):
        try:
            cell, at = decoder.raw_decode(text, begin.start())
        except (ValueError, RecursionError) as error:
            at, breaks = max(getattr(error, "pos", 0), begin.end()), breaks + 1
        else:
            if isinstance(cell, dict) and "cell_type" in cell:
                cells.append(cell)
    if not cells:
        return None
    return Decoded({"nbformat": 4, "nbformat_minor": 5, "cells": cells}, found, cut=len(cells))
