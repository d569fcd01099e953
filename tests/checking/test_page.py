"""A report as HTML: the facts of its text, balanced, escaped, without script."""

import re
from html.parser import HTMLParser

import pytest

from answers import ch08_e2, ch08_e6
from answers.ch08_e3 import moved, refused, table_lookup
from edgewise.checking.page import page
from edgewise.checking.report import Report
from tests.answers.wrong.ch08_e3 import ANSWERS as WRONG
from tests.checking.asked import report

EVIL = "<script>alert('x')</script><img src=x onerror=alert(1)>"


class Reader(HTMLParser):
    """Reads a page as a browser would: the tags that are open, those that are wrong, and the text."""

    VOID = ("br", "hr", "img", "meta")

    def __init__(self, text):
        super().__init__()
        self.open, self.wrong, self.tags, self.attributes, self.text = [], [], set(), [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes += attrs
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data):
        self.text.append(data)

    @property
    def words(self):
        return re.sub(r"\s+", " ", "".join(self.text))


def evil_state(state, event):
    return {**table_lookup(state, event), "state": EVIL}


def evil_exception(state, event):
    raise ValueError(EVIL)


def evil_sentence(state, event):
    after = table_lookup(state, event)
    return {**after, "rejected": after["rejected"] and EVIL}


def evil_name(state, event):
    raise type(EVIL, (Exception,), {})


def evil_event(state, event):
    return moved(state, EVIL) if event["name"] == "hits" else refused(state, event)


STEPS = {
    "right": table_lookup,
    "present": WRONG["visited: only [current] (M-43)"].fresh(),
    "nameless": WRONG["published: a sentence without names"].fresh(),
    "by hand": WRONG["names: stripped"].fresh(),
    "in place": WRONG["published: mutates its argument"].fresh(),
    "not callable": EVIL,
    "state": evil_state,
    "exception": evil_exception,
    "sentence": evil_sentence,
    "name": evil_name,
    "event": evil_event,
}
REPORTS = {name: report("ch08-e3", step) for name, step in STEPS.items()}
REPORTS["draft"] = report("ch08-e6", ch08_e6.retrieval_event, lambda found, failed: EVIL)
REPORTS["set"] = report("ch08-e2", lambda transitions: {EVIL}, ch08_e2.ways_into)
REPORTS["ours"] = Report("ch08-e3", EVIL, "could not check", error=EVIL)


@pytest.mark.parametrize("name", REPORTS)
def test_a_page_is_balanced_and_holds_nothing_that_runs(name):
    read = Reader(page(REPORTS[name]))
    running = [
        attribute for attribute, value in read.attributes if attribute.startswith("on") or "javascript" in str(value)
    ]

    assert (read.open, read.wrong, read.tags & {"script", "img", "iframe", "style", "link"}, running) == (
        [],
        [],
        set(),
        [],
    )


@pytest.mark.parametrize("name", REPORTS)
def test_a_page_holds_every_line_of_the_text(name):
    words = Reader(page(REPORTS[name])).words.replace("“", '"').replace("”", '"').replace("\xa0", " ")
    lines = [line.removeprefix("    ") for line in REPORTS[name].text.splitlines()]
    facts = [re.sub(r"^(expected|got|differs) +|^your (?=line )", "", line).replace("`", "") for line in lines]
    absent = [fact for fact in facts if re.sub(r"\s+", " ", fact) not in words.replace("`", "")]

    assert absent == []


@pytest.mark.parametrize("name", REPORTS)
def test_a_page_has_a_role_and_a_label(name):
    found = REPORTS[name]

    assert page(found).startswith(f'<div role="group" aria-label="Report on {found.exercise}: {found.outcome}" ')


def test_a_run_is_drawn_with_a_description():
    read = Reader(page(REPORTS["present"]))

    assert ("role", "img") in read.attributes and any(
        name == "aria-label" and "retrieving" in value for name, value in read.attributes
    )


def test_a_table_names_its_rows():
    assert re.findall(r'<th scope="row"[^>]*>([^<]+)</th>', page(REPORTS["present"])) == [
        "expected",
        "got",
        "differs",
        "your line",
    ]


def test_a_passing_page_has_no_finding():
    read = Reader(page(REPORTS["right"]))

    assert (read.tags, read.words[:46]) == (
        {"div", "p", "strong"},
        "✔ ch08-e3 · The step · passed · 10 of 10 points"[:46],
    )
