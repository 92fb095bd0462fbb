"""What every question kind is: a question about a tree, its answer, and the ways people go wrong."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from grader.answers.form import Form
from grader.kinds.beliefs import PAYOFFS_FOR_PATHS
from grader.numerals import Spelling
from grader.rules import Rules
from grader.tree import Tree

A = TypeVar("A")

BeliefKey: TypeAlias = Callable[[Tree, Rules], A | None]
"""The answer a mistaken student computes; None where the belief makes no sense for the tree."""


@dataclass(frozen=True, slots=True)
class Kind(Generic[A]):
    """One question kind; its module's docstring is the question it asks.

    - `name`: as on the command line, `pruned-paths`.
    - `about`: what decides the answer: the exact values, what alpha-beta search visits and prunes, or that
      search with its windows.
    - `form`: how a reply is written, read and credited.
    - `suits`: (tree, rules) -> why the question cannot be asked of this tree, or None.
    - `prompt`: (tree, rules, spelling) -> the question in plain words, conventions included.
    - `key`: (tree, rules) -> the right answer.
    - `beliefs`: name (in `grader.kinds.beliefs`) -> the answer that a student with this misconception
      would compute.
    - `implied`: (tree, rules, reply) -> for every entry of the reply, what the student's own entries
      below it imply; None when the form has no follow-through.
    - `second_way`: (tree, rules) -> the key again, computed by an independent way.
    """

    name: str
    about: Literal["values", "search", "windows"]
    form: Form[A]
    suits: Callable[[Tree, Rules], str | None]
    prompt: Callable[[Tree, Rules, Spelling], str]
    key: Callable[[Tree, Rules], A]
    second_way: Callable[[Tree, Rules], A]
    beliefs: Mapping[str, BeliefKey[A]]
    implied: Callable[[Tree, Rules, A], A] | None = None

    @property
    def searches(self) -> bool:
        """Whether the answer depends on what alpha-beta search does, not on the exact values alone."""
        return self.about != "values"

    @property
    def recognised(self) -> tuple[str, ...]:
        """The names of all beliefs that are recognised in a reply."""
        return (*self.beliefs, *((PAYOFFS_FOR_PATHS,) if self.form.by_payoffs is not None else ()))


AnyKind = Kind[Any]
"""A kind whose answer type is not known at the place that handles it."""
