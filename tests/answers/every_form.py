"""Every answer form there is: what a module of `grader.answers` ends in, called as the module."""

from importlib import import_module
from pkgutil import iter_modules

import grader.answers
from grader.answers.form import AnyForm, Form


def _found() -> tuple[AnyForm, ...]:
    names = [module.name for module in iter_modules(grader.answers.__path__)]
    ends = [getattr(import_module(f"grader.answers.{name}"), name.upper(), None) for name in names]
    return tuple(end for end in ends if isinstance(end, Form))


FORMS = _found()
