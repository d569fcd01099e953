"""The `edgewise` command: reads arguments, calls the rest, prints, sets the exit status."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import nullcontext
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated

import typer

SCHEDULER = "A Dask scheduler, whose workers grade; they share the course's folder with this machine, under one path."

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Loops and graphs: a Jupyter teaching kit.")


@app.callback()
def _edgewise() -> None:
    """Loops and graphs: a Jupyter teaching kit."""


@app.command()
def lab(
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address and open no browser.")] = False,
    port: Annotated[int | None, typer.Option(help="Where to serve; if it is taken, the next free port.")] = None,
    folder: Annotated[Path | None, typer.Option(help="Where your copies lie; my-sessions/ if left out.")] = None,
) -> None:
    """Open the newest session in JupyterLab, on copies of your own that nothing overwrites."""
    from edgewise.serve import LabError, open_lab

    try:
        raise typer.Exit(open_lab(folder, port=port, browser=not no_browser))
    except LabError as error:
        typer.echo(error, err=True)
        raise typer.Exit(2) from None


@app.command()
def check(
    exercise: Annotated[str, typer.Argument(help="Its id, such as ch08-e3.")],
    file: Annotated[Path, typer.Argument(help="A .py or .ipynb file with your answer.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object, in every case.")] = False,
    again: Annotated[bool, typer.Option("--watch", help="Check again after each save, until Ctrl-C.")] = False,
) -> None:
    """Check one exercise in a file. Exits with 0 when all points are earned, 1 when not, 2 when it could not check."""
    from edgewise.checking.engine import CheckError
    from edgewise.checking.limited import check_file
    from edgewise.course import CourseError, UnknownExerciseError, load_course

    if again and as_json:
        _say_why(exercise, "--watch gives a report after each save, --json one object; use one of them", as_json=True)
        raise typer.Exit(2)
    try:
        course = load_course()
        listed = course.exercise(exercise)
        if again:
            _watched(file, lambda: check_file(course, listed, file).text)
            return
        checked = check_file(course, listed, file)
    except (CheckError, CourseError, UnknownExerciseError, OSError, RuntimeError) as error:
        _say_why(exercise, str(error), as_json=as_json)
        raise typer.Exit(2) from None
    typer.echo(json.dumps(checked.data) if as_json else checked.text)
    raise typer.Exit(0 if checked.outcome == "passed" else 1)


def _watched(file: Path, report: Callable[[], str]) -> None:
    """Show the report on the file now and after each save; a terminal is emptied before each."""
    from rich.console import Console

    from edgewise.checking.watch import watch

    watch(file, report, typer.echo, clear=Console().clear if sys.stdout.isatty() else None)


@app.command()
def progress(
    folder: Annotated[
        Path | None, typer.Argument(help="Where your notebooks lie; the nearest my-sessions/, or this folder.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Say which exercises are done and which is next, by your saved notebooks. Exits with 0, or 2 if it can't tell."""
    from edgewise.checking.engine import CheckError
    from edgewise.checking.progress import progress as work_out

    try:
        found = work_out(folder)
    except CheckError as error:
        typer.echo(json.dumps({"error": str(error)}) if as_json else error, err=not as_json)
        raise typer.Exit(2) from None
    typer.echo(json.dumps(found.as_json()) if as_json else found.text)
    raise typer.Exit(0 if found.is_known else 2)


@app.command()
def lint() -> None:
    """Say what does not fit between course.yml, notebooks and checks. Exits with 0, 1, or 2 if it can't run."""
    from edgewise.course import CourseError, own_course
    from edgewise.release import instructor_needs

    try:
        course = own_course()
    except CourseError as error:
        _listed(error.problems)
    needs = instructor_needs(course)
    if needs:
        typer.echo(needs, err=True)
        raise typer.Exit(2)
    from edgewise.release.lint import problems

    _listed(problems(course))
    notebooks = sum(len(session.notebooks) for session in course.sessions.values())
    typer.echo(f"No problems: {notebooks} notebooks, {len(course.exercises)} exercises.")


@app.command()
def build(
    session: Annotated[str, typer.Argument(help="Its id, such as ch08.")],
    quick: Annotated[bool, typer.Option("--quick", help="Run no stub and no solution first.")] = False,
) -> None:
    """Make the students' version of a session. Exits with 0, 1 where something does not fit, 2 if it can't run."""
    from edgewise.course import CourseError, UnknownSessionError, own_course, shown
    from edgewise.release import BuildError, instructor_needs
    from edgewise.release import build as make

    try:
        course = own_course()
        needs = instructor_needs(course)
        if not needs:
            typer.echo(f"Released in {shown(make(course, session, measured=not quick))}")
            return
    except UnknownSessionError as error:
        needs = str(error)
    except (CourseError, BuildError) as error:
        _listed(error.problems)
    typer.echo(needs, err=True)
    raise typer.Exit(2)


@app.command()
def new(
    exercise: Annotated[str, typer.Argument(help="Its id: the session's, and what is free there, such as ch08-e7.")],
    title: Annotated[str | None, typer.Option(help="Its title; to be filled in if left out.")] = None,
    notebook: Annotated[str | None, typer.Option(help="Where it stands; the session's last one if left out.")] = None,
    name: Annotated[str, typer.Option(help="The function it asks for.")] = "answer",
    points: Annotated[float, typer.Option(help="What it gives.")] = 2,
) -> None:
    """Lay out a new exercise: its line in course.yml, its check, its cells. Exits with 0, or 2 with nothing written."""
    from edgewise.course import CourseError, own_course
    from edgewise.release import instructor_needs
    from edgewise.release.new import NewError, lay_out

    written: tuple[str, ...] = ()
    try:
        course = own_course()
        needs = instructor_needs(course)
        if not needs:
            written = lay_out(course, exercise, title=title, notebook=notebook, name=name, points=points)
    except (CourseError, NewError) as error:
        needs = str(error)
    if needs:
        typer.echo(needs, err=True)
        raise typer.Exit(2)
    typer.echo("\n".join([*written, "`edgewise lint` says what is left to do."]))


def _listed(problems: tuple[str, ...]) -> None:
    """Print the problems, if any, and end with 1."""
    if problems:
        typer.echo("\n".join(problems))
        typer.echo("1 problem." if len(problems) == 1 else f"{len(problems)} problems.", err=True)
        raise typer.Exit(1)


@app.command()
def mutants(
    exercise: Annotated[str | None, typer.Argument(help="Its id; every exercise if left out.")] = None,
) -> None:
    """Prove the checks: wrong answers are caught, right ones accepted. Exits 0 when so, 1 when not, 2 if it can't."""
    from edgewise.checking.engine import CheckError
    from edgewise.checking.proof import prove
    from edgewise.course import CourseError, UnknownExerciseError, load_course

    missed: list[str] = []
    try:
        course = load_course()
        chosen = [course.exercise(exercise)] if exercise else [each for each in course.exercises if not each.written]
        for each in chosen:
            proof = prove(course, each)
            typer.echo(proof.text)
            missed += proof.missed
    except (CheckError, CourseError, UnknownExerciseError) as error:
        typer.echo(error, err=True)
        raise typer.Exit(2) from None
    for sentence in missed:
        typer.echo(sentence, err=True)
    raise typer.Exit(1 if missed else 0)


@app.command()
def doctor(as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False) -> None:
    """Say how submissions are confined here. Exits with 0 if in every way, 1 if not in all, 2 if none can be run."""
    from edgewise.grading.doctor import diagnose

    diagnosis = diagnose()
    typer.echo(json.dumps(diagnosis.as_json()) if as_json else diagnosis.text)
    raise typer.Exit(diagnosis.status)


@app.command()
def grade(
    session: Annotated[str, typer.Argument(help="Its id, such as ch08.")],
    jobs: Annotated[int | None, typer.Option(min=1, help="How many at a time; one a processor if left out.")] = None,
    student: Annotated[list[str] | None, typer.Option(help="Whom to grade, once for each; all if left out.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Grade again what is up to date.")] = False,
    scheduler: Annotated[str | None, typer.Option(metavar="tcp://HOST:8786", help=SCHEDULER)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object, in every case.")] = False,
) -> None:
    """Grade what is handed in, new or changed. Exits with 0, 1 where a person has to look, 2 if it can't run."""
    from edgewise.course import CourseError, UnknownSessionError, own_course
    from edgewise.grading.gradebook.batch import Asked
    from edgewise.grading.gradebook.batch import grade as run
    from edgewise.grading.gradebook.summary import Summary, bar, printable
    from edgewise.grading.workers.warm import early

    try:
        here = early() if scheduler is None else nullcontext()
        with here as workers, bar(session, sys.stderr, shown=not as_json) as tell:
            course = own_course()
            asked = Asked(student or (), jobs, force, scheduler)
            summary = run(course, course.session(session), asked, workers=workers, tell=tell)
    except (CourseError, UnknownSessionError) as error:
        summary = Summary(session, error=str(error))
    typer.echo(json.dumps(summary.as_json()) if as_json else summary.text, nl=as_json)
    if summary.error is not None and not as_json:
        typer.echo("\n".join(map(printable, summary.error.splitlines())), err=True)
    raise typer.Exit(summary.status)


@app.command()
def stats(
    session: Annotated[str, typer.Argument(help="Its id, such as ch08.")],
    plot: Annotated[Path | None, typer.Option(metavar="FILE.svg", help="Draw it into this file as well.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object, in every case.")] = False,
) -> None:
    """Say per exercise and rule how many failed, and by which misconception. Exits with 0, or 2 if it can't tell."""
    from edgewise.checking.engine import CheckError
    from edgewise.course import CourseError, UnknownSessionError, own_course
    from edgewise.grading.gradebook.database import GradebookError
    from edgewise.grading.stats.plot import PlotError, fit, save
    from edgewise.grading.stats.statistics import NothingGradedError
    from edgewise.grading.stats.statistics import stats as work_out

    try:
        if plot is not None:
            fit(plot)
        course = own_course()
        found = work_out(course, course.session(session))
        if plot is not None:
            save(found, plot)
    except (CheckError, CourseError, GradebookError, NothingGradedError, PlotError, UnknownSessionError) as error:
        typer.echo(json.dumps({"error": str(error)}) if as_json else error, err=not as_json)
        raise typer.Exit(2) from None
    if as_json:
        typer.echo(json.dumps({**found.as_json(), "plot": None if plot is None else str(plot)}))
        return
    from edgewise.grading.stats.table import text

    typer.echo(text(found), nl=False)
    if plot is not None:
        typer.echo(f"Drawn in {plot}.")


def _say_why(exercise: str, error: str, *, as_json: bool) -> None:
    """Say why nothing was checked."""
    if as_json:
        nothing = {"points": 0, "max_points": 0, "findings": [], "misconception": None, "domain": ""}
        typer.echo(json.dumps({"exercise": exercise, "outcome": "could not check", **nothing, "error": error}))
    else:
        typer.echo(error, err=True)


def main() -> None:
    """What the console script runs. Where JSON is asked for, a call that can't be read is answered in JSON too."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a pipe on Windows knows few letters
    words = sys.argv[1:]
    if words[:1] not in (["check"], ["grade"], ["stats"]) or "--json" not in words:
        app()
    try:
        sys.exit(app(standalone_mode=False))
    except typer.TyperException as error:
        message = error.format_message() if hasattr(error, "format_message") else str(error)
        named = next((word for word in words[1:] if not word.startswith("-")), "")
        if words[0] == "grade":
            typer.echo(json.dumps({"session": named, "submissions": [], "confinement": [], "error": message}))
        elif words[0] == "stats":
            typer.echo(json.dumps({"error": message}))
        else:
            _say_why(named, message, as_json=True)
        sys.exit(2)
