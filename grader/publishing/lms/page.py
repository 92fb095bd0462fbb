"""A question that stands alone, as platforms show it: conventions, picture, parts and blanks."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from xml.etree import ElementTree as ET

from grader.answers.blank import Blank, Blanks
from grader.base.phrases import Language
from grader.exam.paper import Paper, PublicPaper, Question, letter
from grader.kinds.wording import ENTERED, paragraph
from grader.pictures.picture import Picture
from grader.pictures.svg import picture
from grader.publishing.sheet import drawn, lay_out, plain, shown, without


@dataclass(frozen=True, slots=True)
class PagePart:
    """One part: its letter (empty when it is the only one), its points in words, and what is asked.

    `ask` says how to write a whole answer, the blanks how to fill them in instead.
    """

    letter: str
    points: str
    prompt: str
    ask: str
    blanks: Blanks
    key: str

    def filled(self, language: Language, counts: str = "") -> str:
        """What is asked where blanks are filled in, and what counts, which is up to the platform.

        `counts` is said in place of what is true of platforms that add up the shares of the blanks.
        """
        prompt = without(language.say(ENTERED), self.prompt)  # such nodes have boxes
        return paragraph(prompt, self.blanks.ask, counts or self.blanks.counts)


@dataclass(frozen=True, slots=True)
class Page:
    """One variant of one question; `name` tells it from all other questions and variants of the exam.

    `content` stands for all that the question says: variants with the same content are the same.
    """

    name: str
    content: str
    label: str
    title: str
    code: str
    conventions: tuple[str, ...]
    picture: Picture
    parts: tuple[PagePart, ...]
    language: str
    question: Question

    @property
    def boxed(self) -> "Page":
        """The same with a box for what only an exact platform can mark as a choice."""
        parts = (replace(part, blanks=part.blanks.boxed) for part in self.parts)
        return replace(self, parts=tuple(parts))

    @property
    def heading(self) -> str:
        """What the question is called in a list: its number, its title and its variant."""
        return f"{self.label}. {self.title} ({self.code})" if self.title else f"{self.label} ({self.code})"


@dataclass(frozen=True, slots=True)
class Piece:
    """What an export writes of one page: some texts, and what the page is called."""

    name: str
    content: str
    label: str
    title: str
    texts: tuple[str, ...]


def piece(page: Page, *texts: str) -> Piece:
    """These texts of a page."""
    return Piece(page.name, page.content, page.label, page.title, texts)


class Distinct:
    """The variants of questions, each once: those of a given tree are all the same."""

    def __init__(self) -> None:
        self._known = set[tuple[str, str]]()

    def new(self, pieces: Iterable[Piece]) -> Iterator[Piece]:
        """Those of the pieces whose like was not there before."""
        for each in pieces:
            if (each.label, each.content) not in self._known:
                self._known.add((each.label, each.content))
                yield each


def pages_of(paper: Paper) -> tuple[Page, ...]:
    """The pages of all questions of a paper."""
    return tuple(_page(paper, question) for question in paper.questions)


def _page(paper: Paper, question: Question) -> Page:
    public = question.public
    alone = PublicPaper(paper.heading, paper.code, (public,))
    sheet = lay_out(alone)
    (asked,) = sheet.questions
    name = f"question-{question.label}-{paper.code}"
    parts = []
    for place, (part, words) in enumerate(zip(question.parts, asked.parts, strict=True)):
        called = letter(place, len(question.parts))
        parts.append(
            PagePart(
                letter=called,
                points=words.points,
                prompt=words.prompt,
                ask=words.ask,
                blanks=part.blanks,
                key=plain(part.printed_key),
            )
        )
    return Page(
        name=name,
        content=sha256("".join(part.public.checksum for part in question.parts).encode()).hexdigest(),
        label=question.label,
        title=asked.title,
        code=paper.code,
        conventions=(*sheet.conventions, *asked.conventions),
        picture=picture(public.tree, view=shown(public), identity=name, **drawn(public)),
        parts=tuple(parts),
        language=paper.heading.language_code,
        question=question,
    )


def body(page: Page, source: str, blank: Callable[[Blank], ET.Element]) -> Iterator[ET.Element]:
    """The page as HTML elements; `source` is where the picture is, `blank` makes what is filled in."""
    if page.conventions:
        yield words("p", " ".join(page.conventions))
    image = {
        "src": source,
        "alt": page.picture.description,
        "width": str(round(page.picture.width)),
        "height": str(round(page.picture.height)),
    }
    paragraph = ET.Element("p")
    ET.SubElement(paragraph, "img", image)
    yield paragraph
    for part in page.parts:
        yield _asked(part, page.question.public.language)
        made = part.blanks.blanks
        if len(made) == 1:
            only = ET.Element("div")
            only.append(blank(made[0]))
            yield only
            continue
        rows = ET.Element("ul")
        for each in made:
            row = ET.SubElement(rows, "li")
            row.text = f"{each.label}: "
            row.append(blank(each))
        yield rows


def _asked(part: PagePart, language: Language) -> ET.Element:
    asked = ET.Element("p")
    lead = f"({part.letter}) " if part.letter else ""
    asked.text = f"{lead}{part.filled(language)} ({part.points})"
    return asked


def words(tag: str, text: str) -> ET.Element:
    """An element with nothing but text in it."""
    element = ET.Element(tag)
    element.text = text
    return element
