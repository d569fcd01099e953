"""Hints, one step at a time: from the finding, from its rule, and from a neighbour case worked through."""

from __future__ import annotations

from edgewise.checking.exercise import Check, Finding
from edgewise.checking.values import shown


def hints_for(finding: Finding, check: Check) -> tuple[str, ...]:
    """The hints on a finding, the gentlest first; none gives the solution away."""
    by_rule = [check.hints.by_rule[rule.holds] for rule in check.rules if rule.name == finding.rule]
    return (_from_the_finding(finding), *by_rule, f"A neighbour case. {check.hints.neighbour}")


def _from_the_finding(finding: Finding) -> str:
    if finding.machine is None:
        asked = f"Take {finding.events[0]}. " if finding.events else ""
        return f"{asked}Work it out on paper, from the exercise's text alone, before you look at your code again."
    state, event = finding.states[-1], finding.events[-1]
    target = finding.machine.table.get((state, event))
    visited = (finding.before or {}).get("visited", [])
    history = shown(visited) if len(visited) <= 16 else f"{len(visited):,} entries"
    row = "has no row" if target is None else f"leads to {target!r}"
    return (
        f"Look at one call: {event!r} comes in {state!r}, with visited {history}. In the table this pair {row}. "
        "Go through your code with these values, line by line. Where does it first do something you did not expect?"
    )
