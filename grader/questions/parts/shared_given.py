"""What a part gives whose question shares a position or a world with other parts."""

from collections.abc import Callable, Sequence

from grader.questions.given import Given, select_given
from grader.questions.randomness import Draw
from grader.trees.rules import Rules
from grader.trees.tree import Tree


def share_given(
    suits: Callable[[Given], str | None],
    gives: Sequence[str],
    **settled: Callable[[Draw, Given], object],
) -> Callable[[Draw, Tree, Rules, Given], Given]:
    """What another part of the same question has given, as far as this part gives it, and what is settled.

    What is `settled` is drawn where the other part has not given it, and what it has given suits.
    """

    def joined(draw: Draw, tree: Tree, rules: Rules, shared: Given) -> Given:
        found = select_given(shared, gives)
        if suits(shared) is None:
            lacking = {name: settle for name, settle in settled.items() if name not in found}
            found |= {name: settle(draw, shared) for name, settle in lacking.items()}
        return Given(found)

    return joined
