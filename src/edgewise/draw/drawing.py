"""`draw`: one picture of a table, in every language it is asked for."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from edgewise.draw.dot import write_dot
from edgewise.draw.mermaid import write_mermaid
from edgewise.draw.picture import picture
from edgewise.draw.svg import NoDotError, render
from edgewise.draw.words import in_words
from edgewise.machine import Rows, Table


@dataclass(frozen=True, slots=True, repr=False)
class Drawing:
    """A picture as DOT, as Mermaid and in words; a notebook shows its SVG, a terminal its words."""

    dot: str
    mermaid: str
    words: str

    def svg(self) -> str:
        """Inline SVG with `role="img"` and the words as `aria-label`. Raises NoDotError."""
        return render(self.dot, self.words)

    def _repr_html_(self) -> str:
        try:
            return self.svg()
        except NoDotError as missing:
            return f"<pre>{html.escape(self.words)}\n({html.escape(str(missing))})</pre>"

    def __repr__(self) -> str:
        return self.words


def draw(
    table: Table | Rows,
    *,
    initial: str | None = None,
    states: Iterable[str] | None = None,
    visited: Iterable[str] = (),
    refused: tuple[str, str] | None = None,
    wrong: Iterable[tuple[str, str, str | None, str]] = (),
    caps: Mapping[str, int] | None = None,
    title: str = "A machine",
) -> Drawing:
    """The drawing of a table, left to right, and of one run over it.

    `states` and `initial` as for `Machine`. `visited`: the run's names in order; its arrows are bold and
    numbered. `refused`: (state, event), a dashed stub. `wrong`: each (state, event, target or None, what was
    got), a dashed arrow labelled "yours". `caps`: a state's most entries. Every mark has a shape and a word.
    """
    shown = picture(
        table,
        title=title,
        initial=initial,
        states=states,
        visited=visited,
        refused=refused,
        wrong=wrong,
        caps=caps,
    )
    return Drawing(write_dot(shown), write_mermaid(shown), in_words(shown))
