"""What deserves a look: replies that cannot be read, and equal incorrect answers to different questions."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from grader.base.phrases import Language
from grader.base.safe_text import safe_line
from grader.exercises.marking import AT_LINE
from grader.grading.exam_keys import ExamKeys
from grader.grading.marked_answers import MarkedAnswer

MIN_DISTINCTIVE_PIECES = 3
"""An answer of at least this many pieces is unlikely to be the same by chance."""

MAX_TABLE_ROWS = 200
"""The most rows of one table."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Replies that could not be read for the same reason, with some of them and whose they are."""

    part: str
    reason: str
    students: tuple[str, ...]
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Identical:
    """Something to look at: students who were asked different things and answered the same, which is wrong.

    `students` are with their variants; `why` says what makes it odd. It proves nothing.
    """

    part: str
    answer: str
    students: tuple[tuple[str, str], ...]
    why: str


_SPECIFIC = re.compile(r"'[^']*'|\"[^\"]*\"|(?<!\d)(?<!than )\d+|\([^)]*\)")
"""The details in which messages of the same reason differ; a number after `than` is a limit and stays."""


def unreadable_replies(
    replies: Iterable[tuple[str, str, str, str]], language: Language, places: Mapping[str, int]
) -> tuple[Unreadable, ...]:
    """Group by the reason without its place and without the words it quotes.

    `places` are those of the parts on the paper.
    """
    groups: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    line, reason = "\ue000", "\ue001"
    pattern = re.escape(language.term(AT_LINE, line=line, reason=reason))
    pattern = pattern.replace(line, r"\d+").replace(reason, "(.*)")
    for part, message, student, reply in replies:
        placed_message = re.fullmatch(pattern, message, re.DOTALL)
        general = _SPECIFIC.sub("…", message if placed_message is None else placed_message[1])
        groups[part, re.sub(r"…(?: …)+", "…", " ".join(general.split()))].append((student, reply))
    rows = [
        Unreadable(
            part,
            reason,
            tuple(student for student, _ in group),
            tuple(dict.fromkeys(safe_line(reply, 80) for _, reply in group))[:3],
        )
        for (part, reason), group in groups.items()
    ]
    rows.sort(key=lambda row: (-len(row.students), places[row.part], row.reason))
    return tuple(rows[:MAX_TABLE_ROWS])


def identical_answers(exam_keys: ExamKeys, answers: Iterable[MarkedAnswer]) -> tuple[Identical, ...]:
    """Find answers that are right in another variant, or wrong in the same way in several.

    Answers that a misconception or the variant's own key explains are left out. So are short answers,
    which agree by chance, unless two students agree like that in two parts or more.
    """
    say = exam_keys.language.say
    owners: dict[tuple[str, str], list[str]] = defaultdict(list)
    for code in sorted(exam_keys.variants):
        for key in exam_keys.part_keys(code):
            owners[key.part, key.reply].append(code)
    unexplained = [
        answer for answer in answers if answer.wrong and not answer.mark.notes and answer.mark.understood
    ]
    rows = []
    groups: dict[tuple[str, str], list[MarkedAnswer]] = defaultdict(list)
    for answer in unexplained:
        groups[answer.part, answer.mark.understood].append(answer)
    pairs: Counter[tuple[str, str]] = Counter()
    for group in groups.values():
        for one, other in combinations(sorted(group, key=lambda each: each.student)[:60], 2):
            if one.variant_group != other.variant_group:
                pairs[one.student, other.student] += 1
    repeated_pairs = {pair for pair, count in pairs.items() if count >= 2}
    places = exam_keys.part_places
    for part, text in sorted(groups, key=lambda key: (places[key[0]], key[1])):
        group = groups[part, text]
        is_distinctive = len(text.split()) >= MIN_DISTINCTIVE_PIECES
        students = tuple((each.student, each.variant) for each in group)
        is_repeated = any(
            (one, other) in repeated_pairs for (one, _), (other, _) in combinations(sorted(students), 2)
        )
        codes = owners.get((part, text), [])[:5]
        if is_distinctive and codes:
            why = say(
                "This is the key of variant {codes}.",
                "This is the key of the variants {codes}.",
                len(codes),
                codes=exam_keys.language.join(codes),
            )
        elif len({each.variant_group for each in group}) < 2 or not (is_distinctive or is_repeated):
            continue
        elif is_repeated:
            why = say("The same incorrect answer in different variants, and not only here.")
        else:
            why = say("The same incorrect answer in different variants.")
        rows.append(Identical(part, text, students, why))
    return tuple(rows[:MAX_TABLE_ROWS])
