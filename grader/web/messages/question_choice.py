"""Choose the next question: one that identifies the student's most frequent misconception."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

RECENT_REPLIES = 12
"""The number of latest replies that count: a misconception that no longer occurs is forgotten."""

PageQuestion = Mapping[str, Any]
"""The record of an exercise from `grader.exercises.exercise.Exercise.to_json`."""


def separates_belief(exercise: PageQuestion, belief: str) -> bool:
    """Return if this belief leads to an answer that is not correct, and that no other belief leads to."""
    replies = {code.rpartition(".")[2]: reply for code, reply in exercise["beliefs"].items()}
    return belief in replies and list(replies.values()).count(replies[belief]) == 1


def most_frequent_belief(notes: Sequence[Sequence[str]]) -> str:
    """Return the belief that explains most of the latest replies, the latest one of equals; or "".

    `notes` are the codes of the notes of each reply, the latest reply last.
    """
    counts: Counter[str] = Counter()
    for codes in reversed(notes[-RECENT_REPLIES:]):  # `max` returns the first of equals
        counts.update(list(dict.fromkeys(code.rpartition(".")[2] for code in codes)))
    return max(counts, key=lambda belief: counts[belief], default="")


def next_question(
    pool: Sequence[PageQuestion], notes: Sequence[Sequence[str]], previous: Sequence[str], start: int = 0
) -> int:
    """Return the place of the next question in a pool that is not empty.

    `previous` are the ids of the questions so far. The next one is the best by these criteria, in order:

    1. It is not the latest question.
    2. It separates the most frequent belief.
    3. It has been asked least often.
    4. It is the first from `start` on.
    """
    belief, counts = most_frequent_belief(notes), Counter(previous)

    def rank(place: int) -> tuple[bool, bool, int, int]:
        exercise = pool[place]
        return (
            exercise["id"] in previous[-1:],
            bool(belief) and not separates_belief(exercise, belief),
            counts[exercise["id"]],
            (place - start) % len(pool),
        )

    return min(range(len(pool)), key=rank)
