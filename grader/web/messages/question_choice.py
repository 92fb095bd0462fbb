"""Choose the next question: one that tells the student's likely misconceptions apart."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

RECENT_REPLIES = 12
"""The number of latest replies that count: a misconception that no longer occurs is forgotten."""

PageQuestion = Mapping[str, Any]
"""The record of an exercise from `grader.exercises.exercise.Exercise.to_json`, or its `question_summary`."""


def question_summary(exercise: PageQuestion) -> dict[str, Any]:
    """Return what the choice needs of an exercise: its id, and which beliefs lead to the same reply."""
    replies = list(dict.fromkeys(exercise["beliefs"].values()))
    beliefs = {code: replies.index(reply) for code, reply in exercise["beliefs"].items()}
    return {"id": exercise["id"], "beliefs": beliefs}


def separates_belief(exercise: PageQuestion, *beliefs: str) -> bool:
    """Return whether these beliefs lead to one incorrect answer, which no other belief leads to."""
    replies = _replies_by_belief(exercise)
    own = {replies.get(belief) for belief in beliefs}
    others = {reply for belief, reply in replies.items() if belief not in beliefs}
    return len(own) == 1 and None not in own and not own & others


def belief_classes(pool: Sequence[PageQuestion]) -> list[tuple[str, ...]]:
    """Return the beliefs in classes: those of one class lead to the same reply to every exercise."""
    all_replies = [_replies_by_belief(exercise) for exercise in pool]
    classes: dict[tuple[Any, ...], list[str]] = {}
    for belief in dict.fromkeys(belief for replies in all_replies for belief in replies):
        classes.setdefault(tuple(replies.get(belief) for replies in all_replies), []).append(belief)
    return [tuple(beliefs) for beliefs in classes.values()]


def count_different_replies(exercise: PageQuestion, beliefs: Sequence[str]) -> int:
    """Return how many different replies to an exercise some beliefs lead to, the correct one among them."""
    replies = _replies_by_belief(exercise)
    return len({replies.get(belief) for belief in beliefs})


def likely_beliefs(notes: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the beliefs that explain most of the latest replies, those of the latest reply first.

    `notes` are the codes of the notes of each reply, the latest reply last. Beliefs that always occur
    together are all returned. Of beliefs that explain equally many replies, only those of the latest one are.
    """
    recent = [list(dict.fromkeys(map(_belief, codes))) for codes in notes[-RECENT_REPLIES:]]
    counts = Counter(belief for beliefs in recent for belief in beliefs)
    for beliefs in reversed(recent):
        found = tuple(belief for belief in beliefs if counts[belief] == max(counts.values()))
        if found:
            return found
    return ()


def next_question(
    pool: Sequence[PageQuestion], notes: Sequence[Sequence[str]], previous: Sequence[str], start: int = 0
) -> int:
    """Return the place of the next question in a pool that is not empty.

    `previous` are the ids of the questions so far. The next one is the best by these criteria, in order:

    1. It is not the latest question.
    2. It separates the likely belief, with those that nothing in the pool tells from it; or if several are
       likely, it divides them into the most groups.
    3. It has been asked least often.
    4. It is the first from `start` on.
    """
    beliefs, counts = likely_beliefs(notes), Counter(previous)
    classes = [each for each in belief_classes(pool) if not set(beliefs).isdisjoint(each)] if beliefs else []

    def rank(place: int) -> tuple[bool, int, int, int]:
        """Return a key that sorts the best question first, by the four criteria."""
        exercise = pool[place]
        groups = count_different_replies(exercise, beliefs)
        if len(classes) == 1:
            groups = separates_belief(exercise, *classes[0])
        return (
            exercise["id"] in previous[-1:],
            -groups,
            counts[exercise["id"]],
            (place - start) % len(pool),
        )

    return min(range(len(pool)), key=rank)


def _replies_by_belief(exercise: PageQuestion) -> Mapping[str, Any]:
    return {_belief(code): reply for code, reply in exercise["beliefs"].items()}


def _belief(code: str) -> str:
    return code.rpartition(".")[2]
