"""Checks the program that PrairieLearn has put into place, and writes down what it is worth."""

import json
import sys
from pathlib import Path

from grader.programs.export import prairielearn_results

place = Path(sys.argv[1])
results = prairielearn_results(place / "tests", place / "student")
(place / "results").mkdir(exist_ok=True)
(place / "results" / "results.json").write_text(json.dumps(results), encoding="utf-8")
