"""The catalogue of kinds: an example of each with its picture, and the table of the guide.

    python -m tests.catalogue

writes `docs/catalogue.md`, the pictures in `docs/catalogue/`, and the table of the guide to exercises anew.
"""

import re
from pathlib import Path

from grader.base.phrases import ENGLISH
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


def entry(exercise: Exercise) -> str:
    """What the catalogue says of a kind."""
    public, kind = exercise.public, exercise.kind
    lines = [f"### {kind.code}", "", catalogue_question(kind), "", f"> {public.prompt}", ""]
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
    parts = [
        "# Kinds of questions\n",
        "One generated example of each, with its answer and what mistaken students would answer.\n"
        "`python -m tests.catalogue` writes this page anew, `gametree generate KIND` as many as you like.\n",
    ]
    for group, members in GROUPS.items():
        parts.append(f"## {group[:1].upper()}{group[1:]}\n")
        for kind in all_kinds():
            if kind.name not in members:
                continue
            exercise = example(kind.code)
            parts.append(entry(exercise))
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
