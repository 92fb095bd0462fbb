"""The golden files: each is one that a test writes, and none is missing."""

from pathlib import Path

import pytest

from grader.cli import COMMANDS
from grader.questions import KIND_NAMES, all_kinds
from tests.answers.every_form import FORMS
from tests.publishing.test_golden import FILES
from tests.stand_ins import SHARED

TESTS = Path(__file__).parent

CODES = [kind.code for kind in all_kinds()]

WRITTEN = {
    "answers/golden": [f"{name}.txt" for name in (*(form.name for form in FORMS), SHARED)],
    "cli/transcripts": [f"{name}.txt" for name in (*COMMANDS, "errors", "json")],
    "generation/golden": [f"{code}.txt" for code in CODES],
    "questions/golden": [f"{name}.txt" for name in (*KIND_NAMES, SHARED)],
    "questions/golden/drawn": [f"{code}.txt" for code in CODES],
    "publishing/golden": FILES,
}
"""Every folder of golden files, and the files that tests write there."""


@pytest.mark.parametrize("folder", WRITTEN)
def test_no_golden_file_is_left_over_or_missing(folder: str) -> None:
    """A folder has the golden files that tests hold, and no other."""
    found = [path.name for path in (TESTS / folder).iterdir() if path.is_file()]
    assert sorted(found) == sorted(set(WRITTEN[folder]))


def test_every_folder_is_known() -> None:
    """Every folder of golden files is one of these."""
    found = {path.parent.relative_to(TESTS).as_posix() for path in TESTS.rglob("golden/**/*.*")}
    assert found <= set(WRITTEN)
