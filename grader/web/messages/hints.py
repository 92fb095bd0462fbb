"""Hints towards an answer: first about what the student wrote, then what decides the answer."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from grader.answers.form import ItemVerdict
from grader.base.phrases import Phrase, paragraph
from grader.exercises.feedback import Feedback, Remark, reveals_answer
from grader.exercises.marking import Mark
from grader.questions.reasons import bottom_up_nodes, value_steps
from grader.solvers.solvable import Unsolvable

LOOK_AGAIN = Phrase("Look again at this part of your answer: {items}.")
INCOMPLETE = Phrase("Everything that you wrote is correct, but something is missing.")
OWN_MISTAKES: frozenset[ItemVerdict] = frozenset(("wrong", "extra", "partly"))
"""The verdicts on entries that a student has to change."""


@dataclass(frozen=True, slots=True)
class Hint:
    """One hint: its text, the nodes it is about, and whether it tells a part of the answer."""

    text: str
    nodes: tuple[int, ...] = ()
    tells: bool = False


def hints(feedback: Feedback, mark: Mark) -> Iterator[Hint]:
    """Yield the hints for a reply, which may be blank, from the faintest to the last step that decides.

    1. For a reply that cannot be marked, how to write an answer.
    2. For a marked one, the entry to look at again, and the likely misconception.
    3. The reason why the first mistake is one, if there are other entries or crosses; of a single
       answer it would tell everything.
    4. The steps that decide the answer.
    """
    exercise, language = feedback.exercise, feedback.exercise.public.terms.language
    form = exercise.kind.form
    first = None
    if mark.points is None:
        example = language.say("For example: {reply}", reply=language.reply(form.example))
        yield Hint(paragraph(form.instruction(language), example))
    elif mark.points != mark.maximum:
        first = _leading_remark(feedback, mark)
        own = first is not None and first.verdict in OWN_MISTAKES
        if first is not None and own:
            items = language.join_and([exercise.printed_entry(item.reply) for item in first.items])
            yield Hint(language.say(LOOK_AGAIN, items=items), _nodes(first))
        elif any(item.reply for item in mark.items):
            yield Hint(language.say(INCOMPLETE))
        if not reveals_answer(mark.notes) and (diagnosis := feedback.explanation(mark).diagnosis):
            yield Hint(paragraph(*diagnosis))
    steps = exercise.kind.worked_solution.deciding_steps(exercise.solved())
    reason, has_parts = "", len({item.right for item in mark.items}) > 1
    if first is not None and first.text and (has_parts or not steps):
        reason = first.text
        yield Hint(reason, _nodes(first), tells=True)
    nodes = _nodes_of_steps(feedback)
    for number, step in enumerate(steps, 1):
        # Only the last step tells a single number; each step tells an entry or a cross.
        tells = number == len(steps) or bool(form.screen_input)
        if step.partition(". ")[0] not in reason:  # which has told it
            yield Hint(step, (nodes[step],) if step in nodes else (), tells)


def _leading_remark(feedback: Feedback, mark: Mark) -> Remark | None:
    """Return the remark that the first hint is about; None if nothing is incorrect or missing.

    1. The mistake that the explanation begins with, if it is an entry to change (`OWN_MISTAKES`).
    2. Else the first entry to change.
    3. If there is none, the first remark on a missing entry.
    """
    lost = [remark for remark in feedback.remarks(mark) if remark.verdict not in ("right", "follows")]
    own = [remark for remark in lost if remark.verdict in OWN_MISTAKES]
    leading = feedback.explanation(mark).first
    return next((remark for remark in own if remark.text == leading), next(iter(own or lost), None))


def _nodes(remark: Remark) -> tuple[int, ...]:
    return tuple(item.node for item in remark.items if item.node is not None)


def _nodes_of_steps(feedback: Feedback) -> Mapping[str, int]:
    """Return the node of each sentence about a value or a search that can be a step of the solution.

    Empty if the solution has steps of its own.
    """
    exercise = feedback.exercise
    solved = exercise.solved()
    if not solved.tree.internal or len(solved.values) != len(solved.tree):
        return {}  # the question is about no tree, or about a tree without values
    try:
        if exercise.kind.depends_on_search:
            return {step.words: step.node for step in solved.account.steps}
        return dict(zip(value_steps(solved), bottom_up_nodes(solved.tree), strict=True))
    except Unsolvable:  # some payoffs are unknown, and the solution has steps of its own
        return {}
