"""The program inside other files: as a wheel, or as folders that Python can import from."""

import base64
import hashlib
from pathlib import Path

from grader.base.catalogues import SOURCE_LANGUAGE, compile_catalogue, compiled_name
from grader.base.phrases import Language
from grader.base.shipped import shipped_folder
from grader.publishing.lms.zip_package import zip_members
from grader.version import VERSION

REQUIRED_PACKAGES = ("lark>=1.3,<1.4",)
"""The packages that marking imports; drawing and generating are not included."""

_SUFFIXES = (".py", ".lark", ".typed")


def package_source(package: Path) -> dict[str, bytes]:
    """Return the source files of an installed package by their paths next to it, without shipped data."""
    places = (path.relative_to(package.parent) for path in package.rglob("*") if path.is_file())
    sources = (place for place in places if place.suffix in _SUFFIXES and "_shipped" not in place.parts)
    return dict(sorted((place.as_posix(), _text(package.parent / place)) for place in sources))


def _text(path: Path) -> bytes:
    """Return the bytes of a text file with the same line ends on every machine."""
    return path.read_bytes().replace(b"\r\n", b"\n")


def program_source(language: Language) -> dict[str, bytes]:
    """Return the source files of this program, with the words of replies and the catalogue of a language."""
    files = package_source(Path(__file__).resolve().parents[2])
    for words in sorted((shipped_folder("problems") / "languages").glob("*.toml")):
        files[f"grader/_shipped/problems/languages/{words.name}"] = _text(words)
    return files | catalogue_file(language)


def catalogue_file(language: Language) -> dict[str, bytes]:
    """Return the path and the compiled catalogue of a language; nothing for the language of the source."""
    if language.code.partition("-")[0] == SOURCE_LANGUAGE and language.own is None:
        return {}
    name = compiled_name(language.code, language.own)
    return {f"grader/_shipped/problems/languages/{name}": compile_catalogue(language.code, language.own)}


def library_source() -> dict[str, bytes]:
    """Return the source files of the one library that marking needs."""
    import lark

    return package_source(Path(lark.__file__).parent)


def wheel(language: Language) -> tuple[str, bytes]:
    """Return the name and the bytes of a wheel that has everything for marking."""
    about = f"gametree_grader-{VERSION}.dist-info"
    members = program_source(language)
    members[f"{about}/METADATA"] = "".join(
        [
            f"Metadata-Version: 2.1\nName: gametree-grader\nVersion: {VERSION}\n",
            "Summary: What marking needs of gametree-grader.\nRequires-Python: >=3.11\n",
            *(f"Requires-Dist: {need}\n" for need in REQUIRED_PACKAGES),
        ]
    ).encode()
    members[f"{about}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: gametree-grader\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    record = [f"{name},sha256={_digest(data)},{len(data)}" for name, data in sorted(members.items())]
    members[f"{about}/RECORD"] = "\n".join([*record, f"{about}/RECORD,,", ""]).encode()
    return f"gametree_grader-{VERSION}-py3-none-any.whl", zip_members(members)


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
