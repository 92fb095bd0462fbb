"""Stand-ins for the modules that a student's program imports and that are not here."""

import importlib.machinery
import inspect
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any, cast


class _Dummy(type):
    """The metaclass of a class that has every attribute; its objects can be called and iterated over."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _dummy_class(name)


def _dummy_class(name: str) -> Any:
    """Return a class that has every attribute; programs may derive their own classes from it."""
    return _Dummy(
        name,
        (),
        {
            "__init__": lambda *_, **__: None,
            "__getattr__": lambda self, name: getattr(type(self), name),
            "__call__": lambda *_, **__: _dummy_class("result")(),
            "__iter__": lambda _: iter(()),
        },
    )


class _StandIn(ModuleType):
    """A missing module: it has every name."""

    __path__: list[str]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        setattr(self, name, _dummy_class(name))
        return self.__dict__[name]


class StandInFinder:
    """Gives a stand-in for every module that the files of a folder import in vain, and remembers its name."""

    def __init__(self, modules: Mapping[str, Mapping[str, Any]], folder: str) -> None:
        self.modules, self.folder, self.missing = modules, folder, list[str]()

    def find_spec(self, name: str, *_: Any) -> importlib.machinery.ModuleSpec | None:
        """Return a specification for a module that is not installed, and note its name.

        None if it is a library, not the student's program, that imports it.
        """
        top = name.partition(".")[0]
        importer = inspect.currentframe()
        while importer is not None and (
            importer.f_code.co_filename == __file__ or "importlib" in importer.f_code.co_filename
        ):
            importer = importer.f_back
        if importer is None or not importer.f_code.co_filename.startswith(self.folder):
            return None  # a library that can do without it
        if top not in self.missing:
            self.missing.append(top)
        return importlib.machinery.ModuleSpec(name, cast(Any, self), is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """Return a module with the course's contents, and every other name."""
        module = _StandIn(spec.name)
        module.__dict__.update(self.modules.get(spec.name, {}))
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: the module is complete."""


def forget_stand_ins() -> None:
    """Remove all stand-ins from this process, in which a program of another course may run next."""
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, StandInFinder)]
    for name, module in tuple(sys.modules.items()):
        if isinstance(module, _StandIn):
            del sys.modules[name]
