"""How much alike the variants of an exam are: what differs too little, and what differs too much."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from grader.exam.manifest import Exam
from grader.exam.paper import Paper, Question, part_letter
from grader.generation.repeats import payoff_ranks
from grader.trees.tree import Tree

MIN_COMPARED_VARIANTS = 4
"""Below this many variants, answers that occur more than once are normal and not reported."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault: its place, as a path or as variant and question, and a message."""

    place: str
    message: str


@dataclass(frozen=True, slots=True)
class QuestionCheck:
    """The facts about a question that are compared between variants.

    - `grown`: whether every variant has a tree of its own.
    - `pattern`: a hash of the shape of its tree and the order of its payoffs; "" without payoffs.
    - `profile`: the fields in which all variants have to agree.
    - `answers`: the printed keys of its parts.
    - `plan`: which alternative of a pool it is; only the same ones are compared.
    """

    label: str
    grown: bool
    pattern: str
    profile: Mapping[str, object]
    answers: tuple[str, ...]
    plan: int | None = None


@dataclass(frozen=True, slots=True)
class VariantCheck:
    """The result for one variant: its two hashes as in the lock, its questions, and its faults.

    - `otherwise`: the files that are not what this version makes, where another one built the exam.
    """

    code: str
    checksum: str
    key: str
    questions: tuple[QuestionCheck, ...]
    findings: tuple[Finding, ...] = ()
    otherwise: tuple[str, ...] = ()


def check_paper(paper: Paper, key: str = "") -> VariantCheck:
    """Return the result for a paper, without the faults that are found elsewhere."""
    return VariantCheck(paper.code, paper.public.checksum, key, tuple(map(_check_question, paper.questions)))


def _check_question(question: Question) -> QuestionCheck:
    """Return the facts about a question; its profile is that of the part for which its tree was grown.

    If no part grew it, the profile is that of the first.
    """
    place, tree = question.grown_for, question.public.tree
    part = question.parts[place or 0]
    pattern = sha256(repr((_pattern(tree), part.public.given)).encode()).hexdigest() if tree.leaves else ""
    profile = part.profile
    alike = {field: profile.get(field) for field in question.alike}
    answers = tuple(part.printed_key for part in question.parts)
    return QuestionCheck(question.label, place is not None, pattern, alike, answers, question.plan)


def _pattern(tree: Tree) -> object:
    """Return the shape of a tree and the order of its payoffs."""
    return tree.players, tree.parents, tree.probabilities, payoff_ranks(tree.payoffs)


def codes_drawn_alone(exam: Exam) -> frozenset[str]:
    """Return the codes of variants that were drawn without looking at others: they may be alike."""
    by_row = {seat.code for seat in exam.seats if exam.origin.drawn_by == "row" and not seat.batch}
    return frozenset(exam.files_by_variant.keys() - by_row)


def likeness_findings(checks: Sequence[VariantCheck], independent: Collection[str]) -> Iterator[Finding]:
    """Find variants that are too similar, or not alike enough.

    Variants that were drawn `independent` of others may have the order of payoffs of another one by chance.
    """
    patterns: dict[tuple[str, int | None, str], str] = {}
    profiles: dict[tuple[str, int | None], tuple[str, Mapping[str, object]]] = {}
    for check in checks:
        for question in check.questions:
            if not question.grown:
                continue
            place = f"variant {check.code}, question {question.label}"
            if question.pattern and check.code not in independent:
                first = patterns.setdefault((question.label, question.plan, question.pattern), check.code)
                if first != check.code:
                    yield Finding(
                        place, f"has the order of payoffs of variant {first}: whoever has one has both"
                    )
            code, other = profiles.setdefault((question.label, question.plan), (check.code, question.profile))
            for field, value in question.profile.items():
                if value != other.get(field):
                    yield Finding(place, f"{field} is {value}, and {other.get(field)} in variant {code}")


def shared_orders(checks: Sequence[VariantCheck], independent: Collection[str]) -> Iterator[str]:
    """Note of every question on how many papers it has the order of payoffs of another.

    Only papers that were drawn `independent` of others are counted.
    """
    shared: dict[str, Counter[str]] = defaultdict(Counter)
    for check in checks:
        for question in check.questions:
            if question.grown and question.pattern and check.code in independent:
                shared[question.label][question.pattern] += 1
    for label, counts in shared.items():
        sharing = sum(count for count in counts.values() if count > 1)
        if sharing:
            yield (
                f"question {label}: on {sharing} of {counts.total()} papers the payoffs have the same order, "
                "from smallest to largest, as on another paper; a larger tree makes this rare"
            )


def common_answers(checks: Sequence[VariantCheck]) -> Iterator[str]:
    """Warn of every answer that more than half of the variants of a grown question share."""
    answers: dict[str, Counter[str]] = defaultdict(Counter)
    for check in checks:
        for question in check.questions:
            if question.grown:
                for place, answer in enumerate(question.answers):
                    answers[f"{question.label}{part_letter(place, len(question.answers))}"][answer] += 1
    for label, counts in answers.items():
        ((answer, count),) = counts.most_common(1)
        if counts.total() >= MIN_COMPARED_VARIANTS and 2 * count > counts.total():
            yield f"question {label} has the answer {answer} in {count} of {counts.total()} variants"
