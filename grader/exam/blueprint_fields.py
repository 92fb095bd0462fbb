"""The tables and fields of a blueprint, and the mistakes that are reported in one."""

import datetime
from dataclasses import replace
from typing import Any, get_args

from grader.base.phrases import Phrase
from grader.exam.manifest import MissingPolicy
from grader.exam.paper import PaperSize, ScanMode, TreeLayout
from grader.generation.recipe_fields import GIVEN, KIND, RULES, SIZE, TERMS
from grader.tables.schema import Field, Schema, SchemaTable
from grader.tables.toml_values import (
    BOOLEAN,
    LINE,
    POINTS_OR_DROPPED,
    SHARE,
    TEXT,
    InvalidValueError,
    ValueType,
    one_word_of,
    whole_number,
)

EXAMPLE_SECRET = "change me before the exam"
"""The secret of the examples, which everybody knows."""

EXAMPLE_TEXTS = (
    Phrase("Midterm: adversarial search"),
    Phrase("Quiz: alpha-beta pruning"),
    Phrase("CS 101 Introduction to Artificial Intelligence"),
    Phrase("You have 20 minutes. Notes, calculators and phones stay in your bag."),
    Phrase("Write your answers into the boxes; what stands elsewhere is not marked."),
    Phrase("15 minutes. Write your answers into the boxes."),
    Phrase("A game for two"),
    Phrase("Chance"),
    Phrase("Dessert"),
    Phrase("Which leaves?"),
    Phrase("From the textbook"),
)
"""What students read in the examples of `gametree exam new`."""

MAX_FORMS = 26
"""The most forms, and the most parts of a question: they are lettered."""


MAX_SPARES = 500
"""The most spare papers."""


def _day(value: Any) -> str | datetime.date | datetime.time:
    return value if isinstance(value, datetime.date | datetime.time) else str(TEXT.read(value))


def _recipe(value: Any) -> Any:
    """Return the name of a file, or a table of changes as it is. Raises `InvalidValueError`."""
    if not isinstance(value, str | dict):
        raise InvalidValueError("type")
    return value


_DATE = ValueType("a date, or a text in quotes,", '"12 March 2027"', _day)
_LANGUAGE = ValueType('a language code such as "en" or "de-CH", or a file "house.po",', '"de"', LINE.parse)
_VARIANTS = ValueType(
    '"per-student", or forms = 3 in its place for three forms,',
    '"per-student"',
    one_word_of(("per-student",)).parse,
)
_RECIPE = ValueType(
    "the name of a recipe file, or a table of changes to the kind's own recipe,",
    "{require = {places = 1}}",
    _recipe,
)

TREE_FIELDS = (
    Field("tree", TEXT, "A tree, the same for everybody.", '"MAX A (MIN B (3 12 8) MIN C (2 4 6))"'),
    Field("tree_file", LINE, "A file next to the blueprint that contains the tree.", '"dessert.tree"'),
    Field("bank", LINE, "The name of a tree that `gametree bank` lists.", '"aima-fig-5-2"'),
)
_ASKED = (
    Field(
        "points",
        POINTS_OR_DROPPED,
        "The full mark; in a regrade, 0 drops the question.",
        default="1",
    ),
    *(
        replace(field, default=field.default or "that of the kind's recipe")
        for field in TERMS
        if field.name != "points"
    ),
    Field("prompt", TEXT, "The question in your own words.", default="the words of the kind"),
    Field(
        "given",
        GIVEN,
        "What the question adds to your tree, as for `gametree generate --given`.",
        default="nothing",
    ),
)
_RULES = tuple(replace(field, default="that of the tree or the recipe") for field in RULES)
_DEPTH = Field(
    "depth",
    whole_number(0, 64),
    "How many plies are searched before the static evaluation is used.",
    default="all",
)
_PARTS = SchemaTable(
    "part",
    "One of several parts about one tree.",
    (KIND, *_ASKED),
    item_title=lambda number: f"part {chr(ord('a') + number)}",
)
_ASKS: tuple[Field | SchemaTable, ...] = (
    Field("title", LINE, "The title printed next to its number.", '"A game for two"', default="none"),
    replace(KIND, is_required=False),
    *_ASKED,
    SIZE,
    Field(
        "recipe",
        _RECIPE,
        'Changes to the recipe of the kind, or "FILE"; see `gametree help recipe`.',
        default="that of the kind",
    ),
    *TREE_FIELDS,
    Field(
        "layout",
        one_word_of(get_args(TreeLayout)),
        "Whether trees are drawn downwards or to the right; auto: as they fit.",
        '"down"',
        default='"auto"',
    ),
    Field(
        "follow_through",
        BOOLEAN,
        "Whether later parts are also marked against the student's earlier answers.",
        default="false",
    ),
    SchemaTable("rules", "Conventions that override those of the tree or the recipe.", (*_RULES, _DEPTH)),
    _PARTS,
)
"""The fields of a question, or of one that is an alternative."""

_POOL: tuple[Field | SchemaTable, ...] = (
    Field(
        "choose",
        whole_number(1, MAX_FORMS),
        "How many of its alternatives are on each paper, drawn for every student.",
        "1",
        default="no pool",
    ),
    Field(
        "spread",
        SHARE,
        "How much the expected points of alternatives may differ, as a share.",
        '"1/10"',
        default='"1/10"',
    ),
    SchemaTable(
        "alternative",
        "One of several questions of which a paper has `choose`.",
        _ASKS,
        item_title=lambda number: f"alternative {number + 1}",
    ),
)
_QUESTIONS = SchemaTable(
    "question",
    "A question; without a tree, the recipe of its kind grows one for every variant.",
    (*_ASKS, *_POOL),
    item_title=lambda number: f"question {number + 1}",
    is_required=True,
)
_BODY = SchemaTable(
    "blueprint",
    "The plan of an exam.",
    (
        Field("title", LINE, "The title at the top of every paper.", '"Midterm"', is_required=True),
        Field("course", TEXT, "The course, above the title.", '"CS 101"', default="none"),
        Field("date", _DATE, "The date of the exam, as it should be printed.", default="none"),
        Field("instructions", TEXT, "What students read first.", '"You have 20 minutes."', default="none"),
        Field(
            "minutes",
            whole_number(1, 24 * 60),
            "How long the exam lasts; questions that take longer, or under half, are noted.",
            "20",
            default="no limit",
        ),
        Field(
            "missing",
            one_word_of(get_args(MissingPolicy)),
            "Whether students who handed in nothing earn 0 points or have empty cells.",
            '"zero"',
            default='"empty"',
        ),
        Field(
            "language",
            _LANGUAGE,
            'The language of the exam, or "FILE.po" for your own catalogue.',
            default='"en"',
        ),
        Field("paper", one_word_of(get_args(PaperSize)), "The size of the pages.", default='"a4"'),
        Field(
            "scan",
            BOOLEAN,
            "Whether papers have boxes and codes that `gametree scan` reads.",
            default="false",
        ),
        Field(
            "entry",
            one_word_of(tuple(filter(None, get_args(ScanMode)))),
            "How numbers are entered on papers that are scanned.",
            default='"written"',
        ),
        Field(
            "example",
            BOOLEAN,
            "Whether this is an example: every page says so, and any secret will do.",
            default="false",
        ),
        Field("secret", LINE, "Anyone who knows it can grow the same exam, so keep it from students."),
        Field("secret_file", LINE, "A file next to the blueprint that contains the secret.", '"secret.txt"'),
        Field("variants", _VARIANTS, "A variant for every student.", default='"per-student"'),
        Field(
            "forms",
            whole_number(1, MAX_FORMS),
            "The number of variants instead, dealt by row; 1 makes a quiz for anyone.",
            "3",
            default="a variant for every student",
        ),
        Field(
            "spare",
            whole_number(0, MAX_SPARES),
            "Papers without a student until `gametree exam assign` says whose they are.",
            "5",
            default="0",
        ),
        *(field for field in TERMS if field.name in ("digits", "decimal_comma")),
        SchemaTable("rules", "Conventions of the whole exam; a question can override them.", _RULES),
        SchemaTable(
            "students",
            "What is assumed of students where the expected points of papers are compared.",
            (
                Field(
                    "mistaken",
                    SHARE,
                    "The share of students who have one misconception each.",
                    "0.3",
                    default="0.3",
                ),
                Field(
                    "slips",
                    SHARE,
                    "The share of answers that are wrong by a slip: those of some misconception.",
                    "0.1",
                    default="0.1",
                ),
                Field("blanks", SHARE, "The share of answers that are left blank.", "0.05", default="0.05"),
            ),
        ),
        _QUESTIONS,
    ),
)

_CODES = {
    "exam-syntax": "The text is not TOML.",
    "exam-key": "There is no such field.",
    "exam-missing": "A field that every exam needs is missing.",
    "exam-type": "A value is of the wrong type.",
    "exam-value": "A value is out of range, or a question is worth 0 points.",
    "exam-language": "There is no such language.",
    "exam-kind": "There is no such kind of question.",
    "exam-policy": "The kind is marked without a policy.",
    "exam-variants": "Two fields say how many variants there are.",
    "exam-secret": "There is no secret, there are two, or it can be guessed.",
    "exam-source": "A question has more than one source of trees.",
    "exam-file": "A file cannot be read.",
    "exam-bank": "The bank has no such tree.",
    "exam-tree": "A tree cannot be read.",
    "exam-recipe": "A recipe cannot be used.",
    "exam-rules": "Rules contradict each other.",
    "exam-given": "Something is given that the question does not take, or that a grown tree draws itself.",
    "exam-suits": "The question cannot be asked of the tree.",
    "exam-parts": "Parts and the question set the same field, or there is nothing to follow through.",
    "exam-pool": "A pool has too few alternatives, or they differ in their parts or points.",
    "exam-scan": "This field is only for papers that are scanned.",
    "exam-large": "The tree is too large for a page.",
}

BLUEPRINT = Schema(
    "exam",
    _BODY,
    256 * 1024,
    'write name = "text", name = 3 or name = [3, 4]; `gametree exam new` writes an example',
    _CODES,
)
"""The plan of an exam."""
