"""The class of 220 with messy replies, and what a teacher makes of those that wait for a person."""

import re
from collections.abc import Sequence
from pathlib import Path

from grader.grading.doubtful_replies import LikeReplies, ReplyGroup
from tests.cli.running import gametree
from tests.made_by_0_1.frozen import unpacked

MAX_GROUPS = 25
"""The most groups of replies that may wait."""

MAX_DECISIONS = 25
"""The most decisions that resolve them all."""

ENTRIES = re.compile(r"([A-K])\s*[=→: ]\s*([-−]?\d+(?:[.,]\d+)?)")


def graded_class(folder: Path) -> Path:
    """The exam of the class, with all replies graded."""
    desk = unpacked("class_220", folder)
    ran = gametree("grade", str(desk / "exam"), str(desk / "replies.csv"), "--executor", "here")
    assert ran.code == 1, ran.err
    return desk / "exam"


def meaning(question: str, written: str) -> str:
    """What a teacher takes a reply for that waits for a person; empty for no answer."""
    text = written.replace("\n", ", ")
    if re.fullmatch(r"[?-]+|see .*", text):
        return ""
    if question == "4":
        return "false" if "looked at" in text else text
    if question in ("1a", "2"):
        return " ".join(f"{name}={value.replace(',', '.')}" for name, value in ENTRIES.findall(text))
    if re.fullmatch(r"\d{9,}", text):  # one digit, then two: leaf numbers without blanks
        ones = re.match(r"[1-9]*?(?=1\d|2\d)", text)
        assert ones is not None
        return " ".join([*ones.group(), *re.findall("..", text[ones.end() :])])
    if "below J" in text:
        return f"13 14 15 {text.split()[-1]}"
    return re.sub(r"\(.*\)|[?!]$", "", text).strip()


def choice_of(row: LikeReplies) -> str:
    """What a teacher fills in for some like replies: the number of the reading that is meant, or a reply."""
    if row.first.readings and row.first.readings[0].source:
        return "#1"  # the first of two attempts
    wanted = meaning(row.question, row.first.submission.reply)
    if not wanted:
        return "#0"
    for number, reading in enumerate(row.first.readings, 1):
        if _things(reading.reply) == _things(wanted):
            return f"#{number}"
    return wanted


def choices_of(group: ReplyGroup) -> Sequence[str]:
    """What a teacher decides about a group: once for all if it can be, else row by row."""
    choices = [choice_of(row) for row in group.rows]
    is_one = len(set(choices)) == 1 and (len(choices) == 1 or choices[0].startswith("#"))
    return choices[:1] if is_one else choices


def _things(text: str) -> set[str]:
    return {thing for thing in re.split(r"[\s,]+", text.replace("−", "-")) if thing}
