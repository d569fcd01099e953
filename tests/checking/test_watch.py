"""`edgewise check --watch`: again after each save, whatever an editor does to the file, until Ctrl-C."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from edgewise.checking import watch as watching
from edgewise.checking.engine import CheckError
from edgewise.checking.watch import PATIENCE, Stamp, saved, watch
from edgewise.cli import app

ONE, TWO, THREE = (1, 10, 5), (2, 10, 5), (3, 12, 6)
END = "\nstep.py was checked {}; it is no longer watched."


class Desk:
    """A desk where the file goes through `stamps`, one a look, and Ctrl-C comes after the last."""

    def __init__(self, *stamps: Stamp | None, reports: Iterable[str | CheckError] = ()) -> None:
        self.stamps = iter(stamps)
        self.reports = iter(reports)
        self.said: list[str] = []
        self.slept: list[float] = []
        self.cleared = 0

    def look(self, _file: Path) -> Stamp | None:
        try:
            return next(self.stamps)
        except StopIteration:
            raise KeyboardInterrupt from None

    def report(self) -> str:
        found = next(self.reports, "passed")
        if isinstance(found, CheckError):
            raise found
        return found

    def clear(self) -> None:
        self.cleared += 1

    def watch(self, *, clears: bool = False) -> list[str]:
        """What is said until Ctrl-C."""
        clear = self.clear if clears else None
        watch(Path("step.py"), self.report, self.said.append, clear=clear, sleep=self.slept.append, look=self.look)
        return self.said


def test_the_file_is_checked_at_once_and_after_each_save() -> None:
    assert Desk(ONE, ONE, TWO, TWO, TWO, THREE, THREE, reports=["not yet", "not yet", "passed"]).watch() == [
        "── step.py · check 1 · Ctrl-C ends ──\nnot yet",
        "── step.py · check 2 · Ctrl-C ends ──\nnot yet",
        "── step.py · check 3 · Ctrl-C ends ──\npassed",
        END.format("3 times"),
    ]


def test_a_file_that_rests_is_checked_once() -> None:
    assert Desk(ONE, ONE, ONE, ONE).watch()[1:] == [END.format("once")]


def test_a_file_that_is_still_being_written_is_left_to_rest() -> None:
    assert Desk(ONE, TWO, THREE, THREE, THREE).watch()[1:] == [
        "── step.py · check 2 · Ctrl-C ends ──\npassed",
        END.format("2 times"),
    ]


def test_a_file_that_is_away_for_a_moment_is_not_spoken_of() -> None:
    assert Desk(ONE, None, None, TWO, TWO).watch()[1:] == [
        "── step.py · check 2 · Ctrl-C ends ──\npassed",
        END.format("2 times"),
    ]


def test_a_file_that_comes_back_as_it_was_is_not_checked_again() -> None:
    assert Desk(ONE, None, ONE, ONE).watch()[1:] == [END.format("once")]


def test_a_file_that_stays_away_is_spoken_of_once() -> None:
    assert Desk(ONE, *[None] * (2 * PATIENCE), TWO, TWO).watch()[1:] == [
        "step.py is not there; it is checked again when it is back",
        "── step.py · check 2 · Ctrl-C ends ──\npassed",
        END.format("2 times"),
    ]


def test_a_save_during_a_check_is_seen() -> None:
    """The first stamp is of before the check; here the file changed while it ran."""
    assert len(Desk(ONE, TWO, TWO).watch()) == 3


def test_a_later_check_that_cannot_be_made_says_why_and_goes_on() -> None:
    gone = CheckError("step.py: there is no such file; here are: other.py")

    assert Desk(ONE, TWO, TWO, THREE, THREE, reports=["not yet", gone]).watch()[1:] == [
        "── step.py · check 2 · Ctrl-C ends ──\nstep.py: there is no such file; here are: other.py",
        "── step.py · check 3 · Ctrl-C ends ──\npassed",
        END.format("3 times"),
    ]


def test_a_first_check_that_cannot_be_made_ends_it() -> None:
    with pytest.raises(CheckError, match=r"^there is no such file$"):
        Desk(ONE, reports=[CheckError("there is no such file")]).watch()


def test_ctrl_c_before_the_first_report_ends_it_as_well() -> None:
    assert Desk().watch() == [END.format("0 times")]


def test_the_screen_is_emptied_before_each_report() -> None:
    desk = Desk(ONE, TWO, TWO)
    desk.watch(clears=True)

    assert desk.cleared == 2


def test_it_looks_four_times_a_second() -> None:
    desk = Desk(ONE, ONE, ONE)
    desk.watch()

    assert desk.slept == [0.25, 0.25, 0.25]


def test_a_stamp_tells_a_replaced_file_from_the_one_before(tmp_path: Path) -> None:
    file, other = tmp_path / "step.py", tmp_path / "step.py~"
    absent = saved(file)
    file.write_text("one")
    other.write_text("two")
    before = saved(file)
    other.replace(file)

    assert absent is None
    assert before != saved(file)


# --- The command ------------------------------------------------------------------------------------


def run(*arguments: object) -> tuple[int, str, str]:
    """Exit status, stdout and stderr of `edgewise check`."""
    done = CliRunner().invoke(app, ["check", *map(str, arguments)])
    return done.exit_code, done.stdout, done.stderr


def interrupt(_seconds: float) -> None:
    raise KeyboardInterrupt


def test_the_command_ends_with_0_and_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching.watch, "__kwdefaults__", {**watching.watch.__kwdefaults__, "sleep": interrupt})
    file = tmp_path / "step.py"
    file.write_text("step = 1\n")
    status, out, err = run("ch08-e3", file, "--watch")

    assert (status, out.splitlines()[:2], out.splitlines()[-1], err) == (
        0,
        ["── step.py · check 1 · Ctrl-C ends ──", "ch08-e3 · The step · not yet · 0 of 10 points"],
        "step.py was checked once; it is no longer watched.",
        "",
    )


def test_a_file_that_is_not_there_ends_the_command_with_2(tmp_path: Path) -> None:
    assert run("ch08-e3", tmp_path / "step.py", "--watch") == (
        2,
        "",
        "step.py: there is no such file; no .py or .ipynb file is there\n",
    )


def test_watch_and_json_are_not_for_one_another(tmp_path: Path) -> None:
    status, out, err = run("ch08-e3", tmp_path / "step.py", "--watch", "--json")

    assert (status, json.loads(out)["error"], err) == (
        2,
        "--watch gives a report after each save, --json one object; use one of them",
        "",
    )
