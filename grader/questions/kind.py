"""What every question kind is: a question about a tree, its answer, and the ways people go wrong."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from grader.answers.form import ONLY_COMPLETE_COUNTS, Credit, Form, Item, Terms
from grader.base.phrases import Language, paragraph
from grader.questions.beliefs import PAYOFFS_FOR_PATHS
from grader.questions.carry_over import Carries, Takes
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.key_picture import KeyPictureBuilder
from grader.questions.randomness import Draw
from grader.questions.reasons import Reason, SolvedExercise, WorkedSolution
from grader.questions.wording import Prompt
from grader.trees.tree import Tree

A = TypeVar("A")

Key: TypeAlias = Callable[[Case], A]
"""The right answer."""

BeliefKey: TypeAlias = Callable[[Case], A | None]
"""The answer a mistaken student computes; None where the belief makes no sense for the tree."""


def only_where_wrong(key: Key[A], believed: BeliefKey[A]) -> BeliefKey[A]:
    """Return a belief key that gives None where the belief happens to lead to the correct answer."""

    def answer(case: Case) -> A | None:
        found = believed(case)
        return None if found == key(case) else found

    return answer


def constant_key(answer: A) -> Key[A]:
    """The answer of somebody who gives the same to every question."""
    return lambda _case: answer


@dataclass(frozen=True, slots=True)
class Kind(Generic[A]):
    """One question kind; its module's docstring is the question it asks.

    - `name`: as on the command line, `pruned-paths`; its module's name, set by `grader.questions.load_kinds`.
    - `ask`: which of the kind's questions this is; empty for a kind that has one.
    - `about`: what decides the answer: the exact values, what alpha-beta search visits and prunes, or that
      search with its windows. Mostly the values.
    - `form`: how a reply is written, read and credited.
    - `objection`: case -> why the question cannot be asked of this tree, or None.
    - `prompt`: (case, language) -> the question in plain words, with its conventions.
    - `key`: case -> the right answer.
    - `beliefs`: name (in `grader.questions.beliefs`) -> the answer that a student with this misconception
      would compute.
    - `visits_shown`: what of a search's visits the answer tells, so that many trees can be judged at once by
      what mistaken searches would earn; empty where the answer tells something else.
    - `implied_key`: (case, reply) -> the key for someone with the student's own entries: what
      is right stands, and every other entry is what they imply; None when the form has no follow-through.
    - `explain_item`: (solved, item) -> why a point is lost, None for no reason; without it every mistake is
      explained by the deciding steps of the solution.
    - `explains_correct_items`: whether there are reasons for correct items too.
    - `worked_solution`: the steps to the answer.
    - `key_picture`: the picture of a key, if it is not the solved tree of the question.
    - `carries`, `takes`: the quantities that later parts may take from an answer, and those that this kind
      takes.
    - `accepts`: (case, reply, terms) -> whether the reply is one of several correct answers, of which `key`
      is only one; None if the form has to credit the reply. None for a kind with one correct answer.
    - `has_several_answers`: whether most such questions have several correct answers, so that marking by the
      key alone would be unfair.
    - `interpret_reply`: (case, reply) -> the reply to be credited, if its meaning depends on the question;
      None for the reply itself.
    - `independent_key`: case -> the key again, computed by an independent way.
    - `draw`: (draw, case) -> the case with data drawn for a generated tree; None if the tree does not suit
      the question. A kind without it has no other data.
    - `draw_shared_given`: (draw, case) -> the data drawn for a tree that other parts share, whose data the
      case has; None for a kind whose `draw` works on any tree.
    - `annotates_tree`: whether it draws into the tree (counts, positions, states), so that a tree that
      several parts share has to be generated for it.
    - `given_names`: the names of all fields that it may give.
    - `rule_choices`: the fields that a recipe may set, each with its possible values, the default first.
    - `entry_nodes`: case -> the nodes for which an entry is asked, level by level: those have a row
      on paper.
    - `answer_labels`: given -> names for the answer that a reply may use, or for a leaf in a statement, in
      small letters.
    - `question`: the question of an ask, for the catalogue of kinds; empty for a kind that has only one.
    - `needs_tree`: whether the question is about a tree; without one, `draw` starts from `EMPTY`.
    - `takes_averages`: case -> whether means of payoffs are taken, so that more than their order
      counts.
    - `takes_root_window`: whether a question about the search can be asked where known bounds or a given
      window narrow the window at the root.
    - `answers_are_payoffs`: whether every number in an answer is a payoff, in a tree without a limit; below
      chance nodes it is a mean of payoffs.
    """

    form: Form[A]
    objection: Callable[[Case], str | None]
    prompt: Callable[[Case, Language], Prompt]
    key: Key[A]
    independent_key: Key[A]
    beliefs: Mapping[str, BeliefKey[A]]
    worked_solution: WorkedSolution
    name: str = ""
    about: Literal["values", "search", "windows"] = "values"
    explain_item: Callable[[SolvedExercise, Item], Reason | None] | None = None
    explains_correct_items: bool = False
    implied_key: Callable[[Case, A], A] | None = None
    key_picture: KeyPictureBuilder | None = None
    carries: Carries = field(default_factory=dict)
    takes: Takes = field(default_factory=dict)
    accepts: Callable[[Case, A, Terms], bool | None] | None = None
    has_several_answers: bool = False
    interpret_reply: Callable[[Case, A], A] | None = None
    ask: str = ""
    question: str = ""
    given_names: Sequence[str] = ()
    rule_choices: Mapping[str, Sequence[str]] = field(default_factory=dict)
    visits_shown: Literal["leaves", "branches", "order", "count", ""] = ""
    draw: Callable[[Draw, Case], Case | None] | None = None
    draw_shared_given: Callable[[Draw, Case], Given] | None = None
    annotates_tree: bool = False
    entry_nodes: Callable[[Case], Sequence[int]] = lambda case: case.tree.by_level
    answer_labels: Callable[[Given], tuple[str, ...]] = lambda _given: ()
    needs_tree: bool = True
    takes_averages: Callable[[Case], bool] = lambda case: case.tree.has_chance
    takes_root_window: bool = False
    answers_are_payoffs: bool = False

    @property
    def code(self) -> str:
        """The name followed by the ask, as in recipes, notes and commands: `unknown-leaf.pruned`."""
        return f"{self.name}.{self.ask}" if self.ask else self.name

    def root_window_objection(self, case: Case) -> str | None:
        """Return why the window at the root, narrowed by the rules, does not suit the question, or None."""
        rules, chance = case.rules, case.tree.has_chance
        if not (self.depends_on_search and rules.narrows_root):
            return None
        if not self.takes_root_window and (rules.window is not None or not chance):
            return "the rules give bounds or a window to start with, and this kind asks about a full search"
        if rules.bounds is not None and rules.bounds[0] == rules.bounds[1] and not chance:
            return "the two bounds are equal, so there is nothing to search"
        return None

    def credit(
        self,
        case: Case,
        reply: A,
        key: A,
        terms: Terms,
        *,
        texts: bool = True,
        negligible: Fraction = Fraction(0),
    ) -> tuple[Credit, Credit]:
        """Return what a reply earns strictly, and at best when it may follow from the student's own entries.

        If a question has many correct answers, an incorrect one earns nothing.
        Without `texts` the items have none. Following through at most doubles a share, so it is left out if
        the strict share is at most `negligible`.
        """
        tree = case.tree
        right = None if self.accepts is None else self.accepts(case, reply, terms)
        if right:
            full = self.form.credit(reply, reply, tree, terms, texts=texts)
            return full, full
        if right is not None:
            written = (self.form.write(reply, tree), self.form.write(key, tree)) if texts else ("", "")
            nothing = Credit(Fraction(0), (Item(None, *written, "wrong"),))
            return nothing, nothing
        reply = reply if self.interpret_reply is None else self.interpret_reply(case, reply)
        strict = self.form.credit(reply, key, tree, terms, texts=texts)
        if strict.share == 1 or strict.share <= negligible or self.implied_key is None:
            return strict, strict
        implied = self.implied_key(case, reply)
        return strict, strict if implied == key else self.form.follow(reply, strict, implied, tree, terms)

    def reason(self, solved: SolvedExercise, item: Item) -> Reason | None:
        """Why a point is lost, or what there is to say of a right item; None for nothing."""
        if item.verdict == "right" and not self.explains_correct_items:
            return None
        if self.explain_item is None:
            return Reason(paragraph(*self.worked_solution.deciding_steps(solved)))
        return self.explain_item(solved, item)

    def earned_share(
        self, case: Case, reply: A, key: A, terms: Terms, negligible: Fraction = Fraction(0)
    ) -> Fraction:
        """Return the share that the answer of a belief earns at best; `negligible` as in `credit`.

        Of several answers that are equally good to a belief a student writes one, and that may be right.
        """
        _, best = self.credit(case, reply, key, terms, texts=False, negligible=negligible)
        if self.form.has_alternatives and not terms.every:
            return Fraction(any(item.verdict == "right" for item in best.items))
        return best.share

    def credit_sentence(self, terms: Terms, tree: Tree) -> str:
        """Return the marking rule for a partly correct reply; empty if a reply has no parts.

        If a question has many correct answers, only a complete one counts.
        """
        return (
            self.form.credit_sentence(terms, tree)
            if self.accepts is None
            else terms.language.say(ONLY_COMPLETE_COUNTS)
        )

    def allows_follow_through(self, terms: Terms) -> bool:
        """Return whether entries consistent with other entries of the reply may count under these terms."""
        has_others = terms.nodes is None or len(terms.nodes) > 1
        return self.implied_key is not None and has_others and terms.policy.name != "exact"

    @property
    def depends_on_search(self) -> bool:
        """Whether the answer depends on what alpha-beta search does, not on the exact values alone."""
        return self.about != "values"

    @property
    def recognised_beliefs(self) -> tuple[str, ...]:
        """The names of all beliefs that are recognised in a reply."""
        return (*self.beliefs, *((PAYOFFS_FOR_PATHS,) if self.form.by_payoffs is not None else ()))


AnyKind = Kind[Any]
"""A kind whose answer type is not known at the place that handles it."""
