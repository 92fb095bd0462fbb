"""Judge a program by comparing its value, move and visits on every tree with the reference."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, TypeAlias

from grader.base.phrases import Phrase
from grader.programs.coded_search import coded_search
from grader.programs.codings import MOVE_MISTAKES, PRUNING_MISTAKES, mistaken_codings
from grader.programs.example_trees import Example
from grader.programs.interface import Interface
from grader.programs.probable_lines import ALWAYS_SHOWN
from grader.programs.reference import (
    AnswerReading,
    ExampleResult,
    Reference,
    agrees,
    is_lawful_order,
    is_value,
    read_attempt,
    reference_on,
)
from grader.programs.run_reports import Run
from grader.trees.rules import Ties

Ruling: TypeAlias = Literal["right", "wrong", "unfinished"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A program and the reference on one tree; None where the program gives no value or move."""

    example: Example
    reference: Reference
    attempt: ExampleResult
    is_value_right: bool | None
    is_move_right: bool | None
    are_visits_right: bool

    @property
    def parts(self) -> dict[str, bool | None]:
        """Whether each of `PARTS` is right."""
        return {
            "value": self.is_value_right,
            "move": self.is_move_right,
            "visits": self.are_visits_right,
        }

    @property
    def is_result_right(self) -> bool:
        """Whether neither the value nor the move differs."""
        return self.is_value_right is not False and self.is_move_right is not False

    @property
    def is_right(self) -> bool:
        """Whether nothing differs."""
        return self.is_result_right and self.are_visits_right


PARTS: Mapping[str, Phrase] = {
    "value": Phrase("Value"),
    "move": Phrase("Move"),
    "visits": Phrase("Visited leaves"),
}
"""The parts of an answer, and the lines of the rubric."""

EQUAL_WEIGHTS = (1, 1, 1)
"""The usual weights of `PARTS`."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of one program.

    - `cause`: what kind of verdict it is, the key of its sentence (`sentences.py`).
    - `followed_ties`: the tie rule that the program follows, as far as it shows.
    - `prescribed_ties`: the tie rule of the course, if it has one; to follow the other one is a mistake.
    - `mistakes`: the names of the mistakes that give exactly its behaviour on every tree.
    - `comparisons`: all trees that were compared, the smallest first.
    - `counterexample`: the smallest tree on which it differs or does not finish; None for a right program.
    - `notes`: codes of unusual behaviour that is correct.
    - `weights`: how much each of `PARTS` is worth, among those that the answers have.
    """

    name: str
    interface: str
    run: Run
    ruling: Ruling
    cause: str
    followed_ties: Ties | None = None
    prescribed_ties: Ties | None = None
    mistakes: tuple[str, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    counterexample: Example | None = None
    notes: tuple[str, ...] = ()
    weights: tuple[int, ...] = EQUAL_WEIGHTS

    @property
    def counterexample_comparison(self) -> Comparison | None:
        """The comparison on the tree that is shown, if the program finished there."""
        return next((each for each in self.comparisons if each.example is self.counterexample), None)

    @property
    def suits_interface(self) -> bool:
        """Whether the program can be called by the interface: no function is missing, and no call fails."""
        return self.cause not in ("error", "no-function")

    def differs(self) -> dict[str, bool | None]:
        """Return whether value, move and visits differ anywhere; None if the program has no such answer."""
        return {
            part: None if (share := self.share(part)) is None else share < 1 and self.ruling != "right"
            for part in PARTS
        }

    def share(self, part: str) -> Fraction | None:
        """Return the share of trees on which a part is right; None if the program has no such answer.

        Trees without a pruned leaf say little about alpha-beta: their visits count only if they are wrong.
        """
        decisive = self.comparisons
        if part == "visits" and self.run.algorithm == "alpha-beta":
            decisive = tuple(
                each for each in decisive if not (each.are_visits_right and self._keeps_all(each))
            )
        results = [is_right for each in decisive if (is_right := each.parts[part]) is not None]
        return Fraction(sum(results), len(results)) if results else None

    def _keeps_all(self, comparison: Comparison) -> bool:
        """Return whether a search may visit every leaf of a tree, by the tie rule of the course."""
        reference = comparison.reference
        if self.prescribed_ties == "cut":
            return reference.cut == reference.leaves
        return reference.leaves in (reference.keep, reference.keep_hard)


def judge_run(
    name: str,
    run: Run,
    interface: Interface,
    examples: Sequence[Example],
    prescribed_ties: Ties | None = None,
) -> Verdict:
    """Judge what a program did on the examples; to follow another tie rule than the course is a mistake.

    The first that applies decides:

    1. An error on a tree leaves the verdict open; but if an interface for trees of one depth is allowed,
       and only other trees fail, they are left out with a note.
    2. So does a run that did not finish, or has no tree.
    3. Without any value or move the program is wrong.
    4. Otherwise values, moves and visits are compared on every tree.
    """
    unexpected = set(run.missing) - set(interface.stand_ins())
    notes = [note for note, holds in (("stand-ins", unexpected), ("events", run.events)) if holds]
    verdict = Verdict(
        name, interface.name, run, "unfinished", run.end, prescribed_ties=prescribed_ties, notes=tuple(notes)
    )
    records = {index: record for index, record in run.trees.items() if index < len(examples)}
    failed = [index for index, record in records.items() if "error" in record]
    has_finished = run.end == "finished"
    if (
        interface.allows_uniform
        and has_finished
        and failed
        and not any(examples[index].is_uniform for index in failed)
    ):
        records = {index: record for index, record in records.items() if examples[index].is_uniform}
        notes.append("uniform-depth")
        failed = []
    comparisons = _compare(records, examples, run.algorithm, prescribed_ties)
    verdict = replace(verdict, comparisons=comparisons, notes=tuple(notes))
    if failed:
        return replace(verdict, cause="error", counterexample=examples[failed[0]])
    if not has_finished or not records:
        missing = next((each for index, each in enumerate(examples) if index not in records), None)
        cause = "nothing" if has_finished else run.end
        return replace(verdict, cause=cause, counterexample=missing if run.choice else None)
    if comparisons[0].is_value_right is None and comparisons[0].is_move_right is None:
        return replace(verdict, ruling="wrong", cause="no-answer", counterexample=comparisons[0].example)
    return _judge_comparisons(verdict, interface)


def _compare(
    records: Mapping[int, Mapping[str, object]],
    examples: Sequence[Example],
    algorithm: str,
    prescribed_ties: Ties | None,
) -> tuple[Comparison, ...]:
    """Return the comparison on every tree, with the reading of answers that agrees with most values."""
    readings: tuple[AnswerReading, ...] = ("first", "last")
    usable = [(examples[index], record) for index, record in sorted(records.items()) if "error" not in record]
    best: list[tuple[Example, Reference, ExampleResult]] = []
    best_score = -1
    for reading in readings:
        attempts = [
            (example, reference_on(example, algorithm), read_attempt(record, example, reading))
            for example, record in usable
        ]
        # An infinity cannot be a move or a count, so it is the value, though a wrong one.
        score = sum(
            isinstance(attempt.value, float) or is_value(attempt.value, reference.value)
            for _, reference, attempt in attempts
        )
        if score > best_score:
            best, best_score = attempts, score
    has_value = any(attempt.value is not None for _, _, attempt in best)
    has_move = any(attempt.move is not None for _, _, attempt in best)
    return tuple(
        Comparison(
            example,
            reference,
            attempt,
            is_value(attempt.value, reference.value) if has_value else None,
            attempt.move in reference.moves if has_move else None,
            _visits_agree(attempt, reference, algorithm, prescribed_ties),
        )
        for example, reference, attempt in best
    )


def _visits_agree(
    attempt: ExampleResult, reference: Reference, algorithm: str, prescribed_ties: Ties | None
) -> bool:
    """Return whether the set of visited leaves is acceptable.

    1. Nothing but leaves of the example may be evaluated (`outside` is empty).
    2. Without pruning any leaves will do, but at least one: value and move decide.
    3. Alpha-beta with a prescribed tie rule: its leaves; to keep ties, those of a fail-hard search too.
    4. Alpha-beta without: all leaves if ties are cut, and none beyond those if ties are kept; or fail-hard.
    """
    visits = frozenset(attempt.visits)
    if attempt.outside:
        return False
    if algorithm != "alpha-beta":
        return bool(visits)
    if prescribed_ties == "cut":
        return visits == reference.cut
    if prescribed_ties == "keep":
        return visits in (reference.keep, reference.keep_hard)
    return reference.cut <= visits <= reference.keep or visits == reference.keep_hard


def _judge_comparisons(verdict: Verdict, interface: Interface) -> Verdict:
    """Judge a program that has finished every tree.

    1. Value and move are right everywhere, and it visits no leaf that alpha-beta prunes: right; with the
       other tie rule than the prescribed one, that is the mistake.
    2. It visits what alpha-beta visits when children are taken in its own order: right, with a note,
       unless the course prescribes the order.
    3. Else it is wrong, by the mistakes that give the same value, move and visits on every tree.
    """
    comparisons = verdict.comparisons
    prescribed, followed = verdict.prescribed_ties, _followed_ties(verdict)
    verdict = replace(verdict, followed_ties=followed)
    if any(each.attempt.repeats for each in comparisons):
        verdict = replace(verdict, notes=(*verdict.notes, "repeats"))
    first = next((each.example for each in comparisons if not each.is_right), None)
    results_right = all(each.is_result_right for each in comparisons)
    within = all(
        (visits := frozenset(each.attempt.visits)) <= each.reference.keep
        or visits == each.reference.keep_hard
        for each in comparisons
        if not each.attempt.outside
    ) and not any(each.attempt.outside for each in comparisons)
    if results_right and within:
        if interface.judges_generated and verdict.run.algorithm == "alpha-beta":
            early = next((each.example for each in comparisons if each.attempt.generated), None)
            if early is not None:
                return replace(verdict, ruling="wrong", cause="generated", counterexample=early)
        if prescribed is not None and followed != prescribed and verdict.run.algorithm == "alpha-beta":
            breach = _breach(comparisons, prescribed)
            if breach is not None:
                mistake = "ties-kept" if prescribed == "cut" else "ties-cut"
                return replace(
                    verdict, ruling="wrong", cause="mistake", mistakes=(mistake,), counterexample=breach
                )
        return replace(verdict, ruling="right", cause="right", notes=(*verdict.notes, *_notes(verdict)))
    in_own_order = (
        results_right
        and verdict.run.algorithm == "alpha-beta"
        and not any(each.attempt.outside for each in comparisons)
        and all(is_lawful_order(each.attempt, each.reference) for each in comparisons)
    )
    names = _matching_mistakes(verdict)
    if in_own_order and not interface.is_ordered:
        reversed_only = tuple(name for name in names if name == "right-to-left")
        return replace(
            verdict,
            ruling="right",
            cause="right",
            mistakes=reversed_only,
            notes=(*verdict.notes, "order"),
            followed_ties=None,
        )
    cause = "mistake" if names else "depth" if _is_depth_wrong(verdict) else "unknown"
    counterexample = first or comparisons[0].example
    return replace(verdict, ruling="wrong", cause=cause, mistakes=names, counterexample=counterexample)


def _followed_ties(verdict: Verdict) -> Ties | None:
    """Return the tie rule that decides all leaves on which the two rules differ; None if neither does."""
    if verdict.run.algorithm != "alpha-beta":
        return None
    pairs = [
        (each.reference.keep - each.reference.cut, frozenset(each.attempt.visits))
        for each in verdict.comparisons
        if each.reference.keep > each.reference.cut
    ]
    if pairs and all(not extra & visits for extra, visits in pairs):
        return "cut"
    return "keep" if pairs and all(extra <= visits for extra, visits in pairs) else None


def _breach(comparisons: Sequence[Comparison], ties: Ties) -> Example | None:
    """Return the first tree on which the visits of leaves break the tie rule, or None."""
    for each in comparisons:
        extra = (each.reference.keep - each.reference.cut) & frozenset(each.attempt.visits)
        if extra if ties == "cut" else extra != each.reference.keep - each.reference.cut:
            return each.example
    return None


def _notes(verdict: Verdict) -> Iterator[str]:
    """Yield the codes of unusual visits of a right program."""
    comparisons = verdict.comparisons
    if any(not each.reference.cut <= frozenset(each.attempt.visits) for each in comparisons):
        yield "fewer"
    elif verdict.run.algorithm == "alpha-beta" and verdict.followed_ties is None:
        yield "ties-mixed"
    if verdict.run.algorithm == "alpha-beta" and any(each.attempt.generated for each in comparisons):
        yield "generated"


def _matching_mistakes(verdict: Verdict) -> tuple[str, ...]:
    """Return the names of the mistakes that agree on every tree in some coding."""
    comparisons = verdict.comparisons
    has_value = comparisons[0].is_value_right is not None
    has_move = comparisons[0].is_move_right is not None
    alive = mistaken_codings(
        verdict.run.algorithm, any(each.reference.tree.has_chance for each in comparisons)
    )
    # Trees on which the program is wrong refute most mistakes at once.
    for each in sorted(comparisons, key=lambda comparison: comparison.is_right):
        tree = each.reference.tree
        alive = tuple(
            coding
            for coding in alive
            if agrees(
                each.attempt,
                coded_search(tree, coding, each.example.turns),
                has_value=has_value,
                has_move=has_move,
            )
        )
        if not alive:
            break
    # Where every visit is right, a mistake in pruning explains nothing, though it may choose the same moves;
    # where no move is returned, a mistake in the move explains nothing, and where all results are right, a
    # lost leaf explains nothing.
    explains_nothing = set(() if has_move else MOVE_MISTAKES)
    if all(each.is_result_right for each in comparisons):
        explains_nothing.add("no-leaf-test")
    if all(each.are_visits_right for each in comparisons):
        explains_nothing.update(PRUNING_MISTAKES)
    names = tuple(dict.fromkeys(coding.name for coding in alive if coding.name not in explains_nothing))
    # Of several, those that the text of the program shows are preferred, and those that it does not have are
    # left out.
    lines = verdict.run.lines
    certain = tuple(name for name in names if name in ALWAYS_SHOWN and lines.get(name))
    return certain or tuple(name for name in names if lines.get(name) != []) or names


def _is_depth_wrong(verdict: Verdict) -> bool:
    """Return whether the program evaluates nodes that are not at the depth limit."""
    return any(each.attempt.outside for each in verdict.comparisons if each.example.limit is not None)
