"""For which numbers x, a payoff that is not known, is a branch pruned or a move best, and does x matter?"""

from functools import partial

from grader.answers.interval import INTERVAL
from grader.answers.number import NUMBER
from grader.answers.truth import TRUTH
from grader.questions.kind import Kind, constant_key, only_where_wrong
from grader.questions.reasons import WorkedSolution
from grader.questions.unknown_leaf.unknown_moves import (
    ask_when_best,
    ask_whether_unaffected,
    best_for_sentence,
    best_for_spans,
    confuses_value_and_move,
    draw_move,
    draw_whether,
    effect_steps,
    explain_effect,
    in_another_game,
    independent_best_for_spans,
    independent_is_unaffected,
    is_unaffected,
    mistaken_game,
    not_best_for_spans,
    values_sentence,
    x_as_child_value,
)
from grader.questions.unknown_leaf.unknown_pruned import (
    PRUNED_BELIEFS,
    ask_pruning_extreme,
    ask_pruning_spans,
    draw_branch,
    draw_end,
    end_steps,
    explain_spans,
    extreme_by_belief,
    independent_pruning_extreme,
    independent_pruning_spans,
    interval_solution,
    next_integer,
    pruned_for_sentence,
    pruning_extreme,
    pruning_spans,
    search_sentence_at,
    why_end,
    within_limits,
)
from grader.questions.unknown_payoffs import answer_objection, where_answerable

PRUNED = Kind(
    ask="pruned",
    given_names=("node", "told", "unknown"),
    question="For which values of an unknown payoff x is a branch pruned?",
    about="search",
    form=INTERVAL,
    objection=partial(answer_objection, pruning_spans),
    prompt=ask_pruning_spans,
    key=pruning_spans,
    independent_key=independent_pruning_spans,
    interpret_reply=within_limits,
    beliefs=PRUNED_BELIEFS,
    explain_item=partial(explain_spans, pruned_for_sentence, search_sentence_at),
    worked_solution=interval_solution(search_sentence_at),
    draw=draw_branch,
)

EXTREME = Kind(
    ask="extreme",
    given_names=("end", "node", "told", "unknown"),
    question="What is the largest, or the smallest, x for which a branch is pruned?",
    about="search",
    form=NUMBER,
    objection=partial(answer_objection, pruning_extreme),
    prompt=ask_pruning_extreme,
    key=pruning_extreme,
    independent_key=independent_pruning_extreme,
    beliefs={
        "next-whole": next_integer,
        **{name: partial(extreme_by_belief, name) for name in ("players-swapped", "own-bound")},
    },
    explain_item=why_end,
    worked_solution=WorkedSolution(end_steps, end_steps),
    draw=draw_end,
)

CHOSEN = Kind(
    ask="chosen",
    given_names=("alone", "node", "told", "unknown"),
    question="For which values of an unknown payoff x is a move best?",
    form=INTERVAL,
    objection=partial(answer_objection, best_for_spans),
    prompt=ask_when_best,
    key=best_for_spans,
    independent_key=independent_best_for_spans,
    interpret_reply=within_limits,
    beliefs={
        "ends-turned": where_answerable(partial(best_for_spans, turned=True)),
        "turned-round": not_best_for_spans,
        "players-swapped": where_answerable(partial(in_another_game, "players-swapped")),
        "ignores-opponent": where_answerable(partial(in_another_game, "ignores-opponent")),
        "unknown-alone": x_as_child_value,
    },
    explain_item=partial(explain_spans, best_for_sentence, values_sentence),
    worked_solution=interval_solution(values_sentence),
    draw=draw_move,
)

MATTERS = Kind(
    ask="matters",
    given_names=("about", "told", "unknown"),
    question="Can the value of the game, or the best move, depend on an unknown payoff?",
    form=TRUTH,
    objection=partial(answer_objection, is_unaffected),
    prompt=ask_whether_unaffected,
    key=is_unaffected,
    independent_key=independent_is_unaffected,
    beliefs={
        "unknown-always-matters": only_where_wrong(is_unaffected, constant_key(False)),
        "players-swapped": where_answerable(mistaken_game),
        "value-for-decision": where_answerable(only_where_wrong(is_unaffected, confuses_value_and_move)),
    },
    explain_item=explain_effect,
    worked_solution=WorkedSolution(effect_steps, effect_steps),
    draw=draw_whether,
)

KINDS = (PRUNED, EXTREME, CHOSEN, MATTERS)
