"""The strip: a shape, a word and an accessible name for how far each exercise is."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from edgewise.checking.progress import Progress, Standing, Word
from edgewise.checking.strip import BEGUN, DONE, MOST, page, svg
from edgewise.course import Exercise


def standing(id_: str, word: Word, points: float | None = None) -> Standing:
    session, _, short = id_.partition("-")
    written = short.startswith("w")
    exercise = Exercise(id_, f"Title <{short}>", 10.0, () if written else ("f",), written, session, "n")
    return Standing(exercise, word, "n.ipynb", points)


FOUR = Progress(
    "my-sessions",
    (
        standing("ch01-e1", "done", 10.0),
        standing("ch01-e2", "begun", 2.5),
        standing("ch01-w1", "begun"),
        standing("ch01-e3", "not begun"),
        standing("ch01-e4", "not known"),
    ),
    ("a & b is not there",),
)


def texts(drawn: str) -> list[str]:
    return [node.text or "" for node in ET.fromstring(drawn).iter("text")]


def test_its_accessible_name_says_every_standing_and_what_is_next() -> None:
    root = ET.fromstring(svg(FOUR))

    assert (root.get("role"), root.get("aria-label")) == (
        "img",
        (
            "Progress: 1 of 5 done. ch01-e1 done; ch01-e2 begun (2.5 of 10 points); ch01-w1 begun (a person reads it); "
            "ch01-e3 not begun; ch01-e4 not known. next: ch01-e2 · Title <e2>, in n.ipynb."
        ),
    )


def test_each_mark_carries_its_name_its_word_and_its_points() -> None:
    assert texts(svg(FOUR)) == [
        *("ch01", "e1", "done", "e2 · next", "begun", "2.5 of 10", "w1", "begun"),
        *("e3", "not begun", "?", "e4", "not known"),
    ]


def test_each_word_has_a_shape_of_its_own() -> None:
    words: tuple[Word, ...] = ("done", "begun", "not begun", "not known")

    assert len({shape(word) for word in words}) == 4


def shape(word: Word) -> str:
    """The mark of a standing, without its colours and its words."""
    drawn = svg(Progress("f", (standing("ch01-w1", word),)))
    uncoloured = re.sub(r' (fill|stroke)="[^"]*"', "", drawn)
    return "".join(re.findall(r"<(?:circle|path)[^>]*>", uncoloured))


def test_the_page_says_what_is_next_how_many_are_done_and_each_note() -> None:
    html = page(FOUR)

    assert re.findall(r"<p style[^>]*>(.*?)</p>", html) == [
        "<strong>next: ch01-e2 · Title &lt;e2&gt;, in n.ipynb</strong> · 1 of 5 done",
        "a &amp; b is not there",
        "Worked out from the notebooks as they were saved last.",
    ]


def test_a_page_without_exercises_is_its_notes() -> None:
    assert page(Progress("f", (), ("f: there is no such folder",))) == (
        '<div><p style="margin: .25em 0">f: there is no such folder</p></div>'
    )


def test_it_can_stand_anywhere_and_shows_in_a_notebook() -> None:
    html = FOUR._repr_html_()

    assert (html, re.search(r"<script|\b(id|class)=", html)) == (page(FOUR), None)


def test_a_session_has_a_row_of_its_own_and_a_long_one_is_wrapped() -> None:
    many = [standing(f"ch01-e{number}", "done") for number in range(MOST + 1)]
    root = ET.fromstring(svg(Progress("f", (*many, standing("ch02-e1", "done")))))
    names = [node.get("y") for node in root.iter("text") if node.get("text-anchor") == "start"]

    assert (root.get("viewBox"), names) == ("0 0 888 276", ["43", "135", "227"])


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("colour", [DONE, BEGUN])
@pytest.mark.parametrize("page_colour", ["#ffffff", "#111111"])
def test_a_mark_stands_out_in_a_light_and_in_a_dark_theme(colour: str, page_colour: str) -> None:
    dark, light = sorted((luminance(colour), luminance(page_colour)))

    assert (light + 0.05) / (dark + 0.05) >= 3


def test_all_other_colours_are_the_pages_own() -> None:
    colours = set(re.findall(r'(?:fill|stroke)="([^"]*)"', svg(FOUR)))

    assert colours == {"currentColor", "none", "#fff", DONE, BEGUN}


def test_the_repr_says_the_same_in_words() -> None:
    assert repr(FOUR) == FOUR.text
