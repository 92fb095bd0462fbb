"""Stand-ins for sentences: what golden files hold of a text whose wording is free to change.

A golden file that says where sentences stand, and with which values, has a stand-in for each. Transcripts
are in English, but have a sentence that several of them say in one file only, `shared`, under a label.
So whoever rewords a sentence rewrites one line of one file.
"""

import gettext
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import pytest

from grader.base import phrases
from grader.base.catalogues import PLACEHOLDER
from grader.base.phrases import ENGLISH, Language

NUMBERED, QUOTED = "en-XN", "en-XQ"
"""The codes of two languages that say no sentence: `Said0007 (A, 3)`, and one that can be put into words."""

SHARED = "shared"
"""The name of the transcript with the sentences that stand in several."""

Put = Callable[[str, Mapping[str, str], bool], str]
"""What stands for a sentence with these values, at the start of a text or not."""


class _StandIns(gettext.NullTranslations):
    """A catalogue that numbers the sentences it is asked for; the same ones for the whole run."""

    def __init__(self, shape: Callable[[int, list[str]], str]) -> None:
        super().__init__()
        self.sentences: list[str] = []
        self._numbers: dict[str, int] = {}
        self._shape = shape

    def gettext(self, message: str) -> str:
        """The number of the sentence with its placeholders; a term of one word, as `leaf {name}`, stays."""
        if len(_WORD.findall(PLACEHOLDER.sub("", message))) < 2:
            return message
        if message not in self._numbers:
            self._numbers[message] = len(self.sentences)
            self.sentences.append(message)
        return self._shape(self._numbers[message], [f"{{{name}}}" for name in _places(message)])

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The same for one of two forms."""
        return self.gettext(msgid1 if n == 1 else msgid2)


_WORD = re.compile(r"[^\W\d]{2,}")


def _places(message: str) -> list[str]:
    return list(dict.fromkeys(PLACEHOLDER.findall(message)))


_ALONE = _StandIns(lambda number, values: f"Said{number:04}" + f" ({', '.join(values)})" * bool(values))
_QUOTED = _StandIns(lambda number, values: f"s⟦{'¦'.join([str(number), *values])}⟧")
_QUOTE = re.compile("([sS])⟦([^⟦⟧]*)⟧")


@contextmanager
def standing_in() -> Iterator[None]:
    """Lets the program speak the two languages."""
    known, own = phrases.catalogue, {NUMBERED: _ALONE, QUOTED: _QUOTED}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(phrases, "catalogue", lambda code, mine=None: own.get(code) or known(code, mine))
        yield


def numbered(text: str) -> str:
    """A text in `NUMBERED` with its sentences counted from its first one on."""
    numbers: dict[str, str] = {}
    return re.sub(r"Said\d{4}", lambda said: numbers.setdefault(said[0], f"Said{len(numbers) + 1:04}"), text)


def _in_words(text: str, put: Put) -> str:
    """A text in `QUOTED` with something put for each of its sentences, inner ones first."""
    while _QUOTE.search(text):
        text = _QUOTE.sub(lambda found: _put(found, put), text)
    return text


def _put(found: re.Match[str], put: Put) -> str:
    number, *values = found[2].split("¦")
    sentence = _QUOTED.sentences[int(number)]
    return put(sentence, dict(zip(_places(sentence), values, strict=True)), found[1] == "S")


def _sentences_in(text: str) -> list[int]:
    """The numbers of the sentences in a text in `QUOTED`, each once, in their order."""
    return list(dict.fromkeys(int(number) for number in re.findall(r"[sS]⟦(\d+)", text)))


def _english(sentence: str, values: Mapping[str, str], starts: bool) -> str:
    return (ENGLISH.say if starts else ENGLISH.term)(sentence, **values)


def transcripts(texts: Mapping[str, str]) -> dict[str, str]:
    """Texts in `QUOTED` in English, but for sentences of several texts: those are in one more, `SHARED`.

    The label of a shared sentence is the name of the text that says it first, and a number.
    """
    said: dict[str, list[str]] = {}
    for name, text in texts.items():
        for number in _sentences_in(text):
            said.setdefault(_QUOTED.sentences[number], []).append(name)
    labels: dict[str, str] = {}
    counts: dict[str, int] = {}
    for sentence, names in said.items():
        if len(names) > 1:
            counts[names[0]] = counts.get(names[0], 0) + 1
            labels[sentence] = f"{names[0]}.{counts[names[0]]}"

    def put(sentence: str, values: Mapping[str, str], starts: bool) -> str:
        if sentence not in labels:
            return _english(sentence, values, starts)
        return f"[{': '.join(filter(None, (labels[sentence], ', '.join(values.values()))))}]"

    made = {name: _in_words(text, put) for name, text in texts.items()}
    return made | {SHARED: "".join(f"{label}: {sentence}\n" for sentence, label in labels.items())}


NUMBERS = Language(NUMBERED)
QUOTES = Language(QUOTED)
