"""How a reply is read: tidied, parsed by its grammar, and read in every way its characters allow."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import product
from typing import Literal, TypeAlias, TypeVar

from grader.answers.form import MAX_REPLY_BYTES, Ambiguous, Malformed, Terms
from grader.answers.numeral import bounded_number
from grader.answers.reply import (
    DOUBT,
    MISPLACED,
    UNCLEAR,
    WORD,
    Reply,
    UnreadableError,
    UnsureError,
    words_outside_quotes,
)
from grader.answers.reply_words import FILLER, Words, words
from grader.answers.reply_wrappers import NumberWords, unwrap_reply
from grader.answers.vocabulary import Vocabulary, fold, is_letter, vocabulary
from grader.base.numbers import to_plain_characters
from grader.base.phrases import BoundPhrase, Language, Phrase
from grader.base.safe_text import FORBIDDEN_IN_REPLIES, INVISIBLE, quote
from grader.trees.tree import Tree

A = TypeVar("A")

Commas: TypeAlias = Literal["part", "decimal", "either"]
"""What a comma between two digits is: it parts two numbers, it is a decimal sign, or it may be both."""

Remarks: TypeAlias = Literal["of words", "of names"]
"""The words allowed in an ignored remark: idle words, or names of the tree too if they are not answers."""

MAX_REPLY_WORDS = 600
"""The most words, numbers and signs a reply may have, where a form does not allow more."""

MAX_EXPLAINED_LENGTH = 2_000
"""The maximum length of a reply for which the reading up to an error is shown."""

MAX_LOOKBEHIND = 64
"""How many characters back the word before another is looked for, so that long words take no more time."""

_MASK = "\ue000"
_SPACES = re.compile(rf"[\x85\u1680\u2028\u2029]|{INVISIBLE}")
_BULLET = re.compile(r"(?m)^[ \t]*([-*•‣◦▪·‧∙])(?=[ \t]+[^\s\d.+-])|^[ \t]*([*•‣◦▪·‧∙])(?=\s)")
_ITEM = re.compile(r"(?m)^[ \t]*([0-9]+)[.)](?=[ \t]+\S)")
"""The number of an item in a list."""
_DECIMAL_COMMA = re.compile(r"(?<![\d.,])(\d+),(\d+)(?![\d.,]*\d)")
_PARTED = re.compile(r"[\[(<][^][()<>;]*;[^][()<>]*[])>]")
"""Brackets in which a semicolon parts the numbers, so that no comma does."""
_NO_NAME = re.compile(
    r"(?i)\b(?:max|min|chance)(?=[ \t]+[^\W\d_])"
    r"|\bi(?:['’](?:d|m|ve))?(?=[ \t]+(?:think|believe|guess|say|got|get|would|choose|pick|found)\b)"
)
"""A player before a name, and somebody who speaks: `I think`."""

_SPANNING = re.compile(r"(?<=\d )a(?= \d)")
"""What Romance languages say between the ends of a range."""
_LONG_MINUS = re.compile(r"(?<![\w.)\]}>%])[\u2014\u2015](?=[.\d]|inf|\u221e)")
"""A long dash that begins a number: `[—10, 3]`."""

_ZEROS = "\u0660\u06f0\u0966\u09e6\u0a66\u0ae6\u0b66\u0be6\u0c66\u0ce6\u0d66\u0e50\u0ed0\u0f20\u1040\u17e0"
_DIGITS = {ord(zero) + digit: str(digit) for zero in _ZEROS for digit in range(10)}
_DIGITS |= dict.fromkeys(map(ord, "\u2044\u2215\u00f7"), "/")
"""Digits of other scripts, and other signs for a fraction bar."""

_NUMBERS = (
    ("^", re.compile(r"(?<=\d)\s?[×x·*]\s?10\s?\^\s?\{?([-+]?\d{1,2})\}?(?!\w)"), r"e\1"),
    ("/", re.compile(r"(?<![\w)\]}.])(-?)\((\d{1,30}/\d{1,30})\)"), r"\1\2"),
    ("/", re.compile(r"(?<![\w./-])(\d{1,30})/-(\d{1,30})(?![\w/])"), r"-\1/\2"),
)
"""Numbers written with signs between: `2.33×10^0`, `-(7/3)`, `7/-3`; first a sign that each of them has."""

_PIECE = re.compile(r"[^\W_]+|[^\w\s().,;:!?'’\"]")
_DENIED = re.compile(
    r"(?i)(?<!\w)(?:no|not)\s+(?!(?:true|false|right|wrong|correct|this|that)(?!\w))(?=[a-z]{4,})"
)
"""What denies something in a reason, `because there is no ancestor`, and takes nothing back."""

_UNDERSTOOD = re.compile(r"[,;\n]|\s")


def read_reply(
    text: str,
    tree: Tree,
    terms: Terms,
    read: Callable[[Reply], A],
    write: Callable[[A, Tree], str],
    *,
    names: bool = True,
    commas: Commas = "part",
    remarks: Remarks | None = None,
    listed: bool = False,
    max_words: int = MAX_REPLY_WORDS,
    numbers: NumberWords = "none",
) -> A | Malformed | Ambiguous:
    """Read all versions that the characters of a reply allow; they have to give one answer.

    - `read` reads one version, raising `UnreadableError` or `UnsureError`.
    - `names`: names that are not plain words are searched for.
    - `commas`: the meaning of a comma if the terms allow it as a decimal sign.
    - `remarks`: a remark in brackets or after "because" is ignored if it cannot be read and cannot change the
      answer. If the answer is `listed`, more items may follow a reason: `5 because 2 < 3, 6 because 1 < 3`.
    - `max_words`: a longer reply is refused.
    - `numbers`: which words for numbers are read.

    A reply that cannot be read may still be a word of a teacher's own catalogue. A reply with a question mark
    is uncertain: a person has to confirm its only reading.
    """
    try:
        reply = _tidied(text, tree, terms, names, max_words)
    except UnreadableError as blocked:
        return _malformed(text, blocked, "", terms.language)
    first: tuple[tuple[Reply, ...], UnreadableError] | None = None
    inner = partial(unwrap_reply, reply.typed, reply.vocabulary, terms.language_code, numbers)
    commas = commas if terms.decimal_comma else "part"
    for other, reading_commas in _alternatives(reply, names, commas, remarks, listed, inner):
        versions = tuple(_versions(other, names, reading_commas))
        answer = _one_answer(versions, read, write)
        if not isinstance(answer, UnreadableError):
            return _confirmed(reply, answer, write)
        # The words of `minus unendlich` are fine: report the error of `-inf`.
        is_infinity = other.text.strip() == "-inf" and answer.message.one != MISPLACED
        if first is None or is_infinity:
            first = versions, answer
    assert first is not None, "the reply as it is comes first"
    versions, trouble = first
    canonical = terms.language.canonical_reply(text)
    if canonical != text:
        answer = _one_answer((replace(reply, text=canonical, typed=canonical),), read, write)
        if not isinstance(answer, UnreadableError):
            return _confirmed(reply, answer, write)
    if remarks:
        trouble = _changing(reply, trouble, remarks, listed)
    understood = _understood(versions, trouble.place, read, write)
    return _malformed(text, trouble, understood, terms.language)


def _one_answer(
    versions: Sequence[Reply], read: Callable[[Reply], A], write: Callable[[A, Tree], str]
) -> A | Ambiguous | UnreadableError:
    """Return the answer of all readable versions of a reply.

    If they differ, or one of them is unsure, return all answers; if none is readable, the error that
    comes latest in the text.
    """
    answers: dict[str, A] = {}
    troubles: list[UnreadableError] = []
    messages: list[BoundPhrase] = []
    tree, language = versions[0].tree, versions[0].terms.language
    for version in versions:
        try:
            answer = read(version)
        except UnreadableError as trouble:
            troubles.append(trouble)
        except UnsureError as unsure:
            messages.append(unsure.message)
            answers.update((write(reading, tree), reading) for reading in unsure.answers)
        else:
            if len(versions) == 1:
                return answer
            answers[write(answer, tree)] = answer
    if len(answers) > 1:
        return Ambiguous(language.render([*messages, BoundPhrase(UNCLEAR)][0]), tuple(answers))
    return next(iter(answers.values())) if answers else max(troubles, key=lambda trouble: trouble.place)


def _confirmed(reply: Reply, answer: A | Ambiguous, write: Callable[[A, Tree], str]) -> A | Ambiguous:
    """Return the answer; if a question mark makes it doubtful, as a reading to be confirmed."""
    if isinstance(answer, Ambiguous) or not reply.is_questioned:
        return answer
    return Ambiguous(reply.terms.language.term(DOUBT), (write(answer, reply.tree),))


def _malformed(text: str, trouble: UnreadableError, understood: str, language: Language) -> Malformed:
    """Return the fault of an unreadable reply, with the line and the column of its place."""
    before = text[: trouble.place]
    return Malformed(
        language.render(trouble.message),
        before.count("\n") + 1,
        len(before) - (before.rfind("\n") + 1) + 1,
        understood,
        language.render(trouble.hint) if trouble.hint else "",
    )


def _understood(
    versions: Sequence[Reply], place: int, read: Callable[[Reply], A], write: Callable[[A, Tree], str]
) -> str:
    """Return the reading of a reply up to the place of its error, as canonical text.

    Empty if nothing there can be read, and for a long reply.
    """
    text = versions[0].text
    if len(text) > MAX_EXPLAINED_LENGTH:
        return ""
    cuts = [cut.start() for cut in _UNDERSTOOD.finditer(text, 0, place)]
    for version, end in product(versions[:2], (place, *cuts[:-4:-1])):
        try:
            understood = write(read(replace(version, text=version.text[:end])), version.tree)
        except (UnreadableError, UnsureError):
            continue
        return "" if understood in ("none", "{}") else understood
    return ""


def _tidied(text: str, tree: Tree, terms: Terms, names: bool, max_words: int) -> Reply:
    """Return the first version of a reply, of the same length: plain characters, no bullets or item numbers.

    Raises `UnreadableError` for a reply that is blank, too long, or has control characters.

    A letter that is both a name of the tree and a word of replies, such as `V`, is the name; a letter that
    means "and" in some language, such as `y`, only if it is spelled as in the tree. The letter of an unknown
    payoff is not a word either if names are not read.
    """
    if len(text) > MAX_REPLY_BYTES or (
        4 * len(text) > MAX_REPLY_BYTES and len(text.encode(errors="replace")) > MAX_REPLY_BYTES
    ):
        raise UnreadableError(
            "the answer is too long", 0, "an answer can have at most {size} KiB", size=MAX_REPLY_BYTES // 1024
        )
    barred = re.search(FORBIDDEN_IN_REPLIES, text)
    if barred is not None:
        raise UnreadableError("there is a control character here", barred.start(), "type it again")
    if len(text) > max_words and sum(1 for _ in WORD.finditer(text)) > max_words:
        hint = Phrase("an answer can have at most {words} words")
        raise UnreadableError("the answer has too many words", 0, hint, words=f"{max_words:,}")
    tidy = to_plain_characters(text)
    if not tidy.isascii():
        tidy = tidy.translate(_DIGITS)
        tidy = _LONG_MINUS.sub("-", tidy)
        tidy = _SPACES.sub(" ", tidy)
    for sign, spelling, instead in _NUMBERS:
        tidy = spelling.sub(partial(_expanded, instead), tidy) if sign in tidy else tidy
    if not tidy.strip():
        raise UnreadableError("the answer is blank", 0)
    tidy = blank_out(_BULLET, tidy)
    items = [*map(bounded_number, _ITEM.findall(tidy))]
    if 1 < len(items) == len(tidy.split("\n")) and items == list(range(1, len(items) + 1)):
        tidy = blank_out(_ITEM, tidy)
    known = vocabulary(tree)
    tidy = tidy if "a" in known.exact else _SPANNING.sub("-", tidy)
    if names:
        tidy = blank_out(
            _NO_NAME, tidy, lambda player: fold(player.group()) in known.loose and len(player.group()) > 1
        )
        if known.has_letters:
            tidy = _masked(tidy, known, partial(_is_name_letter, known, words(terms.language_code)))
    else:
        letters = {str(tree.payoffs[leaf]) for leaf in tree.unknowns if is_letter(str(tree.payoffs[leaf]))}
        tidy = WORD.sub(lambda match: _MASK if match.group() in letters else match.group(), tidy)
    return Reply(text, tidy, tree, terms, known, known.has_twins and _ignores_case(text, known))


def _is_name_letter(names: Vocabulary, language_words: Words, name: str) -> bool:
    """Return whether a name is a letter that is not read as a word such as "and".

    It is not if it is spelled as in the tree, or if no word of the language itself is written like it.
    """
    if not is_letter(name):
        return False
    if name in names.exact or name in names.labels:
        return True
    is_foreign = name.casefold() in language_words.foreign_letters
    return name not in language_words.small_letters and (is_foreign or not language_words.joins(name))


def _expanded(replacement: str, match: re.Match[str]) -> str:
    """Return the replacement of a match, padded to the same length."""
    return match.expand(replacement).ljust(len(match.group()))


def blank_out(
    pattern: re.Pattern[str], text: str, is_kept: Callable[[re.Match[str]], bool] = lambda _: False
) -> str:
    """Replace the matches of a pattern by blanks, except those to keep."""
    return pattern.sub(lambda match: match.group() if is_kept(match) else " " * len(match.group()), text)


def _alternatives(
    reply: Reply,
    names: bool,
    commas: Commas,
    remarks: Remarks | None,
    listed: bool,
    unwrapped: Callable[[], Iterable[str]] = tuple,
) -> Iterator[tuple[Reply, Commas]]:
    """Yield a reply as it is, then its alternatives, each with the meaning of its commas.

    The first that can be read counts. A decimal comma may separate two numbers; letters that were read as
    names may be words; idle remarks may be left out. The same follows for each text of `unwrapped`, which has
    fewer wrappers.
    """
    known = reply.vocabulary
    yield reply, commas
    if commas == "decimal":
        yield reply, "part"
    if names and known.has_letters:
        pairs = zip(reply.text, reply.typed, strict=True)
        spelled = "".join(to_plain_characters(typed) if sign == _MASK else sign for sign, typed in pairs)
        if spelled != reply.text:
            yield replace(reply, text=spelled), commas
    if remarks:
        pattern = _remark(reply.words, listed)
        rest = blank_out(pattern, reply.text, lambda remark: not _is_idle(reply, remark, remarks, listed))
        bare = rest.rstrip().rstrip(",;:")
        if rest != reply.text and bare:
            yield replace(reply, text=bare.ljust(len(rest))), commas
    for inner in unwrapped():
        other = _tidied(inner, reply.tree, reply.terms, names, len(inner))
        yield from _alternatives(other, names, commas, remarks, listed)


_THING = r"(?:[0-9]{1,6}|(?-i:[A-Z])\w{0,30}|\ue000\ue001*)"
_THINGS = rf"(?:and\s+)?{_THING}(?:(?:\s*[,;]|\s+and)?\s+{_THING}){{0,60}}"
_THING_ALONE = re.compile(rf"(?i)[,;\n]\s*(?:and\s+)?{_THING}\s*(?=[,;.\n]|and\b|{_THING}|$)")
"""An item within a reason that looks like an item of a list."""


@cache
def _remark(words: Words, listed: bool) -> re.Pattern[str]:
    """Something in brackets, or a reason: up to the end, or if `listed` up to the next thing with one."""
    reason = rf"(?<!\w)(?:{'|'.join(sorted(words.reasons))})\b"
    first = rf"|{reason}(?:(?!{reason}).)*?(?=[,;\n]\s*{_THINGS}\s*{reason})" if listed else ""
    return re.compile(rf"(?is)\([^()]*\){first}|{reason}.*")


def _is_idle(reply: Reply, remark: re.Match[str], remarks: Remarks, listed: bool) -> bool:
    """Return whether a remark cannot change the answer: a reason without a retraction, or idle words."""
    names = reply.vocabulary
    pieces = [piece.casefold() for piece in _PIECE.findall(reply.typed, *remark.span())]
    if remark.group()[0] != "(":
        if listed and _THING_ALONE.search(remark.group()):
            return False
        pieces = [piece.casefold() for piece in _PIECE.findall(_DENIED.sub("", remark.group()))]
        return reply.words.retracting.isdisjoint(pieces)
    idle = reply.words.idle
    if remarks == "of names":
        idle |= reply.words.pointing
        kinds = {piece: set(reply.words.kinds(piece)) for piece in pieces}
        if any(map(str.isdigit, pieces)) and {"CUT", "EXCEPT"} & set[str]().union(*kinds.values()):
            idle |= {piece for piece in pieces if piece.isdigit() or {"AND", "CUT"} & kinds[piece]}
    return all(
        remarks == "of names" if piece in names.loose or piece in names.loose_labels else piece in idle
        for piece in pieces
    )


def _changing(reply: Reply, trouble: UnreadableError, remarks: Remarks, listed: bool) -> UnreadableError:
    """Return the error, or one about the remark around it, which may change the answer before it."""
    for remark in _remark(reply.words, listed).finditer(reply.text):
        inside = remark.start() <= trouble.place < remark.end()
        if inside and not _is_idle(reply, remark, remarks, listed):
            quoted = quote(reply.typed[remark.start() : remark.end()])
            message = Phrase("{remark} could change the answer")
            return UnreadableError(message, remark.start(), "write only the answer", remark=quoted)
    return trouble


def _versions(reply: Reply, names: bool, commas: Commas) -> Iterator[Reply]:
    """Yield the texts that a reply may stand for, all of the same length."""
    texts: tuple[str, ...] = (reply.text,)
    if commas != "part" and "," in reply.text:
        pointed = _DECIMAL_COMMA.sub(r"\1.\2", reply.text)
        # In `<1,5; 2>` the semicolon parts the numbers, so the commas there are decimal signs anyway.
        parted = _PARTED.sub(lambda brackets: _DECIMAL_COMMA.sub(r"\1.\2", brackets.group()), reply.text)
        texts = (pointed,) if commas == "decimal" else (parted, pointed)
    if reply.words.small_letters:  # first those that can only be words, then those that may also be nodes
        texts = tuple(_without_small_words(reply, _without_sure_word, text) for text in texts)
        if names:
            texts += tuple(_without_small_words(reply, _without_small_word, text) for text in texts)
    if names:
        texts += tuple(_masked(text, reply.vocabulary) for text in texts)
    for text in dict.fromkeys(texts):
        yield replace(reply, text=text)


@cache
def _small_words(words: Words) -> re.Pattern[str]:
    """Words of one letter in lower case, with the word or the ordinal in digits after them."""
    letters = "|".join(sorted(words.small_letters))
    return re.compile(
        rf"(?<!\S)(?:{letters})\b\.?(?=\s+(?P<after>(?P<ordinal>[0-9]+\.?[ºª](?!\w))|[\w\ue000]+))"
    )


def _without_small_words(reply: Reply, instead: Callable[[Reply, re.Match[str]], str], text: str) -> str:
    """The text with `instead` for every word of one letter that is not inside a longer name."""
    pattern = _small_words(reply.words)
    if not pattern.search(text):
        return text
    names = [(begin, end) for begin, end in reply.vocabulary.name_spans(text) if end - begin > 1]
    return pattern.sub(
        lambda small: (
            small.group()
            if any(begin <= small.start() < end for begin, end in names)
            else instead(reply, small)
        ),
        text,
    )


def _without_sure_word(reply: Reply, small: re.Match[str]) -> str:
    """Return the sign for a one-letter word that names nothing: after a noun, or where names cannot be."""
    typed, after = small.group(), small["after"]
    kinds = {*reply.words.kinds(after)} if len(after) > 1 else set()
    if not reply.vocabulary.has_name(typed.strip(".")) and ("VALUE" in kinds or not reply.words.joins(typed)):
        return _small_sign(reply, typed)
    before = small.string[max(0, small.start() - MAX_LOOKBEHIND) : small.start()].split()[-1:]
    follows_noun = any(len(word) > 1 and "NOUN" in reply.words.kinds(word) for word in before)
    leads = small["ordinal"] is not None or {"NOUN", "PATH", "DIRECTION"} & kinds
    return _small_sign(reply, typed) if leads or (follows_noun and not after[0].islower()) else typed


def _without_small_word(reply: Reply, small: re.Match[str]) -> str:
    """Return the sign for a one-letter word that may be a node too: before a name, a number or filler."""
    typed, after = small.group(), small["after"]
    is_filler = len(after) > 1 and FILLER in reply.words.kinds(after)
    return _small_sign(reply, typed) if is_filler or not after[0].islower() else typed


def _small_sign(reply: Reply, typed: str) -> str:
    """Return what replaces a one-letter word, in its width: `&` for *and*, else blanks.

    A word that is the name of a node stays.
    """
    if typed.strip(".") in reply.vocabulary.exact:
        return typed
    return ("&" if typed.strip(".") in reply.words.and_letters else " ").ljust(len(typed))


def _ignores_case(text: str, names: Vocabulary) -> bool:
    """Return whether some name in a reply is typed in another case than in the tree."""
    found = (names.nodes(word, labels=True) for word in words_outside_quotes(text))
    return any(loose and not exact for exact, loose in found)


def _masked(text: str, names: Vocabulary, is_masked: Callable[[str], bool] = bool) -> str:
    """Mask names that are not plain words: a private character for the first letter, another for the rest."""
    parts: list[str] = []
    done = 0
    for begin, end in names.name_spans(text):
        if is_masked(text[begin:end]):
            parts += (text[done:begin], _MASK, "\ue001" * (end - begin - 1))
            done = end
    return "".join((*parts, text[done:])) if parts else text
