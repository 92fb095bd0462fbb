"""The answers of a class with their marks, as the report counts them."""

from dataclasses import dataclass

from grader.base.numbers import Number
from grader.exercises.marking import Mark


@dataclass(frozen=True, slots=True)
class MarkedAnswer:
    """One marked reply; `variant_group` names all variants that ask the same."""

    student: str
    variant: str
    variant_group: str
    part: str
    points: Number
    mark: Mark

    @property
    def wrong(self) -> bool:
        """Return whether anything is incorrect, even if it earned points by following through."""
        return self.points - self.mark.follow_through < self.mark.maximum

    @property
    def only_follows(self) -> bool:
        """Return whether it earned points by following from earlier parts, and nothing else in it is wrong.

        An entry that follows from the same reply does not matter here: the reply also has the wrong entry.
        """
        verdicts = {item.verdict for item in self.mark.items}
        return bool(self.mark.follow_through) and verdicts.isdisjoint(("wrong", "partly", "extra"))

    @property
    def misconceptions(self) -> tuple[str, ...]:
        """Return the names of the misconceptions that explain all or most of the answer, sorted."""
        return tuple(sorted(note.code.rpartition(".")[2] for note in self.mark.notes))

    @property
    def is_explained(self) -> bool:
        """Return whether all or most of an incorrect answer is that of a misconception."""
        return self.wrong and not self.only_follows and bool(self.mark.notes)
