"""A report as HTML."""

from __future__ import annotations

from edgewise.checking.report import Report


def page(report: Report) -> str:
    """HTML."""
    return f"<pre>{report.text}</pre>"
