"""Marks the submission that Gradescope has put into place, and writes down what it is worth."""

import json
import sys
from pathlib import Path

from grader.publishing.lms.autograding import (
    AutogradingError,
    MetadataError,
    grade_submission,
    unmarked_submission,
)

place = Path(sys.argv[1])
try:
    metadata = json.loads((place / "submission_metadata.json").read_text(encoding="utf-8"))
except (OSError, ValueError, RecursionError):
    metadata = None  # it names no student
try:
    results = grade_submission(place / "source" / "exam", metadata, place / "submission")
except MetadataError as error:
    results = unmarked_submission(str(error))
except AutogradingError as error:
    sys.exit(f"This submission was not marked: {error}.")  # no results: an error is never a score
(place / "results").mkdir(exist_ok=True)
(place / "results" / "results.json").write_text(json.dumps(results), encoding="utf-8")
