"""What a student sees in JupyterLab, as `edgewise lab` serves it."""

from __future__ import annotations

from playwright.sync_api import Page

from .conftest import Server
from .opened import Opened

NOTEBOOK = "lab/tree/ch08/five-state-machine.ipynb?reset"

TABLE = """\
TRANSITIONS: dict[tuple[str, str], str] = {
    ("planning", "plan_ready"): "retrieving",
    ("planning", "out_of_scope"): "refusing",
    ("retrieving", "hits"): "answering",
    ("retrieving", "no_hits"): "refusing",
    ("answering", "answered"): "done",
    ("refusing", "refused"): "done",
}"""
BACK_TO_THE_START = """\
def step(state, event):
    target = TRANSITIONS.get((state["state"], event["name"]), "planning")
    return {"state": target, "visited": [*state["visited"], target], "rejected": None}"""
REFUSES = """\
def step(state, event):
    current, name = state["state"], event["name"]
    if (current, name) not in TRANSITIONS:
        return {**state, "rejected": f"'{name}' came in '{current}', where no row is declared for it"}
    target = TRANSITIONS[current, name]
    return {"state": target, "visited": [*state["visited"], target], "rejected": None}"""


def test_a_student_answers_ch08_e3_wrongly_then_rightly_and_reads_why(lab: Server, page: Page) -> None:
    notebook = Opened.at(page, lab.url(NOTEBOOK))
    kernel = notebook.kernel()
    notebook.run("setup")
    notebook.run("order")
    notebook.write("ch08-e1", TABLE)

    table = notebook.run("ch08-e1-check")
    notebook.write("ch08-e3", BACK_TO_THE_START)
    wrong = notebook.run("ch08-e3-check")
    notebook.write("ch08-e3", REFUSES)
    right = notebook.run("ch08-e3-check")

    assert "2 of 2 points" in table
    assert "not yet" in wrong
    assert "10 of 10 points" in right
    assert (notebook.kernel(), notebook.faults) == (kernel, [])


def test_the_whole_notebook_runs_once_the_table_is_there(lab: Server, page: Page) -> None:
    notebook = Opened.at(page, lab.url(NOTEBOOK))
    notebook.write("ch08-e1", TABLE)

    notebook.run_all()

    assert None not in notebook.counts()
