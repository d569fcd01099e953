"""Submissions that are odd when they run: code that does not, never ends, takes everything or ends its process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.security.submitted import RIGHT_STEP

FULL = (2.0, 3.0, 10.0)
NOT_E3 = (2.0, 3.0, 0.0)
UNDEFINED = "`step` is not defined in this notebook above its check"
NO_END = "`step` gave no answer within 2 s; look for a loop that does not end"


@dataclass(frozen=True)
class Row:
    """An answer to ch08-e3, the two before it being right; `before` and `after` are further cells.

    `shows` is what the answer's cell shows last, `lead` the first sentence of the report, `ended` how the process
    ended, where it did.
    """

    name: str
    answer: str | None = RIGHT_STEP
    before: Mapping[str, str] = field(default_factory=dict)
    after: str = ""
    scores: tuple[float, ...] = FULL
    shows: str = ""
    lead: str = ""
    ended: str = ""


def spoiled(name: str, answer: str | None, lead: str, shows: str = "", **more: object) -> Row:
    """A row that earns nothing for the step."""
    return Row(name, answer, scores=NOT_E3, lead=lead, shows=shows, **more)  # type: ignore[arg-type]


def inside(source: str) -> str:
    """A step that does that, and would be right."""
    return RIGHT_STEP.replace("    target", f"    {source}\n    target", 1)


CODE = (
    spoiled("a syntax error", "def step(state event):\n    return state", UNDEFINED, "SyntaxError"),
    spoiled("non-breaking spaces", RIGHT_STEP.replace("    ", " \N{NO-BREAK SPACE}  "), UNDEFINED, "SyntaxError"),
    spoiled("tabs mixed", RIGHT_STEP.replace("    target", "\ttarget", 1), UNDEFINED, "IndentationError"),
    spoiled(
        "merge markers",
        f"<<<<<<< HEAD\n{RIGHT_STEP}=======\n{RIGHT_STEP}>>>>>>> theirs\n",
        UNDEFINED,
        "SyntaxError",
    ),
    spoiled(
        "async def",
        f"async {RIGHT_STEP}",
        "`step` is async, so calling it gives no answer; define it with `def`, not `async def`",
    ),
    spoiled("another name", RIGHT_STEP.replace("step", "my_step"), UNDEFINED),
    Row("defined in another cell", None, {"ch08-e3-check": RIGHT_STEP}),
    spoiled(
        "defined below the check",
        None,
        "'plan_ready' is declared in 'planning' and leads to 'retrieving'; `step` raised NotImplementedError",
        after=RIGHT_STEP,
    ),
    Row("magics", f"%precision 3\n!echo hi\n{RIGHT_STEP}", shows="hi"),
    Row("a cell in another language", before={"ch08-e3": "%%bash\necho hi"}),
    Row(
        "an answer that is written to a file and imported",
        "from mine import step",
        {"ch08-e3": f"%%writefile mine.py\nfrom edgewise.machine import TRANSITIONS\n{RIGHT_STEP}"},
    ),
    spoiled("input() above the answer", f"input()\n{RIGHT_STEP}", UNDEFINED, "StdinNotImplementedError"),
    Row("input() below the answer", f"{RIGHT_STEP}\ninput()", shows="StdinNotImplementedError"),
    Row(
        "warnings and prints on stderr",
        f"import sys, warnings\n{inside('print(1, file=sys.stderr); warnings.warn(str(event))')}\n"
        "warnings.warn('old')\nprint('oh', file=sys.stderr)",
        shows="oh",
    ),
    Row("50,000 lines", f"{'x = 1' + chr(10) * 50_000}{RIGHT_STEP}"),
    Row("exit()", f"{RIGHT_STEP}\nexit()"),
    Row("exit() in a cell of its own", before={"ch08-e2": "quit()"}),
    Row("an exception in an unrelated cell", before={"ch08-e1": "1 / 0", "ch08-e3": "undefined"}),
    Row("the end of the program is raised", f"{RIGHT_STEP}\nraise SystemExit(3)", shows="SystemExit"),
    spoiled(
        "exit() in the step",
        inside("exit()"),
        "`step` ended the program (SystemExit); use `return`, and leave out exit() and quit()",
    ),
)

ALL_SIGNALS = """
import signal
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
"""
BOMB = """
import os, signal
for _ in range(100):
    if os.fork() == 0:
        while True: signal.pause()
"""
FILES = """
for number in range(100):
    with open(str(number), 'wb') as file: file.write(bytes(2**20))
"""
FLOOD = "while True: print('x' * 999)"
BUNDLES = """
from IPython.display import display
deep = []
for _ in range(900): deep = [deep]
display({'application/json': deep, 'text/plain': 'deep'}, raw=True)
display({'application/json': {'a': float('nan')}, 5: 'x', 'image/png': 7, 'text/plain': None}, raw=True)
display({'text/html': 'x' * 10**7}, raw=True)
get_ipython().execution_count = -5
'shown'
"""
LIES = """
class Lie(Exception):
    def __str__(self): raise KeyError
    def _render_traceback_(self): return [5, '\\ud800', None]
raise Lie
"""
NEVER = """
class Never:
    def _repr_html_(self):
        while True: pass
Never()
"""
RUN = (
    Row("a loop without end below the answer", f"{RIGHT_STEP}\nwhile True: pass", shows="CellTimeout"),
    spoiled("a loop without end above the answer", f"while True: pass\n{RIGHT_STEP}", UNDEFINED, "CellTimeout"),
    Row(
        "a loop that catches all",
        before={"ch08-e3": "while True:\n    try:\n        while True: pass\n    except Exception: pass"},
    ),
    spoiled("a loop without end in the step", inside("while True: pass"), NO_END),
    spoiled(
        "a loop in the step that catches all",
        inside("while True:\n        try:\n            while True: pass\n        except BaseException: pass"),
        NO_END,
    ),
    spoiled("a step that waits", f"import time\n{inside('time.sleep(60)')}", NO_END),
    Row("recursion without end", f"{RIGHT_STEP}\ndef deep(): deep()\ndeep()", shows="RecursionError"),
    spoiled(
        "recursion without end in the step",
        inside("return step(state, event)"),
        "'plan_ready' is declared in 'planning' and leads to 'retrieving'; `step` raised RecursionError: maximum "
        "recursion depth exceeded",
    ),
    Row("a fork bomb", f"{RIGHT_STEP}{BOMB}", shows="BlockingIOError"),
    Row("memory without end", f"{RIGHT_STEP}\nx = []\nwhile True: x.append(bytearray(10**8))", shows="MemoryError"),
    spoiled(
        "memory without end in the step",
        inside("bytearray(2**40)"),
        "'plan_ready' is declared in 'planning' and leads to 'retrieving'; `step` raised MemoryError",
    ),
    Row("a full disk", f"{RIGHT_STEP}{FILES}", shows="OSError"),
    Row("a file without end", f"{RIGHT_STEP}\nopen('x', 'wb').write(bytes(2**25))", shows="OSError"),
    Row("output without end", before={"ch08-e3": FLOOD}),
    Row(
        "outputs without end",
        before={"ch08-e3": "from IPython.display import display\nfor _ in range(10_000): display(1)"},
    ),
    Row("a million commas in each of eight cells", before={"ch08-e3": "for _ in range(8): print(',' * 10**6)"}),
    spoiled(
        "output without end in the step",
        inside("while True: print('x' * 999)"),
        "`step` printed more than 1,000,000 characters in one call; print less, or nothing",
    ),
    spoiled(
        "answers too long to be read",
        RIGHT_STEP.replace('"visited": [*', '"more": [[]] * 99_000, "visited": [*'),
        "`step` gives answers too long to be read",
    ),
    Row(
        "threads that outlive their cell",
        f"{RIGHT_STEP}\nimport threading, time\n"
        "for _ in range(5): threading.Thread(target=time.sleep, args=(600,)).start()",
    ),
    Row(
        "processes that outlive their cell", f"{RIGHT_STEP}\nimport subprocess\nx = subprocess.Popen(['sleep', '600'])"
    ),
    Row("signals ignored", f"{RIGHT_STEP}{ALL_SIGNALS}"),
    spoiled("signals ignored, and a step without end", f"{inside('while True: pass')}{ALL_SIGNALS}", NO_END),
    Row("a kill of the parent", f"{RIGHT_STEP}\nimport os\nos.kill(os.getppid(), 9)"),
    spoiled(
        "the process is ended",
        f"{RIGHT_STEP}\nimport os\nos._exit(3)",
        "the notebook's code ended its process with status 3; nothing could be asked",
        ended="ended its process with status 3",
    ),
    spoiled(
        "the process is ended in the step",
        f"import os\n{inside('os._exit(3)')}",
        "while `step` was asked, its code ended its process with status 3",
        ended="ended its process with status 3",
    ),
    spoiled(
        "a crash",
        f"{RIGHT_STEP}\nimport ctypes\nctypes.string_at(0)",
        "the notebook's code was ended by the signal SIGSEGV; nothing could be asked",
        ended="was ended by the signal SIGSEGV",
    ),
    spoiled(
        "a crash in the step",
        f"import ctypes\n{inside('ctypes.string_at(0)')}",
        "while `step` was asked, its code was ended by the signal SIGSEGV",
        ended="was ended by the signal SIGSEGV",
    ),
    spoiled(
        "more code than a message holds",
        f"{RIGHT_STEP}\nx = '{'x' * 9_000_000}'",
        "the notebook's code was handed cells of more than 8 MB, and was stopped; nothing could be asked",
        ended="was handed cells of more than 8 MB, and was stopped",
    ),
    Row("bundles of every odd kind", f"{RIGHT_STEP}{BUNDLES}", shows="shown"),
    Row(
        "more shown than a message holds",
        f"{RIGHT_STEP}\nfrom IPython.display import display\ndisplay({{'application/json': ['x' * 10**7]}}, raw=True)",
        shows="… left out: a notebook may show 4,194,304 characters",
    ),
    Row("half a character and a NUL are shown", f"{RIGHT_STEP}\nprint('\\ud800 \\0')\n'\\ud800'", shows="\\ud800"),
    Row("half a character in every answer", inside("words = '\\ud800'")),
    Row("an exception that lies about itself", f"{RIGHT_STEP}{LIES}", shows="KeyError"),
    Row("a picture that raises", f"{RIGHT_STEP}\nclass A:\n    def _repr_html_(self): raise KeyError\nA();"),
    Row("a picture that never ends", f"{RIGHT_STEP}{NEVER}", shows="CellTimeout"),
    Row("a thousand cells that raise", before={"ch08-e3": "raise KeyError"}),
)
