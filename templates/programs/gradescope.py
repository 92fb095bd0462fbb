"""Checks the program that Gradescope has put into place, and writes down what it is worth."""

import json
import sys
from pathlib import Path

from grader.programs.export import gradescope_results

place = Path(sys.argv[1])
results = gradescope_results(place / "source", place / "submission")
(place / "results").mkdir(exist_ok=True)
(place / "results" / "results.json").write_text(json.dumps(results), encoding="utf-8")
