"""Mermaid text of a table, and the table read back from it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgewise.draw import draw, mermaid_text, read_mermaid
from edgewise.machine import STATES, STORM, TRANSITIONS


def test_the_five_state_machine_as_mermaid():
    """M-40: `graph LR`, one arrow a row, labelled, in the table's order."""
    assert mermaid_text(TRANSITIONS, states=STATES) == (
        "graph LR\n"
        '    s_planning(["planning<br>initial"])\n'
        '    s_retrieving("retrieving")\n'
        '    s_answering("answering")\n'
        '    s_refusing("refusing")\n'
        '    s_done[["done<br>terminal"]]\n'
        '    s_planning -->|"plan_ready"| s_retrieving\n'
        '    s_planning -->|"out_of_scope"| s_refusing\n'
        '    s_retrieving -->|"hits"| s_answering\n'
        '    s_retrieving -->|"no_hits"| s_refusing\n'
        '    s_answering -->|"answered"| s_done\n'
        '    s_refusing -->|"refused"| s_done\n'
    )


@pytest.mark.parametrize("table", [TRANSITIONS, STORM, {}, {("end", "x|y"): "a-b", ("a-b", "#35;"): "a_b"}])
def test_the_table_reads_back_in_its_order(table):
    """M-03, M-40."""
    assert list(read_mermaid(mermaid_text(table)).items()) == list(table.items())


@settings(derandomize=True, deadline=None)
@given(st.dictionaries(st.tuples(st.text(max_size=4), st.text(max_size=4)), st.text(max_size=4), max_size=6))
def test_any_table_reads_back(table):
    assert read_mermaid(mermaid_text(table)) == table


@pytest.mark.parametrize(("target", "end"), [("planning", "s_planning"), (None, 'marky["a move"]')])
def test_the_marks_of_a_run_are_written_and_left_out_when_read(target, end):
    drawing = draw(
        TRANSITIONS,
        visited=["planning", "retrieving", "done"],
        refused=("retrieving", "refused"),
        wrong=[("retrieving", "refused", target, "a move")],
        caps={"retrieving": 3},
    )

    assert drawing.mermaid.split("\n")[6:] == [
        '    s_planning ==>|"plan_ready<br>step 1"| s_retrieving',
        '    s_planning -->|"out_of_scope"| s_refusing',
        '    s_retrieving -->|"hits"| s_answering',
        '    s_retrieving -->|"no_hits"| s_refusing',
        '    s_answering -->|"answered"| s_done',
        '    s_refusing -->|"refused"| s_done',
        '    s_retrieving -.->|"<br>step 2<br>not declared"| s_done',
        '    s_retrieving -.-x|"refused"| mark["× refused"]',
        f'    s_retrieving -.->|"refused<br>yours"| {end}',
        "",
    ]
    assert read_mermaid(drawing.mermaid) == TRANSITIONS


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "graph LR\n    a --> b",
            "line 2 is not an arrow of the form a -->|\"event\"| b: '    a --> b'",
        ),
        (
            'a -->|"go"| b\na -->|"go"| c',
            "line 2 leads ('a', 'go') on a second time; one pair has one target",
        ),
    ],
)
def test_text_that_is_no_table_is_named_with_its_line(text, sentence):
    with pytest.raises(ValueError, match=r"^line") as caught:
        read_mermaid(text)

    assert str(caught.value) == sentence
