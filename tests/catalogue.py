"""The catalogue of kinds: an example of each with its picture, and the table of the guide.

    python -m tests.catalogue

writes `docs/catalogue.md`, the pictures in `docs/catalogue/`, and the table of the guide to exercises anew.
"""

import re
from collections import Counter
from collections.abc import Collection
from pathlib import Path

from grader.base.phrases import ENGLISH, paragraph
from grader.exercises.exercise import Exercise
from grader.generation.grower import grow
from grader.generation.recipe_file import default_recipe
from grader.pictures.svg import svg
from grader.questions import KIND_NAMES, all_kinds, catalogue_question
from grader.questions.beliefs import BELIEFS
from grader.questions.titles import GROUPS

HOME = Path(__file__).parents[1]
PAGE, PICTURES = HOME / "docs" / "catalogue.md", HOME / "docs" / "catalogue"
GUIDE = HOME / "docs" / "guides" / "exercises.md"
SEED = "catalogue"
MARKS = re.compile(r"(<!-- kinds: .*? -->\n).*?(\n<!-- end of kinds -->)", re.DOTALL)


FIRST = (
    *("node-values", "best-move", "pruned-paths", "windows"),
    *("visited-count", "expected-values", "depth-limited.value", "uct.selected"),
)
"""The kinds to begin with, in the order of a course."""

MIN_SHARED = 10
"""A convention that so many examples state is said once, above all of them."""


def table() -> str:
    """The lines of the guide's table."""
    rows = ["| about | kinds |\n", "|---|---|\n"]
    for group, members in GROUPS.items():
        told = []
        for name in filter(members.__contains__, KIND_NAMES):
            asks = [kind.ask for kind in all_kinds() if kind.name == name and kind.ask]
            told.append(f"`{name}`" + (f" ({', '.join(asks)})" if asks else ""))
        rows.append(f"| {group} | {', '.join(told)} |\n")
    return "".join(rows)


def example(code: str) -> Exercise:
    """The exercise that the catalogue shows of a kind."""
    return grow(default_recipe(code), SEED)


def entry(exercise: Exercise, shared: Collection[str]) -> str:
    """What the catalogue says of a kind, without the conventions that it says of all."""
    public, kind = exercise.public, exercise.kind
    wording = public.wording
    own = [rule for rule in wording.conventions if rule not in shared]
    asked = paragraph(wording.question, wording.instruction, wording.demands, *own, wording.marking)
    lines = [f"### {kind.code}", "", catalogue_question(kind), "", f"> {asked}", ""]
    if len(public.tree):
        lines += [f"![The tree of {kind.code}](catalogue/{kind.code}.svg)", ""]
    lines += [f"Answer: `{ENGLISH.reply(exercise.key)}`", ""]
    for code, reply in exercise.beliefs.items():
        seems = BELIEFS[code.removeprefix(f"{kind.code}.")].symptom
        lines.append(f"- `{ENGLISH.reply(reply)}`: {seems}")
    return "\n".join(lines).rstrip() + "\n"


def written() -> dict[Path, str]:
    """Every file of the catalogue with its text."""
    files: dict[Path, str] = {}
    examples = {kind.code: example(kind.code) for kind in all_kinds()}
    stated = Counter(rule for each in examples.values() for rule in each.public.wording.conventions)
    shared = [rule for rule, times in stated.most_common() if times >= MIN_SHARED]
    parts = [
        "# Kinds of questions\n",
        "One generated example of each, with its answer and what mistaken students would answer.\n"
        "`python -m tests.catalogue` writes this page anew, `gametree generate KIND` as many as you like.\n",
        "## Conventions\n",
        "Every question states its conventions on the paper. Those of several kinds are listed here alone:\n",
        "".join(f"- {rule}\n" for rule in shared),
    ]
    groups = {"eight to begin with": FIRST} | {
        group: [code for code, each in examples.items() if each.kind.name in members and code not in FIRST]
        for group, members in GROUPS.items()
    }
    for group, codes in groups.items():
        parts.append(f"## {group[:1].upper()}{group[1:]}\n")
        for exercise in map(examples.__getitem__, codes):
            kind = exercise.kind
            parts.append(entry(exercise, shared))
            if len(exercise.public.tree):
                names = "all" if kind.form.names_nodes else "given"
                picture = svg(
                    exercise.public.tree,
                    title=kind.code,
                    identity=kind.code,
                    names=names,
                    paths=kind.form.counts_leaves,
                )
                files[PICTURES / f"{kind.code}.svg"] = picture
    files[PAGE] = "\n".join(parts)
    text = GUIDE.read_text(encoding="utf-8")
    files[GUIDE] = MARKS.sub(lambda found: f"{found[1]}\n{table()}{found[2]}", text)
    return files


def main() -> None:
    """Write every file of the catalogue, and take away pictures of kinds that are gone."""
    files = written()
    PICTURES.mkdir(exist_ok=True)
    for path in PICTURES.glob("*.svg"):
        if path not in files:
            path.unlink()
    for path, text in files.items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
