"""Whatever a cell shows fits nbformat, and what a reader needs of it is kept."""

from __future__ import annotations

from typing import Any

import nbformat
import pytest

from edgewise.grading.judging.outputs import DEEPEST, well_formed


def nested(deep: int) -> Any:
    made: Any = "x"
    for _ in range(deep):
        made = [made]
    return made


@pytest.mark.parametrize(
    ("data", "kept"),
    [
        ({"text/plain": "x", "image/png": 5, "text/html": None}, {"text/plain": "x"}),
        ({"application/json": {"a": [1, 2.5]}}, {"application/json": {"a": [1, 2.5]}}),
        ({"application/vnd.plotly.v1+json": {"a": None}}, {"application/vnd.plotly.v1+json": {"a": None}}),
        ({"application/json": [float("inf")]}, {}),
        ({"model/json": [1], "xjson": [1], "text/json": {"a": 1}}, {}),
        ({"application/json": nested(DEEPEST)}, {"application/json": nested(DEEPEST)}),
        ({"application/json": nested(DEEPEST + 1)}, {}),
        ({"application/json": nested(900)}, {}),
    ],
)  # fmt: skip
def test_data_of_no_form_that_notebooks_have_is_left_out(data: dict[str, Any], kept: dict[str, Any]) -> None:
    output = {"output_type": "display_data", "data": data, "metadata": {"isolated": True}}
    made = well_formed([output], 3)
    cell = nbformat.v4.new_code_cell(id="a", outputs=[nbformat.from_dict(one) for one in made])
    nbformat.validate(nbformat.v4.new_notebook(cells=[cell]))

    assert made == [{"output_type": "display_data", "data": kept, "metadata": {}}]


@pytest.mark.parametrize("said", [-5, 10**30, 1])
def test_a_results_number_is_its_cells(said: int) -> None:
    output = {"output_type": "execute_result", "execution_count": said, "data": {"text/plain": "5"}, "metadata": {}}

    assert well_formed([output], 3) == [{**output, "execution_count": 3}]
