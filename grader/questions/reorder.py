"""In which order should the children stand, so that alpha-beta search looks at few leaves, and how many?"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from math import factorial, prod
from typing import Literal

from grader.answers.children_order import CHILDREN_ORDER, Orders
from grader.answers.count import COUNT
from grader.answers.form import Ambiguous, Item, Malformed
from grader.answers.numeral import Numeral
from grader.base.phrases import Language, Phrase, paragraph, plural_phrase
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.key_picture import KeyPicture, line_of_play, new_order_notes, picture_of_search
from grader.questions.kind import Kind
from grader.questions.randomness import Draw
from grader.questions.reasons import Reason, SolvedExercise, WorkedSolution
from grader.questions.search_answers import search_objection
from grader.questions.wording import (
    ANY_ORDER_COUNTS,
    LEAF_NUMBER_RULE,
    asks,
    game_sentences,
    leaf_count_sentence,
    search_sentences,
)
from grader.solvers.explaining.steps import explain
from grader.solvers.minimax import minimax
from grader.solvers.mistaken_search import swap_players
from grader.solvers.move_ordering import (
    Ordering,
    best_first_orders,
    best_ordering,
    fewest_leaves,
    mirrored_orders,
    ordering_by_permutations,
    reorder_children,
    uniform_shape,
    worst_ordering,
)
from grader.solvers.search_choice import search
from grader.solvers.solution import solve
from grader.solvers.sweep import sweep
from grader.trees.rules import Rules
from grader.trees.tree import Tree

# What students read -------------------------------------------------------------------------------

ORDER_QUESTIONS = {
    "fewest": Phrase("Order the children of every node so that alpha-beta visits as few leaves as possible."),
    "most": Phrase("Order the children of every node so that alpha-beta visits as many leaves as possible."),
}
UNLISTED_NODES_KEEP_ORDER = Phrase("A node that you do not list keeps its order.")
COUNT_QUESTIONS = {
    "fewest": Phrase(
        "What is the smallest number of leaves that the search can visit, over all orders of the children?"
    ),
    "most": Phrase(
        "What is the largest number of leaves that the search can visit, over all orders of the children?"
    ),
    "mirrored": Phrase(
        "How many leaves does the search visit in the mirror-image tree, in which the order of the children "
        "of every node is reversed?"
    ),
    "best-first": Phrase(
        "How many leaves does the search visit if it visits the children of every node from best to worst?"
    ),
}
BEST_TO_WORST = Phrase(
    "The best child has the best minimax value for the player who moves at the node; "
    "tied children keep their order."
)
YOUR_COUNT = plural_phrase(
    "With your order, the search visits {count} leaf.",
    "With your order, the search visits {count} leaves.",
)
OTHER_COUNT = plural_phrase("With the following order, the number of leaves visited is {count}: {answer}.")
NEW_ORDER = Phrase("The order is {answer}.")
VISITED_COUNT = plural_phrase(
    "The search visits {count} leaf.",
    "The search visits {count} leaves.",
)
NO_ORDER_NEEDS_FEWER = plural_phrase(
    "No order visits fewer leaves. "
    "With {branching} children at every inner node and {depth} ply, the minimum is "
    "{branching}^⌈{depth}/2⌉ + {branching}^⌊{depth}/2⌋ − 1 = {minimum}.",
    "No order visits fewer leaves. "
    "With {branching} children at every inner node and {depth} plies, the minimum is "
    "{branching}^⌈{depth}/2⌉ + {branching}^⌊{depth}/2⌋ − 1 = {minimum}.",
)

CAPTION = Phrase(
    "The search and its cutoffs. The new order of the children is next to their parent. "
    "The principal variation is drawn with thick lines."
)

MAX_CHILDREN = 6
"""The maximum number of children of a node, since a student has to go through their orders."""


def _objection(case: Case) -> str | None:
    """Return why the tree cannot be searched, or its children not be reordered, or None."""
    if why := search_objection(case):
        return why
    if max(map(len, case.tree.children)) > MAX_CHILDREN:
        return f"a node has more than {MAX_CHILDREN} children"
    if not _movable(case.tree):
        return "no node has two children"
    return None


def _movable(tree: Tree) -> tuple[int, ...]:
    """The nodes whose children can change places."""
    return tuple(node for node in tree.internal if len(tree.children[node]) > 1)


def _count_visited(
    tree: Tree, rules: Rules, orders: Mapping[int, tuple[int, ...]], *, searches: bool = True
) -> int:
    """Return the number of leaves that are visited in another order: by a search, or by exact values."""
    changed = reorder_children(tree, orders).tree
    visited = search(changed, rules, traced=False).visited if searches else sweep(changed, rules).visited
    return sum(visited[leaf] for leaf in changed.leaves)


# Which order? -------------------------------------------------------------------------------------


def _order_objection(case: Case) -> str | None:
    if case.given.get("leaves", "fewest") not in ("fewest", "most"):
        return "it asks for neither the fewest nor the most leaves"
    return _objection(case)


# Drawing, the key, every mistake and their marks ask for the same ones.
_fewest_leaves = lru_cache(maxsize=4)(best_ordering)
_most_leaves = lru_cache(maxsize=4)(worst_ordering)


def _extreme(case: Case) -> Ordering:
    ordering = _most_leaves if case.given.get("leaves") == "most" else _fewest_leaves
    return ordering(case.tree, case.rules)


def _orders(tree: Tree, orders: tuple[tuple[int, ...], ...]) -> Orders:
    return tuple((node, orders[node]) for node in _movable(tree))


def _independent_order(case: Case) -> Orders:
    sign: Literal[1, -1] = -1 if case.given.get("leaves") == "most" else 1
    return _orders(case.tree, ordering_by_permutations(case.tree, case.rules, sign).orders)


def _reaches_extreme(case: Case, reply: Orders) -> bool:
    """Return whether an order reaches the fewest, or the most, visited leaves."""
    return _count_visited(case.tree, case.rules, dict(reply)) == _extreme(case).visited


def _unless_correct(case: Case, orders: tuple[tuple[int, ...], ...]) -> Orders | None:
    """Return an order unless it is a correct answer."""
    answer = _orders(case.tree, orders)
    return None if _reaches_extreme(case, answer) else answer


def _other_extreme(case: Case) -> Orders | None:
    other = Given({"leaves": "fewest" if case.given.get("leaves") == "most" else "most"})
    return _unless_correct(case, _extreme(replace(case, given=other)).orders)


def _in_the_swapped_game(case: Case) -> Orders | None:
    return _unless_correct(case, _extreme(replace(case, tree=swap_players(case.tree))).orders)


def _largest_first(case: Case) -> Orders | None:
    """Return the orders by descending value at every node; None where they are correct."""
    values, direction = minimax(case.tree), 1 if case.rules.order == "left-to-right" else -1
    orders = tuple(
        tuple(sorted(row, key=lambda child: -values[child])[::direction]) for row in case.tree.children
    )
    return _unless_correct(case, orders)


def _ask_order(case: Case, language: Language) -> str:
    return language.say(ORDER_QUESTIONS[case.given.get("leaves", "fewest")])


def _why_order(solved: SolvedExercise, item: Item) -> Reason | None:
    """Compare the leaves visited in the student's order and in a correct one."""
    tree, rules, say = solved.tree, solved.rules, solved.language.say
    own = CHILDREN_ORDER.read(item.reply, tree, solved.terms) if item.reply else ()
    sentences = []
    if not isinstance(own, Malformed | Ambiguous):
        count = _count_visited(tree, rules, dict(own))
        sentences.append(say(*YOUR_COUNT, count))
    count = _count_visited(tree, rules, dict(solved.key))
    sentences.append(say(*OTHER_COUNT, count, answer=solved.language.reply(item.right)))
    return Reason(paragraph(*sentences))


def _cutoffs_in_order(solved: SolvedExercise, orders: Mapping[int, tuple[int, ...]]) -> tuple[str, ...]:
    """Return an order, and every cutoff of the search in it."""
    tree, say = solved.tree, solved.language.say
    changed = reorder_children(tree, orders)
    # Nodes without a name of their own keep the names that they have in the question.
    named_tree = replace(
        changed.tree, given=tuple(tree.names[node] if node else None for node in changed.nodes)
    )
    account = explain(solve(named_tree, solved.rules), solved.language)
    written = CHILDREN_ORDER.write(tuple(sorted(orders.items())), tree)
    first = say(NEW_ORDER, answer=solved.language.reply(written))
    visited = sum(not tree.children[changed.nodes[node]] for node in account.visits)
    last = say(*VISITED_COUNT, visited)
    return (first, *account.cutoffs, last)


def _picture_in_order(solved: SolvedExercise, orders: Mapping[int, tuple[int, ...]]) -> KeyPicture:
    """Return the tree of the question with the visits and cutoffs of the search in an order."""
    tree = solved.tree
    changed = reorder_children(tree, orders)
    visited_places = search(changed.tree, solved.rules, traced=False).visited
    visited_nodes = {node: visited_places[place] for place, node in enumerate(changed.nodes)}
    visited = tuple(visited_nodes[node] for node in range(len(tree)))
    new = [orders.get(node, tree.children[node]) for node in range(len(tree))]
    direction = 1 if solved.rules.order == "left-to-right" else -1
    caption = solved.language.say(CAPTION)
    line = line_of_play(tree, minimax(tree), [order[::direction] for order in new])
    return replace(
        picture_of_search(tree, visited, caption, line), notes=new_order_notes(tree, tree.children, new)
    )


MAX_ORDER_SHARE = Fraction(1, 24)
"""The maximum share of correct orders among all orders of a tree, so that guessing is unlikely to succeed."""

MIN_ORDERS_FOR_SHARE = 1000
"""Trees with fewer orders than this are used with any share of correct ones."""


def _draw_order(draw: Draw, case: Case) -> Case | None:
    """The most leaves where few orders do that, else the fewest: these are found by few orders oftener."""
    if _objection(case) is not None:
        return None
    if prod(factorial(len(children)) for children in case.tree.children) < MIN_ORDERS_FOR_SHARE:
        return replace(case, given=Given({"leaves": draw.choose(("fewest", "most"))}))
    for leaves, ordering in (("most", _most_leaves), ("fewest", _fewest_leaves)):
        if ordering(case.tree, case.rules).share <= MAX_ORDER_SHARE:
            return replace(case, given=Given({"leaves": leaves}))
    return None


ORDER = Kind(
    ask="order",
    given_names=("leaves",),
    question="How should the children be ordered so that alpha-beta search visits few leaves?",
    about="search",
    form=CHILDREN_ORDER,
    objection=_order_objection,
    prompt=asks(
        _ask_order,
        game_sentences,
        search_sentences,
        LEAF_NUMBER_RULE,
        demands=(UNLISTED_NODES_KEEP_ORDER, ANY_ORDER_COUNTS),
    ),
    key=lambda case: _orders(case.tree, _extreme(case).orders),
    independent_key=_independent_order,
    accepts=lambda case, reply, _terms: _reaches_extreme(case, reply),
    has_several_answers=True,
    beliefs={
        "other-extreme": _other_extreme,
        "players-swapped": _in_the_swapped_game,
        "largest-everywhere": _largest_first,
    },
    explain_item=_why_order,
    worked_solution=WorkedSolution(lambda solved: _cutoffs_in_order(solved, dict(solved.key))),
    key_picture=lambda solved: _picture_in_order(solved, dict(solved.key)),
    draw=_draw_order,
)

# How many leaves? ---------------------------------------------------------------------------------

ORDER_GOALS = ("fewest", "most", "mirrored", "best-first")
"""The orders that are asked about."""


def _order_goal(given: Given) -> str:
    return given.text("order", "fewest")


def _leaves_objection(case: Case) -> str | None:
    if _order_goal(case.given) not in ORDER_GOALS:
        return f"the order asked about is not among {', '.join(ORDER_GOALS)}"
    return _objection(case)


def _orders_for_goal(tree: Tree, rules: Rules, goal: str) -> tuple[tuple[int, ...], ...]:
    """Return the children of every node in the order for a goal."""
    match goal:
        case "mirrored":
            return mirrored_orders(tree)
        case "best-first":
            return best_first_orders(tree, rules.order)
        case "most":
            return worst_ordering(tree, rules).orders
    return best_ordering(tree, rules).orders


def _leaves(case: Case) -> Numeral:
    orders = _orders_for_goal(case.tree, case.rules, _order_goal(case.given))
    return Numeral(_count_visited(case.tree, case.rules, dict(enumerate(orders))))


def _independent_leaves(case: Case) -> Numeral:
    """Count the visited leaves without the search for the best order.

    By the definition of a stated order, by the formula for uniform trees, or by trying every order.
    """
    tree, rules = case.tree, case.rules
    goal, shape = _order_goal(case.given), uniform_shape(tree)
    if goal in ("mirrored", "best-first"):
        orders = dict(enumerate(_orders_for_goal(tree, rules, goal)))
        return Numeral(_count_visited(tree, rules, orders, searches=False))
    if goal == "fewest" and shape is not None and rules.ties == "cut":
        return Numeral(fewest_leaves(*shape))
    return Numeral(ordering_by_permutations(tree, rules, 1 if goal == "fewest" else -1).visited)


def _ask_count(case: Case, language: Language) -> str:
    return language.say(COUNT_QUESTIONS[_order_goal(case.given)])


def _best_to_worst(case: Case, language: Language) -> str:
    """Say what the best order is, if the question is about it."""
    return language.say(BEST_TO_WORST) if _order_goal(case.given) == "best-first" else ""


def _leaves_for_goal(goal: str, case: Case) -> Numeral | None:
    """Return the count for another goal; None if the question is about the mirrored tree."""
    if _order_goal(case.given) == "mirrored":
        return None
    return _leaves(replace(case, given=Given({"order": goal})))


def _root_of_leaf_count(case: Case) -> Numeral | None:
    """The root of the number of leaves, which is only about what the best order leaves.

    None for other orders and for trees that are not uniform.
    """
    shape = uniform_shape(case.tree)
    if shape is None or _order_goal(case.given) not in ("fewest", "best-first"):
        return None
    branching, depth = shape
    return Numeral(branching ** -(-depth // 2))


def _explain_cutoffs(solved: SolvedExercise) -> tuple[str, ...]:
    """Say the cutoffs in the order for the goal, and for a uniform tree the fewest leaves of any order."""
    tree, rules, goal = solved.tree, solved.rules, _order_goal(solved.given)
    orders = _orders_for_goal(tree, rules, goal)
    sentences = _cutoffs_in_order(solved, {node: orders[node] for node in _movable(tree)})
    shape = uniform_shape(tree)
    if goal != "fewest" or shape is None:
        return sentences
    branching, depth = shape
    return (
        *sentences,
        solved.language.say(
            *NO_ORDER_NEEDS_FEWER,
            depth,
            branching=branching,
            depth=depth,
            minimum=fewest_leaves(branching, depth),
        ),
    )


def _picture_of_goal(solved: SolvedExercise) -> KeyPicture:
    orders = _orders_for_goal(solved.tree, solved.rules, _order_goal(solved.given))
    return _picture_in_order(solved, {node: orders[node] for node in _movable(solved.tree)})


def _draw_leaves(draw: Draw, case: Case) -> Case | None:
    """Draw a goal that needs a search; the best order of a uniform tree has a formula."""
    if uniform_shape(case.tree) is not None:
        return replace(case, given=Given({"order": "mirrored"}))
    return replace(
        case, given=Given({"order": draw.choose([goal for goal in ORDER_GOALS if goal != "most"])})
    )


LEAVES = Kind(
    ask="leaves",
    given_names=("order",),
    question="How many leaves does alpha-beta search visit if the children are in a different order?",
    about="search",
    form=COUNT,
    objection=_leaves_objection,
    prompt=asks(_ask_count, game_sentences, search_sentences, leaf_count_sentence, _best_to_worst),
    key=_leaves,
    independent_key=_independent_leaves,
    beliefs={
        "never-prunes": lambda case: Numeral(len(case.tree.leaves)),
        "order-unchanged": lambda case: Numeral(_count_visited(case.tree, case.rules, {})),
        "other-extreme": partial(_leaves_for_goal, "most"),
        "root-of-leaves": _root_of_leaf_count,
    },
    worked_solution=WorkedSolution(_explain_cutoffs),
    key_picture=_picture_of_goal,
    draw=_draw_leaves,
)

KINDS = (ORDER, LEAVES)
