"""What a student wrote is shown by formgrader and as feedback, and does nothing there."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from nbconvert.exporters import HTMLExporter
from nbformat import NotebookNode
from nbgrader.server_extensions.formgrader import handlers
from traitlets.config import Config

from edgewise.draw import draw
from edgewise.machine import STORM
from edgewise.release.config import configure
from tests.release.conftest import Small

from .hostile import ATTACKS, PNG, dangers, notebook, ran, raw, shows, words

PAGES = ("formgrade", "feedback")
Shown = Callable[..., str]


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    """The page of a notebook, as formgrader or the feedback shows it; `stock` is nbgrader without our settings."""
    ours = Config()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", "/usr/bin")
        configure(ours, Small(tmp_path_factory.mktemp("course") / "kit").root)
    exporters = {
        (page, stock): HTMLExporter(
            config=Config() if stock else copy.deepcopy(ours),
            template_name=page,
            extra_template_basedirs=[handlers.template_path],
            extra_template_paths=[str(Path(handlers.static_path) / "node_modules/bootstrap/dist/css")],
        )
        for page in PAGES
        for stock in (True, False)
    }
    for exporter in exporters.values():
        exporter.register_preprocessor(points)

    def show(nb: NotebookNode, page: str = "formgrade", *, stock: bool = False, **named: Any) -> str:
        scores = {"notebook": "graph", "score": 1, "max_score": 3, "late_penalty": 0}
        resources = {"base_url": "", "index": 0, "total": 1, "student": "ada", "nbgrader": scores, **named}
        return str(exporters[page, stock].from_notebook_node(nb, resources=resources)[0])

    return show


def points(nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
    """What nbgrader's GetGrades adds from the gradebook, after our preprocessor."""
    for cell in nb.cells:
        if "nbgrader" in cell.metadata:
            cell.metadata.nbgrader |= {"score": 1.0, "points": 3.0}
    return nb, resources


@pytest.mark.filterwarnings("ignore:Your element with mimetype")
@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS.keys())
def test_an_attack_reaches_its_aim_in_nbgraders_page_and_not_in_ours(
    shown: Shown, attack: NotebookNode, page: str
) -> None:
    innocent = notebook(*(words("x") if cell.cell_type == "markdown" else ran() for cell in attack.cells))

    theirs = dangers(shown(attack, page, stock=True)) - dangers(shown(innocent, page, stock=True))
    ours = dangers(shown(attack, page)) - dangers(shown(innocent, page))

    assert (bool(theirs), dict(ours)) == (True, {})


@pytest.mark.parametrize("named", ["student", "last_name", "first_name", "notebook_path"])
def test_a_name_that_is_html_is_text_in_formgrader(shown: Shown, named: str) -> None:
    names = {"last_name": "L", "first_name": "F"} if named.endswith("name") else {}
    attack = names | {named: '"><img src=x onerror=probe()>'}
    innocent = names | {named: "ada"}

    theirs = dangers(shown(notebook(), stock=True, **attack)) - dangers(shown(notebook(), stock=True, **innocent))
    ours = dangers(shown(notebook(), **attack)) - dangers(shown(notebook(), **innocent))

    assert (sorted(theirs), sorted(ours)) == (["img onerror", "img src=x"], [])


PLAIN = """
# What a refusal is

A *refusal* keeps the run **where it is**, see [the rules](https://example.org/rules?a=1&b=2) and `a < b && c`.

1. one, with $x_1 < \\frac{a}{b}$
2. two
   - a ~~third~~ & more

| state | event |
|:------|------:|
| `planning` | 3 < 4 |

```python
if a < b and c > d:  # \\href{x}{y}
    print("<b>&amp;</b>")
```

> quoted

$$\\begin{aligned} a &= b \\\\ c &< d \\end{aligned}$$
"""


def read(page: str) -> list[tuple[str, str]]:
    """The elements of the written answer and their text, in order, our box and the ids of headings aside."""
    answer = BeautifulSoup(page, "html.parser").select_one(".text_cell_render")
    return [(tag.name, tag.get_text()) for tag in answer.find_all(True) if "contain:" not in tag.get("style", "")]


@pytest.mark.parametrize("page", PAGES)
def test_an_ordinary_written_answer_looks_as_before(shown: Shown, page: str) -> None:
    answer = notebook(words(PLAIN))

    assert read(shown(answer, page)) == read(shown(answer, page, stock=True))


def test_code_in_a_fence_reads_as_it_was_written(shown: Shown) -> None:
    page = shown(notebook(words("```mermaid\na --> b & <c>\n```\n\n```text\na < b && c\n```")))

    assert [code.get_text() for code in BeautifulSoup(page, "html.parser").select("pre")] == [
        "a --> b & <c>\n",
        "a < b && c\n",
    ]


def test_an_attached_picture_shows(shown: Shown) -> None:
    page = shown(notebook(words("![mine](attachment:a.png)", attachments={"a.png": {"image/png": PNG}})))

    assert images(page) == [(f"data:image/png;base64,{PNG}", "mine")]


def images(page: str) -> list[tuple[str, str]]:
    return [(image["src"], image["alt"]) for image in BeautifulSoup(page, "html.parser").select("img")]


def test_a_picture_that_is_elsewhere_is_named(shown: Shown) -> None:
    page = shown(notebook(words("![My &amp; plan](https://evil.test/a.png)![](b.png)")))

    assert read(page) == [
        ("p", "[a picture that is not shown: My & plan][a picture that is not shown: it has no description]")
    ]


@pytest.mark.parametrize("kind", ["text/html", "image/svg+xml"])
def test_a_drawing_shows_with_its_words(shown: Shown, kind: str) -> None:
    drawing = draw(STORM, title="The storm")
    found = images(shown(notebook(ran(shows({kind: drawing.svg()})))))

    assert [(src[:26], alt) for src, alt in found] == [("data:image/svg+xml;base64,", drawing.words.replace("\n", " "))]


def test_a_drawing_within_a_drawing_is_a_part_of_it(shown: Shown) -> None:
    nested = '<svg aria-label="outer"><svg aria-label="inner"><circle/></svg><svg/><style/></svg>'
    page = shown(notebook(words(f"{nested}<svg aria-label='alone'/><svg><title>named</title></svg>")))

    assert [alt for _, alt in images(page)] == ["outer", "alone", "named"]


@pytest.mark.parametrize(
    "answer",
    ["![mine](attachment:lost.png) and *why*", "*long* " * 5000],
    ids=["a picture is missing", "too long"],
)
def test_an_answer_that_cant_be_read_as_markdown_is_shown_as_it_is_written(shown: Shown, answer: str) -> None:
    assert read(shown(notebook(words(answer)))) == [("pre", answer)]


def test_a_task_list_shows_what_is_done(shown: Shown) -> None:
    page = shown(notebook(words("- [x] drawn\n- [ ] checked")))

    assert [text for name, text in read(page) if name == "li"] == ["☑ drawn", "☐ checked"]


def test_a_picture_keeps_its_size_and_words(shown: Shown) -> None:
    size = {"image/png": {"width": 30, "height": 20.5, "alt": 'a "dot"'}}
    image = BeautifulSoup(shown(notebook(ran(shows({"image/png": PNG}, size)))), "html.parser").select_one("img")

    assert {name: image[name] for name in ("width", "height", "alt")} == {
        "width": "30",
        "height": "20.5",
        "alt": 'a "dot"',
    }


TABLE = (
    '<style scoped>.dataframe tr {color: red}</style><table border="1" class="dataframe"><tr><td>1</td></tr></table>'
)
FRAMES = {
    "a table of pandas, without its style sheet": (shows({"text/html": TABLE}), "1"),
    "a formula": (shows({"text/latex": "$x < y$", "text/plain": "x"}), "$x < y$"),
    "Markdown": (shows({"text/markdown": "a *b*"}), "a b"),
    "Markdown that can't be read": (shows({"text/markdown": "![](attachment:a)"}), "![](attachment:a)"),
    "a script, by its words": (shows({"application/javascript": "probe()", "text/plain": "<Chart>"}), "<Chart>"),
    "a script, by its kind": (
        shows({"application/javascript": "probe()"}),
        "[not shown here: application/javascript]",
    ),
    "a drawing that is none": (shows({"image/svg+xml": "<svg><p>"}), "[a drawing that is not well-formed]"),
    "a drawing of another language": (
        shows({"text/html": "<svg xmlns='urn:x'/>"}),
        "[a drawing that is not well-formed]",
    ),
    "HTML that html.parser gives up on": (shows({"text/html": "<svg><![foo[ a"}), "<svg><![foo[ a"),
    "a result": (
        {"output_type": "execute_result", "data": {"text/plain": ["2", "\n3"]}, "metadata": {}, "execution_count": 1},
        "2\n3",
    ),
    "a traceback, without colours": (
        {"output_type": "error", "ename": "E", "evalue": "e", "traceback": ["\x1b[31m<b>E\x1b[0m: e"]},
        "<b>E: e",
    ),
    "printed text": ({"output_type": "stream", "name": "stdout", "text": "a <b> &amp;\n"}, "a <b> &amp;\n"),
}


@pytest.mark.parametrize(("output", "text"), FRAMES.values(), ids=FRAMES.keys())
def test_an_output_reads_as(shown: Shown, output: dict[str, Any], text: str) -> None:
    page = BeautifulSoup(shown(notebook(ran(output))), "html.parser")

    assert page.select_one(".output_subarea").get_text().strip() == text.strip()


def test_raw_text_reads_as_it_was_written(shown: Shown) -> None:
    page = BeautifulSoup(shown(notebook(raw("a <b> &amp; c"))), "html.parser")

    assert page.select_one("#notebook-container").get_text().strip() == "a <b> &amp; c"


def test_the_notebook_itself_stays_as_it_is(shown: Shown) -> None:
    cells = [cell for one in ATTACKS.values() for cell in one.cells]
    attack = notebook(*(cell | {"id": f"cell-{number}"} for number, cell in enumerate(cells)), title="x")
    before = copy.deepcopy(attack)
    shown(attack)

    assert attack == before
