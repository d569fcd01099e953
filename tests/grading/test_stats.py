"""Item statistics: counted by hand for a small class, and correlated by a second road."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from edgewise.checking.engine import CheckError
from edgewise.grading.gradebook.database import GradebookError
from edgewise.grading.stats.item import Broken, Item, Stats
from edgewise.grading.stats.statistics import NothingGradedError
from tests.grading.marked import (
    ENDS,
    FOLLOWS,
    GROWS,
    REFUSES,
    RULES,
    WAYS,
    Marked,
    broke,
    mark_five,
    passed,
    unchecked,
)


@pytest.fixture
def school(empty: Path, tmp_path: Path) -> Marked:
    return Marked.marked(tmp_path / "kit", empty)


@pytest.fixture
def five(school: Marked) -> Marked:
    """Five students, whose statistics are worked out by hand below."""
    mark_five(school)
    return school


def counted(item: Item) -> tuple[int, ...]:
    return tuple(count for _, count in item.counts)


def test_what_was_earned_is_counted_as_by_hand(five: Marked) -> None:
    made = {item.exercise.id: (counted(item), item.graded, item.mean_share) for item in five.stats().items}

    assert made == {
        "ch08-e3": ((2, 2, 1, 0, 0), 5, 0.5),
        "ch08-e4": ((2, 1, 2, 0, 0), 5, 0.5),
        "ch08-w1": ((0, 0, 1, 4, 0), 1, None),
        "ch08-e2": ((0, 1, 0, 0, 4), 1, 0.5),
    }


def test_rules_are_listed_as_in_the_check_with_who_broke_them_by_which_misconception(five: Marked) -> None:
    step = five.item("ch08-e3")

    assert (step.judged, step.untouched, step.rules) == (
        5,
        1,
        (
            Broken(FOLLOWS, 1, untouched=1),
            Broken(REFUSES, 3, (("straight to the end", 1),), untouched=1, unknown=1),
            Broken(GROWS, 2, (("straight to the end", 1),), unknown=1),
            *(Broken(rule) for rule in RULES[3:]),
        ),
    )


def test_an_answer_that_could_not_be_asked_is_counted_before_the_rules(five: Marked) -> None:
    assert five.item("ch08-e4").rules[0] == Broken("Can be asked", 1, untouched=1)


def test_the_commonest_misconception_comes_first_and_equal_ones_by_name(school: Marked) -> None:
    for student, known in enumerate(["silence", "b", "a", "silence"]):
        school.mark(f"s{student}", [broke("ch08-e3", REFUSES, known=known)], ch08_e3=0.0)

    assert school.item("ch08-e3").rules[1].misconceptions == (("silence", 2), ("a", 1), ("b", 1))


def test_a_misconception_about_one_object_is_not_blamed_for_the_other(school: Marked) -> None:
    school.mark("ada", [broke("ch08-e2", ENDS, WAYS, known="the end by name")], ch08_e2=0.0)

    assert school.item("ch08-e2").rules == (
        Broken(ENDS, 1, (("the end by name", 1),)),
        Broken(WAYS, 1, unknown=1),
    )


def test_a_check_that_could_not_be_made_waits_and_is_named(school: Marked) -> None:
    school.mark("ada", [unchecked("ch08-e3"), passed("ch08-e4")], ch08_e3=None, ch08_e4=8.0)
    made = school.stats()
    step = made.items[0]

    assert (counted(step), step.unchecked, step.judged, list(made.sentences)) == (
        (0, 0, 0, 1, 0),
        1,
        0,
        ["1 submission graded.", "ch08-e3 could not be checked for 1 student."],
    )


def test_a_notebook_that_could_not_be_run_waits(school: Marked) -> None:
    school.mark("ada", ch08_e3=None, ch08_e4=None, ch08_w1=None)

    assert [counted(item) for item in school.stats().items] == [(0, 0, 0, 1, 0)] * 3 + [(0, 0, 0, 0, 1)]


def test_a_persons_points_count_before_the_judges(five: Marked) -> None:
    five.by_hand("ada", "ch08-w1", 3.0)
    five.by_hand("ben", "ch08-w1", 1.5)
    five.by_hand("cy", "ch08-e3-check", 10.0)
    why, step = five.item("ch08-w1"), five.item("ch08-e3")

    assert (counted(why), why.by_hand, why.mean_share) == ((1, 1, 1, 2, 0), 2, 0.5)
    assert (counted(step), step.by_hand, step.rules[1].count) == ((3, 1, 1, 0, 0), 1, 3)


def test_points_for_what_was_not_handed_in_count_where_a_person_gave_them(five: Marked) -> None:
    five.by_hand("ada", "ch08-e2-check", 3.0)

    assert counted(five.item("ch08-e2")) == (1, 1, 0, 0, 3)


def test_a_notebook_of_written_answers_alone_is_told_by_its_answers(school: Marked) -> None:
    text = (school.root / "course.yml").read_text(encoding="utf-8")
    ends = "ch08-e2: {title: Read off the table, objects: [terminal, ways_into], points: 3}"
    (school.root / "course.yml").write_text(text.replace(ends, "ch08-e2: {title: Ends, written: true, points: 3}"))
    with closing(sqlite3.connect(school.root / "build/gradebook.db")) as connection, connection:
        connection.execute("delete from base_cell where name = 'ch08-e2'")
        connection.execute("update base_cell set name = 'ch08-e2' where name = 'ch08-e2-check'")
        name = connection.execute("select notebook_id from base_cell where name = 'ch08-e2'").fetchone()[0]
        made = uuid4().hex
        connection.execute("insert into base_cell values (?, 'ch08-e2', ?, 'SolutionCell')", (made, name))
        connection.execute("insert into solution_cells values (?)", (made,))
    school.mark("ada", untouched=("ch08-e2",), ch08_e2=0.0)
    school.mark("ben", ch08_e2=None)
    school.mark("cy")

    assert counted(school.item("ch08-e2")) == (0, 0, 1, 1, 1)


# --- Which submissions ------------------------------------------------------------------------------


def test_what_is_ungraded_out_of_date_or_gone_is_named_as_a_number(five: Marked) -> None:
    for student in ("new", "newer"):
        (five.root / "build/submitted" / student / "ch08").mkdir(parents=True)
    (five.root / "build/submitted/ada/ch08/graph.ipynb").write_text("changed", encoding="utf-8")
    (five.root / "build/submitted/ben/ch08").rmdir()
    made = five.stats()

    assert ((made.graded, made.ungraded, made.out_of_date, made.gone), list(made.sentences)) == (
        (5, 2, 1, 1),
        [
            "5 submissions graded.",
            "2 submissions are not graded yet and not counted here; `edgewise grade ch08` grades them.",
            "1 grade is out of date and counts as recorded; `edgewise grade ch08` renews it.",
            "1 submission is no longer there and counts as recorded.",
        ],
    )


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            {"ungraded": 1},
            "1 submission is not graded yet and not counted here; `edgewise grade ch08` grades it.",
        ),
        (
            {"out_of_date": 2},
            "2 grades are out of date and count as recorded; `edgewise grade ch08` renews them.",
        ),
        ({"gone": 2}, "2 submissions are no longer there and count as recorded."),
    ],
)
def test_one_is_named_as_one_and_more_as_more(change: dict[str, int], sentence: str) -> None:
    assert list(replace(Stats("ch08", "Graphs", (), 3), **change).sentences)[1] == sentence


def test_a_changed_extension_makes_a_grade_out_of_date(five: Marked) -> None:
    with closing(sqlite3.connect(five.root / "build/gradebook.db")) as connection, connection:
        connection.execute("update submitted_assignment set extension = '1970-01-02 00:00:00' where student_id = 'ada'")

    assert five.stats().out_of_date == 1


def test_submissions_that_were_put_away_still_count(five: Marked) -> None:
    (five.root / "build/submitted").rename(five.root / "away")
    made = five.stats()

    assert (made.graded, made.ungraded, made.out_of_date, made.gone) == (5, 0, 0, 5)


def test_a_student_graded_twice_counts_once(five: Marked) -> None:
    five.mark("ada", [passed("ch08-e3"), passed("ch08-e4")], ch08_e3=10.0, ch08_e4=8.0, ch08_w1=None)

    assert (five.stats().graded, five.item("ch08-e3").graded) == (5, 5)


def test_a_rule_that_the_check_has_no_more_is_still_counted(five: Marked) -> None:
    five.mark("ada", [broke("ch08-e3", "Was a rule once")], ch08_e3=0.0)

    assert [rule.rule for rule in five.item("ch08-e3").rules] == ["Was a rule once", *RULES]


def test_before_anything_is_graded_it_says_which_command(school: Marked) -> None:
    with pytest.raises(NothingGradedError) as caught:
        school.stats()

    assert str(caught.value) == "no grade of 'ch08' is recorded yet; `edgewise grade ch08` grades what is handed in"


def test_a_gradebook_that_another_program_holds_is_named(five: Marked) -> None:
    with closing(sqlite3.connect(five.root / "build/gradebook.db", isolation_level=None)) as other:
        other.execute("begin exclusive")
        with pytest.raises(GradebookError) as caught:
            five.stats(wait_seconds=0)

    assert str(caught.value) == (
        "gradebook.db can't be read: another program is writing to it; wait until that is done, then run this again"
    )


def test_a_check_that_is_not_there_is_named(five: Marked) -> None:
    (five.root / "checks/ch08_e4.py").unlink()
    with pytest.raises(CheckError) as caught:
        five.stats()

    assert str(caught.value) == "checks/ch08_e4.py is not there"


def test_as_data_it_holds_every_number(five: Marked) -> None:
    made = json.loads(json.dumps(five.stats().as_json()))
    ends = made["exercises"][3]

    assert (made["session"], made["title"], made["submissions"]) == (
        "ch08",
        "Graphs",
        {"graded": 5, "not_graded": 0, "out_of_date": 0, "gone": 0},
    )
    assert ends == {
        "exercise": "ch08-e2",
        "title": "Read off the table",
        "written": False,
        "max_points": 3.0,
        "graded": 1,
        "all": 0,
        "part": 1,
        "nothing": 0,
        "mean_share": 0.5,
        "discrimination": None,
        "waiting": 0,
        "not_handed_in": 4,
        "by_hand": 0,
        "untouched": 0,
        "could_not_check": 0,
        "judged": 1,
        "rules": [
            {
                "rule": ENDS,
                "broken": 1,
                "misconceptions": [{"name": "the end by name", "count": 1}],
                "untouched": 0,
                "none_known": 0,
            },
            {"rule": WAYS, "broken": 0, "misconceptions": [], "untouched": 0, "none_known": 0},
        ],
    }
