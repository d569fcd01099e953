"""A worker runs cells as a notebook does, and answers questions about what they handed in."""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from edgewise.checking.clock import CALL_SECONDS
from edgewise.grading.confinement import LAYERS, Policy
from edgewise.grading.workers.answers import Answer, Handle, Question
from edgewise.grading.workers.asking import Cell, WorkerError
from edgewise.grading.workers.pool import Workers, ZygoteError

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
HAND = "from edgewise import check\ncheck('x', answer)"


@pytest.fixture(scope="module")
def workers():
    with Workers() as made:
        yield made


@pytest.fixture
def worker(workers):
    with workers.worker(20) as made:
        yield made


def shown(worker, *sources):
    """The outputs of each cell, without what IPython says about where an error came from."""
    cells = [Cell(str(number), source) for number, source in enumerate(sources)]
    ran = worker.run(cells, cell_seconds=5)
    return [
        [{key: item for key, item in output.items() if key != "traceback"} for output in ran.outputs[cell.id]]
        for cell in cells
    ]


def answers(worker, source, *questions):
    worker.run([Cell("a", source), Cell("b", HAND, "x")], cell_seconds=5)
    return worker.ask(questions, seconds=5)


def stdout(text):
    return [{"output_type": "stream", "name": "stdout", "text": text}]


def result(text, count):
    return [{"output_type": "execute_result", "execution_count": count, "data": {"text/plain": text}, "metadata": {}}]


def error(name, value):
    return [{"output_type": "error", "ename": name, "evalue": value}]


@pytest.mark.parametrize(
    ("source", "outputs"),
    [
        ("x = 1", []),
        ("1 + 1", result("2", 1)),
        ("1 + 1;", []),
        ("{'b', 'a'}", result("{'a', 'b'}", 1)),
        ("print('a')\nprint('b')", stdout("a\nb\n")),
        ("print('a')\n2", stdout("a\n") + result("2", 1)),
        ("1 / 0", error("ZeroDivisionError", "division by zero")),
        (
            "input()",
            error(
                "StdinNotImplementedError", "raw_input was called, but this frontend does not support input requests."
            ),
        ),
        ("!echo hi", stdout("hi\n")),
        ("%%bash\necho hi", stdout("hi\n")),
        ("%%writefile a.txt\nhi", stdout("Writing a.txt\n")),
        ("x = !echo hi\nx[0]", result("'hi'", 1)),
        ("%%capture held\nprint('a')", []),
        ("import asyncio\nawait asyncio.sleep(0, 'later')", result("'later'", 1)),
        ("get_ipython().user_ns['__name__']", result("'__main__'", 1)),
        ("exit()", []),
        ("import sys; print('oh', file=sys.stderr)", [{"output_type": "stream", "name": "stderr", "text": "oh\n"}]),
        ("import os; os.getcwd(), os.listdir()", result("('/room', [])", 1)),
        ("import os; sorted(os.environ)", result("['LANG', 'PATH', 'PYTHONHASHSEED', 'TMPDIR']", 1)),
    ],
)
def test_a_cell_shows_what_it_shows_in_a_notebook(source, outputs, worker):
    assert shown(worker, source) == [outputs]


def test_a_cell_that_can_t_be_read_is_an_error(worker):
    ((found,),) = shown(worker, "def f(:")

    assert (found["ename"], found["evalue"].partition(" (")[0]) == ("SyntaxError", "invalid syntax")


def test_what_a_cell_displays_is_kept_in_every_form(worker):
    source = "from IPython.display import HTML, display\ndisplay(HTML('<b>hi</b>'))"
    data = {"text/plain": "<IPython.core.display.HTML object>", "text/html": "<b>hi</b>"}

    assert shown(worker, source) == [[{"output_type": "display_data", "data": data, "metadata": {}}]]


@pytest.mark.parametrize(
    ("shown_", "data"),
    [
        ("{'text/plain': 'a', 'application/json': float('nan')}", {"text/plain": "a"}),
        ("{'text/plain': 'a', 5: 'b', 'application/json': {'a': float('inf')}}", {"text/plain": "a"}),
        ("{'image/png': b'picture', 'application/json': {'a': 1}}",
         {"image/png": "cGljdHVyZQ==", "application/json": {"a": 1}}),
    ],
)  # fmt: skip
def test_of_what_is_shown_the_part_is_kept_that_a_notebook_can_hold(shown_, data, worker):
    source = f"from IPython.display import display\ndisplay({shown_}, raw=True)"

    assert shown(worker, source) == [[{"output_type": "display_data", "data": data, "metadata": {}}]]


def test_a_file_of_some_megabytes_lies_beside_the_notebook(worker):
    data = b"0123456789" * 2**20
    worker.put("data/numbers", data)
    look = "import hashlib\nhashlib.md5(open('data/numbers', 'rb').read()).hexdigest()"

    assert shown(worker, look) == [result(repr(hashlib.md5(data).hexdigest()), 1)]


def test_cells_share_names_and_follow_each_other_after_an_error(worker):
    assert shown(worker, "x = 1", "y", "x, _") == [
        [],
        error("NameError", "name 'y' is not defined"),
        error("NameError", "name '_' is not defined"),
    ]


def test_a_cell_can_import_a_file_that_a_cell_wrote(worker):
    assert shown(worker, "%%writefile mine.py\nx = 5", "import mine; mine.x")[1] == result("5", 2)


def test_a_cell_that_takes_too_long_is_stopped_and_the_next_one_runs(worker):
    cells = [Cell("a", "while True: pass"), Cell("b", "'next'")]
    ran = worker.run(cells, cell_seconds=0.3).outputs

    assert (ran["a"][0]["evalue"], ran["b"][0]["data"]) == (
        "the cell ran for more than 0.3 s and was stopped",
        {"text/plain": "'next'"},
    )


def test_a_flood_is_cut_and_says_so(worker):
    (found,) = shown(worker, "for _ in range(1_000): print('x' * 999)")

    assert (len(found[0]["text"]), found[1]["text"]) == (
        200_000,
        "… the rest is left out: a cell may show 200,000 characters in 200 outputs\n",
    )


def test_check_hands_in_and_says_nothing(worker):
    ran = worker.run([Cell("a", "def answer(): pass"), Cell("b", HAND, "x")], cell_seconds=5)

    assert (ran.outputs["b"][0]["data"], ran.handed) == ({"text/plain": "0.0"}, {"x": (("function", True, False),)})


def test_what_is_the_library_s_own_is_said(worker):
    ran = worker.run([Cell("a", "from edgewise import check, step\ncheck('x', step)", "x")], cell_seconds=5)

    assert ran.handed == {"x": (("function", True, True),)}


def test_walk_hint_and_progress_show_nothing(worker):
    source = "from edgewise import hint, progress, walk\nwalk('x', 1, ''), hint('x'), progress()"

    assert shown(worker, source) == [result("(None, None, None)", 1)]


def test_questions_are_answered_in_order_and_numbered_through(worker):
    first = answers(
        worker, "def answer(a, *, b=0): return a + b", Question("x", 0, (1,)), Question("x", 0, (2,), {"b": 3})
    )
    second = worker.ask([Question("x", 0, ("a",), {"b": "b"})], seconds=5)

    assert (first, second) == ((Answer(0, value=1), Answer(1, value=5)), (Answer(2, value="ab"),))


def test_an_exception_is_an_answer_with_its_line(worker):
    asked = answers(worker, "def answer(a):\n    return 1 / a", Question("x", 0, (0,)), Question("x", 0, (1,)))

    assert asked == (
        Answer(0, raised=("ZeroDivisionError", "division by zero", "line 2: return 1 / a")),
        Answer(1, value=1.0),
    )


def test_after_a_call_without_end_nothing_is_asked(worker):
    asked = answers(worker, "def answer():\n    while True: pass", *[Question("x", 0, ())] * 3)
    message = f"gave no answer within {CALL_SECONDS:g} s; look for a loop that does not end"

    assert asked == (Answer(0, stopped=(message, "line 2: while True: pass")),)


def test_a_changed_argument_is_shown_as_it_looks_now(worker):
    source = "def answer(a, b, c=None):\n    a.append(1)\n    c['k'] = (b,)"

    assert answers(worker, source, Question("x", 0, ([], 2), {"c": {}})) == (
        Answer(0, value=None, changed={0: [1], "c": {"k": (2,)}}),
    )


def test_a_changed_argument_is_seen_even_where_it_holds_what_is_no_data(worker):
    source = "kept = object()\ndef answer(a):\n    a.append(kept)\n    return a"
    asked = answers(worker, source, Question("x", 0, ([],)), Question("x", 0, (Handle(0),)))

    assert [len(answer.changed[0]) for answer in asked] == [1, 2]


def test_a_handle_is_the_very_object_that_came_back(worker):
    source = "seen = []\ndef answer(a):\n    seen.append(a)\n    return a if len(seen) < 2 else seen[0] is a"
    asked = answers(worker, source, Question("x", 0, ({"k": 1},)), Question("x", 0, (Handle(0),)))

    assert asked[1].value is True


def test_a_question_about_an_answer_that_did_not_come_is_skipped(worker):
    asked = answers(worker, "def answer(a): return 1 / a", Question("x", 0, (0,)), Question("x", 0, (Handle(0),)))

    assert asked[1] == Answer(1)


def test_each_question_gets_fresh_arguments(worker):
    source = "def answer(a):\n    a.append(1)\n    return a"
    asked = answers(worker, source, *[Question("x", 0, ([(0,)],))] * 2)

    assert [answer.value for answer in asked] == [[(0,), 1], [(0,), 1]]


def test_an_object_that_can_t_be_called_is_told_in_a_sentence(worker):
    worker.run([Cell("a", "answer = 1"), Cell("b", HAND, "x")], cell_seconds=5)

    assert (worker.unfit("x", 0, "step", 2, []), worker.value("x", 0)) == (
        "`step` is an int, not a function; define it with `def step(…)`",
        1,
    )


def test_the_line_that_ran_last_is_found(worker):
    worker.run(
        [Cell("a", "def answer(a):\n    if a:\n        return 1\n    return 2"), Cell("b", HAND, "x")], cell_seconds=5
    )

    assert worker.last_line(Question("x", 0, ((),)), seconds=5) == "line 4: return 2"


def test_no_two_workers_share_a_name(workers):
    with workers.worker(20) as one, workers.worker(20) as other:
        shown(one, "x = 1")

        assert shown(other, "x") == [error("NameError", "name 'x' is not defined")]


def test_a_worker_is_named_by_its_layers_before_it_runs_anything(worker):
    assert [layer.name for layer in worker.layers] == list(LAYERS)


def test_what_the_zygote_ran_to_warm_up_leaves_modules_and_no_names():
    warm = ["import colorsys, sys\nname = 1\nprint('nowhere')"]
    with Workers() as made:
        made.warm(warm)
        with made.worker(20) as worker:
            found = shown(worker, "import sys; 'colorsys' in sys.modules, 'name' in globals(), len(In), Out")

    assert found == [result("(True, False, 2, {})", 1)]


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*/*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_of_the_course_shows_what_it_shows_in_jupyter(path, workers):
    cells = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
    stored = {cell["id"]: [*map(comparable, cell["outputs"])] for cell in cells if not cell["id"].endswith("-check")}
    with workers.worker(60) as worker:
        ran = worker.run([Cell(cell["id"], "".join(cell["source"])) for cell in cells], cell_seconds=30)

    assert {name: [*map(comparable, ran.outputs[name])] for name in stored} == stored


def comparable(output):
    """An output without its count and its traceback, texts in one piece."""
    kept = {key: joined(item) for key, item in output.items() if key not in ("execution_count", "traceback")}
    return kept | {"data": {kind: joined(item) for kind, item in output["data"].items()}} if "data" in output else kept


def joined(item):
    return "".join(item) if isinstance(item, list) else item


def test_a_zygote_that_can_t_start_says_why():
    with Workers(preload=["no_such_module"]) as broken, pytest.raises(ZygoteError) as caught:
        broken.worker(5)

    assert str(caught.value) == "no worker could be made: ModuleNotFoundError: No module named 'no_such_module'"


def test_without_a_fork_each_worker_is_a_process_of_its_own():
    with Workers(Policy(without=frozenset(LAYERS)), forks=False) as alone, alone.worker(20) as worker:
        found = shown(worker, "1 + 1")

    assert found == [result("2", 1)]


def test_without_a_fork_the_deadline_holds_too():
    with (
        Workers(Policy(without=frozenset(LAYERS)), forks=False) as alone,
        alone.worker(4) as worker,
        pytest.raises(WorkerError) as caught,
    ):
        worker.run([Cell("a", "while True: pass")], cell_seconds=60)

    assert str(caught.value) == "ran for more than 4 s and was stopped"


def test_what_a_killed_run_left_is_swept_up_and_nothing_else(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    for name in (f"edgewise-{gone.pid}-left", f"edgewise-{os.getpid()}-used", "edgewise-mine", f"other-{gone.pid}-x"):
        (tmp_path / name / "rooms").mkdir(parents=True)
    (tmp_path / f"edgewise-{gone.pid}-link").symlink_to(tmp_path / "edgewise-mine")
    Workers().close()

    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        [f"edgewise-{os.getpid()}-used", f"edgewise-{gone.pid}-link", "edgewise-mine", f"other-{gone.pid}-x"]
    )
