"""Discrimination of an exercise, by the standard library's correlation as a second road."""

from __future__ import annotations

import statistics
from pathlib import Path

import pytest

from edgewise.grading.stats.discrimination import Discrimination
from tests.grading.marked import Marked, mark_five, passed, unchecked


@pytest.fixture
def school(empty: Path, tmp_path: Path) -> Marked:
    return Marked.marked(tmp_path / "kit", empty)


def test_an_exercise_is_correlated_with_the_points_of_all_others(school: Marked) -> None:
    mark_five(school)
    made = {item.exercise.id: item.discrimination for item in school.stats().items}
    step, caps, ends = [10, 10, 2.5, 2.5, 0], [8, 4, 0, 8, 0], [0, 0, 0, 1.5, 0]

    def with_rest(item: list[float], *others: list[float]) -> object:
        return pytest.approx(statistics.correlation(item, [sum(each) for each in zip(*others, strict=True)]))

    assert made == {
        "ch08-e3": with_rest(step, caps, ends),
        "ch08-e4": with_rest(caps, step, ends),
        "ch08-w1": None,
        "ch08-e2": None,
    }


def test_of_all_or_nothing_it_is_the_corrected_point_biserial_correlation(school: Marked) -> None:
    step, caps = [10.0, 10.0, 0.0, 0.0, 10.0], [8.0, 4.0, 4.0, 0.0, 0.0]
    for student, (one, other) in enumerate(zip(step, caps, strict=True)):
        school.mark(f"s{student}", [passed("ch08-e3"), passed("ch08-e4")], ch08_e3=one, ch08_e4=other)
    right, wrong = statistics.fmean(caps[:2] + caps[4:]), statistics.fmean(caps[2:4])

    assert school.item("ch08-e3").discrimination == pytest.approx(
        (right - wrong) / statistics.pstdev(caps) * (3 / 5 * 2 / 5) ** 0.5
    )


def test_a_student_with_a_check_that_waits_is_left_out_of_the_others_correlation(school: Marked) -> None:
    for student, points in (("ada", 10.0), ("ben", 0.0), ("cy", 5.0)):
        school.mark(student, [passed("ch08-e3"), passed("ch08-e4")], ch08_e3=points, ch08_e4=points * 0.8)
    school.mark("dot", [passed("ch08-e3"), unchecked("ch08-e4")], ch08_e3=10.0, ch08_e4=None)
    made = school.item("ch08-e3")

    assert (made.graded, made.discrimination) == (4, pytest.approx(1.0))


@pytest.mark.parametrize(
    "pairs",
    [
        [(0.1, 3), (0.7, 2.2), (0.3, 9), (1, 1e-3)],
        [(1e6 + each, 1e6 - each**2) for each in range(9)],
        [(each % 3, each % 7) for each in range(500)],
    ],
)
def test_added_up_it_is_the_standard_librarys_correlation(pairs: list[tuple[float, float]]) -> None:
    made = Discrimination()
    for pair in pairs:
        made.add(*pair)

    assert made.value == pytest.approx(statistics.correlation(*zip(*pairs, strict=True)), abs=1e-9)


@pytest.mark.parametrize("pairs", [[], [(1, 2)], [(0.1, 2), (0.1, 3), (0.1, 4)], [(1, 0.3), (2, 0.3), (0, 0.3)]])
def test_it_is_undefined_for_fewer_than_two_students_or_where_all_are_alike(pairs: list[tuple[float, float]]) -> None:
    made = Discrimination()
    for pair in pairs:
        made.add(*pair)

    assert made.value is None
