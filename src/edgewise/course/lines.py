"""YAML text → plain data, and the line of every value: what lets a message say where."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

Where = tuple[str | int, ...]
"""The keys that lead to a value: ("sessions", "ch08", "date")."""

PLAIN = {f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null", "timestamp", "map", "seq")}


class Problem(NamedTuple):
    """One thing that is wrong, and the line it stands on."""

    line: int
    sentence: str


def read(text: str) -> tuple[Any, dict[Where, int], list[Problem]]:
    """The data (None if there is none), the line of every place in it, and what could not be read.

    Dates and times stay text, so that a wrong one is somebody else's problem.
    """
    yaml = YAML(typ="safe", pure=True)
    try:
        root = yaml.compose(text)
    except MarkedYAMLError as error:
        return None, {}, [_syntax(error)]
    except YAMLError as error:
        return None, {}, [_character(text, error)]
    except RecursionError:
        return None, {}, [Problem(1, "lists or mappings are nested too deeply to be read")]
    if root is None:
        return None, {}, [Problem(1, "the file is empty; it lists the course, its layout, limits and sessions")]
    reading = _Reading(yaml)
    return reading.value(root, ()), reading.places, reading.problems


class _Reading:
    """One walk over the nodes of a file."""

    def __init__(self, yaml: YAML) -> None:
        self.yaml = yaml
        self.places: dict[Where, int] = {}
        self.problems: list[Problem] = []
        self.met: set[int] = set()

    def value(self, node: Node, where: Where) -> Any:
        line = node.start_mark.line + 1
        self.places.setdefault(where, line)
        if id(node) in self.met:  # an alias; its anchor is the problem, and it may lead back to itself
            return None
        if node.anchor is not None:
            self.met.add(id(node))
            self.problems.append(Problem(line, f"the anchor '&{node.anchor}' is not used here; write the value out"))
        if str(node.tag) not in PLAIN:
            self.problems.append(Problem(line, f"the tag {str(node.tag)!r} is not used here; leave it out"))
            return None
        if isinstance(node, MappingNode):
            return self.mapping(node, where)
        if isinstance(node, SequenceNode):
            return [self.value(item, (*where, position)) for position, item in enumerate(node.value)]
        return self.scalar(node)

    def mapping(self, node: MappingNode, where: Where) -> dict[str, Any]:
        read: dict[str, Any] = {}
        for key, value in node.value:
            line = key.start_mark.line + 1
            if not isinstance(key, ScalarNode):
                self.problems.append(Problem(line, "a key is a list or a mapping; a key is one word"))
            elif key.value in read:
                first = self.places[(*where, key.value)]
                self.problems.append(Problem(line, f"{key.value!r} stands here a second time; first on line {first}"))
            else:
                self.places[(*where, key.value)] = line
                read[key.value] = self.value(value, (*where, key.value))
        return read

    def scalar(self, node: Node) -> Any:
        if str(node.tag).endswith(("str", "timestamp")):
            return node.value
        try:
            return self.yaml.constructor.construct_object(node)
        except ValueError:  # a number of more digits than Python converts
            return node.value


def _syntax(error: MarkedYAMLError) -> Problem:
    mark = error.problem_mark or error.context_mark
    line = 1 if mark is None else mark.line + 1
    said = error.problem or error.context or "the text ends too early"
    return Problem(line, f"cannot be read as YAML from here on: {said}")


def _character(text: str, error: YAMLError) -> Problem:
    position = getattr(error, "position", None)
    before = text[:position] if isinstance(position, int) else ""
    code = re.search(r"#x[0-9a-f]+", str(error))
    return Problem(before.count("\n") + 1, f"holds the control character {code.group() if code else '?'}; remove it")
