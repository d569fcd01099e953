"""What a run came to: the same for people and for programs, and nothing in it steers a terminal."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from edgewise.grading.gradebook.summary import Row, Summary, bar, printable, said

ON = {"user": True, "network": True}
ROWS = (
    Row("ada", 12.5, 13.0, ("graph: put right",), (), ON, "new"),
    Row("ben", 0.0, 13.0, (), (("graph: is no JSON", "It earns 0."), ("It is late.", "Look.")), None, "new"),
    Row("chloe", 7.0, 13.0, ("a", "b"), (), {**ON, "network": False}),
    Row("dana", None, 13.0, (), (("It could not be graded.", "Run this again."),)),
    Row("emil", 13.0, 13.0, (), (), ON, "the check changed"),
)


@pytest.mark.parametrize(
    ("summary", "status"),
    [
        (Summary("ch08", ROWS[:1]), 0),
        (Summary("ch08", ROWS), 1),
        (Summary("ch08", ROWS, "stopped"), 2),
        (Summary("ch08", (), "no gradebook"), 2),
    ],
)
def test_the_exit_status_says_whether_a_person_has_to_look(summary: Summary, status: int) -> None:
    assert summary.status == status


def test_the_json_has_one_shape() -> None:
    assert Summary("ch08", ROWS[1:3]).as_json() == {
        "session": "ch08",
        "submissions": [
            {
                "student": "ben",
                "points": 0.0,
                "max_points": 13.0,
                "repairs": [],
                "problems": ["graph: is no JSON. It earns 0.", "It is late. Look."],
            },
            {"student": "chloe", "points": 7.0, "max_points": 13.0, "repairs": ["a", "b"], "problems": []},
        ],
        "confinement": [
            {
                "name": "user",
                "on": True,
                "sentence": "A worker is a user without rights: it owns no file but its own.",
            },
            {"name": "network", "on": False, "sentence": "A worker shares the machine's network."},
        ],
    }


def test_an_error_stands_in_the_json_beside_what_was_done() -> None:
    made = Summary("ch08", ROWS[:1], "the disk is full").as_json()

    assert (made["error"], len(made["submissions"])) == ("the disk is full", 1)


def test_a_person_reads_a_table_and_the_sentences_below_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = [line.rstrip() for line in Summary("ch08", ROWS).text.splitlines()]

    assert lines == [
        "",
        "  student                   points   repairs   problems",
        " ───────────────────────────────────────────────────────",
        "  ada                   12.5 of 13         1",
        "  ben                      0 of 13                    2",
        "  chloe                    7 of 13         2",
        "  dana                           –                    1",
        "  emil                    13 of 13",
        "",
        "  5 submissions   8.125 on average         3          3",
        "",
        "ben: graph: is no JSON. It earns 0.",
        "ben: It is late. Look.",
        "dana: It could not be graded. Run this again.",
        "3 submissions graded (2: new, 1: the check changed); 1 was up to date; 2 need a person.",
        "Confinement: 1 of 2 layers were on; not protected: network.",
    ]


def test_where_nothing_was_run_nothing_is_said_of_confinement() -> None:
    assert list(Summary("ch08", ROWS[3:4]).lines())[1:] == [
        "0 submissions graded; 0 were up to date; 1 needs a person.",
    ]


def test_without_rows_there_is_no_table() -> None:
    assert Summary("ch08", (), "no gradebook").text == ""


def test_a_heap_of_problems_is_counted() -> None:
    row = Row("ben", 0.0, 13.0, (), 300 * (("Odd.", "Look."),), None, "new")
    lines = list(Summary("ch08", (row,)).lines())

    assert (len(lines), lines[200]) == (202, "and 100 more problems; --json gives all")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("two\nlines", "two\\nlines"),
        ("\x1b[31mred\x07", "\\x1b[31mred\\x07"),
        ("\u202eright to left", "\\u202eright to left"),
        ("\udcff", "\\udcff"),
        ("a\\b", "a\\b"),
        ("Ωmega 李 é", "Ωmega 李 é"),
    ],
)
def test_what_would_steer_a_terminal_is_written_out(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_no_student_and_no_problem_steers_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    row = Row("[bold]\x1b[31mada\n[/]", 0.0, 13.0, (), (("\x1b]0;title\x07", "[red]Look."),), None, "new")
    text = Summary("ch08", (row,)).text

    assert ("[bold]\\x1b[31mada\\n[/]" in text, "\\x1b]0;title\\x07. [red]Look." in text, "\x1b" in text) == (
        True,
        True,
        False,
    )


@pytest.mark.parametrize(("sentence", "whole"), [("It is odd", "It is odd. Look."), ("Is it odd?", "Is it odd? Look.")])
def test_a_sentence_and_its_note_are_two_sentences(sentence: str, whole: str) -> None:
    assert said(sentence, "Look.") == whole


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_bar_counts_on_a_terminal() -> None:
    stream = Terminal()
    with bar("ch08", stream, shown=True) as tell:
        for done in range(4):
            tell(done, 3)
    text = Console(file=io.StringIO()).render_str(stream.getvalue()).plain

    assert ("ch08" in text, "3/3" in text, "/s" in text) == (True, True, True)


@pytest.mark.parametrize(("stream", "shown"), [(io.StringIO(), True), (Terminal(), False)])
def test_the_bar_is_silent_elsewhere(stream: io.StringIO, shown: bool) -> None:
    with bar("ch08", stream, shown=shown) as tell:
        tell(1, 3)

    assert stream.getvalue() == ""
