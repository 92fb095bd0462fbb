"""What does a playout change in a Monte Carlo search tree?"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

from grader.answers.form import Ambiguous, Item, Malformed, Terms
from grader.answers.numeral import Numeral, matches_key
from grader.answers.table import ENTRIES, Table, read_node_values, table_form
from grader.base.numbers import Number, normalize_number, read_number
from grader.base.phrases import Language, Phrase
from grader.questions.case import Case
from grader.questions.given import Given, select_given
from grader.questions.key_picture import KeyPicture
from grader.questions.kind import BeliefKey, Kind
from grader.questions.randomness import Draw
from grader.questions.reasons import Reason, SolvedExercise, WorkedSolution
from grader.questions.uct.playouts import (
    MEANINGS,
    counts_for_max,
    counts_objection,
    draw_counts,
    playout_sentences,
    playouts_objection,
    uct_rules,
)
from grader.questions.wording import asks
from grader.solvers.uct_search import (
    backpropagate,
    selection_path,
    visits_and_wins,
)
from grader.trees.tree import Player, Tree

# What students read -------------------------------------------------------------------------------

VISITS_QUESTION = Phrase("Write the new n of every node whose counts are updated.")
WINS_QUESTION = Phrase(
    "Write the new w of every node on the path from the root to this leaf, even if it is unchanged."
)
RESULTS: Mapping[str, Phrase] = {
    "1": Phrase("A playout that starts at {leaf} is won by MAX."),
    "0": Phrase("A playout that starts at {leaf} is won by MIN."),
    "1/2": Phrase("A playout that starts at {leaf} is a draw, which counts as half a win for each player."),
}
"""What a playout ends with, as a result for MAX."""

BACKED_UP = Phrase("The result is backed up to the root.")
FILL_EVERY_BOX = Phrase("In each box, write the node's count after the playout, even if it has not changed.")
OTHER_NODES = Phrase(
    "Other nodes do not need an entry. An entry that changes the count of another node is incorrect."
)
ONLY_EXACT_NUMBERS = Phrase("Numbers must be exact.")

WHY_UNCHANGED = Phrase("{node} is not on the path, so its count stays {before}.")
WHY_ONE_MORE_VISIT = Phrase(
    "{node} is on the path, so it counts one more playout: {before} + {gain} = {after}."
)
WHY_WINS = Phrase("{node} counts the wins of {player}: {before} + {gain} = {after}.")

CAPTION = Phrase("All counts after the playout. The path of updated nodes is drawn with thick lines.")
NO_COUNT = Phrase("write a count, not a proportion or a change")
WRITE_ONE_NUMBER = Phrase("write one number for each node: B=3")


def _result_objection(case: Case) -> str | None:
    """Return why no playout can be propagated, or None: counts, a leaf number and a result must be given."""
    if reason := counts_objection(case):
        return reason
    path = case.given.get("path")
    if type(path) is not int or not 1 <= path <= len(case.tree.leaves):
        return "the number of a leaf is not given"
    return (
        None if case.given.text("result") in RESULTS else "the result of a playout, 1, 0 or 1/2, is not given"
    )


def _playout_path(case: Case) -> tuple[int, ...]:
    """Return the nodes from the root to the leaf where the playout starts."""
    leaf = case.tree.leaves[case.given["path"] - 1]
    return (*reversed(tuple(case.tree.ancestors(leaf))), leaf)


def _result_sentence(case: Case, language: Language) -> str:
    """Say where the playout starts, and who wins it."""
    leaf = case.tree.names[case.tree.leaves[case.given["path"] - 1]]
    return language.say(RESULTS[case.given["result"]], leaf=language.term("leaf {name}", name=leaf))


def _after(count: int, case: Case) -> Table:
    path, result = _playout_path(case), read_number(case.given["result"])
    after = backpropagate(case.tree, path, result, uct_rules(case.given))
    return tuple((node, Numeral(visits_and_wins(after, node)[count])) for node in path)


def _raised(count: int, tree: Tree, nodes: Iterable[int], change: Callable[[int], Number]) -> Table:
    """Return the counts of these nodes with their increases."""
    return tuple(
        (node, Numeral(normalize_number(Fraction(visits_and_wins(tree, node)[count] + change(node)))))
        for node in nodes
    )


def _changed(count: int, case: Case, change: Callable[[int], Number]) -> Table:
    """Return the counts of the nodes on the path with their increases."""
    return _raised(count, case.tree, _playout_path(case), change)


def _wins_gained(case: Case, node: int) -> Number:
    """Return the increase of a node's wins; players alternate on the path."""
    result = read_number(case.given["result"])
    return (
        result
        if counts_for_max(case.tree, node, uct_rules(case.given).wins)
        else normalize_number(1 - Fraction(result))
    )


def _gain(count: int, case: Case, node: int) -> Number:
    """Return the increase of a count of a node on the path."""
    return _wins_gained(case, node) if count else 1


def _independent_counts(count: int, case: Case) -> Table:
    return _changed(count, case, lambda node: _gain(count, case, node))


_IS_UPDATED: Mapping[str, Callable[[int, int], bool]] = {
    "last-node-alone": lambda node, last: node == last,
    "root-alone": lambda node, _last: node == 0,
    "root-not-updated": lambda node, _last: node != 0,
}
"""Which nodes of the path those update who leave out some."""


def _partly_changed(count: int, name: str, case: Case) -> Table:
    last, counts_it = _playout_path(case)[-1], _IS_UPDATED[name]
    return _changed(count, case, lambda node: _gain(count, case, node) * counts_it(node, last))


def _visits_of_the_whole_tree(case: Case) -> Table:
    return _raised(0, case.tree, range(len(case.tree)), lambda _node: 1)


def _counted_if_won(case: Case) -> Table:
    return _changed(0, case, lambda node: int(_wins_gained(case, node) == 1))


def _wins_believed(name: str, case: Case) -> Table | None:
    """Return the wins of a student with a misconception; None if it does not apply to the rule or result."""
    result, rule = read_number(case.given["result"]), uct_rules(case.given).wins
    gains: dict[str, Callable[[int], Number]] = {
        "win-for-everybody": lambda _node: 1,
        "same-wins-for-both": lambda _node: result,
        "wins-for-the-mover": lambda node: 1 - _wins_gained(case, node),
        "wins-for-both": lambda node: result if counts_for_max(case.tree, node, "mover") else 1 - result,
    }
    if name in {"mover": ("wins-for-both",), "max": ("same-wins-for-both", "wins-for-the-mover")}[rule]:
        return None
    if name == "win-for-everybody" and result != 0:
        return None  # a win of MAX at every node is what those add who overlook the players
    return _changed(1, case, gains[name])


def _wins_of_the_whole_tree(case: Case) -> Table | None:
    if not any(_wins_gained(case, node) for node in range(len(case.tree))):
        return None  # no node of the tree would count a win
    return _raised(1, case.tree, range(len(case.tree)), lambda node: _wins_gained(case, node))


def _a_win_at_every_node(case: Case) -> Table | None:
    if all(_wins_gained(case, node) == 1 for node in range(len(case.tree))):
        return None  # it is the win that the whole tree counts
    return _raised(1, case.tree, range(len(case.tree)), lambda _node: 1)


def _why_changed(sentence: Phrase, count: int, solved: SolvedExercise, item: Item) -> Reason | None:
    """Say how a number of a node changes, or that the node is not on the path of the playout.

    `count` is 0 for the visits, 1 for the wins. None for an entry without a node.
    """
    if item.node is None:
        return None
    if item.node not in _playout_path(solved.case):
        unchanged = solved.language.say(
            WHY_UNCHANGED,
            node=solved.node_title(item.node),
            before=solved.value_text(visits_and_wins(solved.tree, item.node)[count]),
        )
        return Reason(unchanged)
    return Reason(_change_of(sentence, count, solved, item.node))


def _change_of(sentence: Phrase, count: int, solved: SolvedExercise, node: int) -> str:
    """Explain how the count of a node changes."""
    tree, given = solved.tree, solved.given
    before = visits_and_wins(tree, node)[count]
    gain = _gain(count, solved.case, node)
    winner = Player.MAX if counts_for_max(tree, node, uct_rules(given).wins) else Player.MIN
    return solved.language.say(
        sentence,
        node=solved.node_title(node),
        player=winner,
        before=solved.value_text(before),
        gain=solved.value_text(gain),
        after=solved.value_text(normalize_number(Fraction(before + gain))),
    )


def _change_steps(sentence: Phrase, count: int, solved: SolvedExercise) -> tuple[str, ...]:
    return tuple(_change_of(sentence, count, solved, node) for node in _playout_path(solved.case))


def _picture_after(solved: SolvedExercise) -> KeyPicture:
    path, given = _playout_path(solved.case), solved.given
    after = backpropagate(solved.tree, path, read_number(given["result"]), uct_rules(given))
    caption = solved.language.say(CAPTION)
    return KeyPicture(after, caption, shows_backed_up_values=False, line=path)


def _draw_result(draw: Draw, case: Case) -> Case | None:
    """Draw counts, a leaf and its result, won or lost; None if the tree does not suit."""
    if playouts_objection(case) is not None:
        return None
    fields = {"path": draw.between(1, len(case.tree.leaves)), "result": draw.choose(("1", "0"))}
    given = Given({**fields, **draw.fixed_rules(("wins",))})
    return Case(draw_counts(draw, case.tree, uct_rules(given).wins), case.rules, given)


def _draw_shared_given(draw: Draw, case: Case) -> Given:
    """Draw a playout from another leaf than the selected one, which another part may ask for."""
    tree, fields = case.tree, select_given(case.given, ("path", "result", "wins"))
    if counts_objection(case) is None and "path" not in fields:
        selected = selection_path(tree, uct_rules(case.given))[-1]
        paths = [tree.paths[leaf] for leaf in tree.leaves if leaf != selected] or [1]
        fields |= {"path": draw.choose(paths), "result": draw.choose(("1", "0"))}
    return Given(fields)


def _before(count: int, node: int, tree: Tree) -> Numeral:
    """Return the count of a node before the playout, as the question shows it."""
    return Numeral(visits_and_wins(tree, node)[count])


_GAIN = re.compile(r"[^\W\d_][\s=:]{0,4}\+\s?\d")
"""A number with a plus behind a name."""


def _by_breadth(tree: Tree) -> Sequence[int]:
    return tree.breadth_first


_read_table = partial(read_node_values, _by_breadth)


def _read(text: str, tree: Tree, terms: Terms) -> Table | Malformed | Ambiguous:
    """Read a table of counts; reject `A=36/67`, as trees show wins and visits, and the increase `A+1`."""
    found = _read_table(text, tree, terms)
    if isinstance(found, tuple) and (
        _GAIN.search(text) or any(Fraction(entry.value).denominator > 2 for _, entry in found)
    ):
        return Malformed(terms.language.term(NO_COUNT), 1, 1, "", terms.language.term(WRITE_ONE_NUMBER))
    return found


def _changing(
    ask: str,
    question: str,
    count: int,
    question_phrase: Phrase,
    sentence: Phrase,
    beliefs: Mapping[str, BeliefKey[Table]],
) -> Kind[Table]:
    """Make the question about one of the two counts that a playout changes."""
    steps = partial(_change_steps, sentence, count)
    return Kind(
        ask=ask,
        question=question,
        form=table_form(
            _by_breadth,
            matches_key,
            replace(
                ENTRIES,
                shown_entry=partial(_before, count),
                other_nodes_sentence=OTHER_NODES,
                fill_instruction=FILL_EVERY_BOX,
            ),
            marking_rule=ONLY_EXACT_NUMBERS,
            policies=("minus", "entries", "exact"),
            screen_input="numbers",
            read=_read,
        ),
        objection=_result_objection,
        prompt=asks(question_phrase, playout_sentences, _result_sentence, BACKED_UP),
        key=partial(_after, count),
        independent_key=partial(_independent_counts, count),
        beliefs=beliefs,
        explain_item=partial(_why_changed, sentence, count),
        worked_solution=WorkedSolution(steps),
        key_picture=_picture_after,
        draw=_draw_result,
        draw_shared_given=_draw_shared_given,
        annotates_tree=True,
        given_names=("path", "result", "wins"),
        rule_choices={"wins": MEANINGS["wins"]},
    )


VISITS = _changing(
    "visits",
    "What is the playout count of each node after a playout is backed up?",
    0,
    VISITS_QUESTION,
    WHY_ONE_MORE_VISIT,
    {name: partial(_partly_changed, 0, name) for name in _IS_UPDATED}
    | {"whole-tree-updated": _visits_of_the_whole_tree, "counted-if-won": _counted_if_won},
)
WINS = _changing(
    "wins",
    "What is the win count of each node after a playout is backed up?",
    1,
    WINS_QUESTION,
    WHY_WINS,
    {name: partial(_partly_changed, 1, name) for name in _IS_UPDATED}
    | {
        name: partial(_wins_believed, name)
        for name in ("same-wins-for-both", "win-for-everybody", "wins-for-the-mover", "wins-for-both")
    }
    | {"whole-tree-updated": _wins_of_the_whole_tree, "win-at-every-node": _a_win_at_every_node},
)
