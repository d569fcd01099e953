"""What a submission may say to the judge: it is an answer, or the end of the worker, and never a point."""

import pytest

from edgewise.checking.values import Opaque, same
from edgewise.grading.workers.answers import Question
from edgewise.grading.workers.asking import Cell, WorkerError

ODD = "sent something that is no answer, and was stopped"
SAY = "import os, struct\ndef say(data): os.write(3, struct.pack('!I', len(data)) + data)\n"


def handed(source):
    return [Cell("answer", source), Cell("check", "from edgewise import check\ncheck('x', answer)", "x")]


@pytest.fixture
def ask(kinds):
    """The answer of a function to one question, as the judge sees it."""

    def run(source, *arguments):
        with kinds("all layers").worker(10) as worker:
            worker.run(handed(source), cell_seconds=5)
            (answer,) = worker.ask([Question("x", 0, arguments)], seconds=5)
            return answer

    return run


@pytest.mark.parametrize(
    "message",
    [
        "b'{}'",
        "b'[]'",
        "b'null'",
        "b'7'",
        "b'not json'",
        "b'\\xff'",
        "b'[' * 100_000",
        "b'[' + b'0,' * 2_000_000 + b'0]'",
        'b\'{"ran": 1, "handed": {}}\'',
        'b\'{"ran": [{"id": "answer", "outputs": [{"output_type": "script"}]}], "handed": {}}\'',
        'b\'{"ran": [], "handed": {"x": [[[], true, false]]}}\'',
        'b\'{"first": 0, "answers": [{"value": 10}]}\'',
        "b'{\"layers\": []}'",
    ],
)
def test_a_forged_message_ends_the_worker(message, kinds):
    with kinds("all layers").worker(10) as worker, pytest.raises(WorkerError) as caught:
        worker.run(handed(f"{SAY}answer = say({message})"), cell_seconds=5)

    assert str(caught.value) == ODD


@pytest.mark.parametrize("data", ["b'\\xff' * 64", "b'\\0\\0'"])
def test_bytes_that_are_no_message_end_the_worker(data, kinds):
    with kinds("all layers").worker(10) as worker, pytest.raises(WorkerError) as caught:
        worker.run([Cell("a", f"import os; os.write(3, {data}); os._exit(0)")], cell_seconds=5)

    assert str(caught.value) == ODD


def test_a_reply_forged_ahead_of_time_is_taken_for_no_other(kinds):
    forged = 'b\'{"ran": [], "handed": {"x": [["function", true, false]]}}\''
    with kinds("all layers").worker(10) as worker:
        worker.run(handed(f"{SAY}answer = say({forged})"), cell_seconds=5)
        with pytest.raises(WorkerError) as caught:
            worker.ask([Question("x", 0, ())], seconds=5)

    assert str(caught.value) == ODD


def test_a_worker_that_said_something_odd_is_asked_no_more(kinds):
    with kinds("all layers").worker(10) as worker:
        with pytest.raises(WorkerError):
            worker.run(handed(f"{SAY}answer = say(b'7')"), cell_seconds=5)
        with pytest.raises(WorkerError) as caught:
            worker.ask([Question("x", 0, ())], seconds=5)

    assert str(caught.value) == "has ended"


EQUAL = """
class Equal{base}:
    __hash__ = lambda self: 0
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __len__ = lambda self: 1
    __contains__ = lambda self, key: True
    __getitem__ = lambda self, key: 'right'
    __iter__ = lambda self: iter(['right'])
    __str__ = __repr__ = lambda self: '10.0'
    keys = items = values = __iter__
def answer(): return Equal{value}
"""


@pytest.mark.parametrize(
    ("base", "value", "seen"),
    [
        ("", "()", Opaque("Equal")),
        ("(str)", "('wrong')", "wrong"),
        ("(dict)", "(state='wrong')", {"state": "wrong"}),
        ("(list)", "(['wrong'])", ["wrong"]),
        ("(float)", "(0.5)", 0.5),
        ("(tuple)", "(['wrong'])", ("wrong",)),
        ("(frozenset)", "(['wrong'])", frozenset({"wrong"})),
    ],
)
def test_an_object_that_equals_everything_is_seen_as_what_it_is(base, value, seen, ask):
    got = ask(EQUAL.format(base=base, value=value)).value

    assert (same(got, seen), same(got, "right")) == (True, False)


def test_an_exception_that_lies_about_its_name_is_a_text(ask):
    source = "class Name(str): pass\nLie = type('x' * 500, (Exception,), {})\ndef answer(): raise Lie('10.0')"

    assert ask(source).raised[1:] == ("10.0", "line 3: def answer(): raise Lie('10.0')")


def test_an_answer_without_end_stops_the_questions(ask):
    assert ask("def answer(): return ['x' * 900_000] * 10").stopped == ("gives answers too long to be read", None)


def test_a_rewritten_worker_changes_its_own_answers_alone(kinds, ask):
    rewrite = (
        "import builtins, json, marshal, sys\n"
        "import edgewise.grading.workers.worker as worker, edgewise.checking.calling as calling\n"
        "worker.encode = lambda value: 'forged'\n"
        "calling.Caller.__call__ = lambda *_, **__: 1\n"
        "def answer(): return 'mine'\n"
    )
    first = ask(rewrite).value

    assert (first, ask("def answer(): return 'mine'").value) == ("forged", "mine")


def test_the_worker_knows_no_check_no_course_and_no_grader(ask):
    source = "import sys\ndef answer(): return sorted(sys.modules)"
    secrets = ("edgewise.course", "edgewise.checking.engine", "edgewise.checking.mutants", "nbgrader", "sqlalchemy")

    assert [name for name in ask(source).value if name.startswith(secrets) or "checks" in name] == []


def test_the_worker_holds_one_descriptor_beside_the_standard_ones(ask):
    source = (
        "import os\ndef is_open(n):\n try: os.fstat(n)\n except OSError: return False\n return True\n"
        "def answer(): return [n for n in range(256) if is_open(n)]"
    )

    assert ask(source).value == [0, 1, 2, 3]


def test_a_check_cell_hands_in_for_its_own_exercise_alone_and_once(kinds):
    cells = [
        Cell("a", "from edgewise import check\ncheck('x', 1); check('y', 2)"),
        Cell("b", "check('y', 3); check('x', 'first'); check('x', 'second')", "x"),
    ]
    with kinds("all layers").worker(10) as worker:
        ran = worker.run(cells, cell_seconds=5)
        value = worker.value("x", 0)

    assert (ran.handed, value) == ({"x": (("str", False, False),)}, "first")
