"""The inline SVG of a drawing."""

import re
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

from edgewise.draw import NoDotError, draw, svg
from edgewise.draw.dot import AMISS, INK, PAPER, WALKED
from edgewise.machine import STATES, STORM, TRANSITIONS

ODD = {('a\\b"c&d<e>&lt;', "x|y\n`z"): "żółć ∑", ("żółć ∑", "\\N\x00"): "end", ("end", ""): "start"}


def full():
    return draw(
        STORM,
        states=STATES,
        visited=["planning", "retrieving"],
        refused=("retrieving", "answered"),
        wrong=[("retrieving", "answered", None, "żółć")],
        caps={"retrieving": 3},
        title="A storm",
    )


def titles(drawn, kind):
    return sorted(re.findall(rf'class="{kind}[^"]*">\s*<title>(.*?)</title>', drawn, re.DOTALL))


def texts(drawn):
    root = ElementTree.fromstring(drawn)
    return ["".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text")]


def test_the_picture_is_an_image_that_says_its_words():
    root = ElementTree.fromstring(full().svg())

    assert {key: root.get(key) for key in ("role", "aria-label", "style")} == {
        "role": "img",
        "aria-label": full().words.replace("\n", " "),
        "style": "max-width:100%;height:auto",
    }


def test_every_state_event_and_mark_stands_in_the_picture_as_text():
    assert set(texts(full().svg())) == {
        *(*STATES, *(event for _, event in STORM)),
        *("initial", "terminal", "at most 3 entries", "now here", "step 1", "× refused", "yours", "yours:", "żółć"),
    }


def test_five_states_fit_a_notebooks_column():
    width, height = re.findall(r'(?:width|height)="(\d+)"', draw(TRANSITIONS, states=STATES).svg())[:2]

    assert int(width) <= 700 and int(height) <= 150


def test_the_picture_is_the_same_on_every_run():
    first = full().svg()
    svg.layout.cache_clear()

    assert full().svg() == first


def test_two_pictures_on_one_page_share_no_id():
    assert re.findall(r'\bid="|url\(|href="#', full().svg() + draw(TRANSITIONS).svg()) == []


def test_a_notebook_shows_the_svg():
    assert full()._repr_html_() == full().svg()


def test_any_name_is_drawn_as_it_is_written():
    drawing = draw(ODD, title='<script>"')

    assert texts(drawing.svg()) == [
        *('a\\b"c&d<e>&lt;', "initial", "żółć ∑", "x|y", "`z", "end", "\\N␀", "start", "terminal"),
    ]
    assert ElementTree.fromstring(drawing.svg()).get("aria-label", "").startswith('<script>".')


def test_a_lone_surrogate_is_drawn_as_text():
    assert "step" in draw({("a", "\ud800"): "b"}, visited=["a", "b"]).svg()


def luminance(colour):
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("colour", [INK, WALKED, AMISS])
def test_every_colour_is_legible_on_the_pictures_own_paper(colour):
    """4.5 to 1, as WCAG 2 asks of text; the paper is drawn, so that a dark page changes nothing."""
    assert (luminance(PAPER) + 0.05) / (luminance(colour) + 0.05) >= 4.5
    assert f'<polygon fill="{PAPER}" stroke="none"' in full().svg()


@pytest.mark.parametrize("drawing", [full(), draw(TRANSITIONS), draw(ODD)], ids=["marks", "plain", "odd names"])
def test_debians_dot_draws_the_same_nodes_and_arrows(drawing):
    """The second road: the program that pip brings against the system's."""
    system = shutil.which("dot", path="/usr/bin:/usr/local/bin:/opt/homebrew/bin")
    if system is None:
        pytest.skip("Debian's dot is not installed; `apt-get install graphviz` brings it")
    ours, theirs = (svg.layout(drawing.dot, program) for program in (svg.programs()[0], Path(system)))

    assert [titles(ours, kind) for kind in ("node", "edge")] == [titles(theirs, kind) for kind in ("node", "edge")]


def test_the_program_that_pip_brings_comes_first():
    assert svg.programs()[0].stem == "graphviz-pure"


def test_a_program_that_does_not_run_gives_way_to_the_next(monkeypatch):
    candidates = (Path("/nowhere/dot"), *svg.programs())
    monkeypatch.setattr(svg, "programs", lambda: candidates)

    assert draw(TRANSITIONS, title="second choice").svg().startswith('<svg role="img"')


def test_without_a_program_the_words_are_shown_with_what_to_do(monkeypatch):
    monkeypatch.setattr(svg, "programs", tuple)

    assert draw({}, title="<nobody>")._repr_html_() == (
        "<pre>&lt;nobody&gt;.\nStates: none.\n"
        "(there is no Graphviz program here that runs; `pip install graphviz-pure` brings one)</pre>"
    )


def test_without_a_program_the_svg_is_refused_in_a_sentence(monkeypatch):
    monkeypatch.setattr(svg, "programs", tuple)

    with pytest.raises(NoDotError) as caught:
        draw({}, title="nobody").svg()

    assert str(caught.value) == "there is no Graphviz program here that runs; `pip install graphviz-pure` brings one"
