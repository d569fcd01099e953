"""nbgrader's preprocessor in the place of Execute: the outputs come from the judge, and no kernel runs."""

from __future__ import annotations

import json
from typing import Any

from nbformat import from_dict
from nbgrader.preprocessors import Execute

GRADED = "edgewise"
"""Where the converter leaves the graded notebook among nbconvert's resources."""


class Judged(Execute):  # type: ignore[misc]
    """Puts in the outputs of a graded notebook; one that course.yml does not list is executed as nbgrader does."""

    def preprocess(self, nb: Any, resources: Any, km: Any = None) -> tuple[Any, Any]:
        """The notebook with outputs and execution counts."""
        graded = resources.get(GRADED)
        if graded is None:
            return super().preprocess(nb, resources, km)  # type: ignore[no-any-return]
        cells = {cell["id"]: cell for cell in json.loads(graded.text)["cells"] if cell["cell_type"] == "code"}
        for cell in nb.cells:
            if cell.cell_type == "code" and cell.get("id") in cells:
                made = cells[cell.id]
                cell.outputs = [from_dict(output) for output in made["outputs"]]  # type: ignore[no-untyped-call]
                cell.execution_count = made["execution_count"]
        return nb, resources
