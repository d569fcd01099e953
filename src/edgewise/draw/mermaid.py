"""A picture as Mermaid text, and a table read back from it (M-40)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from edgewise.draw.picture import Arrow, Node, Picture, picture
from edgewise.machine import Rows, Table


def mermaid_text(
    table: Table | Rows,
    *,
    initial: str | None = None,
    states: Iterable[str] | None = None,
    caps: Mapping[str, int] | None = None,
) -> str:
    """The table as Mermaid's `graph LR`: one arrow a row, in the table's order, labelled with its event."""
    return write_mermaid(picture(table, initial=initial, states=states, caps=caps, title=""))


def write_mermaid(shown: Picture) -> str:
    """Mermaid text of a picture: thin and thick arrows are rows, dotted ones are not."""
    ids = _ids(shown.nodes)
    lines = ["graph LR"]
    lines += [f"    {ids[node.name]}{_box(node)}" for node in shown.nodes]
    lines += [_arrow(arrow, ids) for arrow in shown.arrows]
    if shown.refused is not None:
        state, event = shown.refused
        lines += [f"    {ids[state]} -.-x|{_quoted(event)}| {ids[None]}[{_quoted('× refused')}]"]
    for number, answer in enumerate(shown.wrong):
        end = f"{ids[None]}y{number or ''}[{_quoted(answer.got)}]" if answer.target is None else ids[answer.target]
        lines += [f"    {ids[answer.state]} -.->|{_quoted(answer.event, 'yours')}| {end}"]
    return "\n".join([*lines, ""])


def _ids(nodes: tuple[Node, ...]) -> dict[str | None, str]:
    """An id for each name, and under None one that is free.

    Mermaid reserves words such as `end` without saying which, so that a name stands in quotes and the id is
    the name only with an `s_` before it, or else its number.
    """
    ids: dict[str | None, str] = {}
    for number, node in enumerate(nodes, 1):
        ids[node.name] = f"s_{node.name}" if re.fullmatch(r"[A-Za-z0-9_]+", node.name) else f"s{number}"
    ids[None] = "mark"
    return ids


def _box(node: Node) -> str:
    """Round ends begin a run, a doubled frame ends one, six corners hold a cap."""
    left, right = "(", ")"
    if node.cap is not None:
        left, right = "{{", "}}"
    elif node.is_terminal:
        left, right = "[[", "]]"
    elif node.is_initial:
        left, right = "([", "])"
    return f"{left}{_quoted(node.name, *node.notes)}{right}"


def _arrow(arrow: Arrow, ids: dict[str | None, str]) -> str:
    line = "-.->" if not arrow.is_declared else "==>" if arrow.steps else "-->"
    return f"    {ids[arrow.source]} {line}|{_quoted(arrow.event, *arrow.notes)}| {ids[arrow.target]}"


def _quoted(name: str, *notes: str) -> str:
    """A Mermaid string; every sign that means something to Mermaid or HTML is written as its number."""
    return '"' + "<br>".join(re.sub(r'[#"<>&|`\\\n\r\t]', _numbered, text) for text in (name, *notes)) + '"'


def _numbered(sign: re.Match[str]) -> str:
    return f"#{ord(sign[0])};"


# --- Reading it back --------------------------------------------------------------------------------

_STRING = r'"([^"]*)"'
_NODE = re.compile(rf"\s*(\w+)(?:\(\[|\[\[|\{{\{{|\(|\[){_STRING}(?:\]\)|\]\]|\}}\}}|\)|\])\s*")
_ARROW = re.compile(rf"\s*(\w+) (?:-->|==>)\|{_STRING}\| (\w+)\s*")
_MARK = re.compile(rf"\s*(\w+) -\.-[x>]\|{_STRING}\| .*")


def read_mermaid(text: str) -> dict[tuple[str, str], str]:
    """The table a Mermaid text was written from: its thin and thick arrows, in order.

    Reads what `mermaid_text` and `Drawing.mermaid` write. Raises ValueError, with the number of the line, for
    anything else.
    """
    names: dict[str, str] = {}
    table: dict[tuple[str, str], str] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if node := _NODE.fullmatch(line):
            names[node[1]] = _read(node[2])
        elif arrow := _ARROW.fullmatch(line):
            pair = (names.get(arrow[1], arrow[1]), _read(arrow[2]))
            if pair in table:
                raise ValueError(f"line {number} leads {pair!r} on a second time; one pair has one target")
            table[pair] = names.get(arrow[3], arrow[3])
        elif line.strip() not in {"", "graph LR"} and not _MARK.fullmatch(line):
            raise ValueError(f'line {number} is not an arrow of the form a -->|"event"| b: {line!r}')
    return table


def _read(quoted: str) -> str:
    name = quoted.partition("<br>")[0]
    return re.sub(r"#(\d+);", lambda number: chr(int(number[1])), name)
