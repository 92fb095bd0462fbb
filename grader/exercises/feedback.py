"""Explain a mark to a student: why items are incorrect, the likely mistake, and the points."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from grader.answers.form import CreditBasis, Item, ItemVerdict
from grader.answers.numeral import Numeral
from grader.base.numbers import Number, normalize_number
from grader.base.phrases import Language, Phrase, count_words, paragraph
from grader.exercises.exercise import Exercise
from grader.exercises.marking import Mark, Note
from grader.questions.beliefs import BELIEFS
from grader.questions.reasons import Reason

OFF_BY_ONE = Phrase("An answer that is off by one may also be a simple slip.")
"""Added to the note on a number that is one off the key, since a slip would explain it too."""

SEVERAL_NOTES = Phrase("Any of these mistakes could explain the answer:")
"""Introduces the notes of a mark if there are several."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A comment on items with the same verdict for the same reason; both texts may be empty.

    `text` gives the full reason; `clause`, for a mistake after the first, states only the fact.
    """

    verdict: ItemVerdict
    items: tuple[Item, ...]
    text: str
    clause: str = ""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The explanation of a mark in at most `MAX_EXPLANATION_WORDS` words, and the rest.

    - `diagnosis`: the misconceptions that explain the answer; several are alternatives.
    - `remarks`: all remarks; the first mistake has its reason, the others only a clause or no text.
    - `first`: the text about the first mistake; for a correct answer, why it is correct.
    - `more`: the reasons in full that are not given before.
    """

    diagnosis: tuple[str, ...]
    remarks: tuple[Remark, ...]
    first: str
    more: tuple[str, ...]

    @property
    def further(self) -> tuple[str, ...]:
        """The texts about the mistakes after the first one."""
        return tuple(remark.text for remark in self.remarks if remark.text not in ("", self.first))


MAX_EXPLANATION_WORDS = 120
"""The maximum number of words about one answer outside `Explanation.more`."""

MAX_CLAUSE_WORDS = 25
"""The maximum number of words of a reason that replaces a missing clause."""

MAX_MISCONCEPTIONS = 3
"""The maximum number of misconceptions listed for one answer."""


class Feedback:
    """Explains the marks of one exercise, which is solved only once."""

    def __init__(self, exercise: Exercise) -> None:
        self.exercise = exercise
        self._solved = exercise.solved()
        self._language = exercise.public.terms.language

    def sentences(self, mark: Mark) -> tuple[str, ...]:
        """Return the reason for every item of a mark, empty if there is none.

        A reason that several items share, such as one cutoff, is given at the first of them.
        """
        stated_reasons: set[str] = set()
        lead = self._several(mark)
        texts = []
        for item in mark.items:
            reason = self._reason(item)
            if reason is None:
                texts.append("")
                continue
            known = bool(reason.because) and reason.because in stated_reasons
            stated_reasons.add(reason.because)
            sentence = self._solved.state_reason(reason)
            if known and reason.one is not None:
                sentence = paragraph(
                    self._solved.claim(reason), self._language.say("The reason is the same as above.")
                )
            texts.append(paragraph(lead, sentence) if item.verdict != "right" else sentence)
        return tuple(texts)

    def remarks(self, mark: Mark) -> tuple[Remark, ...]:
        """Return remarks on the items of a mark; items with the same reason share one remark."""
        lead = self._several(mark)
        groups: dict[tuple[ItemVerdict, Reason | None], list[tuple[Item, Reason | None]]] = {}
        for item in mark.items:
            reason = self._reason(item)
            shared = None if reason is None else replace(reason, nodes=())
            groups.setdefault((item.verdict, shared), []).append((item, reason))
        remarks = []
        for (verdict, _), group in groups.items():
            items, reasons = tuple(item for item, _ in group), [each for _, each in group if each is not None]
            text = clause = ""
            if reasons:
                nodes = tuple(dict.fromkeys(node for each in reasons for node in each.nodes))
                reason = replace(reasons[0], nodes=nodes)
                text, clause = self._solved.state_reason(reason), self._solved.claim(reason)
                text = paragraph(lead, text) if verdict != "right" else text
            remarks.append(Remark(verdict, items, text, clause))
        return tuple(remarks)

    def explanation(self, mark: Mark, *, with_diagnosis: bool = True) -> Explanation:
        """Explain a mark: the first mistake with its reason, and the others in a clause each."""
        remarks = self.remarks(mark)
        lost = [remark for remark in remarks if remark.text and remark.verdict not in ("right", "follows")]
        first = self._first(lost) if lost else None
        diagnosis = self._short_diagnosis(mark) if with_diagnosis else ()
        leading = self._why_correct(mark) if first is None else first.text
        room = MAX_EXPLANATION_WORDS - sum(map(count_words, (*diagnosis, leading)))
        shortened, more = list[Remark](), list[str]()
        for remark in remarks:
            text = remark.text
            if remark is not first and text:
                clause = (remark.clause or text) if remark in lost else ""
                text = clause if count_words(clause) <= min(room, MAX_CLAUSE_WORDS) else ""
                room -= count_words(text)
            if text != remark.text:
                more.append(remark.text)
            shortened.append(replace(remark, text=text))
        return Explanation(diagnosis, tuple(shortened), leading, tuple(more))

    def _first(self, lost: Sequence[Remark]) -> Remark:
        """Return the remark on the first mistake: the deepest for values, the earliest for a search."""
        depths = self.exercise.public.tree.depths
        if self.exercise.kind.depends_on_search or not depths:
            return lost[0]
        return max(lost, key=lambda remark: max(depths[item.node or 0] for item in remark.items))

    def _why_correct(self, mark: Mark) -> str:
        """Return the step that decides a correct answer; empty if nothing does or the answer is not."""
        if mark.points != mark.maximum:
            return ""
        return next(reversed(self.exercise.kind.worked_solution.deciding_steps(self._solved)), "")

    def _short_diagnosis(self, mark: Mark) -> tuple[str, ...]:
        """Return the misconceptions of a mark; if there are several, only their symptoms."""
        language = self._language
        if len(mark.notes) <= 1:
            return self.diagnosis(mark)
        symptoms = [language.say(BELIEFS[_belief_of(note)].symptom) for note in mark.notes]
        slip = (language.say(OFF_BY_ONE),) if is_off_by_one(self.exercise, mark.understood) else ()
        if len(symptoms) <= MAX_MISCONCEPTIONS + 1:  # "1 other mistake" would be as long as the mistake
            return (*symptoms, *slip)
        rest = language.say(
            "{count} other mistake leads to the same answer.",
            "{count} other mistakes lead to the same answer.",
            len(symptoms) - MAX_MISCONCEPTIONS,
        )
        return (*symptoms[:MAX_MISCONCEPTIONS], rest, *slip)

    def _reason(self, item: Item) -> Reason | None:
        return self.exercise.kind.reason(self._solved, item)

    def _several(self, mark: Mark) -> str:
        """Return a sentence for a reply with several answers to a question that asks for one, else ""."""
        form, answer_count = self.exercise.kind.form, sum(bool(item.reply) for item in mark.items)
        if not form.has_alternatives or self.exercise.public.terms.every or answer_count < 2:
            return ""
        return self._language.say(
            "The question asks for one answer, but {count} is given. "
            "This is correct only if each of them is best.",
            "The question asks for one answer, but {count} are given. "
            "This is correct only if each of them is best.",
            answer_count,
        )

    def diagnosis(self, mark: Mark) -> tuple[str, ...]:
        """Return the text of every note of a mark; several are alternatives, see `SEVERAL_NOTES`."""
        if not mark.notes:
            return ()
        texts = (note_text(note, self._language) for note in mark.notes)
        slip = self._language.say(OFF_BY_ONE) if is_off_by_one(self.exercise, mark.understood) else ""
        return tuple(paragraph(text, slip) for text in texts)


def is_off_by_one(exercise: Exercise, understood: str) -> bool:
    """Return whether a canonical reply is one number, not that of a choice, next to the correct one."""
    if exercise.kind.form.numbers_choices or not understood:
        return False
    reply, key = exercise.answer(understood), exercise.answer(exercise.key)
    return isinstance(reply, Numeral) and isinstance(key, Numeral) and abs(reply.value - key.value) == 1


def most_frequent_notes(notes: Sequence[Note], explained: Mapping[str, int]) -> tuple[Note, ...]:
    """Return those of several indistinguishable notes that explain most of a student's answers.

    `explained` has the number of answers that each belief explains, including this one.
    """
    highest = max((explained[_belief_of(note)] for note in notes), default=0)
    return tuple(note for note in notes if explained[_belief_of(note)] == highest)


def count_beliefs(marks: Iterable[Mark]) -> Mapping[str, int]:
    """Count the marks that each belief explains."""
    return Counter(belief for mark in marks for belief in {_belief_of(note) for note in mark.notes})


def _belief_of(note: Note) -> str:
    return note.code.rpartition(".")[2]


def reveals_answer(notes: Iterable[Note]) -> bool:
    """Return whether a note, together with the reply, reveals the correct answer."""
    return any(BELIEFS[_belief_of(note)].is_restatement for note in notes)


def note_text(note: Note, language: Language) -> str:
    """Return the text of a note: the symptom and the correction."""
    belief = BELIEFS[_belief_of(note)]
    sentences = [language.say(belief.symptom), language.say(belief.correction)]
    if note.match == "nearest":
        sentences.insert(1, language.say("This explains most of the answer, but not all of it."))
    return paragraph(*sentences)


def credit_explanation(
    exercise: Exercise, mark: Mark, write: Callable[[Number], str], *, released: bool = True
) -> str:
    """Explain the points of a mark below the maximum, without those for following through.

    Empty if the answer is correct or incorrect as a whole, or if the mark was made under other terms.
    Unless `released`, the text reveals no more than the points do. `write` formats points.
    """
    form = exercise.kind.form
    if mark.points is None or form.tally is None:
        return ""
    strict, public = normalize_number(Fraction(mark.points) - Fraction(mark.follow_through)), exercise.public
    if strict == mark.maximum:
        return ""
    points = {"points": write(strict), "maximum": write(mark.maximum)}
    key = exercise.answer(exercise.key)
    tally = form.tally(CreditBasis(mark.items, key, public.tree, public.terms, write, points))
    if form.share(mark.items, key, public.tree, public.terms) * Fraction(mark.maximum) != strict:
        return ""
    return tally.why if released or strict else tally.hidden or tally.why
