"""Which of several replies of one student to one part counts, and what becomes of the others."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

from grader.base.phrases import ENGLISH
from grader.grading.records import (
    READ_BY_PERSON,
    TURNED_INTO_DATE,
    UNDECIDED_SCAN,
    UNKNOWN_VARIANT,
    UNREADABLE_BLANK,
    WITHDRAWN,
    Submission,
)
from grader.tables.dates import is_later, read_time

MAX_CONFLICT_REASON_LENGTH = 300

DuplicatePolicy: TypeAlias = Literal["ask", "first", "last"]
"""Which counts of different replies where no times say: it is asked, or the first, or the last to come."""


AttemptOutcome: TypeAlias = Literal["taken", "older", "contested"]
"""What became of a row, as far as one part says."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """What came out for one part.

    - `submissions`: what is to be appended, in this order.
    - `fates`: what became of the rows, by place: their fate, or `taken`, and why; of a contested one
      where the replies stand that differ.
    - `is_changed`: whether another reply counts now than before.
    """

    submissions: Sequence[Submission] = ()
    fates: Mapping[int, tuple[AttemptOutcome, str]] = field(default_factory=dict)
    is_changed: bool = False


AnsweredRows: TypeAlias = Set[tuple[int, str]]
"""The readings and places of the rows of a student in which at least one part is answered."""


def conflict_reason(parts: Sequence[str], places: str) -> str:
    """Why replies to some parts are contested with others, which stand at these places."""
    return f"different replies of one student to {ENGLISH.join_and(list(parts))}: {places}"[
        :MAX_CONFLICT_REASON_LENGTH
    ]


def settle_attempts(
    said: Mapping[int, Submission],
    before: Sequence[Submission],
    duplicates: DuplicatePolicy,
    answered: AnsweredRows,
) -> Settlement:
    """Weigh what some rows of a student, by place, say to one part, after all that came before.

    A blank never takes the place of a reply to the same variant. Of different replies the latest counts, and
    so does a blank in an attempt at another variant, which counts as a whole; where times do not tell, what
    `duplicates` says. What was there before raises no question again. What a person has read stands for all
    that came before it.
    """
    counted = [each for each in before if not each.aside]
    current = counted[-1] if counted else None
    looked = [at for at, each in enumerate(before) if each.place == READ_BY_PERSON]
    since = before[looked[-1] :] if looked else before
    variants = {each.variant for each in (*before, *said.values()) if each.reply.strip()}

    def speaks(each: Submission) -> bool:
        alone = bool(variants) and each.variant not in variants
        return bool(each.reply.strip()) or (alone and (each.reading, each.place) in answered)

    before = [each for each in before if speaks(each)]
    since = [each for each in since if speaks(each)]
    counted = [each for each in since if not each.aside]
    told = (each for each in (*counted, *said.values()) if not each.contested.startswith(UNKNOWN_VARIANT))
    times = {each.time for each in told if speaks(each)} - {""}
    filled = {
        at: each
        for at, each in said.items()
        if speaks(each) and not (each.contested.startswith(UNKNOWN_VARIANT) and each.time in times)
    }
    if not filled:
        at, blank = next(iter(said.items()))
        asked = blank.contested.startswith(UNDECIDED_SCAN)
        if current is None or (asked and not current.contested and not current.reply.strip()):
            return Settlement([blank], {at: ("taken", "")}, is_changed=True)
        return Settlement()
    known = set(map(_said, before))
    once = {_said(each): each for each in reversed(filled.values())}
    fresh = [each for what, each in reversed(once.items()) if what not in known]
    asked = duplicates == "ask"
    weighed = fresh if asked or looked else [*filled.values()]
    if not weighed:
        stays = ""
        if current is not None and not _is_alone(current):
            stays = current.contested.removeprefix(conflict_reason([current.question], ""))
        ready = _kept(filled.values(), (), before)
        return Settlement(ready, {next(iter(filled)): ("contested", stays)} if stays else {})
    candidates = (*_undecided(counted), *weighed)
    winner = _latest(candidates)
    if winner is None and asked:
        places = " and ".join(dict.fromkeys(each.place for each in candidates))
        places += ", now and before" if " and " not in places else ""
        why = conflict_reason([candidates[0].question], places)
        counting = [each._replace(contested=why) for each in fresh]
        return Settlement(
            _kept(filled.values(), counting, before), dict.fromkeys(filled, ("contested", places))
        )
    if winner is None:
        arrived = [each for each in since if not _is_open(each)]
        arrived += weighed
        winner = arrived[0 if duplicates == "first" else -1]
    if not _is_alone(winner):
        winner = winner._replace(contested="", aside=False)
    news = current is None or _decisive(current) != _decisive(winner)
    fates: dict[int, tuple[AttemptOutcome, str]] = {}
    for at, each in filled.items():
        if news and (each.reading, each.place) == (winner.reading, winner.place):
            fates[at] = "taken", ""
        elif each.reply != winner.reply and each in fresh:
            fates[at] = "older", f"{winner.place} counts"
    return Settlement(_kept(filled.values(), [winner] if news else (), before), fates, news)


def resettle_attempts(
    said: Mapping[int, Submission],
    there: Sequence[Submission],
    duplicates: DuplicatePolicy,
    answered: AnsweredRows,
    order: Mapping[int, int],
) -> Settlement:
    """Weigh all that was ever said to one part as if it came now: which readings count has changed.

    What a person has read of a reply still holds where the same one counts again.

    - `there`: all submissions, the oldest first.
    - `order`: the readings that count, in the order in which their files first came.
    """
    before = [each for each in there if each.reading in order and not each.withdrawn]
    raw = (each for each in before if each.place != READ_BY_PERSON)
    plain = (each if _is_alone(each) else each._replace(contested="", aside=False) for each in raw)
    last, heard, read = None, None, dict[object, Submission]()
    for last in (each for each in there if not each.aside):
        if last.place == READ_BY_PERSON:
            read[heard] = last
        else:
            heard = _decisive(last)
    readings: dict[tuple[str, ...], Submission] = {}
    for each in sorted((*plain, *said.values()), key=lambda each: order[each.reading]):
        readings.setdefault(_heard(each), each)
    if not readings:
        gone = last is not None and not last.withdrawn
        left = [last._replace(reply="", contested=WITHDRAWN, place="")] if last and gone else []
        return Settlement(left, {}, gone)
    outcome = settle_attempts(dict(enumerate(readings.values())), (), duplicates, answered)
    counting = [each for each in outcome.submissions if not each.aside]
    if looked := read.get(_decisive(counting[-1])):
        counting.append(counting[-1]._replace(reply=looked.reply, contested="", place=READ_BY_PERSON))
    news = last is None or last.reading not in order or _decisive(last) != _decisive(counting[-1])
    numbers = {what: number for number, what in enumerate(readings)}
    became = {at: outcome.fates.get(numbers[_heard(each)]) for at, each in said.items()}
    fates = {at: fate for at, fate in became.items() if fate is not None and (news or fate[0] != "taken")}
    return Settlement(_kept(said.values(), counting if news else (), before), fates, news)


def _kept(
    said: Iterable[Submission], counting: Sequence[Submission], before: Sequence[Submission]
) -> list[Submission]:
    """What is appended of some replies, in the order in which they came.

    Those that count do so, the others are kept aside; what is known from the same reading is not kept again.
    """
    known = set(map(_heard, before))
    counts = {_heard(each): each for each in counting}
    kept = []
    for each in said:
        if (what := _heard(each)) in counts:
            kept.append(counts.pop(what))
        elif what not in known and each.reply.strip():
            kept.append(each._replace(aside=True))
        known.add(what)
    return [*kept, *counts.values()]


def _is_alone(submission: Submission) -> bool:
    """Whether a reply is contested with itself, whatever others there are."""
    return submission.contested.startswith(
        (TURNED_INTO_DATE, UNDECIDED_SCAN, UNREADABLE_BLANK, UNKNOWN_VARIANT)
    )


def _is_open(submission: Submission) -> bool:
    """Whether it cannot be told what was replied, so that any other reply says more."""
    return submission.contested.startswith((TURNED_INTO_DATE, UNDECIDED_SCAN, UNKNOWN_VARIANT))


def _undecided(before: Sequence[Submission]) -> tuple[Submission, ...]:
    """The replies to one part that stand against a new one: the last, and those it is contested with."""
    found = []
    for each in reversed(before):
        if not _is_open(each):
            found.append(each)
        if not each.contested or each.contested.startswith(UNREADABLE_BLANK):
            break
    return tuple(reversed(found))


def _decisive(submission: Submission) -> tuple[str, str, str]:
    """What decides the mark of a reply."""
    return submission.reply, submission.variant, submission.contested


def _said(submission: Submission) -> tuple[str, str, str]:
    """What makes a reply another one than before."""
    return submission.reply, submission.variant, submission.time


def _heard(submission: Submission) -> tuple[str, ...]:
    """What makes a reply another one than before, or the same one from another reading."""
    return (*_said(submission), str(submission.reading))


def _latest(candidates: Sequence[Submission]) -> Submission | None:
    """The reply that counts: the one later than all that differ from it; None when nothing says which."""
    timed: dict[bool, tuple[datetime, Submission]] = {}
    for each in candidates:
        time = read_time(each.time)
        if time is not None:
            zoned = time.tzinfo is not None
            if zoned not in timed or is_later(time, timed[zoned][0]):
                timed[zoned] = time, each
    if len({(each.reply, each.variant) for each in candidates}) == 1:
        return next((each for _, each in timed.values()), candidates[0])
    for time, latest in timed.values():
        others = [each for each in candidates if (each.reply, each.variant) != (latest.reply, latest.variant)]
        before = [read_time(each.time) for each in others]
        if all(other is not None and is_later(time, other) for other in before):
            return latest
    return None
