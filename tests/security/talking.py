"""The worker itself, rewritten from within: what it says is no answer, or another wrong one."""

from __future__ import annotations

from tests.security.tricks import UNHANDED, trick

WORKER = (
    "import gc, json, os, struct\n"
    "worker = next(one for one in gc.get_objects() if type(one).__name__ == 'Worker')\n"
    "channel = worker._channel\n"
)
POINTS = '{"output_type": "execute_result", "execution_count": 1, "data": {"text/plain": "2.0"}, "metadata": {}}'
trick(
    "a reply also speaks of checks that were marked before",
    f"{WORKER}send = channel.send_text\n"
    "def forged(text):\n"
    "    reply = json.loads(text)\n"
    "    if 'ran' in reply:\n"
    "        for name in ('ch08-e1-check', 'ch08-e2-check', 'after'):\n"
    f"            reply['ran'].append({{'id': name, 'outputs': [{POINTS}]}})\n"
    "    send(json.dumps(reply))\n"
    "channel.send_text = forged\n",
    "2.0",
    after="'not forged'",
)
trick(
    "everything that is sent is points",
    f"{WORKER}json.dumps = lambda *_, **__: '[{POINTS}]'\n",
    "2.0",
    after="'not forged'",
)
trick(
    "a reply comes before the real one",
    f"{WORKER}write = os.write\n"
    "said = json.dumps({'ran': [], 'handed': {'ch08-e3': [['function', True, False]]}}).encode()\n"
    "def twice(to, data):\n"
    "    write(to, struct.pack('!I', len(said)) + said)\n"
    "    return write(to, data)\n"
    "os.write = twice\n",
    "",
    scores=UNHANDED,
)
trick(
    "a thread goes on saying that all is right",
    f"{WORKER}import threading\n"
    "said = json.dumps({'first': 0, 'entries': [{'value': 10.0}], 'ids': [0]}).encode()\n"
    "started = threading.Event()\n"
    "def go_on():\n"
    "    while True:\n"
    "        os.write(3, struct.pack('!I', len(said)) + said)\n"
    "        started.set()\n"
    "threading.Thread(target=go_on, daemon=True).start()\n"
    "started.wait()\n",
    "",
    scores=UNHANDED,
)
trick(
    "every descriptor is told of a good end",
    "import os\nfor number in range(3, 256):\n"
    '    try: os.write(number, b\'{"code": 0, "end": null}\')\n    except OSError: pass\n',
    "",
    scores=UNHANDED,
)
trick(
    "whoever follows the plan says what was said first",
    "import edgewise.grading.workers.following as following\nfollow = following.Follower._block\ncount = 0\n"
    "def block(self, questions, ask, ends):\n"
    "    global count\n    count += 1\n"
    "    over = follow(self, questions, ask, ends)\n"
    "    self._ids[:] = [0] * len(self._ids)\n"
    "    return over\n"
    "following.Follower._block = block\n",
    "True",
    after="count > 10",
    scores=UNHANDED,
)
trick(
    "what is marshalled and encoded is a right move",
    "import edgewise.grading.workers.following as following\nwrong, dumps, count = step, following.dumps, 0\n"
    "move = {'state': 'retrieving', 'visited': ['planning', 'retrieving'], 'rejected': None}\n"
    "def marshalled(value, version):\n"
    "    global count\n    count += 1\n"
    "    return dumps(move if isinstance(value, dict) and 'rejected' in value else value, version)\n"
    "following.dumps = marshalled\nfollowing.encode = lambda value: move\n",
    "True",
    after="count > 1_000",
    scores=UNHANDED,
)
trick(
    "the caller answers in the step's place",
    "import edgewise.checking.calling as calling\ncount = 0\n"
    "def answer(self, function, *arguments, **named):\n"
    "    global count\n    count += 1\n"
    "    return {'state': 'done', 'visited': ['done'], 'rejected': None}\n"
    "calling.Caller.__call__ = answer\n",
    "True",
    after="count > 1_000",
    scores=UNHANDED,
)
trick(
    "what was handed in is taken back and handed in for all",
    f"{WORKER}worker._handed.objects = dict.fromkeys(('ch08-e1', 'ch08-e2', 'ch08-e3'), (10.0,))\n"
    "sorted(worker._handed.objects)",
    "['ch08-e1', 'ch08-e2', 'ch08-e3']",
    scores=UNHANDED,
)
