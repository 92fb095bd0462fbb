"""What every answer form is: a way to read, write and credit one type of answer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from grader.answers.blank import Blank, Blanks
from grader.answers.canonical import CanonicalError
from grader.answers.paper_boxes import NumberEntry, PaperBoxes, boxes_on_paper
from grader.base.catalogues import OwnCatalogue
from grader.base.numbers import Number
from grader.base.phrases import Language, Phrase
from grader.base.safe_text import quote
from grader.trees.rules import Rules
from grader.trees.tree import Tree

MAX_REPLY_BYTES = 64 * 1024
"""The most bytes a reply may have, in UTF-8."""

ONLY_COMPLETE_COUNTS = Phrase("Only a complete and correct answer earns points.")
"""What is said of credit where no part of an answer earns anything."""


@dataclass(frozen=True, slots=True)
class Malformed:
    """A reply that cannot be read: where, why, and what was understood up to there.

    `line` and `column` count from 1; `understood` is canonical reply text, empty when nothing was.
    """

    message: str
    line: int
    column: int
    understood: str
    hint: str


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """A reply that can be read in two ways: both readings, each as canonical reply text."""

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

    Of a set, and of an order, in which a mistake is a leaf to insert, delete or move:

    - `keep`: each mistake leaves the share `amount` of the mark; a reply earns nothing if it lists
      everything, or no more things correctly than incorrectly.

    Of a set:

    - `net`: right minus wrong, over the size of the key, not below 0.
    - `deduct`: `amount` points off the full mark per error, not below 0.
    - `each`, in earlier exercises only: every leaf or branch of the tree counts, listed or not, beyond what
      listing all or none would get right, whichever is more.

    Of entries:

    - `players`: chance nodes carry half of the points where there are any, and the nodes of each player an
      equal share of the rest; all entries for nodes of one player count alike.
    - `entries`: every entry counts alike.
    - `minus`: every entry counts alike, and a wrong one takes away as much as a right one earns, not below 0;
      for tables of which much is right that nobody has worked out.

    Of intervals:

    - `limits`: half where only it is wrong which of the limits belong to the set, `x > 15` for `x >= 15`.
    """

    name: PolicyName = "net"
    amount: Number = 0


USUAL_POLICIES: Mapping[PolicyName, Policy] = {"keep": Policy("keep", Fraction(1, 2))}
"""The policies with an amount, with the usual one."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What the question demands of a reply, apart from the answer itself.

    - `points`: the full mark.
    - `policy`: how sets and entries are credited.
    - `digits`: the least number of decimals with which a rounded decimal counts.
    - `every`: whether all optimal answers are asked for, not just one of them.
    - `decimal_comma`: whether `2,5` is read as a decimal, and numbers are printed like that.
    - `language_code`: the language of the question, as in HTML: `en`, `de-CH`.
    - `own`: the teacher's own catalogue of sentences, if there is one.
    - `nodes`: the nodes for which an entry is asked, level by level, where that is not asked for all.
    - `labels`: what the number that is asked for may be called, in small letters, where the question has a
      name for it, `p2`; or what a statement says, `visited`.
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
        """Whether an entry is asked for a node."""
        return self.nodes is None or node in self.nodes

    @property
    def language(self) -> Language:
        """How those who answer on these terms are spoken to."""
        return Language(self.language_code, self.decimal_comma, self.own)

    def in_language(self, language: Language) -> "Terms":
        """The same terms in a language, with its decimal sign."""
        return replace(
            self,
            language_code=language.code,
            own=language.own,
            decimal_comma=self.decimal_comma or language.comma,
        )


Verdict: TypeAlias = Literal["right", "partly", "wrong", "missing", "extra", "follows"]
"""`partly`: half of it is right; `missing`: the key has it, the reply does not; `extra`: the other way round;
`follows`: wrong, but what the student's own entries below imply."""


class Item(NamedTuple):
    """One thing in a reply or in the key, and what it earned.

    `node` is the node it speaks of (None when it speaks of none), `said` and `right` are reply text
    (empty where the reply or the key says nothing).
    """

    node: int | None
    said: str
    right: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Credit:
    """What a reply earned: the share of the full mark from 0 to 1, and the items it comes from."""

    share: Fraction
    items: tuple[Item, ...]


A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class CreditBasis(Generic[A]):
    """What a form needs to say how the points of a mark came about.

    - `items`, `key`, `tree`, `terms`: what was credited, and on which terms.
    - `number`: how points are written.
    - `points`: what each sentence ends with: `points` of `maximum`, as text.
    """

    items: tuple[Item, ...]
    key: A
    tree: Tree
    terms: Terms
    number: Callable[[Number], str]
    points: Mapping[str, str]


class Tally(NamedTuple):
    """How the share of a mark came about, and what may be said in its place where that is nothing.

    Where something was earned the points tell all of it anyway. `hidden` is empty where the same may be said.
    """

    why: str
    hidden: str = ""


@dataclass(frozen=True, slots=True)
class AnswerSpace:
    """The room for an answer on paper.

    With `leaves`, a line is enough for trees of at most so many leaves, and larger ones get more. The size
    of the room is that of the tree, never that of the answer.
    """

    shape: Literal["short", "line", "tall", "table", "windows"]
    leaves: int | None = None


@dataclass(frozen=True, slots=True)
class BlankCodec(Generic[A]):
    """The blanks in which an answer is given on paper and on platforms, and what these say when filled in.

    - `lay_out`: (tree, terms) -> the blanks, as they are shown before anybody answers.
    - `solve`: (blanks, key, tree, terms) -> the same with what is right in each and what it is worth.
    - `read`: (blanks, what is in each, tree, terms) -> the reply that this is, as text which the form reads;
      raises `grader.answers.blank.BlankError`. Not all of the blanks are empty.
    """

    lay_out: Callable[[Tree, Terms], Blanks]
    solve: Callable[[Sequence[Blank], A, Tree, Terms], Sequence[Blank]]
    read: Callable[[Sequence[Blank], Sequence[str], Tree, Terms], str]


def all_or_nothing(items: Sequence[Item], key: object, _tree: Tree, _terms: Terms) -> Fraction:
    """The whole mark where all that was said is right, and nothing only where the key is nothing."""
    # the items say it
    return Fraction(int(all(item.verdict == "right" for item in items) and bool(items or not key)))


def follow_through_gain(strict: Fraction, followed: Fraction, by_itself: Fraction | None = None) -> Fraction:
    """What following through adds: never more than what is right by itself, which is `strict` if not said."""
    return max(Fraction(0), min(followed - strict, strict if by_itself is None else by_itself))


@dataclass(frozen=True, slots=True)
class Form(Generic[A]):
    """One answer form: everything that any part of the program has to know of it.

    How it is read and credited:

    - `name`: as records have it: `number`, `move`, `paths`, ...
    - `ask`: the sentence that tells a student what to write; `{example}` in it is the example.
    - `example`: a reply of this form, for the answer box.
    - `read`: (text, tree, terms) -> the answer, or why it cannot be read; text is never blank here.
    - `write`: (answer, tree) -> canonical reply text, which reads back as the same answer.
    - `parse_canonical`: (text, tree) -> the answer that is written as this text, if one is; raises
      `grader.answers.canonical.CanonicalError` where none can be.
    - `is_same`: (reply, key, digits) -> whether a reply is right, of a form that is right or wrong as a
      whole.
    - `compare`: (reply, key, tree, terms, texts) -> the items of a reply, of a form with several; their texts
      are empty unless `texts`.
    - `share`: (items, key, tree, terms) -> the share of the full mark that they earn. All that a reply earns
      is decided by these two: `Form.credit`.
    - `has_one_spelling`: whether only a reply that equals the key earns everything.
    - `distance`: (reply, other) -> how many items differ, the measure of nearness for notes;
      None when the form knows only equal and different.

    What is said of it:

    - `labelled_reply`: (answer, tree, terms) -> the answer with what the picture calls it, as a reply that
      reads back; None where its text says it all, and for a form whose text always does.
    - `marking_rule`: the sentence that tells a marker what counts; `{digits}` in it are those of the terms.
    - `credit_sentence`: (terms, tree) -> how a reply that is not wholly right is credited; empty where it is
      not.
    - `tally`: (earned) -> how the points of a mark came about; None where it is right or wrong as a whole.
    - `key_remark`: (key, tree) -> what a teacher may want to know of a key, empty for most.

    Where it is written:

    - `answer_space`: how much room it needs on paper.
    - `blank_codec`: the boxes and options in which it is given.
    - `is_multiline`: whether people write it on several lines.
    - `names_nodes`, `counts_leaves`: whether replies name inner nodes, and whether they speak of path
      numbers, so that a picture has to show them.
    - `drawn_verdicts`: what of the marked items is drawn in the tree: values at nodes, or crosses at
      branches.

    What it is like:

    - `has_alternatives`: whether one answer is asked for of several that may be equally good.
    - `single_answers`: answer -> those that name one thing each, of one that names two where one is asked
      for; None where that cannot be.
    - `set_of`: what a reply is a set of; empty for no set.
    - `has_entries`: whether it has entries for nodes: then a reply without any is hardly meant as an answer.
    - `policies`: by which policies it is credited, the usual one first; empty where it has no parts.
    - `earlier_policies`: those by which only exercises of earlier versions are credited.
    - `allows_rounding`: whether a reply holds values that may be rounded.
    - `repeats`: how soon the answers of different trees are the same by chance; 0 where they hardly ever are,
      the more the fewer answers there are.
    - `fixed_answers`: all answers there are, where these are the same to every question: each comes as often.
    - `numbers_choices`: whether a number that is asked for is that of a choice, as "reason 2" is.
    - `answer_count`: (key, tree) -> how many answers there are to a question, for somebody who guesses one;
      None where they are too many or cannot be counted. Of a table and of orders it is how many an entry
      has, of entries that have more and fewer their harmonic mean.
    - `payoff_blind_answers`: (tree, rules) -> name -> an answer that anyone can give without looking at a
      payoff; None where there are too many of them.
    - `by_payoffs`: (answer, tree) -> the answer of someone who names its leaves by their payoffs, None where
      a payoff is no leaf number; None for a form whose replies name no leaves.
    - `from_drawing`: what the claims and crosses that someone drew on the tree say as an answer, None where
      they say nothing; None for a form that nobody draws.
    - `screen_input`: what somebody does to the tree on a screen in place of writing a reply: crosses out
      `leaves` or `branches`, types `values` or `windows` at inner nodes, `numbers` at any or `payoffs` at
      all leaves, touches leaves in their `order`, the children of nodes in their `orders`, one child of each
      node (`choices`), one `leaf`, or one `child` of the root; empty where the reply is only written.
    - `screen_keys`: what a screen offers beside that, because keyboards of phones hide it.
    """

    name: str
    ask: Phrase
    example: str
    read: Callable[[str, Tree, Terms], A | Malformed | Ambiguous]
    write: Callable[[A, Tree], str]
    parse_canonical: Callable[[str, Tree], A]
    marking_rule: Phrase
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
        """The sentence that tells a student what to write, with the signs of the spelling in its example."""
        return language.say(self.ask, example=language.reply(self.example))

    def with_valid_policy(self, terms: Terms) -> Terms:
        """The terms with the usual policy where they name one that is for other forms."""
        if not self.policies or self.is_credited_by(terms.policy.name):
            return terms
        return replace(terms, policy=USUAL_POLICIES.get(self.policies[0], Policy(self.policies[0])))

    def is_credited_by(self, policy: PolicyName) -> bool:
        """Return whether replies can be credited by a policy, be it only those to earlier exercises."""
        return policy in self.policies or policy in self.earlier_policies

    def parse(self, text: str, tree: Tree) -> A:
        """The answer that is written as this text and no other; the inverse of `write`.

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
            verdict: Verdict = "right" if self.is_same(reply, key, terms.digits) else "wrong"
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
        gain = follow_through_gain(strict.share, followed.share, by_itself)
        if not gain:
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
        """The blanks with what is right in each and what that is worth."""
        blanks = self.blank_codec.lay_out(tree, terms)
        return replace(blanks, blanks=tuple(self.blank_codec.solve(blanks.blanks, key, tree, terms)))

    def printed_blanks(self, tree: Tree, terms: Terms) -> Blanks:
        """The blanks that a paper has: the cells of a table, or one, without a label, for the whole reply."""
        blanks = self.blank_codec.lay_out(tree, terms)
        in_table = self.answer_space.shape in ("table", "windows")
        return blanks if in_table or not blanks.blanks[0].label else Blanks("", (Blank(),))

    def paper_boxes(self, tree: Tree, terms: Terms, entry: NumberEntry) -> PaperBoxes:
        """The boxes on a paper that is scanned, with numbers entered in this way."""
        return boxes_on_paper(self.printed_blanks(tree, terms), tree, terms.language, entry)

    def reply_from_blanks(
        self, asked: Sequence[Blank], filled: Sequence[str], tree: Tree, terms: Terms
    ) -> str:
        """The reply that filled blanks stand for: what a student would have written on paper.

        `filled` is aligned with the blanks: the text in a box, or the chosen options joined by `; `.
        The reply is empty when all of them are. Raises `BlankError` for what cannot be read.
        """
        texts = [" ".join(text.split()) for text in filled]
        return self.blank_codec.read(asked, texts, tree, terms) if any(texts) else ""


AnyForm = Form[Any]
"""A form whose answer type is not known at the place that handles it."""
