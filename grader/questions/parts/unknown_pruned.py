"""For which x the search never comes to a branch: the answer, what is said of it, and how it is drawn."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import pairwise

from grader.answers.form import Ambiguous, Item, Malformed
from grader.answers.interval import INTERVAL, same_limits
from grader.answers.numeral import Numeral
from grader.base.intervals import ALWAYS, NEVER, Spans, complement
from grader.base.numbers import Number
from grader.base.phrases import Language, Phrase, paragraph
from grader.questions.given import Given
from grader.questions.kind import BeliefKey
from grader.questions.parts.unknowns import (
    agreed,
    asked_of,
    filled,
    leaf_of,
    left_open,
    limits_of,
    name_of,
    samples,
    settling,
    the_unknowns,
    told,
    where_answerable,
    widened,
    with_x,
    witness,
)
from grader.questions.randomness import Draw
from grader.questions.why import Reason, Solved, Worked
from grader.questions.wording import NUMBERED, Prompt, the_search
from grader.solvers.explaining.naming import called
from grader.solvers.explaining.steps import explain
from grader.solvers.mistaken import mistaken_search
from grader.solvers.piecewise import never_comes
from grader.solvers.solution import solve
from grader.solvers.solvable import Unsolvable
from grader.solvers.trying import by_trying, with_numbers
from grader.solvers.unknown_leaf import pruned_when
from grader.trees.rules import Rules
from grader.trees.tree import Tree

# For which x is a branch pruned? ------------------------------------------------------------------


def _branch(tree: Tree, rules: Rules, given: Given) -> int:
    """The node that is asked about; where none is named, the first that follows x."""
    if "node" in given:
        return tree.index[given["node"]]
    leaf = leaf_of(tree, given)
    for child, parent in pairwise((leaf, *tree.ancestors(leaf))):
        order = tree.visiting(parent, rules.order)
        if child != order[-1]:
            return order[order.index(child) + 1]
    raise Unsolvable(f"nothing follows {name_of(tree, given)}")


def pruned(tree: Tree, rules: Rules, given: Given) -> Spans:
    """The x for which the search never comes to the branch."""
    spans = pruned_when(asked_of(tree, rules, given), rules, _branch(tree, rules, given))
    return widened(spans, limits_of(tree, rules))


def pruned_again(tree: Tree, rules: Rules, given: Given) -> Spans:
    """The same by what its ancestors let through, without a search."""
    node, name = _branch(tree, rules, given), name_of(tree, given)
    found = agreed(never_comes(other, rules, name, node) for other in settling(tree, given))
    return widened(found, limits_of(tree, rules))


def _states(tree: Tree, rules: Rules, given: Given, language: Language) -> tuple[str, ...]:
    """What is so; leaves are numbered where one is asked about that has no name."""
    node = _branch(tree, rules, given)
    numbered = not tree.children[node] and tree.given[node] is None
    return (
        *the_unknowns(tree, rules, given, language),
        *the_search(tree, rules, language),
        *([language.say(NUMBERED)] if numbered else []),
    )


def which_x(tree: Tree, rules: Rules, given: Given, language: Language) -> Prompt:
    """The question for which x that is."""
    return Prompt(
        _states(tree, rules, given, language),
        language.say(
            "For which {name} does the search never look at {node}?",
            name=name_of(tree, given),
            node=called(tree, _branch(tree, rules, given), language),
        ),
    )


def tries(belief: str, tree: Tree, rules: Rules, given: Given) -> Spans | None:
    """Where a mistaken search never comes to the branch; it only compares, so numbers can be tried."""
    if tree.has_chance:
        return None
    node = _branch(tree, rules, given)
    return by_trying(
        with_numbers(tree, dict.fromkeys(left_open(tree, given), 0) | told(given)),
        name_of(tree, given),
        lambda tried: not mistaken_search(tried, rules, belief).visited[node],
    )


PRUNED_BELIEFS: Mapping[str, BeliefKey[Spans]] = {
    "ends-turned": where_answerable(lambda tree, rules, given: pruned(tree, rules.with_other_ties(), given)),
    "turned-round": lambda tree, rules, given: complement(pruned(tree, rules, given)),
    "players-swapped": partial(tries, "players-swapped"),
    "right-to-left": partial(tries, "right-to-left"),
    "own-bound": partial(tries, "own-bound"),
}


def within_limits(tree: Tree, rules: Rules, given: Given, reply: Spans) -> Spans:
    """What a reply says of the numbers that x may be."""
    return widened(reply, limits_of(tree, rules))


# Why, and how it is worked out


def why_set(
    right: Callable[[Solved, str], str], tell: Callable[[Solved, Number], str], solved: Solved, item: Item
) -> Reason | None:
    """The right set, and what a number shows that is in only one of the two."""
    said = [right(solved, solved.language.reply(item.right))]
    own = INTERVAL.read(item.said, solved.tree, solved.terms) if item.said else ()
    if not isinstance(own, Malformed | Ambiguous):
        number = witness(own, solved.key, limits_of(solved.tree, solved.rules))
        if number is not None:
            if same_limits(own, solved.key):
                said.append(solved.language.say(_AT_A_LIMIT, case=with_x(solved, number)))
            said.append(tell(solved, number))
    return Reason(paragraph(*said))


_AT_A_LIMIT = Phrase("Your limits are right, but at {case} itself your answer is not.")


def is_pruned_for(solved: Solved, answer: str) -> str:
    """What is right."""
    node = solved.called(_branch(solved.tree, solved.rules, solved.given))
    return solved.language.say(
        "The search never looks at {node} for exactly these numbers: {answer}.", node=node, answer=answer
    )


def tells_search(solved: Solved, number: Number) -> str:
    """What the search does with the branch when x is this number."""
    tree = filled(solved.tree, solved.given, number)
    node = _branch(solved.tree, solved.rules, solved.given)
    account = explain(solve(tree, solved.rules), solved.language)
    told = {"case": with_x(solved, number), "node": called(tree, node, solved.language)}
    if node in account.visits:
        looks = solved.language.say("With {case} the search looks at {node}.", **told)
        return paragraph(looks, account.visits[node])
    never = solved.language.say("With {case} the search does not look at {node}.", **told)
    above = (each for each in (node, *tree.ancestors(node)) if each in account.cuts)
    return paragraph(never, *(account.cuts[cut] for cut in above))  # nothing is cut where nothing can come


def each_stretch(tell: Callable[[Solved, Number], str]) -> Worked:
    """A number from every stretch, and what happens then."""

    def steps(solved: Solved) -> tuple[str, ...]:
        numbers = samples(solved.key, limits_of(solved.tree, solved.rules))
        return tuple(tell(solved, number) for number in numbers)

    return Worked(steps, steps)


# Drawing


DRAWS = 6
"""How many questions are drawn about a tree until one is worth asking."""


def with_unknown(draw: Draw, tree: Tree) -> Iterator[Tree]:
    """The tree with x in place of a payoff, some leaves one after the other; nothing for a single leaf."""
    if len(tree) == 1 or tree.seats:
        return
    for place in draw.shuffle(range(len(tree.leaves)))[:DRAWS]:
        row = [tree.payoffs[leaf] or 0 for leaf in tree.leaves]
        row[place] = "x"
        yield tree.with_payoffs(tuple(row))


def worth_asking(
    drawn: Iterable[tuple[Tree, Given]], key: Callable[[Tree, Rules, Given], Spans], rules: Rules
) -> tuple[Tree, Given] | None:
    """The first question whose answer is neither always nor never, or else the last that has an answer."""
    found = None
    for asked, given in drawn:
        try:
            answer = key(asked, rules, given)
        except Unsolvable:
            continue
        found = asked, given
        if answer not in (ALWAYS, NEVER):
            break
    return found


def draw_branch(draw: Draw, tree: Tree, rules: Rules) -> tuple[Tree, Given] | None:
    """A branch behind x, if possible one that is pruned for some numbers and visited for others."""
    return worth_asking(_branches_behind(draw, tree, rules), pruned, rules)


def _branches_behind(draw: Draw, tree: Tree, rules: Rules) -> Iterator[tuple[Tree, Given]]:
    for asked in with_unknown(draw, tree):
        leaf = asked.unknowns[0]
        behind: list[int] = []
        for child, parent in pairwise((leaf, *asked.ancestors(leaf))):
            order = asked.visiting(parent, rules.order)
            behind += order[order.index(child) + 1 :]
        if behind:
            yield asked, Given({"node": asked.names[draw.choose(behind)]})


# What is the largest such x? ----------------------------------------------------------------------


def _ends(spans: Spans) -> dict[str, Number]:
    """The largest and the smallest number of a set, where there are such."""
    ends: dict[str, Number] = {}
    if spans and spans[-1].high_closed and not isinstance(spans[-1].high, float):
        ends["largest"] = spans[-1].high
    if spans and spans[0].low_closed and not isinstance(spans[0].low, float):
        ends["smallest"] = spans[0].low
    return ends


def _end(spans: Spans, given: Given) -> tuple[str, Number]:
    """Which end is asked for, the largest number if none is named and there is one, and what it is."""
    ends = _ends(spans)
    wanted = given.word("end", next(iter(ends), "largest"))
    if wanted not in ends:
        raise Unsolvable(f"there is no {wanted} such number")
    return wanted, ends[wanted]


def extreme(tree: Tree, rules: Rules, given: Given) -> Numeral:
    """The largest or the smallest x for which the search never comes to the branch."""
    return Numeral(_end(pruned(tree, rules, given), given)[1])


def extreme_again(tree: Tree, rules: Rules, given: Given) -> Numeral:
    """The same without a search."""
    return Numeral(_end(pruned_again(tree, rules, given), given)[1])


_EXTREME = {
    "largest": Phrase("What is the largest {name} for which the search never looks at {node}?"),
    "smallest": Phrase("What is the smallest {name} for which the search never looks at {node}?"),
}


def which_end(tree: Tree, rules: Rules, given: Given, language: Language) -> Prompt:
    """The question for the end."""
    end, _ = _end(pruned(tree, rules, given), given)
    return Prompt(
        _states(tree, rules, given, language),
        language.say(
            _EXTREME[end],
            name=name_of(tree, given),
            node=called(tree, _branch(tree, rules, given), language),
        ),
    )


def end_by(belief: str, tree: Tree, rules: Rules, given: Given) -> Numeral | None:
    """The end of what a mistaken student takes for the set, the other one where it has not this one."""
    spans = tries(belief, tree, rules, given)
    ends = {"largest": spans[-1].high, "smallest": spans[0].low} if spans else {}
    end, _ = _end(pruned(tree, rules, given), given)
    found = [at for name, at in sorted(ends.items(), key=lambda each: each[0] != end)]
    return next((Numeral(at) for at in found if not isinstance(at, float)), None)


def next_whole(tree: Tree, rules: Rules, given: Given) -> Numeral:
    """The next whole number beside the end: as if equality were not enough."""
    end, number = _end(pruned(tree, rules, given), given)
    return Numeral(-(-number // 1) - 1 if end == "largest" else number // 1 + 1)


def why_end(solved: Solved, item: Item) -> Reason | None:
    """The whole set, and what happens at its end."""
    spans = pruned(solved.tree, solved.rules, solved.given)
    said = [is_pruned_for(solved, solved.language.reply(INTERVAL.write(spans, solved.tree)))]
    end = _end(spans, solved.given)[1]
    said.append(tells_search(solved, end))
    return Reason(paragraph(*said))


def end_steps(solved: Solved) -> tuple[str, ...]:
    """A number from every stretch, and what happens then."""
    spans = pruned(solved.tree, solved.rules, solved.given)
    return tuple(tells_search(solved, x) for x in samples(spans, limits_of(solved.tree, solved.rules)))


def draw_end(draw: Draw, tree: Tree, rules: Rules) -> tuple[Tree, Given] | None:
    """A branch behind x, and the end of the numbers that prune it."""
    for asked, given in _branches_behind(draw, tree, rules):
        ends = tuple(_ends(pruned(asked, rules, given)))
        if ends:
            return asked, Given({**given, "end": draw.choose(ends)})
    return None
