"""Find the meaning of each column of a table: the student, the time, or the replies to a question."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from grader.base.safe_text import safe_line
from grader.base.suggest import close_matches, first_of_many
from grader.tables.column_names import COLUMN_NAMES, RESPONSE, ROLE_BY_NAME, START_TIME_NAMES, Role
from grader.tables.rows import ClassTable, TableError, TableOrigin

_IDENTIFIER_ROLES = ("student", "lms", "login")
"""Roles that count as the identifier: any of them names the student of a row."""

_STUDENT_ROLES: frozenset[Role] = frozenset(("identifier", "email", "name", "last"))
"""A table needs one of these roles to name its students."""

_NO_REPLIES = {
    "score",
    "total score",
    "total points",
    "quiz feedback",
    "last modified time",
    *START_TIME_NAMES,
}
"""Names of columns, in lower case, in which Google and Microsoft describe the whole quiz."""

_WORTH = re.compile(r" ?[(\[] ?\d+(?:[.,]\d+)? ?(?:points?|pts?|marks?|punkte?)\.? ?[)\]]", re.IGNORECASE)
"""`(2 points)` in a question's title."""

_LABELLED = re.compile(
    r"(?:question|response|answer|task|part|frage|aufgabe|antwort|q|a)?[ _.:#]*0*(\d+) ?[.(_-]?([a-z]?)\)?"
    r"(?:[ .:)\-–—]+(.*))?",
    re.IGNORECASE | re.DOTALL | re.ASCII,
)
"""The number and the letter of a part in a column's name, perhaps with a label before and a title after."""

_STRICT_LABELS = ("task", "part", "frage")
"""Labels after which a plain table has other columns, too: `Task 1 minutes`, `Part 1 graded by`."""


@dataclass(frozen=True, slots=True)
class PartNames:
    """The names of a part in a table: its id (`1`, `2a`), the label of its question, its title."""

    name: str
    question: str
    title: str


Evidence: TypeAlias = Literal["its id", "its title", "its number", "its place", "as you say"]
"""How the part that a column answers was recognized."""


@dataclass(frozen=True, slots=True)
class ReplyColumn:
    """A column of replies: its place, its name, the parts it answers, and the evidence for that.

    With several parts the cell answers all of them, each after its own label. With a `box` the column
    holds the content of that box of its part, and the other boxes have columns of their own.
    """

    place: int
    column: str
    parts: tuple[str, ...]
    why: Evidence
    box: str = ""


@dataclass(frozen=True, slots=True)
class Columns:
    """The meanings of the columns of a table.

    - `places_by_role`: a role -> the places of its columns, best first.
    - `ignored`: the columns that are left out.
    - `displaced`: ignored columns that would answer a part if an override did not name another column.
    - `overrides`: the argument `wanted` of `match_columns`.
    """

    origin: TableOrigin
    places_by_role: Mapping[Role, tuple[int, ...]]
    replies: tuple[ReplyColumn, ...]
    ignored: tuple[str, ...]
    displaced: tuple[ReplyColumn, ...]
    overrides: Mapping[str, str]

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts that have a column, in its order."""
        return tuple(dict.fromkeys(part for column in self.replies for part in column.parts))


def match_columns(
    table: ClassTable, parts: Sequence[PartNames], wanted: Mapping[str, str] | None = None
) -> Columns:
    """Find the meanings of the columns of a table.

    `wanted` maps a column's name or place (`#1` is the first) to the id of a part, to a role such as
    `identifier`, or to an empty text, which ignores the column.

    1. A column in `wanted` means what it says there.
    2. The meanings of all others are guessed, without the columns that `wanted` says hold no replies.
    3. A guessed column is displaced if `wanted` names other columns for all of its parts.

    Raises `TableError` when no column names the students, when none holds replies, or when
    two claim the same part.
    """
    overrides = _overrides_by_place(wanted or {}, table.columns, parts)
    names = {part.name for part in parts}
    answered = {place: target for place, target in overrides.items() if target in names}
    candidates = [place for place in range(len(table.columns)) if place not in overrides or place in answered]
    guesses, roles = _guess(table, parts, candidates)
    for known, places in roles.items():
        roles[known] = [place for place in places if place not in overrides]
    for place, target in overrides.items():
        for role in COLUMN_NAMES:
            if role == target:
                roles.setdefault("identifier" if role in _IDENTIFIER_ROLES else role, []).append(place)
    replies = [
        ReplyColumn(place, table.columns[place], (target,), "as you say")
        for place, target in answered.items()
    ]
    guesses = [guess for guess in guesses if guess.place not in overrides]
    displaced = [guess for guess in guesses if set(answered.values()).issuperset(guess.parts)]
    replies += [guess for guess in guesses if guess not in displaced]
    # Only columns that share a part are boxes of it: `2a [left]` alone may be a title.
    counts = Counter(part for column in replies for part in column.parts)
    replies = [
        replace(column, box=_split_box(column.column)[1]) if counts[column.parts[0]] > 1 else column
        for column in replies
    ]
    used = {place for places in roles.values() for place in places} | {each.place for each in replies}
    columns = Columns(
        table.origin,
        {role: tuple(sorted(places)) for role, places in roles.items() if places},
        tuple(sorted(replies, key=lambda each: each.place)),
        tuple(column for place, column in enumerate(table.columns) if place not in used),
        tuple(displaced),
        dict(wanted or {}),
    )
    _refuse_unclear(table, columns, parts)
    return columns


def match_student_columns(table: ClassTable) -> Columns:
    """Find the columns that describe the students in a table without replies.

    Raises `TableError` when no column names the students.
    """
    places_by_role: dict[Role, tuple[int, ...]] = {}
    for place, column in enumerate(table.columns):
        if (role := _role(column, table.origin)) is not None:
            places_by_role[role] = (*places_by_role.get(role, ()), place)
    if not _STUDENT_ROLES & places_by_role.keys():
        raise _missing(table, "names the students", "Call it student, email or name.")
    return Columns(table.origin, places_by_role, (), (), (), {})


def _guess(
    table: ClassTable, parts: Sequence[PartNames], places: Sequence[int]
) -> tuple[Sequence[ReplyColumn], dict[Role, list[int]]]:
    """Guess from their names which columns at these places hold replies, and which have a role."""
    roles: dict[Role, list[int]] = {}
    replies: list[ReplyColumn] = []
    unmatched: list[int] = []
    for place in places:
        column = table.columns[place]
        if _is_about_quiz(column, table):
            continue
        role = _role(column, table.origin)
        if role is not None and not (roles.get(role) and role in ("time", "state")):
            roles.setdefault(role, []).append(place)
        elif (match := _match_parts(column, table.origin, parts)) is None:
            unmatched.append(place)
        else:
            replies.append(ReplyColumn(place, column, *match))
    if table.origin == "moodle":  # one question for every part, or one with blanks for several parts
        responses = [place for place in places if RESPONSE.fullmatch(table.columns[place].casefold())]
        return _match_in_order(table, parts, responses) or replies, roles
    if table.origin == "table":  # `Task 1` holds the replies, and `Task 1: minutes` does not
        titled = [each for each in replies if each.why == "its number" and _has_strict_title(each.column)]
        exact = {part for each in replies if each not in titled for part in each.parts}
        replies = [each for each in replies if each not in titled or not exact.issuperset(each.parts)]
    return replies or _match_in_order(table, parts, unmatched), roles


def _has_strict_title(column: str) -> bool:
    """Return whether the name of a column has one of `_STRICT_LABELS`, and a title."""
    labelled = _LABELLED.fullmatch(column)
    return labelled is not None and bool(labelled[3]) and column.casefold().startswith(_STRICT_LABELS)


def _is_about_quiz(column: str, table: ClassTable) -> bool:
    """Return whether a column of Google or Microsoft Forms describes the quiz, or replies of another column.

    The column `Which move?` comes with `Points - Which move?` and `Feedback - Which move?`, or, with Google,
    `Which move? [Score]` and `Which move? [Feedback]`, in the language of the account that exports them.
    """
    if table.origin not in ("google", "microsoft"):
        return False
    if column.casefold() in _NO_REPLIES or (table.origin == "microsoft" and column.casefold() == "id"):
        return True  # Microsoft's ID is the number of the response, not of a student
    described = {column.partition(" - ")[2], re.sub(r" \[[^\[\]]*\]$", "", column)} - {"", column}
    return not described.isdisjoint(table.columns)


def _role(column: str, origin: TableOrigin) -> Role | None:
    """Return the role of a column by its name, or None; a section of the class has no use here.

    The name of a file in a folder identifies its student, as a number or an address does.
    """
    role = ROLE_BY_NAME.get(column.casefold())
    if role in _IDENTIFIER_ROLES or (origin == "sheets" and column == "file"):
        return "identifier"
    return None if role == "section" else role


def _match_parts(
    column: str, origin: TableOrigin, parts: Sequence[PartNames]
) -> tuple[tuple[str, ...], Evidence] | None:
    """Return the ids of the parts that a column answers, and the evidence; None when it answers none.

    Only `Response 1` to `Response N` is matched for Moodle, and the text after `12345: ` for Canvas.
    The first evidence that fits a part decides:

    1. "its id": the name is the id of a part.
    2. "its title": the name is the title of a part, perhaps with the label of a box.
    3. "its number": `Question 2 (a)` fits part `2a`, and `Question 2` all parts of question 2.
       In a plain table, a colon, a full stop or a dash sets off the title after one of `_STRICT_LABELS`.
    """
    name = column.casefold()
    if origin == "moodle" and RESPONSE.fullmatch(name) is None:
        return None  # `Right answer 1`, `Question 1`, `Grade/10.00`
    if origin == "canvas":
        if re.fullmatch(r"\d{3,}: .*", name, re.DOTALL) is None:
            return None
        name = name.partition(": ")[2]
    labelled = _LABELLED.fullmatch(name)
    number, letter, _ = labelled.groups() if labelled else ("", "", "")
    if labelled and origin == "table" and _has_strict_title(name):
        separator = name[labelled.end(2 if letter else 1) : labelled.start(3)]
        if re.search("[:.–—-]", separator) is None:
            number = letter = ""
    parts_by_evidence: dict[Evidence, list[PartNames]] = {
        "its id": [part for part in parts if part.name == name],
        "its title": [
            part
            for part in parts
            if part.title and _fold_title(part.title) in (_fold_title(name), _fold_title(_split_box(name)[0]))
        ],
        "its number": [part for part in parts if part.name == number + letter]
        or [part for part in parts if part.question == number and not letter],
    }
    for evidence, matches in parts_by_evidence.items():
        if matches:
            return tuple(part.name for part in matches), evidence
    return None


def box_column_name(part: str, label: str) -> str:
    """Return the name of the column for one box of a part; Google names the rows of a grid like this too."""
    return f"{part} [{label}]"


def _split_box(column: str) -> tuple[str, str]:
    """Split the name of a column into its part and its box, which may be empty."""
    match = re.fullmatch(r"(.+?) \[(.+)\]", column, re.DOTALL)
    return (match[1], match[2]) if match else (column, "")


def is_known_column(name: str, parts: Sequence[PartNames]) -> bool:
    """Return whether the name of a column in a plain table has a role or names a part."""
    return _role(name, "lines") is not None or _match_parts(name, "lines", parts) is not None


def _fold_title(text: str) -> str:
    return " ".join(_WORTH.sub("", text).casefold().split())


def _match_in_order(
    table: ClassTable, parts: Sequence[PartNames], places: Sequence[int]
) -> list[ReplyColumn]:
    """Match unknown columns to the parts in the order of the paper, if there are as many."""
    if table.origin not in ("moodle", "canvas", "google", "microsoft"):
        return []
    if table.origin == "canvas":
        places = [place for place in places if re.match(r"\d{3,}: ", table.columns[place])]
    if len(places) != len(parts):
        return []
    return [
        ReplyColumn(place, table.columns[place], (part.name,), "its place")
        for place, part in zip(places, parts, strict=True)
    ]


def find_columns(name: str, columns: Sequence[str]) -> tuple[int, ...]:
    """Return the places of the columns with this name, or the place that `#3` stands for."""
    matches = tuple(place for place, column in enumerate(columns) if column == name)
    if matches or re.fullmatch(r"#[1-9]\d{0,5}", name, re.ASCII) is None:
        return matches
    return (int(name[1:]) - 1,) if int(name[1:]) <= len(columns) else ()


def _overrides_by_place(
    wanted: Mapping[str, str], columns: Sequence[str], parts: Sequence[PartNames]
) -> dict[int, str]:
    """Return the targets of `--map` by the places of their columns. Raises `TableError`."""
    overrides: dict[int, str] = {}
    names = [part.name for part in parts]
    for name, target in wanted.items():
        places = find_columns(name, columns)
        if not places:
            close = close_matches(name, columns)
            hint = f"Did you mean {close[0]!r}?" if close else f"The columns are {_join_some(columns)}."
            raise TableError(f"there is no column {name[:80]!r}", hint)
        if len(places) > 1:
            options = [f"--map '#{place + 1}={target}'" for place in places]
            raise TableError(
                f"there is more than one column {name[:80]!r}", f"Name it by its place: {_either(options)}."
            )
        if target and target not in (*names, *COLUMN_NAMES):
            raise TableError(
                f"there is no question {target[:80]!r}", f"The questions are {_join_some(names)}."
            )
        if overrides.setdefault(places[0], target) != target:
            raise TableError(f"--map gives two meanings to the column {columns[places[0]][:80]!r}")
    return overrides


def match_by_name_hint(table: ClassTable, columns: Columns) -> tuple[str, ...]:
    """Return the options that match rows by name and not by identifier; none if no column has names."""
    if table.origin == "sheets" or not {"name", "last"} & columns.places_by_role.keys():
        return ()
    places = columns.places_by_role.get("identifier", ())
    return tuple(_map_option(place, table.columns, "") for place in places)


def _map_option(place: int, columns: Sequence[str], target: str) -> str:
    """Return the option that overrides a column: by its name, or by its place if the name is awkward."""
    name = columns[place]
    plain = (
        columns.count(name) == 1
        and 0 < len(name.strip()) == len(name) <= 60
        and name.isprintable()
        and "'" not in name
    )
    return f"--map '{name if plain else f'#{place + 1}'}={target}'"


def _refuse_unclear(table: ClassTable, columns: Columns, parts: Sequence[PartNames]) -> None:
    """Refuse a table without students or replies, a column for several questions, and rival columns."""
    for is_present, predicate, example in (
        (_STUDENT_ROLES & columns.places_by_role.keys(), "names the students", "student"),
        (columns.replies, "belongs to a question", parts[0].name),
    ):
        if not is_present:
            raise _missing(table, predicate, f"Say which one does: --map 'COLUMN={example}'.")
    for column in columns.replies:
        if len(column.parts) > 1 and table.origin != "moodle":  # Moodle labels the parts within a cell
            raise TableError(
                f"{table.name}: the column {column.column[:60]!r} may answer {_either(column.parts)}",
                f"Say which: {_map_option(column.place, table.columns, column.parts[0])}, or "
                f"{_map_option(column.place, table.columns, '')} to leave it out.",
            )
    for part in parts:
        rivals = [column for column in columns.replies if part.name in column.parts]
        if len({column.box for column in rivals} - {""}) < len(rivals) != 1:
            both = " and ".join(repr(column.column[:60]) for column in rivals)
            options = [_map_option(column.place, table.columns, "") for column in rivals]
            raise TableError(
                f"{table.name}: the columns {both} both belong to question {part.name}",
                f"Leave one out: {_either(options)}; or say in the same way what it contains.",
            )


def _missing(table: ClassTable, predicate: str, hint: str) -> TableError:
    """Return the error about a table in which no column has this property."""
    return TableError(
        f"no column of {table.name} {predicate}; the columns are {_join_some(table.columns)}", hint
    )


def _either(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _join_some(names: Iterable[str]) -> str:
    """Return the first twelve names, and how many more there are."""
    return first_of_many([safe_line(name, 40) for name in names], 12)
