"""What Canvas does with a QTI 1.2 package, after its sources: the import, and the points of a response."""

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import unescape
from xml.etree import ElementTree as ET
from zipfile import ZipFile

PACKAGE = "{http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1}"
SPACE = "{http://www.imsglobal.org/xsd/ims_qtiasiv1p2}"
SETTINGS = "{http://canvas.instructure.com/xsd/cccv1p0}"
FILES = "%24IMS-CC-FILEBASE%24/"


@dataclass(frozen=True, slots=True)
class Item:
    """An item after the import.

    - `options`: what can be chosen, by the name of the option; empty where one writes.
    - `right`: the options or texts that are right.
    - `pictures`: the files of the package that are shown.
    """

    name: str
    title: str
    kind: str
    points: Fraction
    html: str
    options: dict[str, str]
    right: tuple[str, ...]
    pictures: tuple[str, ...]

    @property
    def words(self) -> str:
        """The text as a browser shows it."""
        return shown(self.html)

    def award(self, response: str | frozenset[str]) -> Fraction:
        """The points for a text, or for the options that are chosen."""
        if isinstance(response, frozenset):
            assert response <= set(self.options.values())
            hits = {self.options[name] for name in self.right}
            if self.kind == "multiple_choice_question":
                return self.points * (response == hits)
            # Every right tick earns its part, a wrong one takes as much away.
            share = Fraction(len(response & hits) - len(response - hits), len(hits))
            return self.points * max(share, Fraction())
        if self.kind == "numerical_question":
            if not re.fullmatch(r"\s*[-+]?\d+(\.\d*)?\s*", response):
                return Fraction()
            return self.points * (Fraction(response.strip()) == Fraction(self.right[0]))
        said = " ".join(response.split()).lower()
        return self.points * (said in {" ".join(text.split()).lower() for text in self.right})

    @property
    def best(self) -> str | frozenset[str]:
        """A response that is right."""
        return frozenset(self.options[name] for name in self.right) if self.options else self.right[0]

    @property
    def blank(self) -> str | frozenset[str]:
        """No response."""
        return frozenset() if self.options else ""


@dataclass(frozen=True, slots=True)
class Quiz:
    """A quiz after the import, with what its settings say."""

    name: str
    title: str
    settings: dict[str, str]
    items: tuple[Item, ...]

    @property
    def asked(self) -> list[Item]:
        """The items that ask something."""
        return [item for item in self.items if item.kind != "text_only_question"]


def shown(html: str) -> str:
    """The text of HTML."""
    return unescape(re.sub(r"<[^>]*>", "", html)).strip()


def import_package(data: bytes) -> list[Quiz]:
    """The quizzes of a package, found by its manifest; whatever is missing or named twice is an error."""
    with ZipFile(io.BytesIO(data)) as package:
        resources = list(ET.fromstring(package.read("imsmanifest.xml")).iter(f"{PACKAGE}resource"))
        hrefs = {
            each.attrib["href"]
            for each in ET.fromstring(package.read("imsmanifest.xml")).iter(f"{PACKAGE}file")
        }
        assert hrefs <= set(package.namelist())
        quizzes = []
        for resource in resources:
            if not resource.attrib["type"].startswith("imsqti"):
                continue
            root = ET.fromstring(package.read(resource[0].attrib["href"]))
            (assessment,) = root
            name = assessment.attrib["ident"]
            settings = ET.fromstring(package.read(f"{name}/assessment_meta.xml"))
            items = tuple(map(_item, assessment.iter(f"{SPACE}item")))
            assert {picture for item in items for picture in item.pictures} <= hrefs
            told = {each.tag.removeprefix(SETTINGS): each.text or "" for each in settings}
            quizzes.append(Quiz(name, assessment.attrib["title"], told, items))
    names = [item.name for quiz in quizzes for item in quiz.items] + [quiz.name for quiz in quizzes]
    assert len(names) == len(set(names))
    return quizzes


def _item(item: ET.Element) -> Item:
    fields = {
        each.findtext(f"{SPACE}fieldlabel", ""): each.findtext(f"{SPACE}fieldentry", "")
        for each in item.iter(f"{SPACE}qtimetadatafield")
    }
    html = item.findtext(f"{SPACE}presentation/{SPACE}material/{SPACE}mattext", "")
    labels = item.iterfind(f".//{SPACE}render_choice/{SPACE}response_label")
    options = {label.attrib["ident"]: shown("".join(label.itertext())) for label in labels}
    conditions = item.findall(f".//{SPACE}respcondition")
    right: Sequence[str] = ()
    if conditions:
        (condition,) = conditions
        assert condition.findtext(f"{SPACE}setvar") == "100"
        right = list(_right(condition[0]))
        assert right
        assert not options or set(right) <= set(options)
    files = re.findall(r'src="([^"]*)"', html)
    assert all(file.startswith(FILES) for file in files)
    return Item(
        item.attrib["ident"],
        item.attrib["title"],
        fields["question_type"],
        Fraction(fields["points_possible"]),
        html,
        options,
        tuple(right),
        tuple(file.removeprefix(FILES) for file in files),
    )


def _right(condition: ET.Element) -> Iterator[str]:
    """What must be chosen or written; the bounds of a number must be the number."""
    for each in condition:
        match each.tag.removeprefix(SPACE):
            case "and" | "or":
                yield from dict.fromkeys(_right(each))
            case "varequal" | "vargte" | "varlte":
                yield each.text or ""
            case "not":
                pass
            case other:
                raise AssertionError(other)
