"""Templates; the values in them are escaped, so they are never markup or commands."""

from base64 import b64encode
from collections.abc import Callable
from functools import cache, lru_cache
from hashlib import sha256
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from grader.base.phrases import paragraph
from grader.base.punctuation import gap_after
from grader.base.shipped import shipped_folder


@cache
def html_environment() -> Environment:
    """Return the environment for XML and HTML: values are escaped, undefined ones are errors."""
    environment = _environment(autoescape=True)
    environment.filters |= {
        "place": format_coordinate,
        "base64": lambda data: b64encode(bytes(data)).decode(),
    }
    return environment


def text_environment(escape: Callable[[str], str], **options: Any) -> Environment:
    """Return a new environment for other formats: every value except `Markup` goes through `escape`.

    The options are Jinja's; filters may be added to the environment.
    """
    return _environment(
        autoescape=False,  # which is for XML
        finalize=lambda value: value if isinstance(value, Markup) else escape(str(value)),
        trim_blocks=True,
        lstrip_blocks=True,
        **options,
    )


def raw_template(name: str) -> Markup:
    """Return a template file that goes into a page unchanged: a style sheet or a script."""
    return Markup((shipped_folder("templates") / name).read_text(encoding="utf-8"))


def csp_hash(source: str) -> str:
    """Return the hash of a script or style sheet for the Content-Security-Policy of a page."""
    return b64encode(sha256(source.encode()).digest()).decode()


def _environment(**options: Any) -> Environment:
    """Return an environment for the shipped templates, with the filters of all formats."""
    loader = FileSystemLoader(shipped_folder("templates"), encoding="utf-8")
    environment = Environment(loader=loader, undefined=StrictUndefined, **options)
    environment.filters["paragraph"] = lambda sentences: paragraph(*sentences)
    environment.filters["gap"] = lambda text: Markup(gap_after(text))
    return environment


@lru_cache(maxsize=4096)
def format_coordinate(length: float) -> str:
    """Write a coordinate to a tenth of a pixel, as short as possible, equal on every machine.

    Cached, because most things in a picture are aligned with others.
    """
    return f"{length:z.1f}".removesuffix(".0")
