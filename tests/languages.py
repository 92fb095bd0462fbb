"""The sentences of the program, for translators.

python -m tests.languages                 renew every shipped catalogue from the code
python -m tests.languages begin FILE.po   begin a catalogue, FILE being the code of its language; or a .pot
python -m tests.languages check FILE.po   tell what a catalogue lacks
python -m tests.languages reword OLD NEW  reword an English sentence wherever it is; or many, FILE.toml
    --meaning-changed                     its translations are marked as fuzzy, for translators to look at
    --everywhere                          also if several places say it
"""

import ast
import json
import sys
import tomllib
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any, BinaryIO

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from grader.base.catalogues import CatalogueError, catalogue_faults, read_catalogue
from grader.questions import all_kinds, catalogue_question
from grader.version import VERSION

CHECKOUT = Path(__file__).resolve().parent.parent
SHIPPED = CHECKOUT / "problems" / "languages"
REWORDED = CHECKOUT / "problems" / "reworded.toml"

_SAID: dict[int | None, tuple[int, ...]] = {None: (1,)} | dict.fromkeys(range(3, 16), (1, 2))
"""The arguments that are sentences: the first; the second, too, where a number and perhaps values follow."""

_HINTED: dict[int | None, tuple[int, ...]] = {None: (1,)} | dict.fromkeys(range(3, 16), (3,))
"""The same of what cannot be read: the message, and behind its place the hint."""

KEYWORDS: dict[str, Any] = {
    **dict.fromkeys(("say", "_say", "term", "BoundPhrase"), _SAID),
    **dict.fromkeys(
        ("Phrase", "UnsureError", "BlankError", "NumeralError", "Unsolvable", "LimitError", "RulesError"),
        (1,),
    ),
    "UnreadableError": _HINTED,
    "misplaced": (2,),
    "_unclear": (2,),
    "unreadable_blank": (3,),
    "plural_phrase": {1: (1, 1), 2: (1, 2)},
}
"""What marks a sentence in the code, as Babel's extractor wants it."""

METHODS = [
    ("cli/shared/practice_messages.py", "tests.languages.said_in"),
    ("cli/**.py", "ignore"),  # commands speak English
    ("exam/manifest.py", "ignore"),  # its error has the name of that of replies
    ("latex/**.j2", "ignore"),  # they have other brackets, and say nothing themselves
    ("**.py", "tests.languages.said_in"),
    ("**.j2", "jinja2.ext:babel_extract"),
]


def said_in(
    file: BinaryIO, keywords: Collection[str], comment_tags: Collection[str], options: Mapping[str, Any]
) -> Iterator[tuple[int, str, list[str | None], list[str]]]:
    """The calls in a module that say something, with what stands in each place, None where it is no text.

    Babel's own extractor takes texts in named arguments, as `given["action"]`, for further sentences.
    """
    del comment_tags, options  # all remarks for translators are in templates
    text = file.read()
    if not any(f"{name}(".encode() in text for name in keywords):
        return  # most modules say nothing: they need not be parsed
    for call in ast.walk(ast.parse(text)):
        if isinstance(call, ast.Call):
            name = getattr(call.func, "attr", getattr(call.func, "id", ""))
            if name in keywords and call.args:
                for texts in zip_longest(*map(_texts, call.args)):
                    yield call.lineno, name, list(texts), []


def _texts(argument: ast.expr) -> list[str | None]:
    """The texts that an argument can be: one, or one of two; none for anything else."""
    if isinstance(argument, ast.IfExp):
        return [*_texts(argument.body), *_texts(argument.orelse)]
    text = argument.value if isinstance(argument, ast.Constant) else None
    return [text if isinstance(text, str) and text else None]


@cache
def _extracted(room: str) -> tuple[tuple[Any, ...], ...]:
    """What Babel finds in the files of a folder; they do not change while this runs."""
    return tuple(
        extract_from_dir(
            CHECKOUT / room, METHODS, {"**.j2": {"silent": "false"}}, KEYWORDS, comment_tags=("translators:",)
        )
    )


_NOBODY = dict.fromkeys(("msgid_bugs_address", "last_translator", "language_team"), "")


def template(code: str | None = None) -> Catalog:
    """Every sentence of the program, with the files that say it, in a catalogue without translations."""
    made = Catalog(code, project="gametree-grader", version=VERSION, charset="utf-8", fuzzy=False, **_NOBODY)
    made.header_comment = "# What students and teachers read; docs/languages.md says how to translate it."
    for room in ("grader", "templates"):
        for name, line, message, comments, context in _extracted(room):
            made.add(message, None, [(f"{room}/{name}", line)], auto_comments=comments, context=context)
    for kind in all_kinds():
        made.add(catalogue_question(kind), None, [(f"grader/questions/{kind.name.replace('-', '_')}.py", 1)])
    return made


def faults(path: Path, wanted: Catalog | None = None) -> Iterator[str]:
    """Everything that is wrong with a catalogue: what lacks, what differs, what nobody says any more."""
    try:
        made = read_catalogue(path.read_text(encoding="utf-8"))
    except CatalogueError as error:
        yield from (f"{path.name}:{fault.line}: {fault.message}" for fault in error.faults)
        return
    yield from (f"{path.name}:{line}: {message}; {hint}" for line, message, hint in catalogue_faults(made))
    wanted = template() if wanted is None else wanted
    code = str(made.locale_identifier or "").replace("_", "-")
    if code != path.stem:
        yield f"{path.name}: its header says Language: {code}"
    for entry in wanted:
        found = made.get(entry.id)
        if entry.id and (found is None or found.pluralizable != entry.pluralizable):
            yield f"{path.name}: an entry is missing: {entry.id!r}; `python -m tests.languages` enters it"
        elif found is not None and entry.id and not (found.string and any(found.string)):
            yield f"{path.name}: a translation is missing: {entry.id!r}"
    for entry in made:
        if entry.id and entry.fuzzy:
            yield f"{path.name}: an entry is marked as fuzzy: {entry.id!r}"
        if entry.id and wanted.get(entry.id) is None:
            yield f"{path.name}: nobody says this any more: {entry.id!r}"
    yield from (f"{path.name}: nobody says this any more: {entry.id!r}" for entry in made.obsolete.values())


def write(made: Catalog, path: Path) -> None:
    """Write a catalogue as they are shipped: in the order of their sentences, so that two changes join."""
    with path.open("wb") as file:
        write_po(file, made, width=100, sort_output=True, include_lineno=False, ignore_obsolete=True)


def renew(path: Path, wanted: Catalog) -> None:
    """Add the new sentences to a catalogue, without translations, and drop those nobody says any more."""
    with path.open("rb") as file:
        made = read_po(file)
    made.update(wanted, no_fuzzy_matching=True, update_creation_date=False)
    write(made, path)


def read_reworded() -> dict[str, str]:
    """Return the sentences of earlier versions, each with its wording of today."""
    return tomllib.loads(REWORDED.read_text(encoding="utf-8"))


def write_reworded(table: Mapping[str, str]) -> None:
    """Write the table of reworded sentences."""
    lines = [_REWORDED_HEAD]
    for old, new in sorted(table.items()):
        lines.append(" = ".join(json.dumps(text, ensure_ascii=False) for text in (old, new)))
    REWORDED.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


_REWORDED_HEAD = """\
# Sentences of earlier versions and their wording of today: teachers' own catalogues may have either.
# Written by `python -m tests.languages reword`."""


def stale_rewordings(table: Mapping[str, str], wanted: Catalog) -> list[str]:
    """Return the old sentences that are said again, or whose new one nobody says any more."""
    said = {text for entry in wanted for text in ([entry.id] if isinstance(entry.id, str) else entry.id)}
    return [old for old, new in table.items() if old in said or new not in said]


def main(arguments: list[str]) -> int:
    """Run the command; return its exit code."""
    match arguments:
        case []:
            wanted = template()
            for path in sorted(SHIPPED.glob("*.po")):
                renew(path, wanted)
            table = read_reworded()
            stale = stale_rewordings(table, wanted)
            write_reworded({old: new for old, new in table.items() if old not in stale})
            print("The catalogues have every sentence; translate those whose msgstr is empty.")
            return 0
        case ["reword", *said]:
            from tests import rewording

            return rewording.main(said)
        case ["begin", name]:
            path = Path(name)
            write(template(None if path.suffix == ".pot" else path.stem), path)
            return 0
        case ["check", name]:
            found = list(faults(Path(name)))
            print("\n".join(found) or "complete")
            return int(bool(found))
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
