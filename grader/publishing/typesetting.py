"""PDF by Typst: a template, data that stays data, and the same bytes on every machine."""

import json
import os
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, cast

from grader.base.safe_text import unsafe_places
from grader.base.shipped import shipped_folder

if TYPE_CHECKING:
    import typst


@cache
def _compiler(machine_fonts: bool) -> "typst.Compiler":
    """A compiler of templates that are handed over with their data."""
    return _compiler_of(None, _root(), machine_fonts)


@cache
def _asking(machine_fonts: bool) -> tuple["typst.Compiler", Path, TemporaryDirectory[str]]:
    """A compiler that can be asked what it has set, the file that it sets, and the folder of that."""
    folder = TemporaryDirectory(prefix="gametree-", ignore_cleanup_errors=True)
    copytree(_root(), folder.name, dirs_exist_ok=True)
    file = Path(folder.name) / "asked.typ"
    file.touch()
    return _compiler_of(file, folder.name, machine_fonts), file, folder


def _compiler_of(file: Path | None, root: str, machine_fonts: bool) -> "typst.Compiler":
    # A few pages are set faster without threads, and whoever has many papers starts processes.
    os.environ.setdefault("RAYON_NUM_THREADS", "1")
    import typst

    return typst.Compiler(file, root=root, font_paths=_fonts(machine_fonts))


@cache
def _fonts(machine_fonts: bool) -> "typst.Fonts":
    import typst

    return typst.Fonts(include_system_fonts=machine_fonts)


def _root() -> str:
    return str(shipped_folder("templates") / "typst")


def _path(template: str) -> str:
    return str(shipped_folder("templates") / "typst" / f"{template}.typ")


@cache
def source_digest(*templates: str) -> str:
    """What stands for these templates and the version of the typesetter, which set the same data alike."""
    told = sha256(version("typst").encode())
    for template in templates:
        told.update((shipped_folder("templates") / "typst" / f"{template}.typ").read_bytes())
    return told.hexdigest()


_WAYS = ((False, True), (True, True), (True, False))
"""With the fonts of the machine or without, and to the standard or not: in this order until it goes."""


def typeset(template: str, data: dict[str, Any]) -> bytes:
    """A PDF that meets PDF/UA-1, made of `templates/typst/TEMPLATE.typ` and the data.

    Only text in a script that the fonts inside the PDF maker lack brings in the fonts of the machine;
    a character that no font has is an empty box, and then the file cannot meet the standard.
    """
    for machine_fonts, accessible in _WAYS:
        made = _set(_compiler(machine_fonts), accessible, _filled(template, data))
        if made is not None:
            return made
    raise AssertionError("without a standard every character can be set")


def typeset_with_query(template: str, data: dict[str, Any], label: str) -> tuple[bytes, Any]:
    """The PDF, and the value of the one element with a label in it."""
    for machine_fonts, accessible in _WAYS:
        # Only of a file a compiler can be asked, and then it remembers what it has set.
        compiler, file, _ = _asking(machine_fonts)
        file.write_bytes(_filled(template, data))
        made = _set(compiler, accessible)
        if made is not None:
            return made, json.loads(compiler.query(f"<{label}>", field="value", one=True))
    raise AssertionError("without a standard every character can be set")


def has_unprintable(words: str) -> bool:
    """Whether some character of the words is an empty box in print, for want of a font on this machine."""
    hidden = {*unsafe_places(words)}
    words = "".join(sign for place, sign in enumerate(words) if place not in hidden)  # replaced on paper
    source = _filled("words", {"words": words, "language": "en"})
    return not words.isascii() and _set(_compiler(True), True, source) is None


_READ = "json(bytes(sys.inputs.data))"
"""How templates read their data."""

_ENDS = "`\x85\u2028\u2029"
"""What ends a text between backticks, or a line of it, and has no escape of its own in JSON."""


def _filled(template: str, data: dict[str, Any]) -> bytes:
    """A template with its data in it: JSON between backticks, which is read faster than as a string.

    All that is set depends on the inputs of a document, so with these nothing of one paper would serve
    the next; what does not depend on the text in the source is remembered.
    """
    source = _source(template)
    assert _READ in source
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for sign in _ENDS:
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return source.replace(_READ, f"json(bytes(`{text}`.text))").encode()


@cache
def _source(template: str) -> str:
    return Path(_path(template)).read_text(encoding="utf-8")


def _set(compiler: "typst.Compiler", accessible: bool, source: bytes | None = None) -> bytes | None:
    """A PDF of the source, or else of the compiler's file.

    None when no font has some character and the PDF is to meet the standard.
    """
    import typst

    try:
        made = compiler.compile(
            format="pdf",
            pdf_standards="ua-1" if accessible else [],
            timestamp=0,
            input=source,
        )
    except typst.TypstError as error:
        if "could not be displayed" not in str(error):
            raise
        return None
    return cast(bytes, made)
