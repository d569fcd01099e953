"""A chart that reads the same without its colours, without its picture, and in a dark theme."""

import re
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from edgewise.chart import LINES, SHAPES, Chart, chart

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def shown() -> Chart:
    return chart(
        {"steady": [80, 80, 80, 80], "one <retry>": [80, 160, 0, 2.5]},
        title="Load & stop",
        y="attempts",
        band=(1, 2, "server stopped"),
    )


def test_the_words_tell_the_axes_the_mark_and_each_series(shown: Chart) -> None:
    assert repr(shown).split("\n") == [
        "Load & stop.",
        "attempts by tick, 0 to 3.",
        "Marked: server stopped, 1 to 2.",
        "'steady': 80 throughout.",
        "'one <retry>': begins at 80, most 160 (first at 1), least 0 (first at 2), ends at 2.5.",
    ]


def test_the_svg_is_an_image_whose_label_is_the_words(shown: Chart) -> None:
    root = ET.fromstring(shown.svg())

    assert (root.get("role"), root.get("aria-label")) == ("img", shown.words.replace("\n", " "))


def test_the_svg_holds_no_script_no_id_and_no_reference(shown: Chart) -> None:
    assert re.findall(r"<script|<style|\bid=|href|url\(", shown.svg()) == []


def test_each_line_has_its_name_at_its_end_with_the_line_s_own_marker(shown: Chart) -> None:
    texts = [text.text for text in ET.fromstring(shown.svg()).iter(f"{SVG}text")]

    assert texts[-2:] == ["steady", "one <retry>"]


def test_the_same_numbers_give_the_same_picture() -> None:
    first, second = (chart({"a": [1, 2]}, title="t", y="y")._repr_html_() for _ in range(2))

    assert first == second


def test_no_two_lines_share_a_dash_pattern_or_a_marker() -> None:
    _, dashes, markers = zip(*LINES, strict=True)

    assert (len(set(dashes)), len(set(markers)), set(markers)) == (len(LINES), len(LINES), set(SHAPES))


@pytest.mark.parametrize("colour", [colour for colour, _, _ in LINES])
def test_a_line_s_name_can_be_read_on_the_card(colour: str) -> None:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)

    assert 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05) >= 4.5


def test_the_card_brings_its_own_ground_for_dark_themes(shown: Chart) -> None:
    ground = ET.fromstring(shown.svg()).find(f"{SVG}rect")

    assert ground is not None and ground.get("fill") == "#fff"


def test_the_table_holds_every_number_of_a_short_series(shown: Chart) -> None:
    cells = re.findall(r"<t[hd][^>]*>([^<]*)</t[hd]>", shown.table())

    assert cells == [
        *("tick", "steady", "one &lt;retry&gt;"),
        *("0", "80", "80"),
        *("1", "80", "160"),
        *("2", "80", "0"),
        *("3", "80", "2.5"),
    ]


def test_a_long_series_is_tabled_at_even_places_with_both_ends() -> None:
    table = chart({"a": list(range(1000))}, title="t", y="y").table()

    assert re.findall(r'<th scope="row">(\d+)', table) == [*map(str, range(0, 1000, 100)), "999"]


def test_a_notebook_shows_the_picture_and_the_numbers_beside_it(shown: Chart) -> None:
    assert shown._repr_html_() == (
        f'<figure style="margin:0">{shown.svg()}'
        f"<details><summary>The numbers: attempts</summary>{shown.table()}</details></figure>"
    )


@pytest.mark.parametrize("ends", [[80] * 5, [0] * 5, [0, 0, 40, 80, 80], [80, 79, 78, 1, 0]])
def test_the_names_never_overlap_and_stay_on_the_card(ends: list[int]) -> None:
    drawn = chart({str(place): [80, end] for place, end in enumerate(ends)}, title="t", y="y").svg()
    heights = sorted(float(height) for height in re.findall(r'y="([\d.]+)" fill="#', drawn))

    assert all(later - earlier >= 17.9 for earlier, later in pairwise(heights)) and 20 < heights[0] < heights[-1] < 310


@pytest.mark.parametrize(
    ("most", "labels"),
    [
        (80, ["0", "20", "40", "60", "80"]),
        (560, ["0", "100", "200", "300", "400", "500", "600"]),
        (1, ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
        (0, ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
    ],
)
def test_the_y_axis_goes_from_zero_to_a_round_number(most: float, labels: list[str]) -> None:
    drawn = chart({"a": [0, most]}, title="t", y="y").svg()

    assert re.findall(r'text-anchor="end">([\d.]+)<', drawn) == labels


def test_places_of_their_own_are_drawn_and_told() -> None:
    drawn = chart({"a": [1, 4, 9]}, title="Squares", x="number", y="square", xs=[1, 2, 3])

    assert drawn.words.split("\n")[1] == "square by number, 1 to 3."


@pytest.mark.parametrize(
    ("series", "message"),
    [
        ({}, "a chart shows 1 to 5 series; there are 0"),
        ({str(number): [1, 2] for number in range(6)}, "a chart shows 1 to 5 series; there are 6"),
        (
            {"a": [1, 2], "b": [1]},
            "the series need one value for each place, and two or more; there are 2: 'a' has 2, 'b' has 1",
        ),
        ({"a": [1]}, "the series need one value for each place, and two or more; there are 1: 'a' has 1"),
    ],
)
def test_what_cannot_be_drawn_is_named(series: dict[str, list[float]], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        chart(series, title="t", y="y")
