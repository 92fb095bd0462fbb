"""What the record of an exercise has to say on paper, taken from the record and never from a writer."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from grader.base.phrases import Language
from grader.exam.paper import Paper, Question
from grader.exercises.exercise import Exercise
from grader.exercises.follow_through import CONSISTENCY_LEFT_OUT
from grader.publishing.lms.page import ONE_ANSWER_RULE
from grader.publishing.sheet import (
    FOLLOWS_FROM_PARTS,
    ITEMS_FOLLOW_FROM_PARTS,
    RIGHTWARD_TREE_NOTE,
    direction_of,
)
from grader.questions.wording import (
    ANY_ANSWER_RULES,
    CHANCE_WINDOWS,
    LEAF_NUMBER_RULE,
    PAYOFFS,
    PRUNED_DEFINITION,
    pruning_sentence,
    shape_sentence,
)
from grader.solvers.explaining.node_wording import node_name
from tests.publishing.papers import COMMAS, NAMES, paper_of

SIGNS = r"""50% of a_b & #1, x^2 ~ {y} \z $5 <i> *no* `it' "so" -1 [w]"""
"""The title of every question: a character for everything that some format takes for a command."""


@cache
def question_papers(name: str) -> tuple[Paper, ...]:
    """The questions of a paper for tests, each on a paper of its own and with signs in its title."""
    paper = paper_of(name)
    heading = replace(paper.heading, language_code="en")  # as the questions are, so that they share words
    alone = ((replace(question, title=SIGNS),) for question in paper.questions)
    return tuple(replace(paper, heading=heading, questions=questions) for questions in alone)


EVERY = (*NAMES, COMMAS)


def joined(*sentences: str) -> str:
    """Sentences one after the other."""
    return " ".join(filter(None, sentences))


def in_a_table(exercise: Exercise) -> bool:
    """Whether an answer on paper is written into a table that names the nodes."""
    return exercise.kind.form.answer_space.shape in ("table", "windows")


def on_paper(exercise: Exercise) -> tuple[str, str]:
    """What stands above the place for an answer: the question, and how to answer.

    Where a table names the nodes, it shows how to write an answer as well.
    """
    text = exercise.public.wording
    return text.question, joined("" if in_a_table(exercise) else text.instruction, text.demands)


def on_screen(exercise: Exercise) -> str:
    """What is asked where boxes stand for the things that an answer names, and the key alone decides."""
    language, demands = exercise.public.terms.language, exercise.public.wording.demands
    for rule in ANY_ANSWER_RULES:
        demands = demands.replace(language.say(rule), language.say(ONE_ANSWER_RULE))
    return joined(exercise.public.wording.question, demands)


def marking_rules(question: Question) -> list[str]:
    """How answers are marked: each rule once, after the parts that it holds for if there are several."""
    marking = [part.public.wording.marking for part in question.parts]
    if len(question.parts) == 1:
        return list(filter(None, marking))
    names = question.public.part_names
    for place, part in enumerate(question.parts if question.follow_through else ()):
        earlier = [
            name
            for name, before in zip(names[:place], question.parts, strict=False)
            if before.kind is not part.kind and set(before.kind.carries) & set(part.kind.takes)
        ]
        if earlier:
            has_items = bool(part.kind.form.policies)
            rule = ITEMS_FOLLOW_FROM_PARTS if has_items else FOLLOWS_FROM_PARTS
            said = rule.replace("{parts}", " or ".join(earlier))
            marking[place] = joined(marking[place], said, "" if has_items else CONSISTENCY_LEFT_OUT)
    return [
        ", ".join(name for name, said in zip(names, marking, strict=True) if said == rule) + f": {rule}"
        for rule in dict.fromkeys(filter(None, marking))
    ]


def conventions(question: Question) -> tuple[list[str], list[str]]:
    """What is so for every question that asks alike, in the order of the box, and what is so for this one."""
    language = question.public.language
    states = list(dict.fromkeys(said for part in question.parts for said in part.public.wording.conventions))
    tree, case = question.public.tree, question.parts[0].public.case
    order = (
        shape_sentence(tree.movers, language),
        language.say(PAYOFFS),
        language.say(LEAF_NUMBER_RULE),
        pruning_sentence(case, language),
        language.say(CHANCE_WINDOWS),
        language.say(PRUNED_DEFINITION),
    )
    shared = [said for said in order if said in states]
    return shared, [said for said in states if said not in shared]


def given_cells(question: Question) -> list[str]:
    """What the table of a question shows, if it has one."""
    tables = [part.public.wording.table for part in question.parts]
    return [cell for table in tables if table for row in table.rows for cell in row]


def printed_conventions(question: Question) -> tuple[list[str], list[str]]:
    """The conventions as papers print them: what a table shows is not said, but what the table is."""
    shared, own = conventions(question)
    for table in (part.public.wording.table for part in question.parts):
        if table:
            first = table.sentences[0]
            own = [table.caption if said == first else said for said in own]
            own = [said for said in own if said not in table.sentences]
    return shared, own


def turned(question: Question) -> list[str]:
    """What left means, where a tree is drawn to the right and the question goes by that."""
    by_left = (
        part.public.numbers_leaves or part.kind.depends_on_search or part.kind.form.screen_input == "child"
        for part in question.parts
    )
    to_the_right = direction_of(question.public) == "right"
    return [question.public.language.say(RIGHTWARD_TREE_NOTE)] if to_the_right and any(by_left) else []


def nodes_asked(exercise: Exercise) -> list[str]:
    """The names of the nodes that have a cell in the table of an answer, row by row."""
    public = exercise.public
    if not in_a_table(exercise):
        return []
    language = public.terms.language
    return [node_name(public.tree, node, language) for node in exercise.kind.entry_nodes(public.case)]


def told_words(question: Question) -> list[str]:
    """Everything that tells the tree of a question: payoffs, names and moves."""
    tree, language = question.public.tree, question.public.language
    named = tree.names if any(part.public.names_nodes for part in question.parts) else tree.given
    words = list[str]()
    for name, given, move, children in zip(named, tree.given, tree.moves, tree.children, strict=True):
        words += {name if children else given, move} - {None}
    for leaf in tree.leaves:
        if tree.payoffs[leaf] != tree.given[leaf]:  # such a leaf is nothing but a name
            words += _payoff(tree.payoffs[leaf], language)
    return words


def drawn_words(question: Question) -> list[str]:
    """Everything that is written in the picture of it: leaf numbers, too, where answers speak of them."""
    numbered = any(part.public.numbers_leaves for part in question.parts)
    paths = range(1, len(question.public.tree.leaves) + 1) if numbered else ()
    return [*told_words(question), *map(str, paths)]


def _payoff(payoff: object, language: Language) -> Iterable[str]:
    if payoff is None:
        return ["?"]
    if isinstance(payoff, tuple):
        return [each for number in payoff for each in _payoff(number, language)]
    return [payoff if isinstance(payoff, str) else language.number(payoff)]  # type: ignore[arg-type]
