"""The layout of the code: which module may import which, and who may speak to the outside world."""

import ast
import gc
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

import grader
from grader.answers.form import BlankCodec, Form
from grader.trees.games.game_definition import Game

PACKAGE = Path(grader.__file__).parent

ROOMS = (
    "base",
    "trees",
    "solvers",
    "tables",
    "answers",
    "questions",
    "exercises",
    "pictures",
    "generation",
    "exam",
    "grading",
    "scanning",
    "publishing",
    "programs",
    "web",
    "cli",
)
"""From the ground up; a module imports from its own room and from the rooms below, nothing else."""

HEIGHT = {name: height for height, name in enumerate(("version", *ROOMS))}


@cache
def modules() -> tuple[tuple[str, Path, ast.Module], ...]:
    """Every module of the package: the layer it belongs to, its file and its syntax tree."""
    paths = [(path.relative_to(PACKAGE).parts[0], path) for path in sorted(PACKAGE.rglob("*.py"))]
    gc.disable()  # all these nodes stay: looking among them for garbage takes longer than making them
    try:
        return tuple(
            (folder.removesuffix(".py"), path, ast.parse(path.read_text(encoding="utf-8")))
            for folder, path in paths
            if folder != "_shipped"
        )
    finally:
        gc.enable()


@cache
def nodes(tree: ast.Module) -> tuple[ast.AST, ...]:
    """Every node of a syntax tree."""
    return tuple(ast.walk(tree))


def imported_layers(tree: ast.Module) -> set[str]:
    """The layers a module imports from at run time, also inside its functions."""
    for_types_only = {
        id(statement)
        for node in tree.body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for statement in ast.walk(node)
    }
    names: set[str] = set()
    for node in nodes(tree):
        if id(node) in for_types_only:
            continue
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return {name.split(".")[1] for name in names if name.startswith("grader.")} - {"__version__"}


def test_arrows_point_one_way() -> None:
    """A module imports only from its own folder and from the layers below it."""
    wrong = [
        f"{path.relative_to(PACKAGE)} imports {other}"
        for layer, path, tree in modules()
        if layer not in ("__init__", "__main__")
        for other in sorted(imported_layers(tree) - {layer})
        if HEIGHT[other] >= HEIGHT[layer]
    ]
    assert wrong == []


def imported_files(path: Path, tree: ast.Module) -> set[Path]:
    """The files of the package that a module imports when it is loaded; lazy imports wait for a call."""
    found = set()
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("grader"):
            for alias in node.names:
                for name in (f"{node.module}.{alias.name}", node.module or ""):
                    place = PACKAGE.parent.joinpath(*name.split("."))
                    for file in (place.with_suffix(".py"), place / "__init__.py"):
                        if file.exists():
                            found.add(file)
                            break
                    else:
                        continue
                    break
    return found - {path}


def test_no_files_form_a_circle() -> None:
    """No file imports itself by way of others, so every file can be understood after those it imports."""
    graph = {path: imported_files(path, tree) for _, path, tree in modules()}
    done: set[Path] = set()
    while ready := [path for path, needs in graph.items() if path not in done and needs <= done]:
        done.update(ready)
    assert sorted(str(path.relative_to(PACKAGE)) for path in set(graph) - done) == []


def is_about_one_form(node: ast.AST) -> bool:
    """Whether code asks which answer form it has: `form.name == ...`, `form is PATHS`, `match form.name`."""
    match node:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() | ast.In() | ast.NotIn(), *_]):
            return ast.unparse(left).endswith("form.name")
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot(), *_], comparators=[other, *_]):
            named = ast.unparse(left)
            return (named == "form" or named.endswith(".form")) and ast.unparse(other) != "None"
        case ast.Match(subject=subject):
            return ast.unparse(subject).endswith("form.name")
        case ast.Subscript(slice=key):
            return ast.unparse(key).endswith("form.name")
        case _:
            return False


def test_nothing_asks_which_form_it_is() -> None:
    """Outside of `grader.answers` nobody asks which answer form it has: the form itself is asked."""
    asking = {
        path.relative_to(PACKAGE).as_posix()
        for layer, path, tree in modules()
        for node in nodes(tree)
        if layer != "answers" and is_about_one_form(node)
    }
    assert asking == set()


def test_every_module_has_its_layer() -> None:
    """Every folder of the package is a room, and no module is left beside them."""
    here = {layer for layer, _, _ in modules()} - {"__init__", "__main__"}
    assert here <= set(HEIGHT)
    assert len(HEIGHT) == 1 + len(ROOMS)


def own_names(layer: str, path: Path, tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the public types and functions of a module, and its numbers with their room, and their code."""
    if path.parent.name in ("interfaces", "lms"):  # their modules are alike, or speak as courses do
        return
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name, decorator_list=decorators):
                if "command" not in "".join(map(ast.unparse, decorators)) and name not in FILLS_A_FIELD:
                    yield name, ast.unparse(node)
            case ast.ClassDef(name=name):
                yield name, ast.unparse(node)
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=ast.expr() as value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                if isinstance(value, ast.Constant) and isinstance(value.value, int | float):
                    if layer != "questions":  # each kind is a module with limits of its own
                        yield f"{layer}: {name}", ast.unparse(value)
                elif re.match("[A-Z].*[a-z]", name) and "TypeVar(" not in ast.unparse(value):
                    yield name, ast.unparse(value)


FILLS_A_FIELD = {
    "main",
    "open_lines",
    *Form.__dataclass_fields__,
    *BlankCodec.__dataclass_fields__,
    *Game.__dataclass_fields__,
}
"""Functions that are called by another name: a program, an evaluation, or what a form or a game does."""


def test_one_name_for_one_thing() -> None:
    """No two types or functions of the package have the same name, and no two numbers of a room."""
    codes: dict[str, dict[str, str]] = {}
    for layer, path, tree in modules():
        for name, code in own_names(layer, path, tree):
            if not name.rpartition(" ")[2].startswith("_"):
                codes.setdefault(name, {})[path.relative_to(PACKAGE).as_posix()] = code
    assert {name: sorted(places) for name, places in codes.items() if len({*places.values()}) > 1} == {}


TABLES_OF_DATA = {"questions/beliefs.py"}
"""Modules that are one table, which nobody reads from its first line to its last."""


def test_no_module_is_long() -> None:
    """A file has at most 450 lines, so that whoever opens one can read it."""
    lines = {
        path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8").count("\n")
        for _, path, _ in modules()
    }
    assert {name for name, count in lines.items() if count > 450} <= TABLES_OF_DATA


def test_the_layout_is_described() -> None:
    """The page about the code names every room, in this order, and no file that does not exist."""
    page = (PACKAGE.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = page.partition("## Rooms")[2].partition("##")[0].splitlines()
    cells = [row.split("|")[1] for row in rows if row.startswith("| `")]
    assert [re.findall(r"`(\w+)/`", cell) for cell in cells] == [[room] for room in ROOMS]
    named = re.findall(r"`((?:grader/)?[\w/]+(?:\.py|/))`", page)
    known = [PACKAGE.parent, PACKAGE, *(PACKAGE / room for room in ROOMS)]
    exam = ("publish/", "instructor/", "grades/", "bank/")
    missing = [
        name
        for name in named
        if not name.startswith(exam) and not any((folder / name).exists() for folder in known)
    ]
    assert len(named) > 30
    assert missing == []


def test_the_drawing_shows_what_is_imported() -> None:
    """Every room is drawn once, above all rooms that it imports from."""
    drawing = (PACKAGE.parent / "docs" / "rooms.svg").read_text(encoding="utf-8")
    boxes = re.findall(r'<rect x="\d+" y="(\d+)"[^>]*/>\n<text[^>]*>(\w+)</text>', drawing)
    tops = {room: int(top) for top, room in boxes}
    assert sorted(room for _, room in boxes) == sorted(ROOMS)
    upside_down = {
        (layer, other)
        for layer, _, tree in modules()
        for other in imported_layers(tree) & tops.keys() - {layer}
        if layer in tops and tops[layer] >= tops[other]
    }
    assert upside_down == set()


@pytest.mark.parametrize("page", ["glossary.md", "renamed.md"])
def test_pages_name_modules_that_exist(page: str) -> None:
    """The last column of the glossary, and of the list of renamed modules, leads to modules that exist."""
    text = (PACKAGE.parent / "docs" / page).read_text(encoding="utf-8").partition("\n## Functions")[0]
    places = {
        path.relative_to(PACKAGE).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
        for _, path, _ in modules()
    }
    cells = re.findall(r"\| ([^|]*`) \|$", text, re.MULTILINE)
    named = {name.removeprefix("grader.") for cell in cells for name in re.findall(r"`([\w.]+)`", cell)}
    assert len(named) > 80
    assert {
        name for name in named if not any(f"{name}.".startswith(f"{place}.") for place in places)
    } == set()


def test_nothing_is_there_for_tests_alone() -> None:
    """Every function and class is called in the package or a template, or documented."""
    defined = Counter(
        node.name
        for _, _, tree in modules()
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("__")
    )
    said = Counter(
        word
        for _, path, _ in modules()
        for word in re.findall(r"\w+", path.read_text(encoding="utf-8"))
        if word in defined
    )
    root = PACKAGE.parent
    templates = [path for path in (root / "templates").rglob("*.*") if path.is_file()]
    pages = [root / "README.md", root / "problems" / "README.md", *(root / "docs").rglob("*.md"), *templates]
    told = {word for page in pages for word in re.findall(r"\w+", page.read_text(encoding="utf-8"))}
    assert {name for name, times in defined.items() if said[name] <= times and name not in told} == set()


def test_only_the_command_line_speaks() -> None:
    """Nothing but `grader.cli` prints, reads argv or standard input, or exits."""
    spoken = []
    for layer, path, tree in modules():
        if layer in ("cli", "__main__"):
            continue
        for node in nodes(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                found = node.func.id in ("print", "input", "exit", "quit")
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                found = node.value.id == "sys" and node.attr in ("argv", "stdin", "stdout", "stderr", "exit")
            else:
                found = isinstance(node, ast.ImportFrom) and node.module == "typer"
            if found:
                spoken.append(f"{path.relative_to(PACKAGE)}:{getattr(node, 'lineno', 0)}")
    assert spoken == []


def test_only_the_package_is_needed() -> None:
    """The code imports the standard library, the declared dependencies and itself, nothing else."""
    project = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [needs for extra, needs in project["optional-dependencies"].items() if extra != "dev"]
    declared = {re.split(r"[<>=\[]", need)[0] for need in [*project["dependencies"], *chain(*extras)]}
    called = {"pillow": "PIL", "python-calamine": "python_calamine", "zxing-cpp": "zxingcpp"}
    declared = {called.get(name, name) for name in declared}
    allowed = {"grader", "markupsafe", *declared, *sys.stdlib_module_names}  # markupsafe is half of Jinja
    for _, path, tree in modules():
        for node in nodes(tree):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module]
            assert {name.split(".")[0] for name in names} <= allowed, path


def test_templates_are_opened_in_one_place() -> None:
    """Only `base.templating` makes a Jinja environment, so there is no template that does not escape."""
    makers = {
        str(path.relative_to(PACKAGE))
        for _, path, tree in modules()
        for node in nodes(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("Environment", "Template"))
    }
    assert makers == {"base/templating.py"}


def test_docstrings_are_one_sentence() -> None:
    """Every module says in one line what it is."""
    for _, path, tree in modules():
        docstring = ast.get_docstring(tree)
        assert docstring or not tree.body, path
        assert len((docstring or "").splitlines()) <= 1, path


INEXACT = {
    # coordinates
    *(f"pictures/{name}.py" for name in ("labels", "latex", "layout", "packing", "placement", "text")),
    "publishing/walkable_tree.py",
    # statistics, and pictures of them
    *("base/statistics.py", "publishing/plots.py", "publishing/report_grids.py"),
    "grading/statistics_collection.py",
    "publishing/scan_sheet.py",  # millimetres
    *(
        f"scanning/{name}.py"
        for name in (
            "box_measures",
            "box_pictures",
            "box_states",
            "likeness",
            "page_location",
            "page_reading",
            "rasters",
            "uncoded_pages",
        )
    ),  # and pixels
    "publishing/lms/autograding.py",  # what Gradescope and PrairieLearn take
    "programs/position.py",  # what students' programs take
    "base/canonical_json.py",  # what JSON has
}
"""The modules that may compute with floats."""

ROUNDING = {"sqrt", "exp", "log", "log2", "log10", "pow", "hypot", "fsum", "erf", "erfc", "gamma", "lgamma"}
"""The functions of `math` whose results are not exact."""


def is_whole(node: ast.expr) -> bool:
    """Whether an expression looks like a whole number, so that dividing it or by it may give a float."""
    match node:
        case ast.Constant(value=value):
            return isinstance(value, int)
        case ast.BinOp(left=left, right=right):
            return is_whole(left) and is_whole(right)
        case ast.Call(func=ast.Name(id=name)):
            return name in ("len", "sum", "round", "int")
        case ast.Attribute(attr=name):
            return name in ("numerator", "denominator")
        case _:
            return False


def is_fraction(node: ast.expr) -> bool:
    """Whether an expression is plainly a fraction: `Fraction(...)`, or a sum that starts with one."""
    match node:
        case ast.BinOp(left=left, right=right):
            return is_fraction(left) or is_fraction(right)
        case ast.Call(func=ast.Name(id="sum"), args=[_, start]):
            return is_fraction(start)
        case ast.Call(func=ast.Name(id=name)):
            return name == "Fraction"
        case _:
            return False


def makes_a_float(node: ast.AST) -> bool:
    """Whether an expression makes a float: by name, by a rounding function, or by dividing whole numbers."""
    match node:
        case ast.Call(func=ast.Name(id="float")):
            return True
        case ast.Attribute(value=ast.Name(id="math"), attr=name):
            return name in ROUNDING
        case ast.ImportFrom(module="math", names=names):
            return any(alias.name in ROUNDING for alias in names)
        case ast.BinOp(op=ast.Div(), left=left, right=right):
            return (is_whole(left) or is_whole(right)) and not (is_fraction(left) or is_fraction(right))
        case _:
            return False


def test_no_floats_in_exact_code() -> None:
    """Payoffs, values and points never become floats: those are made in a few named modules only."""
    made = [
        (path.relative_to(PACKAGE).as_posix(), ast.unparse(node))
        for _, path, tree in modules()
        for node in nodes(tree)
        if makes_a_float(node)
    ]
    assert [(place, words) for place, words in made if place not in INEXACT] == []
    assert {place for place, _ in made} == INEXACT


def test_tests_state_their_law() -> None:
    """Every test function says in its docstring the law it holds."""
    silent, found = [], 0
    for path in sorted(Path(__file__).parent.rglob("test_*.py")):
        for test in path.read_text(encoding="utf-8").split("\ndef test_")[1:]:
            lines = iter(test.splitlines())
            name = next(lines)
            if not re.search(r":(?:  #.*)?$", name):
                next(line for line in lines if line.startswith(")"))
            found += 1
            if not re.match(r' {4}"""\S', next(lines)):
                silent.append(f"{path.name}: test_{name}")
    assert silent == []
    assert found > 1000


def test_public_names_are_those_that_are_typed() -> None:
    """The names that `grader` loads lazily are those it imports for type checkers, from the same places."""
    source = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    typed = {
        alias.name: node.module
        for block in source.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert typed == grader._HOMES
    assert sorted(typed) == sorted(grader.__all__)
    assert all(getattr(grader, name).__name__ == name for name in typed)


def test_one_place_knows_what_was_meant() -> None:
    """Likeness of names has one definition, and so has what a text may hold."""
    sources = {path.name: path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")}
    assert {name for name, text in sources.items() if "difflib" in text} == {"suggest.py"}
    sorting = {name for name, text in sources.items() if "unicodedata.category" in text}
    fonts = {path.name for path in (PACKAGE / "pictures").iterdir()}  # which scripts a font lacks
    assert sorting - fonts == {"safe_text.py"}
