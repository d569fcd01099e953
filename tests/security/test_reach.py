"""What a submission may try to reach: each attack gets there in an open worker, and nowhere in a confined one."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

import edgewise
from edgewise.grading.workers.asking import Cell
from edgewise.grading.workers.pool import Workers
from tests.security.conftest import ROOT

CONFINED = ("all layers", "no namespaces")

READ = "open({path!r}).read(); 'reached'"
FOREIGN = "import ctypes; libc = ctypes.CDLL(None, use_errno=True)\n"
RAISE = "\nif result < 0: raise OSError(ctypes.get_errno(), 'refused')\n'reached'"

ATTACKS = {
    "reads the users of the machine": READ.format(path="/etc/passwd"),
    "reads the course": READ.format(path=str(ROOT / "course.yml")),
    "reads a check": READ.format(path=str(ROOT / "checks" / "ch08_e3.py")),
    "reads the solutions": READ.format(path=str(ROOT / "notebooks" / "ch08" / "five-state-machine.ipynb")),
    "reads a classmate's submission": "open({classmate!r}).read(); 'reached'",
    "reads it through a link": "import os; os.symlink({classmate!r}, 'mine'); open('mine').read(); 'reached'",
    "lists a classmate's folder": "import os; os.listdir({folder!r}); 'reached'",
    "writes a classmate's submission": "open({classmate!r}, 'a').close(); 'reached'",
    "removes a classmate's submission": "import os; os.rename({classmate!r}, {classmate!r}); 'reached'",
    "changes the mode of a classmate's submission": "import os; os.chmod({classmate!r}, 0o600); 'reached'",
    "changes its owner": "import os; os.chown({classmate!r}, os.getuid(), -1); 'reached'",
    "changes its times": "import os; os.utime({classmate!r}); 'reached'",
    "cuts it": "import os; os.truncate({classmate!r}, 2); 'reached'",
    "watches a classmate's folder": FOREIGN
    + "result = libc.inotify_add_watch(libc.inotify_init(), {folder!r}.encode(), 0xfff)"
    + RAISE,
    "pins a foreign process": "import os; os.sched_setaffinity({victim}, [0]); 'reached'",
    "writes the gradebook": (
        "import sqlite3; base = sqlite3.connect({gradebook!r}); base.execute('update grade set points = 10')\n"
        "base.commit(); base.close(); 'reached'"
    ),
    "opens the library to write": f"open({str(Path(edgewise.__file__))!r}, 'r+').close(); 'reached'",
    "reads a foreign process's memory": "open('/proc/{victim}/mem', 'rb').close(); 'reached'",
    "reads a foreign process's environment": "open('/proc/{victim}/environ', 'rb').read(); 'reached'",
    "reads the grader's environment": "import os; open(f'/proc/{{os.getppid()}}/environ').read(); 'reached'",
    "lists processes": "import os; assert '{victim}' in os.listdir('/proc'); 'reached'",
    "sees a foreign process": "import os; os.kill({victim}, 0); 'reached'",
    "kills a foreign process": "import os; os.kill({victim}, 9); 'reached'",
    "traces a foreign process": FOREIGN + "result = libc.ptrace(16, {victim}, None, None)" + RAISE,
    "limits a foreign process": "import resource as r; r.prlimit({victim}, r.RLIMIT_CORE, (0, 0)); 'reached'",
    "connects over the network": "import socket; socket.create_connection(('127.0.0.1', {port})).close(); 'reached'",
    "fetches a page": (
        "import urllib.request\ntry: urllib.request.urlopen('http://127.0.0.1:{port}', timeout=0.2)\n"
        "except TimeoutError: pass\n'reached'"
    ),
    "holds a port": "import socket; socket.create_server(('127.0.0.1', 0)).close(); 'reached'",
    "speaks over an abstract socket": (
        "import socket; s = socket.socket(socket.AF_UNIX); s.bind('\\0edgewise-probe'); s.close(); 'reached'"
    ),
    "enters new namespaces": FOREIGN + "result = libc.unshare(0x10020000)" + RAISE,
    "mounts": FOREIGN
    + "import os\n"
    + "libc.unshare(0x10020000); libc.mount(None, b'/', None, 0x44000, None)\n"
    + "result = libc.mount(b'tmpfs', os.getcwd().encode(), b'tmpfs', 0, None)"
    + RAISE,
    "leaves shared memory": FOREIGN + "result = libc.shmget(0, 4096, 0o600); libc.shmctl(result, 0, None)" + RAISE,
    "makes a file without a name": "import os; os.close(os.memfd_create('x')); 'reached'",
    "asks to outlive its parent": FOREIGN + "result = libc.prctl(1, 0, 0, 0, 0)" + RAISE,
    "takes 1.5 GB of memory": "del [bytearray(3 * 2**29)][0]; 'reached'",
    "writes a large file": "open('large', 'wb').write(bytes(17 * 2**20)); 'reached'",
}
EITHER = {"PermissionError", "FileNotFoundError"}
REASONS = {
    "writes the gradebook": {"OperationalError"},
    "opens the library to write": {"PermissionError", "OSError"},
    "sees a foreign process": {"ProcessLookupError", "PermissionError"},
    "kills a foreign process": {"ProcessLookupError", "PermissionError"},
    "limits a foreign process": {"ProcessLookupError", "PermissionError"},
    "fetches a page": {"URLError"},
    "takes 1.5 GB of memory": {"MemoryError"},
    "writes a large file": {"OSError"},
}


@pytest.fixture
def there(tmp_path, victim, listener):
    """What there is to reach."""
    folder = tmp_path / "submitted" / "classmate"
    folder.mkdir(parents=True)
    (folder / "answer.ipynb").write_text("{}")
    base = sqlite3.connect(tmp_path / "gradebook.db")
    base.execute("create table grade (points real)")
    base.commit()
    base.close()
    return {
        "folder": str(folder),
        "classmate": str(folder / "answer.ipynb"),
        "gradebook": str(tmp_path / "gradebook.db"),
        "victim": victim.pid,
        "port": listener,
    }


def test_the_environment_of_who_grades_is_seen_by_other_children_and_by_no_worker(monkeypatch):
    monkeypatch.setenv("EDGEWISE_PROBE", "secret")
    look = "import os; os.environ.get('EDGEWISE_PROBE')"
    other = subprocess.run([sys.executable, "-c", f"{look.replace('; ', '; print(')})"], capture_output=True, text=True)
    with Workers() as workers, workers.worker(20) as worker:
        outputs = worker.run([Cell("a", look)], cell_seconds=5).outputs["a"]

    assert (other.stdout, outputs) == ("secret\n", [])


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_gets_there_where_nothing_confines_it(name, attempt, there):
    if name == "opens the library to write" and not os.access(edgewise.__file__, os.W_OK):
        pytest.skip("who runs the tests can't write the library either")
    assert attempt("open", ATTACKS[name].format(**there)) == "reached"


@pytest.mark.parametrize("kind", CONFINED)
@pytest.mark.parametrize("name", ATTACKS)
def test_a_confined_worker_gets_nowhere(name, kind, attempt, there):
    assert attempt(kind, ATTACKS[name].format(**there)) in REASONS.get(name, EITHER)
