"""What the notebook is made of, rebound: check, the package, builtins, IPython."""

from __future__ import annotations

from tests.security.tricks import UNHANDED, trick

SILENT = "get_ipython().events.callbacks['post_run_cell'].clear()\n"
trick(
    "check is a function of their own",
    f"{SILENT}def check(*_): return 10.0\ncheck()",
    "10.0",
    scores=UNHANDED,
    unguarded=10.0,
)
trick(
    "check calls the real one and says more",
    "real = check\ndef check(*objects):\n    real(*objects)\n    return 10.0\ncheck.__name__",
    "check",
    unguarded=10.0,
)
trick(
    "check hands in nothing",
    "real = check\ndef check(*objects):\n    real(objects[0])\n    return 10.0\ncheck.__name__",
    "check",
    scores=UNHANDED,
)
trick(
    "check is another in the package, and imported again",
    f"{SILENT}import edgewise\nedgewise.check = lambda *_: 10.0\nfrom edgewise import check\ncheck()",
    "10.0",
    scores=UNHANDED,
    unguarded=10.0,
)
trick(
    "the package is another",
    f"{SILENT}import sys, types\nsys.modules['edgewise'] = fake = types.ModuleType('edgewise')\n"
    "fake.check = lambda *_: 10.0\nfrom edgewise import check\ncheck()",
    "10.0",
    scores=UNHANDED,
    unguarded=10.0,
)
trick(
    "a package of their own comes first on the path",
    f"{SILENT}import os, sys\nos.makedirs('first/edgewise')\n"
    "with open('first/edgewise/__init__.py', 'w') as file: file.write('check = lambda *_: 10.0')\n"
    "sys.path.insert(0, 'first')\n"
    "for name in [*sys.modules]:\n    if name.split('.')[0] == 'edgewise': del sys.modules[name]\n"
    "from edgewise import check\ncheck()",
    "10.0",
    scores=UNHANDED,
    unguarded=10.0,
)
trick(
    "the engine gives all points",
    "import edgewise.checking.notebook as ours\nfrom edgewise.checking.report import Report\n"
    "ours.examine = lambda *_: Report('ch08-e3', 'The step', 'passed', 10.0, 10.0)\n"
    "ours.examine().points",
    "10.0",
    unguarded=10.0,
)
trick(
    "a builtin gives all points",
    "import builtins\nbuiltins.round = lambda *_: 10.0\nround(5)",
    "10.0",
    unguarded=10.0,
)

# --- IPython ---

trick(
    "the check cell is read as a number",
    f"{SILENT}get_ipython().input_transformers_post.append("
    "lambda lines: ['10.0'] if 'check(' in ''.join(lines) else lines)\n"
    "len(get_ipython().input_transformers_post)",
    "1",
    scores=UNHANDED,
    unguarded=10.0,
)
trick(
    "its syntax tree is a number",
    f"{SILENT}import ast\n"
    "class Points(ast.NodeTransformer):\n"
    "    def visit_Call(self, node):\n"
    "        return ast.Constant(10.0) if getattr(node.func, 'id', '') == 'check' else node\n"
    "get_ipython().ast_transformers.append(Points())\n"
    "len(get_ipython().ast_transformers)",
    "1",
    scores=UNHANDED,
    unguarded=10.0,
)
trick(
    "every number is shown as all points",
    "get_ipython().display_formatter.formatters['text/plain'].for_type("
    "float, lambda value, printer, cycle: printer.text('10.0'))\n0.5",
    "10.0",
    unguarded=10.0,
)
trick(
    "the display hook writes another value",
    "hook = get_ipython().displayhook\nreal = hook.write_format_data\n"
    "hook.write_format_data = lambda data, more=None: real({**data, 'text/plain': '10.0'}, more)\n0.5",
    "10.0",
    unguarded=10.0,
)
trick(
    "a hook shows points before the check does",
    "def early(info):\n    if 'check(' in info.raw_cell: get_ipython().displayhook(10.0)\n"
    "get_ipython().events.register('pre_run_cell', early)\n"
    "early in get_ipython().events.callbacks['pre_run_cell']",
    "True",
    unguarded=10.0,
)
trick(
    "a thread shows points before the check does",
    "import threading\n"
    "def early(info):\n"
    "    if 'check(' in info.raw_cell:\n"
    "        thread = threading.Thread(target=get_ipython().displayhook, args=(10.0,))\n"
    "        thread.start()\n"
    "        thread.join()\n"
    "get_ipython().events.register('pre_run_cell', early)\n"
    "early in get_ipython().events.callbacks['pre_run_cell']",
    "True",
    unguarded=10.0,
)
trick(
    "cells are run by a function of their own",
    f"{SILENT}shell = get_ipython()\nrun = shell.run_cell\n"
    "shell.run_cell = lambda source, *more, **named: run('10.0' if 'check(' in source else source, *more, **named)\n"
    "'run_cell' in vars(shell)",
    "True",
    scores=UNHANDED,
    unguarded=10.0,
)
