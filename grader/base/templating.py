"""Templates, filled with values that stay values: none is ever markup, or a command."""

from base64 import b64encode
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from hashlib import sha256
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from grader.base.phrases import paragraph
from grader.base.shipped import shipped_folder


@cache
def html_environment() -> Environment:
    """The templates that write XML or HTML: every value is escaped, and nothing may be undefined."""
    environment = _environment(autoescape=True)
    environment.filters |= {"place": format_coordinate, "base64": _base64}
    return environment


def text_environment(escape: Callable[[str], str], **options: Any) -> Environment:
    """The templates that write anything else: every value but `Markup` goes through `escape`.

    The options are Jinja's. The environment is a new one, to which filters may be added.
    """
    return _environment(
        autoescape=False,  # that would be for XML
        finalize=lambda value: value if isinstance(value, Markup) else escape(str(value)),
        trim_blocks=True,
        lstrip_blocks=True,
        **options,
    )


def raw_template(name: str) -> Markup:
    """A file among the templates that goes into a page as it is: a style sheet or a script."""
    return Markup((shipped_folder("templates") / name).read_text(encoding="utf-8"))


def csp_hash(source: str) -> str:
    """The hash of a script or of a style sheet, as the policy of a page names it."""
    return b64encode(sha256(source.encode()).digest()).decode()


def _environment(**options: Any) -> Environment:
    loader = FileSystemLoader(shipped_folder("templates"), encoding="utf-8")
    environment = Environment(loader=loader, undefined=StrictUndefined, **options)
    environment.filters["paragraph"] = lambda sentences: paragraph(*sentences)
    return environment


@lru_cache(maxsize=4096)
def format_coordinate(length: float) -> str:
    """A coordinate to a tenth of a pixel: as short as that allows, and the same on every machine.

    Remembered, for most things in a picture are in line with others.
    """
    return f"{length:z.1f}".removesuffix(".0")


def _base64(data: Iterable[int]) -> str:
    """Bytes as the address of a picture holds them."""
    return b64encode(bytes(data)).decode()
