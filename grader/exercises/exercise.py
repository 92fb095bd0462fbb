"""An exercise: a question about one tree with its conventions, its key and its misconceptions."""

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

from grader.answers.blank import Blanks
from grader.answers.form import Ambiguous, Malformed, Terms
from grader.answers.policies import write_policy
from grader.answers.reply_reading import MAX_REPLY_WORDS
from grader.answers.vocabulary import write_name
from grader.base.canonical_json import canonical_json
from grader.base.catalogues import language_record
from grader.base.numbers import MAX_NUMERAL_DIGITS, write_number
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

_TOO_LONG = re.compile(rf"[0-9]{{{MAX_NUMERAL_DIGITS + 1}}}")
"""A number that no reply can contain."""

_QUOTED_WORD = re.compile(r'"(\w+)"')


class ExerciseError(ValueError):
    """A question that cannot be asked about a tree; the message says why."""


# No slots: its cached properties are needed by everything that publishes it.
@dataclass(frozen=True)
class PublicExercise:
    """The part of an exercise that students see: everything but the answer. Publishing code takes only this.

    `given` has the other data of the question. The tree of a question without one is empty.
    `id` and `checksum` depend on the other fields only, so they do not reveal the key.
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
        """The tree, its rules and the other data, as the functions of the kind take them."""
        return Case(self.tree, self.rules, self.given)

    @property
    def prompt(self) -> str:
        """The whole text of the question, the question itself first."""
        return self.wording.whole

    @property
    def names_nodes(self) -> bool:
        """Whether its tree is drawn with the names of all inner nodes, because answers refer to them."""
        return kind_by_code(self.kind).form.names_nodes

    @cached_property
    def numbers_leaves(self) -> bool:
        """Whether its tree is drawn with leaf numbers, because answers or the question refer to them."""
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


def record_checksum(fields: Mapping[str, Any]) -> str:
    """SHA-256 over the canonical JSON of these fields, as 64 hex digits."""
    return hashlib.sha256(canonical_json(fields).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Exercise:
    """An exercise with its answer.

    - `public`: what the student sees.
    - `key`: the correct answer as canonical reply text.
    - `details`: further facts for the instructor, such as the value of the root; JSON values.
    - `beliefs`: note code -> the reply of a student with that misconception, if it differs from the key.
    - `profile`: measures of difficulty; JSON values.
    - `seed`: the seed of a generated tree, or None for a given one.

    Its `repr` does not show the answer.
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
        """The kind of its question."""
        return kind_by_code(self.public.kind)

    @property
    def printed_key(self) -> str:
        """The correct answer as people read it."""
        return self.printed(self.key)

    def printed(self, text: str) -> str:
        """Return a canonical reply text as people read it: in their language, with the labels they see."""
        public, write_labels = self.public, self.kind.form.labelled_reply
        labelled = write_labels and write_labels(self.answer(text), public.tree, public.terms)
        return labelled or self.printed_entry(text)

    def printed_entry(self, text: str) -> str:
        """Return the canonical text of an answer or one entry as people read it, without needless quotes."""
        public, read = self.public, self.kind.form.read
        bare = _QUOTED_WORD.sub(lambda match: write_name(match[1]), text)
        if bare != text and read(bare, public.tree, public.terms) != read(text, public.tree, public.terms):
            bare = text  # the name is also that of a move, for example
        return public.terms.language.reply(bare)

    def with_feedback_in(self, language: Language) -> "Exercise":
        """Return the exercise with feedback in another language; its question stays as it was."""
        return replace(self, public=replace(self.public, terms=self.public.terms.in_language(language)))

    def in_language(self, language: Language) -> "Exercise":
        """Return the same question in another language, in the words of its kind."""
        public = self.public
        terms = replace(public.terms.in_language(language), decimal_comma=language.comma)
        wording = _text(self.kind, public.case, terms)
        return replace(self, public=replace(public, wording=wording, terms=terms))

    def answer(self, text: str) -> Any:
        """Return the answer that a canonical reply text of this record stands for.

        Raises `grader.answers.canonical.CanonicalError` for any other text; a record from `read_exercise`
        contains none.
        """
        if text not in self._answers:  # both reading a record and marking need all of them
            self._answers[text] = self.kind.form.parse(text, self.public.tree)
        return self._answers[text]

    def solved(self) -> SolvedExercise:
        """Return the exercise with its solution, for reasons and worked solutions."""
        return SolvedExercise(self.public.case, self.public.terms, self.answer(self.key))

    @property
    def blanks(self) -> Blanks:
        """The boxes and options that replace the typed reply, worth the same points."""
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

    `believed` returns the answer of a belief by its name, if the caller has computed the answers already.

    The header of the tree loses its rules, which the record has in a field of their own; claims and crosses
    are removed.
    Raises `ExerciseError` if the kind does not suit the tree, one of its beliefs has no description, its two
    ways to the key disagree, or the printed key does not read back for full marks.
    """
    terms = kind.form.with_valid_policy(terms or Terms())
    reason = find_objection(kind, Case(tree, rules, given))
    if reason is not None:
        raise ExerciseError(reason)
    undescribed = sorted(kind.beliefs.keys() - BELIEFS)
    if undescribed:
        raise ExerciseError(
            f"{kind.code} has a belief {undescribed[0]} that grader/questions/beliefs.py does not list"
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
        # In a large tree a reply can be longer than the reader accepts: no student can submit it.
        is_long = len(reply) > MAX_REPLY_WORDS
        if not (is_long and isinstance(kind.form.read(reply, tree, terms), Malformed | Ambiguous)):
            beliefs[f"{kind.code}.{name}"] = reply
    text = kind.form.write(key, tree)
    exercise = Exercise(public, text, _details(kind, tree, rules), beliefs, profile or {}, seed)
    if kind.form.read(exercise.printed_key, tree, terms) != key:
        if _TOO_LONG.search(text):
            raise ExerciseError(
                f"the correct answer has a number of more than {MAX_NUMERAL_DIGITS} digits; "
                "take payoffs and probabilities with small denominators"
            )
        raise ExerciseError("the key does not read back as itself; please report this tree")
    if kind.form.credit(key, key, tree, terms).share != 1:
        raise ExerciseError("the key does not earn the full mark; please report this tree")
    return exercise


def find_objection(kind: AnyKind, case: Case) -> str | None:
    """Return why a kind cannot ask its question about a case, or None."""
    tree = case.tree
    # A kind without `needs_tree` may bring its own tree, but answers that name nodes need one.
    if not len(tree) and (kind.needs_tree or kind.form.names_nodes or kind.form.counts_leaves):
        return "there is no tree"
    unknown_field = find_unknown_field(case.given, kind.given_names)
    if unknown_field is not None:
        _, message, hint = unknown_field
        return f"{message}; {hint}"
    if (objection := kind.root_window_objection(case)) is not None:
        return objection
    try:
        require_bounds(tree, case.rules.bounds)
    except BoundsError as error:
        return str(error)
    return kind.objection(case)


def terms_for_question(terms: Terms, kind: AnyKind, case: Case) -> Terms:
    """Return the terms with the labels of the answer, and the nodes of its entries if they are not all."""
    if (labels := kind.answer_labels(case.given)) != terms.labels:
        terms = replace(terms, labels=labels)
    entry_nodes = tuple(kind.entry_nodes(case)) if kind.form.has_entries else ()
    keeps_default = entry_nodes in ((), tuple(case.tree.by_level))
    return terms if keeps_default else replace(terms, nodes=entry_nodes)


def with_wording(exercise: Exercise, question: str) -> Exercise:
    """Return the exercise with the question in a teacher's words; the rest of its text stays."""
    public = exercise.public
    return replace(exercise, public=replace(public, wording=replace(public.wording, question=question)))


def _text(kind: AnyKind, case: Case, terms: Terms) -> QuestionText:
    """Return the text of an exercise: the kind's question, and the demands of the terms."""
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
    """Return facts for the instructor: the value, and the pruned leaves under both tie rules.

    Empty if the question is not about a search.
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
