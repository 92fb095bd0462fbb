"""Which column of a table holds what: the student, the time, or the replies to a question."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from grader.base.safe_text import safe_line
from grader.base.suggest import close_matches
from grader.tables.column_names import COLUMN_NAMES, RESPONSE, ROLE_BY_NAME, START_TIME_NAMES, Role
from grader.tables.rows import ClassTable, Origin, TableError

_WHO = ("student", "lms", "login")
"""Roles that are one with the identifier: a row may say any of them to say whose it is."""

_NAMING: frozenset[Role] = frozenset(("identifier", "email", "name", "last"))
"""Roles of which one is needed to say whose a row is."""

_NO_REPLIES = {
    "score",
    "total score",
    "total points",
    "quiz feedback",
    "last modified time",
    *START_TIME_NAMES,
}
"""What columns are called, in lower case, in which Google and Microsoft speak of the whole quiz."""

_WORTH = re.compile(r" ?[(\[] ?\d+(?:[.,]\d+)? ?(?:points?|pts?|marks?|punkte?)\.? ?[)\]]", re.IGNORECASE)
"""`(2 points)` in a question's title."""

_LABELLED = re.compile(
    r"(?:question|response|answer|task|part|frage|aufgabe|antwort|q|a)?[ _.:#]*0*(\d+) ?[.(_-]?([a-z]?)\)?"
    r"(?:[ .:)\-–—]+(.*))?",
    re.IGNORECASE | re.DOTALL | re.ASCII,
)


@dataclass(frozen=True, slots=True)
class PartNames:
    """What a part may be called in a table: its id (`1`, `2a`), the label of its question, its title."""

    name: str
    question: str
    title: str


@dataclass(frozen=True, slots=True)
class ReplyColumn:
    """A column of replies: its place, its name, the parts it answers, and how that is known.

    With several parts the cell answers all of them, each behind its own label. With a `box` the column
    holds what stands in that box of its part, and the other boxes have columns of their own.
    """

    place: int
    column: str
    parts: tuple[str, ...]
    why: str
    box: str = ""


@dataclass(frozen=True, slots=True)
class Columns:
    """What the columns of a table mean.

    - `places_by_role`: a role -> the places of its columns, best first.
    - `ignored`: the columns that are left out.
    - `displaced`: of these the ones that would answer a part if it had not been told what does.
    - `overrides`: what was told of the columns, as `match_columns` was given it.
    """

    origin: Origin
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
    """Find out what the columns of a table mean.

    `wanted` overrides, by a column's name or by its place (`#1` is the first): the id of a part, a role
    such as `identifier`, or nothing. All other columns mean what they would without it: guessed with those
    out of sight that it says are no replies, and without the parts whose columns it names.
    Raises `TableError` when no column names the students, when none holds replies, or when
    two claim the same part.
    """
    told = _told(wanted or {}, table.columns, parts)
    names = {part.name for part in parts}
    answered = {place: target for place, target in told.items() if target in names}
    seen = [place for place in range(len(table.columns)) if place not in told or place in answered]
    guessed, roles = _guessed(table, parts, seen)
    for known, places in roles.items():
        roles[known] = [place for place in places if place not in told]
    for place, target in told.items():
        if (role := _as_told(target)) is not None:
            roles.setdefault(role, []).append(place)
    found = [
        ReplyColumn(place, table.columns[place], (target,), "as you say")
        for place, target in answered.items()
    ]
    others = [each for each in guessed if each.place not in told]
    displaced = [each for each in others if set(answered.values()).issuperset(each.parts)]
    found += [each for each in others if each not in displaced]
    counts = Counter(part for column in found for part in column.parts)
    found = [
        replace(column, box=_box(column.column)[1]) if counts[column.parts[0]] > 1 else column
        for column in found
    ]
    used = {place for places in roles.values() for place in places} | {each.place for each in found}
    columns = Columns(
        table.origin,
        {role: tuple(sorted(places)) for role, places in roles.items() if places},
        tuple(sorted(found, key=lambda each: each.place)),
        tuple(column for place, column in enumerate(table.columns) if place not in used),
        tuple(displaced),
        dict(wanted or {}),
    )
    _refuse_unclear(table, columns, parts)
    return columns


def match_student_columns(table: ClassTable) -> Columns:
    """What the columns of a table say of the students, where no column holds replies.

    Raises `TableError` when no column names the students.
    """
    said: dict[Role, tuple[int, ...]] = {}
    for place, column in enumerate(table.columns):
        if (role := _role(column, table.origin)) is not None:
            said[role] = (*said.get(role, ()), place)
    if not _NAMING & said.keys():
        raise _missing(table, "names the students", "Call it student, email or name.")
    return Columns(table.origin, said, (), (), (), {})


def _guessed(
    table: ClassTable, parts: Sequence[PartNames], seen: Sequence[int]
) -> tuple[Sequence[ReplyColumn], dict[Role, list[int]]]:
    """What the columns at these places hold, as far as they say: replies, or something of the student."""
    roles: dict[Role, list[int]] = {}
    found: list[ReplyColumn] = []
    free: list[int] = []
    for place in seen:
        column = table.columns[place]
        if _tells_no_reply(column, table):
            continue
        role = _role(column, table.origin)
        if role is not None and not (roles.get(role) and role in ("time", "state")):
            roles.setdefault(role, []).append(place)
            continue
        match = _match(column, table.origin, parts)
        if match is None:
            free.append(place)
        else:
            found.append(ReplyColumn(place, column, *match))
    if table.origin == "moodle":  # a question of its own for every part, or one with blanks for several parts
        responses = [place for place in seen if RESPONSE.fullmatch(table.columns[place].casefold())]
        return _by_order(table, parts, responses) or found, roles
    return found or _by_order(table, parts, free), roles


def _tells_no_reply(column: str, table: ClassTable) -> bool:
    """Whether a column of Google or Microsoft Forms speaks of the quiz, or of the replies in another column.

    Beside `Which move?` stand `Points - Which move?` and `Feedback - Which move?`, or, with Google,
    `Which move? [Score]` and `Which move? [Feedback]`, in the language of whoever exports them.
    """
    if table.origin not in ("google", "microsoft"):
        return False
    if column.casefold() in _NO_REPLIES or (table.origin == "microsoft" and column.casefold() == "id"):
        return True  # Microsoft's ID is the number of the response, which names nobody
    beside = {column.partition(" - ")[2], re.sub(r" \[[^\[\]]*\]$", "", column)} - {"", column}
    return not beside.isdisjoint(table.columns)


def _role(column: str, origin: Origin) -> Role | None:
    """What a column says of the student, if anything; a file is often called as its student is."""
    role = ROLE_BY_NAME.get(column.casefold())
    if role in _WHO or (origin == "sheets" and column == "file"):
        return "identifier"
    return None if role == "section" else role


def _as_told(target: str) -> Role | None:
    """The role that `--map` names; None where it names a part, or nothing."""
    return next(("identifier" if role in _WHO else role for role in COLUMN_NAMES if role == target), None)


def _match(column: str, origin: Origin, parts: Sequence[PartNames]) -> tuple[tuple[str, ...], str] | None:
    """The parts that a column answers and how that is known; None when it answers none."""
    name = column.casefold()
    if origin == "moodle" and RESPONSE.fullmatch(name) is None:
        return None  # `Right answer 1`, `Question 1`, `Grade/10.00`
    if origin == "canvas":
        if re.fullmatch(r"\d{3,}: .*", name, re.DOTALL) is None:
            return None
        name = name.partition(": ")[2]
    labelled = _LABELLED.fullmatch(name)
    number, letter, rest = labelled.groups() if labelled else ("", "", "")
    if rest and origin == "table" and not name.startswith(("q", "r", "a", number)):
        number = letter = ""
    ways = {
        "its id": [part for part in parts if part.name == name],
        "its title": [
            part
            for part in parts
            if part.title and _folded(part.title) in (_folded(name), _folded(_box(name)[0]))
        ],
        "its number": [part for part in parts if part.name == number + letter]
        or [part for part in parts if part.question == number and not letter],
    }
    return next(((tuple(part.name for part in found), why) for why, found in ways.items() if found), None)


def box_column_name(part: str, label: str) -> str:
    """What the column of one box of a part is called; the rows of a grid are called so by Google, too."""
    return f"{part} [{label}]"


def _box(column: str) -> tuple[str, str]:
    """What a column belongs to, and which box of it; no box where it is called otherwise."""
    found = re.fullmatch(r"(.+?) \[(.+)\]", column, re.DOTALL)
    return (found[1], found[2]) if found else (column, "")


def is_known_column(name: str, parts: Sequence[PartNames]) -> bool:
    """Whether a column of a plain table would mean something by its name alone."""
    return _role(name, "lines") is not None or _match(name, "lines", parts) is not None


def _folded(text: str) -> str:
    return " ".join(_WORTH.sub("", text).casefold().split())


def _by_order(table: ClassTable, parts: Sequence[PartNames], free: Sequence[int]) -> list[ReplyColumn]:
    """The columns nothing is known about, one for each part in the order of the paper, if the count fits."""
    if table.origin not in ("moodle", "canvas", "google", "microsoft"):
        return []
    if table.origin == "canvas":
        free = [place for place in free if re.match(r"\d{3,}: ", table.columns[place])]
    if len(free) != len(parts):
        return []
    return [
        ReplyColumn(place, table.columns[place], (part.name,), "its place")
        for place, part in zip(free, parts, strict=True)
    ]


def find_columns(said: str, columns: Sequence[str]) -> tuple[int, ...]:
    """The places of the columns that are meant by a name, or by a place such as `#3`."""
    named = tuple(place for place, column in enumerate(columns) if column == said)
    if named or re.fullmatch(r"#[1-9]\d{0,5}", said, re.ASCII) is None:
        return named
    return (int(said[1:]) - 1,) if int(said[1:]) <= len(columns) else ()


def _told(wanted: Mapping[str, str], columns: Sequence[str], parts: Sequence[PartNames]) -> dict[int, str]:
    """What is said of the columns, by their places."""
    told: dict[int, str] = {}
    names = [part.name for part in parts]
    for said, target in wanted.items():
        places = find_columns(said, columns)
        if not places:
            close = close_matches(said, columns)
            hint = f"Did you mean {close[0]!r}?" if close else f"The columns are {_listed(columns)}."
            raise TableError(f"there is no column {said[:80]!r}", hint)
        if len(places) > 1:
            ways = [f"--map '#{place + 1}={target}'" for place in places]
            raise TableError(
                f"there is more than one column {said[:80]!r}", f"Say which by its place: {_either(ways)}."
            )
        if target and target not in (*names, *COLUMN_NAMES):
            raise TableError(f"there is no question {target[:80]!r}", f"The questions are {_listed(names)}.")
        if told.setdefault(places[0], target) != target:
            raise TableError(f"--map says two things of the column {columns[places[0]][:80]!r}")
    return told


def match_by_name_hint(table: ClassTable, columns: Columns) -> tuple[str, ...]:
    """What to type so that names say whose the rows are, not identifiers; empty where neither does."""
    if table.origin == "sheets" or not {"name", "last"} & columns.places_by_role.keys():
        return ()
    return tuple(_map(place, table.columns, "") for place in columns.places_by_role.get("identifier", ()))


def _map(place: int, columns: Sequence[str], target: str) -> str:
    """What to type to say what a column holds: by its name, or by its place where the name would not do."""
    name = columns[place]
    plain = (
        columns.count(name) == 1
        and 0 < len(name.strip()) == len(name) <= 60
        and name.isprintable()
        and "'" not in name
    )
    return f"--map '{name if plain else f'#{place + 1}'}={target}'"


def _refuse_unclear(table: ClassTable, columns: Columns, parts: Sequence[PartNames]) -> None:
    for there, what, example in (
        (_NAMING & columns.places_by_role.keys(), "names the students", "student"),
        (columns.replies, "belongs to a question", parts[0].name),
    ):
        if not there:
            raise _missing(table, what, f"Say which one does: --map 'COLUMN={example}'.")
    for column in columns.replies:
        if len(column.parts) > 1 and table.origin != "moodle":  # whose cells tell the parts apart
            raise TableError(
                f"{table.name}: the column {column.column[:60]!r} may answer {_either(column.parts)}",
                f"Say which: {_map(column.place, table.columns, column.parts[0])}, or "
                f"{_map(column.place, table.columns, '')} to leave it out.",
            )
    for part in parts:
        several = [column for column in columns.replies if part.name in column.parts]
        if len({column.box for column in several} - {""}) < len(several) != 1:
            both = " and ".join(repr(column.column[:60]) for column in several)
            ways = [_map(column.place, table.columns, "") for column in several]
            raise TableError(
                f"{table.name}: the columns {both} both belong to question {part.name}",
                f"Leave one out: {_either(ways)}; or say in the same way what it holds.",
            )


def _missing(table: ClassTable, what: str, hint: str) -> TableError:
    return TableError(f"no column of {table.name} {what}; the columns are {_listed(table.columns)}", hint)


def _either(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _listed(names: Iterable[str]) -> str:
    words = [safe_line(name, 40) for name in names]
    return ", ".join(words[:12]) + (f" and {len(words) - 12} more" if len(words) > 12 else "")
