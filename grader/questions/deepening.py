"""What does iterative deepening find when it sorts children by what it found before?"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from grader.answers.children_order import CHILDREN_ORDER
from grader.answers.count import COUNT
from grader.answers.form import Item
from grader.answers.move import MOVE
from grader.answers.numeral import Numeral
from grader.answers.paths import PATHS
from grader.base.phrases import Language, Phrase, paragraph
from grader.questions.case import Case
from grader.questions.depth_limits import BACKED_UP_CAPTION
from grader.questions.iterations import (
    SCORES,
    count_by_search,
    count_in,
    depth_of,
    draw_with_evaluations,
    evaluations_of,
    habit_beliefs,
    independent_iteration,
    is_mostly_reordered,
    iterations_with_habits,
    leaves_objection,
    move_at_depth,
    move_by_search,
    move_in,
    move_objection,
    order_by_search,
    order_in,
    order_objection,
    pruned_by_search,
    pruned_in,
    scores_of,
    sorted_nodes,
    worst_move,
)
from grader.questions.key_picture import (
    KeyPicture,
    line_of_play,
    new_order_notes,
    picture_of_search,
    picture_of_values,
)
from grader.questions.kind import BeliefKey, Kind
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
from grader.questions.wording import LEAF_NUMBER_RULE, RETURNS, Prompt, game_sentences, pruning_sentence
from grader.questions.wording import PRUNED_DEFINITION as MEANT_BY_PRUNED
from grader.solvers.explaining.node_wording import branch_list, node_list
from grader.solvers.iterative_deepening_by_values import IterationByValues, SortingHabits

# What is said ---------------------------------------------------------------------------------------

_EVALUATED = {
    "given": Phrase("The static evaluation of an inner node is the number marked eval."),
    "average": Phrase(
        "The static evaluation of an inner node is the plain average of the payoffs of all leaves below it, "
        "whoever moves."
    ),
}
_SCORED = {
    "own": Phrase("The score of a visited node is its static evaluation; the score of a leaf is its payoff."),
    "backed-up": Phrase("The score of a visited node is the value that its search returned."),
}


def _prompt(
    asks: Callable[[Case, Language], Prompt],
    case: Case,
    language: Language,
) -> Prompt:
    """How the iterations search and sort, and what is asked."""
    say, scores = language.say, scores_of(case.given)
    asked = asks(case, language)
    states = (
        *game_sentences(case.tree, language),
        say(
            "Iterative deepening searches to depth 1, then to depth 2, and so on: "
            "iteration L looks L plies ahead."
        ),
        say(_EVALUATED[evaluations_of(case.tree)]),
        say(
            "The value of a node at the depth limit is its static evaluation; "
            "the value of a leaf is its payoff."
        ),
        pruning_sentence(case.rules, language),
        say(
            "Before each iteration, the children of every node are sorted by score, so that the best child "
            "for the player to move is visited first."
        ),
        say(_SCORED[scores]),
        say(RETURNS[case.rules.returns]) if scores == "backed-up" else "",
        say(
            "A pruned node keeps its earlier score. Children with equal scores keep their order. "
            "Children without a score come last and keep their order."
        ),
        *asked.conventions,
    )
    return Prompt(tuple(filter(None, states)), asked.question)


def _asks_order(case: Case, language: Language) -> Prompt:
    asks = language.say(
        "In which order does iteration {depth} put the children of {nodes}? "
        "The child to visit first comes first.",
        depth=depth_of(case),
        nodes=node_list(case.tree, sorted_nodes(case), language),
    )
    return Prompt((), asks)


def _asks_pruned(case: Case, language: Language) -> Prompt:
    asks = language.say("Which leaves are pruned in iteration {depth}?", depth=depth_of(case))
    return Prompt((language.say(LEAF_NUMBER_RULE), language.say(MEANT_BY_PRUNED)), asks)


def _asks_count(case: Case, language: Language) -> Prompt:
    depth = depth_of(case)
    return Prompt((), language.say("How many leaves are visited in iteration {depth}?", depth=depth))


def _asks_move(case: Case, language: Language) -> Prompt:
    depth, asks = depth_of(case), language.say("Which move is played?")
    if depth == max(case.tree.depths):
        return Prompt((language.say("Time runs out after iteration {depth}.", depth=depth),), asks)
    ends = language.say(
        "Time runs out during iteration {next}, so the move of the last finished iteration is played.",
        next=depth + 1,
    )
    return Prompt((ends,), asks)


def _why_sorted(solved: SolvedExercise, step: IterationByValues, node: int) -> str:
    """By which scores the children of a node are sorted, and how they stand then."""
    language = solved.language
    listed = [
        language.term("{child} without a score", child=solved.node_title(child))
        if (score := step.scores[child]) is None
        else language.term(
            "{child} with {value}", child=solved.node_title(child), value=solved.value_text(score)
        )
        for child in step.orders[node]
    ]
    return language.say(
        "In iteration {depth} the order at {node} is: {children}.",
        depth=step.depth,
        node=solved.node_title(node),
        children=language.join_and(listed),
    )


def _asked_step(solved: SolvedExercise) -> IterationByValues:
    return independent_iteration(solved.case)


def _why_order(solved: SolvedExercise, item: Item) -> Reason | None:
    if item.node is None:
        return None
    if item.verdict == "extra":
        return Reason(
            solved.language.say("The question does not ask about {node}.", node=solved.node_title(item.node))
        )
    return Reason(_why_sorted(solved, _asked_step(solved), item.node))


def _why_leaf(solved: SolvedExercise, item: Item) -> Reason | None:
    """The window at the branch where a leaf was cut off, or the open one with which it was visited."""
    node, step, tree = item.node, _asked_step(solved), solved.tree
    if node is None:
        return None
    top = node
    while top not in step.windows:
        top = tree.parents[top]
    alpha, beta = map(solved.value_text, step.windows[top])
    if step.visited[node]:
        because = solved.language.say(
            "When iteration {depth} reaches it, alpha is {alpha} and beta is {beta}.",
            depth=step.depth,
            alpha=alpha,
            beta=beta,
        )
        return Reason(because, VISITED, ARE_VISITED, (node,))
    because = solved.language.say(
        "Iteration {depth} never reaches {node}: before it, alpha is {alpha} and beta is {beta} at {parent}.",
        depth=step.depth,
        node=solved.node_title(top),
        parent=solved.node_title(tree.parents[top]),
        alpha=alpha,
        beta=beta,
    )
    return Reason(because, PRUNED, ARE_PRUNED, (node,))


def _moves(solved: SolvedExercise, step: IterationByValues) -> str:
    return solved.language.say(
        "In iteration {depth} the moves have these values: {children}. So {move} is chosen.",
        depth=step.depth,
        children=solved.list_values(solved.tree.children[0], step.values),
        move=solved.node_title(step.move),
    )


def _told(solved: SolvedExercise, step: IterationByValues) -> tuple[str, ...]:
    """One iteration: how children are sorted, what it visits, and which move stands after it."""
    tree, language = solved.tree, solved.language
    nodes = [
        node
        for node in tree.by_level
        if any(step.scores[child] is not None for child in tree.children[node])
        and len(tree.children[node]) > 1
    ]
    seen = [node for node in _in_order(step) if node in step.frontier]
    at_the_bottom = not any(tree.children[node] for node in seen)
    visits = language.say(
        "Iteration {depth} evaluates {count} node: {nodes}.",
        "Iteration {depth} evaluates {count} nodes: {nodes}.",
        len(seen),
        depth=step.depth,
        nodes=(branch_list if at_the_bottom else node_list)(tree, seen, language),
    )
    return (*(_why_sorted(solved, step, node) for node in nodes), visits)


def _in_order(step: IterationByValues) -> list[int]:
    """The visited nodes in the order in which they are entered."""
    entered, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        if step.visited[node]:
            entered.append(node)
            waiting += reversed(step.orders[node])
    return entered


def _steps(solved: SolvedExercise) -> tuple[str, ...]:
    """Every iteration up to the one that is asked about."""
    steps = iterations_with_habits(solved.case, SortingHabits(scores_of(solved.given)))
    return tuple(line for step in steps for line in (*_told(solved, step), _moves(solved, step)))


def _decides(solved: SolvedExercise) -> tuple[str, ...]:
    step = _asked_step(solved)
    return (*_told(solved, step), _moves(solved, step))


def _picture_of_order(solved: SolvedExercise) -> KeyPicture:
    names = solved.tree.names
    notes = {node: (" ".join(names[child] for child in order),) for node, order in solved.key}
    caption = solved.language.say(
        "Next to each node in question: its children in the order of iteration {depth}.",
        depth=depth_of(solved.case),
    )
    return KeyPicture(solved.tree, caption, shows_backed_up_values=False, notes=notes)


def _picture_of_visits(solved: SolvedExercise) -> KeyPicture:
    """What the iteration comes to, in its own order, and what it cuts."""
    tree, step = solved.tree, _asked_step(solved)
    caption = solved.language.say(
        "The search and cutoffs of iteration {depth}; "
        "a different order of children is written next to the node; thick: the principal variation.",
        depth=step.depth,
    )
    before = [tree.visiting(node, solved.rules.order) for node in range(len(tree))]
    shown = picture_of_search(tree, step.visited, caption, line_of_play(tree, step.values, step.orders))
    return replace(shown, notes=new_order_notes(tree, before, step.orders))


def _picture_of_move(solved: SolvedExercise) -> KeyPicture:
    """What the nodes are worth to the last iteration that was finished."""
    tree, step = solved.tree, _asked_step(solved)
    caption = solved.language.say(BACKED_UP_CAPTION, depth=step.depth)
    return picture_of_values(tree, step.values, caption, line_of_play(tree, step.values, step.orders))


# The kinds ------------------------------------------------------------------------------------------


def _averaged(case: Case) -> bool:
    """Whether the evaluations are means of leaves."""
    return evaluations_of(case.tree) == "average"


def _pruned_again(case: Case) -> frozenset[int]:
    return pruned_in(case, independent_iteration(case))


_ORDER_BELIEFS = habit_beliefs(order_in)
_PRUNED_BELIEFS: Mapping[str, BeliefKey[frozenset[int]]] = {
    **habit_beliefs(pruned_in),
    "lists-visited": lambda case: remaining_leaves(case.tree, _pruned_again(case)),
}
_COUNT_BELIEFS: Mapping[str, BeliefKey[Numeral]] = {
    **habit_beliefs(count_in),
    "never-prunes": lambda case: Numeral(len(case.tree.leaves)),
    "counts-pruned": lambda case: Numeral(len(_pruned_again(case))),
}
_MOVE_BELIEFS: Mapping[str, BeliefKey[frozenset[int]]] = {
    "plays-unfinished": partial(move_at_depth, 1),
    "one-iteration-early": partial(move_at_depth, -1),
    "players-swapped": worst_move,
}

_asking = partial(
    Kind,
    given_names=("depth", "scores"),
    rule_choices=SCORES,
    takes_averages=_averaged,
    worked_solution=WorkedSolution(_steps, _decides),
)

ORDER = _asking(
    ask="order",
    question="In which order does an iteration of iterative deepening put the children of each node?",
    form=CHILDREN_ORDER,
    objection=order_objection,
    draw=draw_with_evaluations(order_in, _ORDER_BELIEFS, fits=is_mostly_reordered),
    prompt=partial(_prompt, _asks_order),
    key=order_by_search,
    independent_key=lambda case: order_in(case, independent_iteration(case)),
    beliefs=_ORDER_BELIEFS,
    explain_item=_why_order,
    key_picture=_picture_of_order,
)
PRUNED_LEAVES = _asking(
    ask="pruned",
    question="Which leaves does the last iteration of iterative deepening prune?",
    form=PATHS,
    objection=leaves_objection,
    draw=draw_with_evaluations(pruned_in, _PRUNED_BELIEFS, fits=lambda pruned: len(pruned) > 2),
    prompt=partial(_prompt, _asks_pruned),
    key=pruned_by_search,
    independent_key=_pruned_again,
    beliefs=_PRUNED_BELIEFS,
    explain_item=_why_leaf,
    key_picture=_picture_of_visits,
)
VISITED_LEAVES = _asking(
    ask="visited",
    question="How many leaves does the last iteration of iterative deepening visit?",
    form=COUNT,
    objection=leaves_objection,
    draw=draw_with_evaluations(count_in, _COUNT_BELIEFS, fits=lambda _count: True),
    prompt=partial(_prompt, _asks_count),
    key=count_by_search,
    independent_key=lambda case: count_in(case, independent_iteration(case)),
    beliefs=_COUNT_BELIEFS,
    explain_item=lambda solved, _item: Reason(paragraph(*_told(solved, _asked_step(solved)))),
    key_picture=_picture_of_visits,
)
STANDING_MOVE = _asking(
    ask="move",
    question="Which move is played if time runs out during iterative deepening?",
    form=MOVE,
    objection=move_objection,
    draw=draw_with_evaluations(move_in, _MOVE_BELIEFS, early=1),
    prompt=partial(_prompt, _asks_move),
    key=move_by_search,
    independent_key=lambda case: move_in(case, independent_iteration(case)),
    beliefs=_MOVE_BELIEFS,
    explain_item=lambda solved, _item: Reason(_moves(solved, _asked_step(solved))),
    key_picture=_picture_of_move,
)
KINDS = (ORDER, PRUNED_LEAVES, VISITED_LEAVES, STANDING_MOVE)
