"""The laws of the file for the printer: all pages, in order, readable by others."""

import io

import pypdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.publishing.paper_formats import paper_pdf
from grader.publishing.pdf_merge import PdfMerger, pdf_page_count
from tests.conftest import a_part
from tests.publishing.conftest import Site
from tests.publishing.papers import NAMES, paper_in_words, paper_of, printed


def joined(parts: list[bytes], title: str = "All") -> bytes:
    """Some PDFs in one."""
    file = io.BytesIO()
    whole = PdfMerger(file, title)
    for part in parts:
        whole.add(part)
    whole.close()
    return file.getvalue()


@a_part(8)
@given(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4))
def test_pages_stay_as_they_are(names: list[str]) -> None:
    """The pages of the whole have the words of the pages of its parts, in the same order."""
    parts = [paper_pdf(paper_of(name).public) for name in names]
    reader = pypdf.PdfReader(io.BytesIO(joined(parts)), strict=True)
    before = [page.extract_text() for part in parts for page in pypdf.PdfReader(io.BytesIO(part)).pages]
    assert [page.extract_text() for page in reader.pages] == before
    assert pdf_page_count(joined(parts)) == len(before)


def test_fonts_are_written_once() -> None:
    """The same paper ten times is not three times as large as once."""
    part = paper_pdf(paper_of("windows").public)
    assert len(joined([part] * 10)) < 3 * len(joined([part]))


def test_pages_can_be_chosen() -> None:
    """A page that is not chosen is left out, with all that only it needs."""
    part = joined([paper_pdf(paper_of(name).public) for name in NAMES[:2]])
    file = io.BytesIO()
    whole = PdfMerger(file, "One")
    whole.add(part, (1,))
    whole.start_front_side()
    whole.start_front_side()
    assert whole.close() == 2
    first, second = pypdf.PdfReader(file).pages
    assert first.extract_text() == pypdf.PdfReader(io.BytesIO(part)).pages[1].extract_text()
    assert second.extract_text() == ""
    assert second.mediabox == first.mediabox


@pytest.mark.parametrize("words", ["1 0 R", "(7 0 R", "endobj endstream", ") 3 0 R (", "\\ 4 0 R )) <<"])
def test_words_are_no_references(words: str) -> None:
    """Words that look like the inside of a PDF do not lead the copying astray."""
    part = paper_pdf(paper_in_words(words, words).public)
    before = [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(part)).pages]
    reader = pypdf.PdfReader(io.BytesIO(joined([part], words)), strict=True)
    assert [page.extract_text() for page in reader.pages] == before
    assert reader.metadata is not None
    assert reader.metadata.title == words


@pytest.mark.parametrize("data", [b"", b"%PDF-1.7", b"startxref\n0\n%%EOF"])
def test_what_is_no_pdf_is_refused(data: bytes) -> None:
    """A file that this program did not write is refused."""
    with pytest.raises(ValueError, match=r"PDF|subsection|not found"):
        pdf_page_count(data)


def test_everybody_begins_on_a_front_side(site: Site) -> None:
    """The file for the printer has a cover sheet and a paper for every student, each on an odd page."""
    pages = printed(site.folder / "publish" / "print.pdf")
    starts = [number for number, page in enumerate(pages) if "This paper is for" in page]
    assert len(starts) == len(site.roster.students)
    for start, student in zip(starts, site.roster.students, strict=True):
        assert start % 2 == 0
        assert student.name in pages[start]
        assert student.identifier in pages[start]
        assert "Page 1 of" in pages[start + 1]
