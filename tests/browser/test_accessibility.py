"""Reports and drawings under axe-core: nothing of ours is seriously hard to use."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from edgewise.checking.engine import examine
from edgewise.checking.page import page as html_of
from edgewise.course import load_course
from edgewise.draw import draw
from edgewise.machine import STORM, TRANSITIONS, step

from .conftest import ROOT, Server
from .opened import Opened
from .test_lab import BACK_TO_THE_START, NOTEBOOK, TABLE

SHELL = """<!doctype html><html lang="en"><head><title>A report</title></head>
<body><main><h1>A report</h1>{}</main></body></html>"""


def violations(page: Page, selector: str) -> list[str]:
    """What axe-core calls serious or critical in the elements of `selector`, one line for each element."""
    found = Axe().run(page, context={"include": [[selector]]}).response["violations"]
    return [
        f"{rule['id']} ({rule['impact']}): {node['html']}"
        for rule in found
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]


def sent_home(state: dict, event: dict) -> dict:
    """A `step` that sends an undeclared event back to the start."""
    target = TRANSITIONS.get((state["state"], event["name"]), "planning")
    return {"state": target, "visited": [*state["visited"], target], "rejected": None}


def right(state: dict, event: dict) -> dict:
    """A `step` that is right, and not the library's own function."""
    return step(state, event)


def report(answer: Callable[[dict, dict], dict]) -> str:
    course = load_course(ROOT / "course.yml")
    return html_of(examine(course.exercise("ch08-e3"), (answer,), course))


SHOWN = {
    "a report on a wrong answer": lambda: report(sent_home),
    "a report on a right answer": lambda: report(right),
    "a table": lambda: draw(TRANSITIONS).svg(),
    "a refusal": lambda: draw(STORM, visited=["planning", "retrieving"], refused=("retrieving", "plan_ready")).svg(),
    "a wrong edge": lambda: draw(
        STORM, caps={"retrieving": 3}, wrong=[("answering", "hits", "planning", "here")]
    ).svg(),
}


@pytest.mark.parametrize("made", SHOWN.values(), ids=SHOWN.keys())
def test_nothing_in_a_plain_page_is_seriously_hard_to_use(page: Page, made: Callable[[], str]) -> None:
    page.set_content(SHELL.format(made()))

    assert violations(page, "main") == []


def test_reports_and_drawings_are_easy_to_use_in_both_themes(lab: Server, page: Page) -> None:
    notebook = Opened.at(page, lab.url(NOTEBOOK))
    notebook.write("ch08-e1", TABLE)
    notebook.write("ch08-e3", BACK_TO_THE_START)
    notebook.run_all()

    found = {}
    for theme in ("JupyterLab Light", "JupyterLab Dark"):
        notebook.theme(theme)
        found[theme] = violations(page, ".jp-RenderedHTML")

    assert found == {"JupyterLab Light": [], "JupyterLab Dark": []}
