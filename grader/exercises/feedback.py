"""What a student can learn from a mark: why items are lost, by which mistake, and how points came about."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from grader.answers.form import CreditBasis, Item, Verdict
from grader.base.numbers import Number, normalize_number
from grader.base.phrases import Language, Phrase, paragraph
from grader.exercises.exercise import Exercise
from grader.exercises.marking import Mark, Note
from grader.questions.beliefs import BELIEFS
from grader.questions.reasons import Reason

SEVERAL_NOTES = Phrase("It is unclear which of these mistakes it was:")
"""What is said before the notes of a mark when there are several."""


@dataclass(frozen=True, slots=True)
class Remark:
    """What is said about items that share their verdict and its reason; `text` is empty for right ones."""

    verdict: Verdict
    items: tuple[Item, ...]
    text: str


class Feedback:
    """Explains marks of one exercise; the search is told once, when the first sentence needs it."""

    def __init__(self, exercise: Exercise) -> None:
        self.exercise = exercise
        self._solved = exercise.solved()
        self._language = exercise.public.terms.language

    def sentences(self, mark: Mark) -> tuple[str, ...]:
        """What is said of every item of a mark: the comparison that decides; empty where there is nothing.

        What several items have in common, such as one cut, is explained at the first of them.
        """
        told: set[str] = set()
        lead = self._several(mark)
        texts = []
        for item in mark.items:
            reason = self._reason(item)
            if reason is None:
                texts.append("")
                continue
            known = bool(reason.because) and reason.because in told
            told.add(reason.because)
            said = self._solved.state_reason(reason)
            if known and reason.one is not None:
                said = paragraph(self._solved.claim(reason), self._language.say("The reason is the same."))
            texts.append(paragraph(lead, said) if item.verdict != "right" else said)
        return tuple(texts)

    def remarks(self, mark: Mark) -> tuple[Remark, ...]:
        """What is said about the items of a mark, with everything that has one reason said once."""
        lead = self._several(mark)
        groups: dict[tuple[Verdict, Reason | None], list[tuple[Item, Reason | None]]] = {}
        for item in mark.items:
            reason = self._reason(item)
            shared = None if reason is None else replace(reason, nodes=())
            groups.setdefault((item.verdict, shared), []).append((item, reason))
        remarks = []
        for (verdict, _), found in groups.items():
            items, reasons = tuple(item for item, _ in found), [each for _, each in found if each is not None]
            text = ""
            if reasons:
                nodes = tuple(dict.fromkeys(node for each in reasons for node in each.nodes))
                text = self._solved.state_reason(replace(reasons[0], nodes=nodes))
                text = paragraph(lead, text) if verdict != "right" else text
            remarks.append(Remark(verdict, items, text))
        return tuple(remarks)

    def _reason(self, item: Item) -> Reason | None:
        return self.exercise.kind.reason(self._solved, item)

    def _several(self, mark: Mark) -> str:
        """What to say where one answer is asked for and several are named."""
        form, said = self.exercise.kind.form, sum(bool(item.said) for item in mark.items)
        if not form.has_alternatives or self.exercise.public.terms.every or said < 2:
            return ""
        return self._language.say(
            "{count} answer is given where one is asked for; this is correct only if each of them is best.",
            "{count} answers are given where one is asked for; this is correct only if each of them is best.",
            said,
        )

    def diagnosis(self, mark: Mark) -> tuple[str, ...]:
        """What every note of a mark says; of several only one is true, see `SEVERAL_NOTES`."""
        return tuple(note_text(note, self._language) for note in mark.notes)


def most_frequent_notes(notes: Sequence[Note], held: Mapping[str, int]) -> tuple[Note, ...]:
    """Of notes that cannot be told apart those that most of a student's answers show.

    `held` says of every belief how many of the answers it explains, this one included.
    """
    most = max((held[_belief_of(note)] for note in notes), default=0)
    return tuple(note for note in notes if held[_belief_of(note)] == most)


def count_beliefs(marks: Iterable[Mark]) -> Mapping[str, int]:
    """How many of these marks each belief explains."""
    return Counter(belief for mark in marks for belief in {_belief_of(note) for note in mark.notes})


def _belief_of(note: Note) -> str:
    return note.code.rpartition(".")[2]


def reveals_answer(notes: Iterable[Note]) -> bool:
    """Whether one of these notes gives the right answer away to whoever knows the reply."""
    return any(BELIEFS[_belief_of(note)].is_restatement for note in notes)


def note_text(note: Note, language: Language) -> str:
    """What a note says: what the answer looks like, and what is true instead."""
    belief = BELIEFS[_belief_of(note)]
    told = [language.say(belief.symptom), language.say(belief.correction)]
    if note.match == "nearest":
        told.insert(1, language.say("This explains most of the answer, but not all of it."))
    return paragraph(*told)


def credit_explanation(
    exercise: Exercise, mark: Mark, write: Callable[[Number], str], *, released: bool = True
) -> str:
    """How a mark that is not full came about, before what was earned by following through.

    Empty where an answer is right or wrong as a whole, and for a mark that was made on other terms.
    Before release nothing is said of what is missing but what the points tell. `write` spells points.
    """
    form = exercise.kind.form
    if mark.points is None or form.tally is None:
        return ""
    strict, public = normalize_number(Fraction(mark.points) - Fraction(mark.follow_through)), exercise.public
    if strict == mark.maximum:
        return ""
    points = {"points": write(strict), "maximum": write(mark.maximum)}
    key = exercise.answer(exercise.key)
    told = form.tally(CreditBasis(mark.items, key, public.tree, public.terms, write, points))
    if form.share(mark.items, key, public.tree, public.terms) * Fraction(mark.maximum) != strict:
        return ""
    return told.why if released or strict else told.hidden or told.why
