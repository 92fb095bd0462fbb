"""Mutants of right programs are named, or shown on a small tree."""

import pytest

from tests.programs.checks import check, check_on, other_trees
from tests.programs.mutants import mutants
from tests.programs.odd_programs import ODD_PROGRAMS
from tests.programs.planting import program

BASES = {
    "flag": program("lists", "flag", test="window"),
    "pair": program("lists", "pair"),
    "fail-hard": 'INF = float("inf")\n' + ODD_PROGRAMS["fail-hard"][1],
    "negamax": 'INF = float("inf")\n' + ODD_PROGRAMS["negamax with a colour"][1],
}
TREE_COUNT = 2_000


@pytest.mark.parametrize("count", [12, pytest.param(None, marks=pytest.mark.slow)])
def test_mutants_are_named_or_shown(count: int | None) -> None:
    """Of the mutants that differ at all on 2,000 trees, 95 % are named or shown by at most nine leaves."""
    texts = [text for base in BASES.values() for _, text in mutants(base)]
    step = 1 if count is None else len(texts) // count
    examples = other_trees(TREE_COUNT) if count is None else ()
    seen, missed = 0, 0
    for text in texts[::step]:
        verdict = check(text, "lists")
        if verdict.ruling != "right":
            seen += 1
            is_small = verdict.counterexample is not None and len(verdict.counterexample.whole.leaves) <= 9
            missed += not (verdict.mistakes or is_small)
        elif examples:
            missed += check_on(text, "lists", examples).ruling != "right"
    assert seen > len(texts[::step]) / 3
    assert missed <= (seen + missed) / 20
