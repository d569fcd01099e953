"""Any text becomes HTML that only reads, in a box that it can't leave, within a bounded time."""

from __future__ import annotations

import re
from html import escape

import pytest
from bleach._vendor import html5lib
from bs4 import BeautifulSoup
from hypothesis import given, settings
from hypothesis import strategies as st

from edgewise.grading.plugins.markup import LONGEST_TAG, MOST_CHARACTERS, MOST_TAGS, harmless, verbatim

from .hostile import ANSWERS, dangers

PIECES = [
    *(piece for answer in ANSWERS.values() for piece in re.split(r"(?<=>)|(?=<)", answer)),
    *("</div>", "<table>", "<tr>", "<td>", "</table>", "<p>", "</p>", "<a href=#x>", "</a>", "<select>", "<plaintext>"),
    *(
        "<title>",
        "</title>",
        "<textarea>",
        "<xmp>",
        "</xmp>",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<?",
        "'",
        '"',
        "&lt;",
    ),
    *("<code>", "</code>", "<pre>\n", "</pre>", "<svg><desc>", "<math><mi>", "<template>", "<frameset>", "<body x=1>"),
    *("<svg>", "</svg>", "<style>", "</style>", "<script>", "</script>", "$", "\\", "href", "&#x5c;", "\x00", "=", ">"),
]


def box_of(page: str) -> list[str]:
    """The names of what stands after the box, in the page's body."""
    body = html5lib.parse(f"<!doctype html><body>{page}<i>", namespaceHTMLElements=False).find("body")
    return [child.tag for child in body]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_whatever_the_pieces_nothing_acts_or_leaves_the_box(markup: str) -> None:
    once = harmless(markup)
    again = str(BeautifulSoup(once, "html.parser"))  # nbconvert reads and writes the whole page once more

    assert [(dict(dangers(page)), box_of(page)) for page in (once, again)] == [({}, ["div", "i"])] * 2


TOO_MUCH = {
    "many tags": "<a " * (MOST_TAGS + 1),
    "deep": "<div>" * (MOST_TAGS + 1),
    "many drawings": "<svg></svg>" * (MOST_TAGS - 1),
    "long": "x" * (MOST_CHARACTERS + 1),
    "many attributes": f"<a {'b ' * LONGEST_TAG}>",
}


@pytest.mark.parametrize("markup", TOO_MUCH.values(), ids=TOO_MUCH.keys())
def test_what_is_too_much_is_shown_as_it_is_written(markup: str) -> None:
    assert harmless(markup) == verbatim(markup)


def test_only_the_beginning_of_a_very_long_text_is_shown() -> None:
    assert verbatim("<" * (MOST_CHARACTERS + 7)).endswith("&lt;\n[… 7 more characters]</pre></div>")


def test_a_large_picture_is_no_large_text() -> None:
    picture = f'<p><img src="data:image/png;base64,{"A" * 2 * MOST_CHARACTERS}" alt="a"></p>'

    assert picture in harmless(picture)


STYLES = {
    "color: RED; position: fixed": "color: RED",
    "background: none; background: url(//evil.test)": "background: none",
    "margin: 0 0 .5em; margin-top: -9px": "margin: 0 0 .5em",
    "font-family: var(--jp-code-font-family, monospace)": "font-family: var(--jp-code-font-family, monospace)",
    "font-family: 'Courier New', serif": 'font-family: "Courier New", serif',
    "font-family: 'a\"&quot;b'": "",
    "color: rgb(1, 2, 3); width: calc(1px * 9999)": "color: rgb(1, 2, 3)",
    "color: r\\65 d; --x: url(a)": "color: red",
    "border-left: 4px solid #d55e00 !important": "border-left: 4px solid #d55e00",
}


@pytest.mark.parametrize(("style", "kept"), STYLES.items())
def test_of_a_style_stays_what_only_changes_how_it_reads(style: str, kept: str) -> None:
    found = BeautifulSoup(harmless(f'<p style="{escape(style)}">x</p>'), "html.parser").p

    assert found.get("style", "") == kept
