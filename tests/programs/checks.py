"""Checks programs that are texts, and random trees to compare them on."""

import random
from collections.abc import Sequence

from grader.programs.checking import CheckOptions, ProgramSubmission, check_program
from grader.programs.example_trees import Example
from grader.programs.interface import load_interface
from grader.programs.running import run_program
from grader.programs.verdict import Verdict, judge_run
from grader.trees.rules import Ties
from grader.trees.tree import Player
from grader.trees.tree_builder import TreeBuilder, name_by_letters


def check(source: str, interface: str | None = None, ties: Ties | None = None, seconds: int = 60) -> Verdict:
    """Check a text; the limit of time is wide, because the machine may be busy."""
    return check_program(
        ProgramSubmission("search.py", source), CheckOptions(interface, ties=ties, seconds=seconds)
    )


def check_on(source: str, interface: str, examples: Sequence[Example]) -> Verdict:
    """Check a text on other trees than those that everybody is checked on."""
    jobs = [example.to_job() for example in examples]
    run = run_program("search.py", source, interface, jobs, seconds=300)
    return judge_run("search.py", run, load_interface(interface), examples)


def other_trees(count: int) -> tuple[Example, ...]:
    """Return random trees that are not among those that programs are checked on."""
    dice = random.Random(7)

    def add(builder: TreeBuilder, parent: int, depth: int, plies: int, payoffs: int) -> None:
        if depth == plies or (depth > 1 and dice.random() < 0.2):
            builder.add(parent, None, dice.randint(-payoffs, payoffs))
            return
        node = builder.add(parent, Player.MIN if depth % 2 else Player.MAX)
        for _ in range(dice.randint(1, 3)):
            add(builder, node, depth + 1, plies, payoffs)

    examples = list[Example]()
    while len(examples) < count:
        builder = TreeBuilder()
        add(builder, -1, 0, dice.randint(1, 5), dice.choice((2, 20)))
        tree = name_by_letters(builder.tree())
        depths = {tree.depths[leaf] for leaf in tree.leaves}
        examples.append(Example(tree, tree, (Player.MAX, Player.MIN), len(depths) == 1))
    return tuple(examples)
