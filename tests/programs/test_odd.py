"""Right programs in unusual styles are never blamed."""

import pytest

from tests.programs.checks import check
from tests.programs.odd_programs import ODD_PROGRAMS
from tests.programs.odd_styles import ODD_STYLES

REVERSED = "children from right to left"
NOTES = {
    "a memo by content": ("fewer",),
    "a mutable default as a table": ("fewer",),
    "a scout with null windows": ("fewer",),
    "children from right to left": ("order",),
    "evaluated twice": ("repeats",),
    "only the depth ends the recursion": ("uniform-depth",),
    "sets of actions": ("fewer",),
    "small subtrees first": ("order",),
    "the path and the count": ("generated",),
    "values stored in the nodes": ("repeats",),
}
"""What is unusual about some of them is said in a note, once."""


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", ODD_PROGRAMS)
def test_a_right_program_is_never_blamed(name: str) -> None:
    """However it is written, a right program is right and nothing of it differs."""
    interface, text = ODD_PROGRAMS[name]
    verdict = check(text)
    assert (verdict.interface, verdict.ruling) == (interface, "right")
    assert verdict.mistakes == (("right-to-left",) if name == REVERSED else ())
    assert verdict.notes == NOTES.get(name, ())
    assert not any(verdict.differs().values())
    assert verdict.counterexample is None


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", ODD_STYLES)
def test_any_style_of_python_will_do(name: str) -> None:
    """Whatever of Python a right program uses to be called, to pass the player and to answer, it is right."""
    interface, text = ODD_STYLES[name]
    verdict = check(text)
    assert (verdict.interface, verdict.ruling, verdict.mistakes) == (interface, "right", ())


def test_there_are_thirty() -> None:
    """The programs are as many as promised, and all notes are about one of them."""
    assert len(ODD_PROGRAMS) >= 30
    assert set(NOTES) <= set(ODD_PROGRAMS)


def test_fail_hard_and_fail_soft_are_told_apart() -> None:
    """Whether a value outside the window comes back as the bound is tried, not guessed."""
    assert check(ODD_PROGRAMS["fail-hard"][1]).run.returns == "hard"
    assert check(ODD_PROGRAMS["negamax with a colour"][1]).run.returns == "soft"
