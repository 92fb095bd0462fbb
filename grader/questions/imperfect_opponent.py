"""What does MAX get from a MIN that plays a known policy instead of its best moves?"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial

from grader.answers.move import MOVE
from grader.answers.number import NUMBER
from grader.answers.numeral import Numeral
from grader.answers.truth import TRUTH
from grader.base.numbers import Number
from grader.base.phrases import Language, Phrase
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.key_picture import KeyPicture, picture_of_values
from grader.questions.kind import Kind, constant_key, only_where_wrong
from grader.questions.randomness import Draw
from grader.questions.reasons import Reason, SolvedExercise, WorkedSolution, bottom_up_nodes
from grader.questions.search_answers import two_player_objection
from grader.questions.value_answers import best_case_values, root_moves
from grader.questions.wording import LEAF_NUMBER_RULE, asks, game_sentences, probability_sentences
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.explaining.node_wording import node_name, node_title, value_list, value_text
from grader.solvers.explaining.value_reasons import value_sentence
from grader.solvers.fixed_opponent import (
    OpponentPolicy,
    PolicyOutcome,
    evaluate_against,
    minimax_play_by_leaves,
    opponent_as_chance,
    pure_policy,
    uniform_policy,
)
from grader.trees.tree import Player, Tree

# What students read -------------------------------------------------------------------------------

QUESTIONS = {
    "minimax-play": (Phrase("What payoff does MAX get?"), Phrase("What payoff does MAX get on average?")),
    "best-reply": (
        Phrase("What is the highest payoff that MAX can get?"),
        Phrase("What is the highest average payoff that MAX can get?"),
    ),
    "best-move": (Phrase("Which move should MAX make at {node}?"),) * 2,
    "gain": (
        Phrase("True or false: MAX gets more than the minimax value of the game."),
        Phrase("True or false: on average, MAX gets more than the minimax value of the game."),
    ),
}
"""The question of each ask, and its form where the payoff of MAX is an average."""

MIN_PLAYS_AT_RANDOM = Phrase("MIN does not look ahead: it chooses each of its moves with equal probability.")
MIN_PLAYS_LEFTMOST = Phrase("MIN does not look ahead: it always makes the leftmost move.")
MIN_FOLLOWS_PLAN = Phrase("MIN follows a fixed plan: it moves {moves}.")
PLANNED_MOVE = Phrase("from {node} to {child}")
MAX_KEEPS_TO_MINIMAX = Phrase(
    "MAX does not know this and plays its minimax strategy: "
    "at each of its nodes, it makes the move with the largest minimax value."
)
MAX_KNOWS = Phrase("MAX knows this and plays the best response to it.")
"""How MAX responds to the play of MIN."""

WHY_MIN_MOVES_THERE = Phrase("At {node}, MIN moves to {child}: {value}.")
WHY_MIN_GETS_MEAN = Phrase("At {node}, MIN moves at random: the mean of {values} is {value}.")
WHY_MAX_TAKES_LARGEST = Phrase("At {node}, MAX takes the largest of {values}: {value}.")
WHY_MAX_KEEPS_MOVE = Phrase("At {node}, the minimax strategy moves to {child}, which yields {value} here.")
WHY_GAIN = Phrase(
    "The minimax strategy yields {value} here. The minimax value is {minimax}, so the statement is true."
)
WHY_NO_GAIN = Phrase(
    "The statement is false: the minimax strategy gets {value}, exactly the minimax value. "
    "It never gets less, but it does not always get more."
)

CAPTION_OF_PLAY = Phrase(
    "The value of every node if MAX plays its minimax strategy against this MIN. "
    "The path of play is drawn with thick lines."
)
CAPTION_OF_REPLY = Phrase(
    "The value of every node, given the moves that MIN makes. The path of play is drawn with thick lines."
)
ROOT_NOTE = Phrase("minimax value {value}")

MAX_DRAWS = 30
"""How often a policy is drawn before a tree is given up."""

# The policy ---------------------------------------------------------------------------------------


def _policy(case: Case) -> OpponentPolicy | str:
    """Return the given policy of MIN, or why it is invalid."""
    tree = case.tree
    moves = case.given.get("moves", "random")
    if moves == "random":
        return uniform_policy(tree)
    if moves == "leftmost":
        return pure_policy({node: tree.children[node][0] for node in _min_nodes(tree)})
    if not isinstance(moves, Mapping):
        return 'MIN moves "random", "leftmost" or as {"moves": {"B": "2"}} says of every MIN node'
    chosen: dict[int, int] = {}
    for name, child in moves.items():
        node, to = tree.index.get(name), tree.index.get(child) if isinstance(child, str) else None
        if node is None or to is None or tree.players[node] is not Player.MIN or tree.parents[to] != node:
            return f"the policy says that MIN moves from {name} to {child}, and there is no such move"
        chosen[node] = to
    missing = [tree.names[node] for node in _min_nodes(tree) if node not in chosen]
    return f"the policy does not mention {missing[0]}" if missing else pure_policy(chosen)


def _min_nodes(tree: Tree) -> list[int]:
    return [node for node in tree.internal if tree.players[node] is Player.MIN]


def _the_policy(case: Case) -> OpponentPolicy:
    """Return the given policy of MIN in a valid question."""
    policy = _policy(case)
    assert not isinstance(policy, str)
    return policy


@lru_cache(maxsize=8)
def _against(case: Case) -> PolicyOutcome:
    return evaluate_against(case.tree, _the_policy(case))


def _objection(case: Case) -> str | None:
    """Return why no policy of MIN is given that can be asked about, or None."""
    if why := two_player_objection(case):
        return why
    if not _min_nodes(case.tree):
        return "MIN never moves, so there is no policy for it"
    policy = _policy(case)
    return policy if isinstance(policy, str) else None


def _strategy_objection(case: Case) -> str | None:
    """Return why MAX's minimax play is not worth one number against this MIN, or None.

    Besides the objections to any such question: of several optimal strategies, some get more than others.
    """
    why = _objection(case)
    if why is None:
        found = _against(case)
        if found.worst_minimax[0] != found.best_minimax[0]:
            why = "MAX has several minimax strategies, and they get different values from this MIN"
    return why


def _move_objection(case: Case) -> str | None:
    if case.tree.players[0] is not Player.MAX or len(case.tree.children[0]) == 1:
        return "MAX has no choice at the root"
    return _objection(case)


# The questions ------------------------------------------------------------------------------------


def _conventions(case: Case, language: Language) -> tuple[str, ...]:
    """Describe the game, and how MIN plays it."""
    tree = case.tree
    say, moves = language.say, case.given.get("moves", "random")
    start = (*game_sentences(case, language), *probability_sentences(case, language))
    if moves == "random":
        return (*start, say(MIN_PLAYS_AT_RANDOM))
    if moves == "leftmost":
        return (*start, say(MIN_PLAYS_LEFTMOST))
    moves_text = [
        language.term(
            PLANNED_MOVE,
            node=node_title(tree, tree.index[name], language),
            child=node_title(tree, tree.index[child], language),
        )
        for name, child in sorted(moves.items(), key=lambda move: tree.index[move[0]])
    ]
    numbered = any(not tree.children[tree.index[child]] for child in moves.values())
    fixed = say(MIN_FOLLOWS_PLAN, moves=language.join_and(moves_text))
    return (*start, *((say(LEAF_NUMBER_RULE),) if numbered else ()), fixed)


def _averaged(case: Case) -> bool:
    """Return whether the payoff of MAX is an average."""
    return case.tree.has_chance or case.given.get("moves", "random") == "random"


def _ask(ask: str, case: Case, language: Language) -> str:
    return language.say(QUESTIONS[ask][_averaged(case)], node=node_name(case.tree, 0, language))


# The answers --------------------------------------------------------------------------------------


def _minimax_play(case: Case) -> Numeral:
    return Numeral(_against(case).worst_minimax[0])


def _minimax_play_by_leaves(case: Case) -> Numeral:
    """Every leaf with the probability with which both come to it."""
    return Numeral(minimax_play_by_leaves(case.tree, _the_policy(case)))


def _best_reply(case: Case) -> Numeral:
    return Numeral(_against(case).best_reply_values[0])


def _chance_for_min(case: Case) -> tuple[Number, ...]:
    return expectiminimax(opponent_as_chance(case.tree, _the_policy(case)))


def _minimax_value(case: Case) -> Numeral:
    return Numeral(expectiminimax(case.tree)[0])


def _gains(case: Case) -> bool:
    found = _against(case)
    return found.worst_minimax[0] > found.minimax[0]


def _gains_by_leaves(case: Case) -> bool:
    return _minimax_play_by_leaves(case).value > expectiminimax(case.tree)[0]


# Drawing ----------------------------------------------------------------------------------------


def _can_plan(case: Case) -> bool:
    """Return whether a plan can be written down: every name belongs to one node."""
    return _objection(case) is None and len(case.tree.index) == len(case.tree)


def _draw_plan(draw: Draw, tree: Tree) -> Given:
    plan = {tree.names[node]: tree.names[draw.choose(tree.children[node])] for node in _min_nodes(tree)}
    return Given({"moves": plan})


def _draw(draw: Draw, case: Case) -> Case | None:
    """Draw a policy against which MAX gains, and gains more by knowing it.

    After `MAX_DRAWS`, keep the last one. None if the tree does not suit or has a name twice.
    """
    if not _can_plan(case):
        return None
    for _ in range(MAX_DRAWS):
        # A random MIN as often as one with a plan; the plan is drawn move by move.
        given = Given({"moves": "random"}) if draw.below(2) else _draw_plan(draw, case.tree)
        candidate = replace(case, given=given)
        found = _against(candidate)
        if found.minimax[0] < found.worst_minimax[0] == found.best_minimax[0] < found.best_reply_values[0]:
            break
    return candidate


def _draw_gain(draw: Draw, case: Case) -> Case | None:
    """Draw a suboptimal plan that costs MIN something in half of the questions.

    None if the tree does not suit or has a name twice, or no such plan is found.
    """
    if not _can_plan(case):
        return None
    wanted = bool(draw.below(2))
    for _ in range(MAX_DRAWS):
        candidate = replace(case, given=_draw_plan(draw, case.tree))
        found = _against(candidate)
        if found.worst_minimax[0] != found.best_minimax[0] or found.minimax[0] >= found.best_reply_values[0]:
            continue
        if (found.worst_minimax[0] > found.minimax[0]) is wanted:
            return candidate
    return None


# Why ----------------------------------------------------------------------------------------------


def _explain_values(solved: SolvedExercise, adapts: bool) -> tuple[str, ...]:
    """Explain the value of every node against this MIN, from the leaves to the root."""
    tree, found = solved.tree, _against(solved.case)
    values = found.best_reply_values if adapts else found.worst_minimax
    sentences = []
    for node in bottom_up_nodes(tree):
        if tree.players[node] is Player.CHANCE:
            sentences.append(value_sentence(tree, node, values, solved.language))
        elif tree.players[node] is Player.MIN:
            sentences.append(_explain_min(solved, node, values))
        else:
            sentences.append(_explain_max(solved, node, values, None if adapts else found.minimax))
    return tuple(sentences)


def _explain_min(solved: SolvedExercise, node: int, values: Sequence[Number]) -> str:
    """Explain the move of MIN at a node, and the value that results."""
    tree, policy, say = solved.tree, _the_policy(solved.case), solved.language.say
    names = {"node": solved.node_title(node), "value": solved.value_text(values[node])}
    child, share = max(policy[node].items(), key=lambda each: each[1])
    if share == 1:
        return say(WHY_MIN_MOVES_THERE, child=solved.node_title(child), **names)
    below = value_list([values[child] for child in tree.children[node]], solved.language)
    return say(WHY_MIN_GETS_MEAN, values=below, **names)


def _explain_max(
    solved: SolvedExercise, node: int, values: Sequence[Number], minimax: Sequence[Number] | None
) -> str:
    """Explain the move of MAX at a node, by the minimax values if given, and the value that results."""
    children, say = solved.tree.children[node], solved.language.say
    names = {"node": solved.node_title(node), "value": solved.value_text(values[node])}
    if minimax is None:
        below = value_list([values[child] for child in children], solved.language)
        return say(WHY_MAX_TAKES_LARGEST, values=below, **names)
    chosen = _minimax_move(solved.tree, node, minimax, values)
    return say(WHY_MAX_KEEPS_MOVE, child=solved.node_title(chosen), **names)


def _minimax_move(tree: Tree, node: int, minimax: Sequence[Number], values: Sequence[Number]) -> int:
    """Return the minimax move at a node; among several, the one with the lowest value here."""
    best = [child for child in tree.children[node] if minimax[child] == minimax[node]]
    return min(best, key=lambda child: values[child])


def _picture(caption: Phrase, adapts: bool, solved: SolvedExercise) -> KeyPicture:
    """Return the values against this MIN, and the course of the game up to the first random move."""
    tree, policy, found = solved.tree, _the_policy(solved.case), _against(solved.case)
    values, line = found.best_reply_values if adapts else found.worst_minimax, [0]
    while tree.children[line[-1]]:
        node = line[-1]
        if tree.players[node] is Player.MAX:
            line.append(
                found.best_replies[node][0] if adapts else _minimax_move(tree, node, found.minimax, values)
            )
            continue
        sure = [child for child, share in policy.get(node, {}).items() if share == 1]
        if not sure:
            break
        line += sure
    return picture_of_values(tree, values, solved.language.say(caption), line)


_PICTURE_OF_PLAY = partial(_picture, CAPTION_OF_PLAY, False)
_PICTURE_OF_REPLY = partial(_picture, CAPTION_OF_REPLY, True)


def _gain_steps(solved: SolvedExercise) -> tuple[str, ...]:
    return (*_explain_values(solved, adapts=False), _explain_gain(solved))


def _explain_gain(solved: SolvedExercise) -> str:
    """Compare what the minimax strategy gets with the minimax value."""
    found, language = _against(solved.case), solved.language
    values = {
        "value": value_text(found.worst_minimax[0], language),
        "minimax": value_text(found.minimax[0], language),
    }
    return language.say(WHY_GAIN if solved.key else WHY_NO_GAIN, **values)


def _picture_of_gain(solved: SolvedExercise) -> KeyPicture:
    """Return the picture of play, with the value of optimal play next to the root."""
    value = solved.value_text(_against(solved.case).minimax[0])
    note = solved.language.term(ROOT_NOTE, value=value)
    return replace(_PICTURE_OF_PLAY(solved), notes={0: (note,)})


# The kinds ----------------------------------------------------------------------------------------

_asking = partial(Kind, given_names=("moves",), takes_averages=_averaged)

MINIMAX_PLAY = _asking(
    ask="minimax-play",
    question="What does MAX's minimax strategy get against a MIN that does not play optimally?",
    form=NUMBER,
    objection=_strategy_objection,
    prompt=asks(partial(_ask, "minimax-play"), _conventions, MAX_KEEPS_TO_MINIMAX),
    key=_minimax_play,
    independent_key=_minimax_play_by_leaves,
    beliefs={
        "opponent-perfect": _minimax_value,
        "adapts-to-opponent": _best_reply,
        "ignores-opponent": lambda case: Numeral(best_case_values(case.tree)[0]),
    },
    worked_solution=WorkedSolution(partial(_explain_values, adapts=False)),
    key_picture=_PICTURE_OF_PLAY,
    draw=_draw,
)
BEST_REPLY = _asking(
    ask="best-reply",
    question="What payoff does the best response get against a MIN that does not play optimally?",
    form=NUMBER,
    objection=_objection,
    prompt=asks(partial(_ask, "best-reply"), _conventions, MAX_KNOWS),
    key=_best_reply,
    independent_key=lambda case: Numeral(_chance_for_min(case)[0]),
    beliefs={
        "opponent-perfect": _minimax_value,
        "keeps-to-minimax": _minimax_play,
        "ignores-opponent": lambda case: Numeral(best_case_values(case.tree)[0]),
    },
    worked_solution=WorkedSolution(partial(_explain_values, adapts=True)),
    key_picture=_PICTURE_OF_REPLY,
    draw=_draw,
)
BEST_MOVE = _asking(
    ask="best-move",
    question="Which move is the best response to a MIN that does not play optimally?",
    form=MOVE,
    objection=_move_objection,
    prompt=asks(partial(_ask, "best-move"), _conventions, MAX_KNOWS),
    key=lambda case: root_moves(case.tree, _against(case).best_reply_values),
    independent_key=lambda case: root_moves(case.tree, _chance_for_min(case)),
    beliefs={
        "opponent-perfect": lambda case: root_moves(case.tree, expectiminimax(case.tree)),
        "ignores-opponent": lambda case: root_moves(case.tree, best_case_values(case.tree)),
    },
    worked_solution=WorkedSolution(partial(_explain_values, adapts=True)),
    key_picture=_PICTURE_OF_REPLY,
    draw=_draw,
)
GAIN = _asking(
    ask="gain",
    question=(
        "Does MAX's minimax strategy get more than the minimax value against a MIN that does not play "
        "optimally?"
    ),
    form=TRUTH,
    objection=_strategy_objection,
    prompt=asks(partial(_ask, "gain"), _conventions, MAX_KEEPS_TO_MINIMAX),
    key=_gains,
    independent_key=_gains_by_leaves,
    beliefs={
        "always-even-better": only_where_wrong(_gains, constant_key(True)),
        "opponent-perfect": only_where_wrong(_gains, constant_key(False)),
    },
    explain_item=lambda solved, _item: Reason(_explain_gain(solved)),
    worked_solution=WorkedSolution(_gain_steps),
    key_picture=_picture_of_gain,
    draw=_draw_gain,
)
KINDS = (MINIMAX_PLAY, BEST_REPLY, BEST_MOVE, GAIN)
