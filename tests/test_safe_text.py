"""The laws of safe text: one character of each class, at every place where a text comes in or goes out."""

import io
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from grader.answers.form import Malformed, Terms
from grader.answers.paths import PATHS
from grader.answers.table import TABLE
from grader.base.safe_text import safe_line, safe_paragraph, skeleton, unsafe_places
from grader.cli.shared import terminal
from grader.exam.blueprint_file import read_blueprint
from grader.exam.roster import Roster, read_roster
from grader.pictures.latex import latex
from grader.pictures.svg import svg
from grader.publishing.paper_formats import paper_html, paper_pdf
from grader.publishing.paper_formats import paper_latex as latex_page
from grader.trees.notation.diagnostics import Diagnostics
from grader.trees.notation.exchange_efg import read_efg
from grader.trees.notation.exchange_json import read_json
from grader.trees.notation.reading import read_tree, tree_of
from grader.trees.tree import Tree
from tests.publishing.papers import paper_in_words

CONTROLS = {"null": "\0", "escape": "\x1b", "delete": "\x7f", "next page": "\x9b", "half": "\ud800"}
TURNING = {"override": "\u202e", "left override": "\u202d"}
UNSEEN = {
    "embedding": "\u202b",
    "end of embedding": "\u202c",
    "isolate": "\u2067",
    "mark of direction": "\u200f",
    "Arabic mark": "\u061c",
    "no width": "\u200b",
    "word joiner": "\u2060",
    "byte order mark": "\ufeff",
    "soft hyphen": "\xad",
    "Hangul filler": "\u3164",
    "tag": "\U000e0041",
    "joiner that joins nothing": "\u200d",
    "joiner that parts nothing": "\u200c",
}
FOREIGN = {"private": "\ue000", "private plane": "\U000f0000", "unassigned": "\u0378"}
UNSAFE = CONTROLS | TURNING | UNSEEN | FOREIGN

SAFE = {
    "Arabic": "محمد",
    "Persian with a non-joiner": "می\u200cخواهم",
    "Hebrew": "שׁלמה",
    "Devanagari with a joiner": "क्\u200dष",
    "Sinhala with a joiner": "ශ්\u200dරී",
    "composed": "Zoë",
    "taken apart": "Zoe\u0308",
    "Chinese": "王小明",
    "variant of a letter": "葛\U000e0100",
    "emoji": "❤\ufe0f",
    "typographic": "O’Brien–Smith",
}

every = pytest.mark.parametrize("sign", UNSAFE.values(), ids=UNSAFE)
safe = pytest.mark.parametrize("name", SAFE.values(), ids=SAFE)


def codes(read: Tree | Diagnostics) -> set[str]:
    """The codes of what is wrong."""
    return {each.code for each in read} if isinstance(read, Diagnostics) else set()


NOTATIONS = {
    "quoted name": 'MAX "A{}B" (3 4)',
    "name": "MAX A{}B (3 4)",
    "unknown": "MAX (x{}y 4)",
    "quoted unknown": 'MAX ("x{}y" 4)',
    "move": 'MAX ("a{}b": 3 4)',
    "title": '@title "A{}B"\nMAX (3 4)',
    "between": "MAX (3 {} 4)",
}


@every
@pytest.mark.parametrize("text", NOTATIONS.values(), ids=NOTATIONS)
def test_notation(text: str, sign: str) -> None:
    """No text with an unsafe character is a tree, wherever it stands; the diagnostic shows its place."""
    read = read_tree(text.format(sign))
    wanted = "control-character" if sign in CONTROLS.values() else "unsafe-character"
    assert isinstance(read, Diagnostics)
    (found,) = [each for each in read if each.code == wanted]
    line = text.split("\n")[found.line - 1]
    assert found.column == line.index("{}") + 1
    assert f"U+{ord(sign):04X}" in found.message
    assert found.hint
    assert sign not in str(read) or sign in FOREIGN.values()


@safe
def test_names_of_the_world_in_trees(name: str) -> None:
    """Names as the world spells them are names of nodes, moves, unknowns and titles."""
    tree = read_tree(f'@title "{name}"\nMAX "{name}" ("{name}": 3 "{name}.")')
    assert isinstance(tree, Tree)
    assert tree.given[0] == tree.moves[1] == tree.header.title == name


def test_comments_may_hold_marks() -> None:
    """What is invisible is no mistake in a comment."""
    assert isinstance(read_tree("MAX (3 4) # \u200fשלום"), Tree)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Zoë", "Zoe\u0308"), ("葛", "葛\U000e0100"), ("A B", "A  B"), ("می\u200cخواهم", "میخواهم")],
)
def test_names_that_look_alike(one: str, other: str) -> None:
    """Two nodes have names that a reader can tell apart; case counts."""
    assert codes(read_tree(f'MAX A (MIN "{one}" (3) MIN "{other}" (4))')) == {"name-twice"}
    assert skeleton(one) == skeleton(other)
    assert codes(read_tree("MAX A (MIN b (3) MIN B (4))")) == set()


@every
def test_exchange(sign: str) -> None:
    """What no tree file may hold no JSON and no .efg file may hold either."""
    escaped = "".join(f"\\u{ord(unit):04x}" for unit in _units(sign))
    node = f'{{"player": "MAX", "name": "A{escaped}B", "children": [{{"payoff": "3"}}]}}'
    wanted = {"bad-name"} if sign in CONTROLS.values() else {"unsafe-character"}
    assert codes(read_json(f'{{"schema": 1, "tree": {node}}}')) == wanted
    if not sign.isspace():
        efg = f'EFG 2 R "" {{ "A" "B" }} p "A{sign}B" 1 1 "" {{ "a" }} 0 t "" 1 "" {{ 3, -3 }}'
        assert codes(read_efg(efg)) == wanted


def _units(sign: str) -> list[int | str]:
    """The code units of a character in JSON."""
    data = sign.encode("utf-16-be", "surrogatepass")
    return [chr(int.from_bytes(data[place : place + 2])) for place in range(0, len(data), 2)]


@every
def test_rosters(sign: str) -> None:
    """Nobody in a class list is called by what is not seen: it is left out, or the list is refused."""
    roster = read_roster(f"id,name\n0042,Ada{sign}Lovelace\n".encode("utf-16", "surrogatepass"))
    if sign in UNSEEN.values():
        assert isinstance(roster, Roster)
        assert roster.students[0].name == "AdaLovelace"
    else:
        assert isinstance(roster, Diagnostics)


@safe
def test_names_of_the_world_in_rosters(name: str) -> None:
    """Students have the names they have."""
    roster = read_roster(f"id,name\n0042,{name}\n".encode())
    assert isinstance(roster, Roster)
    assert roster.students[0].name == name


@every
def test_blueprints(sign: str) -> None:
    """No text of a blueprint holds what is not seen."""
    escaped = f"\\U{ord(sign):08x}" if sign != "\ud800" else "\\u0000"
    text = f'title = "A{escaped}B"\nsecret = "a long enough secret"\nforms = 1\n'
    plan = read_blueprint(text, Path())
    assert isinstance(plan, Diagnostics)
    assert any("is invisible" in each.message for each in plan)


@pytest.mark.parametrize("sign", UNSEEN.values(), ids=UNSEEN)
def test_what_is_not_seen_in_a_reply_is_passed_over(sign: str) -> None:
    """Between, before and behind what a student writes, and inside of a word, it changes nothing."""
    tree = tree_of("MAX A (MIN Bob (3 12 8) MIN C (2 4 6))")
    for text in (f"{sign}5 6", f"5{sign} 6", f"5 6{sign}", f"5 {sign} 6"):
        assert PATHS.read(text, tree, Terms()) == PATHS.read("5 6", tree, Terms())
    assert TABLE.read(f"B{sign}ob=3", tree, Terms()) == TABLE.read("Bob=3", tree, Terms())


@pytest.mark.parametrize("sign", (TURNING | FOREIGN | CONTROLS).values(), ids=TURNING | FOREIGN | CONTROLS)
def test_what_is_not_typed_is_for_somebody_to_judge(sign: str) -> None:
    """What turns a reply around or is no text makes it unreadable, which is never a zero."""
    tree = tree_of("MAX A (MIN B (3 12 8) MIN C (2 4 6))")
    assert isinstance(PATHS.read(f"5 {sign}6", tree, Terms()), Malformed)


@every
def test_terminals(sign: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that hides or turns reaches a terminal; joiners do, which belong to names."""
    out = io.StringIO()
    monkeypatch.setattr("sys.stdout", out)
    terminal.say(f"A{sign}B")
    assert (sign in out.getvalue()) is (sign in "\u200c\u200d\u0378")


@every
def test_pictures_and_pages(sign: str) -> None:
    """No picture and no page holds it, whoever made the tree; half a character cannot even be in a record."""
    words = f"A{sign}B"
    tree = tree_of("MAX A (MIN B (3 12) 4)")
    tree = replace(tree, given=(words, *tree.given[1:]))
    made = [svg(tree), latex(tree)]
    if sign != CONTROLS["half"]:
        public = paper_in_words(words, words).public
        made += [paper_html(public).decode(), latex_page(public).decode()]
        assert paper_pdf(public).startswith(b"%PDF")
    assert [text for text in made if sign in text] == []
    ElementTree.fromstring(made[0])


@every
def test_one_definition(sign: str) -> None:
    """What no name may hold is shown as another character, or not at all where it joins nothing."""
    assert list(unsafe_places(f"A{sign}B")) == [1]
    assert safe_line(f"A{sign}B") == ("AB" if sign in "\u200c\u200d" else "A�B")
    assert safe_line(safe_line(f"A{sign}B")) == safe_line(f"A{sign}B")


@safe
def test_what_is_safe_is_shown_as_it_is(name: str) -> None:
    """Names as the world spells them are neither unsafe nor changed, and can be printed."""
    assert not list(unsafe_places(name))
    assert safe_line(name) == name
    assert paper_pdf(paper_in_words(name, name).public).startswith(b"%PDF")


@pytest.mark.parametrize("space", ["\u00a0", "\u202f"])
def test_a_page_keeps_spaces_that_break_no_line(space: str) -> None:
    """Words for a page have single blanks, and the no-break spaces that they had; a name has blanks alone."""
    words = f" A\n \u2003B{space}:\tC{space}"
    assert safe_paragraph(words, 99) == f"A B{space}: C"
    assert safe_line(words) == "A B : C"
