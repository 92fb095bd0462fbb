"""What a part gives whose question shares a position or a world with other parts."""

from collections.abc import Callable, Sequence

from grader.questions.case import Case
from grader.questions.given import Given, select_given
from grader.questions.randomness import Draw


def share_given(
    suits: Callable[[Given], str | None],
    gives: Sequence[str],
    **setters: Callable[[Draw, Given], object],
) -> Callable[[Draw, Case], Given]:
    """Return a function that takes this part's fields from another part of the question.

    Fields that the other part lacks are drawn by `setters`, provided that its own fields suit.
    """

    def draw_shared_given(draw: Draw, case: Case) -> Given:
        """Return the given fields of this kind, drawing those that are missing if the given ones suit."""
        fields = select_given(case.given, gives)
        if suits(case.given) is None:
            lacking = {name: draw_field for name, draw_field in setters.items() if name not in fields}
            fields |= {name: draw_field(draw, case.given) for name, draw_field in lacking.items()}
        return Given(fields)

    return draw_shared_given
