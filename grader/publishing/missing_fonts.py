"""Warnings about characters that no font on this machine can print, with the package that has one."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping

from grader.base.phrases import Language
from grader.exam.blueprint import Blueprint, QuestionPlan
from grader.exam.paper import Heading
from grader.pictures.typesetting import has_unprintable
from grader.publishing.sheet import plain
from grader.tables.student_directory import Student
from grader.trees.tree import Tree

_HAN = "fonts-noto-cjk"
_CORE = "fonts-noto-core"

_SCRIPTS = {
    "CJK": ("Chinese", _HAN),
    "HIRAGANA": ("Japanese", _HAN),
    "KATAKANA": ("Japanese", _HAN),
    "HANGUL": ("Korean", _HAN),
}
"""The first word in the Unicode names of a script's characters -> its usual name, and a Debian package.

All other scripts go by their Unicode name, and one package has them.
"""


def font_warnings(blueprint: Blueprint, students: Iterable[Student], again: str) -> Iterator[str]:
    """Warn of characters that no font can print: in the blueprint, then in the names of students.

    `again` says what to do once a font is installed.
    """
    heading = blueprint.heading
    questions = {
        f"question {number}": _question_texts(each) for number, each in enumerate(blueprint.questions, 1)
    }
    texts = {
        "the title": heading.title,
        "the course": heading.course,
        "the instructions": heading.instructions,
        "the language": sample_sentence(heading),
    }
    yield from unprintable_warnings(texts | questions, again)
    yield from unprintable_warnings({student_label(each): each.name for each in students}, again)


def _question_texts(question: QuestionPlan) -> str:
    """Return the texts in a question that a teacher wrote: title, prompts, and words in a given tree."""
    texts = [question.title, *(part.prompt or "" for part in question.parts)]
    if isinstance(question.source, Tree):
        tree = question.source
        texts += [each for each in (*tree.given, *tree.moves, *tree.payoffs) if isinstance(each, str)]
    return " ".join(texts)


def unprintable_warnings(texts: Mapping[str, str], again: str) -> Iterator[str]:
    """Warn for each script without a font: what prints as boxes, what to install, and what to do `again`.

    The keys name the texts in the warning: "the title", "0017 (王伟)".
    """
    if not has_unprintable(" ".join(texts.values())):
        return
    owners: dict[tuple[str, str], list[str]] = {}
    for name, text in texts.items():
        for found in _scripts(text):
            owners.setdefault(found, []).append(name)
    for (script, package), names in owners.items():
        yield (
            f"no font on this machine has all {script} characters of {', '.join(names)}, "
            f"which print as boxes; install {package} (the name in Debian and Ubuntu; elsewhere Noto Sans "
            f"for that script), and {again}"
        )


def student_label(student: Student) -> str:
    """Return the label of a student's own texts: the identifier, and the name in brackets."""
    return f"{student.identifier} ({plain(student.name)})"


def sample_sentence(heading: Heading) -> str:
    """Return a sentence in the language of an exam, to test whether there is a font for it."""
    return Language.of(heading.language_code, heading.own_catalogue).say("Question {label}", label=1)


def _scripts(text: str) -> list[tuple[str, str]]:
    """Return the scripts of characters without a font, each with its package, in order of appearance."""
    if not has_unprintable(text):
        return []
    characters: dict[tuple[str, str], str] = {}
    for sign in text:
        if not sign.isascii():
            script = _script(sign)
            characters[script] = characters.get(script, "") + sign
    return [script for script, signs in characters.items() if has_unprintable(signs)]


def _script(sign: str) -> tuple[str, str]:
    """Return the script of a character, and the package with a font for it."""
    first = unicodedata.name(sign, "UNNAMED").split()[0]
    if first in _SCRIPTS:
        return _SCRIPTS[first]
    written = f"a{sign}".isidentifier()  # a letter, or a mark upon one
    return (first.capitalize() if written else "special"), _CORE
