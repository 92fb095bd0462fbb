"""Hypothesis strategies for game trees that reach the hard cases: depth, ties, chains, chance, players."""

from fractions import Fraction
from functools import cache
from operator import add
from random import Random
from string import ascii_letters, digits

from hypothesis import strategies as st

from grader.base.numbers import Number, normalize_number
from grader.base.safe_text import skeleton, unsafe_places
from grader.trees.annotations import Attributes, Header
from grader.trees.rules import Rules
from grader.trees.tree import Claim, Payoff, Player, Tree
from grader.trees.tree_builder import TreeBuilder

TIED = st.integers(-2, 3)
"""So few payoffs that ties are everywhere."""

WHOLE = st.integers(-99, 99)

FRACTIONS = st.builds(
    lambda top, below: normalize_number(Fraction(top, below)), st.integers(-30, 30), st.integers(1, 12)
)

NUMBERS: st.SearchStrategy[Number] = st.one_of(TIED, WHOLE, FRACTIONS)

WORDS = st.builds(
    add, st.sampled_from(f"{ascii_letters}_"), st.text(f"{ascii_letters}{digits}_'", max_size=5)
).filter(
    lambda word: word.upper() not in {"MAX", "MIN", "CHANCE"} and not (len(word) == 2 and word[0] in "Pp")
)
"""Names and moves that need no quotes."""

QUOTED = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp")),
    min_size=1,
    max_size=8,
).filter(lambda text: not list(unsafe_places(text)))
"""Names and moves of any printable characters: spaces, quotes, backslashes, digits, other scripts."""

# One strategy for all nodes: making one takes as long as drawing from it.
LABELS = st.none() | WORDS | QUOTED
"""A name, a move, or none."""

EVALUATIONS = st.none() | NUMBERS
FEATURES = st.none() | st.lists(NUMBERS, min_size=1, max_size=3).map(tuple)
COUNTS = st.none() | st.integers(0, 99)

UNKNOWNS = st.sampled_from(("x", "y", "z"))


@cache
def weighted(count: int) -> st.SearchStrategy[list[int]]:
    """Weights of so many branches of a chance node, not all of them 0."""
    return st.lists(st.integers(0, 4), min_size=count, max_size=count).filter(any)


@st.composite
def trees(
    draw: st.DrawFn,
    *,
    plies: int = 6,
    branching: int = 3,
    leaves: int = 30,
    payoffs: st.SearchStrategy[Number] | None = None,
    chance: bool = False,
    seats: int = 0,
    unary: bool = True,
    unknowns: bool = False,
    names: bool = False,
    moves: bool = False,
    claims: bool = False,
    crosses: bool = False,
    attributes: bool = False,
    headers: bool = False,
) -> Tree:
    """A tree of at most `plies` plies and about `leaves` leaves, some path as deep as was drawn.

    With `seats` (2 to 9) players P1, P2, ... move and payoffs are vectors; with `chance` chance may
    move anywhere, its probabilities given (zeros too) or uniform. The other flags decorate nodes.
    """
    pool: tuple[Player, ...] = (Player.MAX, Player.MIN)
    if seats:
        pool = tuple(Player(f"P{seat + 1}") for seat in range(seats))
    alternating = draw(st.booleans())
    few_payoffs = draw(st.booleans())
    numbers = payoffs if payoffs is not None else (TIED if few_payoffs else NUMBERS)
    used: set[str] = set()
    planting = TreeBuilder()
    planted_leaves = 0

    def fresh_name() -> str | None:
        name = draw(LABELS)
        if name is None or skeleton(name) in used:
            return None
        used.add(skeleton(name))
        return name

    def number_or_vector() -> Number | tuple[Number, ...]:
        return tuple(draw(numbers) for _ in range(seats)) if seats else draw(numbers)

    def claim(ordered: bool) -> Claim | None:
        if not claims or not draw(st.booleans()):
            return None
        relation = draw(st.sampled_from(("=", "<=", ">="))) if ordered else "="
        return Claim(relation, number_or_vector())

    def attribute() -> Attributes | None:
        if not attributes or not draw(st.booleans()):
            return None
        found = Attributes(
            evaluation=draw(EVALUATIONS),
            features=draw(FEATURES),
            visits=draw(COUNTS),
            wins=draw(COUNTS),
        )
        return None if found == Attributes() else found

    def grow(parent: int, depth: int, to_go: int, probability: Number | None) -> None:
        nonlocal planted_leaves
        is_leaf = to_go == 0
        payoff: Payoff | None = None
        player: Player | None = None
        if is_leaf:
            planted_leaves += 1
            unknown = unknowns and draw(st.integers(0, 5)) == 5
            payoff = draw(UNKNOWNS) if unknown else number_or_vector()
        elif chance and draw(st.integers(0, 2)) == 2:
            player = Player.CHANCE
        else:
            player = pool[depth % len(pool)] if alternating else draw(st.sampled_from(pool))
        named = names and not isinstance(payoff, str)
        node = planting.add(
            parent,
            player,
            payoff,
            name=fresh_name() if named else None,
            move=draw(LABELS) if moves and parent >= 0 else None,
            probability=probability,
            claim=None if is_leaf else claim(ordered=not seats),
            cross=crosses and parent >= 0 and draw(st.integers(0, 3)) == 3,
            attributes=attribute(),
        )
        if is_leaf:
            return
        count = draw(st.integers(1 if unary else 2, branching))
        if planted_leaves >= leaves:
            count = 1
        shares: list[Number | None] = [None] * count
        if player is Player.CHANCE and draw(st.booleans()):
            weights = draw(weighted(count))
            shares = [normalize_number(Fraction(weight, sum(weights))) for weight in weights]
        spine = draw(st.integers(0, count - 1))
        for place in range(count):
            deep = place == spine or draw(st.booleans())
            grow(node, depth + 1, to_go - 1 if deep else draw(st.integers(0, to_go - 1)), shares[place])

    grow(-1, 0, draw(st.integers(0, plies)), None)
    return planting.tree(draw(header(chance)) if headers else None)


@st.composite
def header(draw: st.DrawFn, chance: bool = False) -> Header:
    """Header lines that go together; bounds wide enough for all payoffs of these strategies."""
    ties = draw(st.sampled_from((None, "cut", "keep")))
    return Header(
        title=draw(st.none() | QUOTED),
        source=draw(st.none() | QUOTED),
        order=draw(st.sampled_from((None, "left-to-right", "right-to-left"))),
        ties=ties,
        test=draw(st.sampled_from((None, "value", "window"))),
        returns=draw(st.sampled_from((None, "soft") if ties == "keep" else (None, "soft", "hard"))),
        bounds=draw(st.sampled_from((None, (-99, 99), (-100, normalize_number(Fraction(201, 2))))))
        if chance
        else None,
        depth=draw(st.none() | st.integers(0, 6)),
        window=draw(st.sampled_from((None, (-2, 1)))) if chance else None,
        weights=draw(FEATURES),
        numbers=draw(st.sampled_from((None, "fractions", "decimals"))),
    )


def rules(*, ties: str | None = None) -> st.SearchStrategy[Rules]:
    """Conventions that go together, without bounds and depth."""
    return st.builds(
        lambda order, test, convention: Rules(
            order=order, test=test, ties=convention[0], returns=convention[1]
        ),
        st.sampled_from(("left-to-right", "right-to-left")),
        st.sampled_from(("value", "window")),
        st.sampled_from(
            [pair for pair in (("cut", "soft"), ("cut", "hard"), ("keep", "soft")) if ties in (None, pair[0])]
        ),
    )


def random_tree(
    random: Random,
    *,
    plies: int = 6,
    branching: int = 3,
    leaves: int = 24,
    payoffs: tuple[int, ...] = (0, 1, 2, 3),
    chance: bool = False,
) -> Tree:
    """A tree for campaigns too long for Hypothesis: one path of `plies` plies, ties forced by few payoffs."""
    planting = TreeBuilder()
    planted_leaves = 0
    alternating, first = random.random() < 0.7, random.randrange(2)

    def grow(parent: int, depth: int, to_go: int, probability: Number | None) -> None:
        nonlocal planted_leaves
        if to_go == 0:
            planted_leaves += 1
            planting.add(parent, None, random.choice(payoffs), probability=probability)
            return
        turn = (first + depth) % 2 if alternating else random.randrange(2)
        player = Player.CHANCE if chance and random.random() < 0.3 else (Player.MAX, Player.MIN)[turn]
        node = planting.add(parent, player, probability=probability)
        count = (
            1 if planted_leaves >= leaves else random.randint(1 if random.random() < 0.2 else 2, branching)
        )
        shares: list[Number | None] = [None] * count
        if player is Player.CHANCE:
            weights = [random.randint(0 if random.random() < 0.2 else 1, 3) for _ in range(count)]
            weights[random.randrange(count)] += 1
            shares = [normalize_number(Fraction(weight, sum(weights))) for weight in weights]
        spine = random.randrange(count)
        for place in range(count):
            deep = place == spine or random.random() < 0.5
            grow(node, depth + 1, to_go - 1 if deep else random.randrange(to_go), shares[place])

    grow(-1, 0, random.randint(1, plies), None)
    return planting.tree()
