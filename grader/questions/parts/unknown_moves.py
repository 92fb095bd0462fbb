"""What x does to values and moves: for which x a move is best, and whether x matters at all."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from operator import ge, gt, le, lt

from grader.answers.form import Item
from grader.base.intervals import ALWAYS, NEVER, Spans, complement, intersection
from grader.base.numbers import Number
from grader.base.phrases import Language, Phrase, paragraph, phrases
from grader.questions.given import Given
from grader.questions.parts.unknown_pruned import with_unknown, worth_asking
from grader.questions.parts.unknowns import (
    BEYOND,
    agreed,
    asked_of,
    filled,
    leaf_of,
    left_open,
    limits_of,
    name_of,
    names,
    settling,
    the_unknowns,
    told,
    widened,
    with_x,
)
from grader.questions.randomness import Draw
from grader.questions.why import Reason, Solved
from grader.questions.wording import Prompt, played_well, the_limits
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.explaining.naming import called, listed_nodes
from grader.solvers.explaining.value_reasons import worth
from grader.solvers.mistaken import MISCONCEPTIONS, players_swapped
from grader.solvers.piecewise import UNKNOWN, Bent, bent_values, where
from grader.solvers.solvable import Unsolvable
from grader.solvers.trying import with_numbers
from grader.solvers.unknown_leaf import Unknown, chosen_when, optimal_ranges
from grader.solvers.unknowns import certain_best, intervals
from grader.solvers.values import best_children
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree

# For which x is a move best? ----------------------------------------------------------------------


def _move(tree: Tree, given: Given) -> int:
    """The child that is asked about; where none is named, the one of the root above x."""
    leaf = leaf_of(tree, given)
    child = tree.index[given["node"]] if "node" in given else (leaf, *tree.ancestors(leaf))[-2:][0]
    if not child:
        raise Unsolvable("no move leads to the root")
    return child


def chosen(tree: Tree, rules: Rules, given: Given, *, turned: bool = False) -> Spans:
    """The x for which a move is among the best; with `alone` given, for which it is the only best one."""
    asked, alone = asked_of(tree, rules, given), bool(given.get("alone", False))
    return widened(chosen_when(asked, _move(tree, given), alone=alone != turned), limits_of(tree, rules))


def chosen_again(tree: Tree, rules: Rules, given: Given) -> Spans:
    """The same by the values as functions of x."""
    name, move, alone = name_of(tree, given), _move(tree, given), bool(given.get("alone", False))
    found = agreed(_beats(other, bent_values(other, name), move, alone) for other in settling(tree, given))
    return widened(found, limits_of(tree, rules))


def _beats(tree: Tree, values: Sequence[Bent], move: int, alone: bool) -> Spans:
    """The x for which a move is worth as much as any other move beside it, or more."""
    parent = tree.parents[move]
    better = (gt if alone else ge) if tree.players[parent] is Player.MAX else (lt if alone else le)
    others = (child for child in tree.children[parent] if child != move)
    return reduce(intersection, (where(values[move], values[child], better) for child in others), ALWAYS)


def unknown_alone(tree: Tree, rules: Rules, given: Given) -> Spans | None:
    """Who takes x for the value of the child above it; without chance that is no less right."""
    if not tree.has_chance:
        return None
    name, move = name_of(tree, given), _move(tree, given)
    leaves = [leaf for leaf in tree.unknowns if tree.payoffs[leaf] == name]
    if left_open(tree, given) or any(leaf in tree.children[tree.parents[move]] for leaf in leaves):
        return None
    known = with_numbers(tree, told(given))
    values = list(bent_values(known, name))
    for child in tree.children[tree.parents[move]]:
        if any(child <= leaf < tree.ends[child] for leaf in leaves):
            values[child] = UNKNOWN
    return widened(_beats(tree, values, move, bool(given.get("alone", False))), limits_of(tree, rules))


def in_another_game(belief: str, tree: Tree, rules: Rules, given: Given) -> Spans | None:
    """The same in the game that a mistaken student takes it for."""
    held = MISCONCEPTIONS[belief]
    if not held.concerns(tree):
        return None
    seen = held.seen(tree)  # in which nodes may be called by other names
    return chosen(seen, rules, Given({**given, "node": seen.names[_move(tree, given)]}))


def not_chosen(tree: Tree, rules: Rules, given: Given) -> Spans:
    """The x for which it is not."""
    return complement(chosen(tree, rules, given))


def when_best(tree: Tree, rules: Rules, given: Given, language: Language) -> Prompt:
    """The question for which x that is."""
    move = _move(tree, given)
    alone = given.get("alone", False)
    ties = (
        language.say("A move counts as best only where no other is as good.")
        if alone
        else language.say("A move counts as best also where another one is as good.")
    )
    return Prompt(
        (
            *the_unknowns(tree, rules, given, language),
            *filter(None, [the_limits(tree, rules, language)]),
            played_well(tree, language),
            ties,
        ),
        language.say(
            "For which {name} is the move to {child} a best move of {node}?",
            name=name_of(tree, given),
            child=called(tree, move, language),
            node=called(tree, tree.parents[move], language),
        ),
    )


def is_best_for(solved: Solved, answer: str) -> str:
    """What is right."""
    return solved.language.say(
        "The move to {child} is best for exactly these numbers: {answer}.",
        child=solved.called(_move(solved.tree, solved.given)),
        answer=answer,
    )


def tells_values(solved: Solved, number: Number) -> str:
    """What the moves are worth when x is this number."""
    tree = filled(solved.tree, solved.given, number)
    values, parent = expectiminimax(tree), tree.parents[_move(solved.tree, solved.given)]
    return solved.language.say(
        "With {case}: {values} So {moves} is best.",
        "With {case}: {values} So {moves} are equally good.",
        len(best_children(tree, values)[parent]),
        case=with_x(solved, number),
        values=worth(tree, parent, values, solved.language),
        moves=listed_nodes(tree, best_children(tree, values)[parent], solved.language),
    )


def draw_move(draw: Draw, tree: Tree, rules: Rules) -> tuple[Tree, Given] | None:
    """A move at the root, if possible one that is best for some numbers and not for others."""
    return worth_asking(_moves_at_the_root(draw, tree), chosen, rules)


def _moves_at_the_root(draw: Draw, tree: Tree) -> Iterator[tuple[Tree, Given]]:
    for asked in with_unknown(draw, tree):
        yield asked, Given({"node": asked.names[draw.choose(asked.children[0])]})


# Does x matter at all? ----------------------------------------------------------------------------


def _open(tree: Tree, given: Given) -> Tree:
    """The tree with what is told of unknowns put in; some are left."""
    return with_numbers(tree, told(given))


def matters_not(tree: Tree, rules: Rules, given: Given) -> bool:
    """Whether the value of the game, or the best moves, are the same whatever the unknowns are."""
    left = _open(tree, given)
    if not _about_moves(tree, given):
        low, high = intervals(left, limits_of(tree, rules))[0]
        return low == high
    if len(names(left)) == 1:
        asked = Unknown(left, names(left)[0], {}, limits_of(tree, rules))
        return len(optimal_ranges(asked)) == 1
    below = [{str(left.payoffs[leaf]) for leaf in left.leaves_below(child)} for child in left.children[0]]
    if any(sum(name in inside for inside in below) > 1 for name in names(left)):
        raise Unsolvable("one of several unknown payoffs stands below more than one move")
    return certain_best(left, intervals(left, limits_of(tree, rules)))[0] is not None


def _about_moves(tree: Tree, given: Given) -> bool:
    """Whether it is about the best moves, and not about the value of the game."""
    about = given.get("about", "value")
    if about not in ("value", "moves"):
        raise Unsolvable("it is asked about neither the value nor the moves")
    if about == "moves" and tree.players[0] is Player.CHANCE:
        raise Unsolvable("chance moves at the root, so there is no move to choose")
    return bool(about == "moves")


def matters_not_again(tree: Tree, rules: Rules, given: Given) -> bool:
    """The same, with extremes put in, or with the values as functions of the only unknown."""
    left, limits = _open(tree, given), limits_of(tree, rules)
    low, high = limits or (-BEYOND, BEYOND)
    every = names(left)
    if not _about_moves(tree, given):
        ends = [expectiminimax(with_numbers(left, dict.fromkeys(every, end)))[0] for end in (low, high)]
        return ends[0] == ends[1]
    if len(every) == 1:
        values = bent_values(left, every[0])
        sets = (_beats(left, values, child, alone=False) for child in left.children[0])
        return all(widened(spans, limits) in (ALWAYS, NEVER) for spans in sets)
    for child in left.children[0]:
        inside = {str(left.payoffs[leaf]) for leaf in left.leaves_below(child)}
        found = []
        for own, other in ((low, high), (high, low)):
            known = {name: own if name in inside else other for name in every}
            exact_values = expectiminimax(with_numbers(left, known))
            found.append(exact_values[child] == exact_values[0])
        if found[0] != found[1]:
            return False
    return True


_SAME = {
    False: phrases(
        "True or false: whatever number {names} is, the value of {node} is the same.",
        "True or false: whatever numbers {names} are, the value of {node} is the same.",
    ),
    True: phrases(
        "True or false: whatever number {names} is, the best moves of {node} are the same.",
        "True or false: whatever numbers {names} are, the best moves of {node} are the same.",
    ),
}


def whether(tree: Tree, rules: Rules, given: Given, language: Language) -> Prompt:
    """The question whether it is always the same."""
    left = names(_open(tree, given))
    one, many = _SAME[_about_moves(tree, given)]
    return Prompt(
        (
            *the_unknowns(tree, rules, given, language),
            *filter(None, [the_limits(tree, rules, language)]),
            played_well(tree, language),
        ),
        language.say(one, many, len(left), names=language.listed(left), node=called(tree, 0, language)),
    )


def shown(solved: Solved) -> tuple[str, ...]:
    """What the root is worth, and which moves are best, with numbers that differ most."""
    tree, rules, given = solved.tree, solved.rules, solved.given
    left, say = _open(tree, given), solved.language.say
    told_of = []
    for known in _telling(left, limits_of(tree, rules), _about_moves(tree, given)):
        shown = with_numbers(left, known)
        values = expectiminimax(shown)
        numbers = [
            solved.language.term("{name} = {number}", name=name, number=solved.written(number))
            for name, number in known.items()
        ]
        told_of.append(
            say(
                "With {case}: {values}",
                case=solved.language.listed(numbers),
                values=worth(tree, 0, values, solved.language),
            )
        )
    return tuple(told_of)


def _telling(
    left: Tree, limits: tuple[Number, Number] | None, moves: bool
) -> tuple[dict[str, Number], dict[str, Number]]:
    """Numbers for the unknowns, small and large ones, for which value or moves differ if they ever do."""
    every = names(left)
    known = [payoff for payoff in left.payoffs if isinstance(payoff, int | Fraction)]
    tries: list[tuple[dict[str, Number], dict[str, Number]]] = []
    for scale in (1, 10, 100, 1000, BEYOND):
        low, high = limits or (min(known, default=0) // 1 - scale, -(-max(known, default=0) // 1) + scale)
        numbers = sorted({low, *(x for x in known if low < x < high), high})
        tries.append((dict.fromkeys(every, low), dict.fromkeys(every, high)))
        for child in left.children[0]:
            inside = {str(left.payoffs[leaf]) for leaf in left.leaves_below(child)}
            tries += [
                (
                    {name: one if name in inside else high + low - one for name in every},
                    {name: other if name in inside else high + low - other for name in every},
                )
                for one, other in pairwise(numbers)
            ]
    return next((pair for pair in tries if _differ(left, pair, moves)), tries[0])


def _differ(left: Tree, pair: tuple[dict[str, Number], dict[str, Number]], moves: bool) -> bool:
    one, other = (expectiminimax(with_numbers(left, known)) for known in pair)
    if moves:
        return best_children(left, one)[0] != best_children(left, other)[0]
    return one[0] != other[0]


def why_matters(solved: Solved, item: Item) -> Reason | None:
    """What is right, and numbers that show it."""
    told = Phrase("The right answer is {answer}: these numbers show it.")
    if solved.key:
        told = Phrase(
            "The right answer is {answer}: the unknown payoffs never change it, however small or large they "
            "are."
        )
    right = solved.language.say(told, answer=solved.language.reply(item.right))
    return Reason(paragraph(right, *shown(solved)))


def mistaken_game(tree: Tree, rules: Rules, given: Given) -> bool:
    """The same in the game in which the players are swapped."""
    return matters_not(players_swapped(tree), rules, given)


def of_the_other(tree: Tree, rules: Rules, given: Given) -> bool | None:
    """Who takes value and moves for the same."""
    if tree.players[0] is Player.CHANCE:
        return None
    other = "value" if _about_moves(tree, given) else "moves"
    return matters_not(tree, rules, Given({**given, "about": other}))


def draw_whether(draw: Draw, tree: Tree, rules: Rules) -> tuple[Tree, Given] | None:
    """One unknown or two beside each other, and as often one answer as the other."""
    wanted, about = draw.below(2) == 1, draw.choose(("value", "moves"))
    given = Given({"about": about})
    found = None
    for asked in with_unknown(draw, tree):
        beside = [
            node for node in asked.children[asked.parents[asked.unknowns[0]]] if not asked.children[node]
        ]
        if len(beside) > 1 and draw.below(2):
            other = draw.choose([leaf for leaf in beside if leaf not in asked.unknowns])
            row = ["y" if leaf == other else asked.payoffs[leaf] for leaf in asked.leaves]
            asked = asked.with_payoffs(tuple(payoff or 0 for payoff in row))
        try:
            same = matters_not(asked, rules, given)
        except Unsolvable:
            continue
        if mistaken_game(asked, rules, given) == same:
            found = asked, given  # which tells nobody apart, and is asked only where that does not matter
        elif same == wanted:
            return asked, given
    return found
