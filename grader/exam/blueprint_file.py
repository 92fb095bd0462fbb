"""Blueprints as TOML: read with everything they name, and checked before anything is grown."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from grader.answers import COUNT, MOVE, PATH
from grader.answers.form import Terms
from grader.base.shipped import shipped
from grader.exam.blueprint import LEAVES, Blueprint, PartPlan, QuestionPlan
from grader.exam.fields import EXAM, FORMS, PART, QUESTION, RULES, SOURCES, TREES, WORDINGS, Fields
from grader.exam.paper import Heading
from grader.exam.paper_words import WORDS
from grader.exercise import ExerciseError, make_exercise
from grader.generation.fields import no_policy
from grader.generation.recipe import Recipe
from grader.generation.recipe_file import default_recipe, read_recipe, with_changes
from grader.generation.shape import fixed_skeleton
from grader.kinds import KINDS, AnyKind, kind_named
from grader.kinds.given import NOTHING
from grader.notation import Diagnostics, read_bytes, read_tree
from grader.notation.diagnostics import Code, Mistake, clipped, report
from grader.rules import RulesError
from grader.tables import toml as tables
from grader.tables.toml_values import WrongTypeError, WrongValueError
from grader.tree import Tree

LONGEST = 256 * 1024
"""The most characters a blueprint may have."""

LARGEST = 1024 * 1024
"""The most bytes a file it names may have."""

SHORTEST_SECRET = 8
"""The fewest characters of a secret."""

_HEAD = 'title = "Quiz"\nsecret = "kept in a safe"\n'
_ASKED = 'kind = "pruned-paths"\npoints = 4\n'
_QUESTION = f"[[question]]\n{_ASKED}"
_EXAMPLE = _HEAD + _QUESTION

CODES = (
    Code("exam-syntax", "The text is not TOML.", "title = Quiz"),
    Code("exam-key", "There is no such field.", f'{_HEAD}instrutions = ""\n{_QUESTION}'),
    Code(
        "exam-missing",
        "A field that every exam needs is not there.",
        f'secret = "kept in a safe"\n{_QUESTION}',
    ),
    Code("exam-type", "A value is of the wrong type.", _EXAMPLE.replace('"Quiz"', "7")),
    Code("exam-value", "A value is out of range.", _EXAMPLE.replace("4", "0")),
    Code("exam-kind", "There is no such kind of question.", _EXAMPLE.replace("paths", "path")),
    Code(
        "exam-policy",
        "The kind is marked without a policy.",
        _EXAMPLE.replace("pruned-paths", "best-move") + 'policy = "net"\n',
    ),
    Code(
        "exam-variants",
        "Two fields say how many variants there are.",
        f'forms = 3\nvariants = "per-student"\n{_EXAMPLE}',
    ),
    Code(
        "exam-secret",
        "There is no secret, two of them, or one too short.",
        _EXAMPLE.replace("kept in a safe", "safe"),
    ),
    Code(
        "exam-source",
        "A question has more than one source of trees.",
        f'{_EXAMPLE}tree = "MAX (3 5)"\nbank = "aima-fig-5-2"\n',
    ),
    Code("exam-file", "A file cannot be read.", f'{_EXAMPLE}tree_file = "no such.tree"\n'),
    Code("exam-bank", "The bank has no such tree.", f'{_EXAMPLE}bank = "aima-fig-9"\n'),
    Code("exam-tree", "A tree cannot be read.", f'{_EXAMPLE}tree = "MAX (3 5"\n'),
    Code("exam-recipe", "A recipe cannot be used.", f"{_EXAMPLE}recipe = {{shape = {{plies = 99}}}}\n"),
    Code(
        "exam-rules",
        "Rules do not go together.",
        f'{_EXAMPLE}tree = "MAX (3 5)"\nrules = {{ties = "keep", returns = "hard"}}\n',
    ),
    Code("exam-suits", "The question cannot be asked of the tree.", f'{_EXAMPLE}tree = "MAX (3 x)"\n'),
    Code(
        "exam-parts",
        "Parts and the question say the same thing, or there is nothing to follow through.",
        f"{_EXAMPLE}follow_through = true\n",
    ),
    Code(
        "exam-large", "The tree is too large for a page.", f'{_EXAMPLE}tree = "MAX ({" 1" * (LEAVES + 1)})"\n'
    ),
)
"""What can be wrong with a blueprint, each with one that has exactly this fault."""


def read_blueprint(text: str, folder: Path) -> Blueprint | Diagnostics:
    """Read a blueprint; what comes back is checked, or it is everything that is wrong with the text.

    Files that it names are looked for in `folder`, where the blueprint is.
    """
    return _Reading(text, folder).blueprint()


class _Reading:
    """One blueprint while it is read, and the mistakes found in it so far."""

    def __init__(self, text: str, folder: Path) -> None:
        self.text = text
        self.folder = folder
        self.mistakes: list[Mistake] = []
        self.places: dict[tables.Path, int] = {}
        self.digest = hashlib.sha256(text.encode("utf-8", "surrogatepass"))

    def fault(self, code: str, message: str, path: tables.Path, hint: str = "") -> None:
        """Add a mistake at a value, or at what is nearest around it."""
        while path and path not in self.places:
            path = path[:-1]
        start = self.places.get(path, len(self.text))
        self.mistakes.append(tables.mistake_at(self.text, start, code, message, hint))

    def blueprint(self) -> Blueprint | Diagnostics:
        if len(self.text) > LONGEST:
            self.fault("exam-syntax", f"the blueprint has more than {LONGEST} characters", ())
            return report(self.text, self.mistakes)
        said = tables.read_tables(self.text)
        if isinstance(said, tuple):
            hint = "texts stand in quotes; `gametree exam new` writes an example"
            self.mistakes.append(tables.mistake_at(self.text, said[0], "exam-syntax", said[1], hint))
            return report(self.text, self.mistakes)
        self.places = tables.places(self.text)
        exam = self.fields(said, EXAM, (), needed=("title", "question"))
        words = self.fields(exam.get("words", {}), WORDINGS, ("words",))
        secret = self.secret(exam)
        if "forms" in exam and "variants" in exam:
            message = "forms and variants both say how many variants there are"
            self.fault("exam-variants", message, ("variants",), "keep one of them")
        questions = [
            self.question(fields, ("question", number), exam)
            for number, fields in enumerate(exam.get("question", ()))
        ]
        plans = tuple(plan for plan in questions if plan is not None)
        if self.mistakes:
            return report(self.text, self.mistakes)
        heading = Heading(
            title=exam["title"],
            course=exam.get("course", ""),
            date=exam.get("date", ""),
            instructions=exam.get("instructions", ""),
            language_code=exam.get("language", "en"),
            size=exam.get("paper", "a4"),
            words=tuple(sorted({**WORDS, **words}.items())),
        )
        return Blueprint(heading, secret, exam.get("forms"), plans, self.digest.hexdigest())

    def fields(
        self, said: Mapping[str, Any], known: Fields, path: tables.Path, needed: Iterable[str] = ()
    ) -> dict[str, Any]:
        """The fields of a table that can be read; unknown, missing and wrong ones become mistakes."""
        found = {}
        for name, value in said.items():
            if name not in known:
                where = f" in {_called(path)}" if path else ""
                self.fault(
                    "exam-key",
                    f"there is no field {clipped(name)}{where}",
                    (*path, name),
                    _nearest(name, known),
                )
                continue
            try:
                found[name] = known[name](value)
            except WrongTypeError as error:
                self.fault("exam-type", f"{name}: {error}", (*path, name))
            except WrongValueError as error:
                self.fault("exam-value", f"{name}: {error}", (*path, name))
        for name in needed:
            if name not in said:
                example = {"question": '[[question]] with kind = "pruned-paths" below it'}.get(
                    name, f'{name} = "..."'
                )
                where = _called(path) if path else "the exam"
                self.fault("exam-missing", f"{where} has no {name}", path, f"write {example}")
        return found

    def secret(self, exam: Mapping[str, Any]) -> str:
        """The secret, from the text or from its file; empty when there is a mistake."""
        if ("secret" in exam) == ("secret_file" in exam):
            message = "there are two secrets" if "secret" in exam else "the exam has no secret"
            hint = 'write secret = "..." or secret_file = "...", not both; keep it from students'
            self.fault("exam-secret", message, ("secret_file",), hint)
            return ""
        secret: str = exam.get("secret", "")
        if "secret_file" in exam:
            data = self.file(exam["secret_file"], ("secret_file",))
            if data is None:
                return ""
            secret = data.decode("utf-8", "surrogateescape").strip()
        if len(secret) < SHORTEST_SECRET:
            message = f"the secret has fewer than {SHORTEST_SECRET} characters"
            place = "secret_file" if "secret_file" in exam else "secret"
            self.fault("exam-secret", message, (place,), "who guesses it can grow the same exam")
        return secret

    def file(self, name: str, path: tables.Path) -> bytes | None:
        """The bytes of a file that the blueprint names, or None and a mistake."""
        try:
            with (self.folder / name).open("rb") as file:
                data = file.read(LARGEST + 1)
        except (OSError, ValueError) as error:  # ValueError: a NUL character in the name
            why = getattr(error, "strerror", None) or str(error)
            self.fault("exam-file", f"{clipped(name, 80)} cannot be read: {why[:1].lower()}{why[1:]}", path)
            return None
        if len(data) > LARGEST:
            self.fault("exam-file", f"{clipped(name, 80)} is larger than {LARGEST // 1024} KB", path)
            return None
        self.digest.update(hashlib.sha256(data).digest())
        return data

    def question(
        self, said: Mapping[str, Any], path: tables.Path, exam: Mapping[str, Any]
    ) -> QuestionPlan | None:
        """One question, or None when something is wrong with it."""
        before = len(self.mistakes)
        fields = self.fields(said, QUESTION, path)
        rules = self.fields(fields.get("rules", {}), RULES, (*path, "rules"))
        parts = self.parts(said, fields, path)
        given = [name for name in SOURCES if name in said]
        if len(given) > 1:
            message = f"{' and '.join(given)} both say where the tree comes from"
            self.fault("exam-source", message, (*path, given[1]), "keep one of them")
        trees = [self.tree(name, fields[name], path) for name in TREES if name in fields]
        kinds = [kind for kind, _ in parts]
        grown = "recipe" in fields or not given
        recipe = self.recipe(fields, path, kinds, rules) if kinds and grown else None
        source = trees[0] if trees else recipe
        if len(self.mistakes) > before or source is None or not parts:
            return None
        own = source.question if isinstance(source, Recipe) else Terms()
        over = {name: exam[name] for name in ("digits", "decimal_comma") if name in exam}
        over["language_code"] = exam.get("language", "en")
        over |= {
            name: fields[name] for name in ("digits", "decimal_comma", "every", "policy") if name in fields
        }
        plans = tuple(
            PartPlan(
                kind.name,
                replace(own, **over | {name: value for name, value in part.items() if name != "prompt"}),
                part.get("prompt") or None,
            )
            for kind, part in parts
        )
        plan = QuestionPlan(
            title=fields.get("title", ""),
            source=source,
            parts=plans,
            follow_through=fields.get("follow_through", False),
            rules=tuple(sorted(rules.items())),
        )
        self.suits(plan, path)
        return plan

    def parts(
        self, said: Mapping[str, Any], fields: Mapping[str, Any], path: tables.Path
    ) -> list[tuple[AnyKind, dict[str, Any]]]:
        """The kind and the fields of every part; a question without parts is one part itself."""
        if "part" not in said:
            if fields.get("follow_through"):
                message = "follow_through needs parts: there is nothing earlier to follow from"
                self.fault(
                    "exam-parts", message, (*path, "follow_through"), "write [[question.part]] twice or more"
                )
            one = {name: fields[name] for name in ("points", "prompt") if name in fields}
            kind = self.kind(said, fields, path)
            if kind is None:
                return []
            self.policy(fields, [kind], path)
            return [(kind, one)]
        for name in ("kind", "points", "prompt"):
            if name in said:
                self.fault(
                    "exam-parts",
                    f"{name} stands in the parts of this question",
                    (*path, name),
                    "move it there",
                )
        found = []
        for number, part in enumerate(fields.get("part", ())):
            place = (*path, "part", number)
            read = self.fields(part, PART, place)
            kind = self.kind(part, read, place)
            if kind is not None:
                self.policy(read, [kind], place)
                found.append((kind, {name: value for name, value in read.items() if name != "kind"}))
        self.policy(fields, [kind for kind, _ in found], path)
        if len(found) > FORMS:
            self.fault("exam-value", f"a question has at most {FORMS} parts", (*path, "part"))
        return found

    def policy(self, fields: Mapping[str, Any], kinds: Sequence[AnyKind], path: tables.Path) -> None:
        """Add a mistake where a policy stands that none of the kinds is marked by."""
        refused = [no_policy(kind) for kind in kinds]
        if "policy" in fields and refused and all(refused):
            message, hint = refused[-1] or ("", "")
            self.fault("exam-policy", f"policy: {message}", (*path, "policy"), hint)

    def kind(self, said: Mapping[str, Any], fields: Mapping[str, Any], path: tables.Path) -> AnyKind | None:
        """The kind a question or a part names, or None and a mistake."""
        names = tuple(kind.name for kind in KINDS)
        if "kind" not in said:
            self.fault(
                "exam-missing", f"{_called(path)} has no kind", path, f"the kinds are {', '.join(names)}"
            )
            return None
        kind = kind_named(fields["kind"]) if "kind" in fields else None
        if kind is None and "kind" in fields:
            hint = tables.meant(fields["kind"], names) or f"the kinds are {', '.join(names)}"
            self.fault("exam-kind", f"there is no kind {clipped(fields['kind'])!r}", (*path, "kind"), hint)
        return kind

    def tree(self, place: str, said: str, path: tables.Path) -> Tree | None:
        """The tree that one field of a question gives, or None and a mistake."""
        if place == "bank":
            name, folder = said.removeprefix("bank:"), shipped("problems") / "bank"
            names = tuple(sorted(file.stem for file in folder.glob("*.tree")))
            if name not in names:
                hint = tables.meant(name, names) or "`gametree bank` lists its trees"
                self.fault("exam-bank", f"the bank has no tree {clipped(name)!r}", (*path, "bank"), hint)
                return None
            read = read_bytes((folder / f"{name}.tree").read_bytes())
        elif place == "tree_file":
            data = self.file(said, (*path, "tree_file"))
            if data is None:
                return None
            read = read_bytes(data)
        else:
            read = read_tree(said)
        if isinstance(read, Diagnostics):
            for each in read:
                where = f"line {each.line}, column {each.column} of the tree: " if each.line else ""
                self.inside("exam-tree", f"{where}{each.message}", (*path, place), each.hint)
            return None
        if len(read.leaves) > LEAVES:
            message = f"the tree has {len(read.leaves)} leaves, and at most {LEAVES} fit on a page"
            self.fault("exam-large", message, (*path, place))
            return None
        return read

    def inside(self, code: str, message: str, path: tables.Path, hint: str) -> None:
        """Add a mistake inside a value: one place may hold several."""
        start = self.places.get(path, len(self.text))
        taken = {(mistake.start, mistake.code) for mistake in self.mistakes}
        found = tables.mistake_at(self.text, start, code, message, hint)
        while (found.start, code) in taken and found.start + 1 < found.end:
            found = replace(found, start=found.start + 1)
        self.mistakes.append(found)

    def recipe(
        self, fields: Mapping[str, Any], path: tables.Path, kinds: list[AnyKind], rules: Mapping[str, Any]
    ) -> Recipe | None:
        """The recipe of a question with its changes, or None and a mistake.

        Without one it is the recipe of the last part that has one, because parts go from easy to hard.
        """
        said = fields.get("recipe", {})
        place = (*path, "recipe")
        recipe: Recipe | Diagnostics | None
        if isinstance(said, str):
            data = self.file(said, place)
            if data is None:
                return None
            recipe = read_recipe(data.decode("utf-8-sig", "replace"))
            changes: dict[str, Any] = {}
        else:
            recipe = next(filter(None, (_shipped_recipe(kind.name) for kind in reversed(kinds))), None)
            changes = dict(_flat(said))
            if recipe is None:
                message = f"no recipe comes with {kinds[-1].name}"
                self.fault("exam-recipe", message, path, 'write recipe = "FILE", or give a tree')
                return None
        if isinstance(recipe, Recipe):
            if not isinstance(said, str):
                changes = _varied(recipe, kinds) | changes
            changes |= {f"rules.{name}": _spelled(value) for name, value in rules.items()}
            recipe = with_changes(recipe, changes) if changes else recipe
        if isinstance(recipe, Diagnostics):
            for each in recipe:
                where = f"line {each.line} of the recipe: " if isinstance(said, str) else ""
                named = next((name for name in changes if name in each.message), "recipe")
                inside = (*path, "recipe", *named.split(".")) if named != "recipe" else place
                known = (inside, (*path, *named.split(".")), place)
                at = next(filter(self.places.__contains__, known), path)
                self.inside("exam-recipe", f"{where}{each.message}", at, each.hint)
            return None
        if recipe.kind not in {kind.name for kind in kinds}:
            message = f"the recipe grows trees for {recipe.kind}, which this question does not ask"
            self.fault(
                "exam-recipe", message, place, f"take a recipe for {' or '.join(kind.name for kind in kinds)}"
            )
            return None
        if recipe.shape.widest() > LEAVES:
            message = (
                f"such a tree can have {recipe.shape.widest()} leaves, and at most {LEAVES} fit on a page"
            )
            self.fault("exam-large", message, place)
            return None
        return recipe

    def suits(self, plan: QuestionPlan, path: tables.Path) -> None:
        """Add a mistake for every part that cannot be asked of the tree."""
        for number, part in enumerate(plan.parts):
            place = (*path, "part", number) if (*path, "part", number) in self.places else path
            try:
                if isinstance(plan.source, Recipe) and part.kind == plan.source.kind:
                    why = None  # read with its recipe
                elif isinstance(plan.source, Recipe):
                    why = part.asked.suits(fixed_skeleton(plan.source.shape), plan.source.rules, NOTHING)
                else:
                    make_exercise(part.asked, plan.source, plan.source.rules(**dict(plan.rules)), part.terms)
                    why = None
            except RulesError as error:
                self.fault("exam-rules", str(error), (*path, "rules"))
                return
            except ExerciseError as error:
                why = str(error)
            if why is not None:
                message = f"{part.kind} cannot be asked of this tree: {why}"
                self.fault("exam-suits", message, (*place, "kind"))


def _shipped_recipe(kind: str) -> Recipe | None:
    try:
        return default_recipe(kind)
    except FileNotFoundError:
        return None


def _varied(recipe: Recipe, kinds: list[AnyKind]) -> dict[str, Any]:
    """The changes by which variants differ in the answers of all parts, not only of the one they grow for.

    The shortest answers repeat soonest, so what their own recipes draw evenly is drawn evenly here, too;
    sets of leaves then differ enough when all that variants share is how much of the tree is visited.
    """
    short = [kind for form in (MOVE, PATH, COUNT) for kind in kinds if kind.form is form]
    own = next(filter(None, (_shipped_recipe(kind.name) for kind in short)), None)
    if own is None or recipe.asked in short:
        return {}
    counted = any(kind.form is COUNT for kind in short)
    return {"variants.evenly": own.variants.evenly, "variants.same": [] if counted else ["visited"]}


def _flat(table: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    """The fields of a recipe's tables by full name."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from ((f"{name}.{inner}", below) for inner, below in value.items())
        else:
            yield name, value


def _spelled(value: Any) -> Any:
    """A rule as TOML spells it."""
    return list(value) if isinstance(value, tuple) else value


def _called(path: tables.Path) -> str:
    """What a table is called in a message: `question 2`, `part b of question 2`."""
    match path:
        case ("question", int(number)):
            return f"question {number + 1}"
        case ("question", int(number), "part", int(part)):
            return f"part {chr(ord('a') + part)} of question {number + 1}"
        case _:
            return f"[{path[-1]}]"


def _nearest(name: str, known: Fields) -> str:
    near = get_close_matches(name, known, n=1)
    return f"did you mean {near[0]}?" if near else f"the fields are {', '.join(known)}"
