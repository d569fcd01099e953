"""A picture as DOT text, and a table read back from it (M-40)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from textwrap import wrap

from edgewise.draw.picture import Answer, Arrow, Node, Picture, picture
from edgewise.machine import Rows, Table

INK = "#1f1f1f"
PAPER = "#ffffff"
WALKED = "#0072b2"
AMISS = "#b34700"
"""Blue and vermilion of Okabe and Ito's palette, the second darkened until it is legible as text on PAPER."""

_HEAD = f"""\
    graph [rankdir=LR, bgcolor="{PAPER}", pad=0.1, nodesep=0.25, ranksep=0.4]
    node [fontname="Helvetica", fontsize=13, color="{INK}", fontcolor="{INK}"]
    node [shape=box, style=rounded, margin="0.1,0.06"]
    edge [fontname="Helvetica", fontsize=12, color="{INK}", fontcolor="{INK}", arrowsize=0.8]"""


def dot_text(
    table: Table | Rows,
    *,
    initial: str | None = None,
    states: Iterable[str] | None = None,
    caps: Mapping[str, int] | None = None,
    title: str = "machine",
) -> str:
    """The table as DOT: one arrow a row, in the table's order, labelled with its event."""
    return write_dot(picture(table, initial=initial, states=states, caps=caps, title=title))


def write_dot(shown: Picture) -> str:
    """DOT text of a picture. Arrows that are no row of the table carry a `class` that says what they are."""
    lines = [f"digraph {_quoted(shown.title)} {{", _HEAD]
    lines += [f"    {_quoted(node.name)}{_node_look(node)}" for node in shown.nodes]
    lines += _start(shown)
    lines += [_arrow(arrow) for arrow in shown.arrows]
    lines += _refused(shown)
    lines += [line for number, answer in enumerate(shown.wrong) for line in _wrong(shown, number, answer)]
    return "\n".join([*lines, "}", ""])


def _node_look(node: Node) -> str:
    """The shape that stands beside each word: a double line ends a run, eight corners hold a cap."""
    look = [f"label={_quoted(node.name, *node.notes)}"] if node.notes else []
    look += ["peripheries=2"] if node.is_terminal else []
    look += ["shape=octagon", 'style=""', 'margin="0.02,0.02"'] if node.cap is not None else []
    look += ["style=dashed"] if not node.is_declared else []
    look += [f'penwidth=2.5, color="{WALKED}"'] if node.is_visited else []
    return f" [{', '.join(look)}]" if look else ""


def _start(shown: Picture) -> Iterable[str]:
    mark = _free("start", shown)
    for node in shown.nodes:
        if node.is_initial:
            yield f"    {_quoted(mark)} [shape=point, width=0.09]"
            yield f"    {_quoted(mark)} -> {_quoted(node.name)} [class={_quoted('start')}]"


def _arrow(arrow: Arrow) -> str:
    look = [f"label={_quoted(arrow.event, *arrow.notes)}"]
    look += [f'class="walked", penwidth=2.5, color="{WALKED}"'] if arrow.steps and arrow.is_declared else []
    look += [f'class="undeclared", style=dashed, penwidth=2.5, color="{AMISS}"'] if not arrow.is_declared else []
    return f"    {_quoted(arrow.source)} -> {_quoted(arrow.target)} [{', '.join(look)}]"


def _refused(shown: Picture) -> Iterable[str]:
    if shown.refused is not None:
        state, event = shown.refused
        mark = _quoted(_free("refused", shown))
        yield f'    {mark} [label="× refused", style="", margin="0.05,0.02", height=0, color="{AMISS}"]'
        yield (
            f"    {_quoted(state)} -> {mark} "
            f'[label={_quoted(event)}, class="refused", style=dashed, arrowhead=tee, color="{AMISS}"]'
        )


def _wrong(shown: Picture, number: int, answer: Answer) -> Iterable[str]:
    look = f'class="yours", style=dashed, penwidth=2, arrowhead=vee, color="{AMISS}"'
    got = wrap(answer.got, 26, max_lines=3, placeholder=" …")
    if answer.target is not None:
        label = _quoted(answer.event, "yours", *got)
        yield f"    {_quoted(answer.state)} -> {_quoted(answer.target)} [label={label}, {look}]"
    else:
        mark = _quoted(_free(f"yours{number or ''}", shown))
        yield f'    {mark} [shape=note, style="", label={_quoted("yours:", *got)}, color="{AMISS}"]'
        yield f"    {_quoted(answer.state)} -> {mark} [label={_quoted(answer.event, 'yours')}, {look}]"


def _free(wish: str, shown: Picture) -> str:
    """The wish, lengthened until no state is called so."""
    taken = {node.name for node in shown.nodes}
    while wish in taken:
        wish += "_"
    return wish


_ESCAPES = {"\\": r"\\", '"': r"\"", "\n": r"\n", "&": "&amp;"}
_PLAIN = {escape: sign for sign, escape in _ESCAPES.items()}


def _quoted(name: str, *notes: str) -> str:
    """A DOT string of the name alone, then, joined on with `+`, one of the lines below it."""
    below = "".join(f"\n{note}" for note in notes)
    texts = [name, below] if below else [name]
    return " + ".join('"' + re.sub(r'[\\"\n&]', lambda sign: _ESCAPES[sign[0]], text) + '"' for text in texts)


# --- Reading it back --------------------------------------------------------------------------------

_STRING = r'"((?:[^"\\]|\\.)*)"'
_NAME = rf"(?:{_STRING}|(\w+))"
_ARROW = re.compile(rf"\s*{_NAME}\s*->\s*{_NAME}\s*(?:\[(.*)\])?\s*;?\s*", re.DOTALL)
_OTHER = re.compile(rf"\s*(?:(?:strict\s+)?digraph\s*{_NAME}?\s*\{{|\}}|{_NAME}\s*(?:\[.*\])?\s*;?)?\s*", re.DOTALL)
_LABEL = re.compile(rf"(?<!\w)label\s*=\s*{_NAME}")
_MARK = re.compile(r'class="(?:start|undeclared|refused|yours)"')


def read_dot(text: str) -> dict[tuple[str, str], str]:
    """The table a DOT text was written from: its arrows, in order, without the marks of a run.

    Reads what `dot_text` and `Drawing.dot` write, and hand-written text of that form: one arrow a line,
    with a label. Raises ValueError, with the number of the line, for anything else.
    """
    table: dict[tuple[str, str], str] = {}
    for number, line in enumerate(text.split("\n"), 1):
        arrow = _ARROW.fullmatch(line)
        if arrow is None:
            if not _OTHER.fullmatch(line):
                raise ValueError(f'line {number} is not an arrow of the form "a" -> "b" [label="event"]: {line!r}')
        elif not _MARK.search(arrow[5] or ""):
            label = _LABEL.search(arrow[5] or "")
            if label is None:
                raise ValueError(f"line {number} has an arrow without a label; a row needs its event: {line!r}")
            pair = (_read(arrow[1], arrow[2]), _read(label[1], label[2]))
            if pair in table:
                raise ValueError(f"line {number} leads {pair!r} on a second time; one pair has one target")
            table[pair] = _read(arrow[3], arrow[4])
    return table


def _read(quoted: str | None, bare: str | None) -> str:
    if quoted is None:
        return bare or ""
    return re.sub(r'\\[\\"n]|&amp;', lambda escape: _PLAIN[escape[0]], quoted)
