"""Everything that this program relies on in the output of Typst, one sentence for each."""

import json
import re
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path

import pytest
import typst

from grader.publishing.paper_formats import paper_pdf
from tests.publishing.papers import paper_of

_REFERENCE = rb"\d+ 0 R"


@cache
def a_paper() -> bytes:
    """A paper with a tree, as Typst writes it."""
    return paper_pdf(paper_of("windows").public)


def table(pdf: bytes) -> bytes:
    """The table of the objects, to the end of the file; empty where it cannot be found."""
    start = re.search(rb"\nstartxref\n(\d+)\n%%EOF\s*$", pdf)
    return pdf[int(start[1]) :] if start else b""


def heads(pdf: bytes) -> list[bytes]:
    """The dictionary of every object in the table."""
    places = [int(place) for place in re.findall(rb"(\d{10}) 00000 n", table(pdf))]
    return [re.split(rb"\nstream\n|\nendobj", pdf[place:], maxsplit=1)[0] for place in places]


def one(pdf: bytes, mark: bytes) -> bytes:
    """The one dictionary with a mark in it; empty where there are none or several."""
    found = [head for head in heads(pdf) if mark in head]
    return found[0] if len(found) == 1 else b""


def has_plain_table(pdf: bytes) -> bool:
    """Compare the rows of the table with the number of objects in the trailer."""
    rows = re.fullmatch(
        rb"xref\n0 (\d+)\n((?:\d{10} \d{5} [nf]\r\n)+)trailer\n<</Size (\d+)/Root .*", table(pdf), re.DOTALL
    )
    return rows is not None and int(rows[1]) == int(rows[3]) == len(rows[2]) // 20


def has_measured_streams(pdf: bytes) -> bool:
    """Check that every stream ends where its length says."""
    starts = list(re.finditer(rb" 0 obj\n([^\n]*)\nstream\n", pdf))
    lengths = [re.search(rb"/Length (\d+)(?! \d+ R)", start[1]) for start in starts]
    return bool(starts) and all(
        length is not None and pdf[start.end() + int(length[1]) :].startswith(b"\nendstream\nendobj\n")
        for start, length in zip(starts, lengths, strict=True)
    )


FACTS: list[tuple[str, Callable[[bytes], object], bytes, bytes]] = [
    (
        "the file ends with the place of a table that has a row of 20 bytes for every object",
        has_plain_table,
        b"00000 n\r\n",
        b"00000 n\n",
    ),
    (
        "no object is packed into a stream",
        lambda pdf: b"/ObjStm" not in pdf,
        b"/Type/Pages",
        b"/Type/ObjStm",
    ),
    (
        "the trailer refers to the catalogue as `/Root`, and the catalogue to the pages as `/Pages`",
        lambda pdf: (
            re.search(rb"/Root " + _REFERENCE, table(pdf))
            and re.search(rb"/Pages " + _REFERENCE, one(pdf, b"/Type/Catalog"))
        ),
        b"/Pages ",
        b"/Pages  ",
    ),
    (
        "a node of the page tree has `/Kids[` references `]`, and a page has no `/Kids`",
        lambda pdf: all(
            bool(re.search(rb"/Kids\[(?:" + _REFERENCE + rb" ?)+\]", head)) == (b"/Type/Pages" in head)
            for head in heads(pdf)
            if b"/Type/Page" in head
        ),
        b"/Kids[",
        b"/Kids [",
    ),
    (
        "a page starts with `<</Type/Page/` and has its resources, size and contents in this order, "
        "resources and contents as one reference each",
        lambda pdf: re.search(
            rb"obj\n<</Type/Page/Resources \d+ 0 R.*/MediaBox\[[^\]]*\].*/Contents " + _REFERENCE,
            one(pdf, b"/Type/Page/"),
        ),
        b"/Contents ",
        b"/Contents[",
    ),
    (
        "a page names its parent, its place in the structure and its order of tabs as "
        "`/Parent`, `/StructParents` and `/Tabs/S`",
        lambda pdf: (
            len(re.findall(rb"/Parent \d+ 0 R|/StructParents \d+|/Tabs/S", one(pdf, b"/Type/Page/"))) == 3
        ),
        b"/Tabs/S",
        b"/Tabs /S",
    ),
    (
        "the resources of a page are an object of their own that starts with `<</ProcSet`",
        lambda pdf: any(head.endswith(b">>") and b" obj\n<</ProcSet" in head for head in heads(pdf)),
        b"<</ProcSet",
        b"<</Font<<>>/ProcSet",
    ),
    (
        "a stream follows its dictionary after one line end, and `/Length` is its length as a number",
        has_measured_streams,
        b"\nstream\n",
        b"\nstream\r\n",
    ),
]
"""What `pdf_merge` relies on: a sentence, a check, and an edit of the file that the check has to notice."""


@pytest.mark.parametrize(("sentence", "holds", "_old", "_new"), FACTS, ids=[fact[0] for fact in FACTS])
def test_layout_of_pdf(sentence: str, holds: Callable[[bytes], object], _old: bytes, _new: bytes) -> None:
    """The installed Typst lays out its PDFs as `publishing/pdf_merge.py` reads them."""
    assert holds(a_paper()), (
        f"typst {version('typst')} lays out its PDFs differently: it is no longer true that {sentence}. "
        "Adapt publishing/pdf_merge.py before the bound in pyproject.toml is raised."
    )


@pytest.mark.parametrize(("_sentence", "holds", "old", "new"), FACTS, ids=[fact[0] for fact in FACTS])
def test_another_layout_is_noticed(
    _sentence: str, holds: Callable[[bytes], object], old: bytes, new: bytes
) -> None:
    """Every check fails on a file that is laid out otherwise."""
    assert old in a_paper()
    assert not holds(a_paper().replace(old, new))


def test_places_are_in_points(tmp_path: Path) -> None:
    """A query returns the places of elements in points, which `scan_sheet` converts to millimetres."""
    source = tmp_path / "source.typ"
    source.write_text(
        '#set text(lang: "en")\n#context [#metadata(here().position()) <place>]', encoding="utf-8"
    )
    place = json.loads(typst.Compiler(source).query("<place>", field="value", one=True))
    assert place["page"] == 1, f"typst {version('typst')} counts pages differently: {place}"
    for side in "xy":
        assert re.fullmatch(r"\d+(\.\d+)?pt", place[side]), (
            f"typst {version('typst')} no longer writes a place as a number of points: {place}"
        )


def test_a_missing_glyph_is_an_error() -> None:
    """A character that no font has is an error with known words, by which `typesetting` tries other fonts."""
    compiler = typst.Compiler(font_paths=typst.Fonts(include_system_fonts=False))
    source = '#set document(title: "-")\n#set text(lang: "zh")\n\u738b'.encode()
    with pytest.raises(typst.TypstError) as caught:
        compiler.compile(format="pdf", pdf_standards="ua-1", timestamp=0, input=source)
    assert "could not be displayed" in str(caught.value), (
        f"typst {version('typst')} reports a missing glyph in other words: {caught.value}"
    )
