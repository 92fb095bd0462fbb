"""The question kinds: the question about a tree, the correct answer, and common mistakes."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib import import_module

from grader.questions.kind import AnyKind
from grader.questions.payoff_independence import for_any_payoffs
from grader.questions.titles import TITLES

KIND_NAMES = tuple(dict.fromkeys(code.partition(".")[0] for code in TITLES))
"""Every kind there is, each the module of this package with its name; a new one is a file and its titles."""


@cache
def load_kinds(name: str) -> Mapping[str, AnyKind]:
    """Return the kinds of this name by their codes: `KINDS` of its module, or `KIND`, loaded on demand."""
    module = import_module(_module(name))
    kinds = module.KINDS if hasattr(module, "KINDS") else (module.KIND,)
    named_kinds = (for_any_payoffs(replace(kind, name=name)) for kind in kinds)
    return {kind.code: kind for kind in named_kinds}


def all_kinds() -> tuple[AnyKind, ...]:
    """Every kind with every ask, in the order of the catalogue."""
    return tuple(kind for name in KIND_NAMES for kind in load_kinds(name).values())


def find_kind(code: str) -> AnyKind | None:
    """The kind with this name and ask, `unknown-leaf.pruned`, or None."""
    name = code.partition(".")[0]
    return load_kinds(name).get(code) if name in KIND_NAMES else None


def complete_code(text: str) -> tuple[str, ...]:
    """Return the codes that begin with an incomplete one, or else those of the kind before its dot."""
    name = text.partition(".")[0]
    beginning = tuple(code for code in TITLES if text and code.startswith(text))
    return beginning or tuple(code for code in TITLES if code.partition(".")[0] == name)


def catalogue_question(kind: AnyKind) -> str:
    """The question a kind asks: its own where it is one of several, or the docstring of its module."""
    return kind.question or (import_module(_module(kind.name)).__doc__ or "").strip()


def kind_by_code(code: str) -> AnyKind:
    """The kind with this name and ask. Raises `KeyError` when there is none."""
    kind = find_kind(code)
    if kind is None:
        raise KeyError(code)
    return kind


def _module(name: str) -> str:
    return f"{__name__}.{name.replace('-', '_')}"
