"""Answers to the messages of a page: JSON in both directions, with the documents of the commands."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from grader.base.catalogues import has_catalogue
from grader.base.phrases import ENGLISH, Language, Phrase
from grader.exercises.checking.judgement import Judgement, judge
from grader.exercises.checking.judgement_text import claim_text, cross_texts, judgement_summary
from grader.exercises.feedback import SEVERAL_NOTES, reveals_answer
from grader.pictures.node_words import spell_value
from grader.pictures.view import Names, View
from grader.solvers.explaining.steps import Account, explain
from grader.solvers.solution import Solution
from grader.solvers.solvable import Unsolvable
from grader.trees.rules import RulesError
from grader.trees.tree import Tree
from grader.web.messages.documents import Record, judgement_record, mark_record, record_text, solution_record
from grader.web.messages.guided_trace import (
    GuidedTrace,
    event_record,
    leaves_children_open,
    pseudocode,
)
from grader.web.messages.hints import hints
from grader.web.messages.message_fields import (
    ANOTHER_TYPE,
    MessageError,
    is_summary,
    message_error,
    read_marker,
    read_message,
    read_message_field,
    read_message_tree,
    read_rules,
    read_solution,
)
from grader.web.messages.minimax_steps import minimax_steps
from grader.web.messages.question_choice import PageQuestion, next_question
from grader.web.messages.question_records import question_record, tree_record

MAX_PAGE_NODES = 3_000
"""Larger trees are neither explained nor drawn: no page could show them."""

TOO_LARGE = Phrase("A tree of {count} nodes is too large to be explained step by step or drawn.")

FindQuestions = Callable[[str, str, int | None], Sequence[PageQuestion]]
"""(kind, level, place or None) -> questions, up to that place at least; there may be none."""


@dataclass(frozen=True, slots=True)
class MessageHandler:
    """Answers messages with the questions of a pool, in a language.

    A message may name another `language` by its code: then all of the answer is in that language, questions
    included. Otherwise a question is in the language in which it was written.
    """

    pool: FindQuestions = lambda _kind, _level, _place: ()
    language: Language = ENGLISH

    def reply(self, text: str) -> str:
        """Answer a message; both are JSON text. The answer to a faulty message has `errors`."""
        language = self.language
        try:
            message = read_message(text)
            language = self._language(message)
            return record_text(self.answer(message))
        except MessageError as error:
            errors = error.errors_in(language)
        return record_text({"schema": 1, "errors": errors})

    def answer(self, message: Mapping[str, Any]) -> Record:
        """Answer a message. Raises `MessageError`."""
        name = read_message_field(message, "ask", str)
        if name not in HANDLERS:
            hint = f"ask for one of {', '.join(HANDLERS)}"
            raise message_error(Phrase("{name} cannot be asked for."), hint, name=name[:40])
        try:
            return HANDLERS[name](replace(self, language=self._language(message)), message)
        except (Unsolvable, RulesError) as error:
            raise message_error(Phrase("{reason}."), reason=error.message) from None

    def _language(self, message: Mapping[str, Any]) -> Language:
        """Return the language of the answer to a message. Raises `MessageError` for an unknown code."""
        code = read_message_field(message, "language", str, self.language.code)
        if code == self.language.code:
            return self.language
        if not has_catalogue(code):
            raise message_error(ANOTHER_TYPE, "there is no such language", name="language")
        return Language.of(code)

    # About an exercise

    def _mark(self, message: Mapping[str, Any]) -> Record:
        """Return the mark of a reply: the document of `gametree mark --json`."""
        marker, feedback = read_marker(message)
        mark = marker.mark(read_message_field(message, "reply", str))
        return mark_record(marker.exercise, mark, feedback)

    def _remarks(self, message: Mapping[str, Any]) -> Record:
        """Return what to say of a reply, in two parts.

        - `own`, `missing`, `lead`, `diagnosis`: which of the student's own entries are correct, whether
          something is missing, and the misconceptions that explain the reply; no part of the key.
        - `remarks`: the reasons, one for all entries that share it; `why` is that of a correct answer.
        """
        marker, feedback = read_marker(message)
        mark = marker.mark(read_message_field(message, "reply", str))
        language = marker.exercise.public.terms.language
        own: dict[str, list[str]] = {}
        for item in mark.items:
            if item.reply:
                own.setdefault(item.verdict, []).append(marker.exercise.printed_entry(item.reply))
        return {
            "schema": 1,
            "own": [{"verdict": verdict, "items": items} for verdict, items in own.items()],
            "missing": any(item.verdict == "missing" for item in mark.items),
            "lead": language.say(SEVERAL_NOTES) if len(mark.notes) > 1 else "",
            "diagnosis": [] if reveals_answer(mark.notes) else list(feedback.diagnosis(mark)),
            "remarks": [
                {
                    "verdict": remark.verdict,
                    "items": [
                        marker.exercise.printed_entry(item.reply or item.right) for item in remark.items
                    ],
                    "nodes": [item.node for item in remark.items if item.node is not None],
                    "text": remark.text,
                }
                for remark in feedback.remarks(mark)
            ],
            "why": feedback.explanation(mark).first if mark.points == mark.maximum else "",
        }

    def _question(self, message: Mapping[str, Any]) -> Record:
        """Return the content of a page for an exercise."""
        return question_record(read_marker(message)[0].exercise)

    def _hint(self, message: Mapping[str, Any]) -> Record:
        """Return the hints so far for a reply, and whether one of them tells part of the answer."""
        marker, feedback = read_marker(message)
        number = max(1, read_message_field(message, "number", int))
        mark = marker.mark(read_message_field(message, "reply", str, ""))
        every = list(hints(feedback, mark))
        return {
            "schema": 1,
            "hints": [{"text": hint.text, "nodes": list(hint.nodes)} for hint in every[:number]],
            "tells": any(hint.tells for hint in every[:number]),
            "more": number < len(every),
        }

    def _answer(self, message: Mapping[str, Any]) -> Record:
        """Return the correct answer, as a reply and as it is printed, with the steps of the solution."""
        exercise = read_marker(message)[0].exercise
        return {
            "schema": 1,
            "reply": exercise.key,
            "answer": exercise.printed_key,
            "because": list(exercise.kind.worked_solution.deciding_steps(exercise.solved())),
            "steps": list(exercise.kind.worked_solution.steps(exercise.solved())),
        }

    def _next(self, message: Mapping[str, Any]) -> Record:
        """Return the next question: that at a `place` of the pool, or the best choice; see `_choose`."""
        kind, level = read_message_field(message, "kind", str), read_message_field(message, "level", str)
        place = read_message_field(message, "place", int) if "place" in message else None
        pool = self.pool(kind, level, place)
        if not pool:
            raise message_error(
                Phrase("There are no questions of the kind {name}."), "choose another kind", name=kind[:40]
            )
        record = pool[_chosen_place(message, pool) if place is None else place % len(pool)]
        return {
            "exercise": dict(record),
            "question": question_record(read_marker({**message, "exercise": dict(record)})[0].exercise),
        }

    def _choose(self, message: Mapping[str, Any]) -> Record:
        """Return the place of the next question in a `pool` of summaries.

        It is chosen by the `notes` on each reply so far, and by the exercises `seen` so far.
        """
        pool = read_message_field(message, "pool", list)
        if not pool or not all(is_summary(each) for each in pool):
            raise message_error(ANOTHER_TYPE, "pool is a list of summaries of questions", name="pool")
        return {"schema": 1, "place": _chosen_place(message, pool)}

    # About a tree

    def _tree(self, message: Mapping[str, Any]) -> Record:
        """Return the tree of a text."""
        return tree_record(read_message_tree(message), self.language)

    def _solve(self, message: Mapping[str, Any]) -> Record:
        """Return the document of `gametree solve --json`."""
        return solution_record(read_solution(message))

    def _check(self, message: Mapping[str, Any]) -> Record:
        """Return the document of `gametree check --json`."""
        return judgement_record(self._judgement(message))

    def _judge(self, message: Mapping[str, Any]) -> Record:
        """Return the judgement of a drawn tree with its sentences, and the marks in the picture."""
        judgement, language = self._judgement(message), self.language
        sentences = [[claim.right, claim_text(judgement, claim, language)] for claim in judgement.claims]
        sentences += [[is_right, text] for is_right, text in cross_texts(judgement, language)]
        tree, view = judgement.solution.tree, View.from_judgement(judgement, language)
        return {
            "schema": 1,
            "check": judgement_record(judgement),
            "told": sentences,
            "verdict": judgement_summary(judgement, language),
            "marks": [
                {
                    "node": node,
                    "claim": claim,
                    "cross": cross,
                    "value": None if value is None else spell_value(value, view.language),
                }
                for node, (claim, cross, value) in enumerate(
                    zip(view.claim_marks, view.cross_marks, view.values, strict=True)
                )
                if claim is not None or cross is not None
            ]
            if len(tree) == len(read_message_tree(message))
            else [],
        }

    def _explain(self, message: Mapping[str, Any]) -> Record:
        """Return every step of the search: its sentence, its events, and the changes in the picture.

        `is_open` says that after a step it has to be decided whether the other children are pruned.
        `minimax` has the steps of the search that prunes nothing.
        """
        # Imported here because it loads templates, which practising does not need.
        from grader.pictures.steps_page import step_views

        solution, account = self._explained_search(message)
        language, nodes = self.language, range(len(solution.tree))
        views = (View.question(solution.tree.bare(), language), *step_views(solution, account, language))
        ends = [0, *(step.events for step in account.steps)]
        trace = () if solution.search is None else solution.search.trace
        steps = [
            {
                "node": step.node,
                "words": step.words,
                "events": [event_record(event) for event in trace[first:last]],
                "is_open": any(
                    leaves_children_open(solution, place) for place in range(first, min(last, len(trace)))
                ),
                "values": {
                    node: spell_value(value, view.language)
                    for node in nodes
                    if (value := view.values[node]) is not None and value != before.values[node]
                },
                "windows": {
                    node: [spell_value(bound, view.language) for bound in window]
                    for node in nodes
                    if (window := view.windows[node]) is not None and window != before.windows[node]
                },
                "pruned": [node for node in nodes if view.pruned[node] and not before.pruned[node]],
            }
            for step, (before, view), (first, last) in zip(
                account.steps, pairwise(views), pairwise(ends), strict=True
            )
        ]
        is_searched = solution.search is not None
        return {
            **tree_record(solution.tree.bare(), language),
            "steps": steps,
            "lines": pseudocode(solution, language) if is_searched else [],
            "minimax": list(minimax_steps(solution, language)) if is_searched else [],
        }

    def _trace(self, message: Mapping[str, Any]) -> Record:
        """Return the tree, the questions about each step of its search, and the lines of the algorithm."""
        solution, account = self._explained_search(message)
        trace = self._guided_trace(solution)
        return {
            **tree_record(solution.tree.bare(), self.language),
            "steps": trace.records(account),
            "lines": pseudocode(solution, self.language),
        }

    def _trace_step(self, message: Mapping[str, Any]) -> Record:
        """Return the fault of an entry at a step of the guided trace; empty if it is correct."""
        trace = self._guided_trace(read_solution(message))
        number, entry = (
            read_message_field(message, "number", int),
            read_message_field(message, "entry", list, []),
        )
        if not 0 <= number < len(trace.steps):
            raise message_error(ANOTHER_TYPE, "number is the place of a step", name="number")
        if not all(isinstance(text, str) for text in entry):
            raise message_error(ANOTHER_TYPE, "entry is a list of texts", name="entry")
        to = read_message_field(message, "to", int) if message.get("to") is not None else None
        return {"schema": 1, "fault": trace.fault(number, entry, to)}

    def _explained_search(self, message: Mapping[str, Any]) -> tuple[Solution, Account]:
        """Return a solution with its steps. Raises `MessageError` if the tree is too large for a page."""
        solution = read_solution(message)
        _require_page_size(solution.tree)
        return solution, explain(solution, self.language)

    def _guided_trace(self, solution: Solution) -> GuidedTrace:
        """Return the search of a solution, step by step. Raises `MessageError` if there is no alpha-beta."""
        search = solution.search
        if search is None or not search.trace:
            raise message_error(Phrase("This tree has no alpha-beta search to be run step by step."))
        return GuidedTrace.of(solution, search, self.language)

    def _svg(self, message: Mapping[str, Any]) -> Record:
        """Return the picture: as drawn, judged, or with the solution and perhaps its windows."""
        from grader.pictures.svg import svg  # loads templates, which practising does not need

        tree, content = read_message_tree(message), read_message_field(message, "show", str, "drawn")
        _require_page_size(tree)
        view = View.question(tree, self.language)
        if content == "judged":
            judgement = self._judgement(message)
            tree, view = judgement.solution.tree, View.from_judgement(judgement, self.language)
        elif content in ("solution", "windows"):
            solution = read_solution(message)
            tree = solution.tree
            view = View.solution(solution, windows=content == "windows", language=self.language)
        elif content != "drawn":
            raise message_error(ANOTHER_TYPE, "show is drawn, judged, solution or windows", name="show")
        # A drawing has the names that were given; sentences about a solution also speak of other nodes.
        names: Names = "given" if content in ("drawn", "judged") else "all"
        return {"schema": 1, "svg": svg(tree, view=view, names=names)}

    def _latex(self, message: Mapping[str, Any]) -> Record:
        """Return a LaTeX document with the tree as drawn."""
        from grader.pictures.latex import latex  # loads templates, which practising does not need

        tree = read_message_tree(message)
        _require_page_size(tree)
        return {"schema": 1, "latex": latex(tree, view=View.question(tree, self.language), names="given")}

    def _judgement(self, message: Mapping[str, Any]) -> Judgement:
        """Return the judgement of the drawn tree of a message.

        Raises `MessageError` if `pruning` is neither missing nor true or false.
        """
        tree = read_message_tree(message)
        pruning = message.get("pruning")
        if pruning is not None and not isinstance(pruning, bool):
            raise message_error(ANOTHER_TYPE, "it is true or false", name="pruning")
        return judge(tree, read_rules(tree, message), pruning=pruning, language=self.language)


HANDLERS: Mapping[str, Callable[[MessageHandler, Mapping[str, Any]], Record]] = {
    "mark": MessageHandler._mark,
    "remarks": MessageHandler._remarks,
    "question": MessageHandler._question,
    "hint": MessageHandler._hint,
    "answer": MessageHandler._answer,
    "next": MessageHandler._next,
    "choose": MessageHandler._choose,
    "tree": MessageHandler._tree,
    "solve": MessageHandler._solve,
    "check": MessageHandler._check,
    "judge": MessageHandler._judge,
    "explain": MessageHandler._explain,
    "trace": MessageHandler._trace,
    "trace_step": MessageHandler._trace_step,
    "svg": MessageHandler._svg,
    "latex": MessageHandler._latex,
}
"""Value of `ask` in a message -> the method that answers it."""


def _require_page_size(tree: Tree) -> None:
    """Raise `MessageError` if a tree is too large for a page."""
    if len(tree) > MAX_PAGE_NODES:
        raise message_error(TOO_LARGE, count=str(len(tree)))


def _chosen_place(message: Mapping[str, Any], pool: Sequence[PageQuestion]) -> int:
    """Return the place of the next question in the pool, by the notes and exercises seen before.

    Raises `MessageError` if these are not lists of texts.
    """
    notes, seen_ids = read_message_field(message, "notes", list), read_message_field(message, "seen", list)
    if not all(isinstance(codes, list) and all(isinstance(code, str) for code in codes) for codes in notes):
        raise message_error(ANOTHER_TYPE, "notes are lists of codes", name="notes")
    if not all(isinstance(each, str) for each in seen_ids):
        raise message_error(ANOTHER_TYPE, "seen is a list of exercises", name="seen")
    return next_question(pool, notes, seen_ids, read_message_field(message, "start", int))
