"""Mistakes planted into programs are named, and programs without one are right."""

from itertools import product

import pytest

from grader.programs.sentences import sentence_of
from tests.programs.checks import check
from tests.programs.odd_programs import ODD_PROGRAMS
from tests.programs.planting import PRUNING_MISTAKES, STYLES, VALUE_MISTAKES, program

MISTAKES = (*PRUNING_MISTAKES, *VALUE_MISTAKES)

CANNOT_OCCUR = {
    *(("values", name) for name in ("one-sibling-only", "stops-at-tie", "latest-in-window")),
    ("cs50", "latest-in-window"),
    *((name, "deeper-move") for name in ("lists", "nodes", "values", "mit")),
    *(("pacman", name) for name in ("same-player-below-root", "evaluates-for-mover")),
    *((name, "no-leaf-test") for name in ("lists", "values", "aima", "cs50")),
}
"""Where a mistake changes nothing: a binary node has one sibling to skip, cs50 has three payoffs, and some
programs return no move. In pacman the agent's index says who moves, and every evaluation is Pac-Man's. A leaf
above the depth limit is an error for lists, and other interfaces have none."""

ALL_STYLES = [
    (interface, style, test, mistake)
    for interface, style, test, mistake in product(("lists", "pacman"), STYLES, ("best", "window"), MISTAKES)
    if (interface, mistake) not in CANNOT_OCCUR
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
    assert (verdict.ruling, verdict.followed_ties, verdict.mistakes) == ("right", ties, ())
    other = check(text, ties="keep" if ties == "cut" else "cut")
    assert (other.ruling, other.mistakes) == ("wrong", ("ties-kept" if ties == "keep" else "ties-cut",))
    assert other.counterexample is not None


NEGAMAX = {
    "colour": "import math\n" + ODD_PROGRAMS["negamax with a colour"][1],
    "no colour": "import math\n" + ODD_PROGRAMS["negamax without a colour"][1],
}


@pytest.mark.parametrize("style", NEGAMAX)
@pytest.mark.parametrize(
    ("old", "new", "mistake"),
    [
        ("-negamax(", "negamax(", "not-negated"),
        ("-negamax(child, depth - 1, -beta, -alpha", "negamax(child, depth - 1, alpha, beta", "not-negated"),
        ("-beta, -alpha", "alpha, beta", "window-swapped"),
        ("-beta, -alpha", "-alpha, -beta", "window-swapped"),
        ("return color * node", "return -color * node", "payoffs-negated"),
        ("return node", "return -node", "payoffs-negated"),
        ('value = float("-inf")', 'value = float("inf")', "infinity-returned"),
        ('value = float("-inf")', "value = 0", "best-start"),
        ("    return value\n", "    return score\n", "returns-latest"),
        (
            "value = max(value, score)",
            "if score >= beta:\n            break\n        value = max(value, score)",
            "cutoff-lost",
        ),
    ],
)
def test_mistakes_of_negamax_are_named(style: str, old: str, new: str, mistake: str) -> None:
    """A sign, a bound or a value that negamax handles wrongly is named, and nothing else is."""
    text = NEGAMAX[style]
    call = next(line.strip() for line in text.splitlines() if "-negamax" in line)
    value = call.removeprefix("value = max(value, ").removesuffix(")")
    text = text.replace(call, f"score = {value}\n        value = max(value, score)")
    if old not in text:
        assert {old[:8], style} in ({"return c", "no colour"}, {"return n", "colour"})
        return
    verdict = check(text.replace(old, new))
    assert (verdict.ruling, verdict.mistakes) == ("wrong", (mistake,))


@pytest.mark.parametrize("style", ["flag", "pair", "tuple"])
def test_a_player_who_moves_twice_is_named(style: str) -> None:
    """A branch of MIN that calls the search of MIN again is named."""
    text = program("lists", style)
    old, new = (
        ("max_value(c", "min_value(c") if style == "pair" else ("alpha, beta, 'max')", "alpha, beta, 'min')")
    )
    assert old in text
    assert check(text.replace(old, new)).mistakes == ("min-after-min",)


EXPECTIMAX = ODD_PROGRAMS["expectimax with averages"][1]


@pytest.mark.parametrize(
    ("old", "new", "mistakes"),
    [
        ("for action in actions:", "for action in actions[:1]:", ("most-likely",)),
        ("total / len(actions)", "total", ("outcomes-summed",)),
        ("return total / len(actions)", "return min(parts)", ("worst-outcome",)),
        ("return total / len(actions)", "return max(parts)", ("best-outcome",)),
    ],
)
def test_mistakes_about_chance_are_seen(old: str, new: str, mistakes: tuple[str, ...]) -> None:
    """The first outcome, the sum or the smallest value in place of the expectation is named."""
    text = EXPECTIMAX.replace(old, new)
    if mistakes == ("most-likely",):
        text = text.replace("total / len(actions)", "total")
    if "parts" in new:
        text = text.replace("total = 0", "total, parts = 0, []")
        text = text.replace(
            "total += self.maximum(after, depth + 1)", "parts.append(self.maximum(after, depth + 1))"
        )
        text = text.replace(
            "total += self.expect(after, agent + 1, depth)",
            "parts.append(self.expect(after, agent + 1, depth))",
        )
    verdict = check(text)
    assert (verdict.run.algorithm, verdict.ruling) == ("expectimax", "wrong")
    assert verdict.mistakes == mistakes
    assert verdict.counterexample is not None


def test_a_tied_bound_at_the_root_is_a_wrong_move() -> None:
    """A fail-hard search that takes the last of equal moves at the root may take a refuted one."""
    text = ODD_PROGRAMS["values with moves"][1].replace("value > best[0]", "value >= best[0]")
    verdict = check(text)
    assert (verdict.ruling, verdict.differs()["value"], verdict.differs()["move"]) == ("wrong", False, True)
    assert verdict.mistakes == ("false-tie",)


def test_a_cached_bound_is_named() -> None:
    """A table by content that keeps values of nodes with a cutoff is a mistake, which equal subtrees show."""
    text = program("lists", "flag") + (
        "PLAIN, TABLE = search, {}\n"
        "def search(node, depth, alpha, beta, side, top=False):\n"
        "    key = (str(node), side)\n"
        "    if key not in TABLE:\n"
        "        TABLE[key] = PLAIN(node, depth, alpha, beta, side, top)\n"
        "    return TABLE[key]\n"
    )
    verdict = check(text)
    assert (verdict.ruling, verdict.mistakes) == ("wrong", ("cached-bound",))


def test_successors_before_their_visit_are_judged_for_pacman_alone() -> None:
    """All successors at once is a mistake where the course compares generated states, else a note."""
    text = program("pacman", "flag").replace(
        "for c in node.getLegalActions(agent):",
        "states = [node.generateSuccessor(agent, a) for a in node.getLegalActions(agent)]\n"
        "        for c in node.getLegalActions(agent):",
    )
    verdict = check(text)
    assert (verdict.ruling, verdict.cause) == ("wrong", "generated")


def test_a_line_is_named_where_it_can_be_told() -> None:
    """The lines of the tests, the updates or the calls that a mistake is about are named, if they are few."""
    text = program("lists", "pair", "latest-not-best")
    lines = [
        number
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() in ("alpha = value", "beta = value")
    ]
    assert check(text).run.lines["latest-not-best"] == lines
    assert f"lines {lines[0]} and {lines[1]} of the file" in sentence_of(check(text))
