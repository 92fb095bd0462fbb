"""Mistakes planted into programs are named, and programs without one are right."""

from itertools import product

import pytest

from tests.programs.checks import check
from tests.programs.planting import PRUNING_MISTAKES, STYLES, VALUE_MISTAKES, program

MISTAKES = (*PRUNING_MISTAKES, *VALUE_MISTAKES)

CANNOT_OCCUR = {
    *(("values", name) for name in ("one-sibling-only", "stops-at-tie", "latest-in-window")),
    ("cs50", "latest-in-window"),
}
"""Where a mistake changes nothing: a binary node has one sibling to skip, and cs50 has three payoffs."""

ALL_STYLES = [
    (interface, style, test, mistake)
    for interface, style, test, mistake in product(("lists", "pacman"), STYLES, ("best", "window"), MISTAKES)
]
TWO_STYLES = [
    (interface, style, "best", mistake)
    for interface, style, mistake in product(
        ("nodes", "values", "aima", "mit", "cs50", "isolation"), ("flag", "pair"), MISTAKES
    )
    if (interface, mistake) not in CANNOT_OCCUR
]


@pytest.mark.sampled(24)
@pytest.mark.parametrize(("interface", "style", "test", "mistake"), [*ALL_STYLES, *TWO_STYLES])
def test_a_planted_mistake_is_named(interface: str, style: str, test: str, mistake: str) -> None:
    """Whatever the interface and the style, a mistake is named and the program shown where it differs."""
    verdict = check(program(interface, style, mistake, test=test))
    assert verdict.interface == interface
    assert mistake in verdict.mistakes
    if mistake != "right-to-left" or interface == "pacman":
        assert verdict.ruling == "wrong"
        assert verdict.counterexample is not None
        assert len(verdict.counterexample.tree.leaves) <= (16 if interface == "values" else 9)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("ties", ["cut", "keep"])
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    "interface", ["lists", "pacman", "nodes", "values", "aima", "mit", "cs50", "isolation"]
)
def test_a_right_program_follows_its_tie_rule(interface: str, style: str, ties: str) -> None:
    """A right program is right, by the tie rule that it follows; the other rule makes it a mistake."""
    if style == "clamped" and ties == "keep" and interface in ("pacman", "aima", "cs50", "isolation"):
        return  # a clamped value looks like a tie, and may be chosen: such a program plays a wrong move
    text = program(interface, style, ties=ties)
    verdict = check(text)
    assert (verdict.ruling, verdict.ties, verdict.mistakes) == ("right", ties, ())
    other = check(text, ties="keep" if ties == "cut" else "cut")
    assert (other.ruling, other.mistakes) == ("wrong", ("ties-kept" if ties == "keep" else "ties-cut",))
    assert other.counterexample is not None
