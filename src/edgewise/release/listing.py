"""One more exercise in the text of a course.yml, every other character as it was."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TypeGuard

from ruamel.yaml import YAML
from ruamel.yaml.nodes import MappingNode, Node

from edgewise.course import Exercise, form, lines

PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9 '-]*[A-Za-z0-9]")
WORDS = re.compile(r"(?i)true|false|yes|no|on|off|null|none|y|n")
"""What YAML would not read as text, or has not always read as text."""


class ListingError(ValueError):
    """A course.yml whose layout has no place for one more line; the message says what to write there by hand."""


def entry(exercise: Exercise) -> str:
    """The exercise as a line of course.yml."""
    kind = "written: true" if exercise.written else f"objects: [{', '.join(exercise.objects)}]"
    return f"{exercise.id}: {{title: {_text(exercise.title)}, {kind}, points: {exercise.points:g}}}"


def listed(text: str, path: Path, exercise: Exercise) -> str:
    """`text`, the exercise put in after the others of its notebook. Raises ListingError."""
    line = entry(exercise)
    notebooks = _at(YAML(typ="safe", pure=True).compose(text), ("sessions", exercise.session, "notebooks"))
    notebook = _at(notebooks, (exercise.notebook,))
    exercises = _at(notebook, ("exercises",))
    made = text
    if _is_block(exercises):
        made = _put(text, exercises, [line])
    elif exercises is None and _is_block(notebook):
        made = _put(text, notebook, ["exercises:", f"  {line}"])
    if _exercises(made, path) != {*_exercises(text, path), exercise}:
        raise ListingError(
            f"{path.name} is not written one exercise a line there; "
            f"write this one yourself, under 'exercises' of {exercise.notebook!r}: {line}"
        )
    return made


def _text(words: str) -> str:
    """A text as YAML: plain if it can be, else in quotes, as JSON writes it."""
    is_plain = PLAIN.fullmatch(words) and not WORDS.fullmatch(words)
    return words if is_plain else json.dumps(words, ensure_ascii=False)


def _at(node: Node | None, where: tuple[str, ...]) -> Node | None:
    """The node that the keys lead to, None if there is none."""
    for name in where:
        pairs = node.value if isinstance(node, MappingNode) else []
        node = next((value for key, value in pairs if key.value == name), None)
    return node


def _is_block(node: Node | None) -> TypeGuard[MappingNode]:
    """Whether it is a mapping with a line for each key."""
    return isinstance(node, MappingNode) and not node.flow_style and bool(node.value)


def _put(text: str, mapping: MappingNode, new: list[str]) -> str:
    """The lines put in after the last of the mapping, as far in as its keys."""
    key, value = mapping.value[-1]
    old = text.splitlines(keepends=True)
    end = value.end_mark.line + (value.end_mark.column > 0)
    while end > key.start_mark.line + 1 and not old[end - 1].partition("#")[0].strip():
        end -= 1
    newline = "\r\n" if old[0].endswith("\r\n") else "\n"
    if not old[end - 1].endswith("\n"):
        old[end - 1] += newline
    indent = " " * key.start_mark.column
    return "".join([*old[:end], *(f"{indent}{line}{newline}" for line in new), *old[end:]])


def _exercises(text: str, path: Path) -> set[Exercise]:
    """The exercises of a course; none where the text is not one."""
    data, places, unread = lines.read(text)
    course, unfit = form.course(data, path, places)
    return set() if course is None or unread or unfit else set(course.exercises)
