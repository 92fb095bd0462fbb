"""`gametree check`: judge the claims and crosses in a hand-drawn tree."""

from typing import Annotated

import typer

from grader.base.phrases import ENGLISH
from grader.checking.claims import JudgedClaim
from grader.checking.crosses import JudgedCrosses
from grader.checking.judging import Judgement, judge
from grader.cli.shared.options import Json, RuleOptions, TreeFile, takes_rules
from grader.cli.shared.solving import cut_at_the_limit, refusing_unsolvable
from grader.cli.shared.sources import read, write
from grader.cli.shared.terminal import paint, program, refuse, say, say_json
from grader.explaining.naming import branches, called, written

app = program()


@app.command()
@takes_rules
def check(
    file: TreeFile,
    options: RuleOptions,
    pruning: Annotated[
        bool | None,
        typer.Option(
            "--pruning/--no-pruning",
            help="Judge the crosses, or leave them out. Without it: when the file has any.",
        ),
    ] = None,
    draw: Annotated[
        str | None,
        typer.Option(
            metavar="OUT", help="Draw the tree with right and wrong marks into OUT, as it ends: {pictures}."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Judge the values and crosses in a hand-drawn tree, and say why.

    A value rounded to two decimals or more is right. A bound is held against what is proved when the
    search leaves the node: a weaker or stronger one is wrong, and so is one turned round.
    With a depth limit, a node at the limit is judged by its static evaluation, and what is drawn
    below it is not judged.
    Exit code 0 when everything is right, 1 when something is wrong.

    Examples:
      echo 'MAX A=3 (MIN B=3 (3 12 8) MIN C<=2 (2 ~4 ~6))' | gametree check -
      gametree check sheet.tree --ties keep
      gametree check sheet.tree --draw marked.svg

    How a tree is drawn in text:
      MIN B=3 (...)    the value written at a node; B<=2 and B>=5 are bounds
      ~4  ~MIN C (..)  a branch that is crossed out, with everything below it
    """
    tree = read(file)
    if not any(tree.crosses) and not any(tree.claims) and not pruning:
        refuse(
            "There is nothing to check: the tree has neither values at its nodes nor crosses.",
            "Write what was drawn, MIN B=3 (3 12 8) and ~4; --pruning judges a tree without a single cross.",
        )
    rules = options.over(tree)
    with refusing_unsolvable():
        judgement = judge(tree, rules, pruning=pruning)
    if draw is not None:
        from grader.cli.draw import picture
        from grader.pictures.view import View

        write(draw, picture(judgement.solution.tree, View.judged(judgement), draw, names="all"))
    if json:
        from grader.cli.shared.records import judgement_record

        say_json(judgement_record(judgement))
    else:
        _report(judgement)
    raise typer.Exit(0 if judgement.ok else 1)


def _report(judgement: Judgement) -> None:
    for claim in judgement.claims:
        say(_claim(judgement, claim))
    if judgement.crosses is not None:
        if judgement.claims:
            say("")
        for line in _crosses(judgement, judgement.crosses):
            say(line)
    if judgement.solution.tree.estimates:
        say(f"\n{paint('Note:', 'yellow')} {cut_at_the_limit(judgement.solution)}")
    for note in judgement.notes:
        say(f"\n{paint('Note:', 'yellow')} {note}")
    say(f"\n{_verdict(judgement)}")


def _claim(judgement: Judgement, claim: JudgedClaim) -> str:
    said = f"{called(judgement.solution.tree, claim.node)}{claim.claim.relation}{written(claim.claim.value)}"
    if claim.right:
        remark = "" if claim.follows else ", though it does not follow from the values written below it"
        return f"{paint('right', 'green')}  {said}{remark}"
    return f"{paint('wrong', 'red')}  {said}: {claim.why}"


def _crosses(judgement: Judgement, crosses: JudgedCrosses) -> list[str]:
    tree = judgement.solution.tree

    lines = []
    if crosses.right:
        what = branches(tree, [tree.leaves[path - 1] for path in crosses.right])
        lines.append(f"{paint('right', 'green')}  {ENGLISH.say('{what} crossed out', what=what)}")
    if not crosses.right and not crosses.missing and not crosses.extra:
        lines.append(f"{paint('right', 'green')}  Nothing crossed out, and nothing is pruned")
    return lines + [f"{paint('wrong', 'red')}  {words}" for words in crosses.why]


def _verdict(judgement: Judgement) -> str:
    if judgement.ok:
        return paint("Everything is right.", "green")
    parts = []
    wrong = sum(not claim.right for claim in judgement.claims)
    if judgement.claims:
        parts.append(f"{len(judgement.claims) - wrong} of {len(judgement.claims)} values are right")
    if (crosses := judgement.crosses) is not None:
        parts.append(
            f"leaves crossed out: {len(crosses.right)} right, {len(crosses.missing)} missing, "
            f"{len(crosses.extra)} too many"
        )
    return "; ".join(parts) + "." if parts else "Nothing could be judged."
