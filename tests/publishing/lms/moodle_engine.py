"""Reads Moodle XML as Moodle's importer does and marks as its question engine, written from its behaviour."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from xml.etree import ElementTree as ET

_ALTERNATIVE = (
    r"(=|%(-?[0-9]+(?:[.,][0-9]*)?)%)?"
    r"(.+?(?<!\\)(?<!&)(?<!&amp;)(?=[~#}]|$))"
    r"(#(.*?(?<!\\)(?=[~}]|$)))?"
)
_TYPES = (
    "NUMERICAL|NM|MULTICHOICE_[VHS]+|MULTICHOICE|MC[VHS]*|SHORTANSWER_C|SHORTANSWER|SAC?|MWC?|"
    "MULTIRESPONSE_[HS]+|MULTIRESPONSE|MR[HS]*"
)
BLANK = re.compile(rf"\{{([0-9]*):({_TYPES}):({_ALTERNATIVE}(?:~{_ALTERNATIVE})*)\}}", re.DOTALL)
"""A blank, as the importer looks for it anywhere in the text."""

GRADES = {1, .9, .8333333, .8, .75, .7, .6666667, .6, .5, .4, .3333333, .3, .25, .2, .1666667, .1428571, .125,
          .1111111, .1, .05, 0}  # fmt: skip
"""The fractions of a grade that Moodle offers."""


@dataclass(frozen=True)
class Blank:
    """One blank as it is in the question bank: answers with their fractions."""

    kind: str
    weight: int
    answers: tuple[tuple[str, float], ...]
    written: tuple[float, ...]

    @property
    def width(self) -> int:
        """How wide a box is drawn: as its longest answer, whatever that earns."""
        return min(WIDEST, max(len(answer.partition(":")[0].strip()) for answer, _ in self.answers))

    def fraction(self, response: object) -> float:
        """What a response earns: a text, the index of an option, or a set of indices."""
        match self.kind:
            case "SHORTANSWER":
                assert isinstance(response, str)
                return max((share for answer, share in self.answers if same(answer, response)), default=0)
            case "NUMERICAL":
                assert isinstance(response, str)
                return max((share for answer, share in self.answers if near(answer, response)), default=0)
            case "MULTICHOICE":
                assert isinstance(response, int)
                return self.answers[response][1]
            case "MULTIRESPONSE":
                assert isinstance(response, set | frozenset)
                return min(1, max(0, sum(self.answers[index][1] for index in response)))
        raise AssertionError(self.kind)


WIDEST = 60
"""The most characters that a box is wide."""


def same(answer: str, response: str) -> bool:
    """The short answer's comparison: case and blanks aside; a bare asterisk matches anything."""
    parts = [part.replace("\\*", "*") for part in re.split(r"(?<!\\)\*", answer)]
    pattern = ".*".join(re.escape(_squeezed(part) if len(parts) == 1 else part) for part in parts)
    return re.fullmatch(pattern, _squeezed(response), re.IGNORECASE | re.DOTALL) is not None


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text.strip())


def near(answer: str, response: str) -> bool:
    """The numerical comparison in English: an exact answer has a hair's breadth.

    Blanks and commas part thousands, and what follows a number is taken for its unit, which costs nothing.
    """
    number, _, tolerance = answer.partition(":")
    found = re.match(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.sub("[ ,]", "", response))
    return found is not None and abs(float(found[0]) - float(number)) <= float(tolerance) + 1e-12


@dataclass(frozen=True)
class Question:
    """A question as it is in the question bank."""

    category: str
    name: str
    identity: str
    text: str
    blanks: tuple[Blank, ...]
    files: tuple[str, ...]
    feedback: str

    def grade(self, responses: Sequence[object]) -> float:
        """The fraction of the mark that responses to all blanks earn."""
        earned = sum(
            blank.weight * blank.fraction(response)
            for blank, response in zip(self.blanks, responses, strict=True)
        )
        return earned / sum(blank.weight for blank in self.blanks)

    def right(self, choose: int = 0) -> list[object]:
        """Right responses; of several spellings the one at `choose`, counted round."""
        return [_right(blank, choose) for blank in self.blanks]


def html_to_text(html: str) -> str:
    """Text as Moodle's reports have it: pictures by their alternative text, items with a star."""
    html = re.sub(r"[\r\n\t]+", " ", html)
    html = re.sub(r"(?i)</?ul\b[^>]*>", "\n\n", html)
    html = re.sub(r"(?i)<li\b[^>]*>(.*?)</li>", r"\t* \1\n", html)
    html = re.sub(r'(?i)<img\b[^>]*alt="([^>"]+)"[^>]*>', r"[\1]", html)
    html = re.sub(r"(?i)[ ]*<p\b[^>]*>(.*?)</p>[ ]*", r"\n\n\1\n\n", html)
    text = re.sub(r"[ ]{2,}", " ", re.sub(r"<[^>]*>", "", html))
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"\n\s+\n", "\n\n", unescape(text))).strip()


def summary(question: Question) -> str:
    """The text of a question in the report of the responses, with a line for a box and the options."""
    text = html_to_text(question.text)
    for blank in question.blanks:
        options = "; ".join(html_to_text(answer) for answer, _ in blank.answers)
        text = text.replace("\u2588", f"{{{options}}}" if blank.kind.startswith("MULTI") else "_____", 1)
    return text


def right_answer(question: Question) -> str:
    """The right answer of a question in the same report."""
    return responses(
        [_said(blank, right) for blank, right in zip(question.blanks, question.right(), strict=True)]
    )


def responses(texts: Sequence[str]) -> str:
    """What is in the blanks of a question, in the same report."""
    return "; ".join(f"part {number}: {text.strip()}" for number, text in enumerate(texts, 1)).strip()


def _said(blank: Blank, response: object) -> str:
    match response:
        case frozenset():
            return "; ".join(html_to_text(blank.answers[index][0]) for index in sorted(response))
        case int():
            return html_to_text(blank.answers[response][0])
    return str(response)


def _right(blank: Blank, choose: int) -> object:
    full = [index for index, (_, share) in enumerate(blank.answers) if share > 0]
    if blank.kind == "MULTIRESPONSE":
        return frozenset(full)
    if blank.kind == "MULTICHOICE":
        return full[choose % len(full)]
    text = blank.answers[full[choose % len(full)]][0]
    return text.split(":")[0] if blank.kind == "NUMERICAL" else text.replace("\\*", "*")


def import_quiz(data: bytes) -> Iterator[Question]:
    """The questions that the importer makes; refuses what it would refuse."""
    category = ""
    for element in ET.fromstring(data):
        if element.get("type") == "category":
            category = element.findtext("category/text", "")
            continue
        assert element.get("type") == "cloze"
        text = element.findtext("questiontext/text", "")
        yield Question(
            category=category,
            name=element.findtext("name/text", ""),
            identity=element.findtext("idnumber", ""),
            text=BLANK.sub("\u2588", text),
            blanks=tuple(_blank(found) for found in BLANK.finditer(text)),
            files=tuple(file.get("name", "") for file in element.iterfind("questiontext/file")),
            feedback=element.findtext("generalfeedback/text", ""),
        )


def _blank(found: re.Match[str]) -> Blank:
    weight, kind, rest = found[1], found[2], found[3]
    answers: list[tuple[str, float]] = []
    specific = False
    while alternative := re.match(rf"~?{_ALTERNATIVE}", rest, re.DOTALL):
        share = 1.0 if alternative[1] == "=" else 0.0
        if alternative[2]:
            share, specific = float(alternative[2].replace(",", ".")) / 100, True
        answer = unescape(alternative[3]).replace("\\}", "}").replace("\\#", "#")
        if kind == "NUMERICAL":
            assert re.fullmatch(r"-?(\d+\.?\d*|\.\d+)(:(\d+\.?\d*|\.\d+))?", answer), "the import stops here"
        answers.append((answer, share))
        rest = rest[alternative.end() :]
    assert rest == ""
    written = tuple(share for _, share in answers)
    total = sum(share for share in written if share > 0)
    assert total, "a blank without a right answer stops the import"
    if kind == "MULTIRESPONSE":
        answers = [
            (answer, share / total if share > 0 else share if specific else -1 / total)
            for answer, share in answers
        ]
    else:
        assert 1 in written, "no answer earns the full mark"
    return Blank(kind, int(weight or 1), tuple(answers), written)
