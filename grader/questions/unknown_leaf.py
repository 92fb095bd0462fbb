"""For which numbers x, a payoff that is not known, is a branch pruned or a move best, and does x matter?"""

from functools import partial

from grader.answers.interval import INTERVAL
from grader.answers.number import NUMBER
from grader.answers.truth import TRUTH
from grader.questions.kind import Kind, always, where_wrong
from grader.questions.parts.unknown_moves import (
    chosen,
    chosen_again,
    draw_move,
    draw_whether,
    in_another_game,
    is_best_for,
    matters_not,
    matters_not_again,
    mistaken_game,
    not_chosen,
    of_the_other,
    shown,
    tells_values,
    unknown_alone,
    when_best,
    whether,
    why_matters,
)
from grader.questions.parts.unknown_pruned import (
    PRUNED_BELIEFS,
    draw_branch,
    draw_end,
    each_stretch,
    end_by,
    end_steps,
    extreme,
    extreme_again,
    is_pruned_for,
    next_whole,
    pruned,
    pruned_again,
    tells_search,
    which_end,
    which_x,
    why_end,
    why_set,
    within_limits,
)
from grader.questions.parts.unknowns import answerable, where_answerable
from grader.questions.why import Worked

PRUNED = Kind(
    ask="pruned",
    gives=("node", "told", "unknown"),
    question="For which numbers x, a payoff that is not known, is a branch pruned?",
    about="search",
    form=INTERVAL,
    suits=partial(answerable, pruned),
    prompt=which_x,
    key=pruned,
    second_way=pruned_again,
    meant=within_limits,
    beliefs=PRUNED_BELIEFS,
    why=partial(why_set, is_pruned_for, tells_search),
    worked=each_stretch(tells_search),
    draw=draw_branch,
)

EXTREME = Kind(
    ask="extreme",
    gives=("end", "node", "told", "unknown"),
    question="What is the largest, or the smallest, number x for which a branch is pruned?",
    about="search",
    form=NUMBER,
    suits=partial(answerable, extreme),
    prompt=which_end,
    key=extreme,
    second_way=extreme_again,
    beliefs={
        "next-whole": next_whole,
        **{name: partial(end_by, name) for name in ("players-swapped", "own-bound")},
    },
    why=why_end,
    worked=Worked(end_steps, end_steps),
    draw=draw_end,
)

CHOSEN = Kind(
    ask="chosen",
    gives=("alone", "node", "told", "unknown"),
    question="For which numbers x, a payoff that is not known, is a move best?",
    form=INTERVAL,
    suits=partial(answerable, chosen),
    prompt=when_best,
    key=chosen,
    second_way=chosen_again,
    meant=within_limits,
    beliefs={
        "ends-turned": where_answerable(partial(chosen, turned=True)),
        "turned-round": not_chosen,
        "players-swapped": where_answerable(partial(in_another_game, "players-swapped")),
        "ignores-opponent": where_answerable(partial(in_another_game, "ignores-opponent")),
        "unknown-alone": unknown_alone,
    },
    why=partial(why_set, is_best_for, tells_values),
    worked=each_stretch(tells_values),
    draw=draw_move,
)

MATTERS = Kind(
    ask="matters",
    gives=("about", "told", "unknown"),
    question="Can the value of the game, or the best move, depend on a payoff that is not known?",
    form=TRUTH,
    suits=partial(answerable, matters_not),
    prompt=whether,
    key=matters_not,
    second_way=matters_not_again,
    beliefs={
        "unknown-always-matters": where_wrong(matters_not, always(False)),
        "players-swapped": where_answerable(mistaken_game),
        "value-for-decision": where_answerable(where_wrong(matters_not, of_the_other)),
    },
    why=why_matters,
    worked=Worked(shown, shown),
    draw=draw_whether,
)

KINDS = (PRUNED, EXTREME, CHOSEN, MATTERS)
