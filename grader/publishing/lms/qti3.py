"""QTI 3: an item for every variant of a question, and a test that draws one variant of each."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import lru_cache
from typing import BinaryIO

from grader.answers.blank import Blank
from grader.base.numbers import Number, write_number
from grader.exam.manifest import Exam
from grader.exam.paper import Paper
from grader.publishing.lms.page import (
    Page,
    PagePart,
    PageTexts,
    drop_known_pages,
    page_body,
    weights_of,
)
from grader.publishing.lms.xml_elements import (
    MANIFEST,
    Element,
    document,
    element,
    manifest_resource,
)
from grader.publishing.lms.zip_package import Package
from grader.publishing.sheet import plain

FILE = "qti3.zip"

QTI_NAMESPACE = "http://www.imsglobal.org/xsd/imsqtiasi_v3p0"
PACKAGE = "http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1"
INSTANCE = "http://www.w3.org/2001/XMLSchema-instance"
SCHEMAS = "https://purl.imsglobal.org/spec/qti/v3p0/schema/xsd"

COUNT = "COUNT"
"""The outcome that sums the weights of the responses of an item."""

SHARE_DECIMALS = 9
"""The decimals of a share: QTI has floats, and these digits are the same on every platform."""


_COUNTED_SO_FAR = element("qti-variable", identifier=COUNT)


def make_pieces(paper: Paper, pages: Sequence[Page]) -> tuple[PageTexts, ...]:
    """Make the items of a paper with their pictures."""
    del paper
    pieces = []
    for page in pages:
        pictures = [] if page.picture is None else [page.picture.svg.encode()]
        pieces.append(PageTexts.of(page, document(_item(page)), *pictures))
    return tuple(pieces)


@contextmanager
def open_export(exam: Exam, file: BinaryIO) -> Iterator[Callable[[Sequence[PageTexts]], None]]:
    """Write one package with the items, their pictures, the test and the manifest."""
    known = set[tuple[str, str]]()
    sections: dict[str, list[str]] = {}
    paths: dict[str, Sequence[str]] = {}
    with Package(file, "w") as package:

        def add(pieces: Sequence[PageTexts]) -> None:
            """Write the pages that are new, and list them in the sections of their questions."""
            for each in drop_known_pages(pieces, known):
                title = f"{each.label}. {each.title}" if each.title else each.label
                sections.setdefault(title, []).append(each.name)
                paths[each.name] = [
                    f"items/{each.name}.{suffix}" for suffix in ("xml", "svg")[: len(each.texts)]
                ]
                for path, data in zip(paths[each.name], each.texts, strict=True):
                    package.add(path, data)

        yield add
        package.add("test.xml", document(_test(exam, sections)))
        items = {name: paths[name] for section in sections.values() for name in section}
        package.add(MANIFEST, document(_manifest(exam, items)))


def _root(tag: str, space: str, schema: str, *inside: Element, **attributes: str) -> Element:
    """Return a root element whose children are all in its namespace."""
    spaces = {
        "xmlns": space,
        "xmlns:xsi": INSTANCE,
        "xsi:schemaLocation": f"{space} {SCHEMAS}/{schema}",
    }
    return element(tag, *inside, **spaces, **attributes)


# Items --------------------------------------------------------------------------------------------


def _item(page: Page) -> Element:
    """Return a question as an assessment item, with a response for each blank of its parts."""
    every = (blank for part in page.parts for blank in part.blanks.blanks)
    blanks = {f"RESPONSE-{number}": blank for number, blank in enumerate(every, 1)}
    names = iter(blanks)
    source = f"{page.name}.svg"
    body = page_body(page, source, lambda blank: _interaction(blank, next(names)), rule=_exact_rule)
    total = sum((Fraction(blank.points) for blank in blanks.values()), Fraction(0))
    weights = weights_of([blank.points for blank in blanks.values()])
    conditions = map(_condition, blanks.values(), blanks, weights)
    # Some players round every outcome, so the sum is a whole number and is scaled to points at the end.
    unit = _float(total / (sum(weights) or 1))
    score = _set_outcome("SCORE", element("qti-product", _COUNTED_SO_FAR, unit))
    return _root(
        "qti-assessment-item",
        QTI_NAMESPACE,
        "imsqti_asiv3p0_v1p0.xsd",
        *(_declaration(blank, name) for name, blank in blanks.items()),
        _outcome("SCORE", "0"),
        _outcome("MAXSCORE", _decimal(total)),
        _outcome(COUNT, "0"),
        element("qti-item-body", *body),
        element("qti-response-processing", *conditions, score),
        identifier=page.name,
        title=page.heading,
        adaptive="false",
        time_dependent="false",
        **{"xml:lang": page.paper.heading.language_code},
    )


def _exact_rule(part: PagePart) -> str:
    """Return the marking rule of paper for ticks that are marked by it, as no other platform can."""
    if all(blank.kept_share is None for blank in part.blanks.blanks):
        return ""
    public = part.exercise.public
    return part.exercise.kind.credit_sentence(public.terms, public.tree)


def _condition(blank: Blank, name: str, weight: int) -> Element:
    """Return the rule that adds what a response earns to the count."""
    if blank.kept_share is not None:
        size = sum(option.share > 0 for option in blank.options)
        return _keep_condition(blank.kept_share, size, len(blank.options) - 1, name, weight)
    return _count_condition(blank.is_strict, name, weight)


@lru_cache(maxsize=256)
def _keep_condition(kept_share: Fraction, size: int, offered: int, name: str, weight: int) -> Element:
    """Return the rule of `keep` for ticks; `offered` are all but the option that there is none.

    The mapping counts right minus wrong ticks. That is the size of the key minus all mistakes, since a right
    option that is left out is one of them. All ticks together earn nothing unless that is the key.
    """
    response = element("qti-variable", identifier=name)
    cases = []
    for mistakes in range(size):
        share = Fraction(round(weight * kept_share**mistakes * 10**SHARE_DECIMALS), 10**SHARE_DECIMALS)
        if not share:
            break
        reached = element("qti-gte", element("qti-map-response", identifier=name), _float(size - mistakes))
        more = _set_outcome(COUNT, element("qti-sum", _COUNTED_SO_FAR, _float(share)))
        cases.append(element("qti-response-else-if" if mistakes else "qti-response-if", reached, more))
    demands = [element("qti-not", element("qti-is-null", response))]
    if size < offered:
        ticks = element("qti-container-size", response)
        demands.append(element("qti-lt", ticks, element("qti-base-value", str(offered), base_type="integer")))
    counts = element("qti-and", *demands)
    return element(
        "qti-response-condition",
        element("qti-response-if", counts, element("qti-response-condition", *cases)),
    )


@lru_cache(maxsize=256)
def _count_condition(whole: bool, name: str, weight: int) -> Element:
    """Return the rule that adds the weight of a response to the count.

    With `whole` only the complete answer counts. Otherwise check that there is a response,
    since players ignore a factor that is missing.
    """
    response, worth = element("qti-variable", identifier=name), _float(weight)
    if whole:
        counts = element("qti-match", response, element("qti-correct", identifier=name))
    else:
        counts = element("qti-not", element("qti-is-null", response))
        worth = element("qti-product", element("qti-map-response", identifier=name), worth)
    more = _set_outcome(COUNT, element("qti-sum", _COUNTED_SO_FAR, worth))
    return element("qti-response-condition", element("qti-response-if", counts, more))


def _outcome(name: str, value: str) -> Element:
    """Declare a number that the item computes, with its first value."""
    default = element("qti-default-value", element("qti-value", value))
    kind = {"cardinality": "single", "base-type": "float"}
    return element("qti-outcome-declaration", default, identifier=name, **kind)


def _set_outcome(name: str, value: Element) -> Element:
    return element("qti-set-outcome-value", value, identifier=name)


def _declaration(blank: Blank, name: str) -> Element:
    """Declare the correct answer of a blank, and the share of its points that every answer earns."""
    upper_bound = "1"
    if blank.options:
        options = {f"OPTION-{number}": option.share for number, option in enumerate(blank.options, 1)}
        if blank.kept_share is not None:  # `_keep_condition` counts options
            options = {name: Fraction((share > 0) - (share < 0)) for name, share in options.items()}
            upper_bound = str(sum(share > 0 for share in options.values()))
        right = [option for option, share in options.items() if share > 0]
        right = right if blank.allows_several else right[:1]
        entries = [
            element("qti-map-entry", map_key=option, mapped_value=_decimal(share))
            for option, share in options.items()
        ]
    else:
        right = list(blank.spellings[:1])
        entries = [
            element("qti-map-entry", map_key=spelling, mapped_value="1", case_sensitive="false")
            for spelling in blank.spellings
        ]
    return element(
        "qti-response-declaration",
        element("qti-correct-response", *(element("qti-value", each) for each in right)),
        element("qti-mapping", *entries, default_value="0", lower_bound="0", upper_bound=upper_bound),
        identifier=name,
        cardinality="multiple" if blank.allows_several else "single",
        base_type="identifier" if blank.options else "string",
    )


def _interaction(blank: Blank, name: str) -> Element:
    """Return the input of a blank: a text entry, or a choice of one or several options."""
    if not blank.options:
        return element("qti-text-entry-interaction", response_identifier=name, expected_length="12")
    return element(
        "qti-choice-interaction",
        *(
            element("qti-simple-choice", option.text, identifier=f"OPTION-{number}")
            for number, option in enumerate(blank.options, 1)
        ),
        response_identifier=name,
        shuffle="false",
        max_choices="0" if blank.allows_several else "1",
        class_="qti-orientation-horizontal",
    )


def _float(value: Number) -> Element:
    return element("qti-base-value", _decimal(value), base_type="float")


@lru_cache(maxsize=256)
def _decimal(value: Number) -> str:
    """Format a number as a decimal, rounded to `SHARE_DECIMALS`; cached, since most shares are alike."""
    return write_number(Fraction(round(Fraction(value) * 10**SHARE_DECIMALS), 10**SHARE_DECIMALS))


# The test and the manifest ------------------------------------------------------------------------


def _test(exam: Exam, sections: Mapping[str, Sequence[str]]) -> Element:
    """Return the test: a section for each question, from which one of its variants is selected."""
    section_elements = []
    for number, (title, names) in enumerate(sections.items(), 1):
        selection = [element("qti-selection", select="1")] if len(names) > 1 else []
        items = (
            element("qti-assessment-item-ref", identifier=name, href=f"items/{name}.xml") for name in names
        )
        about = {"identifier": f"section-{number}", "title": title, "visible": "true"}
        section_elements.append(element("qti-assessment-section", *selection, *items, **about))
    scores = element("qti-test-variables", variable_identifier="SCORE")
    modes = {"navigation-mode": "nonlinear", "submission-mode": "simultaneous"}
    return _root(
        "qti-assessment-test",
        QTI_NAMESPACE,
        "imsqti_asiv3p0_v1p0.xsd",
        _outcome("SCORE", "0"),
        element("qti-test-part", *section_elements, identifier="questions", **modes),
        element("qti-outcome-processing", _set_outcome("SCORE", element("qti-sum", scores))),
        identifier="exam",
        title=plain(exam.heading.title),
    )


def _manifest(exam: Exam, items: Mapping[str, Sequence[str]]) -> Element:
    """Return the manifest; `items` maps the name of every item to its path and that of its picture."""
    dependencies = (element("dependency", identifierref=name) for name in items)
    resources = (
        manifest_resource(
            name, "imsqti_item_xmlv3p0", item, *(element("file", href=picture) for picture in pictures)
        )
        for name, (item, *pictures) in items.items()
    )
    return _root(
        "manifest",
        PACKAGE,
        "imsqtiv3p0_imscpv1p2_v1p0.xsd",
        element("metadata", element("schema", "QTI Package"), element("schemaversion", "3.0.0")),
        element("organizations"),
        element(
            "resources",
            manifest_resource("exam", "imsqti_test_xmlv3p0", "test.xml", *dependencies),
            *resources,
        ),
        identifier=f"exam-{exam.origin.blueprint[:12]}",
    )
