"""The `edgewise` command: reads arguments, calls the rest, prints, sets the exit status."""

from __future__ import annotations

import typer

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Loops and graphs: a Jupyter teaching kit.")


@app.callback()
def _edgewise() -> None:
    """Loops and graphs: a Jupyter teaching kit."""


def main() -> None:
    """What the console script runs."""
    app()
