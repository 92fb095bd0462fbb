"""What a student can learn from a mark: why items are lost, by which mistake, and how points came about."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from grader.answers.form import CreditBasis, Item, Verdict
from grader.answers.numeral import Numeral
from grader.base.numbers import Number, normalize_number
from grader.base.phrases import Language, Phrase, paragraph
from grader.exercises.exercise import Exercise
from grader.exercises.marking import Mark, Note
from grader.questions.beliefs import BELIEFS
from grader.questions.reasons import Reason

OFF_BY_ONE = Phrase("An answer that is off by one may also be a simple slip.")
"""Follows the note of a number that a plain slip of one reaches too."""

SEVERAL_NOTES = Phrase("Any of these mistakes could explain the answer:")
"""What is said before the notes of a mark when there are several."""


@dataclass(frozen=True, slots=True)
class Remark:
    """What is said about items that share their verdict and its reason; both texts are empty for right ones.

    `text` gives the reason in full; `clause` says only what is so, for a mistake after the first.
    """

    verdict: Verdict
    items: tuple[Item, ...]
    text: str
    clause: str = ""


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a student reads about a mark, in at most `MAX_EXPLANATION_WORDS` words, and the rest.

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
        """What is said of the mistakes after the first one."""
        return tuple(remark.text for remark in self.remarks if remark.text not in ("", self.first))


MAX_EXPLANATION_WORDS = 120
"""The most words about one answer that are not behind "more"."""

MAX_CLAUSE_WORDS = 25
"""The longest reason that stands for a further mistake if there is no clause."""

MAX_MISCONCEPTIONS = 3
"""The most misconceptions shown for one answer."""


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
                said = paragraph(
                    self._solved.claim(reason), self._language.say("The reason is the same as above.")
                )
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
            text = clause = ""
            if reasons:
                nodes = tuple(dict.fromkeys(node for each in reasons for node in each.nodes))
                reason = replace(reasons[0], nodes=nodes)
                text, clause = self._solved.state_reason(reason), self._solved.claim(reason)
                text = paragraph(lead, text) if verdict != "right" else text
            remarks.append(Remark(verdict, items, text, clause))
        return tuple(remarks)

    def explanation(self, mark: Mark, *, with_diagnosis: bool = True) -> Explanation:
        """What to say of a mark: the first mistake with its reason, and the others in a clause each."""
        remarks = self.remarks(mark)
        lost = [remark for remark in remarks if remark.text and remark.verdict not in ("right", "follows")]
        first = self._first(lost) if lost else None
        diagnosis = self._short_diagnosis(mark) if with_diagnosis else ()
        leading = self._why_correct(mark) if first is None else first.text
        room = MAX_EXPLANATION_WORDS - sum(map(count_words, (*diagnosis, leading)))
        shown, more = list[Remark](), list[str]()
        for remark in remarks:
            text = remark.text
            if remark is not first and text:
                clause = (remark.clause or text) if remark in lost else ""
                text = clause if count_words(clause) <= min(room, MAX_CLAUSE_WORDS) else ""
                room -= count_words(text)
            if text != remark.text:
                more.append(remark.text)
            shown.append(replace(remark, text=text))
        return Explanation(diagnosis, tuple(shown), leading, tuple(more))

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
        """Return the misconceptions of a mark; several of them only by what they look like."""
        language = self._language
        if len(mark.notes) <= 1:
            return self.diagnosis(mark)
        seems = [language.say(BELIEFS[_belief_of(note)].symptom) for note in mark.notes]
        slip = (language.say(OFF_BY_ONE),) if is_off_by_one(self.exercise, mark.understood) else ()
        if len(seems) <= MAX_MISCONCEPTIONS + 1:
            return (*seems, *slip)
        rest = language.say(
            "{count} other mistake leads to the same answer.",
            "{count} other mistakes lead to the same answer.",
            len(seems) - MAX_MISCONCEPTIONS,
        )
        return (*seems[:MAX_MISCONCEPTIONS], rest, *slip)

    def _reason(self, item: Item) -> Reason | None:
        return self.exercise.kind.reason(self._solved, item)

    def _several(self, mark: Mark) -> str:
        """What to say where one answer is asked for and several are named."""
        form, said = self.exercise.kind.form, sum(bool(item.said) for item in mark.items)
        if not form.has_alternatives or self.exercise.public.terms.every or said < 2:
            return ""
        return self._language.say(
            "The question asks for one answer, but {count} is given. "
            "This is correct only if each of them is best.",
            "The question asks for one answer, but {count} are given. "
            "This is correct only if each of them is best.",
            said,
        )

    def diagnosis(self, mark: Mark) -> tuple[str, ...]:
        """What every note of a mark says; of several only one is true, see `SEVERAL_NOTES`."""
        texts = (note_text(note, self._language) for note in mark.notes)
        slip = self._language.say(OFF_BY_ONE) if is_off_by_one(self.exercise, mark.understood) else ""
        return tuple(paragraph(text, slip) for text in texts)


def is_off_by_one(exercise: Exercise, understood: str) -> bool:
    """Check whether a canonical reply is one number, not that of a choice, next to the correct one."""
    if exercise.kind.form.numbers_choices or not understood:
        return False
    reply, key = exercise.answer(understood), exercise.answer(exercise.key)
    return isinstance(reply, Numeral) and isinstance(key, Numeral) and abs(reply.value - key.value) == 1


def count_words(text: str) -> int:
    """Count the words of a text; without spaces between them, two characters are one."""
    return max(len(text.split()), len(_WITHOUT_SPACES.findall(text)) // 2)


_WITHOUT_SPACES = re.compile("[\u3400-\u9fff]")
"""The characters of scripts that put no spaces between words."""


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
