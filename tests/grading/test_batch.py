"""A class in one run: what is missing or changed is graded, once, whatever ends the run before."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from edgewise.grading.gradebook import batch, standing
from edgewise.grading.gradebook.batch import Asked, grade, judges
from edgewise.grading.gradebook.summary import Summary
from tests.grading.fake import Class
from tests.grading.test_standing import IDS, written

ROOT = Path(__file__).parents[2]


def points(summary: Summary) -> dict[str, float | None]:
    return {row.student: row.points for row in summary.rows}


def why(summary: Summary) -> dict[str, str]:
    return {row.student: row.why for row in summary.rows if row.why}


def test_a_class_is_graded_and_each_row_says_what_was_found(school: Class) -> None:
    school.hand_in("ada", points=9, repairs=["put right"])
    school.hand_in("ben", points=0, problems=["odd"])
    summary = school.grade()

    assert (points(summary), summary.status, summary.rows[0].repairs, summary.rows[1].problems, school.rows()) == (
        {"ada": 9.0, "ben": 0.0},
        1,
        ("put right",),
        (("odd", "Look at it."),),
        [
            ("ada", None, "graph", None, "ch08-e3-check", 9.0, 0),
            ("ada", None, "graph", None, "ch08-w1", None, 1),
            ("ben", None, "graph", None, "ch08-e3-check", 0.0, 0),
            ("ben", None, "graph", None, "ch08-w1", None, 1),
        ],
    )


def test_a_second_run_grades_nothing_and_says_the_same(school: Class) -> None:
    school.hand_in("ada", points=9, repairs=["put right"])
    school.hand_in("ben", points=0, problems=["odd"])
    first = school.grade()
    school.begun()
    second = school.grade()

    assert (school.begun(), second.as_json(), why(second)) == ([], first.as_json(), {})


CHANGES: dict[str, tuple[Callable[[Class], object], list[str], str]] = {
    "submission": (lambda school: school.hand_in("ada", points=8), ["ada"], "the submission changed"),
    "timestamp": (
        lambda school: written(school.root / "build/submitted/ben/ch08/timestamp.txt", "2026-09-23 10:00:00 UTC")(),
        ["ben"],
        "the submission changed",
    ),
    "source": (
        lambda school: written(school.root / "notebooks/ch08/data.csv")(),
        ["ada", "ben"],
        "the released notebooks changed",
    ),
    "checks": (lambda school: written(school.root / "checks/ch08_e3.py")(), ["ada", "ben"], "the check changed"),
    "limits": (lambda school: school.course_says("check_seconds: 5", "check_seconds: 6"), ["ada", "ben"],
               "course.yml changed"),
    "settings": (lambda school: written(school.root / "course.private.yml")(), ["ada", "ben"], "course.yml changed"),
    "extension": (lambda school: sql(school, "update submitted_assignment set extension = '1970-01-02 00:00:00.000000'"
                                             " where student_id = 'ada'"), ["ada"], "the extension changed"),
    "two": (
        lambda school: (school.hand_in("ada", points=8), written(school.root / "checks/ch08_e3.py")()),
        ["ada", "ben"],
        "the check changed",
    ),
    "folder": (lambda school: shutil.rmtree(school.graded("ada")), ["ada"], "not the folder that was recorded"),
    "nothing": (lambda school: None, [], ""),
    "clock": (lambda school: os.utime(school.root / "build/submitted/ada/ch08/graph.ipynb", (0, 2**33)), [], ""),
    "a newcomer": (lambda school: school.hand_in("zoe"), ["zoe"], "new"),
}  # fmt: skip


def sql(school: Class, statement: str) -> None:
    with closing(sqlite3.connect(school.root / "build/gradebook.db")) as connection, connection:
        connection.execute(statement)


@pytest.mark.parametrize("what", CHANGES)
def test_a_rerun_does_only_what_changed_and_says_why(school: Class, what: str) -> None:
    change, again, reason = CHANGES[what]
    school.hand_in("ada", "ben")
    school.grade()
    school.begun()
    change(school)
    summary = school.grade()

    assert (school.begun(), list(why(summary)), reason in [*why(summary).values(), ""]) == (again, again, True)


def test_edgewise_itself_changed(school: Class, monkeypatch: pytest.MonkeyPatch) -> None:
    school.hand_in("ada")
    school.grade()
    monkeypatch.setattr(standing, "engine", lambda: "another")

    assert why(school.grade()) == {"ada": "edgewise or Python changed"}


def test_force_grades_all_again(school: Class) -> None:
    school.hand_in("ada", "ben")
    school.grade()

    assert why(school.grade(force=True)) == {"ada": "--force", "ben": "--force"}


def test_only_those_who_are_asked_for_are_graded(school: Class) -> None:
    school.hand_in("ada", "ben", "chloe")
    summary = school.grade("ben", "chloe")

    assert (points(summary), school.begun()) == ({"ben": 7.0, "chloe": 7.0}, ["ben", "chloe"])


def test_what_a_person_wrote_stays(school: Class) -> None:
    school.hand_in("ada")
    school.grade()
    sql(school, "update grade set manual_score = 3, extra_credit = 1 where auto_score is null")
    sql(school, "update comment set manual_comment = 'well done'")
    school.grade(force=True)
    with closing(sqlite3.connect(school.root / "build/gradebook.db")) as connection:
        grades = connection.execute("select auto_score, manual_score, extra_credit from grade order by 1").fetchall()
        comments = connection.execute("select distinct manual_comment from comment").fetchall()

    assert (grades, comments) == ([(None, 3.0, 1.0), (7.0, None, None)], [("well done",)])


@pytest.mark.parametrize(("late", "penalty"), [("late: none", None), ("late: zero", 7.0)])
def test_what_comes_after_the_due_date_of_course_yml_is_late(school: Class, late: str, penalty: float | None) -> None:
    text = (school.root / "course.yml").read_text(encoding="utf-8")
    text = text.replace("date: 2026-09-23", "date: 2026-09-23\n    due: 2026-09-30 23:59 +02:00")
    (school.root / "course.yml").write_text(text.replace("late: none", late), encoding="utf-8")
    written(school.hand_in("ada") / "timestamp.txt", "2026-10-02 09:00:00 +0200")()
    school.grade()

    assert {row[:4] for row in school.rows()} == {("ada", "2026-10-02 07:00:00.000000", "graph", penalty)}


def test_students_may_be_called_anything(school: Class) -> None:
    school.hand_in(*IDS)
    summary = school.grade(jobs=2)

    assert (points(summary), sorted({row[0] for row in school.rows()}), school.grade().rows[0].why) == (
        dict.fromkeys(sorted(IDS), 7.0),
        sorted(IDS),
        "",
    )


def test_a_name_that_is_no_text_is_named_and_stops_nobody(school: Class) -> None:
    school.hand_in("ada", os.fsdecode(b"ben \xff"))
    summary = school.grade()

    assert (points(summary), [row.problems for row in summary.rows if row.problems]) == (
        {"ada": 7.0, "ben \udcff": None},
        [
            (
                (
                    "The name of this folder is no text, so that no gradebook can hold it.",
                    "Rename it, and run this again.",
                ),
            )
        ],
    )


ENDS = {
    "dies": "its process was killed by signal 9, perhaps for want of memory, each of 2 times",
    "bug": "LookupError: sorry, each of 2 times",
    "check": "sorry",
}


@pytest.mark.parametrize("how", ENDS)
def test_a_submission_that_cannot_be_graded_is_named_and_the_others_go_on(school: Class, how: str) -> None:
    school.hand_in("ada", "chloe", "dana")
    school.hand_in("ben", **{how: "sorry"})
    summary = school.grade(jobs=2)

    assert (points(summary), summary.rows[1].problems, summary.status, {row[0] for row in school.rows()}) == (
        {"ada": 7.0, "ben": None, "chloe": 7.0, "dana": 7.0},
        ((f"It could not be graded: {ENDS[how]}.", "Nothing was recorded: grade it by hand, or run this again."),),
        1,
        {"ada", "chloe", "dana"},
    )


def test_a_submission_whose_job_was_killed_once_is_graded_after_all(school: Class) -> None:
    school.hand_in("ada")
    school.hand_in("ben", **{"dies once": True})

    assert (points(school.grade(jobs=1)), school.begun()) == ({"ada": 7.0, "ben": 7.0}, ["ada", "ben", "ben"])


def test_a_fault_of_the_course_ends_the_run_with_its_sentence(school: Class) -> None:
    school.hand_in("ada", release="there is no release")
    summary = school.grade()

    assert (summary.error, summary.status, school.rows()) == ("there is no release", 2, [])


def test_a_place_that_cannot_be_written_is_named_and_the_others_go_on(school: Class) -> None:
    school.hand_in("ada", "ben")
    (school.root / "build/autograded").mkdir()
    (school.root / "build/autograded/ada").symlink_to(school.root)
    summary = school.grade()

    assert (points(summary), summary.rows[0].problems) == (
        {"ada": None, "ben": 7.0},
        (("autograded/ada is no folder; move it away.", "Nothing was recorded: put that right, and run this again."),),
    )


def test_a_place_that_is_spoilt_while_it_is_graded_is_named_too(school: Class, monkeypatch: pytest.MonkeyPatch) -> None:
    school.hand_in("ada")
    monkeypatch.setattr(batch.Writer, "stands", lambda *_: (school.root / "build/autograded/ada").touch() or False)

    assert school.grade().rows[0].problems == (
        ("autograded/ada is no folder; move it away.", "Nothing was recorded: put that right, and run this again."),
    )


# --- Nothing can be graded ---


@pytest.mark.parametrize(
    ("spoil", "error"),
    [
        (lambda school: (school.root / "build/gradebook.db").unlink(),
         "gradebook.db: there is no gradebook yet; `edgewise build ch08` makes it"),
        (lambda school: sql(school, "drop table alembic_version"),
         "gradebook.db is half made: its making was broken off. Move it away; `edgewise build ch08` makes a new one"),
        (lambda school: sql(school, "update assignment set name = 'ch07'"),
         "the gradebook does not know 'ch08'. `edgewise build ch08` puts that right"),
        (lambda school: shutil.rmtree(school.root / "build/submitted"),
         "nobody has handed in 'ch08'; submissions lie in build/submitted/<student>/ch08"),
        (lambda school: (school.root / "build/autograded").touch(),
         "autograded/ cannot be made (File exists); make way for it"),
        (lambda school: (school.root / "build/.grading.lock").mkdir(),
         "build/.grading.lock can't be locked (unable to open database file); allow writing there"),
    ],
)  # fmt: skip
def test_what_stands_in_the_way_of_all_is_one_sentence(
    school: Class, spoil: Callable[[Class], object], error: str
) -> None:
    school.hand_in("ada")
    spoil(school)
    summary = school.grade()

    assert (summary.error, summary.status, summary.rows, school.begun()) == (error, 2, (), [])


def test_a_gradebook_that_is_locked_ends_the_run(school: Class) -> None:
    school.hand_in("ada")
    with closing(sqlite3.connect(school.root / "build/gradebook.db", isolation_level=None)) as other:
        other.execute("begin immediate")
        summary = school.grade(wait_seconds=0)

    assert (summary.error, school.begun()) == (
        "the gradebook can't be written: another program is writing to it; "
        "wait until that is done, then run this again",
        [],
    )


def test_a_gradebook_that_is_locked_on_the_way_keeps_what_was_recorded(school: Class) -> None:
    school.hand_in("ada", "ben", "chloe")
    with closing(sqlite3.connect(school.root / "build/gradebook.db", isolation_level=None)) as other:
        summary = school.grade(jobs=1, wait_seconds=0, tell=once(lambda: other.execute("begin immediate")))
        found = (len(summary.rows), summary.status)

    assert (found, len({row[0] for row in school.rows()}), len(why(school.grade()))) == ((1, 2), 1, 2)


def once(how: Callable[[], object]) -> Callable[[int, int], None]:
    """Tells the first submission that is done, and no later one."""
    told: list[int] = []

    def tell(done: int, _total: int) -> None:
        if done and not told:
            told.append(done)
            how()

    return tell


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_ctrl_c_keeps_what_was_recorded_and_says_so(school: Class, how: signal.Signals) -> None:
    """So does being asked to end in another way."""
    school.hand_in("ada", "ben", "chloe")
    summary = school.grade(jobs=1, tell=once(lambda: signal.raise_signal(how)))

    assert (summary.error, summary.status, len(school.rows()), len(why(school.grade()))) == (
        "stopped: 1 submission looked at, and the next run goes on from there",
        2,
        2,
        2,
    )


def test_what_nohup_ignores_stays_ignored(school: Class) -> None:
    school.hand_in("ada", "ben")
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        summary = school.grade(jobs=1, tell=once(lambda: signal.raise_signal(signal.SIGHUP)))
    finally:
        signal.signal(signal.SIGHUP, before)

    assert (summary.error, len(summary.rows)) == (None, 2)


def test_signals_mean_what_they_meant_after_a_run(school: Class) -> None:
    school.hand_in("ada")
    before = signal.getsignal(signal.SIGTERM)
    school.grade()

    assert signal.getsignal(signal.SIGTERM) is before


def test_a_class_can_be_graded_from_a_thread(school: Class) -> None:
    school.hand_in("ada")
    with ThreadPoolExecutor(1) as threads:
        summary = threads.submit(school.grade).result()

    assert summary.status == 0


def test_two_runs_at_once_are_one_too_many(school: Class) -> None:
    school.hand_in("ada", "ben")
    second: list[Summary] = []
    first = school.grade(tell=once(lambda: second.append(school.grade())))

    assert (first.status, second[0].error) == (
        0,
        "another `edgewise grade` is at work in this course; wait until it is done",
    )


def test_progress_is_told_as_it_comes(school: Class) -> None:
    school.hand_in("ada", "ben", "chloe")
    told: list[tuple[int, int]] = []
    school.grade(tell=lambda done, total: told.append((done, total)))

    assert (sorted(set(told)), told[-1]) == ([(0, 3), (1, 3), (2, 3), (3, 3)], (3, 3))


def test_the_judge_knows_whether_there_are_many(school: Class) -> None:
    school.hand_in("ada", "ben", "chloe")
    asked: list[bool] = []

    def judging(many: bool) -> Any:
        asked.append(many)
        return school.judging(many)

    for jobs in (2, 3):
        grade(school.course, school.session, Asked(jobs=jobs, force=True), judging=judging)

    assert asked == [True, False]


def test_the_real_judge_is_what_a_job_opens(school: Class) -> None:
    opened = judges(school.course.path, "ch08", False)()

    assert (type(opened).__name__, type(opened).__module__) == ("Judge", "edgewise.grading.judging.judge")


# --- Killed in the middle ---

KILLED = """
import os, signal, sys
from pathlib import Path
from tests.grading.fake import Class
class There(Class):
    def __init__(self, root): self.root = root
school = There(Path(sys.argv[1]))
school.grade(jobs=2, tell=lambda done, _: done == int(sys.argv[2]) and os.kill(os.getpid(), signal.SIGKILL))
"""


def test_a_thousand_submissions_with_a_kill_in_the_middle_are_all_graded_once(school: Class) -> None:
    names = [f"s{number:04}" for number in range(1_000)]
    for number, name in enumerate(names):
        school.hand_in(name, points=number % 11)
    words = [sys.executable, "-c", KILLED, str(school.root), "400"]
    killed = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    begun = school.begun()
    summary = school.grade(jobs=2)
    again = school.begun()
    with closing(sqlite3.connect(school.root / "build/gradebook.db")) as connection:
        integrity = connection.execute("pragma integrity_check").fetchone()[0]
        foreign = connection.execute("pragma foreign_key_check").fetchall()
    scores = [(row[0], row[5]) for row in school.rows() if row[4] == "ch08-e3-check"]
    marks = {json.loads((school.graded(name) / ".edgewise.json").read_text("utf-8"))["grading"] for name in names}

    assert (killed.returncode, killed.stderr) == (-signal.SIGKILL, "")
    assert (scores, len(marks), integrity, foreign) == (
        [(name, float(number % 11)) for number, name in enumerate(names)],
        1_000,
        "ok",
        [],
    )
    assert (len(why(summary)), len(again), set(begun) | set(again), len(begun) - 400 <= 4) == (
        600,
        600,
        set(names),
        True,
    )
    assert (list(school.files()), school.grade().status) == (
        sorted(path for name in names for path in (name, f"{name}/ch08", f"{name}/ch08/graph.ipynb")),
        0,
    )
