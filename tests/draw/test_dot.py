"""DOT text of a table, and the table read back from it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgewise.draw import dot_text, draw, read_dot
from edgewise.machine import STATES, STORM, TRANSITIONS

ODD_NAMES = (
    "",
    " ",
    '"',
    '\\"',
    "\\",
    "\\n",
    "\n",
    "&lt;",
    "&amp;",
    "<b>",
    "a -> b",
    "]",
    ";",
    "żółć",
    "\\N",
    "\x00",
    "end",
    "+",
)


def test_one_arrow_a_row_labelled_with_its_event_in_the_tables_order():
    """M-40."""
    arrows = [
        line.strip() for line in dot_text(TRANSITIONS, states=STATES).split("\n") if "label=" in line and "->" in line
    ]

    assert arrows == [
        '"planning" -> "retrieving" [label="plan_ready"]',
        '"planning" -> "refusing" [label="out_of_scope"]',
        '"retrieving" -> "answering" [label="hits"]',
        '"retrieving" -> "refusing" [label="no_hits"]',
        '"answering" -> "done" [label="answered"]',
        '"refusing" -> "done" [label="refused"]',
    ]


@pytest.mark.parametrize("table", [TRANSITIONS, STORM, {}])
def test_the_table_reads_back_in_its_order(table):
    """M-03, M-40."""
    assert list(read_dot(dot_text(table)).items()) == list(table.items())


@pytest.mark.parametrize("name", ODD_NAMES)
def test_any_name_reads_back_as_a_state_and_as_an_event(name):
    table = {(name, "go"): "other", ("other", name): name}

    assert read_dot(dot_text(table)) == table


@settings(derandomize=True, deadline=None)
@given(st.dictionaries(st.tuples(st.text(max_size=4), st.text(max_size=4)), st.text(max_size=4), max_size=6))
def test_any_table_reads_back(table):
    assert read_dot(dot_text(table)) == table


def test_the_table_reads_back_without_the_marks_of_a_run():
    drawing = draw(
        TRANSITIONS,
        visited=["planning", "retrieving", "done"],
        refused=("retrieving", "refused"),
        wrong=[("retrieving", "refused", "start", "a move")],
        caps={"retrieving": 3},
    )

    assert read_dot(drawing.dot) == TRANSITIONS


def test_hand_written_text_reads_too():
    text = 'digraph light {\n  red -> green [color=blue, label="go"];\n  "green" -> red [label = stop]\n  red;\n}'

    assert read_dot(text) == {("red", "go"): "green", ("green", "stop"): "red"}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "digraph {\na -> b -> c\n}",
            'line 2 is not an arrow of the form "a" -> "b" [label="event"]: \'a -> b -> c\'',
        ),
        ("digraph {\na -> b\n}", "line 2 has an arrow without a label; a row needs its event: 'a -> b'"),
        (
            "a -> b [label=go]\na -> c [label=go]",
            "line 2 leads ('a', 'go') on a second time; one pair has one target",
        ),
    ],
)
def test_text_that_is_no_table_is_named_with_its_line(text, sentence):
    with pytest.raises(ValueError, match=r"^line") as caught:
        read_dot(text)

    assert str(caught.value) == sentence


def test_two_wrong_answers_that_lead_nowhere_get_a_note_each():
    drawing = draw({("a", "go"): "b"}, wrong=[("a", "x", None, "ValueError"), ("b", "y", None, "None")])

    notes = [line.strip() for line in drawing.dot.splitlines() if "shape=note" in line]

    assert [note.partition(" ")[0] for note in notes] == ['"yours"', '"yours1"']
