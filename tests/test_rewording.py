"""A sentence that is reworded keeps its translations, in the catalogues of the program and of teachers."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from grader.base import catalogues
from grader.base.catalogues import CatalogueError, read_own_catalogue
from grader.base.phrases import Language
from grader.exam.blueprint import Blueprint
from grader.exam.blueprint_file import read_blueprint
from grader.publishing.exam_build import build_exam
from tests.languages import (
    CHECKOUT,
    SHIPPED,
    faults,
    read_reworded,
    renew,
    stale_rewordings,
    template,
    write,
    write_reworded,
)
from tests.publishing.papers import catalogue_of
from tests.rewording import (
    LINE_LENGTH,
    Literal,
    RewordingError,
    literals,
    lost_translations,
    parted,
    read_pairs,
    renamed,
    replaced,
    table_after,
    unusable,
)

PAIRS = {
    "So the move at {node} is to {child}.": (
        "At {node}, the best of all the moves that were compared above is therefore the one to {child}. "
        "It is the one to play."
    ),
    "The best move is to {nodes}.": "The optimal move leads to {nodes}.",
    "The best moves are to {nodes}.": "The optimal moves lead to {nodes}.",
    (
        "Write the leaf numbers (counted from 1 at the left) in ascending order, separated by spaces. "
        "If there are none, write {none}."
    ): 'Write the leaf numbers in "ascending" order, or {none}.',
    "The numbers behind the picture": "The numbers in the picture",
    "Which leaf does the game reach if both players play optimally?": "Which path is played?",
    "How many leaves does the last iteration of iterative deepening visit?": "How many leaves are last?",
}
"""A sentence with placeholders, a plural, one over several lines, one in a template, and questions."""

OWN: Mapping[object, object] = {
    "So the move at {node} is to {child}.": "Dus {node} gaat naar {child}.",
    ("The best move is to {nodes}.", "The best moves are to {nodes}."): ("Zet: {nodes}.", "Zetten: {nodes}."),
    "Question {label}": "Opgave {label}",
}
"""A teacher's catalogue for the sentences of today."""

QUOTING = """
def quotes() -> None:
    assert "So the move at {node} is to {child}." and "Why? How many leaves does the last iteration of \\
iterative deepening visit?" and "How many leaves does the last iteration of iterative deepening visit?"
"""

SPEAKING = """
import sys
from pathlib import Path
from grader.base.catalogues import read_own_catalogue
from grader.base.phrases import Language
from grader.exam.manifest import open_exam

house = Language.of("nl", read_own_catalogue(Path("house.po").read_bytes()))
print(house.say({move!r}, node="A", child="B"))
print(house.say({best!r}, {bests!r}, 2, nodes="B C"))
heading = open_exam(Path("exam")).heading
print(Language.of("nl", heading.own_catalogue).say({move!r}, node="A", child="B"))
"""

BLUEPRINT = """
title = "Quiz"
secret = "kept in a safe"
forms = 1
language = "house.po"

[[question]]
kind = "root-value"
points = 4
tree = "MAX A (MIN B (3 12 8) MIN C (2 4 6))"
"""


def read(path: Path) -> Catalog:
    """A catalogue of the program."""
    with path.open("rb") as file:
        return read_po(file)


def run(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python on a copy of the checkout."""
    command = [sys.executable, *arguments]
    environment = os.environ | {"PYTHONPATH": str(copy)}
    return subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout in which the pairs are reworded, with a catalogue and an exam of before."""
    copy = tmp_path_factory.mktemp("rewording")
    for name in ("grader", "templates", "problems"):
        shutil.copytree(CHECKOUT / name, copy / name)
    (copy / "docs").mkdir()
    (copy / "tests" / "golden").mkdir(parents=True)
    for name in ("pyproject.toml", "README.md", "docs/catalogue.md", "tests/__init__.py"):
        shutil.copy(CHECKOUT / name, copy / name)
    for name in ("languages.py", "rewording.py"):
        shutil.copy(CHECKOUT / "tests" / name, copy / "tests" / name)
    (copy / "tests" / "test_quotes.py").write_text(QUOTING, encoding="utf-8")
    (copy / "tests" / "golden" / "a.txt").write_text("1. The numbers behind the picture\n", encoding="utf-8")
    (copy / "house.po").write_bytes(catalogue_of(OWN, "nl").data)
    blueprint = read_blueprint(BLUEPRINT, copy)
    assert isinstance(blueprint, Blueprint), str(blueprint)
    build_exam(blueprint, None, copy / "exam", formats=("text",), exports=())
    lines = [f"{json.dumps(old)} = {json.dumps(new)}" for old, new in PAIRS.items()]
    (copy / "pairs.toml").write_text("\n".join(lines), encoding="utf-8")
    done = run(copy, "-m", "tests.languages", "reword", "pairs.toml")
    assert (done.returncode, done.stderr) == (0, ""), done
    assert "pytest --golden" in done.stdout
    return copy


# A copy of the checkout ------------------------------------------------------------------------------


def test_translations_stay(copy: Path) -> None:
    """In every language each new sentence has the translation of the old one; nothing else has changed."""
    paths = sorted(SHIPPED.glob("*.po"))
    assert paths
    for path in paths:
        made = read(copy / path.relative_to(CHECKOUT))
        expected, found = (
            {str(entry.id): (entry.string, entry.flags) for entry in each if entry.id}
            for each in (renamed(read(path), PAIRS, fuzzy=False), made)
        )
        assert found == expected, path.name
        assert all(old not in path.read_text(encoding="utf-8") or made.get(old) is None for old in PAIRS)


def test_the_code_is_laid_out(copy: Path) -> None:
    """What was changed is formatted, has no long lines, and no longer has the old sentences."""
    changed = [
        path
        for path in (copy / "grader").rglob("*.py")
        if path.read_bytes() != (CHECKOUT / path.relative_to(copy)).read_bytes()
    ]
    assert len(changed) >= 5
    assert run(copy, "-m", "ruff", "format", "--check", *map(str, changed)).returncode == 0
    texts = [path.read_text(encoding="utf-8") for path in changed]
    assert max(len(line) for text in texts for line in text.split("\n")) <= LINE_LENGTH
    values = {literal.value for text in texts for literal in literals(text)}
    said_in_code = {old: new for old, new in PAIRS.items() if old != "The numbers behind the picture"}
    assert not values & PAIRS.keys()
    assert values >= set(said_in_code.values())


def test_the_catalogues_are_as_they_are_renewed(copy: Path) -> None:
    """Renewing the catalogues and the table of reworded sentences once more changes nothing."""
    files = [*(copy / "problems" / "languages").glob("*.po"), copy / "problems" / "reworded.toml"]
    before = [path.read_bytes() for path in files]
    assert run(copy, "-m", "tests.languages").returncode == 0
    assert [path.read_bytes() for path in files] == before
    assert all(json.dumps(old) in before[-1].decode() for old in PAIRS)


def test_what_quotes_a_sentence_follows(copy: Path) -> None:
    """Documents, tests and golden texts quote the new sentence."""
    assert "How many leaves are last?" in (copy / "docs" / "catalogue.md").read_text(encoding="utf-8")
    tests = (copy / "tests" / "test_quotes.py").read_text(encoding="utf-8")
    values = {literal.value for literal in literals(tests)}
    assert values >= {PAIRS["So the move at {node} is to {child}."], "How many leaves are last?"}
    assert max(map(len, tests.split("\n"))) <= LINE_LENGTH
    golden = (copy / "tests" / "golden" / "a.txt").read_text(encoding="utf-8")
    assert golden == "1. The numbers in the picture\n"
    assert "The numbers in the picture" in (copy / "templates/report/page.html.j2").read_text(
        encoding="utf-8"
    )


def test_old_catalogues_and_exams_are_read(copy: Path) -> None:
    """A teacher's catalogue of before, and the one in an exam of before, translate the new sentences."""
    move, best, bests = (PAIRS[old] for old in list(PAIRS)[:3])
    done = run(copy, "-c", SPEAKING.format(move=move, best=best, bests=bests))
    assert done.stdout.splitlines() == ["Dus A gaat naar B.", "Zetten: B C.", "Dus A gaat naar B."], (
        done.stderr
    )


def test_a_sentence_in_several_places_is_refused(copy: Path) -> None:
    """Without `--everywhere` the places are named and nothing is written."""
    before = {path: path.read_bytes() for path in copy.rglob("*.p[oy]")}
    done = run(copy, "-m", "tests.languages", "reword", "not part of the answer", "one too many")
    assert done.returncode == 2
    assert "grader/publishing/feedback_parts.py:" in done.stderr
    assert "grader/web/sentences.py:" in done.stderr
    assert {path: path.read_bytes() for path in copy.rglob("*.p[oy]")} == before


# Pairs -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pairs", "table", "fault"),
    [
        ({"Nobody says this.": "x"}, {}, "is not a sentence of the program"),
        ({"{a} is pruned.": "Pruned."}, {}, "{a} is missing"),
        ({"{a} is pruned.": "{a} and {b} are pruned."}, {}, "{b} is new"),
        ({"{a} is pruned.": "{b} is pruned."}, {}, "{a} is missing and {b} is new"),
        ({"Answer": "Reply"}, {}, "already"),
        ({"Answer": "Answer"}, {}, "already"),
        ({"Answer": "Reply", "Reply": "Answer"}, {}, "already"),
        ({"Answer": "x", "Reply": "x"}, {}, "several sentences"),
        ({"Answer": "One\ntwo"}, {}, "one line"),
        ({"Answer": "Solution"}, {"Solution": "Reply"}, "was the wording of 'Reply'"),
    ],
)
def test_pairs_that_cannot_be_applied(pairs: dict[str, str], table: dict[str, str], fault: str) -> None:
    """Unknown sentences, other placeholders, exchanged sentences and taken words are refused."""
    said = Catalog()
    for sentence in ("{a} is pruned.", "Answer", "Reply"):
        said.add(sentence)
    assert [fault in found for found in unusable(pairs, said, table)] == [True] * len(pairs)
    assert not [*unusable({"Answer": "Solution"}, said, {"Solution": "Answer"})]


def test_the_table_leads_to_the_sentences_of_today() -> None:
    """Chains are shortened, a sentence that returns needs no line, and a changed meaning ends a chain."""
    once = table_after({}, {"A": "B"}, meaning_changed=False)
    twice = table_after(once, {"B": "C"}, meaning_changed=False)
    assert (once, twice) == ({"A": "B"}, {"A": "C", "B": "C"})
    assert table_after(twice, {"C": "A"}, meaning_changed=False) == {"B": "A", "C": "A"}
    assert table_after(twice, {"C": "D"}, meaning_changed=True) == {}


def test_the_shipped_table_is_current() -> None:
    """Every sentence of an earlier version leads to one that is said today, and is not said itself."""
    assert stale_rewordings(read_reworded(), template()) == []
    said = Catalog()
    said.add("A")
    said.add(("{count} x", "{count} y"))
    assert stale_rewordings({"B": "A", "A": "{count} y", "C": "D"}, said) == ["A", "C"]


def test_the_table_is_written_as_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Quotes, backslashes and every script survive; a file of pairs may be such a table."""
    monkeypatch.setattr("tests.languages.REWORDED", tmp_path / "reworded.toml")
    table = {'A "b" \\ {c}': "‘节点’ {c}", "B": "C\u00a0="}
    write_reworded(table)
    assert read_reworded() == read_pairs(tmp_path / "reworded.toml") == table
    (tmp_path / "wrong.toml").write_text("a = 1", encoding="utf-8")
    with pytest.raises(RewordingError, match="OLD"):
        read_pairs(tmp_path / "wrong.toml")


# Literals and catalogues -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "code",
    [
        'x = say("Old one.")\n',
        'x = say(\n    "Old "\n    "one."\n)\n',
        'x = {"é": say("Old one." if y else "b", a=1)}\n',
        'x = say(("Old " "one."), "é Old one.")\n',
        'x = [["Old one."]]\n',
    ],
)
@pytest.mark.parametrize(
    "new", ["New.", "It is" + ", said twice. It is" * 9, "a\u00a0'b' \"c\"" + " word" * 60]
)
def test_a_literal_is_replaced_and_broken(code: str, new: str) -> None:
    """The new text is one literal, or several within the line length, and the rest of the module stays."""
    path = CHECKOUT / "grader" / "x.py"
    chosen: list[Literal] = [each for each in literals(code) if each.value == "Old one."]
    made = replaced(path, code, chosen, {"Old one.": new})
    kept = [each.value for each in literals(code)]
    assert [each.value for each in literals(made)] == [new if each == "Old one." else each for each in kept]
    assert max(map(len, made.split("\n"))) <= LINE_LENGTH


def test_a_sentence_in_an_f_string_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Python does not tell the place of a sentence, the command says so and does not guess."""
    code = "x = f\"é{say('Old one.')}\"\n"
    chosen = [each for each in literals(code) if each.value == "Old one."]
    monkeypatch.setattr("tests.rewording._span", lambda text, _node: (text.index("(") - 1, text.index(")")))
    with pytest.raises(RewordingError, match="f-string"):
        replaced(CHECKOUT / "x.py", code, chosen, {"Old one.": "New."})


def test_sentences_are_parted_at_their_ends() -> None:
    """A piece ends with a sentence where that is possible, otherwise with a word."""
    assert parted("One two. Three four. Five.", 14) == ["One two. ", "Three four. ", "Five."]
    assert parted("One two three four. Five.", 14) == ["One two ", "three four. ", "Five."]


def made_of(entries: Mapping[object, object]) -> Catalog:
    """A German catalogue."""
    made = Catalog("de", charset="utf-8", fuzzy=False)
    for said, translated in entries.items():
        made.add(said, translated)  # type: ignore[arg-type]
    return made


def test_a_changed_meaning_is_for_translators(tmp_path: Path) -> None:
    """Its translation is marked as fuzzy, which the check of a catalogue tells, and English is spoken."""
    wanted = made_of({"New.": "", ("{count} c", "{count} d"): ""})
    made = renamed(
        made_of({"Old.": "Alt.", ("{count} a", "{count} b"): ("{count} x", "{count} y")}),
        {"Old.": "New.", "{count} a": "{count} c", "{count} b": "{count} d"},
        fuzzy=True,
    )
    path = tmp_path / "de.po"
    write(made, path)
    renew(path, wanted)
    assert ["fuzzy" in found for found in faults(path, wanted)] == [True, True]
    assert read(path).get("New.").string == "Alt."  # type: ignore[union-attr]


def test_lost_translations_are_found() -> None:
    """A forgotten language, a translation that is gone and a plural that was not renamed are told."""
    earlier = {"Old.": "Alt.", ("{count} a", "{count} b"): ("{count} x", "{count} y")}
    pairs = {"Old.": "New.", "{count} a": "{count} c", "{count} b": "{count} d"}
    whole = renamed(made_of(earlier), pairs, fuzzy=False)
    assert [*lost_translations(made_of(earlier), whole, pairs)] == []
    assert len([*lost_translations(made_of(earlier), made_of(earlier), pairs)]) == 2
    for name, string in (("New.", ""), ("{count} c", ("", ""))):
        spoiled = renamed(made_of(earlier), pairs, fuzzy=False)
        spoiled.get(name).string = string  # type: ignore[union-attr]
        assert [*lost_translations(made_of(earlier), spoiled, pairs)] == [name]
    half = {old: new for old, new in pairs.items() if old != "{count} b"}
    assert [*lost_translations(made_of(earlier), renamed(made_of(earlier), half, fuzzy=False), pairs)]


@pytest.mark.parametrize("code", ["nl", "de", "en"])
def test_own_catalogues_may_have_either_wording(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A translation of the new wording goes over one of the old; an empty one does not."""
    old, new = "Answered long ago", "Question {label}"
    monkeypatch.setattr(catalogues, "_current_wordings", lambda: {old: "Answer", "Q {label}": new})
    entries = {"Q {label}": "Vraag {label}", new: "", old: "Oud", "Answer": "Nieuw"}
    language = Language.of(code, catalogue_of(entries, code))
    assert (language.say("Answer"), language.say(new, label=1)) == ("Nieuw", "Vraag 1")


def test_a_sentence_that_is_gone_stays_in_old_exams() -> None:
    """The copy in an exam may have sentences that nobody says any more; a teacher's own file may not."""
    data = b'msgid ""\nmsgstr ""\n"Language: nl\\n"\n\nmsgid "Nobody says this."\nmsgstr "Niemand."\n'
    with pytest.raises(CatalogueError, match="no such sentence"):
        read_own_catalogue(data)
    assert read_own_catalogue(data, may_be_older=True).code == "nl"
