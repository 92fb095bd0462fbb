"""Reword English sentences: in the code that says them, in every catalogue, and in what quotes them."""

import ast
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from babel.util import pathmatch

from grader.base.catalogues import PLACEHOLDER
from grader.base.suggest import close_matches
from tests.languages import (
    CHECKOUT,
    KEYWORDS,
    METHODS,
    SHIPPED,
    read_reworded,
    template,
    write,
    write_reworded,
)

LINE_LENGTH = 110

MAX_BREAKINGS = 5
"""How often a long literal is broken again, each time into shorter lines, until the formatted file fits."""

EARLIER = CHECKOUT / "tests" / "made_by_0_1"
"""What an earlier version made, which quotes the sentences of that version."""

QUOTING_SUFFIXES = {".html", ".md", ".mjs", ".py", ".tex", ".toml", ".txt", ".xml"}
"""The tests' files in which sentences are reworded; JSON has checksums, which `pytest --golden` renews."""


class RewordingError(ValueError):
    """Pairs that cannot be applied, with one reason on each line."""


@dataclass(slots=True)
class Rewording:
    """The files to write, and what the developer has to look at."""

    files: dict[Path, str] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)

    def text(self, path: Path) -> str:
        """Return what a file will hold."""
        return self.files[path] if path in self.files else path.read_text(encoding="utf-8")

    def change(self, path: Path, text: str) -> None:
        """Set what a file will hold, unless it holds that already."""
        if text != self.text(path):
            self.files[path] = text


def read_pairs(path: Path) -> dict[str, str]:
    """Read a TOML file of lines `"OLD" = "NEW"`. Raises `RewordingError` for any other file."""
    try:
        pairs = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RewordingError(f"{path} cannot be read: {error}") from None
    if not pairs or not all(isinstance(new, str) for new in pairs.values()):
        raise RewordingError(f'{path}: every line is "OLD" = "NEW"')
    return pairs


def reword(pairs: Mapping[str, str], *, meaning_changed: bool = False, everywhere: bool = False) -> list[str]:
    """Apply pairs of an old and a new sentence to the checkout; return what is left to look at.

    1. Check all pairs, and find each sentence in the code.
    2. Replace the sentences in Python and in templates, then in the documents and tests that quote them.
    3. Rename the entries of the shipped catalogues. Translations are kept; they are marked as fuzzy where the
       meaning has changed.
    4. Record old and new for teachers' own catalogues, unless the meaning has changed.
    5. Renew the catalogues in a new process, which reads the new code, and compare the translations.

    Raises `RewordingError`: before step 3 with every reason and nothing written, in step 5 if a translation
    was lost.
    """
    table = read_reworded()
    rewording = Rewording()
    faults = [*unusable(pairs, template(), table)] or [*_reword_code(rewording, pairs, everywhere=everywhere)]
    if faults:
        raise RewordingError("\n".join(faults))
    _reword_quotations(rewording, pairs)
    for path, text in rewording.files.items():
        path.write_text(text, encoding="utf-8", newline="\n")
    earlier = {path: _read(path) for path in sorted(SHIPPED.glob("*.po"))}
    for path in earlier:
        write(renamed(_read(path), pairs, fuzzy=meaning_changed), path)
    write_reworded(table_after(table, pairs, meaning_changed=meaning_changed))
    subprocess.run([sys.executable, "-m", "tests.languages"], cwd=CHECKOUT, check=True)
    lost = [
        f"{path.name}: the translation of {text!r} was lost"
        for path, made in earlier.items()
        for text in lost_translations(made, _read(path), pairs)
    ]
    if lost:
        raise RewordingError("\n".join(lost))
    return rewording.remarks


# Checks ----------------------------------------------------------------------------------------------


def unusable(pairs: Mapping[str, str], said: Catalog, table: Mapping[str, str]) -> Iterator[str]:
    """Yield why pairs cannot be applied, whatever the code looks like."""
    known = {text for entry in said if entry.id for text in _texts(entry.id)}
    replacements = list(pairs.values())
    for old, new in pairs.items():
        lost, added = _listed(_places(old) - _places(new)), _listed(_places(new) - _places(old))
        if old not in known:
            close = close_matches(old, sorted(known))
            hint = f"; did you mean {close[0]!r}?" if close else ""
            yield f"{old!r} is not a sentence of the program{hint}"
        elif lost or added:
            differences = " and ".join(
                [f"{lost} is missing"] * bool(lost) + [f"{added} is new"] * bool(added)
            )
            yield (
                f"{new!r}: {differences}; a sentence with other placeholders is another sentence: "
                "change the code by hand and run python -m tests.languages"
            )
        elif not new or new != new.strip() or "\n" in new:
            yield f"{new!r} is not a sentence on one line without blanks around it"
        elif new in known:
            yield (
                f"{new!r} is a sentence of the program already: "
                "teachers' catalogues would translate it in the sense that it has today"
            )
        elif replacements.count(new) > 1:
            yield f"{new!r} would replace several sentences"
        elif table.get(new, old) != old:
            yield f"{new!r} was the wording of {table[new]!r}, by which teachers' catalogues know it"


def _places(text: str) -> set[str]:
    return set(PLACEHOLDER.findall(text))


def _listed(names: set[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in sorted(names))


# Code ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Literal:
    """A string in a Python module: where it stands, and in which call it is an argument."""

    node: ast.Constant
    value: str
    call: ast.Call | None
    is_docstring: bool

    @property
    def is_said(self) -> bool:
        """Whether the call is one of those that say sentences."""
        return self.call is not None and (
            getattr(self.call.func, "attr", getattr(self.call.func, "id", "")) in KEYWORDS
        )

    @property
    def is_argument(self) -> bool:
        """Whether it is a whole argument, so that it needs no parentheses on several lines."""
        return self.call is not None and self.node in self.call.args


def literals(text: str) -> Iterator[Literal]:
    """Yield every string of a module; an argument may be one of two in a conditional expression."""
    nodes = list(ast.walk(ast.parse(text)))
    calls: dict[ast.AST, ast.Call] = {}
    for call in nodes:
        if isinstance(call, ast.Call):
            calls.update((choice, call) for argument in call.args for choice in _choices(argument))
    docstrings = {node.value for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield Literal(node, node.value, calls.get(node), node in docstrings)


def _choices(argument: ast.expr) -> list[ast.expr]:
    if isinstance(argument, ast.IfExp):
        return [*_choices(argument.body), *_choices(argument.orelse)]
    return [argument]


@dataclass(slots=True)
class _Found:
    """Where a sentence is in the code: the lines of the calls that say it, and of everything else."""

    said: dict[object, str] = field(default_factory=dict)
    questions: dict[object, str] = field(default_factory=dict)
    docstrings: list[Path] = field(default_factory=list)
    others: list[str] = field(default_factory=list)


def _reword_code(rewording: Rewording, pairs: Mapping[str, str], *, everywhere: bool) -> Iterator[str]:
    """Replace each sentence in the place that says it; yield why one cannot be replaced.

    A sentence is said by a call of `KEYWORDS` or in a template. The question of a kind is another text in
    `grader/questions` or the docstring of the module alone; docstrings that repeat a sentence follow it.
    """
    found: dict[str, _Found] = defaultdict(_Found)
    edits: dict[Path, list[Literal]] = defaultdict(list)
    for path, text in _texts_with(pairs, (CHECKOUT / "grader").rglob("*.py")):
        for literal in literals(text):
            old = literal.value.strip()
            if old not in pairs or (literal.value != old and not literal.is_docstring):
                continue
            where = found[old]
            line = f"{path.relative_to(CHECKOUT).as_posix()}:{literal.node.lineno}"
            if literal.is_docstring:
                where.docstrings.append(path)
            elif literal.is_said and not _is_ignored(path):
                where.said[path, literal.call] = line
            elif path.is_relative_to(CHECKOUT / "grader" / "questions"):
                where.questions[path, literal.node] = line
            else:
                where.others.append(line)
                continue
            edits[path].append(literal)
    for path, text in _texts_with(pairs, (CHECKOUT / "templates").rglob("*.j2")):
        for match in _quoted(pairs).finditer(text):
            line = f"{path.relative_to(CHECKOUT).as_posix()}:{text.count(chr(10), 0, match.start()) + 1}"
            found[match["text"]].said[path, match.start()] = line
    for old in pairs:
        where = found[old]
        places = where.said or where.questions
        if not places and not where.docstrings:
            yield f"{old!r} is not written out in the code"
        elif len(places) > 1 and not everywhere:
            yield f"{old!r} is said in several places: {', '.join(places.values())}; see --everywhere"
        others = [*where.others, *(where.questions.values() if where.said else ())]
        if " " in old and others:
            rewording.remarks.append(f"{old!r} stays in {', '.join(others)}: no translator sees it there")
    for path, chosen in edits.items():
        kept = [each for each in chosen if each.is_docstring or each.is_said or not found[each.value].said]
        try:
            rewording.change(path, replaced(path, rewording.text(path), kept, pairs))
        except RewordingError as error:
            yield str(error)
    for path, text in _texts_with(pairs, (CHECKOUT / "templates").rglob("*.j2")):
        rewording.change(path, _quoted(pairs).sub(lambda match: _requoted(match, pairs), text))


def _texts_with(pairs: Iterable[str], paths: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    """Yield the files, with their texts, that may contain one of the sentences.

    They contain the first letters of one, or a backslash, which may be an escape within one.
    """
    beginnings = re.compile("|".join({re.escape(old[:8]) for old in pairs}), re.IGNORECASE)
    for path in sorted(paths):
        text = path.read_text(encoding="utf-8")
        if "_shipped" not in path.parts and ("\\" in text or beginnings.search(text)):
            yield path, text


def _is_ignored(path: Path) -> bool:
    """Whether translators do not see what a module says."""
    name = path.relative_to(CHECKOUT / "grader").as_posix()
    return next(method for pattern, method in METHODS if pathmatch(pattern, name)) == "ignore"


def _quoted(pairs: Iterable[str]) -> re.Pattern[str]:
    longest_first = sorted(pairs, key=len, reverse=True)
    return re.compile(rf"(?P<quote>[\"'])(?P<text>{'|'.join(map(re.escape, longest_first))})(?P=quote)")


def _requoted(match: re.Match[str], pairs: Mapping[str, str]) -> str:
    new, quote = pairs[match["text"]], match["quote"]
    return f"{quote}{new.replace(quote, chr(92) + quote)}{quote}"


# Literals --------------------------------------------------------------------------------------------


def replaced(path: Path, text: str, chosen: Iterable[Literal], pairs: Mapping[str, str]) -> str:
    """Replace these literals of a module and lay it out anew, long sentences on several lines.

    Raises `RewordingError` where that cannot be done.
    """
    spans = []
    for literal in chosen:
        start, end = _span(text, literal.node)
        new = pairs[literal.value.strip()]
        if literal.is_docstring:
            spans.append((start, end, text[start:end].replace(literal.value.strip(), new)))
            continue
        if not _is_literal(text[start:end], literal.value):
            raise RewordingError(f"{path}:{literal.node.lineno}: {literal.value!r} is inside an f-string")
        spans.append((*_with_parentheses(text, start, end), repr(new)))
    return _fitted(path, _spliced(text, spans), {pairs[literal.value.strip()] for literal in chosen})


def _fitted(path: Path, text: str, sentences: set[str]) -> str:
    """Format a module and break its lines that hold these sentences and are too long."""
    text = _formatted(path, text)
    for breaking in range(MAX_BREAKINGS):
        spans, lines = [], text.split("\n")
        for literal in literals(text):
            first, last = literal.node.lineno - 1, literal.node.end_lineno or 0
            is_long = max(map(len, lines[first:last])) > LINE_LENGTH
            if not is_long or not any(each in literal.value for each in sentences):
                continue
            start, end = _span(text, literal.node)
            if literal.is_docstring or not _is_literal(text[start:end], literal.value):
                raise RewordingError(
                    f"{path}:{first + 1}: {literal.value.strip()!r} is too long for its line"
                )
            indentation = len(lines[first]) - len(lines[first].lstrip())
            stands_alone = literal.is_argument and lines[first].lstrip()[:1] in "\"'"
            width = LINE_LENGTH - 1 - indentation - (0 if stands_alone else 4) - 4 * breaking
            pieces = " ".join(map(repr, parted(literal.value, width)))
            spans.append((start, end, pieces if literal.is_argument else f"({pieces})"))
        if not spans:
            return text
        text = _formatted(path, _spliced(text, spans))
    raise RewordingError(f"{path}: a line with a new sentence stays too long")


def parted(sentence: str, width: int) -> list[str]:
    """Part a text into pieces whose literals have at most this width, between sentences where possible."""
    pieces = [""]
    for each in re.split(r"(?<=[.?!:;] )", sentence):
        if len(repr(pieces[-1] + each)) <= width:
            pieces[-1] += each
            continue
        pieces.append("")
        for word in re.split(r"(?<= )", each):
            if len(repr(pieces[-1] + word)) > width:
                pieces.append("")
            pieces[-1] += word
    return [piece for piece in pieces if piece]


def _is_literal(text: str, value: str) -> bool:
    """Whether a text of Python is this string, not in triple quotes.

    Within f-strings Python 3.11 gives places that are somewhere else.
    """
    try:
        return not text.startswith(('"""', "'''")) and bool(ast.literal_eval(f"({text})") == value)
    except (SyntaxError, ValueError):
        return False


def _formatted(path: Path, text: str) -> str:
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(path), "-"]
    run = subprocess.run(command, input=text.encode(), capture_output=True, check=False, cwd=CHECKOUT)
    if run.returncode:
        raise RewordingError(f"{path}: {run.stderr.decode().strip()}")
    return run.stdout.decode()


def _span(text: str, node: ast.expr) -> tuple[int, int]:
    """Return the offsets of a node in characters; the parser counts columns in bytes."""
    lines = text.split("\n")

    def offset(line: int, column: int) -> int:
        before = sum(len(each) + 1 for each in lines[: line - 1])
        return before + len(lines[line - 1].encode()[:column].decode())

    return offset(node.lineno, node.col_offset), offset(node.end_lineno or 0, node.end_col_offset or 0)


def _with_parentheses(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the offsets with the parentheses around a literal, unless they are those of a call."""
    before, after = text[:start].rstrip(), text[end:].lstrip()
    around = before[:-1].rstrip()[-1:] if before.endswith("(") and after.startswith(")") else "x"
    if around.isalnum() or around in "_)]":
        return start, end
    return len(before) - 1, len(text) - len(after) + 1


def _spliced(text: str, spans: Iterable[tuple[int, int, str]]) -> str:
    for start, end, new in sorted(spans, reverse=True):
        text = text[:start] + new + text[end:]
    return text


# Documents and tests ---------------------------------------------------------------------------------


def _reword_quotations(rewording: Rewording, pairs: Mapping[str, str]) -> None:
    """Reword what quotes a sentence on one line, and in tests the same text over several lines."""
    quoted = {old: new for old, new in pairs.items() if _is_unmistakable(old)}
    quoted |= {old[:1].upper() + old[1:]: new[:1].upper() + new[1:] for old, new in quoted.items()}
    if not quoted:
        return
    pattern = re.compile(
        rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(quoted, key=len, reverse=True)))})(?!\w)"
    )
    documents = [CHECKOUT / "README.md", *(CHECKOUT / "docs").rglob("*.md")]
    tests = [
        path
        for path in (CHECKOUT / "tests").rglob("*")
        if path.suffix in QUOTING_SUFFIXES and EARLIER not in path.parents
    ]
    for path, text in _texts_with(quoted, (*documents, *tests)):
        try:
            literal = _reworded_literals(path, text, quoted) if path.suffix == ".py" else text
            plain = pattern.sub(lambda match: quoted[match[0]], literal)
            if path.suffix == ".py" and plain != text:
                plain = _formatted(path, plain)
                rewording.change(path, plain)
                plain = _fitted(path, plain, set(quoted.values()))
            rewording.change(path, plain)
        except RewordingError as error:
            rewording.remarks.append(f"{path.relative_to(CHECKOUT).as_posix()}: by hand: {error}")


def _reworded_literals(path: Path, text: str, pairs: Mapping[str, str]) -> str:
    """Reword the literals of a test that are a whole sentence."""
    chosen = [literal for literal in literals(text) if literal.value in pairs and not literal.is_docstring]
    return replaced(path, text, chosen, pairs) if chosen else text


def _is_unmistakable(text: str) -> bool:
    """Whether words that documents and tests hold can only be this sentence."""
    words = len(text.split())
    return words >= 5 or (words >= 3 and text.endswith((".", "?", "!")))


# Catalogues ------------------------------------------------------------------------------------------


def renamed(made: Catalog, pairs: Mapping[str, str], *, fuzzy: bool) -> Catalog:
    """Give the entries of a catalogue their new sentences; mark the translations as fuzzy if asked to."""
    for entry in list(made):
        texts = _texts(entry.id)
        new = tuple(pairs.get(text, text) for text in texts)
        if entry.id and new != texts:
            made.delete(entry.id, entry.context)
            entry.id = new if entry.pluralizable else new[0]
            if fuzzy and any(_texts(entry.string)):
                entry.flags.add("fuzzy")
            made[entry.id] = entry
    return made


def lost_translations(earlier: Catalog, made: Catalog, pairs: Mapping[str, str]) -> Iterator[str]:
    """Yield the new sentences that are not translated as the old ones were."""
    for entry in earlier:
        texts = _texts(entry.id)
        new = tuple(pairs.get(text, text) for text in texts)
        if entry.id and new != texts:
            found = made.get(new[0], entry.context)
            if found is None or found.string != entry.string or _texts(found.id) != new:
                yield new[0]


def table_after(
    table: Mapping[str, str], pairs: Mapping[str, str], *, meaning_changed: bool
) -> dict[str, str]:
    """Return the table of reworded sentences after one more rewording.

    - What led to a sentence that is reworded now leads to the new one, unless the meaning has changed.
    - A sentence that is said again needs no line.
    """
    if meaning_changed:
        return {old: new for old, new in table.items() if new not in pairs}
    led = {old: pairs.get(new, new) for old, new in table.items()} | dict(pairs)
    return {old: new for old, new in led.items() if old not in pairs.values()}


def _texts(said: object) -> tuple[str, ...]:
    """The sentence of an entry, and its plural if it has one."""
    return (said,) if isinstance(said, str) else tuple(said) if isinstance(said, tuple | list) else ()


def _read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file)


def main(arguments: list[str]) -> int:
    """Run `reword OLD NEW`, or `reword FILE.toml`; return the exit code."""
    options = {each for each in arguments if each in ("--meaning-changed", "--everywhere")}
    try:
        match [each for each in arguments if each not in options]:
            case [name] if name.endswith(".toml"):
                pairs = read_pairs(Path(name))
            case [old, new]:
                pairs = {old: new}
            case _:
                raise RewordingError('give OLD and NEW, or a FILE.toml of lines "OLD" = "NEW"')
        remarks = reword(
            pairs, meaning_changed="--meaning-changed" in options, everywhere="--everywhere" in options
        )
    except RewordingError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"reworded: {len(pairs)}", *remarks, sep="\n")
    if "--meaning-changed" not in options:
        print("the translations are kept; with --meaning-changed they have to be looked at")
    print("next: python -m tests.catalogue; pytest --golden; then read the difference")
    return 0
