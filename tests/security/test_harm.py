"""What a submission may do to the machine and to others: it ends, nothing of it is left, and the next one is graded."""

import os

import pytest

from edgewise.grading.confinement import Policy
from edgewise.grading.workers.asking import Cell, WorkerError
from edgewise.grading.workers.pool import Workers
from tests.security.conftest import WITHOUT, family

CONFINED = ("all layers", "no namespaces")

BOMB = """
import os, signal
children = []
try:
    for _ in range(100):
        child = os.fork()
        if child == 0:
            while True: signal.pause()
        children.append(child)
finally:
    print(len(children))
'reached'
"""
DAEMON = """
import os, signal
if os.fork() == 0:
    if {leaves}: os.setsid()
    if os.fork() == 0:
        for number in range(1, 65):
            try: signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError): pass
        while True: signal.pause()
    os._exit(0)
'reached'
"""
DEAF = """
import signal
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
while True:
    try:
        while True: pass
    except BaseException: pass
"""
MANY_FILES = """
for number in range(100):
    with open(str(number), 'wb') as file: file.write(bytes(2**20))
'reached'
"""
SLOWLY = "import time\ntime.sleep(9)\n"

ENDS = {
    "ends the process": ("import os; os._exit(3)", "ended its process with status 3"),
    "kills itself": ("import os; os.abort()", None),
    "crashes": ("import ctypes; ctypes.string_at(0)", "was ended by the signal SIGSEGV"),
    "closes the conversation and stays": (
        "import os\nos.close(3)\nwhile True: pass",
        "ran for more than 2 s and was stopped",
    ),
    "never ends, and hears nothing": (DEAF, "ran for more than 2 s and was stopped"),
    "stops itself": (
        "import os, signal\ntry: os.kill(os.getpid(), signal.SIGSTOP)\nexcept OSError: pass\nwhile True: pass",
        "ran for more than 2 s and was stopped",
    ),
}


@pytest.mark.parametrize("kind", CONFINED)
@pytest.mark.parametrize("name", ENDS)
def test_a_worker_that_ends_or_never_does_is_told_so_and_leaves_nothing(name, kind, kinds):
    source, how = ENDS[name]
    with kinds(kind).worker(2) as worker, pytest.raises(WorkerError) as caught:
        worker.run([Cell("a", source)], cell_seconds=30)

    assert (str(caught.value) == how or how is None, family(kinds(kind))) == (True, 1)


def test_a_fork_bomb_grows_where_nothing_confines_it(attempt):
    assert attempt("open", BOMB, seconds=10) == "reached"


def test_a_fork_bomb_stops_at_the_limit(attempt):
    assert attempt("all layers", BOMB, seconds=10) == "BlockingIOError"


@pytest.mark.skipif(os.getuid() == 0, reason="the limit on processes does not bind the superuser")
def test_a_fork_bomb_stops_at_the_limit_without_namespaces(attempt):
    assert attempt("no namespaces", BOMB, seconds=10) == "BlockingIOError"


@pytest.mark.parametrize("kind", CONFINED)
@pytest.mark.parametrize("source", [BOMB, DAEMON.format(leaves=False)], ids=["bomb", "daemon"])
def test_nothing_outlives_a_worker(source, kind, kinds):
    with kinds(kind).worker(10) as worker:
        worker.run([Cell("a", source)], cell_seconds=5)
        during = family(kinds(kind))
        worker.ended()

    assert (during > 2, family(kinds(kind))) == (True, 1)


def test_a_daemon_in_a_session_of_its_own_ends_with_its_worker(kinds):
    with kinds("all layers").worker(10) as worker:
        worker.run([Cell("a", DAEMON.format(leaves=True))], cell_seconds=5)
        worker.ended()

    assert family(kinds("all layers")) == 1


@pytest.mark.parametrize(
    ("kind", "how"),
    [("all layers", "OSError"), ("no namespaces", "wrote more files than fit its folder, and was stopped")],
)
def test_many_files_do_not_fill_the_disk(kind, how, attempt):
    assert attempt(kind, MANY_FILES + (SLOWLY if kind == "no namespaces" else "")) == how


def test_many_files_fit_where_nothing_confines_a_worker(attempt):
    assert attempt("open", MANY_FILES.replace("100", "60")) == "reached"


@pytest.mark.parametrize("kind", CONFINED)
def test_a_worker_finds_nothing_of_the_one_before(kind, attempt):
    places = "import os\nplaces = ('.', '/tmp', '/dev/shm', '/var/tmp')\n"
    leave = f"{places}for place in places:\n try: open(place + '/left', 'w').close()\n except OSError: pass\n"
    look = f"{places}[place for place in places if os.path.exists(place + '/left')]"

    assert (attempt(kind, leave + look) != "[]", attempt(kind, look)) == (True, "[]")


@pytest.mark.parametrize("kind", CONFINED)
def test_the_zygote_survives_a_worker_that_goes_for_its_parent(kind, attempt):
    attempt(
        kind,
        "import os\nfor end in (os.kill, os.killpg):\n try: end(os.getppid() or 1, 9)\n except OSError: pass\n'tried'",
    )

    assert attempt(kind, "'still here'") == "still here"


@pytest.mark.parametrize("kind", CONFINED)
def test_workers_end_with_those_who_asked_for_them(kind):
    workers = Workers(Policy(without=WITHOUT[kind]))
    with workers.worker(60):
        during = family(workers)
        workers.close()

    assert (during, family(workers)) == (2, 0)


@pytest.mark.parametrize("kind", CONFINED)
def test_workers_end_with_the_zygote(kind):
    workers = Workers(Policy(without=WITHOUT[kind]))
    worker = workers.worker(60)
    workers._zygote.kill()
    with pytest.raises(WorkerError) as caught:
        worker.run([Cell("a", "while True: pass")], cell_seconds=60)
    workers.close()

    assert str(caught.value) == "was ended by the machine"
