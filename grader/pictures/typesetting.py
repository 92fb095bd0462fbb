"""PDF by Typst, from a template and data, with the same bytes on every machine."""

import json
import os
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, cast

from grader.base.canonical_json import canonical_json
from grader.base.safe_text import unsafe_places
from grader.base.shipped import shipped_folder

if TYPE_CHECKING:
    import typst


@cache
def _compiler(machine_fonts: bool) -> "typst.Compiler":
    """Return a compiler for sources that are passed as bytes."""
    return _compiler_of(None, _root(), machine_fonts)


@cache
def _query_compiler(machine_fonts: bool) -> tuple["typst.Compiler", Path, TemporaryDirectory[str]]:
    """Return a compiler that answers queries, the file that it compiles, and the folder of that file."""
    folder = TemporaryDirectory(prefix="gametree-", ignore_cleanup_errors=True)
    copytree(_root(), folder.name, dirs_exist_ok=True)
    file = Path(folder.name) / "asked.typ"
    file.touch()
    return _compiler_of(file, folder.name, machine_fonts), file, folder


def _compiler_of(file: Path | None, root: str, machine_fonts: bool) -> "typst.Compiler":
    """Return a compiler without threads of its own."""
    # A few pages take less time without threads, and many papers are made in several processes.
    os.environ.setdefault("RAYON_NUM_THREADS", "1")
    import typst

    return typst.Compiler(file, root=root, font_paths=_fonts(machine_fonts))


@cache
def _fonts(machine_fonts: bool) -> "typst.Fonts":
    import typst

    return typst.Fonts(include_system_fonts=machine_fonts)


def _root() -> str:
    return str(shipped_folder("templates") / "typst")


def document_digest(template: str, data: dict[str, Any]) -> str:
    """Hash what a document with boxes is made from: its data, its templates, and the version of Typst."""
    return sha256(f"{_source_digest(template)} {canonical_json(data)}".encode()).hexdigest()


@cache
def _source_digest(template: str) -> str:
    """Return a hash of the version of Typst and of the sources from which a template is typeset."""
    digest = sha256(version("typst").encode())
    for each in (template, "sheet", "scan"):
        digest.update(_source(each).encode())
    return digest.hexdigest()


_ATTEMPTS = ((False, True), (True, True), (True, False))
"""(with the fonts of the machine, with the standard PDF/UA-1), tried in this order."""


def typeset(template: str, data: dict[str, Any]) -> bytes:
    """Make a PDF that meets PDF/UA-1 from `templates/typst/TEMPLATE.typ` and the data.

    The fonts of the machine are used only for characters that the fonts inside Typst lack;
    a character that no font has prints as an empty box, and then the file cannot meet the standard.
    """
    for machine_fonts, accessible in _ATTEMPTS:
        pdf = _compile(_compiler(machine_fonts), accessible, _fill(template, data))
        if pdf is not None:
            return pdf
    raise AssertionError("without a standard every character can be set")


def typeset_image(template: str, data: dict[str, Any]) -> bytes:
    """Make a PNG of the one page, with a pixel for each point."""
    source = _fill(template, data)
    machine_fonts = _compile(_compiler(False), True, source) is None
    return cast(bytes, _compiler(machine_fonts).compile(input=source, format="png", ppi=72.0))


def typeset_with_places(template: str, data: dict[str, Any]) -> tuple[bytes, Any]:
    """Make a PDF, and return it with the places of boxes, the value of its element `<places>`."""
    for machine_fonts, accessible in _ATTEMPTS:
        # Only the compiler of a file answers queries, and then it uses what it has just compiled.
        compiler, file, _ = _query_compiler(machine_fonts)
        file.write_bytes(_fill(template, data))
        pdf = _compile(compiler, accessible)
        if pdf is not None:
            return pdf, json.loads(compiler.query("<places>", field="value", one=True))
    raise AssertionError("without a standard every character can be set")


def has_unprintable(words: str) -> bool:
    """Return whether no font on this machine has some character of the words."""
    hidden = {*unsafe_places(words)}
    words = "".join(sign for place, sign in enumerate(words) if place not in hidden)  # replaced on paper
    source = _fill("words", {"words": words, "language": "en"})
    return not words.isascii() and _compile(_compiler(True), True, source) is None


_READ = "json(bytes(sys.inputs.data))"
"""The expression by which templates read their data."""

_ENDS = "`\x85\u2028\u2029"
"""Characters that end a raw text in Typst, or a line of it, and that JSON leaves unescaped."""


def _fill(template: str, data: dict[str, Any]) -> bytes:
    """Return a template with its data as JSON in a raw text, which Typst reads faster than a string.

    Everything in a document depends on its inputs, so with data as inputs nothing of one paper could be
    reused for the next; Typst does reuse what does not depend on the raw text.
    """
    source = _source(template)
    assert _READ in source
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for sign in _ENDS:
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return source.replace(_READ, f"json(bytes(`{text}`.text))").encode()


@cache
def _source(template: str) -> str:
    return Path(_root(), f"{template}.typ").read_text(encoding="utf-8")


class PictureError(ValueError):
    """A picture in the data of a document is damaged."""


def _compile(compiler: "typst.Compiler", accessible: bool, source: bytes | None = None) -> bytes | None:
    """Compile the source, or else the file of the compiler, to PDF.

    Return None if no font has some character and the PDF has to meet the standard.
    """
    import typst

    try:
        pdf = compiler.compile(
            format="pdf",
            pdf_standards="ua-1" if accessible else [],
            timestamp=0,
            input=source,
        )
    except typst.TypstError as error:
        if "failed to decode image" in str(error):
            raise PictureError(str(error)) from None
        if "could not be displayed" not in str(error):
            raise
        return None
    return cast(bytes, pdf)
