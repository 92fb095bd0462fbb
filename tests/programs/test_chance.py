"""Programs for chance nodes, dice and several players: right ones are right, mistakes are named."""

import pytest

from grader.programs.pages import verdict_page
from tests.programs.chance_programs import RIGHT, WRONG
from tests.programs.checks import check


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_program_is_right(name: str) -> None:
    """Searches with chance nodes, dice or several players are right in every style."""
    interface, text = RIGHT[name]
    verdict = check(text)
    assert (verdict.interface, verdict.ruling, verdict.mistakes) == (interface, "right", ())


@pytest.mark.parametrize("mistake", WRONG)
def test_a_mistake_is_named_alone(mistake: str) -> None:
    """Each mistake about chance nodes or several players is named, and no other, with a small tree."""
    verdict = check(WRONG[mistake])
    assert (verdict.ruling, verdict.mistakes) == ("wrong", (mistake,))
    assert verdict.counterexample is not None
    assert len(verdict.counterexample.tree.leaves) <= 9
    assert verdict_page([verdict], 10).count("<svg") == 2
