"""Checks the program that PrairieLearn has put into place, and writes down what it is worth.

The container has no network, so the grader comes with the question: as a wheel next to this file.
"""

import json
import sys
import tempfile
import zipfile
from pathlib import Path

place = Path(sys.argv[1])
with tempfile.TemporaryDirectory() as package:
    for wheel in (place / "tests").glob("gametree_grader-*.whl"):
        zipfile.ZipFile(wheel).extractall(package)
    sys.path.insert(0, package)
    from grader.programs.export import prairielearn_results

    results = prairielearn_results(place / "tests", place / "student")
(place / "results").mkdir(exist_ok=True)
(place / "results" / "results.json").write_text(json.dumps(results), encoding="utf-8")
