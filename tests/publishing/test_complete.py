"""The laws of complete papers: whatever the format, what the record says stands on it, in order and once."""

import re
from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from grader.exam.paper import Question
from grader.exercises.exercise import Exercise
from grader.exercises.marking import Marker
from grader.publishing.keys import key_pdf
from grader.publishing.paper_formats import PAPER_FORMATS
from grader.publishing.sheet import format_points_label
from grader.questions.beliefs import BELIEFS
from tests.publishing.reading_back import (
    ReadBack,
    read_html,
    read_latex,
    read_markdown,
    read_pdf,
    read_text,
    single_blanks,
)
from tests.publishing.record import (
    EVERY,
    SIGNS,
    drawn_words,
    given_cells,
    in_a_table,
    marking_rules,
    nodes_asked,
    on_paper,
    printed_conventions,
    question_papers,
    turned,
)

READERS: dict[str, Callable[[bytes], ReadBack]] = {
    "html": read_html,
    "markdown": read_markdown,
    "text": read_text,
    "latex": read_latex,
    "pdf": read_pdf,
}

IN_CHARACTERS = ("markdown", "text")
"""The formats whose trees are written in characters, always downwards."""

TOKEN = re.compile(r"−?\d+(?:[.,/]\d+)*|[^\W\d_]\w*|\?|∞")


def test_every_format_is_read_back() -> None:
    """There is a reader for every format of papers."""
    assert [known.name for known in PAPER_FORMATS if known.name not in READERS] == []


def hold_in_order(words: str, pieces: Sequence[str]) -> list[tuple[int, int]]:
    """Each of the pieces stands in the words, one behind the other and never again; where they are."""
    places, behind = [], 0
    wanted = list(filter(None, map(single_blanks, pieces)))
    for piece in wanted:
        count = sum(other.count(piece) for other in wanted)
        assert words.count(piece) == count, f"{piece!r} stands {words.count(piece)} times in: {words}"
        start = words.find(piece, behind)
        assert start >= 0, f"{piece!r} stands too early in: {words}"
        behind = start + len(piece)
        places.append((start, behind))
    return places


def hold_picture(words: str, wanted_words: Sequence[str]) -> None:
    """The words in a picture have every payoff, name, move and leaf number that they should."""
    wanted = Counter(token for each in wanted_words for token in TOKEN.findall(each))
    missing = wanted - Counter(TOKEN.findall(words))
    assert not missing, f"{missing} is missing in the picture: {words}"


def heading(question: Question) -> str:
    """What stands above a question."""
    return f"Question {question.label}. {SIGNS}"


@pytest.mark.sampled(120)
@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("form", [known.name for known in PAPER_FORMATS if known.name != "pdf"])
def test_papers_say_what_the_record_says(name: str, form: str) -> None:
    """A paper has conventions, picture, question, marking rule and place of every part, in order and once."""
    hold_paper(name, form)


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", EVERY)
def test_printed_papers_say_what_the_record_says(name: str) -> None:
    """A printed paper has all that other formats have, in the same order and once."""
    hold_paper(name, "pdf")


def hold_paper(name: str, form: str) -> None:
    """Every question of a paper is complete in a format."""
    write = next(known.write for known in PAPER_FORMATS if known.name == form)
    for paper in question_papers(name):
        (question,) = paper.questions
        read = READERS[form](write(paper.public))
        shared, own = printed_conventions(question)
        shared += turned(question) if form not in IN_CHARACTERS else []
        shared += marking_rules(question)
        parts = [on_paper(part) for part in question.parts]
        pieces = [*shared, heading(question), *own, *(piece for part in parts for piece in part)]
        places = hold_in_order(read.words, pieces)
        above, below = places[len(shared) + len(own)][1], places[len(shared) + len(own) + 1][0]
        hold_picture(read.words[above:below], [*given_cells(question), *drawn_words(question)])
        language = question.public.language
        assert format_points_label(question.public.points, language) in read.words
        if form != "pdf":
            assert read.fields == [nodes_asked(part) for part in question.parts]
            continue
        assert read.words.count("Answer:") == sum(not in_a_table(part) for part in question.parts)
        for part, (_, behind) in zip(question.parts, _last_places(places, parts), strict=True):
            cells = Counter(TOKEN.findall(read.words[behind:]))
            assert not Counter(nodes_asked(part)) - cells


def _last_places(places: list[tuple[int, int]], parts: list[tuple[str, str]]) -> list[tuple[int, int]]:
    """The places of the last sentence above each place for an answer."""
    found, at = [], len(places)
    for part in reversed(parts):
        found.append(places[at - 1])
        at -= sum(map(bool, part))
    return found[::-1]


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", EVERY)
def test_keys_say_what_the_record_says(name: str) -> None:
    """A key has the question, the answer, its points, and every misconception that costs points, in words."""
    for paper in question_papers(name):
        (question,) = paper.questions
        words = read_pdf(key_pdf(paper)).words
        shared, own = printed_conventions(question)
        shared += turned(question)
        pieces = [*shared, heading(question), *own]
        for part in question.parts:
            pieces += [on_paper(part)[0], f"Answer: {part.printed_key}"]
        places = hold_in_order(words, pieces)
        ends = [start for start, _ in places[len(shared) + len(own) + 3 :: 2]] + [len(words)]
        for part, (_, start), end in zip(
            question.parts, places[len(shared) + len(own) + 2 :: 2], ends, strict=True
        ):
            below = words[start:end]
            language = part.public.terms.language
            assert format_points_label(part.public.terms.points, language) in words
            rule = single_blanks(part.kind.credit_sentence(part.public.terms, part.public.tree))
            assert below.count(rule) == 1 or not rule
            hold_misconceptions(part, below)


def hold_misconceptions(part: Exercise, words: str) -> None:
    """Every misconception whose reply is not wholly right stands there, with the reply and what it shows."""
    marker, language = Marker(part), part.public.terms.language
    one_of_several = part.kind.form.has_alternatives and not part.public.terms.every
    for code, reply in part.beliefs.items():
        name = code.rpartition(".")[2]
        if marker.mark(reply).points == part.public.terms.points:
            continue
        seems = single_blanks(f"{name}: {language.say(BELIEFS[name].symptom)}")
        assert seems in words, f"{code} is missing on the key: {words}"
        if not one_of_several:
            assert single_blanks(part.printed(reply)) in words
