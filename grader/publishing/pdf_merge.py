"""Merge PDFs of this program into one for the printer, one file at a time."""

import re
from array import array
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import BinaryIO

_NUMBER = rb"(\d+) 0 R"
_TOKEN = re.compile(rb"\((?:\\.|[^\\()]|\((?:\\.|[^\\()])*\))*\)|" + _NUMBER, re.DOTALL)
_XREF = re.compile(rb"startxref\s+(\d+)\s+%%EOF\s*$")
_PLACES = re.compile(rb"(\d{10}) \d{5} ([nf])")
_SIZE = re.compile(rb"/MediaBox\[[^\]]*\]")
_PAGE = re.compile(
    rb"<<.*/Resources (?P<resources>\d+) .*/MediaBox(?P<size>\[[^\]]*\]).*/Contents (?P<contents>\d+) .*"
)
_UNDER = b"q /under Do Q"
_DROPPED = re.compile(rb"/Parent \d+ 0 R|/StructParents \d+|/Tabs/S")


class _Source:
    """A PDF as Typst writes it: plain objects and a plain table of their places."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        start = _XREF.search(data)
        if start is None:
            raise ValueError("this is not a PDF of this program")
        table = int(start[1])
        trailer = data.index(b"trailer", table)
        self.places = [int(found[1]) for found in _PLACES.finditer(data, table, trailer)]
        root = re.search(rb"/Root " + _NUMBER, data[trailer:])
        pages = re.search(rb"/Pages " + _NUMBER, self.head(int(root[1]))) if root else None
        if pages is None:
            raise ValueError("this PDF has no pages")
        self.pages = self.leaves(int(pages[1]))

    def head(self, number: int) -> bytes:
        """Return an object without its stream."""
        start = self.data.index(b"obj", self.places[number]) + 3
        ends = (self.data.find(b"\nstream\n", start), self.data.find(b"\nendobj", start))
        return self.data[start : min(end for end in ends if end >= 0)].strip()

    def stream(self, number: int, head: bytes) -> bytes | None:
        """Return the stream of an object, or None. Raises ValueError if its length is not given."""
        start = self.data.index(head, self.places[number]) + len(head)
        if not self.data.startswith(b"\nstream\n", start):
            return None
        length = re.search(rb"/Length (\d+)(?! \d+ R)", head)
        if length is None:
            raise ValueError("a stream without a length")
        return self.data[start + 8 : start + 8 + int(length[1])]

    def leaves(self, number: int) -> list[int]:
        """Return the pages below a node of the page tree."""
        head = self.head(number)
        kids = re.search(rb"/Kids\[([^\]]*)\]", head)
        if kids is None:
            return [number]
        return [page for kid in re.finditer(_NUMBER, kids[1]) for page in self.leaves(int(kid[1]))]


class PdfMerger:
    """A PDF that grows page by page; `close` writes the rest. Only one source is in memory at a time.

    The structure for screen readers is not copied, so this file is for the printer only.
    """

    def __init__(self, file: BinaryIO, title: str) -> None:
        self._file = file
        self._title = title
        self._places = array("Q", [0] * 4)
        self._pages: list[int] = []
        self._size = self._under = b""
        self._shared: dict[bytes, int] = {}
        self._at = 0
        self._digest = sha256()
        self._write(b"%PDF-1.7\n%\x80\x80\x80\x80\n")

    def start_front_side(self) -> None:
        """Make the next page a front side: add an empty page of the same size if the last one is odd."""
        if len(self._pages) % 2:
            number = self._take()
            self._object(number, b"<</Type/Page/Parent 2 0 R/Resources<<>>" + self._size + b">>")
            self._pages.append(number)

    def add(
        self,
        data: bytes,
        pages: Iterable[int] | None = None,
        under: tuple[bytes, Sequence[int]] | None = None,
    ) -> None:
        """Copy all pages of a PDF, or those with these numbers, counted from 0.

        `under` is another PDF and some of its pages: their content is drawn under the copied pages in order,
        and that of the last one under all that remain.
        """
        source = _Source(data)
        numbers: dict[int, int] = {}
        chosen = source.pages if pages is None else [source.pages[page] for page in pages]
        forms: list[bytes] = []
        if under is not None:
            others = _Source(under[0])
            forms = [self._form(others, place) for place in under[1][: len(chosen)]]
        for number, page in enumerate(chosen):
            if forms:
                self._under = forms[min(number, len(forms) - 1)]
            self._pages.append(self._copy(source, page, numbers))
        self._under = b""

    def _form(self, source: _Source, place: int) -> bytes:
        """Copy the content of a page as a form to draw on others; return its entry for their resources.

        Raises ValueError for a page that this program did not write.
        """
        page = _PAGE.fullmatch(source.head(source.pages[place]))
        if page is None:
            raise ValueError("this page is not of this program")
        number, resources = self._take(), self._copy(source, int(page["resources"]), {})
        head = source.head(int(page["contents"]))
        form_start = b"<</Type/XObject/Subtype/Form/BBox%s/Resources %d 0 R" % (page["size"], resources)
        self._object(number, head.replace(b"<<", form_start, 1), source.stream(int(page["contents"]), head))
        return b"/XObject<</under %d 0 R" % number

    def close(self) -> int:
        """Write the catalogue, the page tree and the table; return the number of pages."""
        kids = b" ".join(b"%d 0 R" % page for page in self._pages)
        title = b"<FEFF" + self._title.encode("utf-16-be").hex().upper().encode() + b">"
        self._object(1, b"<</Type/Catalog/Pages 2 0 R/ViewerPreferences<</DisplayDocTitle true>>>>")
        self._object(2, b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(self._pages), kids))
        self._object(3, b"<</Title%s>>" % title)
        table = self._at
        identity = b"<" + self._digest.hexdigest()[:32].encode() + b">"
        rows = b"".join(b"%010d 00000 n\r\n" % place for place in self._places[1:])
        self._write(b"xref\n0 %d\n0000000000 65535 f\r\n%s" % (len(self._places), rows))
        self._write(
            b"trailer\n<</Size %d/Root 1 0 R/Info 3 0 R/ID[%s%s]>>\nstartxref\n%d\n%%%%EOF"
            % (len(self._places), identity, identity, table)
        )
        return len(self._pages)

    def _copy(self, source: _Source, number: int, numbers: dict[int, int]) -> int:
        """Copy an object and everything it refers to; return its number in the new file."""
        if number in numbers:
            return numbers[number]
        head = source.head(number)
        stream = source.stream(number, head)
        page = b"/Type/Page/" in head
        if page:
            media_box = _SIZE.search(head)
            self._size = media_box[0] if media_box else b""
            head = _DROPPED.sub(b"", head).replace(b"<<", b"<</Parent 2 0 R", 1)
        elif not re.search(_NUMBER, head):
            # An object without references, such as a font, is often the same in many files: write it once.
            content = sha256(head + b"\0" + (stream or b"")).digest()
            if content in self._shared:
                numbers[number] = self._shared[content]
                return numbers[number]
            self._shared[content] = len(self._places)
        new_number = numbers[number] = self._take()

        def renumbered(media_box: re.Match[bytes]) -> bytes:
            if media_box[1] is None or (page and media_box.start() < 18):
                return media_box[0]
            return b"%d 0 R" % self._copy(source, int(media_box[1]), numbers)

        body = _TOKEN.sub(renumbered, head)
        if self._under and page:
            first = self._take()
            self._object(first, b"<</Length %d>>" % len(_UNDER), _UNDER)
            body = re.sub(rb"/Contents (\d+ 0 R)", rb"/Contents[%d 0 R \1]" % first, body)
        elif self._under and body.startswith(b"<</ProcSet"):
            with_others = body.replace(b"/XObject<<", self._under, 1)
            body = with_others if with_others != body else b"<<" + self._under + b">>" + body[2:]
        self._object(new_number, body, stream)
        return new_number

    def _take(self) -> int:
        self._places.append(0)
        return len(self._places) - 1

    def _object(self, number: int, head: bytes, stream: bytes | None = None) -> None:
        """Write an object at the end of the file, and remember its place."""
        self._places[number] = self._at
        body = b"" if stream is None else b"\nstream\n" + stream + b"\nendstream"
        self._write(b"%d 0 obj\n%s%s\nendobj\n" % (number, head, body))

    def _write(self, data: bytes) -> None:
        """Write bytes, and count and hash them."""
        self._file.write(data)
        self._digest.update(data)
        self._at += len(data)


def pdf_page_count(data: bytes) -> int:
    """Return the number of pages of a PDF of this program."""
    return len(_Source(data).pages)
