"""The catalogues of sentences: those that come with the program, and a teacher's own file."""

import datetime
import gettext
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from grader.base.shipped import shipped_folder
from grader.base.suggest import close_matches

if TYPE_CHECKING:
    from babel import Locale
    from babel.messages.catalog import Catalog, Message

SOURCE_LANGUAGE = "en"
"""The language in which the sentences stand in the code; it needs no catalogue."""

PLACEHOLDER = re.compile(r"\{([^\W\d]\w*)\}")
"""A placeholder in a sentence."""

_CODE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*")
_DIGEST = re.compile("[0-9a-f]{64}")


class CatalogueFault(NamedTuple):
    """Something wrong in a catalogue: the line, counted from 1, what it is, and how to mend it."""

    line: int
    message: str
    hint: str


class CatalogueError(ValueError):
    """A catalogue that cannot be used, with everything that is wrong with it."""

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
        """What the file says."""
        return self.data.decode("utf-8-sig")


def shipped_languages() -> tuple[str, ...]:
    """The languages whose sentences come with the program: `en`, and one for each file."""
    return (SOURCE_LANGUAGE, *sorted(path.stem for path in _folder().glob("*.po")))


def has_catalogue(code: str) -> bool:
    """Whether there are sentences for a language code such as `de` or `de-CH`."""
    return bool(_CODE.fullmatch(code)) and (_is_source(code) or _file(code) is not None)


def missing_catalogue(code: str) -> tuple[str, str]:
    """What is said of a language without a catalogue, and how to mend it."""
    hint = (
        f"there are {', '.join(shipped_languages())}; for another one write a catalogue of your own, FILE.po"
    )
    return f"there are no sentences in the language {code!r}", hint


def language_record(code: str, own: OwnCatalogue | None) -> dict[str, str]:
    """The language as records have it: its code, and the SHA-256 of a teacher's own catalogue."""
    return {"language": code} if own is None else {"language": code, "catalogue": own.digest}


def load_translations(code: str, own: OwnCatalogue | None) -> gettext.NullTranslations:
    """The sentences of a language, those of a teacher's own catalogue first; what none has stays English."""
    if own is None and _is_source(code):
        return gettext.NullTranslations()
    ready = _folder() / compiled_name(code, own)
    data = ready.read_bytes() if ready.is_file() else compile_catalogue(code, own)
    return gettext.GNUTranslations(io.BytesIO(data))


def compile_catalogue(code: str, own: OwnCatalogue | None) -> bytes:
    """The same as a file that gettext itself reads, for a copy of this program without Babel."""
    from babel.messages.catalog import Catalog

    path = None if _is_source(code) else _file(code)
    if own is None:
        made = Catalog(code) if path is None else read_catalogue(_text(path))
    elif path is None:
        made = _read_reworded(own.text)
    else:
        made = read_catalogue(_text(path))
        for entry in _read_reworded(own.text):
            if entry.id and any(_forms(entry)) and not entry.fuzzy:
                made.delete(entry.id)
                made[entry.id] = entry
    return _bytes(made)


def compiled_name(code: str, own: OwnCatalogue | None) -> str:
    """The name of that file, where it lies in the folder of the languages."""
    return f"{code.partition('-')[0].lower() if own is None else own.digest}.mo"


def find_own_catalogue(code: str, digest: str) -> OwnCatalogue | None:
    """The teacher's own catalogue with this SHA-256 where such a file holds its sentences, else None."""
    if not _DIGEST.fullmatch(digest):
        return None
    own = OwnCatalogue(code, digest, b"")
    try:
        return own if (_folder() / compiled_name(code, own)).is_file() else None
    except FileNotFoundError:  # a copy of this program that speaks English
        return None


def read_own_catalogue(data: bytes, *, may_be_older: bool = False) -> OwnCatalogue:
    """A teacher's own catalogue. Raises `CatalogueError` with every fault that can be found.

    Args:
        data: The file.
        may_be_older: Whether it may have sentences that this version no longer says, as the copy that an exam
            keeps may.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise CatalogueError(CatalogueFault(line, "this is no UTF-8 text", "save it as UTF-8")) from None
    made = _read_reworded(text)
    code = str(made.locale_identifier or "").replace("_", "-")
    if not _CODE.fullmatch(code):
        hint = 'write msgid "" and msgstr "Language: de\\n" at the top, with the language it builds on'
        raise CatalogueError(CatalogueFault(1, "its header does not say which language it builds on", hint))
    faults = [*catalogue_faults(made), *(() if may_be_older else _strangers(made))]
    path = None if _is_source(code) else _file(code)
    forms = made.num_plurals if path is None else read_catalogue(_text(path)).num_plurals
    if made.num_plurals != forms:
        message = f"its header says that numbers have {made.num_plurals} plural forms, and {code} has {forms}"
        faults.append(CatalogueFault(1, message, "leave the line Plural-Forms out"))
    if faults:
        raise CatalogueError(*sorted(faults))
    import hashlib

    return OwnCatalogue(code, hashlib.sha256(data).hexdigest(), data)


def read_catalogue(text: str) -> "Catalog":
    """What a catalogue holds. Raises `CatalogueError` for what is no catalogue."""
    from babel.messages.pofile import PoFileError, read_po

    text = text.replace("\r\n", "\n")
    try:
        made = read_po(io.StringIO(text), abort_invalid=True)
        made.charset = "utf-8"
        gettext.GNUTranslations(io.BytesIO(_bytes(made)))  # which reads the rule of the plural forms
    except PoFileError as error:
        hint = 'an entry is msgid "..." and below it msgstr "...", each in straight quotes'
        raise CatalogueError(
            CatalogueFault(error.lineno + 1, str(error).partition(" on ")[0], hint)
        ) from None
    except (ValueError, LookupError, TypeError) as error:
        hint = "compare its header with that of a catalogue that comes with the program"
        raise CatalogueError(CatalogueFault(1, f"it cannot be read: {error}", hint)) from None
    return made


def catalogue_faults(made: "Catalog") -> Iterator[CatalogueFault]:
    """What is wrong with the translations of a catalogue: plural forms that lack, other placeholders."""
    for entry in made:
        if not entry.id or not any(_forms(entry)) or entry.fuzzy:
            continue
        said, forms = _ids(entry), _forms(entry)
        if entry.pluralizable and (len(forms) != made.num_plurals or not all(forms)):
            wanted = f"msgstr[0] to msgstr[{made.num_plurals - 1}]" if made.num_plurals > 1 else "msgstr[0]"
            yield CatalogueFault(
                _line(entry), f"a plural form is missing of {_shown(said[0])}", f"write {wanted}"
            )
        one, many = _places(said[0]), _places(said[-1])
        needed = (one & many) - ({"count"} if entry.pluralizable else set())
        for form in filter(None, forms):
            lost, added = needed - _places(form), _places(form) - (one | many)
            if lost:
                named = ", ".join(f"{{{name}}}" for name in sorted(lost))
                hint = f"write {named} where its value belongs"
                yield CatalogueFault(_line(entry), f"{named} is missing in {_shown(form)}", hint)
            if added:
                named = ", ".join(f"{{{name}}}" for name in sorted(added))
                hint = f"there are {', '.join(f'{{{name}}}' for name in sorted(one | many)) or 'none'}"
                yield CatalogueFault(_line(entry), f"{named} has no value in {_shown(form)}", hint)


def uses_decimal_comma(code: str) -> bool:
    """Whether numbers have a decimal comma in a language."""
    locale = None if _is_source(code) else _locale(code)
    return locale is not None and locale.number_symbols.get("latn", {}).get("decimal") == ","


def write_date(code: str, moment: datetime.date | datetime.time) -> str:
    """A date, and its time if there is one, as they are written in a language; in English by ISO 8601."""
    locale = None if _is_source(code) or isinstance(moment, datetime.time) else _locale(code)
    if locale is None or isinstance(moment, datetime.time):
        return moment.isoformat().replace("T", " ")
    from babel.dates import format_date

    date = format_date(moment, "long", locale)
    return f"{date} {moment:%H:%M}" if isinstance(moment, datetime.datetime) else date


# Inside ------------------------------------------------------------------------------------------


def _folder() -> Path:
    return shipped_folder("problems") / "languages"


def _is_source(code: str) -> bool:
    return code.partition("-")[0].lower() == SOURCE_LANGUAGE


def _file(code: str) -> Path | None:
    """The catalogue of a language: its own, or that of the language without its region."""
    names = (f"{code}.po", f"{code.partition('-')[0].lower()}.po", compiled_name(code, None))
    return next((path for name in names if (path := _folder() / name).is_file()), None)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8-sig")


def _bytes(made: "Catalog") -> bytes:
    from babel.messages.mofile import write_mo

    file = io.BytesIO()
    write_mo(file, made)
    return file.getvalue()


def _locale(code: str) -> "Locale | None":
    from babel import Locale, UnknownLocaleError

    try:
        return Locale.parse(code, sep="-")
    except (ValueError, UnknownLocaleError):
        return None


@cache
def _all() -> frozenset[str]:
    """Every sentence of the program, as far as a catalogue that comes with it tells."""
    path = next(iter(sorted(_folder().glob("*.po"))), None)
    return frozenset() if path is None else frozenset(_ids(entry)[0] for entry in read_catalogue(_text(path)))


@cache
def _reworded() -> Mapping[str, str]:
    """The sentences of earlier versions, each with its wording of today."""
    import tomllib

    return tomllib.loads((shipped_folder("problems") / "reworded.toml").read_text(encoding="utf-8"))


def _read_reworded(text: str) -> "Catalog":
    """A teacher's own catalogue, which may have been made for earlier wordings of the sentences.

    Raises `CatalogueError` for what is no catalogue.
    """
    made, today = read_catalogue(text), _reworded()
    for entry in list(made):
        said = tuple(today.get(each, each) for each in _ids(entry))
        if not entry.id or said == _ids(entry):
            continue
        made.delete(entry.id, entry.context)
        entry.id = said if entry.pluralizable else said[0]
        newer = made.get(said[0], entry.context)
        if newer is None or not any(_forms(newer)):
            made.delete(said[0], entry.context)
            made[entry.id] = entry
    return made


def _strangers(made: "Catalog") -> Iterator[CatalogueFault]:
    """The entries that translate no sentence of the program."""
    known = _all()
    for entry in made if known else ():
        said = _ids(entry)[0]
        if said and said not in known:
            close = close_matches(said, sorted(known))
            hint = (
                f"did you mean {_shown(close[0])}?"
                if close
                else "copy msgid from the catalogue that comes with the program"
            )
            yield CatalogueFault(_line(entry), f"the program says no such sentence: {_shown(said)}", hint)


def _ids(entry: "Message") -> tuple[str, ...]:
    return (entry.id,) if isinstance(entry.id, str) else tuple(entry.id)


def _forms(entry: "Message") -> tuple[str, ...]:
    return (entry.string,) if isinstance(entry.string, str) else tuple(entry.string or ())


def _line(entry: "Message") -> int:
    return entry.lineno or 1


def _places(text: str) -> frozenset[str]:
    return frozenset(PLACEHOLDER.findall(text))


def _shown(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")
