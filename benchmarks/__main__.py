"""Run every benchmark, print a table; exit 1 if a goal was missed."""

from __future__ import annotations

import sys
from importlib import import_module

from rich.console import Console
from rich.table import Table

SUBJECTS = ("first_import", "one_step", "one_check", "one_class")
"""`python -m benchmarks one_step one_check` measures some of them; one_class takes a quarter of an hour."""


def main() -> int:
    """The table, a row a figure; how many goals were missed is the exit status's business."""
    table = Table(
        "subject",
        "figure",
        "measured",
        "goal",
        "",
        "from",
        title="Measured in one run, in turns; medians, and for a check the least of 25 rounds",
    )
    missed = 0
    for name in sys.argv[1:] or SUBJECTS:
        for figure in import_module(f"benchmarks.{name}").figures():
            missed += not figure.is_met
            verdict = "met" if figure.is_met else "missed"
            table.add_row(figure.subject, figure.what, figure.measured, figure.bound, verdict, figure.detail)
    Console(width=None if sys.stdout.isatty() else 160).print(table)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
