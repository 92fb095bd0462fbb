"""Catalogues of sentences: the shipped ones are whole, and a teacher's own is spoken everywhere."""

import ast
import csv
import json
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from datetime import date, datetime, time
from fractions import Fraction
from io import BytesIO
from itertools import islice
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from grader.base.catalogues import (
    PLACEHOLDER,
    CatalogueError,
    has_catalogue,
    read_catalogue,
    read_own_catalogue,
    shipped_languages,
    uses_decimal_comma,
    write_date,
)
from grader.base.phrases import Language, Phrase, paragraph
from grader.exam.blueprint import Blueprint
from grader.exam.blueprint_file import read_blueprint
from grader.exam.folders import CATALOGUE_FILE, KEYS_FOLDER
from grader.exam.manifest import open_exam
from grader.grading.analysis import analyse
from grader.grading.exam_keys import ExamKeysError, read_exam_keys
from grader.grading.results import results
from grader.pictures.node_words import describe
from grader.pictures.view import View
from grader.publishing import class_report
from grader.publishing.exam_build import build_exam
from grader.publishing.feedback_formats import write_feedback
from grader.publishing.feedback_pages import PAGE_PHRASES
from grader.publishing.verification import verify_exam
from grader.solvers.explaining.node_wording import node_title, value_choice
from grader.trees.notation.diagnostics import Diagnostics
from grader.trees.notation.reading import read_tree
from grader.trees.tree import Value
from grader.trees.tree_builder import HIDDEN_PAYOFF
from tests.cli.running import gametree
from tests.grading.test_grading import graded
from tests.languages import CHECKOUT, KEYWORDS, SHIPPED, faults, renew, said_in, template, write
from tests.publishing.lms.exams import unpacked
from tests.publishing.papers import catalogue_of

HOUSE = {
    "Question {label}": "Aufgabe {label}",
    "Student ID": "Matrikelnummer",
    "Write one number.": "Schreiben Sie eine Zahl.",
    PAGE_PHRASES["answer"]: "Die Antwort:",
    "The correct answer is {answer}.": "Richtig ist {answer}.",
    "Class report": "Bericht",
    "{title}: class report": "{title}: Bericht",
    "Key to variant {code}: {title}": "Lösung zu Variante {code}: {title}",
}
"""Some sentences of a made-up catalogue."""


@pytest.fixture(scope="module")
def said() -> Catalog:
    """Every sentence of the program."""
    return template()


# Numbers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("-3", "−3"),
        ("A=-0.5 B=2", "A=−0.5 B=2"),
        ("B [-inf, -2] -> -3", "B [−∞, −2] -> −3"),
        ("x < -7/3 or x >= 0", "x < −7/3 or x >= 0"),
        ("<-1, 2>", "<−1, 2>"),
        ('"a -3"=-3 C2-3=4', '"a -3"=−3 C2-3=4'),
    ],
)
def test_a_minus_sign_is_printed_before_numbers_alone(written: str, printed: str) -> None:
    """People read a minus sign before a number of a reply, and names stay as they are."""
    assert Language().reply(written) == printed


# Catalogues that come with the program ---------------------------------------------------------------


@pytest.mark.parametrize("code", shipped_languages()[1:])
def test_a_shipped_catalogue_is_whole(code: str, said: Catalog) -> None:
    """Each sentence is translated, with its placeholders and all plural forms; nothing else stands there."""
    assert list(faults(SHIPPED / f"{code}.po", said)) == []


def test_french_signs_stay_with_their_words() -> None:
    """A sign that has a blank before it in French, or behind it, never begins or ends a line alone."""
    made = read_catalogue((SHIPPED / "fr.po").read_text(encoding="utf-8"))
    said = "\n".join(str(entry.string) for entry in made if entry.id)
    assert said.count(r"\xa0:") + said.count("\xa0:") > 100
    assert re.findall(".* [:;?!»].*|.*« .*", said) == []


_NOT_TEXT = re.compile(
    r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}|<(?P<name>style|script)\b.*?</(?P=name)>|<[^>]*>", re.DOTALL
)
"""Everything in a template of HTML but the text that it writes itself."""

_ERROR = re.compile(r"new Error\(`.*?`\)")
"""What a script says to programmers."""

_SIGNS = re.compile(
    r"""(?:join\(|, )"[,;:] "|\}(?:[;:] `|[,;:] \$\{)| \(\$\{|(?:message|hint)[\]}]\.?(?:join| \$)"""
)
"""Separators, brackets and joined sentences in a script, which a language writes in its own way."""


def test_templates_have_no_words_of_their_own() -> None:
    """A page gets its words and the signs between them from the language; a template has only notation."""
    pages = [path for path in (CHECKOUT / "templates").rglob("*.html.j2") if path.name != "question.html.j2"]
    written = {
        word
        for path in pages
        for word in re.findall(r"[A-Za-z]{2,}|[,;:(]", _NOT_TEXT.sub(" ", path.read_text(encoding="utf-8")))
    }
    assert pages
    assert written == {"MAX", "MIN", "CHANCE"}


def test_scripts_have_no_signs_of_their_own() -> None:
    """A script takes commas, colons and brackets between texts from the language, except in notation."""
    scripts = [*(CHECKOUT / "templates").rglob("*.js")]
    lines = [
        f"{path.name}: {line.strip()}"
        for path in scripts
        if path.name not in ("draw.js", "reply.js")  # they write trees and replies
        for line in _ERROR.sub("", path.read_text(encoding="utf-8")).splitlines()
    ]
    assert len(scripts) > 20
    assert [line for line in lines if _SIGNS.search(line)] == []


def test_translators_find_what_stands_in_the_places_of_sentences() -> None:
    """Sentences are found in f-strings and in either case of two; texts in named arguments are none."""
    code = (
        b"""say('one', word=given['two']); f"{say('three')}"; say('four' if some else 'five'); write('six')"""
    )
    assert [texts for *_, texts, _ in said_in(BytesIO(code), KEYWORDS, (), {})] == [
        ["one"],
        ["four"],
        ["five"],
        ["three"],
    ]


def test_what_has_placeholders_is_a_sentence_for_translators(said: Catalog) -> None:
    """Whatever the rooms that speak to students say with placeholders, translators find."""
    known = {
        text for entry in said if entry.id for text in ([entry.id] if isinstance(entry.id, str) else entry.id)
    }
    lost = [
        f"{room}: {text}"
        for room in (
            "answers",
            "questions",
            "questions/parts",
            "solvers/explaining",
            "exercises",
            "exercises/checking",
            "pictures",
        )
        for path in sorted((CHECKOUT / "grader" / room).glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant)
        and isinstance(text := node.value, str)
        and PLACEHOLDER.search(text)
        and " " in text
        and "\n" not in text
        and "`" not in text  # which docstrings have
        and text not in known
    ]
    assert lost == []


def test_no_sentence_is_put_together_in_the_code() -> None:
    """What is said outside of commands has placeholders and is never an f-string, which nobody translates."""
    rooms = (CHECKOUT / "grader").glob("[!c]*/**/*.py")  # commands speak English
    lost = [
        f"{path.name}:{call.lineno}"
        for path in sorted(rooms)
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
        and getattr(call.func, "attr", getattr(call.func, "id", "")) in KEYWORDS
        and isinstance((*call.args, None)[0], ast.JoinedStr)
    ]
    assert lost == []


def translated(said: Catalog, path: Path) -> Catalog:
    """A catalogue in which every sentence is translated by itself."""
    made = Catalog("de", charset="utf-8", fuzzy=False)
    for entry in said:
        if entry.id:
            made.add(entry.id, entry.id)
    write(made, path)
    return made


def test_what_a_catalogue_lacks_is_told(said: Catalog, tmp_path: Path) -> None:
    """Lost or added placeholders, missing plural forms, entries or translations, stale or fuzzy ones."""
    path = tmp_path / "de.po"
    plural = next(entry.id for entry in said if entry.id and entry.pluralizable)
    few = Catalog(charset="utf-8", fuzzy=False)
    for known in (plural, "Question {label}", *(entry.id for entry in islice(said, 1, 50))):
        few[known] = said[known]
    made = translated(few, path)
    assert list(faults(path, few)) == []
    for identifier, string, fault in (
        ("{leaf} is pruned.", None, "nobody says"),
        ("Question {label}", "Frage", "{label} is missing"),
        ("Question {label}", "Frage {label} von {total}", "{total} has no value"),
        (plural, (plural[0], ""), "lacks a plural form"),
        ("Question {label}", "", "a translation is missing"),
    ):
        wrong = Catalog("de", charset="utf-8", fuzzy=False)
        for entry in made:
            if entry.id and entry.id != identifier:
                wrong.add(entry.id, entry.string)
        wrong.add(identifier, identifier if string is None else string)
        write(wrong, path)
        assert [fault in found for found in faults(path, few)] == [True], fault
    made.delete("Question {label}")
    write(made, path)
    assert [("entry is missing" in found) for found in faults(path, few)] == [True]
    made.add("Question {label}", "Frage {label}", flags=["fuzzy"])
    write(made, path)
    assert any("fuzzy" in found for found in faults(path, few))
    path.write_text(
        path.read_text(encoding="utf-8") + '\n#~ msgid "Gone."\n#~ msgstr "Weg."\n', encoding="utf-8"
    )
    assert any("'Gone.'" in found for found in faults(path, few))


def test_renewing_keeps_what_is_translated(said: Catalog, tmp_path: Path) -> None:
    """A renewed catalogue has every sentence of the code, those it had translated, and no others."""
    path = tmp_path / "de.po"
    made = Catalog("de", charset="utf-8", fuzzy=False)
    made.add("Question {label}", "Frage {label}")
    made.add("Gone.", "Weg.")
    write(made, path)
    renew(path, said)
    assert not any("nobody says this" in found for found in faults(path, said))
    assert not any("'Question {label}'" in found for found in faults(path, said))
    once = path.read_bytes()
    renew(path, said)
    assert path.read_bytes() == once


# A catalogue of one's own ----------------------------------------------------------------------------

BLUEPRINT = """
title = "Quiz"
secret = "kept in a safe"
forms = 1
language = "house.po"
date = 2027-05-01

[[question]]
kind = "expected-values"
points = 3
tree = "MAX A (CHANCE B (0.5: 2, 0.5: 3) CHANCE C (0.5: 1, 0.5: 0))"

[[question]]
kind = "root-value"
points = 4
tree = "MAX A (MIN B (3 12 8) MIN C (2 4 6))"
"""


def in_house(folder: Path, code: str = "nl") -> Blueprint:
    """The blueprint, with a catalogue beside it."""
    own = catalogue_of(HOUSE, code)
    (folder / "house.po").write_bytes(own.data)
    read = read_blueprint(BLUEPRINT, folder)
    assert isinstance(read, Blueprint), str(read)
    return read


@pytest.fixture(scope="module")
def sat(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An exam in that language with every export, for anybody, and a reply to it."""
    folder = tmp_path_factory.mktemp("house")
    build_exam(in_house(folder), None, folder / "exam", formats=("pdf", "html", "text"), exports=None)
    (folder / "house.po").unlink()  # from here on the exam speaks by its copy
    with (folder / "r.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("id", "1", "2"), ("7", "B=2,5 C=0,5 A=2,5", "4"), ("8", "B=2", "3")])
    return folder


def test_papers_and_keys_speak_it(sat: Path) -> None:
    """What it says stands on the papers and keys, with the decimal sign and the date of its language."""
    (page,) = (sat / "exam" / "publish").rglob("*.html")
    text = page.read_text(encoding="utf-8")
    assert "Aufgabe 1" in text
    assert "Matrikelnummer" in text
    assert "Question" not in text
    assert "0,5" in text
    assert "1 mei 2027" in text
    assert '<html lang="nl"' in text
    exam = open_exam(sat / "exam")
    assert not isinstance(exam, Diagnostics)
    assert exam.heading.own_catalogue == read_own_catalogue((sat / "exam" / CATALOGUE_FILE).read_bytes())
    assert [
        part.public.terms.language for paper in exam.papers for q in paper.questions for part in q.parts
    ] == [Language("nl", comma=True, own=exam.heading.own_catalogue)] * 2
    assert list((sat / "exam" / KEYS_FOLDER).glob("*.pdf"))
    verdict = verify_exam(sat / "exam")
    assert verdict.findings == ()


@pytest.mark.parametrize("released", [False, True])
def test_feedback_and_report_speak_it(sat: Path, tmp_path: Path, released: bool) -> None:
    """What is said to students later is said by the copy in the exam's folder."""
    folder = tmp_path / "exam"
    shutil.copytree(sat / "exam", folder)
    (folder / "grades").mkdir(exist_ok=True)
    exam_keys = read_exam_keys(folder)
    with graded(folder, exam_keys, sat / "r.csv") as book:
        write_feedback(book, exam_keys, tmp_path / "pages", formats=("html",), released=released)
        page = class_report.report_html(analyse(exam_keys, results(book, exam_keys))).decode()
    texts = [path.read_text(encoding="utf-8") for path in (tmp_path / "pages").rglob("*.html")]
    assert texts
    assert all("Aufgabe 1" in text for text in texts)
    assert any("Die Antwort:" in text for text in texts) == released
    assert "Quiz: Bericht" in page


def test_without_its_catalogue_an_exam_says_so(sat: Path, tmp_path: Path) -> None:
    """An exam whose catalogue is gone, or another one, is not marked in other words than it was set in."""
    shutil.copytree(sat / "exam", tmp_path / "exam")
    path = tmp_path / "exam" / CATALOGUE_FILE
    for data in (None, catalogue_of({"Answer": "Antwort"}, "nl").data, b"msgid"):
        path.unlink() if data is None else path.write_bytes(data)
        with pytest.raises(ExamKeysError, match=r"language\.po"):
            read_exam_keys(tmp_path / "exam")
        path.write_bytes(b"")


def test_the_autograder_speaks_it_without_babel(sat: Path, tmp_path: Path) -> None:
    """What goes to a platform marks in the same words, though Babel is not there."""
    for name, data in unpacked((sat / "exam" / "instructor" / "gradescope.zip").read_bytes()).items():
        place = tmp_path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as program:
        program.extractall(tmp_path / "program")
    script = (
        "import sys; sys.modules['babel'] = None\n"
        f"sys.path.insert(0, {str(tmp_path / 'program')!r})\n"
        "from pathlib import Path\n"
        "from grader.grading.exam_keys import read_exam_keys\n"
        f"keys = read_exam_keys(Path({str(tmp_path / 'exam')!r}))\n"
        "(key, *_) = keys.part_keys(keys.open_variant)\n"
        "language = key.read_exercise().public.terms.language\n"
        "print(language.say('Question {label}', label=1))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert (run.returncode, run.stdout.strip()) == (0, "Aufgabe 1"), run.stderr


def test_the_catalogue_is_part_of_the_exam(tmp_path: Path) -> None:
    """Another catalogue is another digest of the blueprint, and another checksum of its papers."""
    plans = [in_house(tmp_path, code) for code in ("nl", "da")]
    assert plans[0].digest != plans[1].digest
    assert plans[0].heading.to_json() != plans[1].heading.to_json()


def test_numbers_are_the_languages_unless_told_otherwise(tmp_path: Path) -> None:
    """Where the language has a decimal comma numbers have one, unless the blueprint says otherwise."""
    assert all(
        part.terms.decimal_comma for question in in_house(tmp_path).questions for part in question.parts
    )
    read = read_blueprint(f"decimal_comma = false{BLUEPRINT}", tmp_path)
    assert isinstance(read, Blueprint)
    assert not any(part.terms.decimal_comma for question in read.questions for part in question.parts)
    commas = {
        "de": True,
        "fr": True,
        "es": True,
        "it": True,
        "pt": True,
        "zh": False,
        "de-CH": False,
        "en": False,
    }
    assert {code: uses_decimal_comma(code) for code in commas} == commas


def test_dates_are_in_the_order_of_the_language() -> None:
    """A date is written as the language writes it; a time alone is the same everywhere."""
    first = date(2027, 5, 1)
    assert [write_date(code, first) for code in ("en", "de", "pt", "zh", "tlh")] == [
        "2027-05-01",
        "1. Mai 2027",
        "1 de maio de 2027",
        "2027年5月1日",
        "2027-05-01",
    ]
    assert write_date("fr", datetime(2027, 5, 1, 9, 30)) == "1 mai 2027 09:30"
    assert write_date("fr", time(9, 30)) == "09:30:00"


HEADER = 'msgid ""\nmsgstr ""\n"Language: nl\\n"\n'

BROKEN = {
    b"\xff": (1, "not UTF-8 text"),
    b'msgid "a': (1, ""),
    b'msgid "Answer"\nmsgstr "Antwort"\n': (1, "which language"),
    f"{HEADER}Answer = Antwort\n".encode(): (4, ""),
    f'{HEADER}\nmsgid "Question {{label}}"\nmsgstr "Vraag"\n'.encode(): (5, "{label} is missing"),
    f'{HEADER}\nmsgid "Question {{label}}"\nmsgstr "Vraag {{label}} {{number}}"\n'.encode(): (
        5,
        "has no value",
    ),
    HEADER.replace('nl\\n"', 'nl\\n"\n"Plural-Forms: nplurals=2; plural=(m != 1);\\n"').encode(): (1, ""),
    HEADER.replace('nl\\n"', 'nl\\n"\n"Plural-Forms: nplurals=2; plural=1/(n-2);\\n"').encode(): (1, "zero"),
    HEADER.replace('nl\\n"', 'nl\\n"\n"Plural-Forms: nplurals=2; plural=n;\\n"').encode(): (
        1,
        "form 1000000",
    ),
    HEADER.replace('nl\\n"', 'nl\\n"\n"Plural-Forms: nplurals=2; plural=0-1;\\n"').encode(): (1, "form -1"),
    f'{HEADER}\nmsgid "a"\nmsgid_plural "b"\nmsgstr[0] "c"\n'.encode(): (5, "plural form"),
}
"""Catalogues that cannot be used, with the line and a word of the message."""


@pytest.mark.parametrize(
    "code", ["xx", "1e1", "", "../de", "d\0e", "\ud800", "d" * 300, "zh" + "-abcdefgh" * 60]
)
def test_a_language_without_a_catalogue_is_english(code: str) -> None:
    """Whatever a damaged record names as its language, sentences are there, in English."""
    assert not has_catalogue(code)
    assert Language.of(code).say("{count} student", "{count} students", 2) == "2 students"


@pytest.mark.parametrize("data", BROKEN)
def test_a_broken_catalogue_is_told(data: bytes, tmp_path: Path) -> None:
    """What is wrong is told with its line and a hint, by commands with exit code 2, and in a blueprint."""
    line, word = BROKEN[data]
    with pytest.raises(CatalogueError) as caught:
        read_own_catalogue(data)
    assert (line, True) in {(fault.line, word in fault.message) for fault in caught.value.faults}
    assert all(fault.hint for fault in caught.value.faults)
    (tmp_path / "house.po").write_bytes(data)
    ran = gametree("generate", "root-value", "--seed", "7", "--language", str(tmp_path / "house.po"))
    assert (ran.code, ran.out) == (2, "")
    assert f"line {line}" in ran.err
    found = read_blueprint(BLUEPRINT, tmp_path)
    assert isinstance(found, Diagnostics)
    assert {fault.code for fault in found} == {"exam-language"}


# Commands --------------------------------------------------------------------------------------------


def test_a_language_without_sentences_is_refused() -> None:
    """A command and a blueprint refuse it, and tell which there are."""
    ran = gametree("explain", "bank:aima-fig-5-2", "--language", "tlh")
    assert ran.code == 2
    assert "There are en" in ran.err
    found = read_blueprint(BLUEPRINT.replace("house.po", "tlh"), Path())
    assert isinstance(found, Diagnostics)
    assert [fault.code for fault in found] == ["exam-language"]
    assert "there are en" in found.items[0].hint


def test_commands_speak_it(tmp_path: Path) -> None:
    """What commands make for students is in the language that is asked for, and marked in it."""
    said = {"Game tree": "Spielbaum", "Everything is correct.": "Alles richtig."}
    own = catalogue_of(HOUSE | said | {"Understood as: {reply}": "Verstanden als: {reply}"}, "nl")
    house = tmp_path / "house.po"
    house.write_bytes(own.data)
    spoken_so = ("--language", str(house))
    made = gametree("generate", "root-value", "--seed", "7", *spoken_so)
    record = json.loads(made.out)
    assert (record["language"], record["catalogue"], record["decimal_comma"]) == ("nl", own.digest, True)
    (tmp_path / "e.json").write_text(made.out, encoding="utf-8")
    wrong = "9999"
    told = gametree("mark", str(tmp_path / "e.json"), wrong, *spoken_so)
    assert told.code == 1
    assert "Verstanden als: 9999" in told.out
    assert "Schreiben Sie eine Zahl." in record["prompt"]
    refused = gametree("mark", str(tmp_path / "e.json"), wrong)
    assert refused.code == 2
    assert "--language" in refused.err
    tree = "MAX A=3 (MIN B=3 (3 12 8) MIN C<=2 (2 ~4 ~6))"
    assert "Alles richtig." in gametree("check", "-", *spoken_so, typed=tree).out
    gametree("draw", "-", "-o", str(tmp_path / "t.svg"), *spoken_so, typed="MAX (3 5)")
    assert "Spielbaum" in (tmp_path / "t.svg").read_text(encoding="utf-8")
    assert gametree("explain", "-", *spoken_so, typed="MAX (3 2.5)").out.count("2,5")


@pytest.mark.parametrize(
    ("code", "values", "written"),
    [
        ("en", (Fraction(5, 2), 3, 4), "2.5, 3 or 4"),
        ("de", (Fraction(5, 2), 3, 4), "2,5; 3 oder 4"),
        ("de", (2, 3, 4), "2, 3 oder 4"),
        ("zh", (2, 3, 4), "2、3 或 4"),
    ],
)
def test_values_of_which_one_counts_are_joined_by_or(
    code: str, values: Sequence[Value], written: str
) -> None:
    """They are separated as in any list of numbers: with a decimal comma by semicolons where needed."""
    assert value_choice(values, Language.of(code)) == written


def test_a_hidden_payoff_is_no_letter() -> None:
    """A leaf without a payoff to show is `leaf 1`; an unknown payoff has its letter."""
    tree = read_tree("MAX A (x 3)")
    assert not isinstance(tree, Diagnostics)
    assert node_title(tree, 1) == "leaf 1 (x)"
    assert node_title(tree.with_payoffs((HIDDEN_PAYOFF, 3)), 1) == "leaf 1"


ALPHA_BETA = {
    "de": {"alpha", "beta", "alpha-beta"},
    "es": {"alfa", "beta", "alfa-beta"},
    "fr": {"alpha", "bêta", "alpha-bêta"},
    "it": {"alfa", "beta", "alfa-beta"},
    "pt": {"alfa", "beta", "alfa-beta"},
    "zh": {"alpha", "beta", "α-β"},
}
"""How each language spells the bounds and the search; `α` and `β` alone are the letters of a window."""

_SPELLING = re.compile(r"(?<!\w)(?:al[pf]h?a|α)-(?:b[eê]ta|β)(?!\w)|(?<!\w)(?:al(?:ph|f)a|b[eê]ta)(?!\w)")


@pytest.mark.parametrize("code", ALPHA_BETA)
def test_alpha_and_beta_have_one_spelling(code: str) -> None:
    """A catalogue has one form of each, in sentences and in formulas; code in backticks is as it is typed."""
    with (SHIPPED / f"{code}.po").open("rb") as file:
        entries = [entry for entry in read_po(file) if entry.id]
    spelled = set[str]()
    for entry in entries:
        for text in (entry.string,) if isinstance(entry.string, str) else entry.string or ():
            plain = re.sub(rf"{PLACEHOLDER.pattern}|`[^`]*`", "", text)
            spelled.update(_SPELLING.findall(plain.lower()))
    assert spelled == ALPHA_BETA[code]


CHANCE_TREE = "MAX A (CHANCE B (1/2: 3, 1/2: 4) CHANCE C (1/2: MIN D (1 2), 1/2: 9))"

CHANCE_NODE = {
    "en": ("chance node B", "at chance node B", "Chance node B"),
    "de": ("Zufallsknoten B", "an Zufallsknoten B", "Zufallsknoten B"),
    "es": ("el nodo de azar B", "en el nodo de azar B", "El nodo de azar B"),
    "fr": ("le nœud de hasard B", "au nœud de hasard B", "Le nœud de hasard B"),
    "it": ("il nodo di caso B", "nel nodo di caso B", "Il nodo di caso B"),
    "pt": ("o nó de acaso B", "no nó de acaso B", "O nó de acaso B"),
    "zh": ("机会节点 B", "在机会节点 B 处", "机会节点 B"),
}
"""A chance node by itself, with a preposition, and at the start of a sentence."""


@pytest.mark.parametrize("code", CHANCE_NODE)
def test_a_chance_node_has_the_word_of_the_language(code: str) -> None:
    """Sentences and descriptions of pictures call it as the papers of the language do, never `CHANCE`."""
    tree, language = read_tree(CHANCE_TREE), Language.of(code)
    assert not isinstance(tree, Diagnostics)
    name, at_name, start = CHANCE_NODE[code]
    assert node_title(tree, 1, language) == name
    assert language.term(Phrase("at {node}"), node=name) == at_name
    description = describe(tree, View.question(tree, language=language))
    assert "CHANCE" not in description
    assert f"{start} " in description


@pytest.mark.parametrize(
    ("code", "sentence", "node", "written"),
    [
        ("es", "De {node} a {node}.", "el nodo de azar B", "Del nodo de azar B al nodo de azar B."),
        (
            "fr",
            "Valeur de {node}, en {node}",
            "le nœud de hasard B",
            "Valeur du nœud de hasard B, au nœud de hasard B",
        ),
        ("it", "da {node} a {node}", "la foglia 5", "dalla foglia 5 alla foglia 5"),
        ("pt", "de {node} a {node}", "a folha 5", "da folha 5 à folha 5"),
        ("pt", "de {node}", "a", "de a"),
        ("it", "di {node}", "le tre foglie", "di le tre foglie"),
        ("es", "de {node}", "MIN B", "de MIN B"),
        ("es", "desde {node}", "el nodo de azar B", "desde el nodo de azar B"),
        ("en", "de {node}", "el nodo", "de el nodo"),
    ],
)
def test_a_preposition_and_an_article_become_one_word(
    code: str, sentence: str, node: str, written: str
) -> None:
    """Romance languages contract them where a value begins with an article, and no letter that is a name."""
    assert Language.of(code).term(sentence, node=node) == written


def test_chinese_sentences_and_lists_have_their_own_signs() -> None:
    """No blank parts Chinese signs but in a value, and lists have their own comma; elsewhere all stays."""
    assert paragraph("一。", "二！", "ab。", "three.", "four.") == "一。二！ab。three. four."
    assert Language.of("zh").join_and(["A", "B", "C"]) == "A、B、C"
    assert Language.of("zh").join(["A", "B", "C"]) == "A、B、C"
    assert Language.of("zh").join_and(["甲", "乙 丙", "丁"]) == "甲、乙 丙、丁"
    assert Language.of("zh").say("The search is at {node}.", node="叶节点 5") == "搜索位于叶节点 5。"
    assert Language.of("zh").say("The search is at {node}.", node="A") == "搜索位于 A。"
    assert Language.of("de").join_and(["A", "B", "C"]) == "A, B und C"


CHINESE_TERMS = {
    "极小化极大": "极小极大",
    "剪去": "剪掉",
    "叶节点": "叶子",
    "走法": "着法",
    "感知": "感知信息",
}
"""A term -> another word for the same thing."""

TO_LECTURERS = ("grader/publishing/report_", "grader/web/review_")
"""The beginnings of files that speak to lecturers with `您`; all others say `你`."""


def test_chinese_has_one_term_for_one_thing() -> None:
    """No sentence has another word for a term, and a student is `你` everywhere, a lecturer `您`."""
    with (SHIPPED / "zh.po").open("rb") as file:
        entries = [entry for entry in read_po(file) if entry.id]
    for entry in entries:
        text = "".join(entry.string)
        assert [other for other in CHINESE_TERMS.values() if other in text] == [], text
        is_for_lecturers = any(path.startswith(TO_LECTURERS) for path, _ in entry.locations)
        assert ("你" if is_for_lecturers else "您") not in text, text
