"""What x does to values and moves: for which x a move is best, and whether x matters at all."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial, reduce
from itertools import pairwise
from operator import ge, gt, le, lt

from grader.answers.form import Item
from grader.answers.interval import INTERVAL
from grader.answers.truth import TRUTH
from grader.base.intervals import ALL_NUMBERS, EMPTY_SET, Spans, complement, intersection
from grader.base.numbers import Number
from grader.base.phrases import Language, Phrase, paragraph, plural_phrase
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.kind import Kind, constant_key, only_where_wrong
from grader.questions.randomness import Draw
from grader.questions.reasons import Reason, SolvedExercise, WorkedSolution
from grader.questions.unknown_leaf.unknown_pruned import (
    explain_spans,
    first_useful_question,
    interval_solution,
    with_unknown,
    within_limits,
)
from grader.questions.unknown_payoffs import (
    BEYOND_ALL_PAYOFFS,
    answer_objection,
    common_spans,
    join_names,
    known_values,
    limits_of,
    names,
    requested_unknown,
    requested_unknown_leaf,
    simplify_to_limits,
    solver_question,
    substitute_unknown,
    trees_with_one_unknown,
    unknowns_sentences,
    unspecified_unknowns,
    where_answerable,
    with_x_phrase,
)
from grader.questions.wording import asks, optimal_play_sentence, payoff_bounds_sentence
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.explaining.node_wording import node_list, node_title
from grader.solvers.explaining.value_reasons import value_sentence
from grader.solvers.mistaken_search import MISCONCEPTIONS, swap_players
from grader.solvers.piecewise import UNKNOWN, PiecewiseLinear, solve_relation, values_as_functions
from grader.solvers.solvable import Unsolvable
from grader.solvers.trial_numbers import substitute_unknowns
from grader.solvers.unknown_payoff import Unknown, chosen_when, optimal_ranges
from grader.solvers.value_intervals import certain_best_children, intervals
from grader.solvers.values import best_children
from grader.trees.tree import Player, Tree

# What students read -------------------------------------------------------------------------------

QUESTION = Phrase("For which values of {name} is the move to {child} a best move at {node}?")
ONLY_BEST_MOVES = Phrase("A move is best only if it is better than every other move.")
TIED_BEST_MOVES = Phrase("A move that is tied for best is also a best move.")

WHY_BEST = Phrase("The move to {child} is best for exactly these values: {answer}.")
WHY_AT_NUMBER = plural_phrase(
    "With {case}: {values} So {moves} is best.",
    "With {case}: {values} So {moves} are equally good.",
)
EFFECT_QUESTIONS = {
    False: plural_phrase(
        "True or false: the value of {node} is the same for every value of {names}.",
        "True or false: the value of {node} is the same for all values of {names}.",
    ),
    True: plural_phrase(
        "True or false: the best moves at {node} are the same for every value of {names}.",
        "True or false: the best moves at {node} are the same for all values of {names}.",
    ),
}
VALUES_AT_NUMBERS = Phrase("With {case}: {values}")

WHY_ANSWER = Phrase("These values show that the correct answer is {answer}.")
WHY_NEVER_CHANGED = Phrase(
    "The correct answer is {answer}: "
    "the unknown payoffs never change the result, no matter how small or large they are."
)

# For which x is a move best? ----------------------------------------------------------------------


def _move(case: Case) -> int:
    """Return the child that the question is about: the given one, or the child of the root above x.

    Raises `Unsolvable` for the root.
    """
    leaf = requested_unknown_leaf(case)
    child = (
        case.tree.index[case.given["node"]]
        if "node" in case.given
        else (leaf, *case.tree.ancestors(leaf))[-2:][0]
    )
    if not child:
        raise Unsolvable("no move leads to the root")
    return child


def _best_for_spans(case: Case, *, swaps_ends: bool = False) -> Spans:
    """Return the x for which a move is among the best, or the only best one if `alone` is given.

    With `swaps_ends` it is the other way round, as students answer who take the ends of spans wrongly.
    """
    question, is_strict = solver_question(case), bool(case.given.get("alone", False))
    return simplify_to_limits(
        chosen_when(question, _move(case), is_unique=is_strict != swaps_ends), limits_of(case)
    )


def _independent_best_for_spans(case: Case) -> Spans:
    """Return the same from the values as functions of x."""
    name, move, is_strict = requested_unknown(case), _move(case), bool(case.given.get("alone", False))
    spans = common_spans(
        _spans_where_best(other, values_as_functions(other, name), move, is_strict)
        for other in trees_with_one_unknown(case)
    )
    return simplify_to_limits(spans, limits_of(case))


def _spans_where_best(tree: Tree, values: Sequence[PiecewiseLinear], move: int, is_strict: bool) -> Spans:
    """Return the x for which a move is at least as good as the other ones at its node, or better."""
    parent = tree.parents[move]
    better = (gt if is_strict else ge) if tree.players[parent] is Player.MAX else (lt if is_strict else le)
    others = (child for child in tree.children[parent] if child != move)
    return reduce(
        intersection, (solve_relation(values[move], values[child], better) for child in others), ALL_NUMBERS
    )


def _x_as_child_value(case: Case) -> Spans | None:
    """Answer as if x were the value of the child above it; None without chance: the result is the same."""
    tree = case.tree
    if not tree.has_chance:
        return None
    name, move = requested_unknown(case), _move(case)
    leaves = [leaf for leaf in tree.unknowns if tree.payoffs[leaf] == name]
    if unspecified_unknowns(case) or any(leaf in tree.children[tree.parents[move]] for leaf in leaves):
        return None
    known = substitute_unknowns(tree, known_values(case.given))
    values = list(values_as_functions(known, name))
    for child in tree.children[tree.parents[move]]:
        if any(child <= leaf < tree.ends[child] for leaf in leaves):
            values[child] = UNKNOWN
    return simplify_to_limits(
        _spans_where_best(tree, values, move, bool(case.given.get("alone", False))), limits_of(case)
    )


def _in_another_game(belief: str, case: Case) -> Spans | None:
    """Answer for the game as a student with a misconception misreads it; None if that does not apply."""
    misconception = MISCONCEPTIONS[belief]
    if not misconception.applies_to(case.tree):
        return None
    misread = misconception.misread_tree(case.tree)  # its nodes may have other names
    return _best_for_spans(
        Case(misread, case.rules, Given({**case.given, "node": misread.names[_move(case)]}))
    )


def _not_best_for_spans(case: Case) -> Spans:
    """The x for which it is not."""
    return complement(_best_for_spans(case))


def _ask_when_best(case: Case, language: Language) -> str:
    """Ask for which x the move is best."""
    tree, move = case.tree, _move(case)
    return language.say(
        QUESTION,
        name=requested_unknown(case),
        child=node_title(tree, move, language),
        node=node_title(tree, tree.parents[move], language),
    )


def _ties_rule(case: Case, language: Language) -> str:
    """Say whether a move that is tied for best is a best move."""
    return language.say(ONLY_BEST_MOVES if case.given.get("alone", False) else TIED_BEST_MOVES)


_CONVENTIONS = (unknowns_sentences, payoff_bounds_sentence, optimal_play_sentence)


def _best_for_sentence(solved: SolvedExercise, answer: str) -> str:
    """State the correct answer."""
    return solved.language.say(WHY_BEST, child=solved.node_title(_move(solved.case)), answer=answer)


def _values_sentence(solved: SolvedExercise, number: Number) -> str:
    """State the values of the moves if x is this number."""
    tree = substitute_unknown(solved.case, number)
    values, parent = expectiminimax(tree), tree.parents[_move(solved.case)]
    return solved.language.say(
        *WHY_AT_NUMBER,
        len(best_children(tree, values)[parent]),
        case=with_x_phrase(solved, number),
        values=value_sentence(tree, parent, values, solved.language),
        moves=node_list(tree, best_children(tree, values)[parent], solved.language),
    )


def _draw_move(draw: Draw, case: Case) -> Case | None:
    """A move at the root, if possible one that is best for some numbers and not for others."""
    return first_useful_question(_moves_at_the_root(draw, case), _best_for_spans)


def _moves_at_the_root(draw: Draw, case: Case) -> Iterator[Case]:
    for tree in with_unknown(draw, case.tree):
        yield Case(tree, case.rules, Given({"node": tree.names[draw.choose(tree.children[0])]}))


CHOSEN = Kind(
    ask="chosen",
    given_names=("alone", "node", "told", "unknown"),
    question="For which values of an unknown payoff x is a move best?",
    form=INTERVAL,
    objection=partial(answer_objection, _best_for_spans),
    prompt=asks(_ask_when_best, *_CONVENTIONS, _ties_rule),
    key=_best_for_spans,
    independent_key=_independent_best_for_spans,
    interpret_reply=within_limits,
    beliefs={
        "ends-turned": where_answerable(partial(_best_for_spans, swaps_ends=True)),
        "turned-round": _not_best_for_spans,
        "players-swapped": where_answerable(partial(_in_another_game, "players-swapped")),
        "ignores-opponent": where_answerable(partial(_in_another_game, "ignores-opponent")),
        "unknown-alone": _x_as_child_value,
    },
    explain_item=partial(explain_spans, _best_for_sentence, _values_sentence),
    worked_solution=interval_solution(_values_sentence),
    draw=_draw_move,
)

# Does x matter at all? ----------------------------------------------------------------------------


def _tree_with_known_values(case: Case) -> Tree:
    """Return the tree with the unknowns whose values are given replaced by them."""
    return substitute_unknowns(case.tree, known_values(case.given))


def _is_unaffected(case: Case) -> bool:
    """Return whether what the question is about is the same for all values of the unknowns.

    That is the value of the game, or the set of best moves (`_about_moves`). Raises `Unsolvable` if it is
    about moves and one of several unknowns is below more than one move.
    """
    tree = _tree_with_known_values(case)
    if not _about_moves(case):
        low, high = intervals(tree, limits_of(case))[0]
        return low == high
    if len(names(tree)) == 1:
        unknown = Unknown(tree, names(tree)[0], {}, limits_of(case))
        return len(optimal_ranges(unknown)) == 1
    below = [{str(tree.payoffs[leaf]) for leaf in tree.leaves_below(child)} for child in tree.children[0]]
    if any(sum(name in inside for inside in below) > 1 for name in names(tree)):
        raise Unsolvable("one of several unknown payoffs is below more than one move")
    return certain_best_children(tree, intervals(tree, limits_of(case)))[0] is not None


def _about_moves(case: Case) -> bool:
    """Return whether the question is about the best moves, not about the value of the game.

    Raises `Unsolvable` for other questions, and if chance moves at the root.
    """
    about = case.given.get("about", "value")
    if about not in ("value", "moves"):
        raise Unsolvable("it asks about neither the value nor the moves")
    if about == "moves" and case.tree.players[0] is Player.CHANCE:
        raise Unsolvable("chance moves at the root, so there is no move to choose")
    return bool(about == "moves")


def _independent_is_unaffected(case: Case) -> bool:
    """The same, with extremes put in, or with the values as functions of the only unknown."""
    left, limits = _tree_with_known_values(case), limits_of(case)
    low, high = limits or (-BEYOND_ALL_PAYOFFS, BEYOND_ALL_PAYOFFS)
    every = names(left)
    if not _about_moves(case):
        ends = [
            expectiminimax(substitute_unknowns(left, dict.fromkeys(every, end)))[0] for end in (low, high)
        ]
        return ends[0] == ends[1]
    if len(every) == 1:
        values = values_as_functions(left, every[0])
        sets = (_spans_where_best(left, values, child, is_strict=False) for child in left.children[0])
        return all(simplify_to_limits(spans, limits) in (ALL_NUMBERS, EMPTY_SET) for spans in sets)
    for child in left.children[0]:
        inside = {str(left.payoffs[leaf]) for leaf in left.leaves_below(child)}
        found = []
        for own, other in ((low, high), (high, low)):
            known = {name: own if name in inside else other for name in every}
            exact_values = expectiminimax(substitute_unknowns(left, known))
            found.append(exact_values[child] == exact_values[0])
        if found[0] != found[1]:
            return False
    return True


def _ask_whether_unaffected(case: Case, language: Language) -> str:
    left, root = names(_tree_with_known_values(case)), node_title(case.tree, 0, language)
    question = EFFECT_QUESTIONS[_about_moves(case)]
    return language.say(*question, len(left), names=join_names(left, language), node=root)


def _effect_steps(solved: SolvedExercise) -> tuple[str, ...]:
    """Show the root's value and best moves for the numbers that differ most."""
    tree, say = _tree_with_known_values(solved.case), solved.language.say
    sentences = []
    for known in _revealing_numbers(tree, limits_of(solved.case), _about_moves(solved.case)):
        example = substitute_unknowns(tree, known)
        values = expectiminimax(example)
        numbers = [
            solved.language.term("{name} = {number}", name=name, number=solved.value_text(number))
            for name, number in sorted(known.items())
        ]
        sentences.append(
            say(
                VALUES_AT_NUMBERS,
                case=solved.language.join_and(numbers),
                values=value_sentence(solved.tree, 0, values, solved.language),
            )
        )
    return tuple(sentences)


def _revealing_numbers(
    left: Tree, limits: tuple[Number, Number] | None, moves: bool
) -> tuple[dict[str, Number], dict[str, Number]]:
    """Numbers for the unknowns, small and large ones, for which value or moves differ if they ever do."""
    every = names(left)
    known = [payoff for payoff in left.payoffs if isinstance(payoff, int | Fraction)]
    tries: list[tuple[dict[str, Number], dict[str, Number]]] = []
    for scale in (1, 10, 100, 1000, BEYOND_ALL_PAYOFFS):
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
    return next((pair for pair in tries if _outcomes_differ(left, pair, moves)), tries[0])


def _outcomes_differ(left: Tree, pair: tuple[dict[str, Number], dict[str, Number]], moves: bool) -> bool:
    """Return whether the root has other best moves, or another value, for two choices of the unknowns."""
    one, other = (expectiminimax(substitute_unknowns(left, known)) for known in pair)
    if moves:
        return best_children(left, one)[0] != best_children(left, other)[0]
    return one[0] != other[0]


def _explain_effect(solved: SolvedExercise, item: Item) -> Reason | None:
    """State the correct answer, and numbers that show it."""
    sentence = WHY_NEVER_CHANGED if solved.key else WHY_ANSWER
    right = solved.language.say(sentence, answer=solved.language.quoted_reply(item.right))
    return Reason(paragraph(right, *_effect_steps(solved)))


def _mistaken_game(case: Case) -> bool:
    """The same in the game in which the players are swapped."""
    return _is_unaffected(replace(case, tree=swap_players(case.tree)))


def _confuses_value_and_move(case: Case) -> bool | None:
    """Answer the question about the value instead of the moves, or the other way round.

    None if chance moves at the root.
    """
    if case.tree.players[0] is Player.CHANCE:
        return None
    other = "value" if _about_moves(case) else "moves"
    return _is_unaffected(replace(case, given=Given({**case.given, "about": other})))


def _draw_whether(draw: Draw, case: Case) -> Case | None:
    """Draw one unknown or two siblings, with equal probability for both answers.

    The second choice is a tree on which the mistaken answer is correct; None if there is none either.
    """
    wanted, about = draw.below(2) == 1, draw.choose(("value", "moves"))
    given = Given({"about": about})
    found = None
    for tree in with_unknown(draw, case.tree):
        leaf_siblings = [
            node for node in tree.children[tree.parents[tree.unknowns[0]]] if not tree.children[node]
        ]
        if len(leaf_siblings) > 1 and draw.below(2):
            other = draw.choose([leaf for leaf in leaf_siblings if leaf not in tree.unknowns])
            row = ["y" if leaf == other else tree.payoffs[leaf] for leaf in tree.leaves]
            tree = tree.with_payoffs(tuple(payoff or 0 for payoff in row))
        candidate = Case(tree, case.rules, given)
        try:
            same = _is_unaffected(candidate)
        except Unsolvable:
            continue
        if _mistaken_game(candidate) == same:
            found = candidate  # reveals no misconception, so only the second choice
        elif same == wanted:
            return candidate
    return found


MATTERS = Kind(
    ask="matters",
    given_names=("about", "told", "unknown"),
    question="Can the value of the game, or the best move, depend on an unknown payoff?",
    form=TRUTH,
    objection=partial(answer_objection, _is_unaffected),
    prompt=asks(_ask_whether_unaffected, *_CONVENTIONS),
    key=_is_unaffected,
    independent_key=_independent_is_unaffected,
    beliefs={
        "unknown-always-matters": only_where_wrong(_is_unaffected, constant_key(False)),
        "players-swapped": where_answerable(_mistaken_game),
        "value-for-decision": where_answerable(only_where_wrong(_is_unaffected, _confuses_value_and_move)),
    },
    explain_item=_explain_effect,
    worked_solution=WorkedSolution(_effect_steps),
    draw=_draw_whether,
)
