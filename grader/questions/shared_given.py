"""What a part gives whose question shares a position or a world with other parts."""

from collections.abc import Callable, Sequence

from grader.questions.case import Case
from grader.questions.given import Given, select_given
from grader.questions.randomness import Draw


def share_given(
    suits: Callable[[Given], str | None],
    gives: Sequence[str],
    **settled: Callable[[Draw, Given], object],
) -> Callable[[Draw, Case], Given]:
    """What another part of the same question has given, as far as this part gives it, and what is settled.

    What is `settled` is drawn where the other part has not given it, and what it has given suits.
    """

    def joined(draw: Draw, case: Case) -> Given:
        found = select_given(case.given, gives)
        if suits(case.given) is None:
            lacking = {name: settle for name, settle in settled.items() if name not in found}
            found |= {name: settle(draw, case.given) for name, settle in lacking.items()}
        return Given(found)

    return joined
