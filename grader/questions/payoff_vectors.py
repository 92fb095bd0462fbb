"""Which payoffs do the players get in a game of several players?"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial

from grader.answers.form import Item, Terms
from grader.answers.number import NUMBER
from grader.answers.numeral import Numeral
from grader.answers.vector import VECTOR, Vector
from grader.base.phrases import Language, Phrase, paragraph
from grader.questions.given import NOTHING, Given
from grader.questions.kind import Kind
from grader.questions.parts.several_players import (
    TRIES,
    drawn_vectors,
    players_by_level,
    suits_several,
    the_players,
    the_ties,
    untied,
    vectors_of_leaves,
)
from grader.questions.parts.sound_cuts import CUT
from grader.questions.pictured import Pictured, line_of, valued
from grader.questions.randomness import Draw
from grader.questions.search_answers import suits_two_players
from grader.questions.why import SUMS, Reason, Solved, Worked, upwards
from grader.questions.wording import Prompt
from grader.solvers.explaining.naming import called, listed_values
from grader.solvers.explaining.value_reasons import worth
from grader.solvers.maxn import maxn, maxn_level_by_level
from grader.solvers.maxn_mistaken import CHOICES, ODDS, mistaken_maxn
from grader.solvers.maxn_ties import all_vectors, all_vectors_by_choices, play_for
from grader.solvers.solvable import Unsolvable
from grader.trees.rules import Rules
from grader.trees.tree import Tree
from grader.trees.tree import Vector as Payoffs

PLACES = 10
"""Into how many parts whole numbers are broken at most by a chance node: tenths can be reckoned with."""

# The payoffs that the players get -----------------------------------------------------------------


def _suits(tree: Tree, rules: Rules, given: Given) -> str | None:
    if given.get("ties", "leftmost") not in ("leftmost", "any"):
        return "ties go leftmost or to any of the best moves"
    return suits_several(tree, rules, given)


def _suits_chance(tree: Tree, rules: Rules, given: Given) -> str | None:
    return _suits(tree, rules, given) or (None if tree.has_chance else "the tree has no chance nodes")


def _suits_two(tree: Tree, rules: Rules, given: Given) -> str | None:
    return _suits(tree, rules, given) or (None if tree.seats == 2 else "this is no game of two players")


def _prompt(tree: Tree, rules: Rules, given: Given, language: Language) -> Prompt:
    return Prompt(
        (*the_players(tree, language), the_ties(given, language)),
        language.say("Which payoffs do the players expect when everybody plays as well as possible?")
        if tree.has_chance
        else language.say("Which payoffs do the players get when everybody plays as well as possible?"),
    )


def _numerals(vector: Payoffs) -> Vector:
    return tuple(map(Numeral, vector))


def _right(tree: Tree, rules: Rules, given: Given, reply: Vector, terms: Terms) -> bool | None:
    """Where ties go anywhere every vector is right that they allow."""
    if given.get("ties") != "any":
        return None
    return any(VECTOR.is_right(reply, _numerals(vector), tree, terms) for vector in all_vectors(tree)[0])


def _believing(belief: str, tree: Tree, rules: Rules, given: Given) -> Vector | None:
    if belief in ODDS and not tree.has_chance:
        return None
    return _numerals(mistaken_maxn(tree, belief)[0])


def _why(solved: Solved, item: Item) -> Reason | None:
    """What every choice on the line of play is worth to who makes it, from the root down."""
    if solved.given.get("ties") == "any":
        return Reason(_vectors_possible(solved)[-1])
    line = solved.solution.principal_variations[0]
    return Reason(
        paragraph(*(worth(solved.tree, node, solved.values, solved.language) for node in line[:-1] or line))
    )


def _grown(players: int | None, draw: Draw, tree: Tree, rules: Rules) -> tuple[Tree, Given] | None:
    """A game whose players have one best move everywhere, so that the rule about ties changes nothing."""
    if suits_two_players(tree, rules, NOTHING) is not None:
        return None
    seated, seats = players_by_level(tree, players)
    for _ in range(TRIES):
        made = seated.with_payoffs(drawn_vectors(draw, tree, seats))
        if untied(made) and _plain(made):
            return made, Given({"ties": "leftmost"})
    return None


def _plain(tree: Tree) -> bool:
    """Whether no node is worth more than a decimal or two."""
    return not tree.has_chance or all(
        (Fraction(number) * PLACES).denominator == 1 for vector in maxn(tree) for number in vector
    )


# What ties leave open -------------------------------------------------------------------------------


def _suits_ties(tree: Tree, rules: Rules, given: Given) -> str | None:
    if why := suits_several(tree, rules, given):
        return why
    player, end = given.get("player"), given.get("end")
    if not isinstance(player, int) or not 1 <= player <= tree.seats or end not in ("least", "most"):
        return 'it is not given whose payoff is asked for, and which end of it: {"player": 1, "end": "least"}'
    try:
        all_vectors_by_choices(tree)
    except Unsolvable as error:
        return str(error)
    return None


def _prompt_ties(tree: Tree, rules: Rules, given: Given, language: Language) -> Prompt:
    player, say = f"P{given['player']}", language.say
    return Prompt(
        (
            *the_players(tree, language),
            say("A player to whom several moves are worth the same may choose any of them."),
        ),
        say(_ENDS[given["end"]], player=player),
    )


_ENDS = {
    "least": Phrase(
        "Everybody plays as well as possible. "
        "What is the least payoff that {player} can end up with in this way?"
    ),
    "most": Phrase(
        "Everybody plays as well as possible. "
        "What is the largest payoff that {player} can end up with in this way?"
    ),
}


def _end_of(vectors: frozenset[Payoffs], given: Given) -> Numeral:
    own = [vector[given["player"] - 1] for vector in vectors]
    return Numeral(min(own) if given["end"] == "least" else max(own))


def _leftmost(tree: Tree, rules: Rules, given: Given) -> Numeral:
    return Numeral(maxn(tree)[0][given["player"] - 1])


def _other_end(tree: Tree, rules: Rules, given: Given) -> Numeral:
    other = "most" if given["end"] == "least" else "least"
    return _end_of(all_vectors(tree)[0], Given({**given, "end": other}))


def _any_leaf(tree: Tree, rules: Rules, given: Given) -> Numeral:
    return _end_of(frozenset(vectors_of_leaves(tree)), given)


def _draw_ties(draw: Draw, tree: Tree, rules: Rules) -> tuple[Tree, Given] | None:
    if suits_two_players(tree, rules, NOTHING) is not None:
        return None
    seated, seats = players_by_level(tree)
    for _ in range(TRIES):
        made = seated.with_payoffs(drawn_vectors(draw, tree, seats))
        player, end = draw.between(1, seats), draw.choose(("least", "most"))
        given = Given({"player": player, "end": end})
        if _suits_ties(made, rules, given) is not None:
            return None
        found = all_vectors(made)[0]
        differ = len(found) <= 4 and len({vector[player - 1] for vector in found}) > 1
        if differ and _end_of(found, given) != _leftmost(made, rules, given):
            return made, given
    return None


def _vectors_possible(solved: Solved) -> tuple[str, ...]:
    """For every inner node, from the leaves to the root, what ties allow it to be worth."""
    tree, language, possible = solved.tree, solved.language, all_vectors(solved.tree)
    return tuple(
        language.say(
            "{node} can be worth {values}.",
            "{node} can be worth {values}.",
            len(possible[node]),
            node=called(tree, node, language),
            values=listed_values(sorted(possible[node]), language),
        )
        for node in upwards(tree)
    )


def _why_ties(solved: Solved, item: Item) -> Reason | None:
    key = solved.language.say(
        "That is {value} for {player}.",
        value=solved.language.reply(item.right),
        player=f"P{solved.given['player']}",
    )
    return Reason(paragraph(_vectors_possible(solved)[-1], key))


def _picture_of_ties(solved: Solved) -> Pictured:
    """The payoffs of one game in which ties are broken as the answer has it."""
    tree, language, seat = solved.tree, solved.language, solved.given["player"] - 1
    vector = min(each for each in all_vectors(tree)[0] if each[seat] == solved.key.value)
    values = play_for(tree, vector)
    caption = language.say(
        "Payoffs when ties are broken so that {player} gets {value}; thick: the line of play.",
        player=f"P{seat + 1}",
        value=language.number(solved.key.value),
    )
    return valued(tree, values, caption, line_of(tree, values))


def _whatever_ties(steps: Callable[[Solved], tuple[str, ...]]) -> Callable[[Solved], tuple[str, ...]]:
    """These steps, but where ties go anywhere all that they allow."""
    return lambda solved: (_vectors_possible if solved.given.get("ties") == "any" else steps)(solved)


# The kinds ------------------------------------------------------------------------------------------

VALUE = Kind(
    ask="value",
    gives=("ties",),
    question="Which payoffs do the players of a game get, two to four, when each maximises its own (max^n)?",
    form=VECTOR,
    suits=_suits,
    prompt=_prompt,
    key=lambda tree, _rules, _given: _numerals(maxn(tree)[0]),
    second_way=lambda tree, _rules, _given: _numerals(maxn_level_by_level(tree)),
    beliefs={name: partial(_believing, name) for name in CHOICES},
    why=_why,
    worked=Worked(_whatever_ties(SUMS.steps), _whatever_ties(SUMS.decides)),
    right=_right,
    draw=partial(_grown, None),
)
CHANCE = replace(
    VALUE,
    ask="chance",
    question="Which payoffs do several players expect in a game with chance?",
    suits=_suits_chance,
    beliefs={name: partial(_believing, name) for name in (*CHOICES, *ODDS)},
)
GENERAL_SUM = replace(
    VALUE,
    ask="general-sum",
    question="Which payoffs do two players get whose interests are not opposed?",
    suits=_suits_two,
    draw=partial(_grown, 2),
)
TIES = Kind(
    ask="ties",
    gives=("end", "player"),
    question="What is the least or the most that a player can end up with, however ties are broken?",
    form=NUMBER,
    suits=_suits_ties,
    prompt=_prompt_ties,
    key=lambda tree, _rules, given: _end_of(all_vectors(tree)[0], given),
    second_way=lambda tree, _rules, given: _end_of(all_vectors_by_choices(tree), given),
    beliefs={"leftmost-tie": _leftmost, "other-end": _other_end, "any-leaf": _any_leaf},
    why=_why_ties,
    worked=Worked(_vectors_possible, _vectors_possible),
    pictured=_picture_of_ties,
    calls=lambda given: (f"p{given.get('player')}",),
    draw=_draw_ties,
)
KINDS = (VALUE, CHANCE, GENERAL_SUM, TIES, CUT)
