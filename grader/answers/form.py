"""What every answer form is: a way to read, write and credit one type of answer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from grader.answers.blank import NONE, Blank, Blanks
from grader.answers.canonical import CanonicalError
from grader.answers.paper_boxes import NumberEntry, PaperBoxes, boxes_on_paper
from grader.answers.reply_words import is_stroke, words
from grader.answers.vocabulary import vocabulary
from grader.base.catalogues import OwnCatalogue
from grader.base.numbers import Number
from grader.base.phrases import Language, Phrase
from grader.base.safe_text import quote
from grader.trees.rules import Rules
from grader.trees.tree import Tree

MAX_REPLY_BYTES = 64 * 1024
"""The most bytes a reply may have, in UTF-8."""

ONLY_COMPLETE_COUNTS = Phrase("Only a complete and correct answer earns points.")
"""The marking rule if no part of an answer earns anything."""


@dataclass(frozen=True, slots=True)
class Malformed:
    """A reply that cannot be read: where, why, and the reading up to that place.

    `line` and `column` count from 1; `understood` is canonical reply text, possibly empty.
    """

    message: str
    line: int
    column: int
    understood: str
    hint: str


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """A reply that can be read in several ways, or in one that is doubtful: each as canonical reply text."""

    message: str
    readings: tuple[str, ...]


_SetInput: TypeAlias = Literal["leaves", "branches", "order", "orders", "choices", "leaf", "child", ""]
_NumberInput: TypeAlias = Literal["values", "numbers", "payoffs", "windows"]
ScreenInput: TypeAlias = _SetInput | _NumberInput

PolicyName: TypeAlias = Literal[
    "exact", "keep", "net", "each", "deduct", "players", "entries", "minus", "limits"
]


@dataclass(frozen=True, slots=True)
class Policy:
    """How sets of leaves or branches, entries at nodes, and intervals are credited.

    - `exact`: everything or nothing.

    For sets, and for orders, in which a mistake is a leaf to insert, delete or move:

    - `keep`: each mistake leaves the share `amount` of the mark; a reply earns nothing if it lists
      everything, or no more things correctly than incorrectly.

    For sets:

    - `net`: right minus wrong, over the size of the key, not below 0.
    - `deduct`: `amount` points off the full mark per error, not below 0.
    - `each`, in earlier exercises only: every leaf or branch counts, listed or not, minus the better result
      of listing all and of listing none.

    For entries:

    - `players`: chance nodes carry half of the points where there are any, and the nodes of each player an
      equal share of the rest; all entries for nodes of one player count alike.
    - `entries`: every entry counts alike.
    - `minus`: every entry counts alike, and an incorrect one cancels a correct one, not below 0; for tables
      in which many entries can be copied from the question.

    For intervals:

    - `limits`: half if only `<` and `<=` are confused, as in `x > 15` for `x >= 15`.
    """

    name: PolicyName = "net"
    amount: Number = 0


USUAL_POLICIES: Mapping[PolicyName, Policy] = {"keep": Policy("keep", Fraction(1, 2))}
"""The policies with an amount, with the usual one."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The requirements on a reply, apart from the answer itself.

    - `points`: the full mark.
    - `policy`: how sets and entries are credited.
    - `digits`: the minimum number of decimals of a rounded number.
    - `every`: whether all optimal answers are requested, not just one of them.
    - `decimal_comma`: whether `2,5` is read as a decimal, and numbers are printed like that.
    - `language_code`: the language of the question, as in HTML: `en`, `de-CH`.
    - `own`: the teacher's own catalogue of sentences, if there is one.
    - `nodes`: the nodes of the requested entries, level by level, if they are not all.
    - `labels`: names for the answer that a reply may use, in small letters: `p2`, or `visited` for a
      statement.
    """

    points: Number = 1
    policy: Policy = Policy("keep", Fraction(1, 2))
    digits: int = 2
    every: bool = False
    decimal_comma: bool = False
    language_code: str = "en"
    own: OwnCatalogue | None = None
    nodes: tuple[int, ...] | None = None
    labels: tuple[str, ...] = ()

    def asks_for(self, node: int | None) -> bool:
        """Return whether the question asks for an entry of this node."""
        return self.nodes is None or node in self.nodes

    @property
    def language(self) -> Language:
        """The language of the question, with its decimal sign and the teacher's own sentences."""
        return Language(self.language_code, self.decimal_comma, self.own)

    def in_language(self, language: Language) -> "Terms":
        """Return the same terms in a language, with its decimal sign."""
        return replace(
            self,
            language_code=language.code,
            own=language.own,
            decimal_comma=self.decimal_comma or language.comma,
        )


ItemVerdict: TypeAlias = Literal["right", "partly", "wrong", "missing", "extra", "follows"]
"""`partly`: half of it is right; `missing`: the key has it, the reply does not; `extra`: the other way round;
`follows`: wrong, but what the student's own entries below imply."""


class Item(NamedTuple):
    """One item of a reply or of the key, and its verdict.

    `node` is its node, or None; `reply` and `right` are its texts in the reply and in the key, empty if it is
    not in one of them.
    """

    node: int | None
    reply: str
    right: str
    verdict: ItemVerdict


@dataclass(frozen=True, slots=True)
class Credit:
    """What a reply earned: the share of the full mark from 0 to 1, and the items it comes from."""

    share: Fraction
    items: tuple[Item, ...]


A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class CreditBasis(Generic[A]):
    """The data from which a form explains the points of a mark.

    - `items`, `key`, `tree`, `terms`: the credited items, and the terms.
    - `number`: formats points.
    - `points`: the fields `points` and `maximum` of each sentence, as text.
    """

    items: tuple[Item, ...]
    key: A
    tree: Tree
    terms: Terms
    number: Callable[[Number], str]
    points: Mapping[str, str]


class Tally(NamedTuple):
    """Why a mark has its points, as a sentence.

    `why` may reveal the answer if nothing was earned. Before release a student then reads `hidden`, or `why`
    if `hidden` is empty. If something was earned, the points reveal it anyway.
    """

    why: str
    hidden: str = ""


@dataclass(frozen=True, slots=True)
class AnswerSpace:
    """The room for an answer on paper.

    With `leaves`, one line is enough for trees with at most this many leaves; larger trees get more. The
    size depends on the tree, never on the answer.
    """

    shape: Literal["short", "line", "tall", "table", "windows"]
    leaves: int | None = None


@dataclass(frozen=True, slots=True)
class BlankCodec(Generic[A]):
    """The blanks for an answer on paper and on platforms, and how filled blanks are read.

    - `lay_out`: (tree, terms) -> the empty blanks.
    - `solve`: (blanks, key, tree, terms) -> the blanks with the correct answer and the points of each.
    - `read`: (blanks, their texts, tree, terms) -> the reply, as text that the form reads; raises
      `grader.answers.blank.BlankError`. Not all of the blanks are empty.
    """

    lay_out: Callable[[Tree, Terms], Blanks]
    solve: Callable[[Sequence[Blank], A, Tree, Terms], Sequence[Blank]]
    read: Callable[[Sequence[Blank], Sequence[str], Tree, Terms], str]


def all_or_nothing(items: Sequence[Item], key: object, _tree: Tree, _terms: Terms) -> Fraction:
    """Return 1 if all items are right, else 0; without items the reply is right if the key is empty too."""
    return Fraction(int(all(item.verdict == "right" for item in items) and bool(items or not key)))


@dataclass(frozen=True, slots=True)
class Form(Generic[A]):
    """One answer form, with everything that the rest of the program needs to know about it.

    Reading and credit:

    - `name`: its name in records: `number`, `move`, `paths`, ...
    - `ask`: the instruction for a typed answer; `{example}` in it is the example.
    - `example`: a reply of this form, for the answer box.
    - `read`: (text, tree, terms) -> the answer, or why the text, which is not blank, cannot be read.
    - `write`: (answer, tree) -> canonical reply text, which reads back as the same answer.
    - `parse_canonical`: (text, tree) -> the answer with this canonical text; raises
      `grader.answers.canonical.CanonicalError` for other texts.
    - `is_same`: (reply, key, digits) -> whether a reply is correct, for a form without items.
    - `compare`: (reply, key, tree, terms, texts) -> the items of a reply; their texts are empty unless
      `texts`.
    - `share`: (items, key, tree, terms) -> the share of the full mark that they earn; see `Form.credit`.
    - `has_one_spelling`: whether only a reply that equals the key earns everything.
    - `distance`: (reply, other) -> how many items differ, the measure of nearness for notes;
      None when the form knows only equal and different.

    Texts about it:

    - `labelled_reply`: (answer, tree, terms) -> the answer with the labels of the picture, as a reply that
      reads back; None if its canonical text has them.
    - `marking_rule`: the rule for a human marker; a pair depends on the digits of the terms.
    - `credit_sentence`: (terms, tree) -> the marking rule for a partly correct reply; empty if it earns
      nothing.
    - `tally`: (basis) -> the explanation of the points; None for a form without items.
    - `key_remark`: (key, tree) -> a remark for the teacher about a key; mostly empty.

    Papers, platforms and screens:

    - `answer_space`: the room on paper.
    - `blank_codec`: its boxes and options.
    - `is_multiline`: whether people write it on several lines.
    - `names_nodes`, `counts_leaves`: whether replies name inner nodes, and whether they use leaf numbers, so
      that a picture has to show them.
    - `drawn_verdicts`: the marked items that are drawn in the tree: values at nodes, or crosses at branches.

    Properties:

    - `has_alternatives`: whether the question asks for one of several answers that may be equally good.
    - `single_answers`: answer -> the single answers in one that has two although one is requested; None if
      that is impossible.
    - `set_of`: the members if a reply is a set; empty for other replies.
    - `has_entries`: whether it has entries for nodes: then a reply without any is probably not an answer.
    - `policies`: its credit policies, the default first; empty if it has no parts.
    - `earlier_policies`: policies that only exercises of earlier versions have.
    - `allows_rounding`: whether a reply holds values that may be rounded.
    - `repeats`: how often answers of different trees coincide by chance; 0 for hardly ever, higher for fewer
      possible answers.
    - `fixed_answers`: all answers, if they are the same for every question; each is equally frequent.
    - `numbers_choices`: whether the number is that of a choice, as in "reason 2".
    - `answer_count`: (key, tree) -> the number of possible answers, for a student who guesses; None if it is
      too large or unknown. For tables and orders it is the number for one entry; if entries differ, the
      harmonic mean.
    - `payoff_blind_answers`: (tree, rules) -> name -> an answer that needs no payoff; None if there are too
      many.
    - `by_payoffs`: (answer, tree) -> the answer with payoffs in place of leaf numbers, None if a payoff is
      not a leaf number; None for a form without leaf numbers.
    - `from_drawing`: drawn tree -> the answer in its claims and crosses, or None; None for a form that cannot
      be drawn.
    - `screen_input`: how a student answers in the tree on a screen: crosses out `leaves` or `branches`, types
      `values` or `windows` at inner nodes, `numbers` at any or `payoffs` at all leaves, selects leaves in
      their `order`, the children of nodes in their `orders`, one child of each node (`choices`), one `leaf`,
      or one `child` of the root; empty if the reply is only typed.
    - `screen_keys`: extra keys on a screen, because keyboards of phones hide them.
    """

    name: str
    ask: Phrase
    example: str
    read: Callable[[str, Tree, Terms], A | Malformed | Ambiguous]
    write: Callable[[A, Tree], str]
    parse_canonical: Callable[[str, Tree], A]
    marking_rule: Phrase | tuple[Phrase, Phrase]
    answer_space: AnswerSpace
    blank_codec: BlankCodec[A]
    is_same: Callable[[A, A, int], bool] = lambda reply, key, _digits: reply == key
    compare: Callable[[A, A, Tree, Terms, bool], tuple[Item, ...]] | None = None
    share: Callable[[Sequence[Item], A, Tree, Terms], Fraction] = all_or_nothing
    distance: Callable[[A, A], int] | None = None
    labelled_reply: Callable[[A, Tree, Terms], str | None] | None = None
    credit_sentence: Callable[[Terms, Tree], str] = lambda _terms, _tree: ""
    tally: Callable[[CreditBasis[A]], Tally] | None = None
    key_remark: Callable[[A, Tree], str] | None = None
    is_multiline: bool = False
    names_nodes: bool = False
    counts_leaves: bool = False
    drawn_verdicts: Literal["values", "crosses", ""] = ""
    has_one_spelling: bool = False
    has_alternatives: bool = False
    single_answers: Callable[[A], Sequence[A]] | None = None
    set_of: Literal["leaves", "branches", ""] = ""
    has_entries: bool = False
    policies: tuple[PolicyName, ...] = ()
    earlier_policies: tuple[PolicyName, ...] = ()
    allows_rounding: bool = False
    repeats: int = 0
    fixed_answers: Sequence[A] = ()
    numbers_choices: bool = False
    answer_count: Callable[[A, Tree], int | Fraction | None] = lambda _key, _tree: None
    payoff_blind_answers: Callable[[Tree, Rules], Mapping[str, A]] | None = None
    by_payoffs: Callable[[A, Tree], A | None] | None = None
    from_drawing: Callable[[Tree], A | None] | None = None
    screen_input: ScreenInput = ""
    screen_keys: tuple[str, ...] = ()

    def instruction(self, language: Language) -> str:
        """Return the sentence that tells a student what to write, with an example."""
        return language.say(self.ask, example=language.reply(self.example))

    def with_valid_policy(self, terms: Terms) -> Terms:
        """Return the terms, with the usual policy of this form if they name a policy for other forms."""
        if not self.policies or self.is_credited_by(terms.policy.name):
            return terms
        return replace(terms, policy=USUAL_POLICIES.get(self.policies[0], Policy(self.policies[0])))

    def is_credited_by(self, policy: PolicyName) -> bool:
        """Return whether replies can be credited by a policy, be it only those to earlier exercises."""
        return policy in self.policies or policy in self.earlier_policies

    def parse(self, text: str, tree: Tree) -> A:
        """Return the answer that is written as this text; the inverse of `write`.

        Raises `grader.answers.canonical.CanonicalError` for any other text.
        """
        answer = self.parse_canonical(text, tree)
        written = self.write(answer, tree)
        if text not in (written, written.replace("#", "")):  # version 0.1.0 wrote numbers without a sign
            raise CanonicalError(f"{quote(text)} is written {quote(written)}")
        return answer

    def credit(self, reply: A, key: A, tree: Tree, terms: Terms, *, texts: bool = True) -> Credit:
        """Return what a reply earns; without `texts` its items have none, which is faster."""
        if self.compare is not None:
            items = self.compare(reply, key, tree, terms, texts)
        else:
            verdict: ItemVerdict = "right" if self.is_same(reply, key, terms.digits) else "wrong"
            written = (self.write(reply, tree), self.write(key, tree)) if texts else ("", "")
            items = (Item(None, *written, verdict),)
        return Credit(self.share(items, key, tree, terms), items)

    def is_right(self, reply: A, key: A, tree: Tree, terms: Terms) -> bool:
        """Return whether a reply earns everything."""
        if reply == key or self.has_one_spelling:
            return reply == key
        return self.credit(reply, key, tree, terms, texts=False).share == 1

    def follow(
        self,
        reply: A,
        strict: Credit,
        implied: A,
        tree: Tree,
        terms: Terms,
        by_itself: Fraction | None = None,
    ) -> Credit:
        """Return what a reply earns if it may follow from earlier answers, which make `implied` the key.

        Following through never earns more than the reply earns by itself, so nonsense earns nothing.
        `by_itself` is that share, if it is not the strict one.
        """
        followed = self.credit(reply, implied, tree, terms, texts=False)
        gain = min(followed.share - strict.share, strict.share if by_itself is None else by_itself)
        if gain <= 0:
            return strict
        right = {item.node for item in followed.items if item.verdict == "right"}
        items = tuple(
            item._replace(verdict="follows")
            if item.verdict in ("partly", "wrong", "extra") and item.node in right
            else item
            for item in strict.items
        )
        return Credit(strict.share + gain, items)

    def blanks(self, key: A, tree: Tree, terms: Terms) -> Blanks:
        """Return the blanks with the correct answer and the points of each."""
        blanks = self.blank_codec.lay_out(tree, terms)
        return replace(blanks, blanks=tuple(self.blank_codec.solve(blanks.blanks, key, tree, terms)))

    def printed_blanks(self, tree: Tree, terms: Terms) -> Blanks:
        """Return the blanks of a paper: the cells of a table, or one without a label for the whole reply."""
        blanks = self.blank_codec.lay_out(tree, terms)
        in_table = self.answer_space.shape in ("table", "windows")
        return blanks if in_table or not blanks.blanks[0].label else Blanks("", (Blank(),))

    def paper_boxes(self, tree: Tree, terms: Terms, entry: NumberEntry) -> PaperBoxes:
        """Return the boxes on a paper that is scanned; `entry` says how numbers are entered."""
        return boxes_on_paper(self.printed_blanks(tree, terms), tree, terms.language, entry)

    def reply_from_blanks(
        self, blanks: Sequence[Blank], filled: Sequence[str], tree: Tree, terms: Terms
    ) -> str:
        """Return the reply that filled blanks stand for.

        `filled` is aligned with the blanks: the text in a box, or the chosen options joined by `; `.
        A blank that says that there is no answer, as in `is_no_answer`, is empty, unless that is a name.
        The reply is empty if all of them are. Raises `BlankError` for an unreadable blank.
        """
        texts, known = [" ".join(text.split()) for text in filled], vocabulary(tree)
        for place, text in enumerate(texts):
            if not known.has_only_names(text) and self.is_no_answer(text, tree, terms):
                texts[place] = ""
        return self.blank_codec.read(blanks, texts, tree, terms) if any(texts) else ""

    def is_no_answer(self, text: str, tree: Tree, terms: Terms) -> bool:
        """Return whether a text only says that there is no answer: `I don't know`, `n/a`, `?`.

        So does a stroke, unless it may mean that the answer is `none`.
        """
        if is_stroke(text):
            return isinstance(self.read(NONE, tree, terms), Malformed)
        return words(terms.language_code).no_answer_phrase(text)[1]


AnyForm = Form[Any]
"""A form whose answer type is not known at the place that handles it."""
