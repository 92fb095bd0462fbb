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
from grader.questions.given import NOTHING_GIVEN, Given
from grader.questions.key_picture import KeyPicture, line_of_play, picture_of_values
from grader.questions.kind import Kind
from grader.questions.parts.several_players import (
    MAX_DRAWS,
    draw_vectors,
    has_unique_best_moves,
    players_by_level,
    players_objection,
    players_sentences,
    tie_sentence,
    vectors_of_leaves,
)
from grader.questions.parts.sound_cuts import CUT
from grader.questions.randomness import Draw
from grader.questions.reasons import VALUE_SOLUTION, Reason, SolvedExercise, WorkedSolution, bottom_up_nodes
from grader.questions.search_answers import two_player_objection
from grader.questions.wording import Prompt
from grader.solvers.explaining.node_wording import node_title, value_list
from grader.solvers.explaining.value_reasons import value_sentence
from grader.solvers.maxn import maxn, maxn_level_by_level
from grader.solvers.maxn_mistakes import MISTAKEN_CHANCE_VALUES, MISTAKEN_CHOICES, mistaken_maxn
from grader.solvers.maxn_ties import all_vectors, all_vectors_by_choices, values_reaching
from grader.solvers.solvable import Unsolvable
from grader.trees.rules import Rules
from grader.trees.tree import Tree
from grader.trees.tree import Vector as Payoffs

MAX_CHANCE_DENOMINATOR = 10
"""Into how many parts whole numbers are broken at most by a chance node: tenths can be reckoned with."""

# The payoffs that the players get -----------------------------------------------------------------


def _suits(tree: Tree, rules: Rules, given: Given) -> str | None:
    if given.get("ties", "leftmost") not in ("leftmost", "any"):
        return "ties go leftmost or to any of the best moves"
    return players_objection(tree, rules, given)


def _suits_chance(tree: Tree, rules: Rules, given: Given) -> str | None:
    return _suits(tree, rules, given) or (None if tree.has_chance else "the tree has no chance nodes")


def _suits_two(tree: Tree, rules: Rules, given: Given) -> str | None:
    return _suits(tree, rules, given) or (None if tree.seats == 2 else "this is no game of two players")


def _prompt(tree: Tree, rules: Rules, given: Given, language: Language) -> Prompt:
    return Prompt(
        (*players_sentences(tree, language), tie_sentence(given, language)),
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
    if belief in MISTAKEN_CHANCE_VALUES and not tree.has_chance:
        return None
    return _numerals(mistaken_maxn(tree, belief)[0])


def _why(solved: SolvedExercise, item: Item) -> Reason | None:
    """What every choice on the line of play is worth to who makes it, from the root down."""
    if solved.given.get("ties") == "any":
        return Reason(_vectors_possible(solved)[-1])
    line = solved.solution.principal_variations[0]
    return Reason(
        paragraph(
            *(value_sentence(solved.tree, node, solved.values, solved.language) for node in line[:-1] or line)
        )
    )


def _grown(players: int | None, draw: Draw, tree: Tree, rules: Rules) -> tuple[Tree, Given] | None:
    """A game whose players have one best move everywhere, so that the rule about ties changes nothing."""
    if two_player_objection(tree, rules, NOTHING_GIVEN) is not None:
        return None
    seated, seats = players_by_level(tree, players)
    for _ in range(MAX_DRAWS):
        made = seated.with_payoffs(draw_vectors(draw, tree, seats))
        if has_unique_best_moves(made) and _plain(made):
            return made, Given({"ties": "leftmost"})
    return None


def _plain(tree: Tree) -> bool:
    """Whether no node is worth more than a decimal or two."""
    return not tree.has_chance or all(
        (Fraction(number) * MAX_CHANCE_DENOMINATOR).denominator == 1
        for vector in maxn(tree)
        for number in vector
    )


# What ties leave open -------------------------------------------------------------------------------


def _suits_ties(tree: Tree, rules: Rules, given: Given) -> str | None:
    if why := players_objection(tree, rules, given):
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
            *players_sentences(tree, language),
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
    if two_player_objection(tree, rules, NOTHING_GIVEN) is not None:
        return None
    seated, seats = players_by_level(tree)
    for _ in range(MAX_DRAWS):
        made = seated.with_payoffs(draw_vectors(draw, tree, seats))
        player, end = draw.between(1, seats), draw.choose(("least", "most"))
        given = Given({"player": player, "end": end})
        if _suits_ties(made, rules, given) is not None:
            return None
        found = all_vectors(made)[0]
        differ = len(found) <= 4 and len({vector[player - 1] for vector in found}) > 1
        if differ and _end_of(found, given) != _leftmost(made, rules, given):
            return made, given
    return None


def _vectors_possible(solved: SolvedExercise) -> tuple[str, ...]:
    """For every inner node, from the leaves to the root, what ties allow it to be worth."""
    tree, language, possible = solved.tree, solved.language, all_vectors(solved.tree)
    return tuple(
        language.say(
            "{node} can be worth {values}.",
            "{node} can be worth {values}.",
            len(possible[node]),
            node=node_title(tree, node, language),
            values=value_list(sorted(possible[node]), language),
        )
        for node in bottom_up_nodes(tree)
    )


def _why_ties(solved: SolvedExercise, item: Item) -> Reason | None:
    key = solved.language.say(
        "That is {value} for {player}.",
        value=solved.language.reply(item.right),
        player=f"P{solved.given['player']}",
    )
    return Reason(paragraph(_vectors_possible(solved)[-1], key))


def _picture_of_ties(solved: SolvedExercise) -> KeyPicture:
    """The payoffs of one game in which ties are broken as the answer has it."""
    tree, language, seat = solved.tree, solved.language, solved.given["player"] - 1
    vector = min(each for each in all_vectors(tree)[0] if each[seat] == solved.key.value)
    values = values_reaching(tree, vector)
    caption = language.say(
        "Payoffs when ties are broken so that {player} gets {value}; thick: the line of play.",
        player=f"P{seat + 1}",
        value=language.number(solved.key.value),
    )
    return picture_of_values(tree, values, caption, line_of_play(tree, values))


def _whatever_ties(
    steps: Callable[[SolvedExercise], tuple[str, ...]],
) -> Callable[[SolvedExercise], tuple[str, ...]]:
    """These steps, but where ties go anywhere all that they allow."""
    return lambda solved: (_vectors_possible if solved.given.get("ties") == "any" else steps)(solved)


# The kinds ------------------------------------------------------------------------------------------

VALUE = Kind(
    ask="value",
    given_names=("ties",),
    question="Which payoffs do the players of a game get, two to four, when each maximises its own (max^n)?",
    form=VECTOR,
    objection=_suits,
    prompt=_prompt,
    key=lambda tree, _rules, _given: _numerals(maxn(tree)[0]),
    independent_key=lambda tree, _rules, _given: _numerals(maxn_level_by_level(tree)),
    beliefs={name: partial(_believing, name) for name in MISTAKEN_CHOICES},
    explain_item=_why,
    worked_solution=WorkedSolution(
        _whatever_ties(VALUE_SOLUTION.steps), _whatever_ties(VALUE_SOLUTION.deciding_steps)
    ),
    accepts=_right,
    draw=partial(_grown, None),
)
CHANCE = replace(
    VALUE,
    ask="chance",
    question="Which payoffs do several players expect in a game with chance?",
    objection=_suits_chance,
    beliefs={name: partial(_believing, name) for name in (*MISTAKEN_CHOICES, *MISTAKEN_CHANCE_VALUES)},
)
GENERAL_SUM = replace(
    VALUE,
    ask="general-sum",
    question="Which payoffs do two players get whose interests are not opposed?",
    objection=_suits_two,
    draw=partial(_grown, 2),
)
TIES = Kind(
    ask="ties",
    given_names=("end", "player"),
    question="What is the least or the most that a player can end up with, however ties are broken?",
    form=NUMBER,
    objection=_suits_ties,
    prompt=_prompt_ties,
    key=lambda tree, _rules, given: _end_of(all_vectors(tree)[0], given),
    independent_key=lambda tree, _rules, given: _end_of(all_vectors_by_choices(tree), given),
    beliefs={"leftmost-tie": _leftmost, "other-end": _other_end, "any-leaf": _any_leaf},
    explain_item=_why_ties,
    worked_solution=WorkedSolution(_vectors_possible, _vectors_possible),
    key_picture=_picture_of_ties,
    answer_labels=lambda given: (f"p{given.get('player')}",),
    draw=_draw_ties,
)
KINDS = (VALUE, CHANCE, GENERAL_SUM, TIES, CUT)
