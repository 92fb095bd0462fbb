"""Whether a statement is true: `true`, `false`."""

import re
from collections.abc import Sequence
from itertools import zip_longest

from grader.answers.blank import Option
from grader.answers.choice_blanks import Offer
from grader.answers.form import Ambiguous, AnswerSpace, BlankCodec, Form, Malformed, Terms
from grader.answers.mention import OR
from grader.answers.reply import MISPLACED, UNCLEAR, Reply, UnreadableError, UnsureError
from grader.answers.reply_reading import read_reply
from grader.answers.reply_words import Words
from grader.base.phrases import Phrase
from grader.base.safe_text import quote
from grader.trees.tree import Tree

_WANTED = Phrase("write true or false")

_PIECE = re.compile(r"""[^\W\d_]+(?:['’][^\W\d_]+)?|[^\s.,;:!=()\[\]"'“”/-]""")
"""A word, or a sign that may say something."""

_DENYING = re.compile(r"(?<![\w)])!(?=\w)|^\s*!(?=\s*\w)|!=|~~")
"""A sign that negates the text next to it: `!true`, `!= true`, `~~true~~`."""


def _read(reply: Reply) -> bool:
    """Read `true` or `false`, `yes` or `no`, `not true`, one letter or a tick."""
    denying = _DENYING.search(reply.text)
    if denying:
        raise UnreadableError(MISPLACED, denying.start(), _WANTED, word=quote(denying.group().strip()))
    verdicts: dict[bool, None] = {}
    doubt: Phrase | None = None
    denied = False
    verdict_end = negation_end = 0
    pieces = [*_PIECE.finditer(reply.text)]
    for piece, after in zip_longest(pieces, pieces[1:]):
        if (
            len(verdicts) == 1
            and not denied
            and _is_reason(reply, verdict_end, piece.start(), next(iter(verdicts)))
        ):
            break
        match _piece_verdict(reply, piece, after):
            case "true" | "false" as verdict:
                if denied and _PARTING.search(reply.text, negation_end, piece.start()):
                    doubt = UNCLEAR  # `it is not, it is false`
                verdict_end = verdict_end or piece.end()
                verdicts[(verdict == "true") != denied] = None
                denied = False
            case "not":
                denied, negation_end = not denied, piece.end()
            case "or":
                doubt = OR
            case "idle" | "is":
                pass
            case "?" if verdicts:
                pass  # after an answer; `read_reply` leaves the whole reply to a person
            case _:
                typed = reply.clip(piece.start())
                raise UnreadableError("{word} is not expected here", piece.start(), _WANTED, word=typed)
    if denied or not verdicts:
        raise UnreadableError("this says neither true nor false", 0, _WANTED)
    if doubt or len(verdicts) > 1:
        (first, *_) = verdicts
        raise UnsureError(doubt or Phrase("this says both true and false"), (first, not first))
    return next(iter(verdicts))


def _piece_verdict(reply: Reply, piece: "re.Match[str]", after: "re.Match[str] | None") -> str:
    """Return the verdict of a piece; a word for both no and not means not before a verdict."""
    says = _verdict(reply, piece)
    if says != "no":
        return says
    if after is None or not reply.text[piece.end() : after.start()].isspace():
        return "false"
    return "not" if _verdict(reply, after) in ("is", "true", "false") else "false"


def _verdict(reply: Reply, piece: "re.Match[str]") -> str:
    """Return the verdict of a word by itself; the word if it has none."""
    word = piece.group().replace("’", "'").casefold()
    if reply.terms.labels and word not in reply.words.verdicts:
        kinds = [kind.casefold() for kind in reply.words.kinds(word)]
        if not {"noun", "cut", *reply.terms.labels}.isdisjoint((*kinds, word)):
            return "idle" if "noun" in kinds or word.isdigit() else "false" if "cut" in kinds else "true"
    return "idle" if piece.group() == _NOUGHT else reply.words.verdicts.get(word, word)


_PARTING = re.compile(r"[,.:;(\n]|\s-")
"""What parts an answer from a reason."""

_UNSPACED = re.compile("[\u2e80-\uffdc]")
"""A letter of a script that has no spaces between words."""


def _is_name(reply: Reply, word: str) -> bool:
    """Return whether a word is the name of a node, in a spelling that no word of a language has."""
    return word in reply.vocabulary.exact and not word.islower()


_NOUGHT = "O"
"""A player on boards, where in some languages `o` is the word for or."""

_SIGNIFICANT = ("cut", "goal")
"""Idle words that a negation may be about: `no, it is not cut`."""


def _is_reason(reply: Reply, end: int, place: int, true: bool) -> bool:
    """Return whether the rest of a reply only explains the answer before it.

    The rest contains no verdict, retraction or limitation. Names of nodes are not words, and a reason why
    something is false may contain a negation.
    """
    language_words, rest = reply.words, reply.text[end:]
    if not _PARTING.search(rest[: place - end]) or _UNSPACED.search(rest):
        return False
    pieces = (piece.group() for piece in _PIECE.finditer(rest))
    words = [
        "" if piece == _NOUGHT or _is_name(reply, piece) else piece.replace("’", "'").casefold()
        for piece in pieces
    ]
    if not true:
        if _denies_answer(language_words, words):
            return False
        words = [word for word in words if word not in language_words.denying]
    significant = language_words.retracting | language_words.limiting | {"?"}
    agreeing = ("idle", "is", "true") if true else ("idle", "is", "false", "no")
    return all(
        word not in significant and language_words.verdicts.get(word, "idle") in agreeing for word in words
    )


def _denies_answer(language_words: Words, words: Sequence[str]) -> bool:
    """Return whether words after `false` (empty for names) negate it, or negate nothing else: `not so`."""
    denied = is_significant = False
    for word in words:
        verdict = language_words.verdicts.get(word, "")
        if denied and verdict == "false":
            return True
        denied = word in language_words.denying or (denied and verdict == "idle")
        filler = verdict and word not in _SIGNIFICANT
        is_significant = is_significant or not (
            filler or word in language_words.denying | language_words.reasons
        )
    return not is_significant and not language_words.denying.isdisjoint(words)


def read(text: str, tree: Tree, terms: Terms) -> bool | Malformed | Ambiguous:
    """Read the words that the paper prints, also in a teacher's own catalogue, or any words of a language."""
    canonical = terms.language.canonical_reply(text)
    if canonical in ("true", "false"):
        return canonical == "true"
    return read_reply(text, tree, terms, read=_read, write=write, names=False, remarks="of words")


def write(answer: bool, _tree: Tree) -> str:
    """Write `true` or `false`."""
    return "true" if answer else "false"


ASK = Phrase("Write true or false.")
_WORDS = ("false", "true")
_OFFER = Offer(
    lambda _tree: (1, 0),
    lambda truth, _tree, terms: Option(terms.language.reply(_WORDS[truth]), reply=_WORDS[truth]),
    lambda chosen, tree: write(1 in chosen, tree),
    ASK,
    is_single=True,
)

TRUTH: Form[bool] = Form(
    name="truth",
    ask=ASK,
    example="true",
    read=read,
    write=write,
    parse_canonical=lambda text, _tree: text == "true",
    marking_rule=Phrase("Yes or no, right or wrong, or a single letter (t, f, y, or n) is also accepted."),
    answer_space=AnswerSpace("short"),
    blank_codec=BlankCodec(
        _OFFER.lay_out,
        lambda blanks, key, tree, terms: _OFFER.solve(blanks, frozenset((int(key),)), tree, terms),
        _OFFER.read,
    ),
    repeats=4,
    fixed_answers=(False, True),
    answer_count=lambda _key, _tree: 2,
)
