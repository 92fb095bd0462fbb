"""Which values are still possible for a node after some of the leaves have been visited?"""

from dataclasses import replace
from functools import lru_cache

from grader.answers.box_blanks import reply_box_codec
from grader.answers.form import Item
from grader.answers.interval import INTERVAL, rounded_spans
from grader.answers.interval import write as write_interval
from grader.base.intervals import Span, Spans, union
from grader.base.numbers import INFINITY
from grader.base.phrases import Language, Phrase, paragraph
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.key_picture import KeyPicture
from grader.questions.kind import BeliefKey, Kind
from grader.questions.randomness import Draw
from grader.questions.reasons import Reason, SolvedExercise, WorkedSolution
from grader.questions.search_answers import two_player_objection
from grader.questions.wording import (
    LEAF_NUMBER_RULE,
    asks,
    game_sentences,
    probability_sentences,
    search_sentences,
)
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.explaining.node_wording import node_title
from grader.solvers.intervals_by_leaf import IntervalsAfterLeaf, interval_by_folding, intervals_by_leaf
from grader.solvers.mistaken_search import swap_players
from grader.solvers.search_choice import search
from grader.solvers.trace import Enter, Update
from grader.solvers.value_intervals import Interval, intervals
from grader.trees.rules import Rules
from grader.trees.tree import Tree
from grader.trees.tree_builder import HIDDEN_PAYOFF

# What students read -------------------------------------------------------------------------------

ASK_RANGE = Phrase("Write a condition such as {example}, or always if every number is possible.")
RANGE_EXAMPLE = "3 <= x <= 5"

QUESTION = Phrase("Let x be the minimax value of {node}. Which values of x are still possible?")
VISITED_SO_FAR = Phrase(
    "The search has just visited {leaf}. A leaf that has not been visited yet may still have any payoff."
)

WHY_RANGE_AT_START = Phrase("Before the first leaf is visited, {node} can have any value in {range}.")
WHY_RANGE = Phrase(
    "After {leaf}, the value of {node} is at least {low}, its value if all unvisited leaves are as small as "
    "possible. It is at most {high}, its value if they are as large as possible."
)
ANSWER = Phrase("The answer is {answer}.")

CAPTION = Phrase(
    "The range of possible values of every node at this point. "
    "A question mark means that nothing is known yet."
)


@lru_cache(maxsize=4)
def _intervals_by_leaf(tree: Tree, rules: Rules) -> tuple[IntervalsAfterLeaf, ...]:
    return intervals_by_leaf(tree, rules)


def _step(case: Case) -> int:
    """Return the number of leaves visited so far: up to the given leaf, or half of all visited ones."""
    steps = _intervals_by_leaf(case.tree, case.rules)
    if "leaf" not in case.given:
        return len(steps) // 2
    return next(
        place for place, step in enumerate(steps) if step.leaf == case.tree.leaves[case.given["leaf"] - 1]
    )


def _node(case: Case) -> int:
    return case.tree.index[case.given.get("node", case.tree.names[0])]


def _objection(case: Case) -> str | None:
    """Return why the case cannot be asked, or None.

    The given node, by default the root, must be an inner node; a given leaf must be visited by the search.
    """
    tree = case.tree
    if why := two_player_objection(case):
        return why
    name, leaf = case.given.text("node", tree.names[0]), case.given.get("leaf")
    if name not in {tree.names[node] for node in tree.internal}:
        return f"there is no inner node {name}"
    if "leaf" not in case.given:
        return None
    if not isinstance(leaf, int) or isinstance(leaf, bool) or not 1 <= leaf <= len(tree.leaves):
        return f"leaf is not a number from 1 to {len(tree.leaves)}"
    visited = {step.leaf for step in _intervals_by_leaf(tree, case.rules)}
    return None if tree.leaves[leaf - 1] in visited else f"leaf {leaf} is pruned"


def _question(case: Case, language: Language) -> str:
    return language.say(QUESTION, node=node_title(case.tree, _node(case), language))


def _visited_so_far(case: Case, language: Language) -> str:
    """Say which leaf was visited last."""
    leaf = _intervals_by_leaf(case.tree, case.rules)[_step(case)].leaf
    return language.say(VISITED_SO_FAR, leaf=node_title(case.tree, leaf or 0, language))


def _spans(ends: Interval) -> Spans:
    """All numbers between both ends, which belong to it where they are finite."""
    low, high = ends
    return union((Span(low, abs(low) != INFINITY, high, abs(high) != INFINITY),))


def _key(case: Case) -> Spans:
    return _spans(_intervals_by_leaf(case.tree, case.rules)[_step(case)].intervals[_node(case)])


def _visited_leaves(case: Case) -> list[int]:
    """Return the leaves visited so far, in order."""
    steps = _intervals_by_leaf(case.tree, case.rules)[1 : _step(case) + 1]
    return [step.leaf for step in steps if step.leaf is not None]


def _independent_key(case: Case) -> Spans:
    visited = frozenset(_visited_leaves(case))
    return _spans(interval_by_folding(case.tree, _node(case), visited, case.rules.bounds))


# How people go wrong --------------------------------------------------------------------------------


def _hidden(tree: Tree, visited: frozenset[int]) -> Tree:
    """Return the tree in which only the payoffs of visited leaves are known."""
    known = ((tree.payoffs[leaf] or 0) if leaf in visited else HIDDEN_PAYOFF for leaf in tree.leaves)
    return tree.with_payoffs(tuple(known))


def _window(case: Case) -> Spans | None:
    """Return the window of the node after that leaf; None with chance nodes, or if it is empty."""
    if case.tree.has_chance:
        return None
    node, last = _node(case), (_visited_leaves(case) or [-1])[-1]
    alpha, beta = case.rules.root_window
    passed = False
    for event in search(case.tree, case.rules).trace:
        if isinstance(event, Enter) and passed:
            break  # the search goes on
        if isinstance(event, Enter) and event.node == node:
            alpha, beta = event.alpha, event.beta
        if isinstance(event, Update) and event.node == node:
            alpha, beta = (event.value, beta) if event.bound == "alpha" else (alpha, event.value)
        passed = passed or (isinstance(event, Enter) and event.node == last)
    return _spans((alpha, beta)) if alpha <= beta else None


def _range_after_last_leaf(case: Case) -> Spans:
    visited = frozenset(_visited_leaves(case)[-1:])
    return _spans(intervals(_hidden(case.tree, visited), case.rules.bounds)[_node(case)])


def _swapped(case: Case) -> Spans | None:
    """Return the answer in the game with MAX and MIN exchanged; None if its search prunes the leaf."""
    leaf = _intervals_by_leaf(case.tree, case.rules)[_step(case)].leaf
    steps = intervals_by_leaf(swap_players(case.tree), case.rules)
    return next((_spans(step.intervals[_node(case)]) for step in steps if step.leaf == leaf), None)


def _value_as_if_known(case: Case) -> Spans:
    value = expectiminimax(case.tree)[_node(case)]
    return _spans((value, value))


_BELIEFS: dict[str, BeliefKey[Spans]] = {
    "window-for-range": _window,
    "only-last-leaf": _range_after_last_leaf,
    "players-swapped": _swapped,
    "unseen-known": _value_as_if_known,
}


def _draw(draw: Draw, case: Case) -> Case | None:
    """Draw a node and a leaf for which every belief is incorrect and something is known about the node.

    If there is no such pair, draw one about which something is known; None if there is none either.
    """
    tree = case.tree
    if not len(tree) or two_player_objection(case) is not None:
        return None
    steps = _intervals_by_leaf(tree, case.rules)
    questions = [
        Given({"node": tree.names[node], "leaf": tree.paths[step.leaf]})
        for node in tree.internal
        for step in steps[1:]
        if step.leaf is not None and step.intervals[node] != (-INFINITY, INFINITY)
    ]
    for given in draw.shuffle(questions):
        candidate = replace(case, given=given)
        key = _key(candidate)
        if all(belief(candidate) != key for belief in _BELIEFS.values()):
            return candidate
    return replace(case, given=draw.choose(questions)) if questions else None


# Sentences ------------------------------------------------------------------------------------------


def _explain_range(solved: SolvedExercise, step: IntervalsAfterLeaf, node: int) -> str:
    """Say the range of a node after a leaf, or before the first leaf."""
    language, (low, high) = solved.language, step.intervals[node]
    ends = language.number_separator.join(map(solved.value_text, (low, high)))
    terms = {"node": solved.node_title(node), "range": f"[{ends}]"}
    if step.leaf is None:
        return language.say(WHY_RANGE_AT_START, **terms)
    return language.say(
        WHY_RANGE,
        leaf=solved.node_title(step.leaf),
        node=solved.node_title(node),
        low=solved.value_text(low),
        high=solved.value_text(high),
    )


def _why(solved: SolvedExercise, item: Item) -> Reason | None:
    step = _intervals_by_leaf(solved.tree, solved.rules)[_step(solved.case)]
    answer = solved.language.say(ANSWER, answer=solved.language.quoted_reply(item.right))
    return Reason(paragraph(_explain_range(solved, step, _node(solved.case)), answer))


def _steps(solved: SolvedExercise) -> tuple[str, ...]:
    """The range of the node after each leaf that has been seen."""
    steps = _intervals_by_leaf(solved.tree, solved.rules)[: _step(solved.case) + 1]
    return tuple(_explain_range(solved, step, _node(solved.case)) for step in steps)


def _key_picture(solved: SolvedExercise) -> KeyPicture:
    """Return the picture with the known range of every node; an unvisited leaf has no payoff."""
    tree, visited = solved.tree, frozenset(_visited_leaves(solved.case))
    step = _intervals_by_leaf(tree, solved.rules)[_step(solved.case)]
    caption = solved.language.say(CAPTION)
    return KeyPicture(
        _hidden(tree, visited),
        caption,
        shows_backed_up_values=False,
        ranges={node: step.intervals[node] for node in tree.internal},
    )


RANGE = replace(
    INTERVAL,
    ask=ASK_RANGE,
    example=RANGE_EXAMPLE,
    blank_codec=reply_box_codec(ASK_RANGE, RANGE_EXAMPLE, write_interval, rounded_spans),
    screen_keys=tuple(key for key in INTERVAL.screen_keys if key != "never"),
)
"""A condition that some value always fulfills."""

KIND = Kind(
    takes_root_window=True,
    given_names=("leaf", "node"),
    form=RANGE,
    objection=_objection,
    draw=_draw,
    prompt=asks(
        _question, game_sentences, probability_sentences, search_sentences, LEAF_NUMBER_RULE, _visited_so_far
    ),
    key=_key,
    independent_key=_independent_key,
    beliefs=_BELIEFS,
    explain_item=_why,
    worked_solution=WorkedSolution(_steps, lambda solved: _steps(solved)[-1:]),
    key_picture=_key_picture,
)
