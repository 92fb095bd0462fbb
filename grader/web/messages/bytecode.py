"""The code that a page starts, compiled by the Python that will run it, with the tables of its parsers."""

import importlib.util
import sys
import zipfile
from importlib import import_module
from marshal import dumps
from pathlib import Path
from tempfile import gettempdir

STARTUP_MODULES = ("grader.web.messages.page_startup", "grader.pictures.steps_page", "lark")
"""What is imported while a page is used, with all that these import."""

UNCHECKED_HASH_FLAG = (0b01).to_bytes(4, "little")
"""That compiled code goes by a hash of its source, which nobody has to look at."""


def compile_archives(archive: str) -> tuple[str, str]:
    """The archive of the program and that of the standard library with compiled code; where they are now.

    Only the modules are compiled that a page imports, and without what is written for people, for code is
    larger than its source.
    """
    from grader.answers.reply_grammar import save_tables

    for name in STARTUP_MODULES:
        import_module(name)
    folder, program = Path(archive).parent, Path(__file__).parents[3]
    standard = Path(next(place for place in sys.path if place.endswith(".zip")))
    tables = folder / "tables"
    tables.mkdir()
    saved = {f"grader/_shipped/grammars/{file.name}": file.read_bytes() for file in save_tables(tables)}
    own = _rewritten(Path(archive), _imported(program), saved)
    return str(own), str(_rewritten(standard, _imported(standard), {}))


def _imported(place: Path) -> set[str]:
    """The files below a place that were imported, by their paths there."""
    found = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
    files = [Path(file) for file in found if file]
    return {file.relative_to(place).as_posix() for file in files if file.is_relative_to(place)}


def _rewritten(source: Path, imported: set[str], more: dict[str, bytes]) -> Path:
    """An archive written anew, with imported modules compiled, and with more files."""
    target = Path(gettempdir()) / f"compiled-{source.name}"
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        files = {name: old.read(name) for name in old.namelist() if not name.endswith("/")}
        for name, data in sorted({**files, **more}.items()):
            whole = name.endswith(".py") and name in imported
            member = zipfile.ZipInfo(f"{name}c" if whole else name, (1980, 1, 1, 0, 0, 0))
            member.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(member, _code(name, data) if whole else data)
    return target


def _code(name: str, source: bytes) -> bytes:
    """A module as Python keeps compiled ones."""
    code = compile(source, name, "exec", dont_inherit=True, optimize=2)
    return (
        importlib.util.MAGIC_NUMBER + UNCHECKED_HASH_FLAG + importlib.util.source_hash(source) + dumps(code)
    )
