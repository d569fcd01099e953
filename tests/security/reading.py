"""Reading the right answer where it is worked out, and noticing that one is judged."""

from __future__ import annotations

from tests.security.tricks import trick

trick(
    "the answer is read from the caller's frames",
    "import sys\nwrong, seen = step, set()\n"
    "def step(state, event):\n"
    "    frame = sys._getframe(1)\n"
    "    while frame:\n"
    "        found = frame.f_locals\n"
    "        if frame.f_code.co_name == '_differs': return {**found['got']}\n"
    "        if hasattr(found.get('expected'), 'refused'):\n"
    "            due = found['expected']\n"
    "            words = f\"{event['name']} came in {state['state']}\" if due.refused else None\n"
    "            return {'state': due.state, 'visited': [*due.visited], 'rejected': words}\n"
    "        seen.add(frame.f_code.co_name)\n"
    "        frame = frame.f_back\n"
    "    return wrong(state, event)\n",
    "True",
    after="seen >= {'__call__', '_block', 'follow', 'serve'}",
    unguarded=10.0,
)
trick(
    "the answer is read from the garbage collector's objects",
    "import gc\nwrong, checks, looked = step, [], []\n"
    "def step(state, event):\n"
    "    if not looked:\n"
    "        looked.extend(gc.get_objects())\n"
    "        checks.extend(one for one in looked if type(one).__name__ == 'MachineCheck')\n"
    "    return checks[0].reference(state, event) if checks else wrong(state, event)\n",
    "(True, [])",
    after="len(looked) > 1_000, checks",
    unguarded=10.0,
)
trick(
    "the answer is read from the modules that are loaded",
    "import sys\nwrong, names = step, set()\n"
    "def step(state, event):\n"
    "    if not names: names.update(sys.modules)\n"
    "    for name in names:\n"
    "        if 'ch08_e3' in name: return sys.modules[name].CHECK.reference(state, event)\n"
    "    return wrong(state, event)\n",
    "(True, [])",
    after="'edgewise.checking.calling' in names, [name for name in names if 'ch08' in name]",
    unguarded=10.0,
)
trick(
    "the answer is traced when it is returned",
    "import sys\nwrong, returned, due = step, set(), []\n"
    "def trace(frame, kind, value):\n"
    "    if kind == 'return':\n"
    "        returned.add(frame.f_code.co_name)\n"
    "        if frame.f_code.co_name == 'due': due[:] = [value]\n"
    "sys.setprofile(trace)\n"
    "def step(state, event):\n"
    "    if not due: return wrong(state, event)\n"
    "    words = f\"{event['name']} came in {state['state']}\" if due[0].refused else None\n"
    "    return {'state': due[0].state, 'visited': [*due[0].visited], 'rejected': words}\n",
    "(True, [])",
    after="sys.setprofile(None); 'step' in returned and '__call__' in returned, due",
    unguarded=9.5,
)
trick(
    "the plan of questions is searched for answers",
    "import marshal, sys\nwrong, plan = step, []\n"
    "def step(state, event):\n"
    "    frame = sys._getframe(1)\n"
    "    while frame and not plan:\n"
    "        if 'packed' in frame.f_locals: plan.extend(marshal.loads(frame.f_locals['packed']))\n"
    "        frame = frame.f_back\n"
    "    return wrong(state, event)\n",
    "(True, False)",
    after="len(plan) > 1_000, any('refus' in str(others) and 'no row' in str(others) for *_, others, _ in plan)",
)
trick(
    "a step notices that it is judged, from the stack, the count and the modules",
    "import sys\nwrong, noticed = step, set()\n"
    "def step(state, event):\n"
    "    noticed.update({'stack'} if sys._getframe(1).f_globals['__name__'].startswith('edgewise.') else ())\n"
    "    noticed.update({'count'} if event['name'] == '' else ())\n"
    "    noticed.update({'modules'} if 'edgewise.grading.workers.worker' in sys.modules else ())\n"
    "    return wrong(state, event)\n",
    "['count', 'modules', 'stack']",
    after="sorted(noticed)",
)
