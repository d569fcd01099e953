"""When a submission was handed in, as timestamp.txt says."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from edgewise.grading.reading.folder import Unread, content
from edgewise.grading.reading.found import said

FILE = "timestamp.txt"
FORM = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)\s*(\S*)", re.ASCII)
OFFSET = re.compile(r"([+-]\d\d):?(\d\d)", re.ASCII)


def timestamp(folder: Path) -> datetime | str | None:
    """The moment, in UTC; None without a file, and a sentence's end where there is no reading it."""
    try:
        (folder / FILE).lstat()
    except OSError:
        return None
    raw = content(folder, FILE, 1_000)
    if isinstance(raw, Unread):
        return raw.words
    text = raw.decode("utf-8-sig", "replace").strip("\0 \t\r\n")
    if not text:
        return "is empty"
    return moment(text) or f"holds {said(text)}, which is no moment"


def moment(text: str) -> datetime | None:
    """The moment that nbgrader writes as 2026-09-29 18:00:00.000000 UTC; without a zone it is UTC."""
    form = FORM.fullmatch(text)
    if form is None:
        return None
    day, time, zone = form.groups()
    offset = OFFSET.fullmatch(zone)
    try:
        if offset:
            return datetime.fromisoformat(f"{day}T{time}{offset[1]}:{offset[2]}").astimezone(UTC)
        known = UTC if zone in ("", "Z", "UTC") else ZoneInfo(zone)
        return datetime.fromisoformat(f"{day}T{time}").replace(tzinfo=known).astimezone(UTC)
    except (ValueError, OverflowError, OSError, ZoneInfoNotFoundError):
        return None
