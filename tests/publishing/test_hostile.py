"""The laws of hostile words: what a teacher or a student is called stays text in every format."""

import io
import re
import shutil
import subprocess
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from unicodedata import normalize
from xml.etree import ElementTree

import pypdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.exam.folders import PAPERS_FOLDER, PRINT_FILE
from grader.exam.roster import Roster
from grader.publishing.exam_build import build_exam
from grader.publishing.keys import key_pdf
from grader.publishing.paper_formats import paper_html, paper_latex, paper_markdown, paper_pdf, paper_text
from grader.tables.student_directory import Student
from tests.publishing.papers import paper_in_words
from tests.publishing.test_building import small

PAYLOADS = {
    "typst": '#panic("run") #eval("1+1") *bold* $x^2$ @ref <label> #sys.inputs',
    "typst close": ']#panic("run")[',
    "latex": r"\input{/etc/passwd} $\infty$ % & # _ ^ ~ {unclosed \end{document}",
    "html": "<script>document.title='run'</script><b onclick=run()>\"'&lt;",
    "html close": "</title></style></pre></p><h1>run</h1>",
    "xml": "]]><!DOCTYPE a [<!ENTITY x 'run'>]>&x;<![CDATA[<?php run ?>",
    "svg": "</text></svg><script>run()</script>",
    "jinja": "{{ 7 * 7 }}{% for x in range(9) %}run{% endfor %}{# gone #}<< 7 * 7 >><% include 'x' %>",
    "markdown": "[run](javascript:run()) ![run](x) **bold** `code` # run\n# head\n> quote\n1. one\n- <b>",
    "fence": "```\nrun\n```\n~~~\n***",
    "formula": '=HYPERLINK("http://run")',
    "path": "../../../etc/passwd",
    "control": "bell\x07 escape\x1b[31m null\x00 back\x08 turn\u202e\u2066",
    "long": "W" * 3000,
    "blank": "   ",
    "arabic and emoji": "العربية 漢字 🎲 \u0301\u0301\u0301",
}


class Skeleton(HTMLParser):
    """The elements of a page with their attributes' names, and its text apart from them."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, tuple[str, ...]]] = []
        self.words: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element begins."""
        self.tags.append((tag, tuple(name for name, _ in attrs)))

    def handle_endtag(self, tag: str) -> None:
        """An element ends."""
        self.tags.append((f"/{tag}", ()))

    def handle_comment(self, data: str) -> None:
        """A comment."""
        self.tags.append(("comment", (data,)))

    def handle_data(self, data: str) -> None:
        """Words."""
        self.words.append(data)


def without_pictures(page: str) -> str:
    """The page without its pictures: names need room, which changes a picture's numbers."""
    return re.sub(r"<svg.*?</svg>|<pre.*?</pre>", "", page, flags=re.DOTALL)


@cache
def harmless() -> str:
    """A page in harmless words."""
    return paper_html(paper_in_words("Words", "Name").public).decode()


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS)
def test_html_keeps_its_skeleton(payload: str) -> None:
    """Whatever the words, the page has the elements and attributes of a harmless page."""
    page = paper_html(paper_in_words(payload if payload.strip() else "Words", payload).public).decode()
    assert Skeleton(without_pictures(page)).tags == Skeleton(without_pictures(harmless())).tags
    pictures = [re.findall(r"<svg.*?</svg>", each, re.DOTALL) for each in (page, harmless())]
    for made, expected in zip(*pictures, strict=True):
        kinds = [
            {element.tag for element in ElementTree.fromstring(each).iter()} for each in (made, expected)
        ]
        assert kinds[0] == kinds[1]


@given(st.text(min_size=1, max_size=60).filter(lambda words: words.strip()))
def test_html_keeps_its_skeleton_whatever_the_words(words: str) -> None:
    """Random words change no element of a page either."""
    page = paper_html(paper_in_words(words, "Name").public).decode("utf-8")
    assert [tag for tag, _ in Skeleton(without_pictures(page)).tags] == [
        tag for tag, _ in Skeleton(without_pictures(harmless())).tags
    ]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", [name for name, payload in PAYLOADS.items() if payload.strip()])
def test_typst_prints_the_words(name: str) -> None:
    """Whatever the words, papers and keys are set, and all that can be printed of the words is printed."""
    paper = paper_in_words(PAYLOADS[name], PAYLOADS[name])
    for data in (paper_pdf(paper.public), key_pdf(paper)):
        printed = "".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(data)).pages)
        assert unbroken(PRINTED.get(name, PAYLOADS[name])) in unbroken(printed)


PRINTED = {
    "control": "bell\ufffd escape\ufffd[31m null\ufffd back\ufffd turn\ufffd\ufffd",
    "long": "W" * 40,
    "arabic and emoji": "العربية 漢字",
}
"""What can be printed of a payload, where that is not all: long names are clipped, fonts lack emoji."""


def unbroken(text: str) -> str:
    """The text without ligatures, blanks and hyphens, which setting it may add."""
    return re.sub(r"[\s\u00ad\u2010-]", "", normalize("NFKC", text))


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS)
def test_text_and_markdown_keep_their_lines(payload: str) -> None:
    """Words neither run nor break lines: the page has the lines of a harmless one, apart from wrapping."""
    public = paper_in_words(payload, payload).public
    plain = paper_text(public).decode()
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", plain)
    marked = paper_markdown(public).decode()
    harmless = paper_markdown(paper_in_words("Words", "Name").public).decode()
    heads = [[line for line in page.split("\n") if line.startswith("#")] for page in (marked, harmless)]
    assert len(heads[0]) == len(heads[1])
    fences = [page.count("```") - page.count("\\`\\`\\`") for page in (marked, harmless)]
    assert fences[1] == 2
    unfenced = re.sub(r"^```text\n.*?^```$", "", marked, flags=re.DOTALL | re.MULTILINE)
    assert not re.search(r"(?<!\\)[<`\[]", unfenced)


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS)
def test_latex_keeps_its_commands(payload: str) -> None:
    """Whatever the words, the source has the commands, groups and comments of a harmless one."""
    made, harmless = (
        paper_latex(paper_in_words(words, "Name").public).decode() for words in (payload, "Words")
    )
    body = [page.partition(r"\begin{document}")[2] for page in (made, harmless)]
    own = {
        "textbackslash",
        "textasciitilde",
        "textasciicircum",
        "textless",
        "textgreater",
        "textbar",
        "textquotedbl",
        "ldots",
        "infty",
    }
    commands = [[word for word in re.findall(r"\\([a-zA-Z@]+)", page) if word not in own] for page in body]
    assert commands[0] == commands[1]
    assert "\x00" not in made
    assert made.count(r"\begin{document}") == made.count(r"\end{document}") == 1


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex on this machine")
@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS)
def test_latex_compiles(payload: str, tmp_path: Path) -> None:
    """Whatever the words, the source compiles, and may not write files or read others."""
    (tmp_path / "paper.tex").write_bytes(paper_latex(paper_in_words(payload, payload[:200]).public))
    ran = subprocess.run(
        ["pdflatex", "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"],
        cwd=tmp_path,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-2000:].decode(errors="replace")
    assert b"root:" not in (tmp_path / "paper.log").read_bytes()


def test_students_names_stay_in_the_folder(tmp_path: Path) -> None:
    """Names that are paths, commands or pictures of other names become harmless files inside the folder."""
    names = [name for name in PAYLOADS.values() if name.strip()]
    roster = Roster(tuple(Student(f"{place}/../x", name) for place, name in enumerate(names)))
    plan = small()
    build_exam(plan, roster, tmp_path / "deep" / "exam", formats=("pdf",), exports=())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["deep"]
    assert sorted(path.name for path in (tmp_path / "deep").iterdir()) == ["exam"]
    for path in (tmp_path / "deep" / "exam" / PAPERS_FOLDER).iterdir():
        assert re.fullmatch(r"[a-z0-9-]+\.pdf", path.name)
    pages = pypdf.PdfReader(tmp_path / "deep" / "exam" / PRINT_FILE).pages
    assert len(pages) == 2 * len(names)
