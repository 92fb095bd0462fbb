"""The questions of a blueprint: their parts, and the tree or the recipe that each part is asked about."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from grader.answers.form import Terms
from grader.base.phrases import Language
from grader.base.shipped import bank_files
from grader.exam.blueprint import MAX_PAPER_LEAVES, PartPlan, QuestionPlan
from grader.exam.blueprint_document import BlueprintDocument, StoppedError
from grader.exam.blueprint_fields import MAX_FORMS, TREE_FIELDS
from grader.exam.composition import compose
from grader.exam.pools import pool_objections
from grader.exam.recipe_choice import recipe_for_parts, recipe_objection, variant_changes
from grader.exercises.exercise import ExerciseError, make_exercise
from grader.generation.recipe import Recipe
from grader.generation.recipe_fields import KIND, policy_objection
from grader.generation.recipe_file import apply_changes, flat_fields, read_recipe
from grader.questions.given import NOTHING_GIVEN, find_unknown_field
from grader.questions.kind import AnyKind
from grader.tables.toml import KeyPath, did_you_mean
from grader.trees.notation.decimal_commas import comma_note
from grader.trees.notation.diagnostics import Diagnostics, clip
from grader.trees.notation.reading import read_bytes, read_tree
from grader.trees.rules import RulesError
from grader.trees.tree import EMPTY, Tree

_TREE_NAME = re.compile(r"(?P<bank>bank:)?(?P<name>[^\s()\[\]\"]+(?(bank)|\.(?:tree|txt|json|efg)))")
"""A tree of the bank or a file, as commands name them."""

_TREES = tuple(field.name for field in TREE_FIELDS)
"""The fields that each give the tree of a question."""

_TERMS = ("digits", "decimal_comma", "every", "policy")
"""The terms that an exam or a question states for all its parts."""

_OWN = ("kind", "points", "prompt", "given")
"""The fields of a question without parts, or of each part."""

_ASKED = ("kind", "prompt", "given")
"""The fields of a part that are not terms."""

_POOL_FIELDS = ("choose", "spread", "alternative")
"""The fields of a pool; all others are those of its alternatives."""


class QuestionReader:
    """Reads the questions of a blueprint, and adds their faults to its document."""

    def __init__(self, document: BlueprintDocument, language: Language) -> None:
        self._document, self._language = document, language
        self._fault, self._stop = document.fault, document.stop

    def question(
        self, fields: Mapping[str, Any], raw: Mapping[str, Any], path: KeyPath
    ) -> QuestionPlan | None:
        """Return one question, or None if there is a mistake in it."""
        exam = self._document.values
        rules = {**exam.get("rules", {}), **fields.get("rules", {})}
        parts = self._parts(raw, fields, path)
        source_fields = [name for name in ("recipe", *_TREES) if name in raw]
        if len(source_fields) > 1:
            message = f"{' and '.join(source_fields)} both say where the tree comes from"
            self._fault((*path, source_fields[1]), "exam-source", message, "keep one of them")
        sources = list[Recipe | Tree]()
        for name in _TREES:
            with suppress(StoppedError):
                if name in fields:
                    commas = fields.get("decimal_comma", exam.get("decimal_comma", self._language.comma))
                    sources.append(self._tree(name, fields[name], path, commas=commas))
        kinds = [part["kind"] for part in parts]
        with suppress(StoppedError):
            if not set(_TREES) & set(raw) and self._needs_no_tree(parts, path, has_recipe="recipe" in raw):
                sources.append(EMPTY)
            elif kinds and ("recipe" in fields or not source_fields):
                sources.append(self._recipe(fields, path, kinds, rules))
        has_fault = any(fault.path[: len(path)] == path for fault in self._document.faults)
        if has_fault or not sources or not parts:
            return None
        source = sources[0]
        plans = self._part_plans(parts, fields, source.question if isinstance(source, Recipe) else Terms())
        if isinstance(source, Recipe):
            # Mistakes are to earn little by the policy of the question.
            policies = [plan.terms.policy for plan in plans if plan.kind == source.kind]
            source = replace(source, question=replace(source.question, policy=policies[0]))
        plan = QuestionPlan(
            title=fields.get("title", ""),
            source=source,
            parts=plans,
            follow_through=fields.get("follow_through", False),
            rules=tuple(sorted(rules.items())),
            layout=fields.get("layout", "auto"),
        )
        self._refuse_unsuitable(plan, path)
        return plan

    def _part_plans(
        self, parts: Sequence[Mapping[str, Any]], fields: Mapping[str, Any], own: Terms
    ) -> tuple[PartPlan, ...]:
        """Return the plans of the parts; terms of a part replace those of question, exam and recipe."""
        over: dict[str, Any] = {"language_code": self._language.code, "own": self._language.own}
        if self._language.comma:
            over["decimal_comma"] = True
        for table in (self._document.values, fields):
            over |= {name: table[name] for name in _TERMS if name in table}
        return tuple(
            PartPlan(
                part["kind"].code,
                replace(own, **over | {name: part[name] for name in part if name not in _ASKED}),
                part.get("prompt") or None,
                part.get("given", NOTHING_GIVEN),
                "policy" in {*over, *part}
                or own.policy != part["kind"].form.with_valid_policy(Terms()).policy,
            )
            for part in parts
        )

    def alternatives(
        self, fields: Mapping[str, Any], raw: Mapping[str, Any], path: KeyPath
    ) -> tuple[QuestionPlan | None, ...]:
        """Return the alternatives of a pool; what the pool states of its questions holds for each of them."""
        own = {name: value for name, value in fields.items() if name not in _POOL_FIELDS}
        stated = {name: value for name, value in raw.items() if name not in _POOL_FIELDS}
        plans = tuple(
            self.question({**own, **each}, {**stated, **written}, (*path, "alternative", number))
            for number, (each, written) in enumerate(
                zip(fields.get("alternative", ()), raw.get("alternative", ()), strict=True)
            )
        )
        usable = [plan for plan in plans if plan is not None]
        for message, hint in pool_objections(usable, fields.get("choose", 1)) if usable else ():
            self._fault(path, "exam-pool", message, hint)
        return plans

    def _parts(
        self, raw: Mapping[str, Any], fields: Mapping[str, Any], path: KeyPath
    ) -> list[Mapping[str, Any]]:
        """Return the fields of every part that has a kind; a question without parts is one part itself."""
        only_part = {name: fields[name] for name in _OWN if name in fields}
        if "part" not in raw:
            if fields.get("follow_through"):
                message = "follow_through needs parts: there is nothing earlier to follow from"
                hint = "write [[question.part]] twice or more"
                self._fault((*path, "follow_through"), "exam-parts", message, hint)
            if "kind" not in raw:
                hint = f"write {KIND.example_line}, or another of those that `gametree kinds` lists"
                message = f"kind is missing in question {int(path[1]) + 1}"
                self._fault(path, "exam-missing", message, hint)
            parts: list[Mapping[str, Any]] = [only_part] if "kind" in only_part else []
        else:
            for name in _OWN:
                if name in raw:
                    message = f"{name} is in the parts of this question"
                    self._fault((*path, name), "exam-parts", message, "move it there")
            read = fields.get("part", ())
            for number, part in enumerate(read):
                if "kind" in part:
                    self._policy(part, [part["kind"]], (*path, "part", number))
            if len(read) > MAX_FORMS:
                self._fault((*path, "part"), "exam-value", f"a question has at most {MAX_FORMS} parts")
            parts = [part for part in read if "kind" in part]
        self._policy(fields, [part["kind"] for part in parts], path)
        return parts

    def _needs_no_tree(self, parts: Sequence[Mapping[str, Any]], path: KeyPath, *, has_recipe: bool) -> bool:
        """Return whether the given values suffice without a tree; stop if a recipe would draw them."""
        if not any("given" in part for part in parts):
            return False
        if not has_recipe and not any(part["kind"].needs_tree for part in parts):
            return True
        hint = (
            'write tree = "..." in place of a recipe, '
            "or recipe = {given = {...}} to fix some of the given values"
        )
        for number, part in enumerate(parts):
            if "given" in part:
                place = self._part_path(path, number)
                message = "given belongs to a tree of your own, but here a recipe grows the trees"
                self._fault((*place, "given"), "exam-given", message, hint)
        raise StoppedError

    def _policy(self, fields: Mapping[str, Any], kinds: Sequence[AnyKind], path: KeyPath) -> None:
        """Add a fault for a policy by which none of the kinds is marked."""
        objections = [policy_objection(kind, fields["policy"]) for kind in kinds if "policy" in fields]
        if objections and all(objections):
            message, hint = objections[-1] or ("", "")
            self._fault((*path, "policy"), "exam-policy", f"policy: {message}", hint)

    def _tree(self, place: str, value: str, path: KeyPath, *, commas: bool) -> Tree:
        """Return the tree in one field of a question; its numbers may be printed with decimal `commas`.

        Stop with faults if it cannot be read, if a comma may have been a decimal sign, or if it is too large.
        """
        text = value
        if place == "bank":
            name, files = value.removeprefix("bank:"), bank_files()
            if name not in files:
                hint = did_you_mean(name, files) or "`gametree bank` lists its trees"
                self._stop((*path, "bank"), "exam-bank", f"the bank has no tree {clip(name)!r}", hint)
            read = read_bytes(files[name].read_bytes())
        elif place == "tree_file":
            data = self._document.file(value, (*path, "tree_file"))
            read, text = read_bytes(data), data.decode("utf-8", errors="replace")
        else:
            read = read_tree(value)
        if isinstance(read, Diagnostics):
            if place == "tree" and (source := _TREE_NAME.fullmatch(value)):
                field = "bank" if source["bank"] else "tree_file"
                message = "this names a tree, but this field contains one"
                self._stop((*path, place), "exam-tree", message, f'write {field} = "{source["name"]}"')
            for each in read:
                prefix = f"line {each.line}, column {each.column} of the tree: " if each.line else ""
                self._fault((*path, place), "exam-tree", f"{prefix}{each.message}", each.hint)
            raise StoppedError
        if commas and (doubt := comma_note(text)):
            message, _, hint = doubt.partition("; ")
            self._stop((*path, place), "exam-tree", message, f"{hint}; put a blank between two leaves")
        if len(read.leaves) > MAX_PAPER_LEAVES:
            message = f"the tree has {len(read.leaves)} leaves, and at most {MAX_PAPER_LEAVES} fit on a page"
            self._stop((*path, place), "exam-large", message)
        return read

    def _recipe(
        self, fields: Mapping[str, Any], path: KeyPath, kinds: list[AnyKind], rules: Mapping[str, Any]
    ) -> Recipe:
        """Return the recipe of a file, if one is named, else of a part, with its changes.

        Stop with faults if it cannot be read or used for these kinds, or if its trees are too large.
        """
        entry, place = fields.get("recipe", {}), (*path, "recipe")
        changes: dict[str, Any] = {}
        if isinstance(entry, str):
            if "size" in fields:
                message = "size says which of the program's own recipes is used, and recipe names another"
                self._stop((*path, "size"), "exam-recipe", message, "keep one of them")
            read = read_recipe(self._document.file(entry, place).decode("utf-8-sig", "replace"))
            if isinstance(read, Diagnostics):
                for each in read:
                    message = f"line {each.line} of the recipe: {each.message}"
                    self._fault(place, "exam-recipe", message, each.hint)
                raise StoppedError
        else:
            own = recipe_for_parts(kinds, fields.get("size", "exam"))
            if own is None:
                message = f"no recipe comes with {kinds[-1].code}"
                self._stop(path, "exam-recipe", message, 'write recipe = "FILE", or give a tree')
            stated = dict(flat_fields(entry))
            read, changes = own, variant_changes(own, kinds, stated) | stated
        recipe, faults = apply_changes(
            read, changes | {f"rules.{name}": value for name, value in rules.items()}
        )
        for fault in faults:
            known = ((*place, *fault.path), (*path, *fault.path), fault.path, place)
            at = next(filter(self._document.places.__contains__, known), path)
            message = fault.message if at in known[:3] else fault.full_message
            self._fault(at, "exam-recipe", message, fault.hint)
        if recipe is None or faults:
            raise StoppedError
        if recipe.kind not in {kind.code for kind in kinds}:
            message = f"the recipe grows trees for {recipe.kind}, which this question does not ask"
            hint = f"take a recipe for {' or '.join(kind.code for kind in kinds)}"
            self._stop(place, "exam-recipe", message, hint)
        widest = recipe.shape.max_leaves()
        if widest > MAX_PAPER_LEAVES:
            message = f"such a tree can have {widest} leaves, and at most {MAX_PAPER_LEAVES} fit on a page"
            self._stop(place, "exam-large", message)
        return recipe

    def _refuse_unsuitable(self, plan: QuestionPlan, path: KeyPath) -> None:
        """Add a fault for every part that cannot be asked of the tree."""
        share_draws, before = False, len(self._document.faults)
        for number, part in enumerate(plan.parts):
            place = self._part_path(path, number)
            objection = None
            unknown = find_unknown_field(part.given, part.question_kind.given_names)
            if unknown is not None:
                name, message, hint = unknown
                self._fault((*place, "given", name), "exam-given", message, hint)
                continue
            try:
                if isinstance(plan.source, Tree):
                    make_exercise(
                        part.question_kind, plan.source, plan.conventions, part.terms, given=part.given
                    )
                elif part.question_kind.draw_shared_given is not None or not part.question_kind.needs_tree:
                    share_draws = True
                else:
                    objection = recipe_objection(part.question_kind, plan.source)
            except RulesError as error:
                stated = (*path, "rules")
                self._fault(
                    stated if stated in self._document.places else ("rules",), "exam-rules", str(error)
                )
                return
            except ExerciseError as error:
                objection = str(error)
            if objection is not None:
                tree_source = (
                    "" if isinstance(plan.source, Tree) else f"the trees that grow for {plan.source.kind}"
                )
                message = f"{part.kind} cannot be asked of {tree_source or 'this tree'}: {objection}"
                self._fault((*place, "given" if part.given else "kind"), "exam-suits", message)
        if share_draws and len(plan.parts) > 1 and len(self._document.faults) == before:
            try:
                next(compose(plan, 0, "", 1))
            except ExerciseError as error:
                message, hint = str(error), "make each of the two a separate question"
                self._fault(path, "exam-suits", message, hint)

    def _part_path(self, path: KeyPath, number: int) -> KeyPath:
        """Return the path of a part; that of the question if it is the only part."""
        part_path = (*path, "part", number)
        return part_path if part_path in self._document.places else path
