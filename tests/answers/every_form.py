"""Every answer form there is: what a module of `grader.answers` ends in, called as the module."""

from collections.abc import Mapping
from fractions import Fraction
from importlib import import_module
from pkgutil import iter_modules

import pytest

import grader.answers
from grader.answers.form import AnyForm, Form, Policy, PolicyName
from grader.base.numbers import Number


def _found() -> tuple[AnyForm, ...]:
    names = [module.name for module in iter_modules(grader.answers.__path__)]
    ends = [getattr(import_module(f"grader.answers.{name}"), name.upper(), None) for name in names]
    return tuple(end for end in ends if isinstance(end, Form))


FORMS = _found()
FORM_OF = {form.name: form for form in FORMS}
EVERY_FORM = pytest.mark.parametrize("form", FORMS, ids=list(FORM_OF))

AMOUNTS: Mapping[PolicyName, Number] = {"keep": Fraction(1, 2), "deduct": 1}
"""An amount for each policy that has one."""


def policies_of(form: AnyForm) -> tuple[Policy, ...]:
    """Every policy by which a form credits replies, also to earlier exercises; `exact` for a form without."""
    names = (*form.policies, *form.earlier_policies) or ("exact",)
    return tuple(Policy(name, AMOUNTS.get(name, 0)) for name in names)
