"""`gametree bank`: the trees that come with the program."""

from typing import Annotated

from grader.cli.shared.parameters import argument
from grader.cli.shared.sources import BANK, bank_folder, bank_names
from grader.cli.shared.terminal import Program, refuse, say

app = Program()


@app.command()
def bank(
    words: Annotated[list[str] | None, argument("[WORD]...", "List only trees with these words.")] = None,
) -> None:
    """List the trees that come with the program.

    Textbook figures, lectures and exams, each with its title and source.

    Examples:
      gametree bank
      gametree bank berkeley
      gametree solve bank:aima-fig-5-2
    """
    rows = [(f"{BANK}{name}", *_title_and_source(name)) for name in bank_names()]
    wanted = [word.lower() for word in words or ()]
    rows = [row for row in rows if all(word in " ".join(row).lower() for word in wanted)]
    if not rows:
        refuse(
            f"No tree of the bank mentions {' and '.join(words or ())}.", "`gametree bank` lists them all."
        )
    for name, title, source in rows:
        say(f"{name}\n    {title}" + (f"\n    {source}" if source else ""))


def _title_and_source(name: str) -> tuple[str, str]:
    from grader.trees.notation.reading import read_bytes
    from grader.trees.tree import require_tree

    header = require_tree(read_bytes((bank_folder() / f"{name}.tree").read_bytes())).header
    return header.title or name, header.source or ""
