"""What does iterative deepening find when it sorts children by what it found before?"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from grader.answers.children_order import CHILDREN_ORDER
from grader.answers.count import COUNT
from grader.answers.form import Item
from grader.answers.move import MOVE
from grader.answers.numeral import Numeral
from grader.answers.paths import PATHS
from grader.base.phrases import Language, Phrase, paragraph, plural_phrase
from grader.questions.case import Case
from grader.questions.depth_limits import BACKED_UP_CAPTION
from grader.questions.iterations import (
    SCORES,
    count_by_search,
    count_in,
    draw_with_evaluations,
    evaluations_of,
    habit_beliefs,
    independent_iteration,
    is_mostly_reordered,
    iteration_number,
    iterations_with_habits,
    key_from_values,
    leaves_objection,
    move_at_depth,
    move_by_search,
    move_in,
    move_objection,
    move_of_swapped_game,
    order_by_search,
    order_in,
    order_objection,
    pruned_by_search,
    pruned_in,
    scores_of,
    sorted_nodes,
)
from grader.questions.key_picture import (
    KeyPicture,
    line_of_play,
    new_order_notes,
    picture_of_search,
    picture_of_values,
)
from grader.questions.kind import BeliefKey, Kind, constant_key
from grader.questions.reasons import (
    ARE_PRUNED,
    ARE_VISITED,
    PRUNED,
    VISITED,
    Reason,
    SolvedExercise,
    WorkedSolution,
)
from grader.questions.search_answers import remaining_leaves
from grader.questions.wording import (
    LEAF_NUMBER_RULE,
    PRUNED_DEFINITION,
    asks,
    game_sentences,
    pruning_sentence,
    returns_sentence,
)
from grader.solvers.explaining.node_wording import branch_list, node_list, node_name
from grader.solvers.iterative_deepening_by_values import IterationByValues, SortingHabits

# What students read ---------------------------------------------------------------------------------

QUESTION_ORDER = Phrase("How does iteration {depth} order the children of {nodes}?")
FIRST_VISITED_FIRST = Phrase("List the children in the order in which they are visited.")
QUESTION_PRUNED = Phrase("Which leaves are pruned in iteration {depth}?")
QUESTION_COUNT = Phrase("How many leaves are visited in iteration {depth}?")
QUESTION_MOVE = Phrase("Which move is played when time runs out?")

ITERATION_DEFINITION = Phrase(
    "Iterative deepening runs alpha-beta search to depth 1, then to depth 2, and so on: "
    "iteration d looks d plies ahead."
)
EVALUATION_DEFINITIONS = {
    "given": Phrase("The static evaluation of an inner node is the number labeled eval."),
    "average": Phrase(
        "The static evaluation of an inner node is the unweighted average of the payoffs of all leaves "
        "below it, regardless of who moves."
    ),
}
VALUES_AT_LIMIT = Phrase(
    "The value of a node at the depth limit is its static evaluation; the value of a leaf is its payoff."
)
SORTING_RULE = Phrase(
    "Before each iteration, the children of every node are sorted by score. "
    "The best child for the player to move is visited first."
)
SCORE_DEFINITIONS = {
    "own": Phrase("The score of a visited node is its static evaluation; the score of a leaf is its payoff."),
    "backed-up": Phrase("The score of a visited node is the value that its search returned."),
}
PRUNED_KEEP_SCORES = Phrase("A pruned node keeps its earlier score.")
UNSCORED_AND_TIED = Phrase(
    "Children with equal scores keep their order. "
    "Children that have not been visited yet have no score: they come last and keep their order."
)
TIME_OUT_AFTER = Phrase("Time runs out after iteration {depth}.")
TIME_OUT_DURING = Phrase(
    "Time runs out during iteration {next}, so the move from the last completed iteration is played."
)

WHY_ORDER = Phrase("In iteration {depth}, the order of the children of {node} is {children}.")
CHILD_WITH_SCORE = Phrase("{child} with {value}")
CHILD_WITHOUT_SCORE = Phrase("{child} without a score")
NODE_NOT_IN_QUESTION = Phrase("The question does not ask about {node}.")
WHY_VISITED = Phrase("When iteration {depth} reaches it, alpha is {alpha} and beta is {beta}.")
WHY_PRUNED = Phrase(
    "Iteration {depth} never reaches {node}: "
    "the search leaves {parent} earlier, with alpha = {alpha} and beta = {beta} there."
)
WHY_MOVE = Phrase(
    "In iteration {depth}, the moves have these values: {children}. Therefore, {move} is chosen."
)

ITERATION_EVALUATES_ONE, ITERATION_EVALUATES_SEVERAL = plural_phrase(
    "Iteration {depth} evaluates {count} node: {nodes}.",
    "Iteration {depth} evaluates {count} nodes: {nodes}.",
)

CAPTION_ORDER = Phrase(
    "The order of the children in iteration {depth} is shown next to each node that the question asks about."
)
CAPTION_VISITS = Phrase(
    "The search in iteration {depth}, with its cutoffs. "
    "If the order of the children changes, the new order is next to the node. "
    "The principal variation is drawn with thick lines."
)

# Questions and reasons ------------------------------------------------------------------------------


def _score_rules(case: Case, language: Language) -> tuple[str, ...]:
    """Say what scores are; also what a node returns, and when its score stays, if its score is that."""
    scores = scores_of(case.given)
    definition = language.say(SCORE_DEFINITIONS[scores])
    if scores == "own":
        return (definition,)
    return (definition, returns_sentence(case, language), language.say(PRUNED_KEEP_SCORES))


_CONVENTIONS = (
    game_sentences,
    ITERATION_DEFINITION,
    lambda case, language: language.say(EVALUATION_DEFINITIONS[evaluations_of(case.tree)]),
    VALUES_AT_LIMIT,
    pruning_sentence,
    SORTING_RULE,
    _score_rules,
    UNSCORED_AND_TIED,
)


def _ask_order(case: Case, language: Language) -> str:
    nodes = language.join_and([node_name(case.tree, node, language) for node in sorted_nodes(case)])
    return language.say(QUESTION_ORDER, depth=iteration_number(case), nodes=nodes)


def _ask(question: Phrase, case: Case, language: Language) -> str:
    return language.say(question, depth=iteration_number(case))


def _time_out(case: Case, language: Language) -> str:
    """Say when time runs out."""
    depth = iteration_number(case)
    if depth == max(case.tree.depths):
        return language.say(TIME_OUT_AFTER, depth=depth)
    return language.say(TIME_OUT_DURING, next=depth + 1)


def _explain_sorting(solved: SolvedExercise, step: IterationByValues, node: int) -> str:
    """Say by which scores the children of a node are sorted, and their order."""
    language = solved.language
    scores = [
        language.term(CHILD_WITHOUT_SCORE, child=solved.node_title(child))
        if (score := step.scores[child]) is None
        else language.term(CHILD_WITH_SCORE, child=solved.node_title(child), value=solved.value_text(score))
        for child in step.orders[node]
    ]
    children = language.join_and(scores)
    return language.say(WHY_ORDER, depth=step.depth, node=solved.node_title(node), children=children)


def _iteration_of(solved: SolvedExercise) -> IterationByValues:
    return independent_iteration(solved.case)


def _explain_order(solved: SolvedExercise, item: Item) -> Reason | None:
    """Say why the children of a node come in this order, or that the node is not asked about.

    None for an entry without a node.
    """
    if item.node is None:
        return None
    if item.verdict == "extra":
        return Reason(solved.language.say(NODE_NOT_IN_QUESTION, node=solved.node_title(item.node)))
    return Reason(_explain_sorting(solved, _iteration_of(solved), item.node))


def _explain_leaf(solved: SolvedExercise, item: Item) -> Reason | None:
    """Say with which window a leaf was visited, or the window at the branch where it was pruned."""
    node, step, tree = item.node, _iteration_of(solved), solved.tree
    if node is None:
        return None
    top = node
    while top not in step.windows:
        top = tree.parents[top]
    alpha, beta = map(solved.value_text, step.windows[top])
    if step.visited[node]:
        because = solved.language.say(WHY_VISITED, depth=step.depth, alpha=alpha, beta=beta)
        return Reason(because, VISITED, ARE_VISITED, (node,))
    because = solved.language.say(
        WHY_PRUNED,
        depth=step.depth,
        node=solved.node_title(top),
        parent=solved.node_title(tree.parents[top]),
        alpha=alpha,
        beta=beta,
    )
    return Reason(because, PRUNED, ARE_PRUNED, (node,))


def _explain_moves(solved: SolvedExercise, step: IterationByValues) -> str:
    """Say which move an iteration chooses, and the values of the moves by which it does."""
    return solved.language.say(
        WHY_MOVE,
        depth=step.depth,
        children=solved.list_values(solved.tree.children[0], step.values),
        move=solved.node_title(step.move),
    )


def _explain_iteration(solved: SolvedExercise, step: IterationByValues) -> tuple[str, ...]:
    """Say how one iteration sorts children, and what it evaluates."""
    tree, language = solved.tree, solved.language
    nodes = [
        node
        for node in tree.by_level
        if any(step.scores[child] is not None for child in tree.children[node])
        and len(tree.children[node]) > 1
    ]
    evaluated = [node for node in _in_order(step) if node in step.frontier]
    are_leaves = not any(tree.children[node] for node in evaluated)
    visits = language.say(
        ITERATION_EVALUATES_ONE,
        ITERATION_EVALUATES_SEVERAL,
        len(evaluated),
        depth=step.depth,
        nodes=(branch_list if are_leaves else node_list)(tree, evaluated, language),
    )
    return (*(_explain_sorting(solved, step, node) for node in nodes), visits)


def _in_order(step: IterationByValues) -> list[int]:
    """Return the visited nodes in the order of the visits."""
    entered, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        if step.visited[node]:
            entered.append(node)
            waiting += reversed(step.orders[node])
    return entered


def _steps(solved: SolvedExercise) -> tuple[str, ...]:
    """Explain every iteration up to the one in question."""
    steps = iterations_with_habits(solved.case, SortingHabits(scores_of(solved.given)))
    return tuple(
        line for step in steps for line in (*_explain_iteration(solved, step), _explain_moves(solved, step))
    )


def _deciding_steps(solved: SolvedExercise) -> tuple[str, ...]:
    step = _iteration_of(solved)
    return (*_explain_iteration(solved, step), _explain_moves(solved, step))


def _picture_of_order(solved: SolvedExercise) -> KeyPicture:
    names = solved.tree.names
    notes = {node: (" ".join(names[child] for child in order),) for node, order in solved.key}
    caption = solved.language.say(CAPTION_ORDER, depth=iteration_number(solved.case))
    return KeyPicture(solved.tree, caption, shows_backed_up_values=False, notes=notes)


def _picture_of_visits(solved: SolvedExercise) -> KeyPicture:
    """Show what the iteration visits in its own order, and what it prunes."""
    tree, step = solved.tree, _iteration_of(solved)
    caption = solved.language.say(CAPTION_VISITS, depth=step.depth)
    usual_orders = [tree.visiting(node, solved.rules.order) for node in range(len(tree))]
    search_picture = picture_of_search(
        tree, step.visited, caption, line_of_play(tree, step.values, step.orders)
    )
    return replace(search_picture, notes=new_order_notes(tree, usual_orders, step.orders))


def _picture_of_move(solved: SolvedExercise) -> KeyPicture:
    """Show the values of the nodes in the last finished iteration."""
    tree, step = solved.tree, _iteration_of(solved)
    caption = solved.language.say(BACKED_UP_CAPTION, depth=step.depth)
    return picture_of_values(tree, step.values, caption, line_of_play(tree, step.values, step.orders))


# The kinds ------------------------------------------------------------------------------------------


_ORDER_BELIEFS = habit_beliefs(order_in)
_PRUNED_BELIEFS: Mapping[str, BeliefKey[frozenset[int]]] = {
    "never-prunes": constant_key(frozenset()),
    **habit_beliefs(pruned_in),
    "lists-visited": lambda case: remaining_leaves(case.tree, pruned_in(case, independent_iteration(case))),
}
_COUNT_BELIEFS: Mapping[str, BeliefKey[Numeral]] = {
    "never-prunes": lambda case: Numeral(len(case.tree.leaves)),
    **habit_beliefs(count_in),
    "counts-pruned": lambda case: Numeral(len(pruned_in(case, independent_iteration(case)))),
}
_MOVE_BELIEFS: Mapping[str, BeliefKey[frozenset[int]]] = {
    "plays-unfinished": partial(move_at_depth, 1),
    "one-iteration-early": partial(move_at_depth, -1),
    "players-swapped": move_of_swapped_game,
}

_asking = partial(
    Kind,
    given_names=("depth", "scores"),
    rule_choices=SCORES,
    takes_averages=lambda case: evaluations_of(case.tree) == "average",
    worked_solution=WorkedSolution(_steps, _deciding_steps),
)

ORDER = _asking(
    ask="order",
    question="In which order does an iteration of iterative deepening put the children of each node?",
    form=CHILDREN_ORDER,
    objection=order_objection,
    draw=draw_with_evaluations(order_in, _ORDER_BELIEFS, fits=is_mostly_reordered),
    prompt=asks(_ask_order, *_CONVENTIONS, demands=(FIRST_VISITED_FIRST,)),
    key=order_by_search,
    independent_key=key_from_values(order_in),
    beliefs=_ORDER_BELIEFS,
    explain_item=_explain_order,
    key_picture=_picture_of_order,
)
PRUNED_LEAVES = _asking(
    ask="pruned",
    question="Which leaves does the last iteration of iterative deepening prune?",
    form=PATHS,
    objection=leaves_objection,
    draw=draw_with_evaluations(pruned_in, _PRUNED_BELIEFS, fits=lambda pruned: len(pruned) > 2),
    prompt=asks(partial(_ask, QUESTION_PRUNED), *_CONVENTIONS, LEAF_NUMBER_RULE, PRUNED_DEFINITION),
    key=pruned_by_search,
    independent_key=key_from_values(pruned_in),
    beliefs=_PRUNED_BELIEFS,
    explain_item=_explain_leaf,
    key_picture=_picture_of_visits,
)
VISITED_LEAVES = _asking(
    ask="visited",
    question="How many leaves does the last iteration of iterative deepening visit?",
    form=COUNT,
    objection=leaves_objection,
    draw=draw_with_evaluations(count_in, _COUNT_BELIEFS, fits=lambda _count: True),
    prompt=asks(partial(_ask, QUESTION_COUNT), *_CONVENTIONS),
    key=count_by_search,
    independent_key=key_from_values(count_in),
    beliefs=_COUNT_BELIEFS,
    explain_item=lambda solved, _item: Reason(paragraph(*_explain_iteration(solved, _iteration_of(solved)))),
    key_picture=_picture_of_visits,
)
STANDING_MOVE = _asking(
    ask="move",
    question="Which move is played if time runs out during iterative deepening?",
    form=MOVE,
    objection=move_objection,
    draw=draw_with_evaluations(move_in, _MOVE_BELIEFS, early=1),
    prompt=asks(QUESTION_MOVE, *_CONVENTIONS, _time_out),
    key=move_by_search,
    independent_key=key_from_values(move_in),
    beliefs=_MOVE_BELIEFS,
    explain_item=lambda solved, _item: Reason(_explain_moves(solved, _iteration_of(solved))),
    key_picture=_picture_of_move,
)
KINDS = (ORDER, PRUNED_LEAVES, VISITED_LEAVES, STANDING_MOVE)
