"""DOT text as inline SVG, by the Graphviz program that pip brings, or else by the system's."""

from __future__ import annotations

import html
import re
import shutil
import sysconfig
from functools import lru_cache
from pathlib import Path


class NoDotError(RuntimeError):
    """No Graphviz program that runs here."""


def render(dot: str, words: str) -> str:
    """The SVG of a DOT text, with `role="img"`, its words as `aria-label`, and no ids.

    Two drawings on one page cannot clash: nothing in them refers to an id, so none is kept.
    """
    drawn = layout(dot)
    body = re.sub(r"<!--.*?-->\s*", "", drawn[drawn.index("<svg") :], flags=re.DOTALL)
    body = re.sub(r'<g id="\w+"', "<g", body)
    label = html.escape(words.replace("\n", " ").translate(_VISIBLE))
    width, height = re.findall(r'(?:width|height)="(\d+)pt"', body)[:2]
    head = f'<svg role="img" aria-label="{label}" width="{width}" height="{height}" style="max-width:100%;height:auto"'
    return head + body[body.index(" viewBox=") :].rstrip()


@lru_cache(maxsize=64)
def layout(dot: str, program: Path | None = None) -> str:
    """SVG as Graphviz writes it; `program` instead of the first one here that runs. Raises NoDotError."""
    # Imported at the first drawing: it costs 50 ms, and most who import edgewise draw nothing.
    import graphviz
    from graphviz.backend import dot_command

    data = dot.translate(_VISIBLE).encode("utf-8", "backslashreplace")
    for found in programs() if program is None else (program,):
        dot_command.DOT_BINARY = found
        try:
            drawn: bytes = graphviz.pipe("dot", "svg", data, quiet=True)
        except (graphviz.ExecutableNotFound, graphviz.CalledProcessError, OSError):
            continue
        return drawn.decode()
    raise NoDotError("there is no Graphviz program here that runs; `pip install graphviz-pure` brings one")


_VISIBLE = {code: 0x2400 + code for code in range(32) if code != 10} | {127: 0x2421}
"""Control characters, which XML has no place for, as the signs Unicode has to show them."""


def programs() -> tuple[Path, ...]:
    """The Graphviz programs of this machine, the one that pip brings first: the same picture everywhere.

    A notebook kernel's PATH often lacks the folder of its own environment, so that one is searched as well.
    """
    scripts = sysconfig.get_path("scripts")
    found = (
        shutil.which("graphviz-pure", path=scripts),
        shutil.which("graphviz-pure"),
        shutil.which("dot"),
    )
    return tuple(dict.fromkeys(Path(program) for program in found if program))
