"""An exercise: a question about one tree with its conventions, its key and its misconceptions."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import grader
from grader.answers import Ambiguous, Malformed, Terms, write_policy
from grader.kinds import AnyKind, kind_named
from grader.notation import write_tree
from grader.numerals import write_number
from grader.rules import Rules
from grader.tree import Header, Tree

SCHEMA = 1


class ExerciseError(ValueError):
    """A tree that cannot be asked about in this way; the message says why."""


@dataclass(frozen=True, slots=True)
class PublicExercise:
    """What a student may see of an exercise: everything but the answer. Publishing code takes only this.

    `id` and `checksum` are functions of the other fields, so they tell nothing of the key.
    """

    kind: str
    tree: Tree
    rules: Rules
    prompt: str
    terms: Terms

    @property
    def checksum(self) -> str:
        """SHA-256 over the canonical JSON of everything the student sees, as 64 hex digits."""
        return hashlib.sha256(canonical(self._content()).encode()).hexdigest()

    @property
    def id(self) -> str:
        """The kind and the first digits of the checksum: `pruned-paths-1f0c9a2e`."""
        return f"{self.kind}-{self.checksum[:8]}"

    def to_json(self) -> dict[str, Any]:
        """The public record, as a JSON object."""
        return {"schema": SCHEMA, "id": self.id, **self._content(), "checksum": self.checksum}

    def _content(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "tree": write_tree(self.tree),
            "rules": rules_to_json(self.rules),
            "prompt": self.prompt,
            "points": write_number(self.terms.points),
            "policy": write_policy(self.terms.policy),
            "digits": self.terms.digits,
            "every": self.terms.every,
            "decimal_comma": self.terms.decimal_comma,
            "generator": f"gametree-grader {grader.__version__}",
        }


@dataclass(frozen=True, slots=True)
class Exercise:
    """An exercise with its answer.

    - `public`: what the student sees.
    - `key`: the right answer as canonical reply text.
    - `details`: what an instructor wants to see beside the key; JSON values.
    - `beliefs`: note code -> the reply of a student with that misconception, where it differs from the key.
    - `profile`: how hard it is; JSON values.
    - `seed`: what it was grown from, or None for a given tree.
    """

    public: PublicExercise
    key: str
    details: Mapping[str, Any]
    beliefs: Mapping[str, str]
    profile: Mapping[str, Any]
    seed: str | None = None

    @property
    def kind(self) -> AnyKind:
        """The kind of question it asks."""
        kind = kind_named(self.public.kind)
        if kind is None:
            raise ExerciseError(f"there is no kind {self.public.kind!r}")
        return kind

    def answer(self, text: str) -> Any:
        """The answer that a canonical reply text of this record stands for.

        Raises `ExerciseError` when the text does not read as one, which a record that was read never has.
        """
        answer = self.kind.form.read(text, self.public.tree, self.public.terms)
        if isinstance(answer, Malformed | Ambiguous):
            raise ExerciseError(
                f"{text!r} is not an answer of the form {self.kind.form.name}: {answer.message}"
            )
        return answer

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
    profile: Mapping[str, Any] | None = None,
    seed: str | None = None,
) -> Exercise:
    """Ask a kind's question about a tree.

    The header of the tree loses its rules: the record carries them apart.
    Claims and crosses are no part of a question either.
    Raises `ExerciseError` with the reason when the kind does not suit the tree, when its two
    ways to the key disagree, or when the key does not read back for the full mark.
    """
    terms = terms or Terms()
    reason = kind.suits(tree, rules)
    if reason is not None:
        raise ExerciseError(reason)
    tree = replace(tree.bare(), header=Header(title=tree.header.title, weights=tree.header.weights))
    key = kind.key(tree, rules)
    if kind.second_way(tree, rules) != key:
        raise ExerciseError("the two ways to the key disagree; please report this tree")
    public = PublicExercise(kind.name, tree, rules, f"{kind.prompt(tree, rules)} {kind.form.ask}", terms)
    beliefs = {}
    for name, believed in kind.beliefs.items():
        answer = believed(tree, rules)
        if answer is not None and answer != key:
            beliefs[f"{kind.name}.{name}"] = kind.form.write(answer, tree)
    exercise = Exercise(public, kind.form.write(key, tree), {}, beliefs, profile or {}, seed)
    if exercise.answer(exercise.key) != key:
        raise ExerciseError("the key does not read back as itself; please report this tree")
    if kind.form.credit(key, key, tree, terms, None).share != 1:
        raise ExerciseError("the key does not earn the full mark; please report this tree")
    return exercise


def canonical(content: Any) -> str:
    """JSON with sorted keys and no spaces: equal content gives equal bytes."""
    return json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def rules_to_json(rules: Rules) -> dict[str, Any]:
    """Rules as a JSON object, bounds as numbers in canonical text."""
    bounds = None if rules.bounds is None else [write_number(bound) for bound in rules.bounds]
    return asdict(rules) | {"bounds": bounds}
