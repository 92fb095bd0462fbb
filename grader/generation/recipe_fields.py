"""The tables and fields of a recipe, and the mistakes that are reported in one."""

from typing import Any, get_args

from grader.answers.form import Policy
from grader.answers.policies import POLICY_SPELLINGS, PolicyError, read_policy, write_policy
from grader.generation.recipe import (
    LENIENT_LIMITS,
    MAX_TREE_LEAVES,
    MAX_TREE_PLIES,
    USUAL_LIMITS,
    BestLeaf,
    Evenly,
    MeasureName,
    OtherTies,
    Separate,
    Size,
)
from grader.generation.shape import Naming, Odds
from grader.questions import KIND_NAMES, all_kinds, complete_code, find_kind
from grader.questions.given import Given
from grader.questions.kind import AnyKind
from grader.tables.schema import Field, Schema, SchemaTable
from grader.tables.toml import did_you_mean, quoted_choice
from grader.tables.toml_values import (
    BOOLEAN,
    LINE,
    NUMBER,
    POINTS,
    POSITIVE,
    SHARE,
    TEXT,
    InvalidValueError,
    ValueType,
    list_of,
    one_word_of,
    pair,
    whole_number,
)
from grader.trees.notation.diagnostics import clip
from grader.trees.rules import CHOICES
from grader.trees.tree import Player


def _kind(value: Any) -> AnyKind:
    """Return the kind with this code.

    Raises `InvalidValueError` if there is none, and if the code names a module with several questions.
    """
    if not isinstance(value, str):
        raise InvalidValueError("type")
    code = LINE.read(value)
    kind = find_kind(code)
    if kind is None:
        codes = complete_code(code)
        if code in KIND_NAMES:
            message = f"{code} asks several questions, but only one can be used here"
            raise InvalidValueError("kind", message, f"take {', '.join(codes)}")
        hint = f"take {', '.join(codes)}" if len(codes) > 1 else ""
        hint = (
            hint
            or did_you_mean(code, tuple(each.code for each in all_kinds()))
            or "`gametree kinds` lists them"
        )
        raise InvalidValueError("kind", f"there is no kind {clip(code)!r}", hint)
    return kind


def _policy(value: Any) -> Policy:
    """Return the policy in a text. Raises `InvalidValueError` if there is none."""
    try:
        return read_policy(LINE.read(value))
    except PolicyError as error:
        raise InvalidValueError("value", str(error)) from None


def policy_objection(kind: AnyKind, policy: Policy) -> tuple[str, str] | None:
    """Return why a kind cannot be marked by a policy, with a hint; None if it can."""
    policies = kind.form.policies
    if kind.form.is_credited_by(policy.name):
        return None
    if policies:
        return f"a {kind.code!r} question cannot be marked with {policy.name!r}", _policies_hint(kind)
    others = ", ".join(each.code for each in all_kinds() if each.form.policies)
    return f"a {kind.code!r} question has no policy", f"leave it out; policies are for {others}"


def earlier_policy_objection(kind: AnyKind, policy: Policy) -> tuple[str, str] | None:
    """Return why no new exercise of a kind may be marked by a policy, with a hint; None if it may.

    Exercises and exams that have the policy are marked by it as before.
    """
    if policy.name not in kind.form.earlier_policies:
        return None
    return f"a new {kind.code!r} question cannot be marked with {policy.name!r}", _policies_hint(kind)


def _policies_hint(kind: AnyKind) -> str:
    """Return which policies a kind has, and an example of the one to prefer."""
    policies = kind.form.policies
    known = ", ".join(POLICY_SPELLINGS.get(name, name) for name in policies)
    hint = f"its policies are {known}" if len(policies) > 1 else f"its only policy is {known}"
    return f'{hint}; write for example "keep:1/2"' if "keep" in policies else hint


def _beliefs(value: Any) -> tuple[str, ...] | None:
    """Return the named beliefs; None stands for "all", an empty tuple for "none"."""
    if value in ("all", "none"):
        return None if value == "all" else ()
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise InvalidValueError("type")
    return tuple(value)


def _all_or_listed(names: tuple[str, ...] | None) -> str | list[str]:
    return "all" if names is None else list(names)


def _given(value: Any) -> Given:
    """Return a TOML table as what a case is given. Raises `InvalidValueError` for a date in it."""
    if not isinstance(value, dict):
        raise InvalidValueError("type")
    try:
        return Given(value)
    except (TypeError, ValueError):
        raise InvalidValueError("value", "dates cannot be given") from None


def _player(value: Any) -> Player:
    return Player(one_word_of(("MAX", "MIN")).read(value))


def _branching(value: Any) -> Any:
    """Return one number or range for all levels, or a tuple with a range for each."""
    if not isinstance(value, list):
        return _CHILDREN.read(value)
    return tuple(_SPAN.read(level if isinstance(level, list) else [level, level]) for level in value)


def _spans(spans: Any) -> list[Any]:
    return [low if low == high else [low, high] for low, high in spans]


def _levels(value: Any) -> tuple[int, ...]:
    return tuple(sorted(list_of(whole_number(0, MAX_TREE_PLIES - 1), "levels").parse(value)))


_CHILDREN = whole_number(1, MAX_TREE_LEAVES)
_SPAN = pair(_CHILDREN, "counts", "[2, 4]")
_BELIEFS = ValueType('"all", "none" or a list of beliefs', '["shallow-only"]', _beliefs, _all_or_listed)
_BRANCHING = ValueType("a number of children, or a list with one for each level,", "3", _branching, _spans)
_COUNT = whole_number(0, MAX_TREE_LEAVES)
_LEVELS = ValueType("a list of levels, 0 being the root,", "[1]", _levels, list)
_NUMBERS = pair(NUMBER, "numbers", "[0, 40]")
_PLAYER = ValueType(quoted_choice(("MAX", "MIN")), '"MIN"', _player, str)
_POLICY = ValueType("a policy", '"net"', _policy, write_policy)

GIVEN = ValueType(
    "a table of what the kind gives in addition to the tree,",
    "{seconds = 60, rate = 1000}",
    _given,
    Given.to_json,
)
"""The given values of a question, in recipes and blueprints."""

KIND = Field(
    "kind",
    ValueType("a kind of question in quotes", '"pruned-paths"', _kind),
    "What is asked; `gametree kinds` lists the kinds.",
    is_required=True,
)
SIZE = Field(
    "size",
    one_word_of(get_args(Size)),
    "What the trees are for; what else the recipe states changes them.",
    '"homework"',
)
"""The size of a question, in recipes and blueprints."""

RULES = (
    Field(
        "order",
        one_word_of(CHOICES["order"]),
        "The order in which children are visited.",
        default='"left-to-right"',
    ),
    Field(
        "ties",
        one_word_of(CHOICES["ties"]),
        "Whether equal values prune (cut), or only better ones (keep).",
        default='"cut"',
    ),
    Field(
        "test",
        one_word_of(CHOICES["test"]),
        "What is tested: the value, or the window after its update.",
        default='"value"',
    ),
    Field(
        "returns",
        one_word_of(CHOICES["returns"]),
        "What a node with a cutoff returns: its value so far (soft) or the bound (hard).",
        default='"soft"',
    ),
    Field(
        "bounds",
        _NUMBERS,
        "The limits known for all payoffs; the search starts with them at the root.",
        default="none",
    ),
    Field("window", _NUMBERS, "The window with which the search starts at the root.", default="none"),
)
"""The conventions, in recipes and blueprints."""

TERMS = (
    Field("points", POINTS, "The full mark.", default="1"),
    Field("policy", _POLICY, 'How sets ("keep:1/2", "net", "deduct:1/2") and tables ("players") are marked.'),
    Field("digits", whole_number(0, 30), "How many decimals a rounded number needs.", default="2"),
    Field("every", BOOLEAN, "Whether all optimal answers are required, not just one.", default="false"),
    Field("decimal_comma", BOOLEAN, "Whether people read and write 2,5 for 2.5.", default="false"),
)
"""The terms of a question, in recipes and blueprints."""

_SHAPE = (
    Field(
        "plies",
        whole_number(1, MAX_TREE_PLIES),
        "How many moves lead from the root to a leaf.",
        "3",
        is_required=True,
    ),
    Field(
        "branching", _BRANCHING, "How many children: 3, or by level [3, 2], [3, [2, 4]].", is_required=True
    ),
    Field("root", _PLAYER, "Who moves first."),
    Field("chance", _LEVELS, "The levels at which chance moves, 0 being the root."),
    Field(
        "probabilities",
        one_word_of(get_args(Odds)),
        "How likely outcomes are: all equally, or in easy numbers.",
    ),
    Field("names", one_word_of(get_args(Naming)), "What inner nodes are called."),
    Field("leaves", pair(_CHILDREN, "counts", "[13, 15]"), "How many leaves, of those the branching allows."),
)
_PAYOFFS = (
    Field("range", _NUMBERS, "The least and the greatest payoff.", is_required=True),
    Field("step", POSITIVE, "The step between possible payoffs."),
    Field("distinct", BOOLEAN, "Whether no two leaves have the same payoff."),
)
_REQUIRE = (
    Field("pruned", pair(_COUNT, "counts", "[6, 9]"), "How many leaves alpha-beta search prunes."),
    Field("visited", pair(_COUNT, "counts", "[7, 9]"), "How many leaves alpha-beta search visits."),
    Field("alpha_cuts", _COUNT, "The fewest cutoffs at MIN nodes."),
    Field("beta_cuts", _COUNT, "The fewest cutoffs at MAX nodes."),
    Field("chance_cuts", _COUNT, "The fewest cutoffs at chance nodes."),
    Field("deep_cuts", _COUNT, "The fewest cutoffs by a value from above the parent."),
    Field("subtree_cuts", _COUNT, "The fewest pruned branches with two or more leaves below them."),
    Field("one_optimal_move", BOOLEAN, "Whether only one move at the root is optimal."),
    Field(
        "best_leaf",
        one_word_of(get_args(BestLeaf)),
        "The branches of the root that may contain the best move.",
    ),
    Field("ties", one_word_of(get_args(OtherTies)), "Whether the other tie rule prunes the same leaves."),
    Field("places", whole_number(0, 30), "The most decimals that the value of any node needs."),
)
_DEFAULT = Separate()
_SAME_UNLESS_LENIENT = "{} unless you set it, {} by net or deduct."
_SEPARATE = (
    Field("key", _BELIEFS, "Beliefs that must lead to an answer other than the correct one."),
    Field("each_other", _BELIEFS, "Beliefs that must lead to different answers."),
    Field(
        "most",
        SHARE,
        "The most that a mistake may earn; "
        + _SAME_UNLESS_LENIENT.format(USUAL_LIMITS.most, LENIENT_LIMITS.most),
    ),
    Field(
        "average",
        SHARE,
        "The same on average; " + _SAME_UNLESS_LENIENT.format(USUAL_LIMITS.average, LENIENT_LIMITS.average),
    ),
    Field(
        "spread", SHARE, f"By how much this may differ between variants; {_DEFAULT.spread} unless you set it."
    ),
    Field(
        "mean_spread",
        SHARE,
        f"The same of the average of all mistakes; {_DEFAULT.mean_spread} unless you set it.",
    ),
    Field("mild", list_of(TEXT, "beliefs"), "Beliefs that may earn more because they get little wrong."),
)
_VARIANTS = (
    Field(
        "same",
        list_of(one_word_of(get_args(MeasureName)), "measures"),
        "The measures in which all variants agree.",
    ),
    Field(
        "evenly",
        one_word_of(get_args(Evenly)),
        "What is spread evenly over the variants, so that guessing does not pay.",
    ),
)
_BODY = SchemaTable(
    "recipe",
    "What a good exercise of a kind looks like.",
    (
        KIND,
        SIZE,
        Field("cap", whole_number(1, 10**9), "How many trees are tried for one exercise.", "200000"),
        Field("given", GIVEN, "Fixed values for what the kind states, such as a rule."),
        SchemaTable("shape", "The shape of the trees.", _SHAPE, is_required=True),
        SchemaTable("payoffs", "The payoffs at the leaves.", _PAYOFFS, is_required=True),
        SchemaTable("rules", "The conventions of the search.", RULES),
        SchemaTable("require", "Requirements for every tree.", _REQUIRE),
        SchemaTable(
            "separate", "Which beliefs must show, of those that `gametree kinds KIND` lists.", _SEPARATE
        ),
        SchemaTable("variants", "What parallel variants have in common.", _VARIANTS),
        SchemaTable("question", "How a reply is marked.", TERMS),
    ),
    optional_entries=lambda values: (
        ()
        if "kind" not in values or (values["kind"].needs_tree and "size" not in values)
        else ("shape", "payoffs")
    ),
)

_CODES = {
    "recipe-syntax": "The text is not TOML.",
    "recipe-key": "There is no such field.",
    "recipe-missing": "A field that every recipe needs is missing.",
    "recipe-type": "A value is of the wrong type.",
    "recipe-value": "A value is out of range.",
    "recipe-kind": "There is no such kind of question.",
    "recipe-given": "The kind states nothing of that name.",
    "recipe-policy": "The kind is marked without a policy.",
    "recipe-belief": "The kind has no such belief.",
    "recipe-rules": "Rules contradict each other.",
    "recipe-shape": "The kind asks about no tree.",
    "recipe-wide": "The tree has too many leaves.",
    "recipe-chance": "The kind cannot be asked about such a tree.",
    "recipe-payoffs": "There are too few different payoffs.",
    "recipe-bounds": "The bounds exclude a payoff, the window excludes all, or they do not suit the kind.",
    "recipe-pruned": "No tree prunes that many leaves.",
    "recipe-cuts": "No tree has that many such cutoffs.",
    "recipe-ties": "Distinct payoffs leave the tie rule nothing to decide.",
    "recipe-separate": "A belief can never differ from the key.",
}

RECIPE = Schema(
    "recipe",
    _BODY,
    64 * 1024,
    'write name = "text", name = 3 or name = [3, 4]; `gametree help recipe` lists all fields',
    _CODES,
)
"""The recipe of a file, and of a question in a blueprint."""
