"""A hostile submission in Chromium: in formgrader and as feedback it does nothing, in nbgrader's own it does."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import Page, Request, expect

from demo import sample
from tests.grading.hostile import ATTACKS

from .conftest import Server, serving

STOCK = """\
from pathlib import Path
import edgewise.release.config as config
config._show_harmless = lambda c: None
config.configure(get_config(), Path(__file__).resolve().parent)
"""
LEAVES = {
    "a refresh leaves the page",
    "an address moves every later one",
    "a style sheet covers the page",
    "an id of the page takes its field",
    "a widget brings its own script",
    "nbgrader's mark on a cell is HTML",
}
"""Attacks after which nothing else of the page could be looked at; tests/grading has them one by one."""

NAME = "<img src=x onerror=probe('name')>"
TOUCH = """async () => {
    for (const one of document.querySelectorAll('.rendered_html *'))
        one.dispatchEvent(new PointerEvent('pointerenter', {bubbles: true}));
    for (const link of document.querySelectorAll('.rendered_html a'))
        if (link.protocol === 'javascript:') link.click();
    await new Promise(done => setTimeout(() => requestAnimationFrame(() => setTimeout(done))));
    const middle = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
    return middle.closest('[style*=fixed]') !== null;
}"""


@dataclass
class Seen:
    """What a page did beside showing itself."""

    ran: list[str] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    covered: bool = False


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The course with one graded submission, to which every attack was added."""
    folder = tmp_path_factory.mktemp("hostile") / "class"
    made = sample.prepare(folder)
    emil = next(student for student in sample.STUDENTS if student.id == "emil")
    sample.hand_in(made, sample.build(made, sample.SESSION), emil)
    sample.nbgrader(made, ["autograde", sample.SESSION])
    path = folder / "build/autograded/emil/ch08/five-state-machine.ipynb"
    raw = json.loads(path.read_text(encoding="utf-8"))
    attacks = [cell for reason, attack in ATTACKS.items() if reason not in LEAVES for cell in attack.cells]
    for number, cell in enumerate(attacks):
        raw["cells"].append(cell | {"id": f"attack-{number}", "metadata": {}})
    path.chmod(0o644)
    path.write_text(json.dumps(raw), encoding="utf-8")
    path.with_name("evil.html").write_text("<p>a page</p><script>probe('file')</script>", encoding="utf-8")
    with sqlite3.connect(folder / "build/gradebook.db") as gradebook:
        gradebook.execute("update student set first_name = 'E', last_name = ?", (NAME,))
    gradebook.close()
    return folder


@pytest.fixture(scope="module", params=[False, True], ids=["ours", "stock"])
def shown(request: pytest.FixtureRequest, course: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple]:
    """A server for the course, its folder, and whether nbgrader shows it without us."""
    stock = request.param
    folder = shutil.copytree(course, tmp_path_factory.mktemp("shown") / "class")
    if stock:
        (folder / "nbgrader_config.py").write_text(STOCK, encoding="utf-8")
    sample.nbgrader(sample.load_course(folder / "course.yml"), ["generate_feedback", sample.SESSION])
    root = ["--allow-root"] if os.geteuid() == 0 else []
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", *root]
    for server in serving(command, folder, tmp_path_factory.mktemp("home")):
        yield server, folder, stock


def watched(page: Page) -> Seen:
    """What the page will have done, kept up to date."""
    seen = Seen()

    def asks(request: Request) -> None:
        address = urlsplit(request.url)
        if address.hostname == "evil.test" or address.path.endswith(("/logout", "/x")):
            seen.asked.add(request.url)

    page.on("request", asks)
    page.on("dialog", lambda dialog: (seen.ran.append("a dialog"), dialog.dismiss()))
    page.on("popup", lambda _: seen.ran.append("a window"))
    page.expose_function("probe", lambda what="a script": seen.ran.append(what))
    return seen


def touched(page: Page, seen: Seen) -> Seen:
    """The same, once the page was loaded and everything that was written in it touched."""
    page.wait_for_load_state("load")
    seen.covered = page.evaluate(TOUCH)
    return seen


def opened(page: Page, server: Server) -> None:
    """The hostile notebook in formgrader, with its fields."""
    page.goto(server.signed_in("formgrader/gradebook/ch08/five-state-machine"))
    link = page.locator("tbody tr td.name a").first
    page.goto(str(link.evaluate("link => link.href")))
    page.wait_for_selector("input.score#ch08-w1", state="attached")


def test_in_formgrader_nothing_runs_that_would(shown: tuple[Server, Path, bool], page: Page) -> None:
    server, _, stock = shown
    seen = watched(page)
    opened(page, server)
    touched(page, seen)

    did = (bool(seen.ran), bool(seen.asked), seen.covered, "name" in seen.ran)
    assert did == (stock, stock, stock, stock), seen


def test_in_feedback_nothing_runs_that_would(shown: tuple[Server, Path, bool], page: Page) -> None:
    _, folder, stock = shown
    seen = watched(page)
    page.goto((folder / "build/feedback/emil/ch08/five-state-machine.html").as_uri())
    touched(page, seen)

    assert (bool(seen.ran), bool(seen.asked), seen.covered) == (stock, stock, stock), seen


@pytest.mark.parametrize("where", ["manage_students/{}", "manage_students/{}/ch08", "manage_submissions/{}"])
def test_a_link_into_formgrader_runs_nothing_that_it_names(
    shown: tuple[Server, Path, bool], page: Page, where: str
) -> None:
    server, _, stock = shown
    page.goto(server.signed_in("formgrader/manage_students"))
    seen = watched(page)
    page.goto(f"{server.address}formgrader/" + where.format(quote('";probe("a link");"', safe="")))
    page.wait_for_load_state("load")

    assert set(seen.ran) == ({"a link"} if stock else set())


def test_a_page_that_was_handed_in_runs_nothing(shown: tuple[Server, Path, bool], page: Page) -> None:
    server, _, stock = shown
    opened(page, server)
    seen = watched(page)
    page.goto(server.signed_in(f"{urlsplit(page.url).path[1:]}evil.html"))  # a stock page has signed us out
    expect(page.get_by_text("a page")).to_be_visible()

    assert seen.ran == ["file"] * stock


@pytest.mark.parametrize("shown", [False], indirect=True, ids=["ours"])
@pytest.mark.parametrize("where", ["formgrader", "feedback"])
def test_the_report_and_its_drawing_are_seen(shown: tuple[Server, Path, bool], page: Page, where: str) -> None:
    server, folder, _ = shown
    if where == "formgrader":
        opened(page, server)
    else:
        page.goto((folder / "build/feedback/emil/ch08/five-state-machine.html").as_uri())
    report = page.get_by_role("group", name="Report on ch08-e3: not yet")
    drawing = report.get_by_role("img", name="The declared machine and this run").first

    expect(report).to_contain_text("ch08-e3 · The step · not yet · 0 of 10 points")
    expect(drawing).to_be_visible()
    assert drawing.evaluate("image => image.complete && image.naturalWidth > 300")
