"""Which of several replies of one student to one part counts, and what becomes of the others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from grader.marking.entries import DATED, UNREAD, UNTOLD, Submission
from grader.marking.submissions.times import later, read_time

LONGEST_REASON = 300

Duplicates: TypeAlias = Literal["ask", "first", "last"]
"""Which counts of different replies where no times say: it is asked, or the first, or the last to come."""


@dataclass(slots=True)
class Weighed:
    """What came out for one part.

    - `ready`: what is to be appended, in this order.
    - `fates`: what became of the rows, by place: their fate, or `taken`, and why.
    - `news`: whether another reply counts now than before.
    """

    ready: list[Submission] = field(default_factory=list)
    fates: dict[int, tuple[Literal["taken", "older", "contested"], str]] = field(default_factory=dict)
    news: bool = False


def weigh(said: Mapping[int, Submission], before: Sequence[Submission], duplicates: Duplicates) -> Weighed:
    """Weigh what some rows of a student, by place, say to one part, after all that came before.

    A blank never takes the place of a reply. Of different replies the latest counts; where times do
    not tell, what `duplicates` says. What was there before raises no question again.
    """
    weighed = Weighed()
    counted = [each for each in before if not each.aside]
    current = counted[-1] if counted else None
    times = {each.time for each in counted if not each.contested.startswith(UNTOLD)} - {""}
    filled = {
        at: each
        for at, each in said.items()
        if each.reply.strip() and not (each.contested.startswith(UNTOLD) and each.time in times)
    }
    if not filled:
        if current is None:
            at, blank = next(iter(said.items()))
            weighed.ready.append(blank)
            weighed.fates[at] = "taken", ""
            weighed.news = True
        return weighed
    known = set(map(_said, before))
    once = {_said(each): each for each in reversed(filled.values())}
    fresh = [each for what, each in reversed(once.items()) if what not in known]
    asked = duplicates == "ask"
    if asked and not fresh:
        if current is not None and current.contested and not _is_alone(current):
            weighed.fates[next(iter(filled))] = "contested", current.contested
        return weighed
    candidates = (*_undecided(counted), *(fresh if asked else filled.values()))
    winner = _latest(candidates)
    if winner is None and asked:
        places = " and ".join(dict.fromkeys(each.place for each in candidates))
        why = f"different replies of one student to {candidates[0].question}: {places}"[:LONGEST_REASON]
        weighed.ready += [each._replace(contested=why) for each in fresh]
        weighed.fates = dict.fromkeys(filled, ("contested", why))
        return weighed
    if winner is None:
        arrived = [each for each in before if each.reply.strip() and not _is_open(each)]
        arrived += filled.values()
        winner = arrived[0 if duplicates == "first" else -1]
        weighed.ready += [each._replace(aside=True) for each in fresh if each is not winner]
    if not _is_alone(winner):
        winner = winner._replace(contested="", aside=False)
    weighed.news = current is None or _settled(current) != _settled(winner)
    if weighed.news:
        weighed.ready.append(winner)
    for at, each in filled.items():
        if weighed.news and each.place == winner.place:
            weighed.fates[at] = "taken", ""
        elif each.reply != winner.reply and each in fresh:
            weighed.fates[at] = "older", f"{winner.place} counts"
    return weighed


def _is_alone(submission: Submission) -> bool:
    """Whether a reply is contested with itself, whatever others there are."""
    return submission.contested.startswith((DATED, UNREAD, UNTOLD))


def _is_open(submission: Submission) -> bool:
    """Whether it cannot be told what was replied, so that any other reply says more."""
    return submission.contested.startswith((DATED, UNTOLD))


def _undecided(before: Sequence[Submission]) -> tuple[Submission, ...]:
    """The replies to one part that stand against a new one: the last, and those it is contested with."""
    found = []
    for each in reversed(before):
        if each.reply.strip() and not _is_open(each):
            found.append(each)
        if not each.contested or each.contested.startswith(UNREAD):
            break
    return tuple(reversed(found))


def _settled(submission: Submission) -> tuple[str, str, str]:
    """What decides the mark of a reply."""
    return submission.reply, submission.variant, submission.contested


def _said(submission: Submission) -> tuple[str, str, str]:
    """What makes a reply another one than before."""
    return submission.reply, submission.variant, submission.time


def _latest(candidates: Sequence[Submission]) -> Submission | None:
    """The reply that counts: the latest, or the only one; None when nothing says which."""
    latest, alike = candidates[0], len({(each.reply, each.variant) for each in candidates}) == 1
    for each in candidates[1:]:
        if _said(each) == _said(latest):
            continue
        time, other = read_time(each.time), read_time(latest.time)
        after = None if time is None or other is None or time == other else later(time, other)
        if after is None and not alike:
            return None
        latest = each if after else latest
    return latest
