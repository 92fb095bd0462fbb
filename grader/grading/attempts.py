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
"""Which reply counts when times do not decide: a person is asked, or the first or the last to arrive."""


AttemptOutcome: TypeAlias = Literal["taken", "older", "contested"]
"""What became of a row, judged by one part."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """The decision about one part.

    - `submissions`: the submissions to append, in this order.
    - `outcomes`: row index -> the outcome and its reason; for a contested row the reason is the places of
      the replies that differ. Rows that change nothing are left out.
    - `is_changed`: whether a different reply counts than before.
    """

    submissions: Sequence[Submission] = ()
    outcomes: Mapping[int, tuple[AttemptOutcome, str]] = field(default_factory=dict)
    is_changed: bool = False


AnsweredRows: TypeAlias = Set[tuple[int, str]]
"""The readings and places of a student's rows in which at least one part is answered."""


def conflict_reason(parts: Sequence[str], places: str) -> str:
    """Return why the replies to some parts are contested: replies at these places differ."""
    return f"different replies of one student to {ENGLISH.join_and(list(parts))}: {places}"[
        :MAX_CONFLICT_REASON_LENGTH
    ]


def settle_attempts(
    rows: Mapping[int, Submission],
    stored: Sequence[Submission],
    duplicates: DuplicatePolicy,
    answered: AnsweredRows,
) -> Settlement:
    """Decide which reply to one part counts, given a student's new rows by index and the stored submissions.

    1. What a person has read replaces everything stored before it.
    2. A blank never replaces a reply to the same variant. It counts as a reply only in an attempt at another
       variant, which counts as a whole.
    3. A row of an unknown variant is dropped when another reply has its time: both are the same attempt.
    4. If no row has a reply, the first blank is stored only if nothing counts yet, or if it is a scan
       to look at and a plain blank counts.
    5. A reply that is stored already raises no question again. Rows without a new reply change nothing, and
       an open conflict stays open. (With neither `ask` nor a person's
       reading, all replies are compared again.)
    6. The new replies compete with the one that counts and with those in conflict with it. The latest wins
       if it is later than all replies that differ from it.
    7. If no reply is the latest, `ask` makes all new replies contested; otherwise the first or the last wins.
    8. Rows of the winner are `taken` if it did not count before; new rows that say otherwise are `older`.
    """
    current = next((each for each in reversed(stored) if not each.aside), None)

    # 1. What a person has read replaces everything before it.
    readings_by_person = [index for index, each in enumerate(stored) if each.place == READ_BY_PERSON]
    recent = stored[readings_by_person[-1] :] if readings_by_person else stored

    # 2. Blanks count as replies only in an attempt at another variant.
    variants = {each.variant for each in (*stored, *rows.values()) if each.reply.strip()}

    def is_reply(submission: Submission) -> bool:
        if submission.reply.strip():
            return True
        is_other_variant = bool(variants) and submission.variant not in variants
        return is_other_variant and (submission.reading, submission.place) in answered

    stored = [each for each in stored if is_reply(each)]
    recent = [each for each in recent if is_reply(each)]
    counting = [each for each in recent if not each.aside]

    # 3. A row of an unknown variant may be the same attempt as another reply.
    replies = {index: row for index, row in rows.items() if is_reply(row)}
    known_variants = (each for each in (*counting, *replies.values()) if not _has_unknown_variant(each))
    times = {each.time for each in known_variants} - {""}
    replies = {
        index: row for index, row in replies.items() if not (_has_unknown_variant(row) and row.time in times)
    }

    # 4. No row has a reply.
    if not replies:
        index, blank = next(iter(rows.items()))
        is_plain_blank = current is not None and not current.contested and not current.reply.strip()
        if current is None or (is_plain_blank and blank.contested.startswith(UNDECIDED_SCAN)):
            return Settlement([blank], {index: ("taken", "")}, is_changed=True)
        return Settlement()

    # 5. No row has a new reply. Of equal new replies the first is kept, in the order of the last ones.
    stored_attempts = set(map(_attempt, stored))
    first_by_attempt = {_attempt(row): row for row in reversed(replies.values())}
    new = [row for key, row in reversed(first_by_attempt.items()) if key not in stored_attempts]
    competing = new if duplicates == "ask" or readings_by_person else [*replies.values()]
    if not competing:
        conflict = ""
        if current is not None and not _is_contested_alone(current):
            conflict = current.contested.removeprefix(conflict_reason([current.question], ""))
        outcomes: dict[int, tuple[AttemptOutcome, str]] = {}
        if conflict:
            outcomes[next(iter(replies))] = "contested", conflict
        return Settlement(_to_append(replies.values(), (), stored), outcomes)

    # 6. The latest reply wins.
    candidates = (*_conflicting(counting), *competing)
    winner = _latest(candidates)

    # 7. Times do not decide.
    if winner is None and duplicates == "ask":
        places = " and ".join(dict.fromkeys(each.place for each in candidates))
        places += ", now and before" if " and " not in places else ""
        reason = conflict_reason([candidates[0].question], places)
        contested = [row._replace(contested=reason) for row in new]
        return Settlement(
            _to_append(replies.values(), contested, stored), dict.fromkeys(replies, ("contested", places))
        )
    if winner is None:
        arrived = [*(each for each in recent if not _is_undecided(each)), *competing]
        winner = arrived[0 if duplicates == "first" else -1]

    # 8. The winner counts.
    if not _is_contested_alone(winner):
        winner = winner._replace(contested="", aside=False)
    is_changed = current is None or marked_content(current) != marked_content(winner)
    outcomes = {}
    for index, row in replies.items():
        if is_changed and (row.reading, row.place) == (winner.reading, winner.place):
            outcomes[index] = "taken", ""
        elif row.reply != winner.reply and row in new:
            outcomes[index] = "older", f"{winner.place} counts"
    return Settlement(
        _to_append(replies.values(), [winner] if is_changed else (), stored), outcomes, is_changed
    )


def resettle_attempts(
    rows: Mapping[int, Submission],
    stored: Sequence[Submission],
    duplicates: DuplicatePolicy,
    answered: AnsweredRows,
    order: Mapping[int, int],
) -> Settlement:
    """Decide as if every reply to one part came now, because other readings of the files count than before.

    1. Replies from readings that no longer count are dropped; if none is left, the last one is withdrawn.
    2. The others are settled in the order in which their files first came, and without their old conflicts.
    3. What a person has read still holds if the reply that was read counts again.

    - `stored`: all submissions, the oldest first.
    - `order`: the readings that count -> their places in that order.
    """
    current_readings = [each for each in stored if each.reading in order and not each.withdrawn]
    as_read = (each for each in current_readings if each.place != READ_BY_PERSON)
    unsettled = (
        each._replace(contested=each.contested if _is_contested_alone(each) else "", aside=False)
        for each in as_read
    )
    last, last_marked, read_by_person = None, None, dict[object, Submission]()
    for last in (each for each in stored if not each.aside):
        if last.place == READ_BY_PERSON:
            read_by_person[last_marked] = last
        else:
            last_marked = marked_content(last)
            read_by_person.pop(last_marked, None)  # the reading was taken back
    attempts: dict[tuple[str, ...], Submission] = {}
    for each in sorted((*unsettled, *rows.values()), key=lambda each: order[each.reading]):
        attempts.setdefault(_attempt_of_reading(each), each)
    if not attempts:
        if last is None or last.withdrawn:
            return Settlement()
        return Settlement([last._replace(reply="", contested=WITHDRAWN, place="")], is_changed=True)
    settlement = settle_attempts(dict(enumerate(attempts.values())), (), duplicates, answered)
    counting = [each for each in settlement.submissions if not each.aside]
    if reading := read_by_person.get(marked_content(counting[-1])):
        counting.append(counting[-1]._replace(reply=reading.reply, contested="", place=READ_BY_PERSON))
    is_changed = (
        last is None or last.reading not in order or marked_content(last) != marked_content(counting[-1])
    )
    indices = {attempt: index for index, attempt in enumerate(attempts)}
    outcomes: dict[int, tuple[AttemptOutcome, str]] = {}
    for index, row in rows.items():
        outcome = settlement.outcomes.get(indices[_attempt_of_reading(row)])
        if outcome is not None and (is_changed or outcome[0] != "taken"):
            outcomes[index] = outcome
    return Settlement(
        _to_append(rows.values(), counting if is_changed else (), current_readings), outcomes, is_changed
    )


def _to_append(
    rows: Iterable[Submission], counting: Sequence[Submission], stored: Sequence[Submission]
) -> list[Submission]:
    """Return the submissions to append for some rows, in the order of the rows.

    Rows that are not among the `counting` ones are kept aside, unless the same reading has stored them.
    """
    stored_attempts = set(map(_attempt_of_reading, stored))
    counting_by_attempt = {_attempt_of_reading(each): each for each in counting}
    submissions = []
    for row in rows:
        attempt = _attempt_of_reading(row)
        if attempt in counting_by_attempt:
            submissions.append(counting_by_attempt.pop(attempt))
        elif attempt not in stored_attempts and row.reply.strip():
            submissions.append(row._replace(aside=True))
        stored_attempts.add(attempt)
    return [*submissions, *counting_by_attempt.values()]


def is_conflict(submission: Submission) -> bool:
    """Return whether a reply is contested because another one of the student differs."""
    return bool(submission.contested) and not _is_contested_alone(submission)


def conflicting_replies(stored: Sequence[Submission]) -> Sequence[Submission]:
    """Return the replies between which the student's reply to a part is contested, the oldest first."""
    return _conflicting([each for each in stored if not each.aside and each.reply.strip()])


def _is_contested_alone(submission: Submission) -> bool:
    """Return whether a reply is contested by itself, and not because another one differs."""
    return submission.contested.startswith(UNREADABLE_BLANK) or _is_undecided(submission)


def _is_undecided(submission: Submission) -> bool:
    """Return whether the student's reply is unknown, so that any other reply replaces it."""
    return submission.contested.startswith((TURNED_INTO_DATE, UNDECIDED_SCAN, UNKNOWN_VARIANT))


def _has_unknown_variant(submission: Submission) -> bool:
    return submission.contested.startswith(UNKNOWN_VARIANT)


def _conflicting(counting: Sequence[Submission]) -> tuple[Submission, ...]:
    """Return the replies that a new one competes with: the last, and those it is contested with.

    An undecided reply does not compete, because any other one replaces it.
    """
    competitors = []
    for each in reversed(counting):
        if not _is_undecided(each):
            competitors.append(each)
        if not each.contested or each.contested.startswith(UNREADABLE_BLANK):
            break
    return tuple(reversed(competitors))


def marked_content(submission: Submission) -> tuple[str, str, str]:
    """Return the fields of a submission that decide its mark."""
    return submission.reply, submission.variant, submission.contested


def _attempt(submission: Submission) -> tuple[str, ...]:
    """Return the fields in which two attempts differ; one that is no longer undecided is another one."""
    return submission.reply, submission.variant, submission.time, str(_is_undecided(submission))


def _attempt_of_reading(submission: Submission) -> tuple[str, ...]:
    """Return the fields in which two attempts, or two readings of one, differ."""
    return (*_attempt(submission), str(submission.reading))


def _latest(candidates: Sequence[Submission]) -> Submission | None:
    """Return the reply that is later than all that differ from it, or None where times do not decide.

    Times with and without a zone cannot be compared, so there is a latest one of each.
    """
    latest_by_zoned: dict[bool, tuple[datetime, Submission]] = {}
    for each in candidates:
        time = read_time(each.time)
        if time is not None:
            is_zoned = time.tzinfo is not None
            if is_zoned not in latest_by_zoned or is_later(time, latest_by_zoned[is_zoned][0]):
                latest_by_zoned[is_zoned] = time, each
    if len({(each.reply, each.variant) for each in candidates}) == 1:
        return next((each for _, each in latest_by_zoned.values()), candidates[0])
    for time, latest in latest_by_zoned.values():
        others = [each for each in candidates if (each.reply, each.variant) != (latest.reply, latest.variant)]
        if all((other := read_time(each.time)) is not None and is_later(time, other) for each in others):
            return latest
    return None
