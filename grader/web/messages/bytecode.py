"""Compile the code of a page with the Python that will run it, and add the tables of its parser."""

import importlib.util
import sys
import zipfile
from importlib import import_module
from marshal import dumps
from pathlib import Path
from tempfile import gettempdir

STARTUP_MODULES = (
    "grader.web.messages.page_startup",
    "grader.web.messages.program_check",
    "grader.pictures.steps_page",
    "lark",
)
"""The modules that a page imports, directly or through others."""

UNCHECKED_HASH_FLAG = (0b01).to_bytes(4, "little")
"""The flags of a .pyc file with a hash of its source that Python does not check."""


def compile_archives(archive: str) -> tuple[str, str]:
    """Write the archives of the program and of the standard library with compiled code; return their paths.

    Compiled code is larger than its source, so only imported modules are compiled, without docstrings.
    """
    from grader.trees.notation.parsing import save_tables

    for name in STARTUP_MODULES:
        import_module(name)
    folder, program = Path(archive).parent, Path(__file__).parents[3]
    standard = Path(next(place for place in sys.path if place.endswith(".zip")))
    tables = folder / "tables"
    tables.mkdir()
    saved = save_tables(tables)
    own = _compiled_archive(
        Path(archive),
        _imported_files(program),
        {f"grader/_shipped/grammars/{saved.name}": saved.read_bytes()},
    )
    return str(own), str(_compiled_archive(standard, _imported_files(standard), {}))


def _imported_files(folder: Path) -> set[str]:
    """Return the relative paths of the imported files in a folder or an archive."""
    names = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
    files = [Path(name) for name in names if name]
    return {file.relative_to(folder).as_posix() for file in files if file.is_relative_to(folder)}


def _compiled_archive(source: Path, imported: set[str], extra: dict[str, bytes]) -> Path:
    """Write a copy of an archive with its imported modules compiled, and with extra files."""
    target = Path(gettempdir()) / f"compiled-{source.name}"
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        files = {name: old.read(name) for name in old.namelist() if not name.endswith("/")}
        for name, data in sorted({**files, **extra}.items()):
            is_module = name.endswith(".py") and name in imported
            member = zipfile.ZipInfo(f"{name}c" if is_module else name, (1980, 1, 1, 0, 0, 0))
            member.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(member, _bytecode(name, data) if is_module else data)
    return target


def _bytecode(name: str, source: bytes) -> bytes:
    """Return the content of the .pyc file of a module."""
    code = compile(source, name, "exec", dont_inherit=True, optimize=2)
    return (
        importlib.util.MAGIC_NUMBER + UNCHECKED_HASH_FLAG + importlib.util.source_hash(source) + dumps(code)
    )
