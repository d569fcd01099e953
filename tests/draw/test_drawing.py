"""What a drawing says, in words and in shapes."""

import pytest

from edgewise.draw import draw
from edgewise.machine import STATES, STORM, TRANSITIONS


def line_with(drawing, text):
    return next(line.strip() for line in drawing.dot.split("\n") if text in line)


def test_a_drawing_says_everything_in_words():
    drawing = draw(
        STORM,
        states=STATES,
        visited=["planning", "retrieving", "retrieving"],
        refused=("retrieving", "answered"),
        wrong=[("retrieving", "answered", "planning", "the start again")],
        caps={"retrieving": 3},
        title="A storm",
    )

    assert repr(drawing) == (
        "A storm.\n"
        "States: 'planning' (initial), 'retrieving' (at most 3 entries, now here), "
        "'answering', 'refusing', 'done' (terminal).\n"
        "In 'planning', 'plan_ready' leads to 'retrieving' (step 1).\n"
        "In 'planning', 'out_of_scope' leads to 'refusing'.\n"
        "In 'retrieving', 'hits' leads to 'answering'.\n"
        "In 'retrieving', 'no_hits' leads to 'refusing'.\n"
        "In 'answering', 'answered' leads to 'done'.\n"
        "In 'refusing', 'refused' leads to 'done'.\n"
        "In 'retrieving', 'retry' leads to 'retrieving' (step 2).\n"
        "Visited: 'planning', 'retrieving', 'retrieving'.\n"
        "Refused: 'answered' in 'retrieving'.\n"
        "Yours: in 'retrieving', 'answered' led to 'planning'; got: the start again."
    )


def test_an_empty_table_is_drawn_as_an_empty_picture():
    assert draw({}).words == "A machine.\nStates: none."


def test_a_terminal_state_has_a_double_line_and_its_word():
    """M-05: read off the table, whatever the state is called."""
    assert (
        line_with(draw({("new", "pay"): "paid"}), '"paid" [') == '"paid" [label="paid" + "\\nterminal", peripheries=2]'
    )


def test_the_initial_state_has_an_arrow_from_a_dot_and_its_word():
    drawing = draw({("new", "pay"): "start"}, initial="new")

    assert [line_with(drawing, '"new" ['), line_with(drawing, "shape=point"), line_with(drawing, 'class="start"')] == [
        '"new" [label="new" + "\\ninitial"]',
        '"start_" [shape=point, width=0.09]',
        '"start_" -> "new" [class="start"]',
    ]


def test_a_walked_arrow_is_bold_and_says_its_steps():
    line = line_with(draw(TRANSITIONS, visited=["planning", "retrieving"]), '-> "retrieving"')

    assert line == (
        '"planning" -> "retrieving" [label="plan_ready" + "\\nstep 1", class="walked", penwidth=2.5, color="#0072b2"]'
    )


def test_a_refused_event_is_a_dashed_stub_to_a_box_that_says_so():
    drawing = draw(TRANSITIONS, refused=("done", "hits"))

    assert [line_with(drawing, '"refused" ['), line_with(drawing, '-> "refused"')] == [
        '"refused" [label="× refused", style="", margin="0.05,0.02", height=0, color="#b34700"]',
        '"done" -> "refused" [label="hits", class="refused", style=dashed, arrowhead=tee, color="#b34700"]',
    ]


@pytest.mark.parametrize(
    ("target", "got", "expected"),
    [
        ("planning", "", '"done" -> "planning" [label="hits" + "\\nyours", class="yours", '),
        ("planning", "a move", '"done" -> "planning" [label="hits" + "\\nyours\\na move", class="yours", '),
        (None, "a KeyError", '"done" -> "yours" [label="hits" + "\\nyours", class="yours", '),
    ],
)
def test_a_students_answer_is_a_dashed_arrow_called_yours(target, got, expected):
    line = line_with(draw(TRANSITIONS, wrong=[("done", "hits", target, got)]), 'class="yours"')

    assert line == expected + 'style=dashed, penwidth=2, arrowhead=vee, color="#b34700"]'


def test_an_answer_that_led_nowhere_is_a_note_with_what_was_got():
    drawing = draw(TRANSITIONS, wrong=[("done", "hits", None, "word " * 40)])

    assert line_with(drawing, "shape=note") == (
        '"yours" [shape=note, style="", label="yours:" + "\\nword word word word word'
        '\\nword word word word word\\nword word word word word …", color="#b34700"]'
    )
    assert drawing.words.split("\n")[-1] == f"Yours: in 'done', 'hits' led to no state; got: {'word ' * 40}."


@pytest.mark.parametrize(("cap", "word"), [(1, "at most 1 entry"), (3, "at most 3 entries")])
def test_a_capped_state_has_eight_corners_and_says_its_cap(cap, word):
    line = line_with(draw(STORM, caps={"retrieving": cap}), '"retrieving" [')

    assert line == f'"retrieving" [label="retrieving" + "\\n{word}", shape=octagon, style="", margin="0.02,0.02"]'


@pytest.mark.parametrize(
    ("visited", "words"),
    [
        (["a", "a"], "step 1"),
        (["a"] * 5, "steps 1–4"),
        (["a", "a", "b", "a", "a"], "steps 1, 4"),
        (["a", "a", "b"] * 6, "steps 1, 4, 7, …, 16 (6 times)"),
    ],
)
def test_steps_are_numbered_in_stretches(visited, words):
    drawing = draw({("a", "stay"): "a", ("a", "go"): "b", ("b", "back"): "a"}, visited=visited)

    assert drawing.words.split("\n")[2] == f"In 'a', 'stay' leads to 'a' ({words})."


def test_a_move_that_could_be_either_of_two_rows_says_so():
    drawing = draw({("a", "x"): "b", ("a", "y"): "b"}, visited=["a", "b"])

    assert drawing.words.split("\n")[2:4] == [
        "In 'a', 'x' leads to 'b' (step 1, one of 2 rows).",
        "In 'a', 'y' leads to 'b' (step 1, one of 2 rows).",
    ]


def test_a_move_without_a_row_is_drawn_dashed_and_called_undeclared():
    drawing = draw({("a", "x"): "b"}, visited=["a", "c"])

    assert drawing.words.split("\n")[1:4] == [
        "States: 'a' (initial), 'b' (terminal), 'c' (not declared, now here).",
        "In 'a', 'x' leads to 'b'.",
        "In 'a', the run leads to 'c' (step 1, not declared).",
    ]
    assert line_with(drawing, '"c" [') == (
        '"c" [label="c" + "\\nnot declared\\nnow here", style=dashed, penwidth=2.5, color="#0072b2"]'
    )
    assert 'class="undeclared", style=dashed' in line_with(drawing, '-> "c"')


def test_a_long_run_is_shortened_in_words():
    drawing = draw({("a", "x"): "a"}, visited=["a"] * 10_000)

    assert drawing.words.split("\n")[-1] == "Visited: 'a', 'a', 'a', 'a', 'a', 'a', …, 'a', 'a', 'a' (10000 entries)."


def test_rows_that_name_one_pair_twice_are_both_drawn():
    drawing = draw([("a", "x", "b"), ("a", "x", "c")])

    assert drawing.words.split("\n")[2:] == ["In 'a', 'x' leads to 'b'.", "In 'a', 'x' leads to 'c'."]


def test_names_that_are_not_text_are_drawn_as_their_repr():
    assert draw({(1, None): 2}).words.split("\n")[2] == "In '1', 'None' leads to '2'."
