"""Whatever student code does when it is called comes back as a value, and nothing of it stays behind."""

import contextlib
import functools
import inspect
import signal
import sys
import threading
import time
import warnings

import pytest

import edgewise
from edgewise.checking import calling, clock
from edgewise.checking.calling import Caller, Raised, Stopped
from edgewise.checking.fitting import is_ours, unfit


@pytest.fixture
def quick(monkeypatch):
    """A clock that gives up after a fifth of a second."""
    monkeypatch.setattr(clock, "CALL_SECONDS", 0.1)
    monkeypatch.setattr(clock.Clock, "TICK", 0.02)


def ask(function, *arguments, seconds=5, **keywords):
    with Caller(seconds) as caller:
        return caller(function, *arguments, **keywords)


def stopped(function, **keywords):
    with pytest.raises(Stopped) as stop:
        ask(function, **keywords)
    return stop.value.message


# --- Exceptions --------------------------------------------------------------------------------------


def fails():
    return {}["key"]


def fails_inside():
    return max([3, 1], key=lambda _: fails())


def recurses(depth=0):
    return recurses(depth + 1)


class UnprintableError(Exception):
    def __str__(self):
        raise SystemExit


class EndlessError(Exception):
    def __str__(self):
        while True:
            pass


class Beyond(BaseException):
    """Not an Exception."""


def raises(error):
    def function():
        raise error

    return function


def test_an_answer_is_what_the_function_returns():
    assert ask(lambda one, *, two: (one, two), 1, two=2) == (1, 2)


def test_an_exception_comes_back_with_its_line():
    number = inspect.getsourcelines(fails)[1] + 1

    assert ask(fails) == Raised("KeyError", "'key'", f'line {number}: return {{}}["key"]')


def test_the_line_is_the_innermost_of_the_students_own_file():
    number = inspect.getsourcelines(fails)[1] + 1

    assert ask(fails_inside).line == f'line {number}: return {{}}["key"]'


def test_the_line_is_found_in_a_partial_a_method_an_object_and_a_wrapped_function():
    class CallerObject:
        def __call__(self):
            return fails()

        def method(self):
            return fails()

    wrapped = functools.wraps(fails)(lambda: fails())
    lines = {ask(one).line for one in (functools.partial(fails), CallerObject(), CallerObject().method, wrapped)}

    assert lines == {ask(fails).line}


def test_a_function_without_code_has_no_line():
    assert ask(int, "x").line is None


def test_a_recursion_without_end_is_an_exception_like_any_other():
    assert ask(recurses).kind == "RecursionError"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ValueError("no"), "ValueError: no"),
        (ValueError(), "ValueError"),
        (UnprintableError(), "UnprintableError"),
        (Beyond("beyond"), "Beyond: beyond"),
        (GeneratorExit(), "GeneratorExit"),
        (BaseExceptionGroup("many", [Beyond()]), "BaseExceptionGroup: many (1 sub-exception)"),
        (ValueError("x" * 401), f"ValueError: {'x' * 400} …"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_an_exception_says_is_kept(error, said):
    assert str(ask(raises(error))) == said


def test_an_exception_whose_text_never_ends_has_no_message(quick):
    assert ask(raises(EndlessError())) == Raised("EndlessError", "", ask(raises(EndlessError())).line)


def test_a_keyboard_interrupt_is_the_persons_own_and_goes_on():
    with pytest.raises(KeyboardInterrupt):
        ask(raises(KeyboardInterrupt()))


# --- Code that can't be asked on ---------------------------------------------------------------------


def forever():
    while True:
        pass


def forever_whatever_comes():
    while True:
        try:  # noqa: SIM105
            forever()
        except:  # noqa: E722
            pass


def forever_with_suppress():
    while True:
        with contextlib.suppress(BaseException):
            forever()


def forever_now_and_then():
    while True:
        try:
            time.sleep(0)
        except:  # noqa: E722
            time.sleep(0)
        time.sleep(0)


def sleeps():
    time.sleep(60)


def floods():
    while True:
        print("x" * 1_000)


async def coroutine():
    return 1


ENDLESS = "gave no answer within 0.1 s; look for a loop that does not end"


@pytest.mark.parametrize(
    "function",
    [forever, forever_whatever_comes, forever_with_suppress, forever_now_and_then, sleeps],
)
def test_a_call_without_end_is_stopped(quick, function):
    assert stopped(function) == ENDLESS


@pytest.mark.parametrize("function", [forever, forever_now_and_then])
def test_a_call_without_end_is_stopped_outside_the_main_thread(quick, function):
    said = []
    thread = threading.Thread(target=lambda: said.append(stopped(function)))
    thread.start()
    thread.join(timeout=30)

    assert said == [ENDLESS]


def test_a_call_without_end_shows_its_line(quick):
    with pytest.raises(Stopped) as stop:
        ask(forever)

    assert stop.value.line.startswith("line ")


def test_a_flood_is_stopped():
    assert stopped(floods) == "printed more than 1,000,000 characters in one call; print less, or nothing"


def test_a_long_history_printed_is_no_flood():
    assert ask(lambda: print(["retrieving"] * 10_000)) is None


@pytest.mark.parametrize("end", [sys.exit, lambda: sys.exit("bye"), lambda: exit(), lambda: quit(2)])
def test_ending_the_program_ends_nothing(end):
    message = "ended the program (SystemExit); use `return`, and leave out exit() and quit()"

    assert stopped(end) == message


def test_a_coroutine_is_no_answer():
    message = "returns a coroutine, which nobody awaits; define it with `def`, not `async def`"

    assert stopped(lambda: coroutine()) == message


def test_many_calls_may_together_be_too_slow(monkeypatch):
    clock = iter(range(10_000))
    monkeypatch.setattr(calling.time, "thread_time", lambda: next(clock))
    with Caller(3) as caller, pytest.raises(Stopped) as stop:
        ask_for_ever(caller, [])

    assert stop.value.message == "is too slow: its answers together took more than 3 s"


def test_waiting_counts_half(monkeypatch):
    clock = iter(range(10_000))
    monkeypatch.setattr(calling.time, "monotonic", lambda: next(clock))
    calls = []
    with Caller(3) as caller, pytest.raises(Stopped):
        ask_for_ever(caller, calls)

    assert len(calls) == 6


def ask_for_ever(caller, calls):
    while True:
        caller._clock.ticked = True
        calls.append(caller(int))


# --- Nothing stays behind ----------------------------------------------------------------------------


def test_output_is_held_back(capsys):
    def prints():
        print("out")
        print("err", file=sys.stderr)
        warnings.warn("careful", stacklevel=1)

    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        ask(prints)

    assert capsys.readouterr() == ("", "")


def test_what_is_written_to_a_kept_stream_afterwards_is_passed_on(capsys):
    kept = ask(lambda: sys.stderr)
    kept.write("later")

    assert capsys.readouterr().err == "later"


@pytest.mark.parametrize("function", [int, fails, forever, floods, sys.exit])
def test_streams_signals_and_threads_are_as_they_were(quick, function):
    def now():
        return sys.stdout, sys.stderr, signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)

    before, threads = now(), threading.active_count()
    with contextlib.suppress(Stopped):
        ask(function)

    assert (now(), threading.active_count()) == (before, threads)


def test_an_earlier_handler_gets_its_signal_back():
    def handler(*_):
        pass

    earlier = signal.signal(signal.SIGALRM, handler)
    ask(int)
    restored = signal.signal(signal.SIGALRM, earlier)

    assert restored is handler


def test_a_call_after_a_stopped_one_is_answered(quick):
    with Caller(5) as caller:
        with pytest.raises(Stopped):
            caller(forever)

        assert caller(int) == 0


def test_a_browser_has_no_clock_and_answers_all_the_same(monkeypatch):
    monkeypatch.delattr(signal, "setitimer")
    monkeypatch.setattr(sys, "platform", "emscripten")

    assert ask(int) == 0


# --- What can be asked at all ------------------------------------------------------------------------


def takes_one(state):
    return state


def takes_a_default(state, event, extra, table=object()):  # noqa: B008
    return state


async def waits(state, event):
    return state


def yields(state, event):
    yield state


async def yields_later(state, event):
    yield state


class Waits:
    async def __call__(self, state, event):
        return state


class Strange:
    """Says nothing about itself without raising."""

    def __call__(self, state, event):
        return state

    def __getattribute__(self, name):
        raise RuntimeError(name)


MISSING = "missing a required argument: 'extra'"
ASYNC = "`step` is async, so calling it gives no answer; define it with `def`, not `async def`"
YIELDS = "`step` is a generator, so calling it gives no answer; use `return`, not `yield`"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (3, "`step` is an int, not a function; define it with `def step(…)`"),
        (None, "`step` is a NoneType, not a function; define it with `def step(…)`"),
        ({}, "`step` is a dict, not a function; define it with `def step(…)`"),
        (takes_one, "`step(state)` can't be called as the exercise says: too many positional arguments"),
        (
            takes_a_default,
            "`step(state, event, extra, table=…)` can't be called as the exercise says: " + MISSING,
        ),
        (lambda: 0, "`step()` can't be called as the exercise says: too many positional arguments"),
        (waits, ASYNC),
        (functools.partial(waits), ASYNC),
        (functools.wraps(waits)(lambda state, event: waits(state, event)), ASYNC),
        (Waits(), ASYNC),
        (yields_later, ASYNC),
        (yields, YIELDS),
    ],
)
def test_what_can_not_be_asked_is_told_with_what_to_do(answer, reason):
    assert unfit(answer, "step", {}, positions=2) == reason


def test_keyword_arguments_count_too():
    reason = "`step(state)` can't be called as the exercise says: got an unexpected keyword argument 'caps'"

    assert unfit(takes_one, "step", {"caps": {}}, positions=1) == reason


def test_what_can_be_asked_has_no_reason_against_it():
    answers = (dict, Strange(), functools.partial(takes_one), takes_one, print)

    assert [unfit(answer, "step", {}, positions=1) for answer in answers] == [None] * 5


def test_the_librarys_own_is_known():
    own = [edgewise.step, functools.partial(edgewise.step), edgewise.TRANSITIONS, edgewise.STORM]
    own.append(edgewise.Machine(edgewise.TRANSITIONS).step)

    assert list(map(is_ours, own)) == [True] * 5


def test_a_students_own_is_not_the_librarys():
    own = [takes_one, dict(edgewise.TRANSITIONS), Strange(), functools.partial(takes_one), 3, Waits()]

    assert list(map(is_ours, own)) == [False] * 6
