"""Reads the numbers for which something holds: `x <= 5/4 or x >= 15/2`, `[3, 5)`, `always`, `never`."""

from functools import reduce

from grader.answers.number import read_amount
from grader.answers.reply import Reply, UnreadableError, UnsureError
from grader.answers.reply_tokens import BASIC, SPELLED, Token
from grader.answers.vocabulary import unquote_name, write_name
from grader.base.intervals import (
    ALL_NUMBERS,
    EMPTY_SET,
    Spans,
    complement,
    intersection,
    numbers_related_to,
    union,
)
from grader.base.numbers import INFINITY, Bound
from grader.base.phrases import Phrase
from grader.trees.tree import Tree

MAX_BRACKET_DEPTH = 30
"""The most brackets around a condition, one in another."""

_SIGNS = {"LT": "<", "GT": ">", "LE": "<=", "GE": ">=", "EQUALS": "=", "NE": "!=", "NOT": "!="}
_SIGNS |= {"BELOW": "<", "ABOVE": ">", "LESS": "<", "MORE": ">", "LEAST": ">=", "MOST": "<="}
_OR_FURTHER = {"MORE": ">=", "ABOVE": ">=", "LESS": "<=", "BELOW": "<="}
"""What the kinds of tokens say of a number: `less than 3`, and `3 or more`."""
_OPPOSITE = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "!=": "!="}

_COMPARING = (*_SIGNS, "AT")
_COMPARING_WORDS = ("LESS", "MORE", "AT")
"""The comparisons read after `everything`; a sign there may be a slip: `all >= 12`."""
_PARTING = ("COMMA", "SEMICOLON")
_REACHING = ("TO", "DOTS", "DASH", "LONGDASH")
_AMOUNT = ("PLUS", "DASH", "NUMERAL", "VULGAR", "INF")
_BEGINNING = ("LBRACKET", "LPAREN", "RBRACKET")
_ENDING = ("RBRACKET", "RPAREN", "LBRACKET")
_KINDS = BASIC.union(
    (*_COMPARING, *_PARTING, *_REACHING, *_AMOUNT, *_BEGINNING, *_ENDING),
    ("LBRACE", "RBRACE", "BAR", "COLON", "BACKSLASH", "DOT", "ALL", "ALWAYS", "NEVER", "NONE", "NO", "VALUE"),
    ("THAN", "EQUAL", "OR", "AND", "IN", "OUTSIDE", "BETWEEN", "EXCEPT", "OF", "WITH", "CLOSED", "OPEN"),
)

_EXAMPLE = Phrase("write a condition, for example x <= 5/4 or x >= 15/2")


def read_spans(reply: Reply) -> Spans:
    """Read comparisons, brackets and sets of numbers, joined by `and` and `or`.

    Raises `UnsureError` with both answers if words or signs with two meanings change the answer.
    """
    doubts: list[Phrase] = []
    answer = _Conditions(reply, other=False, doubts=doubts).read()
    if doubts:
        other = _Conditions(reply, other=True, doubts=doubts).read()
        if other != answer:
            raise UnsureError(doubts[0], (answer, other))
    return answer


class _Conditions:
    """One reading of a reply: of two possible meanings, the likelier or the `other` one.

    Doubtful places are added to `doubts`.
    """

    def __init__(self, reply: Reply, *, other: bool, doubts: list[Phrase]) -> None:
        self.reply, self.other, self.doubts = reply, other, doubts
        self.cursor = reply.cursor(_KINDS)
        self.open_brackets = list[Token]()

    def _doubt(self, why: Phrase, likelier: Spans, other: Spans) -> Spans:
        """Return one of two readings."""
        self.doubts.append(why)
        return other if self.other else likelier

    def read(self) -> Spans:
        """Read conditions with commas between: one of them, or all, unless only one makes sense."""
        cursor, sets, plain = self.cursor, list[Spans](), list[Token]()
        while not sets or (cursor.optional(*_PARTING) and cursor.kind not in ("", "DOT")):
            first = cursor.tokens[cursor.place : cursor.place + 1]
            sets.append(self._reaching() or self._union())
            if sets[-1] in (EMPTY_SET, ALL_NUMBERS):
                plain += first
        cursor.many("DOT")
        cursor.end()
        if plain and len(sets) > 1:  # `x <= 3, no`
            raise self.reply.misplaced(plain[0])
        either, both = union(span for spans in sets for span in spans), reduce(intersection, sets)
        if either == both or not both:
            return either
        if either == ALL_NUMBERS:
            return both
        return self._doubt(Phrase('the comma could mean "and" or "or"'), either, both)

    def _reaching(self) -> Spans:
        """Read `x from 3 to 5`; empty, and at the same place, if the text is something else."""
        cursor, start = self.cursor, self.cursor.place
        variable = cursor.optional(*SPELLED)
        cursor.optional("OF")
        if cursor.kind in _AMOUNT:
            low = self._bound()
            if reaching := cursor.optional(*_REACHING):
                self._check_variable(*variable)
                high = self._bound()
                ends = self._ends()
                found = self._between(low, high, reaching[0])
                return _span(low, ">", high, "<") if ends is not None and ends.type == "OPEN" else found
        cursor.place = start
        return EMPTY_SET

    def _union(self) -> Spans:
        """Read conditions joined by `or`."""
        found = self._meet()
        while self.cursor.optional("OR"):
            found = union((*found, *self._meet()))
        return found

    def _inner_union(self, opening: Token) -> Spans:
        """Read conditions in brackets; raises `UnreadableError` for too many in one another."""
        self.open_brackets.append(opening)
        if len(self.open_brackets) > MAX_BRACKET_DEPTH:
            raise UnreadableError(
                "there are too many parentheses or brackets",
                self.open_brackets[0].start_pos,
                "write it in this form: x <= 5/4 or x >= 15/2",
            )
        found = self._union()
        self.open_brackets.pop()
        return found

    def _meet(self) -> Spans:
        """Read conditions joined by `and`; if no number satisfies them all, `or` may have been meant."""
        sets = [self._condition()]
        while self.cursor.optional("AND"):
            sets.append(self._condition())
        both = reduce(intersection, sets)
        if not both and all(sets):
            either = union(span for spans in sets for span in spans)
            why = Phrase('no number satisfies both conditions; if only one of them must hold, use "or"')
            return self._doubt(why, both, either)
        return both

    def _condition(self) -> Spans:
        """Read one condition: `always`, `never`, or a predicate of the variable, which may be omitted."""
        cursor = self.cursor
        if cursor.optional("NEVER", "NONE"):
            return EMPTY_SET
        if cursor.optional("NO"):
            self._check_variable(*cursor.optional(*SPELLED))
            return EMPTY_SET
        is_all = cursor.optional("ALL", "ALWAYS")
        noun = cursor.optional("VALUE")
        if noun:
            cursor.optional("OF")
        variable = cursor.optional(*SPELLED)
        self._check_variable(*variable)
        if is_all and variable and cursor.optional("WITH"):
            self._check_variable(cursor.need(*SPELLED))
        if is_all and cursor.optional("EXCEPT", "BACKSLASH"):
            return complement(self._range() if cursor.kind in (*_BEGINNING, "LBRACE") else self._point())
        if is_all and not (noun or variable or cursor.kind in _COMPARING_WORDS):
            return ALL_NUMBERS
        if is_all and cursor.kind not in (*_COMPARING, *_AMOUNT, "IN"):
            return ALL_NUMBERS
        return self._predicate(is_named=bool(is_all or noun or variable))

    def _predicate(self, *, is_named: bool) -> Spans:
        """Read a predicate of the variable, which may also follow a number: `3 < x <= 5`."""
        cursor = self.cursor
        if is_named and (cursor.optional("OUTSIDE") or (cursor.following == "IN" and cursor.optional("NOT"))):
            cursor.optional("IN")
            return complement(self._range())
        if cursor.kind in _COMPARING:
            return numbers_related_to(self._relation(), self._bound())
        if cursor.optional("BETWEEN"):
            low = self._bound()
            cursor.need("AND")
            low, high = sorted((low, self._bound()))
            open_ends, closed = _span(low, ">", high, "<"), _span(low, ">=", high, "<=")
            if ends := self._ends():
                return closed if ends.type == "CLOSED" else open_ends
            return self._doubt(Phrase('"between" could include or exclude the endpoints'), closed, open_ends)
        if cursor.kind in _AMOUNT:
            return self._about_number(is_named=is_named)
        start, in_brackets = cursor.place, cursor.kind == "LPAREN" and not is_named
        cursor.optional("IN")
        try:
            return self._range()
        except UnreadableError:
            if not in_brackets or cursor.tokens[cursor.place - 1].type in _ENDING:
                raise
        cursor.place = start + 1  # of a condition
        found = self._inner_union(cursor.tokens[start])
        cursor.need("RPAREN")
        return found

    def _ends(self) -> Token | None:
        """Read whether the ends belong to a range, `, both included`; None if this is not stated."""
        cursor = self.cursor
        if cursor.kind == "COMMA" and cursor.following in ("CLOSED", "OPEN"):
            cursor.need("COMMA")
        return next(iter(cursor.optional("CLOSED", "OPEN")), None)

    def _about_number(self, *, is_named: bool) -> Spans:
        """Read `3 or more`, `3 < x` or `3 < x <= 5`."""
        cursor, place = self.cursor, self.cursor.tokens[self.cursor.place].start_pos
        bound = self._bound()
        if cursor.kind in ("OR", "AND") and cursor.following in _OR_FURTHER:
            cursor.need("OR", "AND")
            return numbers_related_to(_OR_FURTHER[cursor.need(*_OR_FURTHER).type], bound)
        if cursor.kind not in _COMPARING and not is_named:
            raise UnreadableError(
                "a condition on {name} is needed, not one number",
                place,
                _EXAMPLE,
                name=variable_name(self.reply.tree),
            )
        left = numbers_related_to(_OPPOSITE[self._relation()], bound)
        self._check_variable(cursor.need(*SPELLED))
        if cursor.kind not in _COMPARING:
            return left
        return intersection(left, numbers_related_to(self._relation(), self._bound()))

    def _relation(self) -> str:
        """Read a sign or words that compare: `<=`, `less than or equal to`, `at least`."""
        cursor = self.cursor
        kind = cursor.need(*_COMPARING[:-3], "AT").type
        if kind == "AT":
            return _SIGNS[cursor.need("LEAST", "MOST").type]
        sign = _SIGNS[kind]
        if kind in ("LESS", "MORE"):
            cursor.need("THAN")
            if cursor.optional("OR"):
                cursor.need("EQUAL")
                cursor.optional("TO")
                sign += "="
        elif kind in ("LT", "GT") and cursor.optional("EQUALS"):
            sign += "="
        return sign

    def _range(self) -> Spans:
        """Read `[3, 5)`, `]3, 5]`, `{3, 5}`, `{}` or `{x | x <= 3}`."""
        cursor = self.cursor
        brace = cursor.optional("LBRACE")
        if not brace:
            first = cursor.need(*_BEGINNING)
            low = self._bound()
            cursor.need(*_PARTING, "TO", "DOTS")
            high = self._bound()
            return self._between(low, high, first, cursor.need(*_ENDING))
        found = EMPTY_SET
        if cursor.kind in SPELLED:
            self._check_variable(cursor.need(*SPELLED))
            cursor.need("BAR", "COLON")
            found = self._inner_union(brace[0])
        elif cursor.kind != "RBRACE":
            found = self._point()
            while cursor.optional(*_PARTING):
                found = union((*found, *self._point()))
        cursor.need("RBRACE")
        return found

    def _between(self, low: Bound, high: Bound, first: Token, last: Token | None = None) -> Spans:
        """Return the numbers from `low` to `high`; the brackets `first` and `last` say if these belong.

        Without `last`, both ends do. Raises `UnreadableError` if `low` is above `high`.
        """
        if low > high:
            message = Phrase("the endpoints of the interval are in the wrong order")
            raise UnreadableError(
                message, first.start_pos if last else 0, "write the interval in this form: [3, 5]"
            )
        above = ">=" if last is None or first.type == "LBRACKET" else ">"
        return _span(low, above, high, "<=" if last is None or last.type == "RBRACKET" else "<")

    def _point(self) -> Spans:
        return numbers_related_to("=", self._bound())

    def _bound(self) -> Bound:
        """Read a number or an infinity with its sign."""
        tokens = self.cursor.amount()
        if tokens[-1].type == "INF":
            return -INFINITY if tokens[0].type == "DASH" else INFINITY
        return read_amount(self.reply, tokens).value

    def _check_variable(self, *tokens: Token) -> None:
        """Raise `UnreadableError` for a word that is not the unknown payoff, its leaf or `x`."""
        for token in tokens:
            name = self.reply.slice(token)
            name = (unquote_name(name) if token.type == "STRING" else name).casefold()
            tree = self.reply.tree
            known = {"x", "v", "value"} | {str(tree.payoffs[leaf]).casefold() for leaf in tree.unknowns}
            known |= {tree.names[leaf].casefold() for leaf in tree.unknowns}
            if name not in known:
                raise self.reply.misplaced(token, hint=_EXAMPLE)


def _span(low: Bound, above: str, high: Bound, below: str) -> Spans:
    return intersection(numbers_related_to(above, low), numbers_related_to(below, high))


def variable_name(tree: Tree) -> str:
    """Return the letter of the unknown payoff, `x` if there are several or none."""
    unknowns = {str(tree.payoffs[leaf]) for leaf in tree.unknowns}
    return write_name(unknowns.pop()) if len(unknowns) == 1 else "x"
