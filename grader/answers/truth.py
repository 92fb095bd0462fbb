"""Whether a statement is true: `true`, `false`."""

import re
from collections.abc import Sequence
from itertools import zip_longest

from grader.answers.blank import Option
from grader.answers.choice_blanks import Offer
from grader.answers.form import Ambiguous, AnswerSpace, BlankCodec, Form, Malformed, Terms
from grader.answers.mention import OR
from grader.answers.mention_lists import DOUBT
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
"""A sign that denies what stands beside it: `!true`, `!= true`, `~~true~~`."""


def _read(reply: Reply) -> bool:
    """Read `true` or `false`, `yes` or `no`, `not true`, one letter or a tick."""
    denying = _DENYING.search(reply.text)
    if denying:
        raise UnreadableError(MISPLACED, denying.start(), _WANTED, word=quote(denying.group().strip()))
    said: dict[bool, None] = {}
    doubt: Phrase | None = None
    denied = False
    first = behind = 0
    pieces = [*_PIECE.finditer(reply.text)]
    for piece, after in zip_longest(pieces, pieces[1:]):
        if len(said) == 1 and not denied and _is_reason(reply, first, piece.start(), next(iter(said))):
            break
        match _meant(reply, piece, after):
            case "true" | "false" as meant:
                if denied and _PARTING.search(reply.text, behind, piece.start()):
                    doubt = UNCLEAR  # `it is not, it is false`
                first = first or piece.end()
                said[(meant == "true") != denied] = None
                denied = False
            case "not":
                denied, behind = not denied, piece.end()
            case "or":
                doubt = OR
            case "idle" | "is":
                pass
            case "?" if said:
                doubt = DOUBT
            case _:
                typed = reply.clip(piece.start())
                raise UnreadableError("{word} is not expected here", piece.start(), _WANTED, word=typed)
    if denied or not said:
        raise UnreadableError("this says neither true nor false", 0, _WANTED)
    if doubt or len(said) > 1:
        (first, *_) = said
        raise UnsureError(doubt or Phrase("this says both true and false"), (first, not first))
    return next(iter(said))


def _meant(reply: Reply, piece: "re.Match[str]", after: "re.Match[str] | None") -> str:
    """What a piece says; a word that is both no and not is not beside a verdict, which may come after it."""
    says = _verdict(reply, piece)
    if says != "no":
        return says
    if after is None or not reply.text[piece.end() : after.start()].isspace():
        return "false"
    return "not" if _verdict(reply, after) in ("is", "true", "false") else "false"


def _verdict(reply: Reply, piece: "re.Match[str]") -> str:
    """What a word says by itself; the word where it says nothing."""
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
    """Whether a word is spelled as a node of the tree is called, and no word of a language is."""
    return word in reply.vocabulary.exact and not word.islower()


_NOUGHT = "O"
"""A player on boards, where in some languages `o` is the word for or."""

_TELLING = ("cut", "goal")
"""Idle words that tell what is denied all the same: `no, it is not cut`."""


def _is_reason(reply: Reply, end: int, place: int, true: bool) -> bool:
    """Whether from this place on the answer that ends before it is only said with more words.

    Nothing there says true or false, takes the answer back or limits it; but names of nodes are no words,
    and a reason why something is false may well deny something: of a node, or of what is no word of answers.
    """
    said, rest = reply.words, reply.text[end:]
    if not _PARTING.search(rest[: place - end]) or _UNSPACED.search(rest):
        return False
    pieces = (piece.group() for piece in _PIECE.finditer(rest))
    words = [
        "" if piece == _NOUGHT or _is_name(reply, piece) else piece.replace("’", "'").casefold()
        for piece in pieces
    ]
    if not true:
        if _denies_answer(said, words):
            return False
        words = [word for word in words if word not in said.denying]
    telling = said.retracting | said.limiting | {"?"}
    agreeing = ("idle", "is", "true") if true else ("idle", "is", "false", "no")
    return all(word not in telling and said.verdicts.get(word, "idle") in agreeing for word in words)


def _denies_answer(said: Words, words: Sequence[str]) -> bool:
    """Whether words behind `false`, empty ones for names, deny this or nothing else: `not so`."""
    denied = telling = False
    for word in words:
        verdict = said.verdicts.get(word, "")
        if denied and verdict == "false":
            return True
        denied = word in said.denying or (denied and verdict == "idle")
        filler = verdict and word not in _TELLING
        telling = telling or not (filler or word in said.denying | said.reasons)
    return not telling and not said.denying.isdisjoint(words)


def read(text: str, tree: Tree, terms: Terms) -> bool | Malformed | Ambiguous:
    """The answer as the paper prints it, also in a teacher's own words, or in any words of a language."""
    heard = terms.language.canonical_reply(text)
    if heard in ("true", "false"):
        return heard == "true"
    return read_reply(text, tree, terms, read=_read, write=write, names=False, remarks="of words")


def write(answer: bool, _tree: Tree) -> str:
    """`true` or `false`."""
    # whatever the tree looks like
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
    marking_rule=Phrase("Yes or no, right or wrong, or a single letter is also accepted."),
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
