"""What lies around a worker: reached where nothing confines it, and nowhere else."""

from __future__ import annotations

from tests.security.tricks import BASE, trick

FROM_NOTEBOOK = (
    "import json\nwrong, why = step, 'read'\n"
    "try:\n"
    "    cells = {cell['id']: ''.join(cell['source']) for cell in json.load(open(@PLACE@))['cells']}\n"
    "    exec(cells['ch08-e1'])\n    exec(cells['ch08-e3'])\n"
    "except OSError as error:\n    why = 'kept'\n"
    "why"
)
OPENED = ("read", (*BASE[:2], 10.0))
trick("the instructor's notebook is read", FROM_NOTEBOOK.replace("@PLACE@", "@SOURCE@"), "kept", opened=OPENED)
trick("a classmate's notebook is read", FROM_NOTEBOOK.replace("@PLACE@", "@CLASSMATE@"), "kept", opened=OPENED)
trick(
    "the check is read",
    "wrong, why = step, 'read'\n"
    "try:\n    exec(open(@CHECK@).read())\n    step = right\n"
    "except OSError as error:\n    why = 'kept'\n"
    "why",
    "kept",
    opened=OPENED,
)
trick(
    "the memory of the parent is read",
    "import os\ntry:\n    open(f'/proc/{os.getppid()}/mem', 'rb').close()\n    why = 'read'\n"
    "except OSError: why = 'kept'\nwhy",
    "kept",
    opened=("read", BASE),
)
trick(
    "the gradebook is written",
    "import sqlite3\n"
    "try:\n"
    "    with sqlite3.connect(@GRADEBOOK@) as base: base.execute('update grade set points = 10, extra_credit = 10')\n"
    "    base.close()\n    why = 'written'\n"
    "except sqlite3.OperationalError: why = 'kept'\nwhy",
    "kept",
    opened=("written", BASE),
)
trick(
    "what the grader reads next is written",
    "try:\n    with open(@NEXT@, 'w') as file: file.write('[]')\n    why = 'written'\n"
    "except OSError: why = 'kept'\nwhy",
    "kept",
    opened=("written", BASE),
)
trick(
    "a startup file is left for those who come next",
    "home = get_ipython().ipython_dir\n"
    "try:\n"
    "    with open(f'{home}/profile_default/startup/00.py', 'w') as file: file.write('raise SystemExit')\n"
    "    why = 'written'\n"
    "except OSError: why = 'kept'\nwhy",
    "kept",
    opened=("written", BASE),
)
