"""Which question comes next: one that tells the mistake apart which a student makes most."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

RECENT_REPLIES = 12
"""So many of the latest replies say what mistake a student makes; whoever has got over one is let go."""

PageQuestion = Mapping[str, Any]
"""The record of an exercise, as `grader.exercises.exercise.Exercise.to_json` makes it."""


def separates_belief(exercise: PageQuestion, belief: str) -> bool:
    """Whether a reply by this belief is neither the right answer nor that of another belief."""
    replies = {code.rpartition(".")[2]: reply for code, reply in exercise["beliefs"].items()}
    return belief in replies and list(replies.values()).count(replies[belief]) == 1


def most_frequent_belief(notes: Sequence[Sequence[str]]) -> str:
    """The belief that explains most of the latest replies, the later one of two; empty where none does.

    `notes` are the codes of the notes of each reply, the latest reply last.
    """
    counts: Counter[str] = Counter()
    for codes in reversed(notes[-RECENT_REPLIES:]):
        counts.update(list(dict.fromkeys(code.rpartition(".")[2] for code in codes)))
    return max(counts, key=lambda belief: counts[belief], default="")


def next_question(
    pool: Sequence[PageQuestion], notes: Sequence[Sequence[str]], seen: Sequence[str], start: int = 0
) -> int:
    """The place of the next question in a pool that is not empty.

    Those come first that tell the most frequent mistake apart, of these the ones seen least often, and
    never the same twice in a row while there is another. `start` is where in the pool a student begins.
    """
    belief, times = most_frequent_belief(notes), Counter(seen)

    def rank(place: int) -> tuple[bool, bool, int, int]:
        exercise = pool[place]
        return (
            exercise["id"] in seen[-1:],
            bool(belief) and not separates_belief(exercise, belief),
            times[exercise["id"]],
            (place - start) % len(pool),
        )

    return min(range(len(pool)), key=rank)
