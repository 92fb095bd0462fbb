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
from grader.base.phrases import Language, Phrase, paragraph
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.key_picture import KeyPicture, line_of_play, new_order_notes, picture_of_search
from grader.questions.kind import Kind
from grader.questions.randomness import Draw
from grader.questions.reasons import Reason, SolvedExercise, WorkedSolution
from grader.questions.search_answers import search_objection
from grader.questions.wording import LEAF_NUMBER_RULE, Prompt, game_sentences, search_sentences
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

MAX_CHILDREN = 6
"""Nodes with more children are not asked about: nobody goes through all their orders."""


def _suits(case: Case) -> str | None:
    """As for any search; and what is given has to be one of those that are asked."""
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


def _after(tree: Tree, rules: Rules, orders: Mapping[int, tuple[int, ...]]) -> int:
    """How many leaves the search looks at in another order."""
    changed = reorder_children(tree, orders).tree
    visited = search(changed, rules, traced=False).visited
    return sum(visited[leaf] for leaf in changed.leaves)


def _swept(tree: Tree, rules: Rules, orders: tuple[tuple[int, ...], ...]) -> int:
    """The same without a search."""
    changed = reorder_children(tree, dict(enumerate(orders))).tree
    visited = sweep(changed, rules).visited
    return sum(visited[leaf] for leaf in changed.leaves)


# Which order? -------------------------------------------------------------------------------------


def _suits_order(case: Case) -> str | None:
    if case.given.get("leaves", "fewest") not in ("fewest", "most"):
        return "it is asked for neither the fewest nor the most leaves"
    return _suits(case)


# Drawing, the key, every mistake and their marks ask for the same ones.
_fewest = lru_cache(maxsize=4)(best_ordering)
_most = lru_cache(maxsize=4)(worst_ordering)


def _extreme(case: Case) -> Ordering:
    ordering = _most if case.given.get("leaves") == "most" else _fewest
    return ordering(case.tree, case.rules)


def _orders(tree: Tree, orders: tuple[tuple[int, ...], ...]) -> Orders:
    return tuple((node, orders[node]) for node in _movable(tree))


def _order_again(case: Case) -> Orders:
    sign: Literal[1, -1] = -1 if case.given.get("leaves") == "most" else 1
    return _orders(case.tree, ordering_by_permutations(case.tree, case.rules, sign).orders)


def _does_it(case: Case, reply: Orders) -> bool:
    """Whether the search looks at as few leaves, or as many, as in any order."""
    return _after(case.tree, case.rules, dict(reply)) == _extreme(case).visited


def _wrong(case: Case, orders: tuple[tuple[int, ...], ...]) -> Orders | None:
    """An order, where it does not do what is asked for."""
    answer = _orders(case.tree, orders)
    return None if _does_it(case, answer) else answer


def _other_extreme(case: Case) -> Orders | None:
    other = Given({"leaves": "fewest" if case.given.get("leaves") == "most" else "most"})
    return _wrong(case, _extreme(replace(case, given=other)).orders)


def _in_the_swapped_game(case: Case) -> Orders | None:
    return _wrong(case, _extreme(replace(case, tree=swap_players(case.tree))).orders)


def _largest_first(case: Case) -> Orders | None:
    values, way = minimax(case.tree), 1 if case.rules.order == "left-to-right" else -1
    orders = tuple(tuple(sorted(row, key=lambda child: -values[child])[::way]) for row in case.tree.children)
    return _wrong(case, orders)


_ASKED = {
    "fewest": Phrase("Order the children of every node so that the search visits as few leaves as possible."),
    "most": Phrase("Order the children of every node so that the search visits as many leaves as possible."),
}


def _which_order(case: Case, language: Language) -> Prompt:
    return Prompt(
        (
            *game_sentences(case.tree, language),
            *search_sentences(case, language),
            language.say(LEAF_NUMBER_RULE),
        ),
        paragraph(
            language.say(_ASKED[case.given.get("leaves", "fewest")]),
            language.say("A node that you do not list keeps its order."),
            language.say("If several orders achieve this, give any one of them."),
        ),
    )


def _why_order(solved: SolvedExercise, item: Item) -> Reason | None:
    """How many leaves are visited in the student's order, and in one that does it."""
    tree, rules, say = solved.tree, solved.rules, solved.language.say
    own = CHILDREN_ORDER.read(item.said, tree, solved.terms) if item.said else ()
    told = []
    if not isinstance(own, Malformed | Ambiguous):
        count = _after(tree, rules, dict(own))
        told.append(
            say(
                "In your order the search visits {count} leaf.",
                "In your order the search visits {count} leaves.",
                count,
            )
        )
    count = _after(tree, rules, dict(solved.key))
    told.append(
        say(
            "In this order it visits {count}: {answer}.",
            "In this order it visits {count}: {answer}.",
            count,
            answer=solved.language.reply(item.right),
        )
    )
    return Reason(paragraph(*told))


def _search_in_order(solved: SolvedExercise) -> tuple[str, ...]:
    """The cuts of the search in the order that does it."""
    return _cuts_in(solved, dict(solved.key))


def _cuts_in(solved: SolvedExercise, orders: Mapping[int, tuple[int, ...]]) -> tuple[str, ...]:
    """An order, and every cut of the search in it."""
    tree, say = solved.tree, solved.language.say
    changed = reorder_children(tree, orders)
    # Nodes without a name of their own are called as they are in the question.
    named = replace(changed.tree, given=tuple(tree.names[node] if node else None for node in changed.nodes))
    account = explain(solve(named, solved.rules), solved.language)
    written = CHILDREN_ORDER.write(tuple(sorted(orders.items())), tree)
    first = say("The order is {answer}.", answer=solved.language.reply(written))
    visited = sum(not tree.children[changed.nodes[node]] for node in account.visits)
    last = say("The search visits {count} leaf.", "The search visits {count} leaves.", visited)
    return (first, *account.cutoffs, last)


def _pictured_in(solved: SolvedExercise, orders: Mapping[int, tuple[int, ...]]) -> KeyPicture:
    """The tree of the question with what the search sees and cuts in an order."""
    tree = solved.tree
    changed = reorder_children(tree, orders)
    seen = search(changed.tree, solved.rules, traced=False).visited
    here = {node: seen[place] for place, node in enumerate(changed.nodes)}
    visited = tuple(here[node] for node in range(len(tree)))
    new = [orders.get(node, tree.children[node]) for node in range(len(tree))]
    way = 1 if solved.rules.order == "left-to-right" else -1
    caption = solved.language.say(
        "The search and its cutoffs; the new order of children is written next to their node; thick: "
        "the principal variation."
    )
    line = line_of_play(tree, minimax(tree), [order[::way] for order in new])
    return replace(
        picture_of_search(tree, visited, caption, line), notes=new_order_notes(tree, tree.children, new)
    )


MAX_ORDER_SHARE = Fraction(1, 24)
"""So many of the orders of a tree do what is asked for at most, so that nobody hits on one."""

MIN_ORDERS_FOR_SHARE = 1000
"""Trees with fewer orders than that are asked about whatever share of them does it."""


def _draw_order(draw: Draw, case: Case) -> Case | None:
    """The most leaves where few orders do that, else the fewest: these are found by few orders oftener."""
    if _suits(case) is not None:
        return None
    if prod(factorial(len(children)) for children in case.tree.children) < MIN_ORDERS_FOR_SHARE:
        return replace(case, given=Given({"leaves": draw.choose(("fewest", "most"))}))
    for leaves, ordering in (("most", _most), ("fewest", _fewest)):
        if ordering(case.tree, case.rules).share <= MAX_ORDER_SHARE:
            return replace(case, given=Given({"leaves": leaves}))
    return None


ORDER = Kind(
    ask="order",
    given_names=("leaves",),
    question="How should the children be ordered so that alpha-beta search visits few leaves?",
    about="search",
    form=CHILDREN_ORDER,
    objection=_suits_order,
    prompt=_which_order,
    key=lambda case: _orders(case.tree, _extreme(case).orders),
    independent_key=_order_again,
    accepts=lambda case, reply, _terms: _does_it(case, reply),
    has_several_answers=True,
    beliefs={
        "other-extreme": _other_extreme,
        "players-swapped": _in_the_swapped_game,
        "largest-everywhere": _largest_first,
    },
    explain_item=_why_order,
    worked_solution=WorkedSolution(_search_in_order, _search_in_order),
    key_picture=lambda solved: _pictured_in(solved, dict(solved.key)),
    draw=_draw_order,
)

# How many leaves? ---------------------------------------------------------------------------------

ORDER_GOALS = ("fewest", "most", "mirrored", "best-first")
"""The orders that are asked about."""

_HOW_MANY = {
    "fewest": Phrase(
        "What is the smallest number of leaves that the search can visit, over all orders of the children?"
    ),
    "most": Phrase(
        "What is the largest number of leaves that the search can visit, over all orders of the children?"
    ),
    "mirrored": Phrase(
        "How many leaves does the search visit in the mirrored tree, in which the children of every node "
        "are reversed?"
    ),
    "best-first": Phrase(
        "At every node, the children are now visited by their minimax values, the best for the player to "
        "move first; ties keep their order. How many leaves does the search visit?"
    ),
}


def _how(given: Given) -> str:
    return given.text("order", "fewest")


def _suits_leaves(case: Case) -> str | None:
    if _how(case.given) not in ORDER_GOALS:
        return f"the order asked about is none of {', '.join(ORDER_GOALS)}"
    return _suits(case)


def _in_order(tree: Tree, rules: Rules, how: str) -> tuple[tuple[int, ...], ...]:
    """The children of every node in an order that is asked about."""
    match how:
        case "mirrored":
            return mirrored_orders(tree)
        case "best-first":
            return best_first_orders(tree, rules.order)
        case "most":
            return worst_ordering(tree, rules).orders
    return best_ordering(tree, rules).orders


def _leaves(case: Case) -> Numeral:
    return Numeral(
        _after(case.tree, case.rules, dict(enumerate(_in_order(case.tree, case.rules, _how(case.given)))))
    )


def _leaves_again(case: Case) -> Numeral:
    tree, rules = case.tree, case.rules
    how, shape = _how(case.given), uniform_shape(tree)
    if how in ("mirrored", "best-first"):
        return Numeral(_swept(tree, rules, _in_order(tree, rules, how)))
    if how == "fewest" and shape is not None and rules.ties == "cut":
        return Numeral(fewest_leaves(*shape))
    return Numeral(ordering_by_permutations(tree, rules, 1 if how == "fewest" else -1).visited)


def _how_many(case: Case, language: Language) -> Prompt:
    return Prompt(
        (
            *game_sentences(case.tree, language),
            *search_sentences(case, language),
            language.say("The tree has {count} leaf.", "The tree has {count} leaves.", len(case.tree.leaves)),
        ),
        language.say(_HOW_MANY[_how(case.given)]),
    )


def _as_in(how: str, case: Case) -> Numeral | None:
    """The count in the opposite of the order asked about, where that has one."""
    if _how(case.given) == "mirrored":
        return None
    return _leaves(replace(case, given=Given({"order": how})))


def _half(case: Case) -> Numeral | None:
    """The root of the number of leaves, which is only about what the best order leaves."""
    shape = uniform_shape(case.tree)
    if shape is None or _how(case.given) not in ("fewest", "best-first"):
        return None
    branching, depth = shape
    return Numeral(branching ** -(-depth // 2))


def _cuts_asked(solved: SolvedExercise) -> tuple[str, ...]:
    tree, rules, how = solved.tree, solved.rules, _how(solved.given)
    orders = _in_order(tree, rules, how)
    told = _cuts_in(solved, {node: orders[node] for node in _movable(tree)})
    shape = uniform_shape(tree)
    if how != "fewest" or shape is None:
        return told
    branching, depth = shape
    return (
        *told,
        solved.language.say(
            "No order needs fewer: "
            "with {branching} children everywhere and {depth} plies it is {branching}^⌈{depth}/2⌉ + "
            "{branching}^⌊{depth}/2⌋ − 1 = {count}.",
            branching=branching,
            depth=depth,
            count=fewest_leaves(branching, depth),
        ),
    )


def _pictured_as_asked(solved: SolvedExercise) -> KeyPicture:
    orders = _in_order(solved.tree, solved.rules, _how(solved.given))
    return _pictured_in(solved, {node: orders[node] for node in _movable(solved.tree)})


def _draw_leaves(draw: Draw, case: Case) -> Case | None:
    """An order that tells: the worst mostly visits every leaf, in uniform trees a formula has the best."""
    if uniform_shape(case.tree) is not None:
        return replace(case, given=Given({"order": "mirrored"}))
    return replace(case, given=Given({"order": draw.choose([how for how in ORDER_GOALS if how != "most"])}))


LEAVES = Kind(
    ask="leaves",
    given_names=("order",),
    question="How many leaves does alpha-beta search visit if the children are in a different order?",
    about="search",
    form=COUNT,
    objection=_suits_leaves,
    prompt=_how_many,
    key=_leaves,
    independent_key=_leaves_again,
    beliefs={
        "order-unchanged": lambda case: Numeral(_after(case.tree, case.rules, {})),
        "never-prunes": lambda case: Numeral(len(case.tree.leaves)),
        "other-extreme": partial(_as_in, "most"),
        "root-of-leaves": _half,
    },
    worked_solution=WorkedSolution(_cuts_asked, _cuts_asked),
    key_picture=_pictured_as_asked,
    draw=_draw_leaves,
)

KINDS = (ORDER, LEAVES)
