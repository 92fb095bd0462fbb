"""The laws of the QTI 3 package: it is whole, its items are well built, and a player marks them as we do."""

import re
from fractions import Fraction
from functools import cache
from itertools import chain, combinations
from math import prod
from xml.etree import ElementTree as ET

import pytest

from grader.answers.branches import topmost
from grader.exam.manifest import Exam
from tests.publishing.lms.exams import (
    PRUNING,
    exam_in_words,
    exam_of_kind,
    exam_of_variants,
    exam_with,
    exercise_of,
    faults,
    unpacked,
    written,
)
from tests.publishing.papers import NAMES
from tests.publishing.test_hostile import PAYLOADS

SPACE = "{http://www.imsglobal.org/xsd/imsqtiasi_v3p0}"
CONTENT = "{http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1}"

PARTS = ("metadata", "organizations", "resources")
"""The parts of a manifest, in this order, in the schema imsqtiv3p0_imscpv1p2_v1p0.xsd of 1EdTech."""


def members(exam: Exam) -> dict[str, bytes]:
    """The files of the package of an exam, which has no faults."""
    return unpacked(written("qti3", exam))


def items(exam: Exam) -> list[ET.Element]:
    """The items of an exam, in the order of their names."""
    files = members(exam)
    return [
        ET.fromstring(files[name])
        for name in sorted(files)
        if name.startswith("items/") and name.endswith(".xml")
    ]


def declared(item: ET.Element) -> dict[str, ET.Element]:
    """The response declarations of an item by name."""
    return {each.attrib["identifier"]: each for each in item.iter(f"{SPACE}qti-response-declaration")}


def right(item: ET.Element) -> dict[str, list[str]]:
    """The right responses that an item declares."""
    return {
        name: [value.text or "" for value in each.iterfind(f"{SPACE}qti-correct-response/{SPACE}qti-value")]
        for name, each in declared(item).items()
    }


def play(item: ET.Element, responses: dict[str, list[str]]) -> Fraction:
    """The score that the item's response processing gives, step by step as the specification has it.

    But for two rules of the player qti-components: a product leaves out a factor that is null, as a response
    is that nobody gave, and every outcome is rounded to three decimals.
    """
    responses = {name: values for name, values in responses.items() if values}
    declarations = declared(item)
    outcomes = {
        each.attrib["identifier"]: Fraction("".join(each.itertext()).strip())
        for each in item.iter(f"{SPACE}qti-outcome-declaration")
    }

    def value(expression: ET.Element) -> object:
        name = expression.attrib.get("identifier", "")
        match expression.tag.removeprefix(SPACE):
            case "qti-sum":
                return sum(factors(expression), Fraction(0))
            case "qti-product":
                return prod(factors(expression), start=Fraction(1))
            case "qti-not":
                return not value(expression[0])
            case "qti-is-null":
                return not value(expression[0])
            case "qti-and":
                return all(value(each) for each in expression)
            case "qti-gte" | "qti-lt" as comparison:
                left, right_side = map(value, expression)
                assert isinstance(left, int | Fraction)
                assert isinstance(right_side, Fraction)
                return left >= right_side if comparison == "qti-gte" else left < right_side
            case "qti-container-size":
                chosen = value(expression[0])
                assert isinstance(chosen, list)
                return len(chosen)
            case "qti-base-value":
                return Fraction(expression.text or "")
            case "qti-variable":
                return outcomes[name] if name in outcomes else sorted(responses.get(name, []))
            case "qti-correct":
                return sorted(right(item)[name])
            case "qti-match":
                return value(expression[0]) == value(expression[1])
            case "qti-map-response":
                return mapped(declarations[name], responses[name]) if name in responses else None
        raise AssertionError(expression.tag)

    def factors(expression: ET.Element) -> list[Fraction]:
        return [found for each in expression if isinstance(found := value(each), Fraction)]

    def run(rule: ET.Element) -> None:
        match rule.tag.removeprefix(SPACE):
            case "qti-set-outcome-value":
                (found,) = factors(rule)
                outcomes[rule.attrib["identifier"]] = round(found, 3)
            case "qti-response-condition":
                for condition, *then in rule:
                    if value(condition):
                        for each in then:
                            run(each)
                        break

    processing = item.find(f"{SPACE}qti-response-processing")
    assert processing is not None
    for rule in processing:
        run(rule)
    return outcomes["SCORE"]


def mapped(declaration: ET.Element, response: list[str]) -> Fraction:
    """The sum of what every value is mapped to, within the bounds of the mapping."""
    mapping = declaration.find(f"{SPACE}qti-mapping")
    assert mapping is not None
    total = Fraction(0)
    for said in response:
        for entry in mapping:
            key = entry.attrib["map-key"]
            alike = key == said or (
                entry.attrib.get("case-sensitive") == "false" and key.lower() == said.lower()
            )
            if alike:
                total += Fraction(entry.attrib["mapped-value"])
                break
        else:
            total += Fraction(mapping.attrib["default-value"])
    low, high = Fraction(mapping.attrib["lower-bound"]), Fraction(mapping.attrib["upper-bound"])
    return min(max(total, low), high)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("kind", NAMES)
def test_right_answers_earn_everything(kind: str) -> None:
    """In every kind, what an item declares as right earns its highest score, and nothing earns nothing.

    A response that nobody gave takes away what it is worth, and nothing else.
    """
    (item,) = items(exam_of_kind(kind))
    assert play(item, right(item)) == 4
    assert play(item, {}) == 0
    alone = [play(item, {name: values}) for name, values in right(item).items()]
    assert float(sum(alone)) == pytest.approx(4, abs=0.0005 * len(alone))
    highest = item.find(f"{SPACE}qti-outcome-declaration[@identifier='MAXSCORE']")
    assert highest is not None
    assert float("".join(highest.itertext())) == pytest.approx(4, abs=1e-6)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("kind", NAMES)
def test_items_have_the_skeleton(kind: str) -> None:
    """An item has responses, outcomes, a body and a processing, in this order; its elements are known."""
    (item,) = items(exam_of_kind(kind))
    order = [child.tag.removeprefix(SPACE) for child in item]
    assert list(dict.fromkeys(order)) == [
        "qti-response-declaration",
        "qti-outcome-declaration",
        "qti-item-body",
        "qti-response-processing",
    ]
    assert order == sorted(order, key=list(dict.fromkeys(order)).index)
    body = item.find(f"{SPACE}qti-item-body")
    assert body is not None
    blocks = {"p", "div", "ul"}
    assert {child.tag.removeprefix(SPACE) for child in body} <= blocks
    known = blocks | {
        "li",
        "img",
        "qti-text-entry-interaction",
        "qti-choice-interaction",
        "qti-simple-choice",
    }
    assert {child.tag.removeprefix(SPACE) for child in body.iter()} - {"qti-item-body"} <= known
    paragraphs = [child for parent in body.iter(f"{SPACE}p") for child in parent]
    assert {child.tag for child in paragraphs} <= {f"{SPACE}img"}, (
        "a choice is a block, and no part of a line"
    )


@pytest.mark.parametrize(
    ("policy", "tree"),
    [
        ("net", PRUNING),
        ("each", PRUNING),
        ("exact", PRUNING),
        ("keep:1/2", PRUNING),
        ("keep:3/5", PRUNING),
        ("keep:1/2", "MAX A (MIN B (3 4) MIN C (2 1 6 7 8 9))"),  # five of eight are pruned
        ("keep:1/2", "MAX A (MIN B (1 2) MIN C (3 4))"),  # nothing is
    ],
)
def test_ticks_follow_the_policy(policy: str, tree: str) -> None:
    """Every way to tick the leaves earns what this program gives, as nearly as the player counts."""
    exercise = exercise_of("pruned-paths", tree, policy)
    (item,) = items(exam_with(exercise))
    form, public, key = exercise.kind.form, exercise.public, exercise.answer(exercise.key)
    size = len(public.tree.leaves)
    for ticked in chain.from_iterable(combinations(range(size), count) for count in range(size + 1)):
        paths = frozenset(index + 1 for index in ticked)
        ours = 4 * form.credit(paths, key, public.tree, public.terms).share if paths else 0
        theirs = play(item, {"RESPONSE-1": [f"OPTION-{path}" for path in paths]})
        assert float(theirs) == pytest.approx(float(ours), abs=0.005), paths
    nothing = {"RESPONSE-1": [f"OPTION-{size + 1}"]}
    assert play(item, nothing) == 4 * form.credit(frozenset(), key, public.tree, public.terms).share


def test_ticks_of_branches_follow_keep() -> None:
    """Every way to tick branches, each at its top, earns what this program gives; none below one costs."""
    exercise = exercise_of(
        "pruned-branches", "MAX A (MIN B (5 6) MIN C (2 MAX D (7 8)) MIN E (1 9))", "keep:1/2"
    )
    (item,) = items(exam_with(exercise))
    form, public, key = exercise.kind.form, exercise.public, exercise.answer(exercise.key)
    tree = public.tree
    offered = tree.breadth_first[1:]
    tried = 0
    for ticked in chain.from_iterable(combinations(offered, count) for count in range(1, len(offered))):
        reply = frozenset(ticked)
        if topmost(reply, key, tree) != reply - {node for node in reply if reply & {*tree.ancestors(node)}}:
            continue  # all children of a node mean that node, which ticks do not
        if any(node not in key and reply & {*tree.ancestors(node)} - key for node in reply):
            continue  # a tick below a wrong one costs more there
        ours = 4 * form.credit(reply, key, tree, public.terms).share
        ticks = [f"OPTION-{offered.index(node) + 1}" for node in ticked]
        assert float(play(item, {"RESPONSE-1": ticks})) == pytest.approx(float(ours), abs=0.005), ticked
        tried += 1
    assert tried > 100


def test_all_best_moves() -> None:
    """Where all best moves are asked for, one of two earns nothing; where one is, either earns everything."""
    tree = "MAX A (MIN B (3 4) MIN C (3 5) MIN D (1 2))"
    (all_of_them,) = items(exam_with(exercise_of("best-move", tree, every=True)))
    (any_of_them,) = items(exam_with(exercise_of("best-move", tree)))
    for ticked, every, single in [("1 2", 4, None), ("1", 0, 4), ("2", 0, 4), ("3", 0, 0)]:
        options = [f"OPTION-{each}" for each in ticked.split()]
        assert play(all_of_them, {"RESPONSE-1": options}) == every
        if single is not None:
            assert play(any_of_them, {"RESPONSE-1": options}) == single


def test_the_test_draws_variants() -> None:
    """The test has a section for each question, which draws one of its variants."""
    exam = exam_of_variants("root-value", "MAX (MIN (1 2) MIN (3 4))", "MAX (MIN (5 2) MIN (3 4))")
    files = members(exam)
    test = ET.fromstring(files["test.xml"])
    (section,) = test.iter(f"{SPACE}qti-assessment-section")
    selection = section.find(f"{SPACE}qti-selection")
    assert selection is not None
    assert selection.attrib == {"select": "1"}
    hrefs = [each.attrib["href"] for each in section.iter(f"{SPACE}qti-assessment-item-ref")]
    assert hrefs == ["items/question-1-A.xml", "items/question-1-B.xml"]
    assert set(hrefs) <= set(files)


def test_the_manifest_lists_the_package() -> None:
    """The manifest is built as its schema has it, and says of every file what it is and what it needs."""
    exam = exam_of_variants("best-move", "MAX (MIN (1 2) MIN (3 4))", "MAX (MIN (5 2) MIN (3 4))")
    files = members(exam)
    manifest = ET.fromstring(files["imsmanifest.xml"])
    assert manifest.tag == f"{CONTENT}manifest"
    assert [child.tag for child in manifest] == [f"{CONTENT}{name}" for name in PARTS]
    assert [(child.tag, child.text) for child in manifest[0]] == [
        (f"{CONTENT}schema", "QTI Package"),
        (f"{CONTENT}schemaversion", "3.0.0"),
    ]
    test, *items = manifest[2]
    names = [resource.attrib["identifier"] for resource in manifest[2]]
    assert len({*names, manifest.attrib["identifier"]}) == len(names) + 1
    assert all(re.fullmatch(r"[A-Za-z_][\w.-]*", name) for name in (*names, manifest.attrib["identifier"]))
    assert [(test.attrib["type"], test.attrib["href"])] == [("imsqti_test_xmlv3p0", "test.xml")]
    wanted = [each.attrib["identifierref"] for each in test.iter(f"{CONTENT}dependency")]
    drawn = ET.fromstring(files["test.xml"]).iter(f"{SPACE}qti-assessment-item-ref")
    assert wanted == names[1:] == [each.attrib["identifier"] for each in drawn]
    listed = {file.attrib["href"] for file in test.iter(f"{CONTENT}file")}
    for item in items:
        href = item.attrib["href"]
        shown = ET.fromstring(files[href]).iter(f"{SPACE}img")
        needed = {href, *(f"items/{image.attrib['src']}" for image in shown)}
        assert item.attrib["type"] == "imsqti_item_xmlv3p0"
        assert {file.attrib["href"] for file in item} == needed
        listed |= needed
    assert listed == set(files) - {"imsmanifest.xml"}


def bones(exam: Exam) -> object:
    """The elements of all items with the names of their attributes, spellings aside."""
    return [
        [
            (element.tag, sorted(element.attrib))
            for element in item.iter()
            if not element.tag.endswith("qti-map-entry")
        ]
        for item in items(exam)
    ]


@cache
def harmless() -> object:
    """What an exam in harmless words is made of."""
    return bones(exam_in_words("Words", "Name"))


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS)
def test_hostile_words_are_text(payload: str) -> None:
    """Whatever the words, the items have the elements of harmless ones, and right answers earn everything."""
    exam = exam_in_words(payload if payload.strip() else "Words", payload if payload.strip() else "Name")
    assert bones(exam) == harmless()
    for item, points in zip(items(exam), (6, 8), strict=True):
        assert float(play(item, right(item))) == pytest.approx(points, abs=1e-6)


def test_faults_are_found() -> None:
    """A damaged zip, a missing file, a broken item and a response without a right answer are found."""
    data = written("qti3", exam_of_kind("root-value"))
    files = unpacked(data)
    assert "not a zip" in faults("qti3", data[:100])[0]
    without = {member: content for member, content in files.items() if not member.endswith(".svg")}
    assert "in the manifest only" in faults("qti3", without)[0]
    manifest = files["imsmanifest.xml"].replace(b'identifierref="question-1-A"', b'identifierref="B"')
    assert faults("qti3", files | {"imsmanifest.xml": manifest}) == ["B is required, but is not a resource"]
    item = files["items/question-1-A.xml"]
    for old, new, told in [
        (b"</qti-item-body>", b"", "not XML"),
        (b'response-identifier="RESPONSE-1"', b"", "what is asked is not what is declared"),
        (b'<qti-map-response identifier="RESPONSE-1" />', b"", "what is marked is not what is declared"),
        (b"<qti-value>8</qti-value>", b"", "no right answer"),
    ]:
        assert old in item, old
        found = faults("qti3", files | {"items/question-1-A.xml": item.replace(old, new, 1)})
        assert any(told in fault for fault in found), told
