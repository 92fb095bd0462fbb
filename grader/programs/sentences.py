"""A verdict in words: the judgement, the notes, and the first step at which two searches differ."""

from collections.abc import Iterator, Mapping

from grader.base.phrases import ENGLISH, Language, Phrase, paragraph, plural_phrase
from grader.base.safe_text import safe_line
from grader.programs.mistake_sentences import MISTAKES
from grader.programs.reference import ExampleResult, Reference
from grader.programs.verdict import Comparison, Verdict
from grader.solvers.explaining.node_wording import node_list, value_text
from grader.solvers.explaining.steps import explain
from grader.solvers.solution import Solution, solve
from grader.trees.rules import Rules, Ties

_ENDINGS: Mapping[str, Phrase] = {
    "time": Phrase("The program did not finish within {seconds} seconds."),
    "crash": Phrase("The process of the program crashed or ran out of memory."),
    "memory": Phrase("The program ran out of memory."),
    "output": Phrase("The program printed too much and was ended."),
    "flood": Phrase("The program printed too much and was ended."),
    "exit": Phrase("The program ended itself instead of returning a value."),
    "stopped": Phrase("The program ended itself instead of returning a value."),
    "recursion": Phrase("The recursion of the program does not end."),
    "input": Phrase("The program waits for input, and there is none."),
    "syntax": Phrase("Python cannot read the file: {message}."),
    "python-2": Phrase("The file is written for Python 2, which is not supported: {message}."),
    "exception": Phrase("The program ended with an error: {message}."),
    "call": Phrase("The program does not keep to the interface: {message}."),
    "unwritten": Phrase("The function is not written yet: {names}."),
    "no-function": Phrase("The file has no function that fits the interface; its functions are: {names}."),
    "several": Phrase("Several functions fit, so one has to be chosen: {names}."),
    "nothing": Phrase("The program was not tried on any tree."),
}
"""Why a program has no verdict; `error` on a tree has the code of its own record."""

_NOTES: Mapping[str, Phrase] = {
    "repeats": Phrase("It evaluates some leaves more than once."),
    "fewer": Phrase("On some trees it visits fewer leaves than the reference, and its results are correct."),
    "ties-mixed": Phrase("It prunes on equality at some nodes and not at others."),
    "order": Phrase("It visits children in its own order, and prunes correctly in that order."),
    "generated": Phrase("It generates states that it never evaluates."),
    "stand-ins": Phrase("These modules are not here, so empty ones were used: {names}."),
    "events": Phrase("It tried to use other files, the network or processes, and was refused: {names}."),
    "uniform-depth": Phrase("It was tried only on trees whose leaves have one depth: it fails on others."),
}
"""Unusual behaviour that is correct."""

_CONVENTIONS: Mapping[tuple[str, str], Phrase] = {
    ("ties", "cut"): Phrase("It prunes when alpha equals beta."),
    ("ties", "keep"): Phrase("It does not prune when alpha equals beta."),
    ("returns", "soft"): Phrase("It is fail-soft: it also returns values outside the window."),
    ("returns", "hard"): Phrase(
        "It is fail-hard: instead of a value outside the window it returns the bound."
    ),
}


_CORRECT = plural_phrase(
    "The program is correct on {count} tree.", "The program is correct on {count} trees."
)


def verdict_sentences(verdict: Verdict, language: Language = ENGLISH) -> Iterator[str]:
    """Yield the sentences of the judgement; the notes are apart."""
    say = language.say
    count = len(verdict.comparisons)
    match verdict.cause:
        case "right":
            yield say(*_CORRECT, count)
            for kind, value in (("ties", verdict.followed_ties), ("returns", verdict.run.returns)):
                if value is not None and verdict.run.algorithm == "alpha-beta":
                    yield say(_CONVENTIONS[kind, value])
        case "mistake":
            if len(verdict.mistakes) > 1:
                yield say("Several mistakes would each explain everything that the program does.")
            for name in verdict.mistakes:
                yield say(MISTAKES[name].symptom)
                yield say(MISTAKES[name].correction)
                lines = [line for line in verdict.run.lines.get(name, ()) if isinstance(line, int)]
                if lines:
                    numbers = language.join_and(list(map(str, lines)))
                    yield say(
                        "This probably concerns line {lines} of the file.",
                        "This probably concerns lines {lines} of the file.",
                        len(lines),
                        lines=numbers,
                    )
        case "generated":
            yield say(
                "Values, moves and visits are correct, but it generates states that it never evaluates."
            )
            yield say("Generate a successor only when the search visits it.")
        case "no-answer":
            yield say("The program returns neither a value nor a move.")
        case "depth":
            yield say("The program evaluates nodes that are not at the depth limit.")
        case "unknown":
            yield say("No mistake that is known here explains what the program does.")
            yield from _shares(verdict, language)
        case _:
            yield from _ending(verdict, language)


def _shares(verdict: Verdict, language: Language) -> Iterator[str]:
    """Yield how often value, move and visits are correct."""
    count = len(verdict.comparisons)
    phrases = {
        "value": Phrase("The value is incorrect on {wrong} of {count} trees."),
        "move": Phrase("The move is incorrect on {wrong} of {count} trees."),
        "visits": Phrase("The visited leaves are incorrect on {wrong} of {count} trees."),
    }
    for part, phrase in phrases.items():
        wrong = sum(each.parts[part] is False for each in verdict.comparisons)
        if wrong:
            yield language.say(phrase, wrong=wrong, count=count)
    if all(
        each.is_result_right and each.reference.cut <= frozenset(each.attempt.visits)
        for each in verdict.comparisons
    ):
        yield language.say("It visits every leaf that alpha-beta visits, and more.")


def _ending(verdict: Verdict, language: Language) -> Iterator[str]:
    """Yield why there is no verdict, with the line of the program."""
    details: Mapping[str, object] = verdict.run.details
    cause = verdict.cause
    if cause == "error":
        details = next(record for record in verdict.run.trees.values() if "error" in record)
        cause = str(details["error"])
    names = details.get("names")
    listed = names if isinstance(names, list) else []
    yield language.say(
        _ENDINGS.get(cause, _ENDINGS["crash"]),
        seconds=verdict.run.seconds,
        message=safe_line(str(details.get("message", "")), 200),
        names=language.join_and([safe_line(str(name), 60) for name in listed]) or language.term("none"),
    )
    line = details.get("line")
    if cause == "exception" and "NoneType" in str(details.get("message", "")):
        yield language.say("Perhaps a return is missing: a function without one returns None.")
    if isinstance(line, int):
        yield language.say("See line {line} of the file.", line=line)


def note_sentences(verdict: Verdict, language: Language = ENGLISH) -> Iterator[str]:
    """Yield a sentence for each note."""
    listed = {"stand-ins": verdict.run.missing, "events": verdict.run.events}
    for note in verdict.notes:
        names = language.join_and([safe_line(name, 60) for name in listed.get(note, ())])
        yield language.say(_NOTES[note], names=names)


def sentence_of(verdict: Verdict, language: Language = ENGLISH) -> str:
    """Return the judgement in one paragraph."""
    return paragraph(*verdict_sentences(verdict, language))


def counterexample_title(verdict: Verdict, language: Language = ENGLISH) -> str:
    """Return the title above the tree that is shown for a verdict."""
    if verdict.ruling == "unfinished":
        return language.say("The first tree on which the program does not finish:")
    wrong = sum(not each.is_right for each in verdict.comparisons)
    if not wrong:
        return language.say("The smallest tree on which the program differs:")
    return language.say(
        "The program is incorrect on {wrong} of {count} trees. This is the smallest one:",
        wrong=wrong,
        count=len(verdict.comparisons),
    )


def solve_counterexample(verdict: Verdict, comparison: Comparison) -> Solution:
    """Return the solution of a compared tree.

    The tie rule is that of the course, else the one that the program follows, else the one from whose visits
    on this tree the program differs least.
    """
    visits, reference = frozenset(comparison.attempt.visits), comparison.reference
    nearer: Ties = "keep" if len(visits ^ reference.keep) < len(visits ^ reference.cut) else "cut"
    ties = verdict.prescribed_ties or verdict.followed_ties or nearer
    return solve(reference.tree, Rules(ties=ties, bounds=reference.tree.header.bounds))


def comparison_sentences(
    verdict: Verdict, comparison: Comparison, language: Language = ENGLISH
) -> Iterator[str]:
    """Yield what differs on one tree: value, move, and the first step at which the visits differ."""
    attempt, reference = comparison.attempt, comparison.reference
    yield from _result_sentences(comparison, language)
    solution = solve_counterexample(verdict, comparison)
    if verdict.run.algorithm != "alpha-beta" or solution.search is None:
        return
    visited = tuple(leaf for leaf in reference.tree.leaves if solution.search.visited[leaf])
    if attempt.visits == visited:
        return
    pairs = zip(attempt.visits, visited, strict=False)
    shorter = min(len(attempt.visits), len(visited))
    step = next((place for place, (own, other) in enumerate(pairs) if own != other), shorter)
    if step:
        leaves = node_list(reference.tree, visited[:step], language)
        yield language.say("Both searches visit {leaves}.", leaves=leaves)
    yield from _first_difference(attempt, reference, solution, visited, step, language)


def _result_sentences(comparison: Comparison, language: Language) -> Iterator[str]:
    """Yield a sentence about an incorrect value and one about an incorrect move."""
    attempt, reference = comparison.attempt, comparison.reference
    if comparison.is_value_right is False:
        value = value_text(reference.value, language)
        if attempt.value is None:
            yield language.say(
                "The value of the root is {value}; the program returns no number.", value=value
            )
        else:
            yield language.say(
                "The value of the root is {value}, and the program returns {answer}.",
                value=value,
                answer=value_text(attempt.value, language),
            )
    if comparison.is_move_right is False:
        moves = node_list(reference.tree, sorted(reference.moves), language)
        if attempt.is_move_illegal:
            yield language.say(
                "The best move leads to {moves}; the program returns a move that the root does not have.",
                moves=moves,
            )
        elif attempt.move is None:
            yield language.say("The best move leads to {moves}; the program returns no move.", moves=moves)
        else:
            yield language.say(
                "The best move leads to {moves}, and the program moves to {move}.",
                moves=moves,
                move=node_list(reference.tree, (attempt.move,), language),
            )


def _first_difference(
    attempt: ExampleResult,
    reference: Reference,
    solution: Solution,
    visited: tuple[int, ...],
    step: int,
    language: Language,
) -> Iterator[str]:
    """Yield what the program and the reference do next, with the reason for the reference."""
    account = explain(solution, language)
    tree = reference.tree
    own = attempt.visits[step] if step < len(attempt.visits) else None
    expected = visited[step] if step < len(visited) else None
    if own is not None and own not in visited:
        yield language.say(
            "Then the program visits {leaf}, which alpha-beta prunes.", leaf=node_list(tree, (own,), language)
        )
        top = next((node for node in (own, *tree.ancestors(own)) if node in account.cuts), None)
        if top is not None:
            yield account.cuts[top]
    elif expected is not None:
        yield language.say(
            "Then alpha-beta visits {leaf}, and the program does not.",
            leaf=node_list(tree, (expected,), language),
        )
        if expected in account.visits:
            yield account.visits[expected]
