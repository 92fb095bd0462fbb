"""An exercise: a question about one tree with its conventions, its key and its misconceptions."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

from grader.answers.blank import Blanks
from grader.answers.form import Ambiguous, Malformed, Terms
from grader.answers.policies import write_policy
from grader.answers.reply_reading import MAX_REPLY_WORDS
from grader.base.canonical_json import canonical_json
from grader.base.catalogues import language_record
from grader.base.numbers import write_number
from grader.base.phrases import Language, paragraph
from grader.exercises.question_text import QuestionText
from grader.questions import kind_by_code
from grader.questions.beliefs import BELIEFS
from grader.questions.case import Case
from grader.questions.given import NOTHING_GIVEN, Given, find_unknown_field
from grader.questions.kind import AnyKind
from grader.questions.reasons import SolvedExercise
from grader.questions.wording import FOLLOW_THROUGH_RULE, LEAF_NUMBER_RULE
from grader.solvers.solution import solve_cached
from grader.solvers.solvable import BoundsError, require_bounds
from grader.trees.notation.writing import write_tree
from grader.trees.rules import Rules, rules_to_json
from grader.trees.tree import Tree
from grader.version import PROGRAM

SCHEMA = 1


class ExerciseError(ValueError):
    """A tree that cannot be asked about in this way; the message says why."""


# No slots: what it says and its checksum are made once, and all that is published asks for them.
@dataclass(frozen=True)
class PublicExercise:
    """What a student may see of an exercise: everything but the answer. Publishing code takes only this.

    `given` is what the question gives beside the tree; a question may do without a tree, which is empty then.
    `id` and `checksum` are functions of the other fields, so they tell nothing of the key.
    """

    kind: str
    tree: Tree
    rules: Rules
    wording: QuestionText
    terms: Terms
    generator: str = PROGRAM
    given: Given = NOTHING_GIVEN

    @cached_property
    def case(self) -> Case:
        """The tree, its rules and what is given: what its kind's functions take."""
        return Case(self.tree, self.rules, self.given)

    @property
    def prompt(self) -> str:
        """Everything that the question says, the question first."""
        return self.wording.whole

    @property
    def names_nodes(self) -> bool:
        """Whether its tree is drawn with the names of all inner nodes, for its answers speak of them."""
        return kind_by_code(self.kind).form.names_nodes

    @cached_property
    def numbers_leaves(self) -> bool:
        """Whether its tree is drawn with leaf numbers: its answers speak of them, or its question does."""
        kind, language = kind_by_code(self.kind), self.terms.language
        if kind.form.counts_leaves:
            return True
        return language.say(LEAF_NUMBER_RULE) in kind.prompt(self.case, language).conventions

    @cached_property
    def checksum(self) -> str:
        """SHA-256 over the canonical JSON of everything the student sees, as 64 hex digits."""
        return record_checksum(self.content)

    @property
    def id(self) -> str:
        """The kind and the first digits of the checksum: `pruned-paths-1f0c9a2e`."""
        return f"{self.kind}-{self.checksum[:8]}"

    def to_json(self) -> dict[str, Any]:
        """The public record, as a JSON object."""
        return {"schema": SCHEMA, "id": self.id, **self.content, "checksum": self.checksum}

    @cached_property
    def content(self) -> dict[str, Any]:
        """Everything the student sees, as a JSON object."""
        return {
            "kind": self.kind.partition(".")[0],
            "ask": self.kind.partition(".")[2],
            "given": self.given.to_json(),
            "tree": _written(self.tree),
            "rules": rules_to_json(self.rules),
            **self.wording.to_json(),
            "points": write_number(self.terms.points),
            "policy": write_policy(self.terms.policy),
            "digits": self.terms.digits,
            "every": self.terms.every,
            "decimal_comma": self.terms.decimal_comma,
            **language_record(self.terms.language_code, self.terms.own),
            "generator": self.generator,
        }


_written = lru_cache(maxsize=2)(write_tree)
"""The text of a tree, remembered for a moment: all parts of a question ask about the same tree."""


def record_checksum(seen: Mapping[str, Any]) -> str:
    """SHA-256 over the canonical JSON of these fields, as 64 hex digits."""
    return hashlib.sha256(canonical_json(seen).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Exercise:
    """An exercise with its answer.

    - `public`: what the student sees.
    - `key`: the right answer as canonical reply text.
    - `details`: what an instructor wants to see beside the key; JSON values.
    - `beliefs`: note code -> the reply of a student with that misconception, where it differs from the key.
    - `profile`: how hard it is; JSON values.
    - `seed`: what it was grown from, or None for a given tree.

    Printed, it shows nothing of its answer: whoever wants that asks for it by name.
    """

    public: PublicExercise
    key: str = field(repr=False)
    details: Mapping[str, Any] = field(repr=False, hash=False)
    beliefs: Mapping[str, str] = field(repr=False, hash=False)
    profile: Mapping[str, Any] = field(repr=False, hash=False)
    seed: str | None = None
    _answers: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def kind(self) -> AnyKind:
        """The kind of question it asks."""
        return kind_by_code(self.public.kind)

    @property
    def printed_key(self) -> str:
        """The right answer as people read it."""
        return self.printed(self.key)

    def printed(self, text: str) -> str:
        """A canonical reply text as people read it: in their words, and with the names that they see."""
        public, named = self.public, self.kind.form.labelled_reply
        said = named and named(self.answer(text), public.tree, public.terms)
        return said or public.terms.language.reply(text)

    def spoken(self, language: Language) -> "Exercise":
        """The exercise marked in another language; what it asks stays as it was asked."""
        return replace(self, public=replace(self.public, terms=self.public.terms.in_language(language)))

    def in_language(self, language: Language) -> "Exercise":
        """Return the same question in another language, in the words of its kind."""
        public = self.public
        terms = replace(public.terms.in_language(language), decimal_comma=language.comma)
        wording = _text(self.kind, public.case, terms)
        return replace(self, public=replace(public, wording=wording, terms=terms))

    def answer(self, text: str) -> Any:
        """The answer that a canonical reply text of this record stands for.

        Raises `grader.answers.canonical.CanonicalError` for any other text, which a record that was read
        never has.
        """
        if text not in self._answers:  # whoever reads a record asks for all of them, and whoever marks again
            self._answers[text] = self.kind.form.parse(text, self.public.tree)
        return self._answers[text]

    def solved(self) -> SolvedExercise:
        """The exercise with what solving it tells, for reasons and worked solutions."""
        return SolvedExercise(self.public.case, self.public.terms, self.answer(self.key))

    @property
    def blanks(self) -> Blanks:
        """The boxes and options that ask for the same in place of a reply, worth as many points."""
        return self.kind.form.blanks(self.answer(self.key), self.public.tree, self.public.terms)

    def to_json(self) -> dict[str, Any]:
        """The instructor's record, as a JSON object."""
        return self.public.to_json() | {
            "key": {"reply": self.key, **self.details},
            "beliefs": dict(self.beliefs),
            "profile": dict(self.profile),
            "seed": self.seed,
        }


def make_exercise(
    kind: AnyKind,
    tree: Tree,
    rules: Rules,
    terms: Terms | None = None,
    *,
    given: Given = NOTHING_GIVEN,
    profile: Mapping[str, Any] | None = None,
    seed: str | None = None,
    believed: Callable[[str], Any] | None = None,
) -> Exercise:
    """Ask a kind's question about a tree.

    `believed` gives the answers of beliefs, by name, where some are known already.

    The header of the tree loses its rules: the record carries them apart.
    Claims and crosses are no part of a question either.
    Raises `ExerciseError` with the reason when the kind does not suit the tree, when nothing can be said of
    one of its beliefs, when its two ways to the key disagree, or when the key, as it is printed, does not
    read back for the full mark.
    """
    terms = kind.form.with_valid_policy(terms or Terms())
    reason = find_objection(kind, Case(tree, rules, given))
    if reason is not None:
        raise ExerciseError(reason)
    unnamed = sorted(kind.beliefs.keys() - BELIEFS)
    if unnamed:
        raise ExerciseError(
            f"{kind.code} knows a belief {unnamed[0]}, of which grader/questions/beliefs.py has no line"
        )
    tree = tree.as_asked()
    case = Case(tree, rules, given)
    key = kind.key(case)
    if kind.independent_key(case) != key:
        raise ExerciseError("the two ways to the key disagree; please report this tree")
    terms = terms_for_question(terms, kind, case)
    public = PublicExercise(kind.code, tree, rules, _text(kind, case, terms), terms, given=given)
    beliefs = {}
    for name, belief in kind.beliefs.items():
        answer = belief(case) if believed is None else believed(name)
        if answer is None or answer == key or (kind.accepts and kind.accepts(case, answer, terms)):
            continue
        reply = kind.form.write(answer, tree)
        # In a large tree a reply can have more words than are read: nobody can hand it in.
        long = len(reply) > MAX_REPLY_WORDS
        if not (long and isinstance(kind.form.read(reply, tree, terms), Malformed | Ambiguous)):
            beliefs[f"{kind.code}.{name}"] = reply
    text = kind.form.write(key, tree)
    exercise = Exercise(public, text, _details(kind, tree, rules), beliefs, profile or {}, seed)
    if kind.form.read(exercise.printed_key, tree, terms) != key:
        raise ExerciseError("the key does not read back as itself; please report this tree")
    if kind.form.credit(key, key, tree, terms).share != 1:
        raise ExerciseError("the key does not earn the full mark; please report this tree")
    return exercise


def find_objection(kind: AnyKind, case: Case) -> str | None:
    """Why a kind cannot ask its question about a case, or None."""
    tree = case.tree
    # Some questions bring their tree: those whose answers speak of nodes are never without one.
    if not len(tree) and (kind.needs_tree or kind.form.names_nodes or kind.form.counts_leaves):
        return "there is no tree"
    strange = find_unknown_field(case.given, kind.given_names)
    if strange is not None:
        _, message, hint = strange
        return f"{message}; {hint}"
    if (why := kind.root_window_objection(case)) is not None:
        return why
    try:
        require_bounds(tree, case.rules.bounds)
    except BoundsError as error:
        return str(error)
    return kind.objection(case)


def terms_for_question(terms: Terms, kind: AnyKind, case: Case) -> Terms:
    """The terms with what the question calls its number, and the nodes it asks about if these are not all."""
    if (labels := kind.answer_labels(case.given)) != terms.labels:
        terms = replace(terms, labels=labels)
    asked = tuple(kind.entry_nodes(case)) if kind.form.has_entries else ()
    return replace(terms, nodes=asked) if asked and asked != tuple(case.tree.by_level) else terms


def with_wording(exercise: Exercise, question: str) -> Exercise:
    """Return the exercise asked in a teacher's words; everything else that it says stays."""
    public = exercise.public
    return replace(exercise, public=replace(public, wording=replace(public.wording, question=question)))


def _text(kind: AnyKind, case: Case, terms: Terms) -> QuestionText:
    """Return what an exercise says: the kind's question, and what the terms demand of an answer."""
    say, prompt = terms.language.say, kind.prompt(case, terms.language)
    demands = [prompt.demands]
    if kind.form.has_alternatives and terms.every:
        demands.append(say("If several are tied for best, give all of them."))
    elif kind.form.has_alternatives:
        demands.append(say("If several are tied for best, give any one of them."))
    if kind.form.allows_rounding and _may_be_rounded(case.tree, terms.digits):
        demands.append(
            say(
                "Give exact numbers (fractions are acceptable), or round to at least {count} decimal place.",
                "Give exact numbers (fractions are acceptable), or round to at least {count} decimal places.",
                terms.digits,
            )
        )
    consistent = say(FOLLOW_THROUGH_RULE) if kind.allows_follow_through(terms) else ""
    return QuestionText(
        prompt.question,
        kind.form.instruction(terms.language),
        paragraph(*demands),
        tuple(filter(None, prompt.conventions)),
        paragraph(consistent, kind.credit_sentence(terms, case.tree)),
        prompt.table,
    )


def _may_be_rounded(tree: Tree, digits: int) -> bool:
    """Return whether values may have more than `digits` decimals; depends on the tree, never on the key."""
    numbers = [tree.payoffs[leaf] for leaf in tree.leaves]
    return tree.has_chance or any(
        isinstance(number, Fraction) and (number * 10**digits).denominator > 1 for number in numbers
    )


def _details(kind: AnyKind, tree: Tree, rules: Rules) -> dict[str, Any]:
    """What an instructor wants to know beside a key: the value, and what either tie rule prunes.

    Nothing where no search is asked about.
    """
    if not (len(tree) and kind.depends_on_search):
        return {}
    solution = solve_cached(tree, rules)
    value = solution.values[0]
    return {
        "value": None if value is None or isinstance(value, tuple) else write_number(value),
        "pruned_paths": list(solution.pruned_paths or ()),
        "other_ties": list(solution.other_ties or ()),
    }
