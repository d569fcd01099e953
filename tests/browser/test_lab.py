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


def test_edgewise_lab_says_what_it_did_and_prints_the_address(lab: Server) -> None:
    ours = [line for line in lab.printed if line and line[0] not in " ["]

    assert ours == [
        "Building the students' version of session 8 …",
        "ch08/five-state-machine.ipynb is ready",
        "ch08/partial-failures.ipynb is ready",
        "ch08/retry-storms.ipynb is ready",
        "Opening ch08/five-state-machine.ipynb in my-sessions/; Ctrl-C ends JupyterLab.",
    ]
    assert lab.printed[-1].strip().endswith(f"/lab/tree/ch08/five-state-machine.ipynb?token={lab.token}")


def test_the_first_view_is_the_notebook_without_news_or_an_instructors_menu(lab: Server, page: Page) -> None:
    notebook = Opened.at(page, lab.url(NOTEBOOK))

    menus = page.locator("#jp-MainMenu .lm-MenuBar-itemLabel").all_inner_texts()

    assert menus == ["File", "Edit", "View", "Run", "Kernel", "Tabs", "Settings", "Help"]
    assert (page.locator(".Toastify__toast").count(), notebook.faults) == (0, [])


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
