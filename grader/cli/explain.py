"""`gametree explain`: every step of the search in words."""

from typing import Annotated

from grader.cli.shared.languages import LanguageCode, require_language
from grader.cli.shared.options import RuleOptions, TreeFile, takes
from grader.cli.shared.parameters import option
from grader.cli.shared.sources import read_tree_source, write_result
from grader.cli.shared.terminal import CommandApp, refuse, say
from grader.cli.shared.text_layout import wrap_text
from grader.cli.shared.tree_solving import solve_with_options
from grader.solvers.explaining.steps import explain as explain_solution

app = CommandApp()

MAX_STEPPED_NODES = 300
"""Larger trees are explained as text only: a page of them would be too large to read."""


@app.command()
@takes(RuleOptions)
def explain(
    file: TreeFile,
    options: RuleOptions,
    html: Annotated[
        str | None,
        option("Write a page that shows the picture of each step, to click through.", metavar="OUT"),
    ] = None,
    language: LanguageCode = None,
) -> None:
    """Explain every step of the search in words, or as a page.

    The values found, the changes of alpha and beta, and the reason for each pruned branch.

    Examples:
      gametree explain bank:aima-fig-5-2
      gametree explain midterm.tree --test window --ties keep
      gametree explain midterm.tree --html steps.html
    """
    solution = solve_with_options(read_tree_source(file), options)
    chosen_language = require_language(language)
    explanation = explain_solution(solution, chosen_language)
    if html is None:
        depths = solution.tree.depths
        width = len(str(len(explanation.steps)))
        for number, step in enumerate(explanation.steps, 1):
            head = f"{number:>{width}}. {'  ' * min(depths[step.node], 12)}"
            say("\n".join(wrap_text(step.words, head, " " * len(head))))
        return
    if len(solution.tree) > MAX_STEPPED_NODES:
        refuse(
            f"A page for {len(solution.tree)} nodes would be too large to read.",
            "Without --html the steps are printed as text.",
        )
    from grader.pictures.steps_page import steps_page

    write_result(html, steps_page(solution, explanation, chosen_language))
