"""`gametree help`: the notation, the fields of recipes and blueprints, or the help of a command."""

from textwrap import fill
from typing import Annotated, Any

import typer

from grader.cli.shared.parameters import argument
from grader.cli.shared.terminal import CommandApp, refuse, say, speaks_unicode

app = CommandApp()


def _notation() -> str:
    """Return the help about the notation and its messages, in signs that the terminal can show."""
    from grader.trees.notation.diagnostics import CODES

    width = max(map(len, CODES))
    messages = (f"  {code:<{width}}  {meaning}" for code, meaning in CODES.items())
    notation = NOTATION if speaks_unicode() else NOTATION.replace("△ ▽ ○", _SIGNS_IN_WORDS)
    return "\n".join((notation, "MESSAGES", "", *messages))


def _recipe() -> str:
    from grader.generation.recipe_fields import RECIPE
    from grader.tables.schema_help import schema_reference

    return schema_reference(RECIPE)


def _blueprint() -> str:
    from grader.exam.blueprint_fields import BLUEPRINT
    from grader.tables.schema_help import schema_reference

    return schema_reference(BLUEPRINT)


def _policies() -> str:
    """Return every policy with what it earns and an example; lines as wide as those of other topics."""
    from grader.exercises.policy_table import POLICY_DEFINITIONS

    lines = ["POLICIES", "", "A reply to a question with several parts of an answer earns:", ""]
    for each in POLICY_DEFINITIONS:
        lines.append(f"  {each.spelling}, for {each.marks}")
        lines.append(fill(f"{each.earns}.", 90, initial_indent="    ", subsequent_indent="    "))
        lines.append(f"    For example: {each.example}")
        lines.append("")
    return "\n".join((*lines, "Nothing is ever below 0."))


TOPICS = {"notation": _notation, "recipe": _recipe, "blueprint": _blueprint, "policies": _policies}
"""The topics other than commands."""


@app.command()
def help(  # noqa: A001 - a command's function has the command's name
    context: typer.Context,
    topic: Annotated[str | None, argument("[TOPIC]", f"{', '.join(TOPICS)}, or a command.")] = None,
) -> None:
    """Explain the notation, recipes, blueprints and policies, or a command.

    This includes every field of a recipe and a blueprint, and every message.

    Examples:
      gametree help notation
      gametree help recipe
      gametree help policies
      gametree help solve
    """
    singular = (topic or "").removesuffix("s")
    topic_name = "policies" if singular == "policy" else singular if singular in TOPICS else topic
    if topic_name in TOPICS:
        say(TOPICS[topic_name]())
        return
    commands: Any = context.find_root()
    if topic is None:
        say(commands.get_help())
        return
    if topic in commands.command.list_commands(commands):
        command = commands.command.get_command(commands, topic)
        say(command.get_help(type(context)(command, info_name=topic, parent=commands)))
        return
    refuse(
        f"There is no help on {topic!r}.",
        f"Topics are {', '.join(TOPICS)} and the commands, as `gametree help` lists them.",
    )


_SIGNS_IN_WORDS = "triangle up, triangle down, circle"

NOTATION = """\
THE NOTATION

A tree is written with brackets, or with one node a line and the children indented:

  MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))

  MAX A
    MIN B
      3
      12
      8
    MIN C
      ...

PIECES

  players      MAX MIN CHANCE in any case, or the signs △ ▽ ○;
               P1 to P9 in a game of several players
  shorthand    ((3 12 8) (2 4 6) (14 5 2))  or  [[3,12,8],[2,4,6],[14,5,2]]
               the root is MAX, levels alternate
  name         a word or "a quoted string" after the player: MIN B (...)
               each name once; nodes without one are called root, Max1, Min1, Chance1, ...
               a name that is the word of a player goes in quotes: MIN "max" (...), "p1"=3
  leaf         an exact number: 3  -2  2.5  7/3;  with a name: e=3
               a payoff for each player: <1, 2, 6>
               a word is an unknown payoff: x
               a leaf without a name is identified by its leaf number: 1 for the leftmost leaf
  move         a1: MIN B (...)
  chance       CHANCE (1/2: 3, 1/3: MIN (1 2), 1/6: 4)   also 0.5: and 50%:
               all probabilities, summing to exactly 1, or none, and they are equal
               a move and a probability, each with its colon: heads: 1/2: 3
  attributes   MIN B {eval=4, f=[2,-1], n=10, w=6} (...)
               static evaluation, features, visits, wins
  rest         commas between children are optional, # starts a comment

WHAT SOMEONE DREW ON A TREE

  claim        MIN B=3 (...)   B<=2   B>=5   the value written at a node
  cross        ~4   ~MIN C (...)             the branch above it is crossed out

LINES AT THE TOP OF A FILE

  @title "Midterm, question 2"     @source "where it comes from"
  @order left-to-right             or right-to-left
  @ties cut                        prune on equal values, or keep: only on better ones
  @test value                      compare before updating alpha and beta, or window: after
  @returns soft                    a cut node returns its value, or hard: the bound
  @bounds [-2, 2]                  limits of all payoffs: alpha and beta start with them
  @window [3, 5]                   alpha and beta at the root, for all payoffs
  @depth 2                         plies to search
  @weights [3, 1]                  of the features
  @numbers fractions               7/2 in pictures, or decimals: 3.5; without it, as payoffs are typed
"""
