"""The catalogues of sentences: those that come with the program, and a teacher's own file."""

import datetime
import gettext
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from grader.base.numbers import format_count
from grader.base.shipped import shipped_folder
from grader.base.suggest import close_matches

if TYPE_CHECKING:
    from babel import Locale
    from babel.messages.catalog import Catalog, Message

SOURCE_LANGUAGE = "en"
"""The language of the sentences in the code; it needs no catalogue."""

CHECKED_COUNTS = (*range(1001), 10**6)
"""The numbers for which the rule of the plural forms is tried: every usual one repeats after 100 or 1,000."""

PLACEHOLDER = re.compile(r"\{([^\W\d]\w*)\}")
"""A placeholder in a sentence."""

_CODE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,7}")
_DIGEST = re.compile("[0-9a-f]{64}")


class CatalogueFault(NamedTuple):
    """A fault in a catalogue: its line, counted from 1, the message, and how to fix it."""

    line: int
    message: str
    hint: str


class CatalogueError(ValueError):
    """A catalogue that cannot be used, with all its faults."""

    def __init__(self, *faults: CatalogueFault) -> None:
        super().__init__(*faults)
        self.faults = faults

    def __str__(self) -> str:
        return "\n".join(f"line {fault.line}: {fault.message}" for fault in self.faults)


@dataclass(frozen=True, slots=True)
class OwnCatalogue:
    """A teacher's catalogue: the code of the language it builds on, and its file, known by its SHA-256."""

    code: str
    digest: str
    data: bytes = field(repr=False, compare=False)

    @property
    def text(self) -> str:
        """The text of the file."""
        return self.data.decode("utf-8-sig")


def shipped_languages() -> tuple[str, ...]:
    """Return the languages whose sentences come with the program: `en`, and one for each file."""
    return (SOURCE_LANGUAGE, *sorted(path.stem for path in _folder().glob("*.po")))


def has_catalogue(code: str) -> bool:
    """Check for sentences in the language of a code such as `de` or `de-CH`."""
    return bool(_CODE.fullmatch(code)) and (_is_source(code) or _file(code) is not None)


def missing_catalogue(code: str) -> tuple[str, str]:
    """Return the message about a language without a catalogue, and its hint."""
    hint = (
        f"there are {', '.join(shipped_languages())}; for another language, write your own catalogue, FILE.po"
    )
    return f"there are no sentences in the language {code!r}", hint


def language_record(code: str, own: OwnCatalogue | None) -> dict[str, str]:
    """Return the language as JSON: its code, and the SHA-256 of a teacher's own catalogue."""
    return {"language": code} if own is None else {"language": code, "catalogue": own.digest}


def load_translations(code: str, own: OwnCatalogue | None) -> gettext.NullTranslations:
    """Load the sentences of a language, a teacher's own catalogue first; missing ones stay English.

    So does everything in a language without a catalogue, which a damaged record can name.
    """
    if own is None and (_is_source(code) or not has_catalogue(code)):
        return gettext.NullTranslations()
    ready = _folder() / compiled_name(code, own)
    data = ready.read_bytes() if ready.is_file() else compile_catalogue(code, own)
    return gettext.GNUTranslations(io.BytesIO(data))


@lru_cache(maxsize=16)
def compile_catalogue(code: str, own: OwnCatalogue | None) -> bytes:
    """Return the sentences of a language as an `.mo` file, which gettext reads without Babel.

    Translations in `own` replace shipped ones. Raises `CatalogueError` if `own` cannot be read.
    """
    from babel.messages.catalog import Catalog

    result = _shipped_catalogue(code)
    if own is None:
        result = Catalog(code) if result is None else result
    elif result is None:
        result = _read_with_current_wording(own.text)
    else:
        for entry in _read_with_current_wording(own.text):
            if _is_translated(entry):
                result.delete(entry.id)
                result[entry.id] = entry
    return _bytes(result)


def compiled_name(code: str, own: OwnCatalogue | None) -> str:
    """Return the name of the `.mo` file of a language in the folder of the catalogues."""
    return f"{code.partition('-')[0].lower() if own is None else own.digest}.mo"


def find_own_catalogue(code: str, digest: str) -> OwnCatalogue | None:
    """Return the teacher's own catalogue with this SHA-256 if its compiled file is shipped, else None."""
    if not _DIGEST.fullmatch(digest):
        return None
    own = OwnCatalogue(code, digest, b"")
    try:
        return own if (_folder() / compiled_name(code, own)).is_file() else None
    except FileNotFoundError:  # a copy of this program that speaks English
        return None


def read_own_catalogue(data: bytes, *, may_be_older: bool = False) -> OwnCatalogue:
    """Read a teacher's own catalogue. Raises `CatalogueError` with every fault that can be found.

    Args:
        data: The file.
        may_be_older: Allow sentences that this version no longer has, as in the copy that an exam keeps.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise CatalogueError(CatalogueFault(line, "this is not UTF-8 text", "save it as UTF-8")) from None
    catalogue = _read_with_current_wording(text)
    code = str(catalogue.locale_identifier or "").replace("_", "-")
    if not _CODE.fullmatch(code):
        hint = 'write msgid "" and msgstr "Language: de\\n" at the top, with the language it builds on'
        raise CatalogueError(CatalogueFault(1, "its header does not say which language it builds on", hint))
    faults = [*catalogue_faults(catalogue), *(() if may_be_older else _unknown_entries(catalogue))]
    forms, shipped = catalogue.num_plurals, _shipped_catalogue(code)
    if shipped is not None and forms != shipped.num_plurals:
        needed = shipped.num_plurals
        message = (
            f"its header says that numbers have {format_count(forms, 'plural form')}, but {code} has {needed}"
        )
        faults.append(CatalogueFault(1, message, "leave out the line Plural-Forms"))
    if faults:
        raise CatalogueError(*sorted(faults))
    import hashlib

    return OwnCatalogue(code, hashlib.sha256(data).hexdigest(), data)


def read_catalogue(text: str) -> "Catalog":
    """Parse a catalogue. Raises `CatalogueError` for any other text."""
    from babel.messages.pofile import PoFileError, read_po

    text = text.replace("\r\n", "\n")
    try:
        catalogue = read_po(io.StringIO(text), abort_invalid=True)
        catalogue.charset = "utf-8"
        last = catalogue.num_plurals - 1
        forms = set(map(gettext.c2py(catalogue.plural_expr), CHECKED_COUNTS))
        if missing := forms.difference(range(last + 1)):
            form = max(missing)
            raise ValueError(f"the rule of Plural-Forms gives the form {form}, and the last one is {last}")
    except PoFileError as error:
        hint = 'an entry is msgid "..." and below it msgstr "...", each in straight quotes'
        raise CatalogueError(
            CatalogueFault(error.lineno + 1, str(error).partition(" on ")[0], hint)
        ) from None
    except (ArithmeticError, ValueError, LookupError, TypeError) as error:
        hint = "compare its header with that of a catalogue that comes with the program"
        raise CatalogueError(CatalogueFault(1, f"it cannot be read: {error}", hint)) from None
    return catalogue


def catalogue_faults(catalogue: "Catalog") -> Iterator[CatalogueFault]:
    """Find missing plural forms, and missing or unknown placeholders, in the translations."""
    for entry in catalogue:
        if not _is_translated(entry):
            continue
        ids, forms = _ids(entry), _forms(entry)
        if entry.pluralizable and (len(forms) != catalogue.num_plurals or not all(forms)):
            last = catalogue.num_plurals - 1
            hint = f"write msgstr[0] to msgstr[{last}]" if last else "write msgstr[0]"
            yield CatalogueFault(_line(entry), f"{_excerpt(ids[0])} lacks a plural form", hint)
        one, many = _placeholders(ids[0]), _placeholders(ids[-1])
        needed = (one & many) - ({"count"} if entry.pluralizable else set())
        for form in filter(None, forms):
            lost, added = needed - _placeholders(form), _placeholders(form) - (one | many)
            if lost:
                hint = f"write {_braced(lost)} where its value belongs"
                yield CatalogueFault(_line(entry), f"{_braced(lost)} is missing in {_excerpt(form)}", hint)
            if added:
                hint = f"there are {_braced(one | many) or 'none'}"
                yield CatalogueFault(_line(entry), f"{_braced(added)} has no value in {_excerpt(form)}", hint)


def uses_decimal_comma(code: str) -> bool:
    """Return whether numbers have a decimal comma in a language."""
    locale = None if _is_source(code) else _locale(code)
    return locale is not None and locale.number_symbols.get("latn", {}).get("decimal") == ","


def write_date(code: str, moment: datetime.date | datetime.time) -> str:
    """Write a date, and its time if it has one, as usual in a language; in English by ISO 8601."""
    locale = None if _is_source(code) or isinstance(moment, datetime.time) else _locale(code)
    if locale is None or isinstance(moment, datetime.time):
        return moment.isoformat().replace("T", " ")
    from babel.dates import format_date

    date = format_date(moment, "long", locale)
    return f"{date} {moment:%H:%M}" if isinstance(moment, datetime.datetime) else date


def _folder() -> Path:
    return shipped_folder("problems") / "languages"


def _is_source(code: str) -> bool:
    return code.partition("-")[0].lower() == SOURCE_LANGUAGE


def _file(code: str) -> Path | None:
    """Return the file of a language: its own, or that of the language without its region."""
    names = (f"{code}.po", f"{code.partition('-')[0].lower()}.po", compiled_name(code, None))
    return next((path for name in names if (path := _folder() / name).is_file()), None)


def _shipped_catalogue(code: str) -> "Catalog | None":
    """Return the catalogue that comes with the program; None for the source language and unknown ones."""
    path = None if _is_source(code) else _file(code)
    return None if path is None else read_catalogue(path.read_text(encoding="utf-8-sig"))


def _bytes(catalogue: "Catalog") -> bytes:
    """Return a catalogue in the binary format of gettext (`.mo`)."""
    from babel.messages.mofile import write_mo

    file = io.BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def _locale(code: str) -> "Locale | None":
    """Return Babel's locale of a language code such as `pt-BR`, or None if Babel does not know it."""
    from babel import Locale, UnknownLocaleError

    try:
        return Locale.parse(code, sep="-")
    except (ValueError, UnknownLocaleError):
        return None


@cache
def _source_sentences() -> frozenset[str]:
    """Return every sentence of the program, from a catalogue that comes with it; empty without one."""
    codes = sorted(path.stem for path in _folder().glob("*.po"))
    return frozenset(_ids(entry)[0] for code in codes[:1] for entry in _shipped_catalogue(code) or ())


@cache
def _current_wordings() -> Mapping[str, str]:
    """Return the sentences of earlier versions, each with its current wording."""
    import tomllib

    return tomllib.loads((shipped_folder("problems") / "reworded.toml").read_text(encoding="utf-8"))


def _read_with_current_wording(text: str) -> "Catalog":
    """Parse a teacher's own catalogue, with earlier wordings of sentences replaced by the current ones.

    Raises `CatalogueError` for any other text.
    """
    catalogue, current = read_catalogue(text), _current_wordings()
    for entry in list(catalogue):
        reworded = tuple(current.get(sentence, sentence) for sentence in _ids(entry))
        if not entry.id or reworded == _ids(entry):
            continue
        catalogue.delete(entry.id, entry.context)
        entry.id = reworded if entry.pluralizable else reworded[0]
        newer = catalogue.get(reworded[0], entry.context)
        if newer is None or not any(_forms(newer)):
            catalogue.delete(reworded[0], entry.context)
            catalogue[entry.id] = entry
    return catalogue


def _unknown_entries(catalogue: "Catalog") -> Iterator[CatalogueFault]:
    """Find the entries that translate no sentence of the program."""
    known = _source_sentences()
    for entry in catalogue if known else ():
        sentence = _ids(entry)[0]
        if sentence and sentence not in known:
            close = close_matches(sentence, sorted(known))
            hint = "copy msgid from the catalogue that comes with the program"
            if close:
                hint = f"did you mean {_excerpt(close[0])}?"
            message = f"the program has no such sentence: {_excerpt(sentence)}"
            yield CatalogueFault(_line(entry), message, hint)


def _ids(entry: "Message") -> tuple[str, ...]:
    return (entry.id,) if isinstance(entry.id, str) else tuple(entry.id)


def _forms(entry: "Message") -> tuple[str, ...]:
    return (entry.string,) if isinstance(entry.string, str) else tuple(entry.string or ())


def _is_translated(entry: "Message") -> bool:
    return bool(entry.id) and any(_forms(entry)) and not entry.fuzzy


def _line(entry: "Message") -> int:
    return entry.lineno or 1


def _placeholders(text: str) -> frozenset[str]:
    """Return the names of the values that a sentence needs; `{at_node}` and `{of_node}` need `node`."""
    return frozenset(re.sub("^(at|of)_", "", name) for name in PLACEHOLDER.findall(text))


def _braced(names: Iterable[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in sorted(names))


def _excerpt(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")
