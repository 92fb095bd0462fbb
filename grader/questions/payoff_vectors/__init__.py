"""Which payoffs do the players get in a game of several players?"""

from dataclasses import replace
from fractions import Fraction
from functools import partial

from grader.answers.form import Item, Terms
from grader.answers.number import NUMBER
from grader.answers.numeral import Numeral
from grader.answers.vector import VECTOR, NumeralVector
from grader.base.phrases import Language, Phrase, paragraph, plural_phrase
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.key_picture import KeyPicture, line_of_play, picture_of_values
from grader.questions.kind import Kind
from grader.questions.payoff_vectors.several_players import (
    ANY_TIE_MOVE,
    MAX_DRAWS,
    draw_vectors,
    has_unique_best_moves,
    players_by_level,
    players_objection,
    players_sentences,
    tie_sentence,
    vectors_of_leaves,
)
from grader.questions.payoff_vectors.sound_cuts import CUT
from grader.questions.randomness import Draw
from grader.questions.reasons import (
    VALUE_SOLUTION,
    Reason,
    SolvedExercise,
    Steps,
    WorkedSolution,
    bottom_up_nodes,
)
from grader.questions.search_answers import two_player_objection
from grader.questions.wording import asks
from grader.solvers.explaining.node_wording import node_title, value_choice
from grader.solvers.explaining.value_reasons import value_sentence
from grader.solvers.maxn import maxn, maxn_level_by_level
from grader.solvers.maxn_mistakes import MISTAKEN_CHANCE_VALUES, MISTAKEN_CHOICES, mistaken_maxn
from grader.solvers.maxn_ties import all_vectors, all_vectors_by_choices, values_reaching
from grader.solvers.solvable import Unsolvable
from grader.trees.tree import Tree, Vector

# What students read -------------------------------------------------------------------------------

QUESTION = Phrase("Which payoffs do the players get if all of them play optimally?")
QUESTION_WITH_CHANCE = Phrase("What are the expected payoffs of the players if all of them play optimally?")
ANY_RESULT_COUNTS = Phrase("Any payoffs that can result from optimal play are correct.")
QUESTIONS_ABOUT_TIES = {
    "least": Phrase("What is the smallest payoff that {player} can get if all players play optimally?"),
    "most": Phrase("What is the largest payoff that {player} can get if all players play optimally?"),
}

WHY_POSSIBLE = plural_phrase("{node} can be worth {values}.")
WHY_EXTREME = Phrase("That is {value} for {player}.")

CAPTION_OF_TIES = Phrase(
    "Payoffs if ties are broken so that {player} gets {value}. "
    "The principal variation is drawn with thick lines."
)

MAX_CHANCE_DENOMINATOR = 10
"""Into how many parts whole numbers are broken at most by a chance node: tenths can be reckoned with."""

# The payoffs that the players get -----------------------------------------------------------------


def _objection(case: Case) -> str | None:
    if case.given.get("ties", "leftmost") not in ("leftmost", "any"):
        return "ties go leftmost or to any of the best moves"
    return players_objection(case)


def _chance_objection(case: Case) -> str | None:
    return _objection(case) or (None if case.tree.has_chance else "the tree has no chance nodes")


def _two_player_objection(case: Case) -> str | None:
    return _objection(case) or (None if case.tree.seats == 2 else "this is not a game of two players")


def _question(case: Case, language: Language) -> str:
    return language.say(QUESTION_WITH_CHANCE if case.tree.has_chance else QUESTION)


def _any_result_counts(case: Case, language: Language) -> str:
    """Promise that any result counts, if players may choose among equally good moves."""
    return language.say(ANY_RESULT_COUNTS) if case.given.get("ties") == "any" else ""


def _numerals(vector: Vector) -> NumeralVector:
    return tuple(map(Numeral, vector))


def _is_possible_result(case: Case, reply: NumeralVector, terms: Terms) -> bool | None:
    """Return whether a reply is one of the results that ties allow; None if ties are broken to the left."""
    if case.given.get("ties") != "any":
        return None
    return any(
        VECTOR.is_right(reply, _numerals(vector), case.tree, terms) for vector in all_vectors(case.tree)[0]
    )


def _believing(belief: str, case: Case) -> NumeralVector | None:
    """Return the vector of a student with this belief; None for beliefs about chance without chance nodes."""
    if belief in MISTAKEN_CHANCE_VALUES and not case.tree.has_chance:
        return None
    return _numerals(mistaken_maxn(case.tree, belief)[0])


def _why(solved: SolvedExercise, item: Item) -> Reason | None:
    """Explain every choice on the principal variation to the player who makes it, from the root down."""
    if solved.given.get("ties") == "any":
        return Reason(_vectors_possible(solved)[-1])
    line = solved.solution.principal_variations[0]
    return Reason(
        paragraph(
            *(value_sentence(solved.tree, node, solved.values, solved.language) for node in line[:-1] or line)
        )
    )


def _draw_game(players: int | None, draw: Draw, case: Case) -> Case | None:
    """Draw a game with one best move at every node, so that the rule about ties has no effect."""
    if two_player_objection(case) is not None:
        return None
    seated, seats = players_by_level(case.tree, players)
    for _ in range(MAX_DRAWS):
        game = seated.with_payoffs(draw_vectors(draw, case.tree, seats))
        if has_unique_best_moves(game) and _plain(game):
            return Case(game, case.rules, Given({"ties": "leftmost"}))
    return None


def _plain(tree: Tree) -> bool:
    """Return whether the values of all nodes have one decimal at most."""
    return not tree.has_chance or all(
        (Fraction(number) * MAX_CHANCE_DENOMINATOR).denominator == 1
        for vector in maxn(tree)
        for number in vector
    )


# What ties leave open -------------------------------------------------------------------------------


def _ties_objection(case: Case) -> str | None:
    """Return why the ties cannot be asked about, or None.

    A player and an end must be given, and the combinations of choices must not be too many to try.
    """
    if why := players_objection(case):
        return why
    player, end = case.given.get("player"), case.given.get("end")
    if not isinstance(player, int) or not 1 <= player <= case.tree.seats or end not in ("least", "most"):
        return 'it is not given whose payoff is asked for, and which end of it: {"player": 1, "end": "least"}'
    try:
        all_vectors_by_choices(case.tree)
    except Unsolvable as error:
        return str(error)
    return None


def _ask_ties(case: Case, language: Language) -> str:
    return language.say(QUESTIONS_ABOUT_TIES[case.given["end"]], player=f"P{case.given['player']}")


def _end_of(vectors: frozenset[Vector], given: Given) -> Numeral:
    own = [vector[given["player"] - 1] for vector in vectors]
    return Numeral(min(own) if given["end"] == "least" else max(own))


def _leftmost(case: Case) -> Numeral:
    return Numeral(maxn(case.tree)[0][case.given["player"] - 1])


def _other_end(case: Case) -> Numeral:
    other = "most" if case.given["end"] == "least" else "least"
    return _end_of(all_vectors(case.tree)[0], Given({**case.given, "end": other}))


def _any_leaf(case: Case) -> Numeral:
    return _end_of(frozenset(vectors_of_leaves(case.tree)), case.given)


def _draw_ties(draw: Draw, case: Case) -> Case | None:
    """Draw a game with several vectors at the root, whose leftmost is not the requested end; or None."""
    if two_player_objection(case) is not None:
        return None
    seated, seats = players_by_level(case.tree)
    for _ in range(MAX_DRAWS):
        game = seated.with_payoffs(draw_vectors(draw, case.tree, seats))
        player, end = draw.between(1, seats), draw.choose(("least", "most"))
        given = Given({"player": player, "end": end})
        candidate = Case(game, case.rules, given)
        if _ties_objection(candidate) is not None:
            return None
        found = all_vectors(game)[0]
        differ = len(found) <= 4 and len({vector[player - 1] for vector in found}) > 1
        if differ and _end_of(found, given) != _leftmost(candidate):
            return candidate
    return None


def _vectors_possible(solved: SolvedExercise) -> tuple[str, ...]:
    """For every inner node, from the leaves to the root, what ties allow it to be worth."""
    tree, language, possible = solved.tree, solved.language, all_vectors(solved.tree)
    return tuple(
        language.say(
            *WHY_POSSIBLE,
            len(possible[node]),
            node=node_title(tree, node, language),
            values=value_choice(sorted(possible[node]), language),
        )
        for node in bottom_up_nodes(tree)
    )


def _why_ties(solved: SolvedExercise, item: Item) -> Reason | None:
    key = solved.language.say(
        WHY_EXTREME, value=solved.language.reply(item.right), player=f"P{solved.given['player']}"
    )
    return Reason(paragraph(_vectors_possible(solved)[-1], key))


def _picture_of_ties(solved: SolvedExercise) -> KeyPicture:
    """The payoffs of one game in which ties are broken as the answer has it."""
    tree, language, seat = solved.tree, solved.language, solved.given["player"] - 1
    vector = min(each for each in all_vectors(tree)[0] if each[seat] == solved.key.value)
    values = values_reaching(tree, vector)
    caption = language.say(CAPTION_OF_TIES, player=f"P{seat + 1}", value=language.number(solved.key.value))
    return picture_of_values(tree, values, caption, line_of_play(tree, values))


def _whatever_ties(steps: Steps) -> Steps:
    """These steps, but where ties go anywhere all that they allow."""
    return lambda solved: (_vectors_possible if solved.given.get("ties") == "any" else steps)(solved)


# The kinds ------------------------------------------------------------------------------------------

VALUE = Kind(
    ask="value",
    given_names=("ties",),
    question="Which payoffs do two to four players get if each maximizes its own payoff (max^n)?",
    form=VECTOR,
    objection=_objection,
    prompt=asks(_question, players_sentences, tie_sentence, demands=(_any_result_counts,)),
    key=lambda case: _numerals(maxn(case.tree)[0]),
    independent_key=lambda case: _numerals(maxn_level_by_level(case.tree)),
    beliefs={name: partial(_believing, name) for name in MISTAKEN_CHOICES},
    explain_item=_why,
    worked_solution=VALUE_SOLUTION.change(_whatever_ties),
    accepts=_is_possible_result,
    draw=partial(_draw_game, None),
)
CHANCE = replace(
    VALUE,
    ask="chance",
    question="What are the expected payoffs in a game of chance with several players?",
    objection=_chance_objection,
    beliefs={name: partial(_believing, name) for name in (*MISTAKEN_CHOICES, *MISTAKEN_CHANCE_VALUES)},
)
GENERAL_SUM = replace(
    VALUE,
    ask="general-sum",
    question="Which payoffs do two players get if their interests are not directly opposed?",
    objection=_two_player_objection,
    draw=partial(_draw_game, 2),
)
TIES = Kind(
    ask="ties",
    given_names=("end", "player"),
    question=(
        "What is the smallest or largest payoff that a player can get, depending on how ties are broken?"
    ),
    form=NUMBER,
    objection=_ties_objection,
    prompt=asks(_ask_ties, players_sentences, ANY_TIE_MOVE),
    key=lambda case: _end_of(all_vectors(case.tree)[0], case.given),
    independent_key=lambda case: _end_of(all_vectors_by_choices(case.tree), case.given),
    beliefs={"leftmost-tie": _leftmost, "other-end": _other_end, "any-leaf": _any_leaf},
    explain_item=_why_ties,
    worked_solution=WorkedSolution(_vectors_possible),
    key_picture=_picture_of_ties,
    answer_labels=lambda given: (f"p{given.get('player')}",),
    draw=_draw_ties,
)
KINDS = (VALUE, CHANCE, GENERAL_SUM, TIES, CUT)
