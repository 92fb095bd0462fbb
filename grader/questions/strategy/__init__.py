"""Which strategy guarantees a player the most against any play of the opponent?"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from itertools import pairwise

from grader.answers.form import Item, Terms
from grader.answers.move_choices import MOVE_CHOICES, Strategy
from grader.base.numbers import Number
from grader.base.phrases import Language, Phrase, paragraph
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.key_picture import KeyPicture
from grader.questions.kind import Kind
from grader.questions.randomness import Draw
from grader.questions.reasons import VALUE_SOLUTION, Reason, SolvedExercise
from grader.questions.search_answers import two_player_objection
from grader.questions.strategy.endgames import draw_endgame, endgame_objection, endgame_sentences
from grader.questions.value_answers import best_case_values, mistaken_numbers, root_value_by_search
from grader.questions.wording import (
    EVERY_STRATEGY_COUNTS,
    LEAF_NUMBER_RULE,
    asks,
    game_sentences,
    probability_sentences,
)
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.strategies import (
    count_strategies_reaching,
    guaranteed_value,
    leftmost_optimal_strategy,
    leftmost_strategy,
)
from grader.solvers.values import best_children, principal_variations
from grader.trees.tree import Player, Tree

# What students read -------------------------------------------------------------------------------

QUESTION = Phrase("Give a strategy for {player} that guarantees {player} the best result.")
NEVER_LOSE_QUESTION = Phrase("Give a strategy that ensures that {player} never loses, whatever {other} does.")
DEFINITION = Phrase(
    "A strategy for {player} specifies a move at every {player} node that can be reached when {player} "
    "follows it, whatever {other} does."
)
JUDGED_BY_GUARANTEE = Phrase(
    "A strategy is judged by the payoff that it guarantees against optimal play by {other}."
)

WHY_INCOMPLETE = Phrase("Play can reach {node}, but your strategy does not give a move there.")
WHY_WEAKER = Phrase("This guarantees {value}.")
WHY_BEST = Phrase("The strategy {answer} guarantees {value}.")
WHY_LOSING = Phrase("Against this strategy, {other} can win.")
WHY_SAFE = Phrase("With the strategy {answer}, {player} never loses.")

CAPTION = Phrase("Exact values. The moves of the strategy are drawn with thick lines.")


def _player(case: Case) -> Player:
    """Return the player whose strategy is asked for; by default MAX."""
    return Player(case.given.get("player", "MAX"))


def _other(player: Player) -> Player:
    return Player.MIN if player is Player.MAX else Player.MAX


def own_nodes(case: Case) -> tuple[int, ...]:
    """The nodes of that player, level by level: those for which a move may be named."""
    return tuple(node for node in case.tree.by_level if case.tree.players[node] is _player(case))


def _objection(case: Case) -> str | None:
    """Return why no strategy can be asked for, or None: the player, by default MAX, must move somewhere."""
    if case.given.get("player", "MAX") not in ("MAX", "MIN"):
        return "a strategy is asked for MAX or for MIN"
    why = two_player_objection(case)
    if why is None and _player(case) not in case.tree.movers:
        why = f"{_player(case)} never moves"
    return why


# The questions ------------------------------------------------------------------------------------


def _sentence_on_players(phrase: Phrase, case: Case, language: Language) -> str:
    """Say something about the player whose strategy is asked for, and about the other one."""
    player = _player(case)
    return language.say(phrase, player=player, other=_other(player))


def strategy_sentences(case: Case, language: Language) -> tuple[str, ...]:
    """Say what a strategy is, and how it is judged."""
    phrases = (DEFINITION, JUDGED_BY_GUARANTEE)
    return tuple(_sentence_on_players(phrase, case, language) for phrase in phrases)


# The answers --------------------------------------------------------------------------------------


def _strategy_of(moves: Mapping[int, int]) -> Strategy:
    return tuple((node, frozenset((moves[node],))) for node in sorted(moves))


def _by_search(case: Case) -> Strategy:
    """At every own node the leftmost child for which a search of its own returns the best value."""
    player, chosen, waiting = _player(case), dict[int, int](), [0]
    better = max if player is Player.MAX else min
    while waiting:
        node = waiting.pop()
        children = case.tree.children[node]
        if case.tree.players[node] is player:
            found = [
                root_value_by_search(replace(case, tree=case.tree.subtree(child))).value for child in children
            ]
            chosen[node] = children[found.index(better(found))]
            waiting.append(chosen[node])
        else:
            waiting += children
    return _strategy_of(chosen)


def _reaches(wanted: Callable[[Tree], Number], case: Case, reply: Strategy, terms: Terms) -> bool:
    """Return whether a strategy guarantees the wanted value; an incomplete one guarantees nothing."""
    player = _player(case)
    found = guaranteed_value(case.tree, player, dict(reply))
    if found is None:
        return False
    return found >= wanted(case.tree) if player is Player.MAX else found <= wanted(case.tree)


def _swapped(case: Case) -> Strategy:
    values = mistaken_numbers(case.tree, "players-swapped")
    return _strategy_of(leftmost_strategy(case.tree, _player(case), values))


def _helped(case: Case) -> Strategy:
    """The moves towards the best leaf, as if everybody helped."""
    player = _player(case)
    return _strategy_of(leftmost_strategy(case.tree, player, best_case_values(case.tree, player)))


def _line_only(case: Case) -> Strategy | None:
    """The moves on the line of best play alone; None where they are a strategy already."""
    tree = case.tree
    player = _player(case)
    line = principal_variations(best_children(tree, expectiminimax(tree)), 1)[0]
    moves = {node: child for node, child in pairwise(line) if tree.players[node] is player}
    answer = _strategy_of(moves)
    return answer if moves and guaranteed_value(tree, player, dict(answer)) is None else None


def _draw(draw: Draw, case: Case) -> Case | None:
    """A tree with one best strategy for MAX, so that boxes to choose from can be marked as well."""
    if _objection(case) is not None:
        return None
    given = Given({"player": "MAX"})
    one = (
        case.tree.has_chance
        or count_strategies_reaching(case.tree, Player.MAX, expectiminimax(case.tree)[0]) == 1
    )
    return replace(case, given=given) if one else None


# Why ----------------------------------------------------------------------------------------------


def _why(best: Phrase, weak: Phrase, solved: SolvedExercise, item: Item) -> Reason:
    """Explain the flaw of a strategy, and what the best one achieves."""
    best_sentence = solved.language.say(
        best,
        answer=solved.language.reply(item.right),
        value=solved.value_text(solved.values[0]),
        player=_player(solved.case),
    )
    return Reason(paragraph(_flaw(solved, item, weak), best_sentence))


def _flaw(solved: SolvedExercise, item: Item, weak: Phrase) -> str:
    """Say where a strategy lacks a move, or how `weak` it is; empty without a reply."""
    tree, say, player = solved.tree, solved.language.say, _player(solved.case)
    if not item.reply:
        return ""
    reply = dict(MOVE_CHOICES.parse(item.reply, tree))
    found = guaranteed_value(tree, player, reply)
    if found is None:
        node = _unanswered(tree, player, reply)
        return say(WHY_INCOMPLETE, node=solved.node_title(node))
    return say(weak, value=solved.value_text(found), other=_other(player))


def _unanswered(tree: Tree, player: Player, choices: Mapping[int, frozenset[int]]) -> int:
    """The first own node that play can come to without a move there."""
    waiting = [0]
    while waiting:
        node = waiting.pop(0)
        children: Collection[int] = tree.children[node]
        if tree.players[node] is player and len(children) > 1:
            if node not in choices:
                return node
            children = choices[node]
        waiting += sorted(children)
    raise AssertionError("there is a move everywhere")


def strategy_picture(solved: SolvedExercise) -> KeyPicture:
    """The solved tree with the moves of the strategy."""
    moves = tuple(child for _, children in solved.key for child in sorted(children))
    return KeyPicture(solved.tree, solved.language.say(CAPTION), line=moves)


# The kinds ----------------------------------------------------------------------------------------

OPTIMAL = Kind(
    ask="optimal",
    given_names=("player",),
    question="Which strategy, with a move at every reachable MAX node, guarantees MAX the highest payoff?",
    form=MOVE_CHOICES,
    objection=_objection,
    prompt=asks(
        partial(_sentence_on_players, QUESTION),
        game_sentences,
        probability_sentences,
        LEAF_NUMBER_RULE,
        strategy_sentences,
        demands=(EVERY_STRATEGY_COUNTS,),
    ),
    key=lambda case: _strategy_of(leftmost_optimal_strategy(case.tree, _player(case))),
    independent_key=_by_search,
    beliefs={
        "players-swapped": _swapped,
        "helped-by-opponent": _helped,
        "one-line-only": _line_only,
    },
    explain_item=partial(_why, WHY_BEST, WHY_WEAKER),
    worked_solution=VALUE_SOLUTION,
    accepts=partial(_reaches, lambda tree: expectiminimax(tree)[0]),
    key_picture=strategy_picture,
    draw=_draw,
    entry_nodes=own_nodes,
)
BEST_ANSWERS = replace(
    OPTIMAL,
    ask="answers",
    question="Which replies to MIN's moves guarantee MAX the highest payoff?",
)
NEVER_LOSE = replace(
    OPTIMAL,
    ask="never-lose",
    given_names=("player", "position"),
    question="Which strategy ensures that a player does not lose a partly played game of tic-tac-toe?",
    objection=lambda case: _objection(case) or endgame_objection(case),
    prompt=asks(
        partial(_sentence_on_players, NEVER_LOSE_QUESTION),
        game_sentences,
        endgame_sentences,
        LEAF_NUMBER_RULE,
        partial(_sentence_on_players, DEFINITION),
        demands=(EVERY_STRATEGY_COUNTS,),
    ),
    explain_item=partial(_why, WHY_SAFE, WHY_LOSING),
    accepts=partial(_reaches, lambda _tree: 0),
    draw=draw_endgame,
    needs_tree=False,
)
KINDS = (OPTIMAL, BEST_ANSWERS, NEVER_LOSE)
