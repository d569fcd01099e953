"""What a check says: the verdict first, then the shortest way in which the answer goes wrong, as text and data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from edgewise.checking.calling import Raised
from edgewise.checking.exercise import Edge, Finding
from edgewise.checking.values import first_difference, plain, shown

Outcome = Literal["passed", "not yet", "could not check"]


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of one check. `points` are out of `max_points`; the first finding leads.

    `kept` and `broken` are rules in the student's words, `domain` is what was explored, `misconception` the
    name and sentence of a known wrong answer that behaves like this one, `nothing` why no point was earned,
    `edges` the wrong arrows of the student's machine, `next_steps` what to type next, `error` our own fault, if
    any.
    """

    exercise: str
    title: str
    outcome: Outcome
    points: float = 0.0
    max_points: float = 0.0
    findings: tuple[Finding, ...] = ()
    misconception: tuple[str, str] | None = None
    domain: str = ""
    kept: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    nothing: str = ""
    edges: tuple[Edge, ...] = ()
    next_steps: tuple[str, ...] = ()
    error: str | None = None

    @property
    def verdict(self) -> str:
        """The first line: exercise, title, outcome, points."""
        points = f" · {self.points:g} of {self.max_points:g} points" if self.max_points else ""
        return f"{self.exercise} · {self.title} · {self.outcome}{points}"

    @property
    def text(self) -> str:
        """The whole report, for a terminal, a screen reader or a log."""
        return "\n".join(self._lines())

    def __repr__(self) -> str:
        return self.text

    def _lines(self) -> list[str]:
        lines = [self.verdict]
        if self.error:
            lines.append(self.error)
        if self.findings:
            lines += [f"    {line}" if number else line for number, line in enumerate(told(self.findings[0]))]
        if self.misconception:
            lines.append(f'Known as "{self.misconception[0]}": {self.misconception[1]}')
        lines += self.standing()
        if self.domain:
            lines.append(f"Explored: {self.domain}.")
        if self.next_steps:
            lines.append(f"Next: {'   '.join(self.next_steps)}")
        return lines

    def standing(self) -> list[str]:
        """How far the fault reaches, and which rules were kept and broken."""
        lines = []
        if self.findings and self.findings[0].like:
            more = self.findings[0].like
            lines.append(f"{more} more {'question goes' if more == 1 else 'questions go'} wrong alike.")
        if self.your_machine:
            lines.append(self.your_machine)
        if self.broken:
            kept = f"Kept: {'; '.join(self.kept)}. " if self.kept else ""
            lines.append(f"{kept}Broken: {'; '.join(self.broken)}.")
        if self.nothing:
            lines.append(self.nothing)
        return lines

    @property
    def yours(self) -> tuple[Edge, ...]:
        """The wrong arrows of the machine that the first finding is about."""
        return tuple(edge for edge in self.edges if self.findings and edge.setting == self.findings[0].setting)

    @property
    def your_machine(self) -> str:
        """The wrong arrows in words, where there is more than the one that the finding shows."""
        if len(self.yours) < 2:
            return ""
        rest = f"; and {len(self.yours) - 3} more" if len(self.yours) > 3 else ""
        return f"Your machine: {'; '.join(map(_arrow, self.yours[:3]))}{rest}."

    def as_json(self) -> dict[str, Any]:
        """The report as JSON data, in the form that `edgewise check --json` prints."""
        return {
            "exercise": self.exercise,
            "outcome": self.outcome,
            "points": self.points,
            "max_points": self.max_points,
            "findings": [_finding_as_json(finding) for finding in self.findings],
            "misconception": (
                {"name": self.misconception[0], "message": self.misconception[1]} if self.misconception else None
            ),
            "domain": self.domain,
            "error": self.error,
        }


def _arrow(edge: Edge) -> str:
    does = "is refused" if edge.target is None else f"leads to {edge.target!r}"
    return f"in {edge.state!r}, {edge.event!r} {does}"


def told(finding: Finding) -> list[str]:
    """A finding in lines: the sentence, the way there, expected and got, where they part, the student's line."""
    lines = [sentence(finding.message)]
    if finding.before is not None:
        lines += way(finding)
    elif finding.events:
        lines.append("; ".join(finding.events))
    if finding.got is not ...:
        lines.append(f"expected  {shown(finding.expected)}")
        lines.append(f"got       {got(finding)}")
    parted = difference(finding)
    if parted:
        lines.append(f"differs   {parted}")
    if finding.line:
        lines.append(f"your {finding.line}")
    return lines


def way(finding: Finding) -> list[str]:
    """The run that shows it, the last event open; for a snapshot made by the check, the snapshot too."""
    where = f"{finding.setting}: " if finding.setting else ""
    if finding.by_hand:
        before = finding.before or {}
        visited = before.get("visited", [])
        history = shown(visited) if len(visited) <= 16 else f"{len(visited):,} entries"
        rejected = f", rejected {before['rejected']!r}" if before.get("rejected") else ""
        asked = f"{where}{finding.states[-1]} ──{_event(finding.events[-1])}──▶ ?"
        return [asked, f"from a snapshot made by the check: visited {history}{rejected}"]
    steps = zip(finding.states, finding.events, strict=True)
    return [where + "".join(f"{state} ──{_event(name)}──▶ " for state, name in steps) + "?"]


def _event(name: str) -> str:
    """An event's name as it is, or quoted where its blanks would not be seen."""
    return name if name.isidentifier() else repr(name)


def difference(finding: Finding) -> str | None:
    """Where expected and got part, when they are too long to see it at a glance."""
    whole = shown(finding.expected)
    if len(whole) <= 60 or not isinstance(finding.got, type(finding.expected)):
        return None
    return first_difference(_worded(finding.expected, finding.got), finding.got)


def _worded(expected: Any, found: Any) -> Any:
    """`expected` with the student's own sentence in the place of ours, where both have one: words are free."""
    ours = expected.get("rejected") if isinstance(expected, dict) else None
    theirs = found.get("rejected") if isinstance(found, dict) else None
    return {**expected, "rejected": theirs} if isinstance(ours, str) and isinstance(theirs, str) else expected


def got(finding: Finding) -> str:
    """What came, in one line."""
    return f"an exception: {finding.got}" if isinstance(finding.got, Raised) else shown(finding.got)


def sentence(message: str) -> str:
    """`message` with a full stop, and a capital unless it begins with code."""
    first = message.partition(" ")[0]
    capital = message[:1].upper() if first.isalpha() else message[:1]
    return capital + message[1:] + ("" if message.endswith((".", "!", "?")) else ".")


def _finding_as_json(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "message": finding.message,
        "events": list(finding.events),
        "expected": _json(finding.expected),
        "got": _json(finding.got),
    }


def _json(value: Any) -> Any:
    """`value` where JSON can hold it as it is, else its repr."""
    if value is ...:
        return None
    return value if _fits(value) else str(value) if isinstance(value, Raised) else shown(plain(value))


def _fits(value: Any) -> bool:
    if isinstance(value, dict):
        return all(isinstance(key, str) and _fits(item) for key, item in value.items())
    if isinstance(value, list):
        return all(map(_fits, value))
    if isinstance(value, float):
        return value - value == 0  # neither infinite nor not a number, which JSON lacks
    return value is None or isinstance(value, bool | int | str)
