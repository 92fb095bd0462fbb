"""`gametree check`: judge the claims and crosses in a hand-drawn tree."""

from typing import Annotated

import typer

from grader.base.phrases import Language
from grader.cli.shared.languages import LanguageCode, require_language
from grader.cli.shared.options import Json, RuleOptions, TreeFile, takes
from grader.cli.shared.parameters import option
from grader.cli.shared.sources import read_tree_source, write_result
from grader.cli.shared.terminal import CommandApp, paint, refuse, say, say_json, say_note
from grader.cli.shared.tree_solving import depth_limit_note
from grader.exercises.checking.judgement import Judgement, judge
from grader.exercises.checking.judgement_text import claim_text, cross_texts, judgement_summary

app = CommandApp()


@app.command()
@takes(RuleOptions)
def check(
    file: TreeFile,
    options: RuleOptions,
    pruning: Annotated[
        bool | None,
        option(
            "Check the crosses or ignore them. Default: check them if the file has any.",
            "--pruning/--no-pruning",
        ),
    ] = None,
    draw: Annotated[
        str | None,
        option("Draw the checked tree into OUT; its suffix gives the format: {pictures}.", metavar="OUT"),
    ] = None,
    language: LanguageCode = None,
    json: Json = False,
) -> None:
    """Check the values and crosses in a hand-drawn tree.

    A value rounded to at least two decimals is correct. A bound is compared with what the search has
    proved when it leaves the node: a weaker, stronger or reversed bound is incorrect.
    With a depth limit, a node at the limit is checked by its static evaluation, and nothing below it is
    checked.
    Exit code 0 if everything is correct, 1 if something is incorrect.

    Examples:
      echo 'MAX A=3 (MIN B=3 (3 12 8) MIN C<=2 (2 ~4 ~6))' | gametree check -
      gametree check sheet.tree --ties keep
      gametree check sheet.tree --draw marked.svg

    How a tree is drawn in text:
      MIN B=3 (...)    the value written at a node; B<=2 and B>=5 are bounds
      ~4  ~MIN C (..)  a branch that is crossed out, with everything below it
    """
    tree = read_tree_source(file)
    if not any(tree.crosses) and not any(tree.claims) and not pruning:
        refuse(
            "There is nothing to check: the tree has neither values at its nodes nor crosses.",
            "Write the drawn values and crosses, as in MIN B=3 (3 12 8) and ~4; --pruning judges a tree "
            "without a single cross.",
        )
    rules, chosen_language = options.override_rules(tree), require_language(language)
    judgement = judge(tree, rules, pruning=pruning, language=chosen_language)
    if draw is not None:
        from grader.cli.draw import render_tree
        from grader.pictures.view import View

        view = View.from_judgement(judgement, chosen_language)
        write_result(draw, render_tree(judgement.solution.tree, view, draw, names="all"))
    if json:
        from grader.web.messages.documents import judgement_record

        say_json(judgement_record(judgement))
    else:
        _report(judgement, chosen_language)
    raise typer.Exit(0 if judgement.ok else 1)


def _report(judgement: Judgement, language: Language) -> None:
    """Print the verdict on every claim and cross, then notes, then a summary."""
    for claim in judgement.claims:
        say(f"{_sign(claim.right, language)}  {claim_text(judgement, claim, language)}")
    crosses = list(cross_texts(judgement, language))
    if crosses and judgement.claims:
        say("")
    for right, words in crosses:
        say(f"{_sign(right, language)}  {words}")
    if judgement.solution.tree.estimates:
        say_note(depth_limit_note(judgement.solution))
    for note in judgement.notes:
        say_note(note)
    summary = judgement_summary(judgement, language)
    say(f"\n{paint(summary, 'green') if judgement.ok else summary}")


def _sign(right: bool, language: Language) -> str:
    """Return the word for correct or incorrect, coloured, and as wide as the longer of the two."""
    correct, incorrect = language.term("correct"), language.term("incorrect")
    word = (correct if right else incorrect).ljust(max(len(correct), len(incorrect)))
    return paint(word, "green" if right else "red")
