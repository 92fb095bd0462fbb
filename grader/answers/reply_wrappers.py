"""What is taken off a reply that cannot be read as it stands; one line to add another."""

import re
from collections.abc import Iterator, Mapping
from functools import cache, partial
from typing import Literal, TypeAlias

from grader.answers.reply_words import HAN, Words, words
from grader.answers.vocabulary import Vocabulary, fold
from grader.base.numbers import to_plain_characters as plain_signs
from grader.base.safe_text import strip_invisible

MAX_UNWRAPPED_LENGTH = 4_000
"""The longest reply from which more is taken off than what nobody sees."""

MIN_LISTED_NUMBERS = 2
"""How many words for numbers are a list of leaves; one alone may be how many there are."""

MAX_GLUED_LENGTH = 12
"""The most characters of a Chinese word or name that is cut out of others."""

_COMMANDS = {
    "emptyset varnothing": "∅",
    "to rightarrow longrightarrow Rightarrow mapsto": "→",
    "le leq leqslant": "<=",
    "ge geq geqslant": ">=",
    "ne neq": "≠",
    "lt langle": "<",
    "gt rangle": ">",
    "approx sim simeq": "≈",
    "alpha": "alpha",
    "beta": "beta",
    "times cdot": "×",
    "in": "∈",
    "notin": "∉",
    "cup": "∪",
    "lor vee": "∨",
    "land wedge cap": "∧",
    "dots ldots cdots": "…",
    "left right big Big quad qquad": " ",
}
"""LaTeX commands, and what they show."""

_SHOWN = [
    (rf"\\{command}(?![A-Za-z])", f" {sign} ")
    for commands, sign in _COMMANDS.items()
    for command in commands.split()
]

_AT = r"(?:at|in|for|with|bei|mit|à\s+la|à|a|en|con|na)(?:\s+the)?"
_DEEP = "(?:depth|iteration|tiefe|profondeur|profundidad|profondità|profundidade)"
"""At which depth something was found."""

_REASON = r"(?:reason|option|grund|raison|razón|motivo)"
"""What somebody gives the number of, who was shown some."""

_PLAYER = r"(?:player|spieler|joueur|jugador|giocatore|jogador)"

_ANSWER = (
    r"(?:(?:the|my|die|das|meine?|la|ma|mi|il|mia|a|minha)\s+)?(?:(?:final|correct|right)\s+)?"
    r"(?:answer|ans|solution|result|antwort|lösung|ergebnis|réponse|respuesta|solución|risposta|soluzione"
    r"|resposta|solução|答案)(?!\w)(?:\s+(?:is|ist|est|es|è|é)(?!\w))?"
)
"""What leads to an answer: `my final answer is`."""

_WORKED = r"(?=-\d|[^=\n]{0,200}(?:[+*/×·^]|\s-\s|\d-\d))[\d\s.()*/+×·^-]"
"""What stands before the result of a calculation, an operator among it."""

_MARKUP = (
    (r"\\infty(?![A-Za-z])", "inf"),
    (r"\\(?:text|mathrm|mathbf|textbf|operatorname)\{([^{}]*)\}", r"\1"),
    (r"\\[dt]?frac\{?(\d+)\}?\{?(\d+)\}?", r" \1/\2 "),
    *_SHOWN,
    (r"\\[()\[\]]|\$+", " "),
    (r"\\([{}%_&#])", r"\1"),
    (r"(?m)^\s*```\w*\s*$", ""),
    (r"(?<!\w)(\*{1,3}|_{1,3}|`{1,3})(?=\S)([^*`\n]{0,200}?[^\s*`])\1(?!\w)", r"\2"),
    (r"(?m)^[ \t]*[-*•][ \t]+(?=\d.*\n[ \t]*[-*•][ \t])|(?<=\n)[ \t]*[-*•][ \t]+(?=\d)", ""),
    (r"(?im)(^|[=:,(\[])\s*(?:minus|moins|menos)\s+(?=\d)", r"\1 -"),
    (r"(?i)(?<![\w\"'-])(?<!-\s)(?:max|min)\s*(?:\([^()]*\)|\{[^{}]*\})\s*=", ""),
    (r"(?<=[\d)])\s+x\s+(?=[-\d(.])", " × "),
    (r"(?<=\d)\s*~\s*(?=\d)", " - "),
    (r"除了?\s+([^除]{1,60}?)\s+(?:(?:以外|之外|外)\s+)?(?:的\s+)?(?:所有|全部|其余|其他)", r"全部 除了 \1 "),
    (r"第\s+(\d{1,2})\s+(?:个\s+)?(?=(?:[^的\n]{0,40}\s)?个?子节点)", r"\1. "),
    (
        r"([A-Za-z]\w*)\s+的\s+((?:(?:所有|全部|第\w|\d\.|个|和|与|及|以及|、|,)\s+){0,20})(叶节点|个?子节点|叶子)",
        r"\2 \3 的 \1",
    ),
    (r"到\s+(\w+)\s+的\s+分支", r"\1"),
    (rf"(?<![\w.)\]-])(?<!-\s)(?:[-(]\s*){{0,3}}[.\d]{_WORKED}{{1,200}}=\s*(?=[-(\d.])", " "),
    (r"\^\{(\d+)\}", r"^\1"),
    (r"(?<![\w.,])100(?:\.0+)?\s*%", "1"),
    (r"(?<![\w.,])(\d\d)(?:\.(\d+))?\s*%", r"0.\1\2"),
    (r"(?<![\w.,])(\d)(?:\.(\d+))?\s*%", r"0.0\1\2"),
    (r"^\s*(?:[Tt]he\s+)?[\[(#]?\s*(\d{1,4})\s*(?:[\])]|st|nd|rd|th)?(?:\s+reason)?\s*\.?\s*$", r"\1"),
    (rf"(?i)^\s*{_ANSWER}(?:\s*[:：=.]\s*(?=\S)|\s+(?=[^\s:=.–—-]))", ""),
    (r"^\s*(?:-+>|→)\s*(?=[^\s=>])", ""),
    (r"(?<=\w)\s*[;,]\s*$", ""),
    (rf"(?i)^\s*(?:{_AT}\s+)?{_DEEP}\s+\d+\s*:", ""),
    (rf"(?:(?<=\d)|(?<=\b[A-Z]))[\s,]+\(?(?:(?i:{_AT})\s+)?(?i:{_DEEP})\s+\d+\)?[\s.]*$", ""),
    (r"(?<=\d)\s+(?:for|to)\s+MAX[\s.]*$", ""),
    (r"(?im)^\s*(?:the\s+)?order\s+(?:at|for|of)\s+(\w+)\s+is\s+", r"\1: "),
    (rf"(?i)(?<!\w){_AT}\s+{_DEEP}\s+\d+\s+(?=(?:it\s+)?(?:is|ist|est|es|è|é)\s)", ""),
    (r"(?i)^\s*(?:only\s+)?(?:if|when|wenn|falls|si|se)\s+(?=x\s*(?:[<>≤≥=]|is\b))", ""),
    (r"(?i)(?<![\w\"'])(?:the\s+)?root\s+(?=\w+\s*=)", ""),
    (r"_\{?\\?(?:min|max)\}?(?=\s*=)", ""),
    (r"^\s*(-?[\d./]+)\s*=\s*([x-z])[\s.]*$", r"\2 = \1"),
    (r"\|[^|\n\d]{1,40}\|\s*=", ""),
    (r"(?i)^\s*(?:result|actions)\s*(?:\([^()\n]{0,40}\))?\s*(?:[=:]|has\b|hat\b|a\b)", ""),
    (r"(?<!\w)[XO]\s+(?:takes|plays)\s+", ""),
    (r"^\s*b\s*(?:['’*]|\^\s*d)\s*=", ""),
    (r"\b(?:E|EV|EU|V|UCB1?)\s*[(\[]\s*(\w+)\s*[)\]]\s*=", r"\1 ="),
    (r"^[^=\n]*∪[^=\n]*=", ""),
    (
        r"(?i)^\s*(?:to|nach|zum?|vers|à(?:\s+la)?|a\s+la|hacia|verso|alla|para|到)\s+(?=[^\W\d]{2,}\s+\w+\s*$|[^\W\d]\S*\s*$)",
        "",
    ),
    (rf"(?i)\b{_REASON}\s*(?:no\.|nr\.|number)?\s*\(?(\d)\)?(?!\w)", r" \1"),
)
"""Patterns and what stands for them: LaTeX, Markdown, bullets, calculations, shares, a depth that is told."""

_SPELLING = (
    (r"(?i)(?<=\d)(and|und|et|y)(?=\d)", r" \1 "),
    (r"(?i)(?<!\w)(?:leaf|l|path|move)_?(\d+)(?!\w)", r"\1"),
    (r"[\"'“”„‘’«»](-?\d+)[\"'“”„‘’«»]", r"\1"),
    (r"^\s*([EVv])\s*=\s*(?=[-+.\d])", ""),
    (rf"(?i)(?<!\w)(?<!first )(?<!second )(?<!third ){_PLAYER}\s+([1-9])(?!\w)", r"P\1"),
    (r"(?i)(?<!\w)state\s+(?=[a-z])", ""),
)
"""What runs into a number; left alone where something is called so, or like a part of it."""


_LONG_BLANKS = re.compile(r"\s{3,}")


@cache
def _compiled() -> tuple[tuple[re.Pattern[str], str, bool], ...]:
    """The patterns, what stands for each, and whether no part of a match may be a name."""
    return tuple(
        (re.compile(pattern), instead, table is _SPELLING)
        for table in (_MARKUP, _SPELLING)
        for pattern, instead in table
    )


NumberWords: TypeAlias = Literal["none", "all", "listed"]
"""Which words for numbers are read; with `listed` only two or more, and no ordinals, which say a place."""


def unwrap_reply(text: str, names: Vocabulary, code: str, numbers: NumberWords = "none") -> Iterator[str]:
    """A reply with less and less around it, as long as there is something to take off.

    A name of the tree is never taken off. Words for numbers are read where there are no digits.
    """
    bare = strip_invisible(text)
    if len(text) > MAX_UNWRAPPED_LENGTH:
        yield from [bare] if bare != text else []
        return
    # Of long blanks nothing is lost, and looking for what ends behind them would take very long.
    plain = _LONG_BLANKS.sub(lambda found: "\n" if "\n" in found.group() else "  ", plain_signs(bare))
    plain = _cut_chinese(plain, names, words(code))
    for wrapper, instead, spelled in _compiled():
        plain = wrapper.sub(partial(_taken_off, names, instead, spelled), plain)
    plain = _without_move(names, plain)
    told = _told(words(code).phrases, names, plain)
    in_digits = told
    if numbers != "none" and not any(map(str.isdigit, told)):
        language_words = words(code)
        listed = {
            word: digits
            for word, digits in language_words.numbers.items()
            if not language_words.sense(word.split()[0])
        }
        in_digits = _told(language_words.numbers if numbers == "all" else listed, names, told)
        if numbers == "listed" and len(re.findall(r"\d+", in_digits)) < MIN_LISTED_NUMBERS:
            in_digits = told
    in_digits = _without_list(in_digits) if numbers == "all" else in_digits
    for before, after in ((text, bare), (bare, plain), (plain, told), (told, in_digits)):
        if after != before and after.strip():
            yield after


_GLUED = re.compile(rf"\w*{HAN.pattern}\w*")


def _cut_chinese(text: str, names: Vocabulary, words: Words) -> str:
    """Put blanks between the Chinese words of a text and around them; a run of names alone stays as it is."""

    def cut(run: re.Match[str]) -> str:
        pieces = _cut_run(run.group(), names, words)
        return run.group() if all(map(names.has_name, pieces)) else f" {' '.join(pieces)} "

    def cut_word(word: re.Match[str]) -> str:
        return word.group() if names.has_name(word.group()) else HAN.sub(cut, word.group())

    return _GLUED.sub(cut_word, text).strip() if HAN.search(text) else text


def _cut_run(run: str, names: Vocabulary, words: Words) -> list[str]:
    """Cut Chinese characters into words and names, longer ones first; whole if something is left over."""
    cuts: list[list[str] | None] = [None] * len(run) + [[]]
    for begin in reversed(range(len(run))):
        for end in range(min(len(run), begin + MAX_GLUED_LENGTH), begin, -1):
            rest, word = cuts[end], run[begin:end]
            if rest is not None and (word in words.glued or names.has_name(word)):
                cuts[begin] = [word, *rest]
                break
    return cuts[0] or [run]


_MOVE_TO = re.compile(r"(?i)\s*(?:move\s+)?(?P<move>\w+)\s*[,(]\s*to\s+(?P<node>[a-z]\w*)\s*\)?[\s.]*")
"""A move with the node it leads to: `pull (to B)`."""


def _without_move(names: Vocabulary, text: str) -> str:
    """The node alone, where it is told with the move that leads there; two nodes stay as they are."""
    found = _MOVE_TO.fullmatch(text)
    if found is None:
        return text
    moves, number = names.tree.children[0], found["move"]
    led_to = moves[int(number) - 1 :][:1] if number.isdecimal() else names.loose_labels.get(fold(number), ())
    return found["node"] if {*led_to} & {*names.loose.get(fold(found["node"]), ())} else text


_COUNT = r"(?P<count>\d{1,3})(?:\s+[^\W\d_]+)?"
_ITEMS = r"[{(\[]?\s*(?P<items>\w+(?:\s*(?:[,;&]|\band\b|\bund\b|\bet\b)\s*\w+)*)\s*[})\]]?"
_LISTED = (
    re.compile(rf"\s*{_COUNT}\s*(?::|,?\s*namely|,?\s*they\s+are|,?\s*nämlich|(?=\())\s*{_ITEMS}[\s.]*"),
    re.compile(rf"\s*{_ITEMS}\s*(?:[:=]|,?\s*so|,?\s*also)\s*{_COUNT}[\s.]*"),
)
"""How many things there are, with the things themselves behind or before."""

_LABELLED = re.compile(r"\s*[^\W\d]\w*\s*[:=]\s*1\b.*")
"""What begins with a word of which a number is said: `P1 = 1`."""


def _without_list(text: str) -> str:
    """How many there are alone, where the things are listed too and are so many."""
    text = re.sub(r"(?i)^\s*all\s+(?=\d+[\s.]*$)", "", text)
    for pattern in _LISTED:
        found = pattern.fullmatch(text)
        if found is not None:
            items = re.findall(r"\w+", re.sub(r"\b(?:and|und|et)\b", " ", found["items"]))
            if _LABELLED.fullmatch(text) or (len(items) == 1 and items[0].isdigit()):
                continue  # a label, or a number, that only happens to be followed by 1
            if len(items) == int(found["count"]):
                return found["count"]
    return text


def _taken_off(names: Vocabulary, instead: str, spelled: bool, found: re.Match[str]) -> str:
    """What stands for a match, which is itself where it is a name of the tree."""
    parts = [found.group(), *filter(None, found.groups() if spelled else ())]
    return found.group() if any(map(names.has_name, parts)) else found.expand(instead)


def _told(phrases: Mapping[str, str], names: Vocabulary, text: str) -> str:
    """A text with what stands in the place of phrases, those that are names of the tree left alone."""
    instead = {" ".join(phrase.casefold().split()): said for phrase, said in phrases.items()}
    return _spelled(tuple(instead)).sub(partial(_said, instead, names), text)


@cache
def _spelled(phrases: tuple[str, ...]) -> re.Pattern[str]:
    """Any of these phrases, the longest first; a sharp s may be spelled as two, an apostrophe be curly."""
    longest = map(re.escape, sorted(phrases, key=len, reverse=True))
    spelled = "|".join(
        each.replace("\\ ", r"\s+").replace("ss", "(?:ss|ß)").replace("'", "['’]") for each in longest
    )
    return re.compile(rf"(?i)(?<![\w])(?:{spelled})(?![\w])")


def _said(phrases: Mapping[str, str], names: Vocabulary, found: re.Match[str]) -> str:
    """What is said in the place of a phrase, which is itself where it is a name of the tree."""
    phrase = " ".join(found.group().replace("’", "'").casefold().split())
    said = phrases[phrase]
    if names.has_name(phrase) or ("{root}" in said and not names.tree.names):
        return found.group()
    return said.replace("{root}", names.write(0)) if "{root}" in said else said
