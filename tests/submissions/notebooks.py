"""Odd notebooks: JSON that is no nbformat 4.5."""

from __future__ import annotations

from functools import partial

from tests.submissions.conftest import Handed
from tests.submissions.table import odd

of_format = partial(odd, "Format")


@of_format("graph: is in format 3; it was read as 4.5")
def format_3(handed: Handed) -> None:
    for cell in handed.cells:
        del cell["id"]
        if cell["cell_type"] == "code":
            cell["input"] = cell.pop("source")
            cell["language"] = "python"
    heading = {"cell_type": "heading", "level": 2, "metadata": {}, "source": ["My notes"]}
    sheet = {"cells": [heading, *handed.cells], "metadata": {}}
    handed.raw.update(nbformat=3, nbformat_minor=0, worksheets=[sheet])
    del handed.raw["cells"]


@of_format("graph: is in format 4.4; it was read as 4.5")
def format_4_4_without_ids(handed: Handed) -> None:
    handed.raw["nbformat_minor"] = 4
    for cell in handed.cells:
        del cell["id"]


@of_format("graph: is in format 5; it was read as 4.5")
def format_5(handed: Handed) -> None:
    handed.raw.update(nbformat=5, nbformat_minor=0)


@of_format("graph: is in format '4'; it was read as 4.5")
def format_as_text(handed: Handed) -> None:
    handed.raw["nbformat"] = "4"


@of_format("graph: names no format; it was read as 4.5")
def no_format(handed: Handed) -> None:
    del handed.raw["nbformat"], handed.raw["nbformat_minor"]


@of_format("graph: is in format 4; it was read as 4.5")
def a_minor_that_is_no_number(handed: Handed) -> None:
    handed.raw["nbformat_minor"] = None


@of_format("graph: has no metadata that can be read; the course's stands")
def no_metadata(handed: Handed) -> None:
    del handed.raw["metadata"]


@of_format(
    problems=("graph: 'graph.ipynb' holds no list of cells, so it is no notebook; nothing of it could be graded",),
    survive=False,
)
def no_cells(handed: Handed) -> None:
    del handed.raw["cells"]


@of_format(
    problems=("graph: 'graph.ipynb' holds no list of cells, so it is no notebook; nothing of it could be graded",),
    survive=False,
)
def cells_is_a_mapping(handed: Handed) -> None:
    handed.raw["cells"] = {"0": handed.cells[0]}


@of_format(
    "graph, 'ch08-e3': was deleted; the released cell was put back",
    "graph, 'ch08-e3-check': was deleted; the released cell was put back",
    "graph, 'ch08-w1': was deleted; the released cell was put back",
    "graph, 'setup': was deleted; the released cell was put back",
    survive=False,
)
def an_empty_list_of_cells(handed: Handed) -> None:
    handed.cells.clear()


@of_format(
    "graph, cell 3: has no metadata that can be read; it was read as empty",
    "graph, cell 5: has no metadata that can be read; it was read as empty",
    "graph, 'ch08-e3': had lost its name, the grade_id; it was found by its id",
    "graph, 'ch08-w1': had lost its name, the grade_id; it was found by its id",
)
def no_cell_metadata(handed: Handed) -> None:
    del handed.cell("step")["metadata"], handed.cell("why")["metadata"]


@of_format("graph, cell 1: has no metadata that can be read; it was read as empty")
def cell_metadata_is_a_list(handed: Handed) -> None:
    handed.cell("goal")["metadata"] = []


@of_format("graph, 'ch08-e3': its text is 5; it was read as empty", survive=False)
def source_is_a_number(handed: Handed) -> None:
    handed.cell("step")["source"] = 5


@of_format("graph, cell 1: its text is missing; it was read as empty")
def source_is_missing(handed: Handed) -> None:
    del handed.cell("goal")["source"]


@of_format("graph, cell 1: its text is a list; it was read as empty")
def source_is_a_list_of_numbers(handed: Handed) -> None:
    handed.cell("goal")["source"] = [1, 2]


@of_format(
    "graph, cell 2: is null, not a cell; it was left out",
    "graph, cell 3: is text, not a cell; it was left out",
    "graph, cell 4: is 7, not a cell; it was left out",
)
def null_and_text_for_cells(handed: Handed) -> None:
    handed.cells[1:1] = [None, "def step(): ...", 7]


@of_format(
    "graph, cell 1: is of the type 'video', which no notebook has; it was read as raw",
    "graph, 'ch08-e3': is of the type 'python', which no notebook has; it was read as raw",
    "graph, 'ch08-w1': names no type; it was read as raw",
    "graph, 'ch08-e3': was a raw cell; it is a code cell again",
    "graph, 'ch08-w1': was a raw cell; it is a markdown cell again",
)
def unknown_cell_types(handed: Handed) -> None:
    handed.cell("goal")["cell_type"] = "video"
    handed.cell("step")["cell_type"] = "python"
    del handed.cell("why")["cell_type"]


@of_format(
    "graph, 'ch08-w1': is of the type a list, which no notebook has; it was read as raw",
    "graph, 'ch08-w1': was a raw cell; it is a markdown cell again",
)
def a_cell_type_that_is_a_list(handed: Handed) -> None:
    handed.cell("why")["cell_type"] = ["markdown"]


@of_format("graph: 2 cells had no id of their own; new ids were given")
def bad_ids(handed: Handed) -> None:
    handed.cell("goal")["id"] = "a b"
    handed.cell("step")["id"] = 5


@of_format("graph: 5 cells had no id of their own; new ids were given")
def missing_ids(handed: Handed) -> None:
    for cell in handed.cells:
        del cell["id"]


@of_format("graph: 4 cells had no id of their own; new ids were given")
def duplicate_ids(handed: Handed) -> None:
    for cell in handed.cells:
        cell["id"] = "same"


@of_format()
def attachments_of_every_shape(handed: Handed) -> None:
    handed.cell("goal")["attachments"] = {"a.png": {"image/png": "AAAA", "x": 5}, "b": [], "c": None}


@of_format("graph: has 5,005 cells; the first 5,000 were read")
def six_thousand_cells(handed: Handed) -> None:
    handed.cells.extend({"cell_type": "raw", "id": f"x{n}", "metadata": {}, "source": ""} for n in range(5_000))


@of_format(
    *(f"graph, cell {number}: is null, not a cell; it was left out" for number in range(6, 46)),
    "graph: and 20 more repairs",
)
def sixty_nulls(handed: Handed) -> None:
    handed.cells.extend([None] * 60)
