"""Which window does alpha-beta search pass to each node, and what does the node return?"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import TypeAlias

from grader.answers.form import Ambiguous, Item, Malformed
from grader.answers.numeral import Numeral, exact_numeral
from grader.answers.window_entries import WINDOW_ENTRIES, Window, Windows
from grader.base.numbers import INFINITY, Bound, Number
from grader.base.phrases import Language, Phrase, paragraph
from grader.questions.case import Case, node_objection, requested_nodes
from grader.questions.given import Given
from grader.questions.kind import BeliefKey, Kind
from grader.questions.randomness import Draw
from grader.questions.reasons import SEARCH_SOLUTION, Reason, SolvedExercise
from grader.questions.search_answers import cached_search, search_beliefs, windowed_search_objection
from grader.questions.windows.own_bounds import OWN_BOUNDS
from grader.questions.windows.revealing_nodes import CreditPair, revealing_nodes
from grader.questions.wording import (
    NEVER_ENTERED_RULE,
    ask_about_nodes,
    asks,
    game_sentences,
    returns_sentence,
    search_sentences,
)
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.explaining.node_wording import node_name, value_list
from grader.solvers.solvable import numbers_at_leaves
from grader.solvers.sweep import sweep
from grader.solvers.trace import Search
from grader.trees.rules import Returns, Rules
from grader.trees.tree import Player, Tree

# What students read -------------------------------------------------------------------------------

QUESTION = Phrase(
    "For every inner node that the search visits, give its window (alpha, beta) and the value that it "
    "returns."
)
QUESTION_ABOUT_NODES = Phrase(
    "For each of these nodes, give its window (alpha, beta) and the value that it returns: {nodes}."
)
FIRST_WINDOW = Phrase("The search starts at {node} with the window {window}.")

WHY_NOT_ASKED = Phrase("The question does not ask about {node}.")
WHY_NEVER_VISITED = Phrase("{node} is never visited.")
WINDOW = Phrase("The window passed to {node} is [{ends}].")
RETURNED = Phrase("{node} returns {value}.")
WINDOW_IS_CORRECT = Phrase("The window is correct.")
VALUE_IS_CORRECT = Phrase("The value returned is correct.")

WHY_CONSISTENT = Phrase("Your entry is consistent with your related entries.")
LARGEST = Phrase("MAX takes the largest of {values}.")
SMALLEST = Phrase("MIN takes the smallest of {values}.")
ONLY_CHILD = Phrase("Its only child returns {value}.")
FIRST_CHILD = Phrase("Its first child returns {value}.")
BOUND_RETURNED = Phrase("But this value is outside the window of the node, so the node returns the bound.")
THEN_CUTOFF = Phrase("Then a cutoff occurs.")


def _first_window(case: Case, language: Language) -> str:
    """Say with which window the search starts."""
    window = language.reply("[-inf, inf]")
    return language.say(FIRST_WINDOW, node=node_name(case.tree, 0, language), window=window)


def _objection(case: Case) -> str | None:
    """Return why windows cannot be asked for, or None.

    It is an objection to the search, or to the nodes that are asked about.
    """
    return windowed_search_objection(case) or node_objection(case)


WindowEntry: TypeAlias = tuple[Bound, Bound, Number]
"""Alpha and beta with which a search enters a node, and the value that it returns."""

Entries: TypeAlias = Mapping[int, WindowEntry]
"""The inner nodes that a search enters, ascending, with what there is to say of each."""


def _visited_entries(tree: Tree, performed: Search) -> Entries:
    """Return the windows of visited inner nodes that return a finite value."""
    rows = {}
    alphas, betas, returned = performed.alphas, performed.betas, performed.returned
    for node in tree.internal:
        alpha, beta, value = alphas[node], betas[node], returned[node]
        if not (alpha is None or beta is None or value is None or isinstance(value, float)):
            rows[node] = alpha, beta, value
    return rows


def _windows(entries: Entries, case: Case) -> Windows:
    """Return the entries of the requested nodes in the form of an answer, which is ascending."""
    return tuple(
        [(node, _window(entries[node])) for node in sorted(requested_nodes(case)) if node in entries]
    )


def _window(entry: WindowEntry) -> Window:
    """Return an entry as it is replied."""
    alpha, beta, returned = entry
    return Window(alpha, beta, exact_numeral(returned))


@lru_cache(maxsize=2)
def _correct_entries(tree: Tree, rules: Rules) -> Entries:
    return _visited_entries(tree, cached_search(tree, rules, traced=False))


@lru_cache(maxsize=2)
def _returned(tree: Tree, rules: Rules) -> tuple[Number, ...]:
    """Return what every node returns in the correct search; unvisited nodes have their exact value."""
    entries = _correct_entries(tree, rules)
    return tuple(
        [entries[node][2] if node in entries else value for node, value in enumerate(expectiminimax(tree))]
    )


def _key(case: Case) -> Windows:
    return _windows(_correct_entries(case.tree, case.rules), case)


def _returning(returns: Returns, case: Case) -> Entries | None:
    """Return the answer if a node with a cutoff returns its value (`soft`) or the bound that it reached.

    Windows and visits do not depend on this.
    """
    rules = case.rules
    if rules.returns == returns or (returns == "hard" and rules.ties == "keep"):
        return None
    windows = {node: (alpha, beta) for node, (alpha, beta, _) in _correct_entries(case.tree, rules).items()}
    visited = cached_search(case.tree, rules, traced=False).visited
    return _backed_up_entries(case.tree, replace(rules, returns=returns), windows, visited)


def _backed_up_entries(
    tree: Tree, rules: Rules, windows: Mapping[int, tuple[Bound, Bound]], visited: Sequence[bool]
) -> Entries:
    """Return the entries of nodes with these windows, with returned values from visited children."""
    returned = numbers_at_leaves(tree)
    for node in reversed(tree.internal):
        if node in windows:
            visited_values = [returned[child] for child in tree.children[node] if visited[child]]
            returned[node] = _returned_value(tree.players[node], visited_values, *windows[node], rules)
    return {node: (*window, returned[node]) for node, window in windows.items()}


def _second_way(case: Case) -> Windows:
    """Windows from exact values by the sweep, and what nodes with these return."""
    swept = sweep(case.tree, case.rules)
    windows = {
        node: (swept.alphas[node], swept.betas[node]) for node in case.tree.internal if swept.visited[node]
    }
    return _windows(_backed_up_entries(case.tree, case.rules, windows, swept.visited), case)


def _implied(case: Case, reply: Windows) -> Windows:
    """Return the windows and values that follow from the student's entries around each; correct ones stay.

    The window follows from the student's window at the parent and the values returned by earlier siblings,
    the returned value from the student's own window and the returned values of the children. Entries that the
    student leaves out are correct. Only requested nodes have an entry, as in the key.
    """
    tree, rules = case.tree, case.rules
    own = {node: _window(entry) for node, entry in _correct_entries(tree, rules).items()} | dict(reply)
    returned = list(_returned(tree, rules))
    for node, entry in reply:
        if entry.returned is not None:
            returned[node] = entry.returned.value

    def window_of(node: int) -> tuple[Bound, Bound]:
        """Return the window that the student's entries give a node.

        At the root it is the initial one, below a node without an entry the full one.
        """
        parent = tree.parents[node]
        if parent < 0 or parent not in own:
            return rules.root_window if parent < 0 else (-INFINITY, INFINITY)
        alpha, beta = own[parent].alpha, own[parent].beta
        for sibling in tree.visiting(parent, rules.order):
            if sibling == node:
                break
            if tree.players[parent] is Player.MAX:
                alpha = max(alpha, returned[sibling])
            else:
                beta = min(beta, returned[sibling])
        return alpha, beta

    def value_of(node: int) -> Number:
        """Return what a node returns, by the student's window and values of the children."""
        alpha, beta = own[node].alpha, own[node].beta
        values: list[Number] = []
        for child in tree.visiting(node, rules.order):
            values.append(returned[child])
            if _cuts(tree.players[node], values, alpha, beta, rules):
                break
        return _returned_value(tree.players[node], values, alpha, beta, rules)

    def implied(node: int, right: Window, entry: Window) -> Window:
        """Return a student's entry if it is right, else with each wrong half replaced by what follows."""
        if entry == right:
            return right
        alpha, beta = right.alpha, right.beta
        if (entry.alpha, entry.beta) != (alpha, beta):
            alpha, beta = window_of(node)
        returned = right.returned if entry.returned == right.returned else Numeral(value_of(node))
        return Window(alpha, beta, returned)

    return tuple([(node, implied(node, right, own[node])) for node, right in _key(case)])


def _cuts(player: Player | None, values: list[Number], alpha: Bound, beta: Bound, rules: Rules) -> bool:
    """Return whether a node with these values of its first children is cut at a window."""
    if player is Player.MAX:
        return max(values) >= beta if rules.ties == "cut" else max(values) > beta
    return min(values) <= alpha if rules.ties == "cut" else min(values) < alpha


def _returned_value(
    player: Player | None, values: list[Number], alpha: Bound, beta: Bound, rules: Rules
) -> Number:
    """Compute the value that a node returns in a window, given the values of its visited children."""
    value, bound = (max(values), beta) if player is Player.MAX else (min(values), alpha)
    hard = rules.returns == "hard" and _cuts(player, values, alpha, beta, rules)
    return bound if hard and not isinstance(bound, float) else value


def _why(solved: SolvedExercise, item: Item) -> Reason | None:
    """Explain the window passed to a node, where it comes from, and what the node returns."""
    node, search, say = item.node, solved.solution.search, solved.language.say
    if node is None or search is None:
        return None
    name = solved.node_title(node)
    if not solved.terms.asks_for(node):
        return Reason(say(WHY_NOT_ASKED, node=name))
    alpha, beta, returned = search.alphas[node], search.betas[node], search.returned[node]
    if alpha is None or beta is None or returned is None:
        return Reason(say(WHY_NEVER_VISITED, node=name))
    ends = solved.language.number_separator.join(map(solved.value_text, (alpha, beta)))
    entered = say(WINDOW, node=name, ends=ends)
    value = say(RETURNED, node=name, value=solved.value_text(returned))
    own = _student_entry(solved, item)
    sentences = [entered, solved.account.visits[node], value]
    if solved.tree.children[node]:
        sentences.append(_why_returned(solved, node, search))
    if own is not None and (own.alpha, own.beta) == (alpha, beta):
        sentences[:2] = [say(WINDOW_IS_CORRECT)]
    elif own is not None and own.returned is not None and own.returned.value == returned:
        sentences[2:] = []
        sentences.insert(0, say(VALUE_IS_CORRECT))
    if item.verdict == "follows":
        sentences.append(say(WHY_CONSISTENT))
    return Reason(paragraph(*sentences))


def _student_entry(solved: SolvedExercise, item: Item) -> Window | None:
    """Return the student's entry for the node of an item, or None."""
    entries = WINDOW_ENTRIES.read(item.reply, solved.tree, solved.terms) if item.reply else ()
    if isinstance(entries, Malformed | Ambiguous):
        return None
    return dict(entries).get(0 if item.node is None else item.node)


def _why_returned(solved: SolvedExercise, node: int, search: Search) -> str:
    """Explain a node's returned value by those of its visited children."""
    tree, rules, say = solved.tree, solved.solution.rules, solved.language.say
    children = tree.visiting(node, rules.order)
    found = [value for child in children if (value := search.returned[child]) is not None]
    best = max(found) if tree.players[node] is Player.MAX else min(found)
    whole = len(found) == len(children)
    values = value_list(found, solved.language)
    if len(found) > 1 and tree.players[node] is Player.MAX:
        reason = say(LARGEST, values=values)
    elif len(found) > 1:
        reason = say(SMALLEST, values=values)
    elif whole:
        reason = say(ONLY_CHILD, value=values)
    else:
        reason = say(FIRST_CHILD, value=values)
    if best != search.returned[node]:
        return paragraph(reason, say(BOUND_RETURNED))
    return reason if whole else paragraph(reason, say(THEN_CUTOFF))


_MISTAKEN: Mapping[str, BeliefKey[Entries]] = {
    **search_beliefs(_visited_entries),
    "returns-hard": partial(_returning, "hard"),
    "returns-soft": partial(_returning, "soft"),
}


@lru_cache(maxsize=1)
def _mistaken_entries(tree: Tree, rules: Rules) -> Mapping[str, Entries]:
    """Return the entries of all nodes for every belief; one question needs them repeatedly."""
    found = {name: believed(Case(tree, rules)) for name, believed in _MISTAKEN.items()}
    return {name: answer for name, answer in found.items() if answer is not None}


def _believing(belief: str, case: Case) -> Windows | None:
    answer = _mistaken_entries(case.tree, case.rules).get(belief)
    return None if answer is None else _windows(answer, case)


MIN_ASKED_NODES, MAX_ASKED_NODES = 4, 7
"""How many nodes are asked about."""


def _draw(draw: Draw, case: Case) -> Case | None:
    """Draw the nodes that best reveal mistakes, without the root.

    Entries are compared by their credit: a correct window with an incorrect value counts half.
    """
    tree = case.tree
    if windowed_search_objection(case) is not None:
        return None
    key = _correct_entries(tree, case.rules)
    left = [node for node in tree.internal[1:] if tree.parents[node] in key]
    rows = [
        {node: _entry_credit(entries.get(node), key.get(node)) for node in left}
        for entries in _mistaken_entries(tree, case.rules).values()
        if entries != key
    ]
    if len(left) < MIN_ASKED_NODES or not rows:
        return case
    best = revealing_nodes(left, rows, MIN_ASKED_NODES, MAX_ASKED_NODES)
    nodes = sorted(best, key=lambda node: (tree.depths[node], node))
    return replace(case, given=Given({"nodes": [tree.names[node] for node in nodes]}))


def _entry_credit(entry: WindowEntry | None, right: WindowEntry | None) -> CreditPair:
    """Return the credit of an entry in halves, and the maximum: the window alone earns one half."""
    if entry is None or right is None:
        return 0, 0 if entry == right else 2
    if entry == right:
        return 2, 2
    return int(entry[:2] == right[:2]), 2


KIND = Kind(
    takes_root_window=True,
    given_names=("nodes",),
    about="windows",
    form=WINDOW_ENTRIES,
    objection=_objection,
    draw=_draw,
    entry_nodes=requested_nodes,
    prompt=asks(
        partial(ask_about_nodes, QUESTION, QUESTION_ABOUT_NODES),
        game_sentences,
        search_sentences,
        returns_sentence,
        _first_window,
        demands=(NEVER_ENTERED_RULE,),
    ),
    key=_key,
    independent_key=_second_way,
    beliefs={name: partial(_believing, name) for name in _MISTAKEN},
    explain_item=_why,
    worked_solution=SEARCH_SOLUTION,
    implied_key=_implied,
)
KINDS = (KIND, OWN_BOUNDS)
