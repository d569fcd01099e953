"""Where the machine refuses namespaces, as containers and some distributions do, the other layers still hold."""

import json
import shutil
import subprocess
import sys

import pytest

from edgewise.grading.confinement import NAMESPACES

KINDS = ("user", "mnt", "pid", "net", "ipc", "uts")
NO_MORE = "".join(f"echo 0 > /proc/sys/user/max_{kind}_namespaces; " for kind in KINDS)
LOOK = """
import json
from edgewise.grading.workers.asking import Cell
from edgewise.grading.workers.pool import Workers
with Workers() as workers, workers.worker(20) as worker:
    cells = [Cell("own", "open('mine', 'w').write('x')"), Cell("other", "open('/etc/passwd')")]
    outputs = worker.run(cells, cell_seconds=5).outputs
off = [layer.name for layer in worker.layers if not layer.on]
print(json.dumps([off, outputs["own"], outputs["other"][0]["ename"]]))
"""


def test_the_other_layers_hold_where_namespaces_are_refused():
    refuse = ["unshare", "--user", "--map-root-user", "sh", "-c"]
    if not shutil.which("unshare") or subprocess.run([*refuse, NO_MORE], capture_output=True).returncode:
        pytest.skip("this machine refuses namespaces to begin with")
    run = [*refuse, f'{NO_MORE} exec "$@"', "sh", sys.executable, "-c", LOOK]
    off, own, other = json.loads(subprocess.run(run, capture_output=True, text=True, check=True).stdout)

    assert (set(off), own[0]["data"], other) == (set(NAMESPACES), {"text/plain": "1"}, "PermissionError")
