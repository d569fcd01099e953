"""Values that lie about what they are, and answers that are the library's own."""

from __future__ import annotations

from tests.security.tricks import BASE, UNHANDED, trick

EQUAL = """
class Equal(@BASE@):
    __hash__ = lambda self: 0
    __eq__ = __contains__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __len__ = lambda self: 1
    __getitem__ = get = lambda self, *_: 'retrieving'
    __iter__ = keys = values = items = lambda self: iter(['retrieving'])
    __str__ = __repr__ = lambda self: '10.0'
def step(state, event): return @VALUE@
step({}, {}) == {'state': 'retrieving'}
"""
for base, value in {
    "object": "Equal()",
    "str": "Equal('x')",
    "dict": "Equal(state='x')",
    "list": "Equal('x')",
    "float": "Equal(10.0)",
}.items():
    source = EQUAL.replace("@BASE@", base).replace("@VALUE@", value)
    trick(f"an answer, a {base}, equals everything", source, "True", scores=UNHANDED)

trick(
    "a snapshot's parts equal everything",
    EQUAL.replace("@BASE@", "str").replace(
        "@VALUE@", "{'state': Equal('x'), 'visited': [Equal('x')], 'rejected': Equal('x')}"
    )
    + "step({}, {}) == {'state': 'done', 'visited': ['done'], 'rejected': None}",
    "True",
    scores=UNHANDED,
)
trick(
    "a snapshot that comes back lies about what is in it",
    "wrong = step\n"
    "class Snapshot(dict):\n"
    "    __eq__ = lambda self, other: True\n"
    "    __hash__ = lambda self: 0\n"
    "    items = lambda self: {'state': 'done', 'visited': [], 'rejected': None}.items()\n"
    "def step(state, event): return Snapshot(wrong(state, event))\n"
    "start = {'state': 'planning', 'visited': ['planning'], 'rejected': None}\n"
    "step(start, {'name': 'hits'}) == 5",
    "True",
    scores=(*BASE[:2], 4.5),
)
trick(
    "an event's name is made one that equals everything",
    "wrong = step\n"
    "class Name(str):\n"
    "    __eq__ = lambda self, other: True\n"
    "    __hash__ = lambda self: 0\n"
    "count = 0\n"
    "def step(state, event):\n"
    "    global count\n"
    "    count += 1\n"
    "    event['name'] = Name(event['name'])\n"
    "    return wrong(state, {'name': str.__str__(event['name'])})\n",
    "True",
    after="count > 1_000",
)
trick(
    "an answer prints as points",
    "class Ten: __repr__ = lambda self: '10.0'\nstep = Ten()\nstep",
    "10.0",
    scores=UNHANDED,
)
trick(
    "an answer runs something where it is unpickled",
    "import os, pickle\n"
    "wrong = step\n"
    "class Makes:\n"
    "    def __init__(self, path): self.path = path\n"
    "    def __reduce__(self): return os.mkdir, (self.path,)\n"
    "def step(state, event): return {**wrong(state, event), 'more': Makes(@MARKER@)}\n"
    "pickle.loads(pickle.dumps(Makes('here')))\n"
    "os.path.isdir('here')",
    "True",
)

# --- The library's own, handed in ---

ASKED = "step({'state': 'planning', 'visited': ['planning'], 'rejected': None}, {'name': 'plan_ready'})['state']"
for how, source in {
    "as it is": "from edgewise import step",
    "as a partial": "import functools, edgewise\nstep = functools.partial(edgewise.step)",
    "under a wrapper that keeps its name": (
        "import functools, edgewise\n@functools.wraps(edgewise.step)\n"
        "def step(state, event): return edgewise.step(state, event)"
    ),
}.items():
    trick(f"the library's step is handed in {how}", f"{source}\n{ASKED}", "retrieving", scores=UNHANDED, unguarded=0.0)
trick(
    "a machine's bound step is handed in",
    "from edgewise import Machine, machine as library\nmachine = Machine(library.TRANSITIONS)\nstep = machine.step\n"
    "step(machine.start(), {'name': 'plan_ready'}).state",
    "retrieving",
    scores=UNHANDED,
    unguarded=0.0,
)
