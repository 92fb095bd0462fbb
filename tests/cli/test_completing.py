"""Completion in a shell, which has its own idea of what a word is."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BASH = shutil.which("bash")

# What Bash does when the tabulator is pressed: it parts words at every colon.
PRESS = """
eval "$(gametree --show-completion bash)"
mapfile -t COMP_WORDS < <(sed 's/:/\\n:\\n/g; s/  */\\n/g' <<< "$1" | sed '/^$/d')
COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 ))
_gametree_completion gametree
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.mark.sampled(2)
@pytest.mark.skipif(BASH is None, reason="there is no Bash here")
@pytest.mark.parametrize(
    ("typed", "some", "front"),
    [
        ("gametree solve ba", "bank:aima-fig-5-2", "bank:"),
        ("gametree solve bank:", "aima-fig-5-2", ""),
        ("gametree solve bank:aim", "aima-fig-5-2", "aim"),
        ("gametree solve bank:aima-fig-5-2 --or", "--order", "--order"),
    ],
)
def test_names_of_the_bank_are_completed(tmp_path: Path, typed: str, some: str, front: str) -> None:
    """In Bash a tree of the bank is completed before and behind its colon, and so is what follows it."""
    program = tmp_path / "gametree"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m grader "$@"\n')
    program.chmod(0o700)
    paths = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    ran = subprocess.run(
        [BASH or "bash", "-c", PRESS, "bash", typed],
        capture_output=True,
        text=True,
        env=os.environ | paths,
        check=True,
    )
    words = ran.stdout.split()
    assert some in words, ran
    assert all(word.startswith(front) for word in words)
    assert not any(word.startswith("bank:") for word in words) or front == "bank:"
