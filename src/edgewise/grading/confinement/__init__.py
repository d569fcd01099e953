"""What a worker does to itself before it runs a line of student code, and which layers of it hold here.

Two stages. The zygote makes one Enclosure: that moves it to a root folder without the course, and ends its
being the superuser. Each worker is made by `Enclosure.fork`, into namespaces of its own, and calls
`Enclosure.confine`. Where the machine lacks a layer the others still hold.
"""

from __future__ import annotations

import sys

from edgewise.grading.confinement.policy import LAYERS, NAMESPACES, Layer, Policy

if sys.platform == "linux":
    from edgewise.grading.confinement.linux import Enclosure
else:
    from edgewise.grading.confinement.elsewhere import Enclosure

__all__ = ["LAYERS", "NAMESPACES", "Enclosure", "Layer", "Policy"]
