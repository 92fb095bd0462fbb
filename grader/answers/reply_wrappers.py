"""Wrappers that are removed from a reply that cannot be read as it is; a line each."""

import re
from collections.abc import Iterator, Mapping
from functools import cache, partial
from typing import Literal, TypeAlias

from grader.answers.numeral import bounded_number
from grader.answers.reply_words import HAN, Words, words
from grader.answers.vocabulary import Vocabulary, fold
from grader.base.numbers import to_plain_characters as plain_signs
from grader.base.safe_text import strip_invisible

MAX_UNWRAPPED_LENGTH = 4_000
"""The maximum length of a reply from which more than invisible characters is removed."""

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
_DEPTH_WORD = "(?:depth|iteration|tiefe|profondeur|profundidad|profondità|profundidade)"
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
"""The part of a calculation before its result, with an operator."""

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
    (rf"(?i)^\s*(?:{_AT}\s+)?{_DEPTH_WORD}\s+\d+\s*:", ""),
    (rf"(?:(?<=\d)|(?<=\b[A-Z]))[\s,]+\(?(?:(?i:{_AT})\s+)?(?i:{_DEPTH_WORD})\s+\d+\)?[\s.]*$", ""),
    (r"(?<=\d)\s+(?:for|to)\s+MAX[\s.]*$", ""),
    (r"(?im)^\s*(?:the\s+)?order\s+(?:at|for|of)\s+(\w+)\s+is\s+", r"\1: "),
    (rf"(?i)(?<!\w){_AT}\s+{_DEPTH_WORD}\s+\d+\s+(?=(?:it\s+)?(?:is|ist|est|es|è|é)\s)", ""),
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
"""Patterns and replacements: LaTeX, Markdown, bullets, calculations, percentages, a depth."""

_SPELLING = (
    (r"(?i)(?<=\d)(and|und|et|y)(?=\d)", r" \1 "),
    (r"(?i)(?<!\w)(?:leaf|l|path|move)_?(\d+)(?!\w)", r"\1"),
    (r"[\"'“”„‘’«»](-?\d+)[\"'“”„‘’«»]", r"\1"),
    (r"^\s*([EVv])\s*=\s*(?=[-+.\d])", ""),
    (rf"(?i)(?<!\w)(?<!first )(?<!second )(?<!third ){_PLAYER}\s+([1-9])(?!\w)", r"P\1"),
    (r"(?i)(?<!\w)state\s+(?=[a-z])", ""),
)
"""Words that run into a number, unless a part of the match is a name."""


_LONG_BLANKS = re.compile(r"\s{3,}")


@cache
def _compiled() -> tuple[tuple[re.Pattern[str], str, bool], ...]:
    """Return the patterns, their replacements, and whether no part of a match may be a name."""
    return tuple(
        (re.compile(pattern), instead, table is _SPELLING)
        for table in (_MARKUP, _SPELLING)
        for pattern, instead in table
    )


NumberWords: TypeAlias = Literal["none", "all", "listed"]
"""Which words for numbers are read; with `listed` only two or more, and no ordinals, which say a place."""


def unwrap_reply(text: str, names: Vocabulary, code: str, numbers: NumberWords = "none") -> Iterator[str]:
    """Yield a reply with fewer and fewer wrappers: at most four texts, each different from the one before.

    A name of the tree is never removed. A reply above `MAX_UNWRAPPED_LENGTH` loses only its invisible
    characters. Words for numbers are read if there are no digits; if `numbers` is "all", a list after its
    count is a wrapper too.
    """
    bare = strip_invisible(text)
    if len(text) > MAX_UNWRAPPED_LENGTH:
        yield from [bare] if bare != text else []
        return
    # Long blanks have no meaning, and patterns that end after them would take very long.
    plain = _LONG_BLANKS.sub(lambda match: "\n" if "\n" in match.group() else "  ", plain_signs(bare))
    plain = _cut_chinese(plain, names, words(code))
    for wrapper, instead, spelled in _compiled():
        plain = wrapper.sub(partial(_unless_name, names, instead, spelled), plain)
    plain = _without_move(names, plain)
    phrased = _with_phrases_replaced(words(code).phrases, names, plain)
    in_digits = phrased
    if numbers != "none" and not any(map(str.isdigit, phrased)):
        language_words = words(code)
        listed = {
            word: digits
            for word, digits in language_words.numbers.items()
            if not language_words.sense(word.split()[0])
        }
        in_digits = _with_phrases_replaced(
            language_words.numbers if numbers == "all" else listed, names, phrased
        )
        if numbers == "listed" and len(re.findall(r"\d+", in_digits)) < MIN_LISTED_NUMBERS:
            in_digits = phrased
    in_digits = _without_list(in_digits) if numbers == "all" else in_digits
    for before, after in ((text, bare), (bare, plain), (plain, phrased), (phrased, in_digits)):
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
    """Split a run of Chinese characters into words and names; return it whole if no split leaves no rest.

    Longer pieces are tried first, and a shorter one is taken if the rest cannot be split otherwise.
    """
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
    """Return only the node if the reply also has the move that leads there; two nodes are not changed."""
    match = _MOVE_TO.fullmatch(text)
    if match is None:
        return text
    move, node = match["move"], match["node"]
    led_to = {*names.loose_labels.get(fold(move), ())}
    if move.isdecimal() and len(names.tree):
        led_to = {*names.tree.children[0][bounded_number(move) - 1 :][:1]}
    return node if led_to & {*names.loose.get(fold(node), ())} else text


_COUNT = r"(?P<count>\d{1,3})(?:\s+[^\W\d_]+)?"
_ITEMS = r"[{(\[]?\s*(?P<items>\w+(?:\s*(?:[,;&]|\band\b|\bund\b|\bet\b)\s*\w+)*)\s*[})\]]?"
_LISTED = (
    re.compile(rf"\s*{_COUNT}\s*(?::|,?\s*namely|,?\s*they\s+are|,?\s*nämlich|(?=\())\s*{_ITEMS}[\s.]*"),
    re.compile(rf"\s*{_ITEMS}\s*(?:[:=]|,?\s*so|,?\s*also)\s*{_COUNT}[\s.]*"),
)
"""How many things there are, with the things themselves behind or before."""

_LABELLED = re.compile(r"\s*[^\W\d]\w*\s*[:=]\s*1\b.*")
"""A reply that begins with a label and a number: `P1 = 1`."""


def _without_list(text: str) -> str:
    """Return only the count if the reply also lists this many items."""
    text = re.sub(r"(?i)^\s*all\s+(?=\d+[\s.]*$)", "", text)
    for pattern in _LISTED:
        match = pattern.fullmatch(text)
        if match is not None:
            items = re.findall(r"\w+", re.sub(r"\b(?:and|und|et)\b", " ", match["items"]))
            if _LABELLED.fullmatch(text) or (len(items) == 1 and items[0].isdigit()):
                continue  # a label, or a number, that only happens to be followed by 1
            if len(items) == int(match["count"]):
                return match["count"]
    return text


def _unless_name(names: Vocabulary, replacement: str, spelled: bool, match: re.Match[str]) -> str:
    """Return the replacement of a match, or the match itself if it is a name of the tree."""
    parts = [match.group(), *filter(None, match.groups() if spelled else ())]
    return match.group() if any(map(names.has_name, parts)) else match.expand(replacement)


def _with_phrases_replaced(phrases: Mapping[str, str], names: Vocabulary, text: str) -> str:
    """Replace the phrases in a text, except those that are names of the tree."""
    replacements = {
        " ".join(phrase.casefold().split()): replacement for phrase, replacement in phrases.items()
    }
    return _spelled(tuple(replacements)).sub(partial(_phrase_replacement, replacements, names), text)


@cache
def _spelled(phrases: tuple[str, ...]) -> re.Pattern[str]:
    """Match any of these phrases, the longest first, also with ß for ss or a curly apostrophe."""
    longest_first = map(re.escape, sorted(phrases, key=len, reverse=True))
    spelled = "|".join(
        each.replace("\\ ", r"\s+").replace("ss", "(?:ss|ß)").replace("'", "['’]") for each in longest_first
    )
    return re.compile(rf"(?i)(?<![\w])(?:{spelled})(?![\w])")


def _phrase_replacement(phrases: Mapping[str, str], names: Vocabulary, match: re.Match[str]) -> str:
    """Return the replacement of a phrase, or the phrase itself if it is a name of the tree."""
    phrase = " ".join(match.group().replace("’", "'").casefold().split())
    replacement = phrases[phrase]
    if names.has_name(phrase) or ("{root}" in replacement and not names.tree.names):
        return match.group()
    return replacement.replace("{root}", names.write(0)) if "{root}" in replacement else replacement
