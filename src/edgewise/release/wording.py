"""How the sentences of a check are worded: no blame, no "just", and a full stop at the end."""

from __future__ import annotations

import re
from collections.abc import Iterator

from edgewise.checking.engine import CheckError, load_check
from edgewise.checking.exercise import Check, Rule
from edgewise.checking.machines import MachineCheck
from edgewise.course import Course, Session
from edgewise.release.files import named

UNKIND = re.compile(
    r"\b(invalid|illegal|just|simply|obvious(?:ly)?|of course|trivial(?:ly)?|easy|easily)\b",
    re.IGNORECASE,
)
"""Words that blame the reader, or make light of what is hard for them."""


def findings(course: Course, session: Session) -> Iterator[str]:
    """One sentence for each message of a check that is not worded as it should be."""
    for exercise in session.exercises:
        path = course.check_path(exercise)
        if exercise.written or not path.is_file():
            continue
        try:
            check = load_check(path)
        except CheckError:
            continue  # what can't be imported is named where it is run
        for where, message in messages(check):
            yield from (f"{named(course, path)}: {where} {said}" for said in _said(message))


def messages(check: Check) -> Iterator[tuple[str, str]]:
    """Every sentence of the check that a student can read, and where it stands."""
    for rule in check.rules:
        yield f"the rule {rule.name!r}", f"{rule.name}."
        yield f"the hint on {rule.name!r}", check.hints.by_rule.get(rule.holds, "")
    yield "the neighbour case", check.hints.neighbour
    for known in check.misconceptions:
        yield f"the misconception {known.name!r}", known.message
        if not any(rule.holds is known.breaks for rule in check.rules):
            yield f"the misconception {known.name!r}, which breaks {Rule(known.breaks, 0).name!r}, no rule here:", ""
    if isinstance(check, MachineCheck):
        for setting in check.settings:
            for script in setting.scripts:
                yield f"the script {script.title!r}", script.hint or f"{script.title}."


def _said(message: str) -> Iterator[str]:
    for word in UNKIND.findall(message):
        yield f"says {word!r}; say what happened, and what is possible"
    if not message.strip():
        yield "says nothing; write a sentence"
    elif not message.rstrip().endswith((".", "?", "!")):
        yield "does not end like a sentence"
