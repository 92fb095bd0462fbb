"""What every question kind is: a question about a tree, its answer, and the ways people go wrong."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from grader.answers.form import WHOLE, Credit, Form, Item, Terms, gained
from grader.base.phrases import Language, paragraph
from grader.questions.beliefs import PAYOFFS_FOR_PATHS
from grader.questions.carries import Carries, Takes
from grader.questions.given import Given
from grader.questions.pictured import Pictures
from grader.questions.randomness import Draw
from grader.questions.why import Reason, Solved, Worked
from grader.questions.wording import Prompt
from grader.trees.rules import Rules
from grader.trees.tree import Tree

A = TypeVar("A")

Key: TypeAlias = Callable[[Tree, Rules, Given], A]
"""The right answer."""

BeliefKey: TypeAlias = Callable[[Tree, Rules, Given], A | None]
"""The answer a mistaken student computes; None where the belief makes no sense for the tree."""


def where_wrong(key: Key[A], believed: BeliefKey[A]) -> BeliefKey[A]:
    """What a belief leads to where it leads astray: of few answers it often comes upon the right one."""

    def answer(tree: Tree, rules: Rules, given: Given) -> A | None:
        found = believed(tree, rules, given)
        return None if found == key(tree, rules, given) else found

    return answer


def always(answer: A) -> Key[A]:
    """The answer of somebody who gives the same to every question."""
    return lambda _tree, _rules, _given: answer


@dataclass(frozen=True, slots=True)
class Kind(Generic[A]):
    """One question kind; its module's docstring is the question it asks.

    - `name`: as on the command line, `pruned-paths`; the name of its module, set by `grader.questions.asks`.
    - `ask`: which of the kind's questions this is; empty for a kind that has one.
    - `about`: what decides the answer: the exact values, what alpha-beta search visits and prunes, or that
      search with its windows. Mostly the values.
    - `form`: how a reply is written, read and credited.
    - `suits`: (tree, rules, given) -> why the question cannot be asked of this tree, or None.
    - `prompt`: (tree, rules, given, language) -> the question in plain words, with its conventions.
    - `key`: (tree, rules, given) -> the right answer.
    - `beliefs`: name (in `grader.questions.beliefs`) -> the answer that a student with this misconception
      would compute.
    - `tells`: what of a search's visits the answer tells, so that many trees can be judged at once by what
      mistaken searches would earn; empty where the answer tells something else.
    - `implied`: (tree, rules, given, reply) -> the key for someone with the student's own entries: what is
      right stands, and every other entry is what they imply; None when the form has no follow-through.
    - `why`: (solved, item) -> why a point is lost, None for nothing; without it whatever is wrong is
      explained by what decides the answer.
    - `of_right`: whether there is something to say of right items too.
    - `worked`: how the answer is worked out, step by step.
    - `pictured`: what the picture of a key shows, where that is not the solved tree of the question.
    - `carries`, `takes`: what later parts may take over from an answer, and what this kind takes over.
    - `right`: (tree, rules, given, reply, terms) -> whether the reply does what is asked for, where many
      answers do and `key` is but one of them; None where the form is to credit the reply. None for a kind
      with one right answer.
    - `several`: whether mostly many answers are right, so that who marks by the key alone is unjust.
    - `meant`: (tree, rules, given, reply) -> the reply as it is credited, where the question tells more of
      it than the form knows; None for as it stands.
    - `second_way`: (tree, rules, given) -> the key again, computed by an independent way.
    - `draw`: (draw, tree, rules) -> the tree asked about and what is given, for a tree that was grown;
      None where nothing can be asked about it, or the tree does not suit. A kind without it gives nothing
      and asks about the tree.
    - `joins`: (draw, tree, rules, shared) -> what is given beside a tree that other parts ask about too, who
      give `shared`; None for a kind that draws what it gives beside any tree.
    - `brings`: whether it draws into the tree what it asks about (counts, positions, states), so that a tree
      that several parts share has to grow for it.
    - `gives`: the names of all that it may give beside the tree.
    - `meanings`: of those the rules that a recipe may settle, each with all it can say, the usual one first.
    - `asked`: (tree, given) -> the nodes for which an entry is asked, level by level: those have a row on
      paper.
    - `calls`: given -> what the number that is asked for may be called in a reply, in small letters.
    - `question`: the question of an ask, for the catalogue of kinds; empty for a kind that has only one.
    - `needs_tree`: whether the question is about a tree; without one, `draw` starts from `EMPTY`.
    - `averages`: (tree, given) -> whether means of payoffs are taken, so that more than their order counts.
    - `backs_up`: whether every number in an answer is a payoff, in a tree without chance and limit.
    """

    form: Form[A]
    suits: Callable[[Tree, Rules, Given], str | None]
    prompt: Callable[[Tree, Rules, Given, Language], Prompt]
    key: Key[A]
    second_way: Key[A]
    beliefs: Mapping[str, BeliefKey[A]]
    worked: Worked
    name: str = ""
    about: Literal["values", "search", "windows"] = "values"
    why: Callable[[Solved, Item], Reason | None] | None = None
    of_right: bool = False
    implied: Callable[[Tree, Rules, Given, A], A] | None = None
    pictured: Pictures | None = None
    carries: Carries = field(default_factory=dict)
    takes: Takes = field(default_factory=dict)
    right: Callable[[Tree, Rules, Given, A, Terms], bool | None] | None = None
    several: bool = False
    meant: Callable[[Tree, Rules, Given, A], A] | None = None
    ask: str = ""
    question: str = ""
    gives: Sequence[str] = ()
    meanings: Mapping[str, Sequence[str]] = field(default_factory=dict)
    tells: Literal["leaves", "branches", "order", "count", ""] = ""
    draw: Callable[[Draw, Tree, Rules], tuple[Tree, Given] | None] | None = None
    joins: Callable[[Draw, Tree, Rules, Given], Given] | None = None
    brings: bool = False
    asked: Callable[[Tree, Given], Sequence[int]] = lambda tree, _given: tree.by_level
    calls: Callable[[Given], tuple[str, ...]] = lambda _given: ()
    needs_tree: bool = True
    averages: Callable[[Tree, Given], bool] = lambda tree, _given: tree.has_chance
    backs_up: bool = False

    @property
    def code(self) -> str:
        """The name with the ask behind it, as in recipes, notes and commands: `unknown-leaf.pruned`."""
        return f"{self.name}.{self.ask}" if self.ask else self.name

    def credit(
        self, reply: A, key: A, tree: Tree, rules: Rules, given: Given, terms: Terms
    ) -> tuple[Credit, Credit]:
        """What a reply earns strictly, and at best when it may follow from the student's own entries.

        Where many answers are right, one that is not earns nothing: it is no part of any other.
        """
        right = None if self.right is None else self.right(tree, rules, given, reply, terms)
        if right is not None:
            full = self.form.credit(reply, reply, tree, terms)
            said = Item(None, self.form.write(reply, tree), self.form.write(key, tree), "wrong")
            found = full if right else Credit(Fraction(0), (said,))
            return found, found
        reply = reply if self.meant is None else self.meant(tree, rules, given, reply)
        strict = self.form.credit(reply, key, tree, terms)
        if strict.share == 1 or self.implied is None:
            return strict, strict
        return strict, self.form.follow(reply, strict, self.implied(tree, rules, given, reply), tree, terms)

    def reason(self, solved: Solved, item: Item) -> Reason | None:
        """Why a point is lost, or what there is to say of a right item; None for nothing."""
        if item.verdict == "right" and not self.of_right:
            return None
        if self.why is None:
            return Reason(paragraph(*self.worked.decides(solved)))
        return self.why(solved, item)

    def worth(
        self,
        reply: A,
        key: A,
        tree: Tree,
        rules: Rules,
        given: Given,
        terms: Terms,
        enough: Fraction = Fraction(0),
    ) -> Fraction:
        """The share that a reply earns at best: the larger of those that `credit` finds.

        Of what strictly earns no more than `enough` it is not asked what follows, which at most doubles it.
        """
        if self.right is not None:
            return self.credit(reply, key, tree, rules, given, terms)[1].share
        reply = reply if self.meant is None else self.meant(tree, rules, given, reply)
        strict = self.form.at_best(reply, key, tree, terms)
        if strict == 1 or strict <= enough or self.implied is None:
            return strict
        implied = self.implied(tree, rules, given, reply)
        if implied == key:
            return strict
        return strict + gained(strict, self.form.worth(reply, implied, tree, terms))

    def credited(self, terms: Terms, tree: Tree) -> str:
        """How a reply that is not wholly right is credited, in words; empty where it has no parts.

        Where many answers are right, one that is not is no part of any other.
        """
        return self.form.credited(terms, tree) if self.right is None else terms.language.say(WHOLE)

    def follows(self, terms: Terms) -> bool:
        """Whether an entry may count that follows from other entries of a reply on these terms."""
        return self.implied is not None and terms.policy.name != "exact"

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
