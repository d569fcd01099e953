"""Drawings of a table: DOT, Mermaid, SVG a screen reader can read, and the same in words."""

from __future__ import annotations

from edgewise.draw.dot import dot_text, read_dot
from edgewise.draw.drawing import Drawing, draw
from edgewise.draw.mermaid import mermaid_text, read_mermaid
from edgewise.draw.svg import NoDotError

__all__ = ["Drawing", "NoDotError", "dot_text", "draw", "mermaid_text", "read_dot", "read_mermaid"]
