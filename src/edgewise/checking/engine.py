"""`examine`: one exercise, one student's objects, one Report."""

from __future__ import annotations

import copy
import importlib.util
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from types import ModuleType
from typing import Any

from edgewise.checking.calling import Caller, Stopped
from edgewise.checking.exercise import Asking, Check, Domain, Exploration, Finding, Misconception, Rule
from edgewise.checking.machines import MachineCheck
from edgewise.checking.report import Report
from edgewise.course import Course, Exercise

Opened = AbstractContextManager[Asking]

KNOWN_SECONDS = 30
"""The longest that all misconceptions together may take; they are ours, and take a few milliseconds each."""


AS_THE_CHECK_SAYS = Domain()

NOTHING = (
    "No points yet: they begin once a question of each kind is right, a move and a refusal, or each function's own."
)


class CheckError(Exception):
    """A check that could not be made: our fault or a wrong question, never the student's lost point."""

    def _render_traceback_(self) -> list[str]:
        """What IPython shows in the place of our frames."""
        return [f"Could not check: {self}"]


def examine(
    exercise: Exercise,
    objects: Sequence[object],
    course: Course,
    asking: Callable[[float], Opened] = Caller,
    domain: Domain = AS_THE_CHECK_SAYS,
) -> Report:
    """The report on `objects`, handed in as answers to `exercise` in the order it lists them.

    `asking(seconds)` opens a way to ask them; left out, they are called in this process. `domain` says how far they
    are asked. Whatever student code does is in the report. Raises CheckError when there is no check, or it breaks.
    """
    if exercise.written:
        raise CheckError(f"{exercise.id} is a written answer: a person reads it, and nothing checks it")
    check = load_check(course.check_path(exercise))
    handed = tuple(objects)
    if len(handed) != len(exercise.objects):
        call = f'check("{exercise.id}", {", ".join(exercise.objects)})'
        many = "object" if len(exercise.objects) == 1 else "objects"
        raise CheckError(f"{exercise.id} is handed {len(exercise.objects)} {many}, {call}; {len(handed)} came")
    try:
        check = check.within(domain)
        with asking(course.limits.check_seconds) as ask:
            unfit = check.unfit(handed, exercise.objects, ask)
            if unfit:
                return unasked(exercise, unfit)
            explored = check.explore(handed, ask)
            report = _report(exercise, check, explored)
            if report.outcome != "passed" and explored.stopped is None:
                findings = _with_line(report.findings, exercise, handed, ask)
                known = _known(exercise, check, handed, ask)
                report = replace(report, misconception=known, findings=findings)
    except Exception as error:
        raise CheckError(
            f"the check of {exercise.id} broke ({type(error).__name__}: {error}); this is a fault of the kit, not yours"
        ) from error
    return report


def unasked(exercise: Exercise, reason: str) -> Report:
    """The report on an answer that could not be asked anything."""
    return Report(
        exercise=exercise.id,
        title=exercise.title,
        outcome="not yet",
        max_points=float(exercise.points),
        findings=(Finding("Can be asked", reason),),
        domain="nothing, since nothing could be asked",
    )


def load_check(path: Path) -> Check:
    """`CHECK` of the check module in `path`. Raises CheckError when there is none."""
    module = _module(path, path.stat().st_mtime_ns if path.is_file() else 0)
    check = getattr(module, "CHECK", None)
    if check is None:
        raise CheckError(f"{path.name} defines no CHECK")
    return check  # type: ignore[no-any-return]


def _module(path: Path, changed: int) -> ModuleType:
    """The check module, imported once for each state of its file."""
    name = f"_edgewise_checks.{path.stem}_{changed}_{abs(hash(str(path)))}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise CheckError(f"checks/{path.name} is not there")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a check module may even call sys.exit
        del sys.modules[name]
        raise CheckError(f"checks/{path.name} can't be imported ({type(error).__name__}: {error})") from error
    return module


def _report(exercise: Exercise, check: Check, explored: Exploration) -> Report:
    """Points and findings from what was observed."""
    broken = {rule.name: found for rule in check.rules if (found := _worst(rule, explored.wrong))}
    leading = {rule.name for rule in check.rules if rule.leads}
    findings = sorted(
        broken.values(), key=lambda finding: (finding.rule not in leading, finding.by_hand, len(finding.events))
    )
    findings = [_named_as(exercise, finding) for finding in findings]
    if explored.stopped:
        findings.insert(0, _named_as(exercise, explored.stopped))
    kept = tuple(rule.name for rule in check.rules if rule.name not in broken)
    earning = frozenset() if explored.stopped else explored.earns
    share = sum(rule.share for rule in check.rules if rule.name in kept and rule.about in earning)
    return Report(
        exercise=exercise.id,
        title=exercise.title,
        outcome="not yet" if findings else "passed",
        points=min(round(float(exercise.points * share), 9), float(exercise.points)),
        max_points=float(exercise.points),
        findings=tuple(findings),
        domain=explored.domain,
        kept=kept if findings and share else (),
        broken=() if explored.stopped else tuple(broken),
        edges=explored.edges,
        nothing=NOTHING if findings and not share and not explored.stopped else "",
        next_steps=_next_steps(exercise, check, findings),
    )


def _named_as(exercise: Exercise, finding: Finding) -> Finding:
    """The finding with the student's own name for what the rules call `step`."""
    return replace(finding, message=finding.message.replace("`step`", f"`{exercise.objects[0]}`"))


def _next_steps(exercise: Exercise, check: Check, findings: list[Finding]) -> tuple[str, ...]:
    """What to type next: a walk along the run that shows it, and a hint."""
    if not findings:
        return ()
    lead, steps = findings[0], []
    if isinstance(check, MachineCheck) and not lead.by_hand and all(name.isidentifier() for name in lead.events):
        titles = [setting.title for setting in check.settings]
        which = f", machine={titles.index(lead.setting) + 1}" if len(titles) > 1 else ""
        steps.append(f'walk("{exercise.id}", {exercise.objects[0]}, "{" ".join(lead.events)}"{which})')
    return (*steps, f'hint("{exercise.id}")')


def _with_line(
    findings: tuple[Finding, ...], exercise: Exercise, objects: tuple[Any, ...], ask: Asking
) -> tuple[Finding, ...]:
    """The findings, the first with the student's line that answered, where asking once more finds it."""
    lead = findings[0]
    if lead.line or lead.asked is None:
        return findings
    name, arguments, keywords = lead.asked
    answer = objects[exercise.objects.index(name) if name else 0]
    line = ask.last_line(answer, *copy.deepcopy(arguments), **copy.deepcopy(dict(keywords)))
    return (replace(lead, line=line), *findings[1:])


def _worst(rule: Rule, observations: Sequence[Any]) -> Finding | None:
    """The finding of the smallest observation that breaks the rule, and how many others break it."""
    breaks = rule.breaks
    broken = [observation for observation in observations if breaks(observation)]
    if not broken:
        return None
    found = rule.holds(min(broken, key=lambda observation: observation.size))
    questions = {observation.question for observation in broken}
    return replace(found, like=max(len(questions - {None}) - 1, 0)) if found else None


def _known(exercise: Exercise, check: Check, objects: tuple[Any, ...], ask: Asking) -> tuple[str, str] | None:
    """The name and sentence of the misconception that answers every question as one of these objects does."""
    handed = {**dict(zip(exercise.objects, objects, strict=True)), "": objects[0]}
    abouts = dict.fromkeys(known.about for known in check.misconceptions)
    theirs = {about: _Worked(check.behaviour(handed[about], about, ask)) for about in abouts}
    try:
        for known in check.misconceptions:
            if _is_alike(theirs[known.about], _behaviour_of(known, check)):
                return known.name, known.message
    except Stopped:
        return None
    return None


def _is_alike(theirs: Iterable[Any], ours: Iterable[Any]) -> bool:
    """Whether two behaviours are the same, and wrong at all."""
    wrong = False
    for mine, other in zip_longest(theirs, ours):
        if mine != other:
            return False
        wrong = True
    return wrong


def _behaviour_of(known: Misconception, check: Check) -> _Worked:
    """What a misconception gets wrong, worked out as far as it was needed yet: most differ at once."""
    if id(known) not in _BEHAVIOURS:
        worked = _Worked(check.behaviour(known.answer, known.about, Caller(KNOWN_SECONDS)))
        _BEHAVIOURS[id(known)] = (known, worked)
    return _BEHAVIOURS[id(known)][1]


class _Worked:
    """An iterable that remembers what its source gave, and goes on from there."""

    def __init__(self, source: Iterator[Any]) -> None:
        self._source = source
        self._given: list[Any] = []

    def __iter__(self) -> Iterator[Any]:
        yield from self._given
        for item in self._source:
            self._given.append(item)
            yield item


_BEHAVIOURS: dict[int, tuple[Misconception, _Worked]] = {}
"""By the misconception's id, and with it, so that it lives: no second check works its behaviour out again."""
