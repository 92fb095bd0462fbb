"""What a page asks the grader, and its answers: one JSON message each way, the documents of the commands."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, TypeVar

from grader.base.phrases import ENGLISH, Language, Phrase, paragraph
from grader.exercises.checking.judgement import Judgement, judge
from grader.exercises.checking.judgement_text import claim_text, cross_texts, judgement_summary
from grader.exercises.exercise_file import read_exercise
from grader.exercises.feedback import SEVERAL_NOTES, Feedback
from grader.exercises.marking import Marker
from grader.pictures.node_words import spell_value
from grader.pictures.view import View
from grader.solvers.explaining.steps import explain
from grader.solvers.solution import Solution, solve
from grader.solvers.solvable import Unsolvable
from grader.trees.notation.diagnostics import Diagnostic, Diagnostics, diagnostic_in_language
from grader.trees.notation.reading import read_tree
from grader.trees.rules import CHOICES, Rules, RulesError
from grader.trees.tree import Tree
from grader.web.messages.documents import Record, judgement_record, mark_record, record_text, solution_record
from grader.web.messages.question_choice import PageQuestion, next_question
from grader.web.messages.question_records import question_record, tree_record

MAX_MESSAGE_LENGTH = 8 * 1024 * 1024
"""The most characters of a message."""

MAX_PAGE_NODES = 3_000
"""Trees of more nodes are not told step by step, nor drawn: no page would show anything of them."""

REFUSAL = Phrase("This cannot be done with this tree.")
"""What a page in another language than English says where a tree is too large, or not of the right sort."""

ANOTHER_TYPE = Phrase("In this message {name} is missing, or not what it should be.")
NO_JSON = Phrase("The message is no JSON object.")
TOO_LARGE = Phrase("A tree of {count} nodes is too large to be told step by step, or drawn.")

A = TypeVar("A")

QuestionSource = Callable[[str, str], Sequence[PageQuestion]]
"""The questions of a kind at a level; none where there are none."""


class MessageError(ValueError):
    """What cannot be answered; `errors_in` has the errors in a language."""

    def __init__(self, told: Callable[[Language], list[Record]]) -> None:
        super().__init__(*(error["message"] for error in told(ENGLISH)))
        self.errors_in = told


@dataclass(frozen=True, slots=True)
class MessageHandler:
    """Answers messages: with the questions of a pool, and in a language."""

    pool: QuestionSource
    language: Language = ENGLISH

    def reply(self, text: str) -> str:
        """The answer to a message, JSON text as both; what cannot be answered has `errors`."""
        try:
            return record_text(self.answer(_message(text)))
        except MessageError as error:
            errors = error.errors_in(self.language)
        except (Unsolvable, RulesError) as error:
            message = str(error)
            sentence = f"{message[:1].upper()}{message[1:]}."
            said = sentence if self.language == ENGLISH else self.language.say(REFUSAL)
            errors = [{"message": said, "hint": ""}]
        return record_text({"schema": 1, "errors": errors})

    def answer(self, message: Mapping[str, Any]) -> Record:
        """The answer to a message.

        Raises `MessageError`, `grader.trees.rules.RulesError` or `grader.solvers.solvable.Unsolvable`.
        """
        asked = _field(message, "ask", str)
        if asked not in HANDLERS:
            hint = f"ask for one of {', '.join(HANDLERS)}"
            raise _wrong(Phrase("{name} cannot be asked for."), hint, name=asked[:40])
        return HANDLERS[asked](self, message)

    # What is asked of an exercise

    def _mark(self, message: Mapping[str, Any]) -> Record:
        """One reply, marked: what `gametree mark --json` prints."""
        marker, feedback = _marker(message)
        mark = marker.mark(_field(message, "reply", str))
        return mark_record(marker.exercise, mark, feedback)

    def _remarks(self, message: Mapping[str, Any]) -> Record:
        """What is said about a reply, all that has one reason said once, and the mistakes behind it."""
        marker, feedback = _marker(message)
        mark = marker.mark(_field(message, "reply", str))
        language = marker.exercise.public.terms.language
        return {
            "schema": 1,
            "remarks": [
                {
                    "verdict": remark.verdict,
                    "items": [language.reply(item.said or item.right) for item in remark.items],
                    "text": remark.text,
                }
                for remark in feedback.remarks(mark)
            ],
            "lead": language.say(SEVERAL_NOTES) if len(mark.notes) > 1 else "",
            "diagnosis": list(feedback.diagnosis(mark)),
        }

    def _question(self, message: Mapping[str, Any]) -> Record:
        """What a page shows of an exercise."""
        return question_record(_marker(message)[0].exercise)

    def _hint(self, message: Mapping[str, Any]) -> Record:
        """The hints so far: how to write the answer, and then the steps of the solution."""
        exercise, number = _marker(message)[0].exercise, _field(message, "number", int)
        form, language = exercise.kind.form, exercise.public.terms.language
        example = language.say("For example: {reply}", reply=language.reply(form.example))
        hints = [
            paragraph(form.instruction(language), example),
            *exercise.kind.worked_solution.steps(exercise.solved()),
        ]
        return {"schema": 1, "hints": hints[: max(1, number)], "more": number < len(hints)}

    def _answer(self, message: Mapping[str, Any]) -> Record:
        """The right answer, as a reply and as people read it, and what decides it."""
        exercise = _marker(message)[0].exercise
        return {
            "schema": 1,
            "reply": exercise.key,
            "answer": exercise.printed_key,
            "because": list(exercise.kind.worked_solution.deciding_steps(exercise.solved())),
            "steps": list(exercise.kind.worked_solution.steps(exercise.solved())),
        }

    def _next(self, message: Mapping[str, Any]) -> Record:
        """The next question: `notes` are those of each reply so far, `seen` the exercises asked so far."""
        kind, level = _field(message, "kind", str), _field(message, "level", str)
        notes, seen = _field(message, "notes", list), _field(message, "seen", list)
        pool = self.pool(kind, level)
        if not pool:
            raise _wrong(
                Phrase("There are no questions of the kind {name}."), "choose another kind", name=kind[:40]
            )
        if not all(
            isinstance(codes, list) and all(isinstance(each, str) for each in codes) for codes in notes
        ):
            raise _wrong(ANOTHER_TYPE, "notes are lists of codes", name="notes")
        if not all(isinstance(each, str) for each in seen):
            raise _wrong(ANOTHER_TYPE, "seen is a list of exercises", name="seen")
        chosen = pool[next_question(pool, notes, seen, _field(message, "start", int))]
        return {
            "exercise": dict(chosen),
            "question": question_record(_exercise(json.dumps(chosen))[0].exercise),
        }

    # What is asked of a tree

    def _tree(self, message: Mapping[str, Any]) -> Record:
        """A text as a tree."""
        return tree_record(_read_tree(message), self.language)

    def _solve(self, message: Mapping[str, Any]) -> Record:
        """What `gametree solve --json` prints."""
        return solution_record(_solved(message))

    def _check(self, message: Mapping[str, Any]) -> Record:
        """What `gametree check --json` prints."""
        return judgement_record(self._judged(message))

    def _judge(self, message: Mapping[str, Any]) -> Record:
        """The same with sentences, and with the picture in which right and wrong are marked."""
        judgement, language = self._judged(message), self.language
        told = [[claim.right, claim_text(judgement, claim, language)] for claim in judgement.claims]
        told += [[right, words] for right, words in cross_texts(judgement, language)]
        tree, view = judgement.solution.tree, View.from_judgement(judgement, language)
        return {
            "schema": 1,
            "check": judgement_record(judgement),
            "told": told,
            "verdict": judgement_summary(judgement, language),
            "marks": [
                {
                    "node": node,
                    "claim": claim,
                    "cross": cross,
                    "value": None if value is None else spell_value(value, language),
                }
                for node, (claim, cross, value) in enumerate(
                    zip(view.claim_marks, view.cross_marks, view.values, strict=True)
                )
                if claim is not None or cross is not None
            ]
            if len(tree) == len(_read_tree(message))
            else [],
        }

    def _explain(self, message: Mapping[str, Any]) -> Record:
        """Every step of the search: its sentence, and what has changed in the picture since then."""
        from grader.pictures.steps_page import (
            step_views,  # which loads templates; who only practises does without
        )

        solution, language = _solved(message), self.language
        if len(solution.tree) > MAX_PAGE_NODES:
            raise _wrong(TOO_LARGE, count=str(len(solution.tree)))
        account = explain(solution, language)
        nodes = range(len(solution.tree))
        seen = (View.question(solution.tree.bare(), language), *step_views(solution, account, language))
        steps = [
            {
                "node": step.node,
                "words": step.words,
                "values": {
                    node: spell_value(value, language)
                    for node in nodes
                    if (value := view.values[node]) is not None and value != before.values[node]
                },
                "windows": {
                    node: [spell_value(bound, language) for bound in window]
                    for node in nodes
                    if (window := view.windows[node]) is not None and window != before.windows[node]
                },
                "pruned": [node for node in nodes if view.pruned[node] and not before.pruned[node]],
            }
            for step, (before, view) in zip(account.steps, pairwise(seen), strict=True)
        ]
        return {**tree_record(solution.tree.bare(), language), "steps": steps}

    def _svg(self, message: Mapping[str, Any]) -> Record:
        """The picture: as drawn, or with the solution, or with the windows of the search as well."""
        from grader.pictures.svg import svg  # which loads templates; who only practises does without

        tree, shown = _read_tree(message), _field(message, "show", str, "drawn")
        if len(tree) > MAX_PAGE_NODES:
            raise _wrong(TOO_LARGE, count=str(len(tree)))
        view = View.question(tree, self.language)
        if shown == "judged":
            judgement = self._judged(message)
            tree, view = judgement.solution.tree, View.from_judgement(judgement, self.language)
        elif shown in ("solution", "windows"):
            solution = _solved(message)
            tree = solution.tree
            view = View.solution(solution, windows=shown == "windows", language=self.language)
        elif shown != "drawn":
            raise _wrong(ANOTHER_TYPE, "show is drawn, judged, solution or windows", name="show")
        return {"schema": 1, "svg": svg(tree, view=view, names="all")}

    def _judged(self, message: Mapping[str, Any]) -> Judgement:
        tree = _read_tree(message)
        pruning = message.get("pruning")
        if pruning is not None and not isinstance(pruning, bool):
            raise _wrong(ANOTHER_TYPE, "it is true or false", name="pruning")
        return judge(tree, _rules(tree, message), pruning=pruning, language=self.language)


HANDLERS: Mapping[str, Callable[[MessageHandler, Mapping[str, Any]], Record]] = {
    "mark": MessageHandler._mark,
    "remarks": MessageHandler._remarks,
    "question": MessageHandler._question,
    "hint": MessageHandler._hint,
    "answer": MessageHandler._answer,
    "next": MessageHandler._next,
    "tree": MessageHandler._tree,
    "solve": MessageHandler._solve,
    "check": MessageHandler._check,
    "judge": MessageHandler._judge,
    "explain": MessageHandler._explain,
    "svg": MessageHandler._svg,
}
"""Everything that can be asked."""


# Reading messages ---------------------------------------------------------------------------------


def _wrong(sentence: Phrase, hint: str = "", **values: str) -> MessageError:
    def told(language: Language) -> list[Record]:
        message = language.say(sentence, **values)
        return [{"message": message, "hint": hint if language == ENGLISH else ""}]

    return MessageError(told)


def _faults(found: Diagnostics) -> MessageError:
    return MessageError(lambda language: [_fault(each, language) for each in found])


def _fault(fault: Diagnostic, language: Language) -> Record:
    message, hint = diagnostic_in_language(language, fault.code, fault.message, fault.hint)
    return fault.to_json() | {"message": message, "hint": hint}


def _message(text: str) -> Mapping[str, Any]:
    if len(text) > MAX_MESSAGE_LENGTH:
        raise _wrong(Phrase("The message is too long."))
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise _wrong(NO_JSON) from None
    if not isinstance(message, dict):
        raise _wrong(NO_JSON)
    return message


def _field(message: Mapping[str, Any], name: str, kind: type[A], default: A | None = None) -> A:
    value = message.get(name, default)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise _wrong(ANOTHER_TYPE, name=name)
    return value


def _marker(message: Mapping[str, Any]) -> tuple[Marker, Feedback]:
    # Notes are given in the order of the record's beliefs, so the keys keep their order.
    return _exercise(json.dumps(_field(message, "exercise", dict)))


@lru_cache(maxsize=256)
def _exercise(text: str) -> tuple[Marker, Feedback]:
    """What marks replies to an exercise; a student asks several times about one."""
    exercise = read_exercise(text)
    if isinstance(exercise, Diagnostics):
        raise _faults(exercise)
    return Marker(exercise), Feedback(exercise)


def _read_tree(message: Mapping[str, Any]) -> Tree:
    tree = read_tree(_field(message, "tree", str))
    if isinstance(tree, Diagnostics):
        raise _faults(tree)
    return tree


def _rules(tree: Tree, message: Mapping[str, Any]) -> Rules:
    """The rules of the header of a tree, and above them those of a message."""
    said = _field(message, "rules", dict, {})
    if not set(said) <= {*CHOICES, "depth"}:
        raise _wrong(ANOTHER_TYPE, f"there are {', '.join((*CHOICES, 'depth'))}", name="rules")
    depth = said.get("depth")
    if depth is not None and (not isinstance(depth, int) or isinstance(depth, bool)):
        raise _wrong(ANOTHER_TYPE, "it is a whole number", name="depth")
    return tree.rules(**said)


def _solved(message: Mapping[str, Any]) -> Solution:
    tree = _read_tree(message)
    return solve(tree, _rules(tree, message))
