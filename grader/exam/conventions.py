"""The conventions that a question states: words the program wrote itself, whoever words the rest."""

from collections.abc import Mapping

from grader.exercise import PublicExercise
from grader.kinds import the_kind
from grader.kinds.wording import (
    NUMBERED,
    PAYOFFS,
    PRUNED,
    the_chance_cuts,
    the_cuts,
    the_game,
    the_limits,
    the_mover,
    the_odds,
    the_search,
    the_shapes,
)


def conventions(part: PublicExercise) -> Mapping[str, tuple[str, ...]]:
    """The conventions that the kind states of a question, each with the sentences that say the same."""
    tree, language = part.tree, part.terms.language
    payoffs, numbered, pruned = map(language.say, (PAYOFFS, NUMBERED, PRUNED))
    odds, limits = the_odds(tree, language), the_limits(tree, part.rules, language)
    cuts, chance_cuts = the_cuts(part.rules, language), the_chance_cuts(tree, language)
    said = {
        the_game(tree, language): (the_mover(tree, language), the_shapes(tree.movers, language), payoffs),
        odds: (odds,),
        the_search(tree, part.rules, language): (cuts, limits, chance_cuts),
        numbered: (numbered,),
        pruned: (pruned,),
    }
    own = the_kind(part.kind).prompt(tree, part.rules, part.given, language)
    return {words: tuple(filter(None, meant)) for words, meant in said.items() if words and words in own}
