"""A gradebook that a URL names has the rows that the direct writer gives a SQLite file, in PostgreSQL too."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from edgewise.course import Session
from edgewise.grading.gradebook import other_database as module
from edgewise.grading.gradebook.database import GradebookError, opened
from edgewise.grading.gradebook.other_database import Api, connected
from edgewise.grading.gradebook.rows import MOMENT, Graded, Sqlite
from edgewise.grading.stats.statistics import NothingGradedError, stats
from tests.grading.fake import ROWS as SHORT
from tests.grading.fake import Class
from tests.grading.marked import Marked, mark_five
from tests.grading.postgres import Server, running
from tests.grading.test_class import FORMGRADER, edgewise
from tests.grading.test_door import Graded as Kit
from tests.grading.test_gradebook import GRADED, RECORD, ROWS, UNFIT

KINDS = ("sqlite", "postgresql")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running() as server:
        yield server


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest, empty: Path, tmp_path: Path) -> str:
    """A gradebook of the small course, in each kind of database."""
    if request.param == "sqlite":
        return f"sqlite:///{shutil.copy(empty, tmp_path / 'other.db')}"
    return str(request.getfixturevalue("server").database())


@pytest.fixture
def session(school: Class) -> Session:
    return school.session


@contextmanager
def api(url: str, session: Session, late: str = "none", **how: float) -> Iterator[Api]:
    with connected(url, session.id, **how) as engine:
        gradebook = Api(engine, session, late=late, **how)
        gradebook.prepare()
        yield gradebook


def record(gradebook: Any, *all_graded: Graded) -> None:
    for graded in all_graded or (GRADED,):
        with gradebook.writing(graded, RECORD):
            pass


def does(url: str, statement: str) -> list[tuple[Any, ...]]:
    """What a statement gives, with each value as SQLite keeps it, in one order."""
    engine = create_engine(url)
    with engine.begin() as connection:
        done = connection.execute(text(statement))
        found = [tuple(map(plain, row)) for row in done] if done.returns_rows else []
    engine.dispose()
    return sorted(found, key=repr)


def plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.strftime(MOMENT)
    return int(value) if isinstance(value, bool) else value


ALL = (
    GRADED,
    Graded("ben", None, GRADED.scores, {}),
    Graded("d'Arc [1]", GRADED.timestamp, {}, {}),
    Graded("e\nve", GRADED.timestamp, {"graph": {"ch08-e3-check": 10.0, "ch08-w1": 0.0}}, GRADED.answered),
)


@pytest.mark.parametrize("late", ["none", "zero"])
def test_the_rows_are_those_of_the_direct_writer(url: str, path: Path, session: Session, late: str) -> None:
    session = replace(session, due=datetime(2026, 9, 24, 11, tzinfo=UTC))
    with opened(path, "ch08") as connection:
        direct = Sqlite(connection, session, late=late)
        direct.prepare()
        record(direct, *ALL, replace(GRADED, answered={}))
    with api(url, session, late) as gradebook:
        record(gradebook, *ALL, replace(GRADED, answered={}))

    assert does(url, ROWS) == does(f"sqlite:///{path}", ROWS)


def test_recording_twice_changes_nothing(url: str, session: Session) -> None:
    with api(url, session) as gradebook:
        record(gradebook)
        once = does(url, ROWS)
        record(gradebook)

    assert does(url, ROWS) == once


def test_what_a_person_wrote_stays_and_counts_when_it_is_late(url: str, session: Session) -> None:
    with api(url, replace(session, due=datetime(2026, 9, 24, 11, tzinfo=UTC)), "zero") as gradebook:
        record(gradebook)
        does(url, "update grade set manual_score = 4, extra_credit = 1 where auto_score = 2.5")
        does(url, "update comment set manual_comment = 'well done'")
        record(gradebook)

    assert [row[4:] for row in does(url, ROWS) if row[5] in ("ch08-e3-check", "ch08-e3")] == [
        (5.0, "ch08-e3", "SolutionCell", None, None, None, None, None, "well done"),
        (5.0, "ch08-e3-check", "GradeCell", 2.5, 4.0, 1.0, 1, None, None),
    ]


def test_an_extension_that_is_granted_later_is_noticed_and_moves_the_due_date(url: str, session: Session) -> None:
    from nbgrader.api import Gradebook

    with api(url, replace(session, due=datetime(2026, 9, 24, 11, tzinfo=UTC)), "zero") as gradebook:
        record(gradebook)
        with Gradebook(url, "small") as theirs:
            theirs.grant_extension("ch08", "ada", hours=2)
        noticed = gradebook.recorded("ada")
        record(gradebook)
        after = gradebook.recorded("ada")

    assert noticed is not None and after is not None
    assert (noticed.is_extended, after.is_extended, {row[4] for row in does(url, ROWS)}) == (True, False, {None})


def test_an_extension_where_nothing_is_due_takes_nothing_off(url: str, session: Session) -> None:
    from nbgrader.api import Gradebook

    with api(url, session, "zero") as gradebook:
        record(gradebook)
        with Gradebook(url, "small") as theirs:
            theirs.grant_extension("ch08", "ada", hours=2)
        record(gradebook)

    assert {row[4] for row in does(url, ROWS)} == {None}


def test_a_record_is_read_back_as_the_direct_writer_reads_its_own(url: str, path: Path, session: Session) -> None:
    with opened(path, "ch08") as connection:
        direct = Sqlite(connection, session, late="none")
        direct.prepare()
        record(direct)
        expected = direct.recorded("ada")
    with api(url, session) as gradebook:
        record(gradebook)

        assert (gradebook.recorded("ada"), gradebook.recorded("ben")) == (expected, None)


def test_neither_rows_nor_record_are_there_after_an_exception(url: str, session: Session) -> None:
    with api(url, session) as gradebook:
        with pytest.raises(ZeroDivisionError), gradebook.writing(GRADED, RECORD):
            raise ZeroDivisionError

        assert (does(url, ROWS), gradebook.recorded("ada")) == ([], None)


def test_the_record_of_a_submission_that_nbgrader_removed_goes_too(url: str, session: Session) -> None:
    from nbgrader.api import Gradebook

    with api(url, session) as gradebook:
        record(gradebook)
        with Gradebook(url, "small") as theirs:
            theirs.remove_submission("ch08", "ada")
        gradebook.prepare()

    assert does(url, "select count(*) from edgewise_grade") == [(0,)]


@pytest.mark.parametrize(
    ("due", "written"),
    [(None, None), (datetime(2026, 9, 30, 22, tzinfo=UTC), "2026-09-30 22:00:00.000000")],
)
def test_the_due_date_is_the_one_of_course_yml(
    url: str, session: Session, due: datetime | None, written: str | None
) -> None:
    with api(url, replace(session, due=due)):
        pass

    assert does(url, "select duedate from assignment") == [(written,)]


@pytest.mark.parametrize("what", UNFIT)
def test_a_gradebook_that_does_not_fit_course_yml_is_named_as_elsewhere(url: str, session: Session, what: str) -> None:
    change, said = UNFIT[what]
    with pytest.raises(GradebookError) as raised, api(url, change(session)):
        pass

    assert str(raised.value) == said


# --- A database that cannot be used ---

NOT_READ: dict[str, tuple[Callable[[Server], str], str]] = {
    "nobody answers": (
        lambda server: "postgresql+psycopg://grader:secret@127.0.0.1:1/grades",
        "the database 'grades' can't be read: connection failed: connection to server at \"127.0.0.1\", port 1 failed: "
        "Connection refused",
    ),
    "empty": (
        lambda server: server.database("template1"),
        "the database {!r} is empty; `edgewise build ch08` fills it",
    ),
    "half made": (
        lambda server: changed(server, "drop table alembic_version"),
        "the database {!r} is half made: its making was broken off. Move it away; "
        "`edgewise build ch08` makes a new one",
    ),
    "another version": (
        lambda server: changed(server, "update alembic_version set version_num = 'old'"),
        "the database {!r} is of version old, not e43177bfe90b; `nbgrader db upgrade` brings it there",
    ),
    "no such database": (
        lambda server: "wonder://db/grades",
        "SQLAlchemy has no 'wonder'; a database is named as in postgresql://…",
    ),
    "no URL": (
        lambda server: "://",
        "SQLAlchemy cannot read the URL that is the database of course.yml",
    ),
}


def changed(server: Server, statement: str) -> str:
    url = server.database()
    does(url, statement)
    return url


@pytest.mark.parametrize("what", NOT_READ)
def test_a_database_that_cannot_be_used_is_named_without_its_password(server: Server, what: str) -> None:
    make, said = NOT_READ[what]
    url = make(server)
    with pytest.raises(GradebookError) as raised, connected(url, "ch08", wait_seconds=5):
        pass

    assert str(raised.value) == said.format(url.partition("@/")[2].partition("?")[0])


def test_a_driver_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(GradebookError) as raised, connected("postgresql+psycopg://db/grades", "ch08"):
        pass

    assert str(raised.value) == "the database's driver is not installed; `pip install psycopg` brings it"


def test_who_waits_for_another_does_so_for_a_bounded_time(server: Server, session: Session) -> None:
    with api(server.database(), session, wait_seconds=0.05) as gradebook, gradebook._engine.connect() as other:
        record(gradebook)
        other.execute(text("select * from grade for update"))
        with pytest.raises(GradebookError) as raised:
            record(gradebook)

    assert str(raised.value) == "the gradebook can't be written: canceling statement due to lock timeout"


# --- Item statistics ---


def copied(path: Path, url: str) -> str:
    """The database at `url`, with everything in it that is in the file."""
    from nbgrader.api import Base

    tables = [*Base.metadata.sorted_tables, module.RECORDS]
    here, there = create_engine(f"sqlite:///{path}"), create_engine(url)
    with here.connect() as reading, there.begin() as writing:
        module.RECORDS.create(writing, checkfirst=True)
        for table in reversed(tables):
            writing.execute(table.delete())
        for table in tables:
            rows = [dict(row._mapping) for row in reading.execute(table.select())]
            if rows:
                writing.execute(table.insert(), rows)
    here.dispose()
    there.dispose()
    return url


@pytest.mark.parametrize("kind", KINDS)
def test_statistics_are_those_of_the_same_rows_in_a_file(
    kind: str, empty: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    school = Marked.marked(tmp_path / "kit", empty)
    mark_five(school)
    school.by_hand("ada", "ch08-w1", 2.0)
    path = school.root / "build/gradebook.db"
    url = f"sqlite:///{path}" if kind == "sqlite" else copied(path, request.getfixturevalue("server").database())
    course = school.course
    there = replace(course, layout=replace(course.layout, database=url))

    assert stats(there, school.session) == school.stats()


def test_where_nothing_was_graded_the_statistics_say_so(url: str, school: Class) -> None:
    course = school.course
    there = replace(course, layout=replace(course.layout, database=url))
    with pytest.raises(NothingGradedError) as raised:
        stats(there, school.session)

    assert str(raised.value) == "no grade of 'ch08' is recorded yet; `edgewise grade ch08` grades what is handed in"


# --- A class ---


@pytest.fixture
def elsewhere(server: Server, school: Class) -> Class:
    """The class, with its grades in PostgreSQL and no gradebook beside."""
    school.url = server.database()  # type: ignore[attr-defined]
    school.course_says("database: build/gradebook.db", f"database: {school.url}")  # type: ignore[attr-defined]
    (school.root / "build/gradebook.db").unlink()
    return school


def test_a_class_is_graded_into_the_database_that_course_yml_names(elsewhere: Class) -> None:
    elsewhere.hand_in("ada", points=9, repairs=["put right"])
    elsewhere.hand_in("ben", points=0, problems=["odd"])
    first, begun = elsewhere.grade(), elsewhere.begun()
    second = elsewhere.grade()

    assert (begun, elsewhere.begun(), second.as_json() == first.as_json(), first.status) == (
        ["ada", "ben"],
        [],
        True,
        1,
    )
    assert does(elsewhere.url, SHORT) == [  # type: ignore[attr-defined]
        ("ada", None, "graph", None, "ch08-e3-check", 9.0, 0),
        ("ada", None, "graph", None, "ch08-w1", None, 1),
        ("ben", None, "graph", None, "ch08-e3-check", 0.0, 0),
        ("ben", None, "graph", None, "ch08-w1", None, 1),
    ]


def test_what_is_kept_beside_the_grades_lies_with_the_outputs(elsewhere: Class) -> None:
    elsewhere.hand_in("ada")
    elsewhere.grade()

    assert sorted(path.name for path in (elsewhere.root / "build").iterdir()) == [
        ".grading.lock",
        "autograded",
        "submitted",
    ]


def test_a_name_that_the_database_does_not_take_is_named_and_stops_nobody(elsewhere: Class) -> None:
    long = "x" * 129
    elsewhere.hand_in("ada", long, "zoe")
    summary = elsewhere.grade()

    assert ({row.student: row.points for row in summary.rows}, summary.rows[1].problems) == (
        {"ada": 7.0, long: None, "zoe": 7.0},
        (
            (
                f"the gradebook cannot hold the name {long!r}: value too long for type character varying(128).",
                "Nothing was recorded: put that right, and run this again.",
            ),
        ),
    )


def test_without_nbgrader_a_sentence_says_what_is_missing(elsewhere: Class, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere.hand_in("ada")
    monkeypatch.setitem(sys.modules, "edgewise.grading.gradebook.other_database", None)

    assert elsewhere.grade().error == "nbgrader is not installed; `pip install 'edgewise[instructor]'` brings it"


def test_a_penalty_is_never_more_than_there_is(path: Path, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.LateSubmissionPlugin, "late_submission_penalty", lambda *_: 99)
    late = replace(session, due=datetime(2026, 9, 24, 11, tzinfo=UTC) - timedelta(days=1))
    with api(f"sqlite:///{path}", late, "zero") as gradebook:
        record(gradebook)

    assert {row[4] for row in does(f"sqlite:///{path}", ROWS)} == {2.5}


def test_nbgrader_releases_edgewise_grades_and_nbgrader_shows_it(server: Server, tmp_path: Path) -> None:
    kit = Kit(tmp_path / "kit")
    kit.course_says("database: build/gradebook.db", f"database: {server.database('template1')}")
    kit.nbgrader("generate_assignment", "ch08")
    kit.hand_in("ada", lambda raw: None)
    status, made = edgewise(kit)
    kit.nbgrader("generate_feedback", "ch08")
    kit.nbgrader("export")
    listed = subprocess.run([sys.executable, "-W", "ignore", "-c", FORMGRADER], cwd=kit.root, capture_output=True)
    export = (kit.root / "build/grades.csv").read_text(encoding="utf-8")

    assert (status, [one["points"] for one in made["submissions"]], json.loads(listed.stdout.splitlines()[-1])) == (
        0,
        [10.0],
        {"ada": [True, 10.0, True]},
    )
    assert (",ada," in export, (kit.root / "build/feedback/ada/ch08/graph.html").is_file()) == (True, True)
