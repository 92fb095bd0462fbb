"""Questions about the x for which a branch is pruned: the answer, its explanation, and random questions."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import pairwise

from grader.answers.form import Ambiguous, Item, Malformed
from grader.answers.interval import INTERVAL, have_same_limits
from grader.answers.number import NUMBER
from grader.answers.numeral import Numeral
from grader.base.intervals import ALL_NUMBERS, EMPTY_SET, Spans, complement
from grader.base.numbers import Number
from grader.base.phrases import Language, Phrase, paragraph
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.kind import BeliefKey, Kind, constant_key
from grader.questions.randomness import Draw
from grader.questions.reasons import Reason, SolvedExercise, WorkedSolution
from grader.questions.unknown_payoffs import (
    answer_objection,
    common_spans,
    known_values,
    limits_of,
    requested_unknown,
    requested_unknown_leaf,
    samples,
    simplify_to_limits,
    solver_question,
    substitute_unknown,
    trees_with_one_unknown,
    unknowns_sentences,
    unspecified_unknowns,
    where_answerable,
    with_x_phrase,
    witness,
)
from grader.questions.wording import LEAF_NUMBER_RULE, asks, search_sentences
from grader.solvers.explaining.node_wording import node_title
from grader.solvers.explaining.steps import explain
from grader.solvers.mistaken_search import mistaken_search
from grader.solvers.piecewise import numbers_that_prune
from grader.solvers.solution import solve
from grader.solvers.solvable import Unsolvable
from grader.solvers.trial_numbers import spans_by_trial, substitute_unknowns
from grader.solvers.unknown_payoff import pruned_when
from grader.trees.tree import Tree

# What students read -------------------------------------------------------------------------------

QUESTION = Phrase("For which values of {name} does alpha-beta never visit {node}?")
EXTREME_QUESTIONS = {
    "largest": Phrase("What is the largest {name} for which alpha-beta never visits {node}?"),
    "smallest": Phrase("What is the smallest {name} for which alpha-beta never visits {node}?"),
}

WHY_PRUNED = Phrase("The search never visits {node} for exactly these values: {answer}.")
VISITED_AT_NUMBER = Phrase("With {case}, the search visits {node}.")
PRUNED_AT_NUMBER = Phrase("With {case}, the search does not visit {node}.")
LIMIT_NOTE = Phrase("Your endpoints are correct, but your answer is incorrect for {case} itself.")

# For which x is a branch pruned? ------------------------------------------------------------------


def _branch(case: Case) -> int:
    """Return the node that the question is about: the given one, or the first after x.

    Raises `Unsolvable` if nothing follows x.
    """
    if "node" in case.given:
        return case.tree.index[case.given["node"]]
    leaf = requested_unknown_leaf(case)
    for child, parent in pairwise((leaf, *case.tree.ancestors(leaf))):
        order = case.tree.visiting(parent, case.rules.order)
        if child != order[-1]:
            return order[order.index(child) + 1]
    raise Unsolvable("nothing follows {leaf}", leaf=requested_unknown(case))


def _pruning_spans(case: Case) -> Spans:
    """The x for which the search never comes to the branch."""
    spans = pruned_when(solver_question(case), case.rules, _branch(case))
    return simplify_to_limits(spans, limits_of(case))


def _independent_pruning_spans(case: Case) -> Spans:
    """The same by what its ancestors let through, without a search."""
    node, name = _branch(case), requested_unknown(case)
    found = common_spans(
        numbers_that_prune(other, case.rules, name, node) for other in trees_with_one_unknown(case)
    )
    return simplify_to_limits(found, limits_of(case))


def _numbering(case: Case, language: Language) -> str:
    """Say how leaves are numbered, if a leaf without a name is asked about."""
    node = _branch(case)
    is_numbered = not case.tree.children[node] and case.tree.given[node] is None
    return language.say(LEAF_NUMBER_RULE) if is_numbered else ""


def _ask(question: Phrase, case: Case, language: Language) -> str:
    node = node_title(case.tree, _branch(case), language)
    return language.say(question, name=requested_unknown(case), node=node)


_CONVENTIONS = (unknowns_sentences, search_sentences, _numbering)


def _mistaken_spans(belief: str, case: Case) -> Spans | None:
    """Return the x for which a mistaken search prunes the branch, found by trying numbers.

    None with chance nodes.
    """
    if case.tree.has_chance:
        return None
    node = _branch(case)
    return spans_by_trial(
        substitute_unknowns(
            case.tree, dict.fromkeys(unspecified_unknowns(case), 0) | known_values(case.given)
        ),
        requested_unknown(case),
        lambda tree: not mistaken_search(tree, case.rules, belief).visited[node],
    )


_PRUNED_BELIEFS: Mapping[str, BeliefKey[Spans]] = {
    "never-prunes": constant_key(EMPTY_SET),
    "ends-turned": where_answerable(
        lambda case: _pruning_spans(replace(case, rules=case.rules.with_other_ties()))
    ),
    "turned-round": lambda case: complement(_pruning_spans(case)),
    "players-swapped": partial(_mistaken_spans, "players-swapped"),
    "right-to-left": partial(_mistaken_spans, "right-to-left"),
    "own-bound": partial(_mistaken_spans, "own-bound"),
}


def within_limits(case: Case, reply: Spans) -> Spans:
    """Restrict a reply to the possible values of x."""
    return simplify_to_limits(reply, limits_of(case))


# Why, and how it is worked out


def explain_spans(
    right: Callable[[SolvedExercise, str], str],
    tell: Callable[[SolvedExercise, Number], str],
    solved: SolvedExercise,
    item: Item,
) -> Reason | None:
    """State the correct set, and explain a number that is in only one of the two sets."""
    sentences = [right(solved, solved.language.reply(item.right))]
    own = INTERVAL.read(item.reply, solved.tree, solved.terms) if item.reply else ()
    if not isinstance(own, Malformed | Ambiguous):
        number = witness(own, solved.key, limits_of(solved.case))
        if number is not None:
            if have_same_limits(own, solved.key):
                sentences.append(solved.language.say(LIMIT_NOTE, case=with_x_phrase(solved, number)))
            sentences.append(tell(solved, number))
    return Reason(paragraph(*sentences))


def _pruned_for_sentence(solved: SolvedExercise, answer: str) -> str:
    """State the correct answer."""
    node = solved.node_title(_branch(solved.case))
    return solved.language.say(WHY_PRUNED, node=node, answer=answer)


def _search_sentence_at(solved: SolvedExercise, number: Number) -> str:
    """Say whether the search visits the branch if x is this number."""
    tree = substitute_unknown(solved.case, number)
    node = _branch(solved.case)
    account = explain(solve(tree, solved.rules), solved.language)
    terms = {"case": with_x_phrase(solved, number), "node": node_title(tree, node, solved.language)}
    if node in account.visits:
        visit = solved.language.say(VISITED_AT_NUMBER, **terms)
        return paragraph(visit, account.visits[node])
    pruning = solved.language.say(PRUNED_AT_NUMBER, **terms)
    above = (each for each in (node, *tree.ancestors(node)) if each in account.cuts)
    return paragraph(
        pruning, *(account.cuts[cut] for cut in above)
    )  # a chance branch of probability 0 has no cutoff


def interval_solution(tell: Callable[[SolvedExercise, Number], str]) -> WorkedSolution:
    """A number from every stretch, and what happens then."""

    def steps(solved: SolvedExercise) -> tuple[str, ...]:
        numbers = samples(solved.key, limits_of(solved.case))
        return tuple(tell(solved, number) for number in numbers)

    return WorkedSolution(steps)


# Drawing


MAX_DRAWS = 6
"""How many questions are drawn about a tree until one is worth asking."""


def with_unknown(draw: Draw, tree: Tree) -> Iterator[Tree]:
    """The tree with x in place of a payoff, some leaves one after the other; nothing for a single leaf."""
    if len(tree) == 1 or tree.seats:
        return
    for place in draw.shuffle(range(len(tree.leaves)))[:MAX_DRAWS]:
        row = [tree.payoffs[leaf] or 0 for leaf in tree.leaves]
        row[place] = "x"
        yield tree.with_payoffs(tuple(row))


def first_useful_question(candidates: Iterable[Case], key: Callable[[Case], Spans]) -> Case | None:
    """Return the first question whose answer is neither always nor never, or else the last with an answer."""
    last = None
    for case in candidates:
        try:
            answer = key(case)
        except Unsolvable:
            continue
        last = case
        if answer not in (ALL_NUMBERS, EMPTY_SET):
            break
    return last


def _draw_branch(draw: Draw, case: Case) -> Case | None:
    """A branch behind x, if possible one that is pruned for some numbers and visited for others."""
    return first_useful_question(_branches_after_unknown(draw, case), _pruning_spans)


def _branches_after_unknown(draw: Draw, case: Case) -> Iterator[Case]:
    """Yield cases about a branch that the search reaches after the unknown leaf."""
    for tree in with_unknown(draw, case.tree):
        leaf = tree.unknowns[0]
        later: list[int] = []
        for child, parent in pairwise((leaf, *tree.ancestors(leaf))):
            order = tree.visiting(parent, case.rules.order)
            later += order[order.index(child) + 1 :]
        if later:
            yield Case(tree, case.rules, Given({"node": tree.names[draw.choose(later)]}))


PRUNED = Kind(
    ask="pruned",
    given_names=("node", "told", "unknown"),
    question="For which values of an unknown payoff x is a branch pruned?",
    about="search",
    form=INTERVAL,
    objection=partial(answer_objection, _pruning_spans),
    prompt=asks(partial(_ask, QUESTION), *_CONVENTIONS),
    key=_pruning_spans,
    independent_key=_independent_pruning_spans,
    interpret_reply=within_limits,
    beliefs=_PRUNED_BELIEFS,
    explain_item=partial(explain_spans, _pruned_for_sentence, _search_sentence_at),
    worked_solution=interval_solution(_search_sentence_at),
    draw=_draw_branch,
)

# The largest such x -------------------------------------------------------------------------------


def _ends(spans: Spans) -> dict[str, Number]:
    """The largest and the smallest number of a set, where there are such."""
    ends: dict[str, Number] = {}
    if spans and spans[-1].high_closed and not isinstance(spans[-1].high, float):
        ends["largest"] = spans[-1].high
    if spans and spans[0].low_closed and not isinstance(spans[0].low, float):
        ends["smallest"] = spans[0].low
    return ends


def _end(spans: Spans, given: Given) -> tuple[str, Number]:
    """Return the requested end, by default the largest number if there is one, and its value.

    Raises `Unsolvable` if the numbers have no such end.
    """
    ends = _ends(spans)
    wanted = given.text("end", next(iter(ends), "largest"))
    if wanted not in ends:
        raise Unsolvable("there is no {wanted} such number", wanted=wanted)
    return wanted, ends[wanted]


def _pruning_extreme(case: Case) -> Numeral:
    """The largest or the smallest x for which the search never comes to the branch."""
    return Numeral(_end(_pruning_spans(case), case.given)[1])


def _independent_pruning_extreme(case: Case) -> Numeral:
    """The same without a search."""
    return Numeral(_end(_independent_pruning_spans(case), case.given)[1])


def _ask_end(case: Case, language: Language) -> str:
    end, _ = _end(_pruning_spans(case), case.given)
    return _ask(EXTREME_QUESTIONS[end], case, language)


def _extreme_by_belief(belief: str, case: Case) -> Numeral | None:
    """The end of what a mistaken student takes for the set, the other one where it has not this one."""
    spans = _mistaken_spans(belief, case)
    ends = {"largest": spans[-1].high, "smallest": spans[0].low} if spans else {}
    end, _ = _end(_pruning_spans(case), case.given)
    found = [at for name, at in sorted(ends.items(), key=lambda each: each[0] != end)]
    return next((Numeral(at) for at in found if not isinstance(at, float)), None)


def _next_integer(case: Case) -> Numeral:
    """Return the next whole number inside the end, as if equality did not prune."""
    end, number = _end(_pruning_spans(case), case.given)
    return Numeral(-(-number // 1) - 1 if end == "largest" else number // 1 + 1)


def _why_end(solved: SolvedExercise, item: Item) -> Reason | None:
    """State the whole set, and explain the search at its end."""
    spans = _pruning_spans(solved.case)
    sentences = [_pruned_for_sentence(solved, solved.language.reply(INTERVAL.write(spans, solved.tree)))]
    end = _end(spans, solved.given)[1]
    sentences.append(_search_sentence_at(solved, end))
    return Reason(paragraph(*sentences))


def _end_steps(solved: SolvedExercise) -> tuple[str, ...]:
    """A number from every stretch, and what happens then."""
    spans = _pruning_spans(solved.case)
    return tuple(_search_sentence_at(solved, x) for x in samples(spans, limits_of(solved.case)))


def _draw_end(draw: Draw, case: Case) -> Case | None:
    """Draw a branch after x, and the end of the numbers that prune it."""
    for candidate in _branches_after_unknown(draw, case):
        ends = tuple(_ends(_pruning_spans(candidate)))
        if ends:
            return replace(candidate, given=Given({**candidate.given, "end": draw.choose(ends)}))
    return None


EXTREME = Kind(
    ask="extreme",
    given_names=("end", "node", "told", "unknown"),
    question="What is the largest, or the smallest, x for which a branch is pruned?",
    about="search",
    form=NUMBER,
    objection=partial(answer_objection, _pruning_extreme),
    prompt=asks(_ask_end, *_CONVENTIONS),
    key=_pruning_extreme,
    independent_key=_independent_pruning_extreme,
    beliefs={
        "next-whole": _next_integer,
        **{name: partial(_extreme_by_belief, name) for name in ("players-swapped", "own-bound")},
    },
    explain_item=_why_end,
    worked_solution=WorkedSolution(_end_steps),
    draw=_draw_end,
)
