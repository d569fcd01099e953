"""Item statistics drawn: the same numbers as in the table, in words and in patterns, for one student and for many."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from edgewise.course import Exercise
from edgewise.grading.stats.item import Broken, Item, Stats
from edgewise.grading.stats.plot import PATTERNS, PlotError, fit, save, svg, words
from edgewise.grading.stats.table import text

STEP = Exercise("ch08-e3", "The <step> & more", 10, ("step",), written=False, session="ch08", notebook="graph")
WHY = Exercise("ch08-w1", "Why", 3, (), written=True, session="ch08", notebook="graph")
LONG = "Lets visited grow by the state it enters, and by nothing else, " * 6


def of(students: int) -> Stats:
    """A class of that many, one of whom broke a rule."""
    rules = (
        Broken("Follows every edge", 1, (('says "no"', 1),)),
        Broken("Refuses the rest"),
        Broken(LONG, students, unknown=students),
    )
    step = Item(
        STEP, full=students - 1, nothing=1, judged=students, shares=students - 1, correlation=-0.123, rules=rules
    )
    return Stats("ch08", "Graphs", (step, Item(WHY, waiting=students)), graded=students, ungraded=2)


def parsed(drawn: str) -> ElementTree.Element:
    return ElementTree.fromstring(drawn.replace(' xmlns="http://www.w3.org/2000/svg"', ""))


def texts(drawn: str) -> list[str]:
    return ["".join(each.itertext()) for each in parsed(drawn).iter("text")]


def boxes(drawn: str) -> list[tuple[float, float, str]]:
    """Left edge, width and outline of every bar."""
    rects = list(parsed(drawn).iter("rect"))[1:]
    return [(float(one.get("x")), float(one.get("width")), one.get("stroke")) for one in rects]


def test_the_picture_has_one_role_and_its_words_as_label() -> None:
    root = parsed(svg(of(7)))

    assert (root.get("role"), root.get("aria-label")) == ("img", words(of(7)).replace("\n", " "))


def test_its_words_name_every_exercise_every_rule_and_every_count() -> None:
    assert words(of(7)).splitlines() == [
        "ch08, Graphs: item statistics.",
        "7 submissions graded.",
        "2 submissions are not graded yet and not counted here; `edgewise grade ch08` grades them.",
        "ch08-e3, The <step> & more: all 6, part 0, nothing 1, waiting 0, not handed in 0; "
        "mean share 0.86, discrimination -0.12.",
        '\'Follows every edge\': broken by 1 of 7 ("says "no"" 1).',
        "'Refuses the rest': broken by 0 of 7.",
        f"{LONG!r}: broken by 7 of 7 (none known 7).",
        "ch08-w1, Why: all 0, part 0, nothing 0, waiting 7, not handed in 0; mean share –, discrimination –.",
    ]


@pytest.mark.parametrize("students", [1, 7, 1000])
def test_the_numbers_that_are_shown_are_those_of_the_table(students: int) -> None:
    shown = texts(svg(of(students)))
    rows = [re.split(r"\s{2,}", line.strip()) for line in text(of(students)).splitlines()]
    step = next(row for row in rows if row[0].startswith("ch08-e3") and len(row) > 2)
    rules = {row[2]: (row[0], row[1]) for row in rows if len(row) > 2 and row[0].isdecimal()}

    assert step[1:] == [str(students), str(students - 1), "0", "1", "0", "0", f"{1 - 1 / students:.2f}", "-0.12"]
    assert [each for each in shown if each.startswith(("all", "part", "nothing", "waiting"))] == [
        *(f"all {students - 1}", "part 0", "nothing 1"),
        *("all 0", "part 0", "nothing 0", f"waiting {students}"),
    ]
    assert [each for each in shown if re.fullmatch(r"\d+ of \d+", each)] == [
        " of ".join(rules["Follows every edge"]),
        " of ".join(rules["Refuses the rest"]),
        f"{students} of {students}",
    ]


@pytest.mark.parametrize("students", [1, 7, 1000])
def test_nothing_sticks_out_and_one_among_a_thousand_is_seen(students: int) -> None:
    drawn = boxes(svg(of(students)))

    assert all(width >= 2.9 and x >= 24 and x + width <= 736.1 for x, width, _ in drawn)


def test_each_part_has_its_own_pattern_and_colour() -> None:
    assert (len(set(PATTERNS.values())), len({line for line, _, dash in PATTERNS.values() if dash})) == (6, 3)


def test_a_long_rule_is_wrapped_and_cut_and_keeps_its_count() -> None:
    shown = texts(svg(of(7)))
    lines = [each for each in shown if each.rstrip(" …") and each.rstrip(" …") in LONG]

    assert (len(lines), max(map(len, lines)) <= 47, lines[-1].endswith("…"), shown.count("7 of 7")) == (
        3,
        True,
        True,
        1,
    )


def test_what_steers_a_terminal_or_is_no_xml_is_written_out() -> None:
    item = Item(STEP, full=1, judged=1, shares=1, rules=(Broken("a\x1b[31m\0rule"),))
    made = Stats("ch08", "\x07", (item,), graded=1)

    assert ("a\\x1b[31m\\x00rule" in texts(svg(made)), "a\\x1b[31m\\x00rule" in text(made), "\x07" in text(made)) == (
        True,
        True,
        False,
    )


def test_the_table_fits_a_hundred_columns_and_has_no_colour_in_a_log() -> None:
    made = text(of(1000))

    assert (max(map(len, made.splitlines())) <= 100, "\x1b" in made) == (True, False)


def test_only_a_file_that_is_named_as_svg_is_written() -> None:
    with pytest.raises(PlotError) as caught:
        fit(Path("course.yml"))

    assert str(caught.value) == "the plot is an SVG picture; name its file so, such as course.svg"


def test_a_folder_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PlotError) as caught:
        save(of(1), Path("no/such.svg"))

    assert str(caught.value) == (
        "no/such.svg can't be written (No such file or directory); name a file in a folder that is there"
    )
