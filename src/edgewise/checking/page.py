"""A report as HTML: the same as its text, with the run drawn on the graph.

Colours come second: every mark has a word or a shape, and the text takes the page's own colour, so that it can
be read in a light and in a dark theme.
"""

from __future__ import annotations

import re
from html import escape
from typing import Any

from edgewise.checking.exercise import Finding
from edgewise.checking.report import Report, difference, got, sentence, way
from edgewise.checking.values import shown
from edgewise.draw import draw

MARKS = {"passed": ("✔", "#0072b2"), "not yet": ("✘", "#d55e00"), "could not check": ("?", "#767676")}
MONO = "font-family: var(--jp-code-font-family, monospace); white-space: pre-wrap; overflow-wrap: anywhere"


def page(report: Report) -> str:
    """The report in one `div`, without script, class or id, so that it can stand anywhere."""
    mark, colour = MARKS[report.outcome]
    parts = [f'<p style="margin: 0 0 .5em"><strong>{mark} {escape(report.verdict)}</strong></p>']
    if report.error:
        parts.append(_paragraph(report.error))
    if report.findings:
        parts += _finding(report.findings[0])
    if report.misconception:
        name, message = report.misconception
        parts.append(f'<p style="margin: .5em 0">Known as <strong>“{escape(name)}”</strong>: {_code(message)}</p>')
    for line in report.standing():
        parts.append(_paragraph(line))
        if line == report.your_machine:
            parts.append(f'<div style="margin: .5em 0">{yours(report)}</div>')
    if report.domain:
        parts.append(f'<p style="margin: .5em 0; font-size: .9em">Explored: {_code(report.domain)}.</p>')
    if report.next_steps:
        steps = " &nbsp; ".join(f"<code>{escape(step)}</code>" for step in report.next_steps)
        parts.append(f'<p style="margin: .5em 0">Next: {steps}</p>')
    label = f"Report on {report.exercise}: {report.outcome}"
    style = f"border-left: 4px solid {colour}; padding: .25em 0 .25em 1em; max-width: 60em; line-height: 1.5"
    return f'<div role="group" aria-label="{escape(label)}" style="{style}">{"".join(parts)}</div>'


def _finding(finding: Finding) -> list[str]:
    """The sentence, the run drawn, the way there, and expected and got beside each other."""
    parts = [_paragraph(sentence(finding.message))]
    if finding.before is not None:
        parts += [f'<p style="margin: 0; {MONO}">{escape(line)}</p>' for line in way(finding)]
        parts.append(f'<div style="margin: .5em 0">{drawing(finding)}</div>')
    elif finding.events:
        parts.append(f'<p style="margin: 0; {MONO}">{escape("; ".join(finding.events))}</p>')
    rows = []
    if finding.got is not ...:
        rows = [("expected", shown(finding.expected)), ("got", got(finding))]
    parted = difference(finding)
    rows += [("differs", parted)] if parted else []
    rows += [("your line", finding.line)] if finding.line else []
    if rows:
        parts.append(_table(rows))
    return parts


def drawing(finding: Finding) -> str:
    """The machine with the run's path, and the edge that was refused or went wrong."""
    machine, before, event = finding.machine, finding.before or {}, finding.events[-1]
    state: str = before["state"]
    expected = finding.expected or {"state": None, "rejected": None}
    refused = isinstance(expected["rejected"], str)
    target = finding.got.get("state") if isinstance(finding.got, dict) else None
    wrong = []
    if target is None or target != expected["state"]:
        wrong = [(state, event, target if target in machine.states else None, _said(finding.got))]
    picture = draw(
        machine.table,
        states=machine.states,
        initial=machine.initial,
        visited=() if finding.by_hand else before["visited"],
        refused=(state, event) if refused else None,
        wrong=wrong,
        caps=machine.caps,
        title="The declared machine and this run",
    )
    return picture._repr_html_()


def yours(report: Report) -> str:
    """The student's machine: what it has of the declared one, and its wrong arrows, dashed and labelled."""
    machine = report.findings[0].machine
    wrong = {(edge.state, edge.event): edge.target for edge in report.yours}
    kept = {pair: target for pair, target in machine.table.items() if pair not in wrong}
    together: dict[tuple[str, str], list[str]] = {}
    for (state, event), target in wrong.items():
        if target is not None:
            together.setdefault((state, target), []).append(event)
    picture = draw(
        kept,
        states=machine.states,
        initial=machine.initial,
        wrong=[(state, events[0], target, _also(events[1:])) for (state, target), events in together.items()],
        caps=machine.caps,
        title="Your machine",
    )
    return picture._repr_html_()


def _also(events: list[str]) -> str:
    return f"also {', '.join(events)}" if events else ""


def _said(got: Any) -> str:
    """What came, in a few letters, for the label of an arrow."""
    if got is ...:
        return "no answer"
    if isinstance(got, dict):
        return shown(got.get("state"))
    return getattr(got, "kind", shown(got))


def _paragraph(text: str) -> str:
    return f'<p style="margin: .5em 0">{_code(text)}</p>'


def _code(text: str) -> str:
    """Escaped text, with what stands in backticks set as code."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))


def _table(rows: list[tuple[str, str]]) -> str:
    head = "text-align: left; vertical-align: top; padding: .1em 1em .1em 0; font-weight: bold; background: none"
    cell = f"text-align: left; padding: .1em 0; background: none; {MONO}"
    lines = "".join(
        f'<tr style="background: none"><th scope="row" style="{head}">{escape(name)}</th>'
        f'<td style="{cell}">{escape(value)}</td></tr>'
        for name, value in rows
    )
    return f'<table style="border-collapse: collapse; margin: .5em 0">{lines}</table>'
