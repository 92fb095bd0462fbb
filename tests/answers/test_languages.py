"""The tables of words that replies are read with."""

import re
import tomllib
from string import ascii_lowercase

import pytest

from grader.answers.branches import BRANCHES
from grader.answers.count import COUNT
from grader.answers.form import Ambiguous, Malformed, Terms
from grader.answers.interval import INTERVAL
from grader.answers.move import MOVE
from grader.answers.numeral import Numeral
from grader.answers.paths import PATHS
from grader.answers.reply_words import FILLER, words
from grader.answers.truth import TRUTH
from grader.base.phrases import Phrase
from grader.base.shipped import shipped_folder
from grader.trees.notation.reading import tree_of
from grader.trees.tree import Tree
from tests.answers.every_form import FORM_OF
from tests.publishing.papers import catalogue_of

FILES = sorted((shipped_folder("problems") / "languages").glob("*.toml"))
TABLES = {file.stem: tomllib.loads(file.read_text(encoding="utf-8")) for file in FILES}

ALL = pytest.mark.parametrize("code", TABLES)


TREE = tree_of("MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))")


def reading(form: str, reply: str, code: str, tree: Tree = TREE) -> str:
    """The canonical text of what a reply means, or `?` where a person decides."""
    found = FORM_OF[form].read(reply, tree, Terms(language_code=code))
    return "?" if isinstance(found, Malformed | Ambiguous) else FORM_OF[form].write(found, tree)


def listed(code: str) -> dict[str, set[str]]:
    """The words of a table with the kinds it lists them under."""
    found: dict[str, set[str]] = {}
    for kind, some in TABLES[code]["words"].items():
        for text in some.values() if isinstance(some, dict) else (some,):
            for word in text.split():
                found.setdefault(word, set()).add(kind.upper())
    return found


@ALL
def test_a_table_lists_words_as_they_are_looked_up(code: str) -> None:
    """Words are in lower case, of kinds that the grammar knows, in senses that English has."""
    for word, kinds in listed(code).items():
        assert word == word.lower()
        assert kinds <= {FILLER, *(kind.upper() for kind in TABLES["en"]["words"])}, word
    for kind in ("noun", "direction"):
        assert set(TABLES[code]["words"][kind]) <= set(TABLES["en"]["words"][kind])
    assert set(TABLES[code]["remarks"]) <= set(TABLES["en"]["remarks"])


@ALL
def test_the_language_of_the_paper_goes_before_the_others(code: str) -> None:
    """A word of the paper's language that is not English is what that language says, and nothing else."""
    english = listed("en")
    for word, kinds in listed(code).items():
        if word.casefold() == word:
            assert set(words(code).kinds(word)) == (english.get(word) or kinds), word


@ALL
def test_english_is_read_on_every_paper(code: str) -> None:
    """An English reply means the same in whatever language the paper is."""
    terms = Terms(language_code=code)
    assert COUNT.read("The search looks at 7 of the 9 leaves", TREE, terms) == Numeral(7)
    assert PATHS.read("leaves 5 and 6 are never visited", TREE, terms) == {5, 6}
    assert PATHS.read("all leaves of D", TREE, terms) == {7, 8, 9}


@pytest.mark.parametrize(
    ("code", "form", "reply", "meant"),
    [
        ("de", "paths", "Es gibt keine.", "none"),
        ("de", "paths", "gar keine", "none"),
        ("fr", "paths", "aucune n'est élaguée", "none"),
        ("fr", "paths", "il n’y en a pas", "none"),
        ("es", "paths", "no hay ninguna", "none"),
        ("it", "paths", "non ce ne sono", "none"),
        ("pt", "paths", "não há nenhuma", "none"),
        ("it", "paths", "le foglie 5 e 6 non vengono visitate", "5 6"),
        ("it", "paths", "5 fino a 6", "5 6"),
        ("it", "paths", "tutte le foglie di D", "7 8 9"),
        ("it", "paths", "nessuna", "none"),
        ("it", "count", "la ricerca visita 7 foglie", "7"),
        ("it", "number", "il valore è 15", "15"),
        ("it", "move", "il ramo a sinistra", "B"),
        ("pt", "paths", "as folhas 5 e 6 não são visitadas", "5 6"),
        ("pt", "paths", "5 até 6", "5 6"),
        ("pt", "paths", "todas as folhas de D", "7 8 9"),
        ("pt", "paths", "nenhuma", "none"),
        ("pt", "count", "a busca visita 7 folhas", "7"),
        ("pt", "move", "o ramo à esquerda", "B"),
        ("zh", "paths", "叶子5和6被剪枝", "5 6"),
        ("zh", "paths", "5、6", "5 6"),
        ("zh", "paths", "5 到 6", "5 6"),
        ("zh", "paths", "无", "none"),
        ("zh", "branches", "分支 C 和 D", "C D"),
        ("zh", "number", "值 是 15", "15"),
        ("zh", "move", "选择 B", "B"),
        ("zh", "move", "选择B", "B"),
        ("zh", "move", "选择节点B", "B"),
        ("zh", "move", "第一个", "B"),
        ("zh", "table", "A为3", "A=3"),
        ("zh", "table", "A等于3", "A=3"),
        ("zh", "count", "七个", "7"),
        ("zh", "paths", "第5和第6个叶子", "5 6"),
        ("zh", "paths", "没有叶节点被剪枝", "none"),
        ("zh", "paths", "全部除了1、2", "3 4 5 6 7 8 9"),
        ("zh", "paths", "全部 除了 1 2", "3 4 5 6 7 8 9"),
        ("zh", "truth", "是的", "true"),
        ("zh", "truth", "×", "false"),
        ("zh", "truth", "假", "false"),
        ("zh", "truth", "对", "true"),
        ("zh", "truth", "错", "false"),
        ("zh", "count", "三个", "3"),
        ("zh", "windows", "B [负无穷, 正无穷] -> 3", "B [-inf, inf] -> 3"),
        ("zh", "paths", "叶节点5、6被剪枝", "5 6"),
        ("zh", "paths", "5号和6号", "5 6"),
        ("es", "move", "jugada a B", "B"),
        ("es", "move", "ir a B", "B"),
        ("es", "move", "mover a B", "B"),
        ("es", "move", "MAX debe elegir B", "B"),
        ("es", "table", "A igual a 3", "A=3"),
        ("es", "interval", "como mínimo 19 y como máximo 37", "19 <= x <= 37"),
        ("es", "interval", "x no menor que 11", "x >= 11"),
        ("es", "interval", "a partir de 11", "x >= 11"),
        ("es", "interval", "entre 19 y 37, ambos incluidos", "19 <= x <= 37"),
        ("it", "paths", "tutte tranne 1 a 4", "5 6 7 8 9"),
        ("fr", "paths", "1 à 4", "1 2 3 4"),
        ("es", "windows", "B [menos infinito, 3] -> 3", "B [-inf, 3] -> 3"),
        ("de", "truth", "trifft zu", "true"),
        ("de", "table", "A gleich 3", "A=3"),
        ("de", "interval", "x ist nicht kleiner als 11", "x >= 11"),
        ("de", "interval", "ab 11", "x >= 11"),
        ("de", "path", "von A über B zu Blatt 1", "1"),
        ("de", "paths", "fünf und sechs", "5 6"),
        ("de", "move", "MAX sollte nach links ziehen", "B"),
        ("de", "windows", "B [minus unendlich, 3] -> 3", "B [-inf, 3] -> 3"),
    ],
)
def test_replies_are_read_in_the_language_of_the_paper(code: str, form: str, reply: str, meant: str) -> None:
    """Plain replies in a language with a table are read as what they mean."""
    assert reading(form, reply, code) == meant


def test_a_letter_that_joins_is_a_name_where_it_is_spelled_so() -> None:
    """Beside a node Y the Spanish word y may be either, but in an English paper it is the node."""
    tree = tree_of("MAX R (MIN A (3 12 8) MIN B (2 4 6) MIN Y (14 5 2))")
    assert PATHS.read("5 Y 6", tree, Terms()) == {5, 6, 7, 8, 9}
    assert PATHS.read("5 y 6", TREE, Terms()) == {5, 6}
    in_spanish = PATHS.read("5 y 6", tree, Terms(language_code="es"))
    assert getattr(in_spanish, "readings", ()) == ("5 6", "5 6 7 8 9")
    assert PATHS.read("5 y 6", tree, Terms()) == {5, 6, 7, 8, 9}


@ALL
@pytest.mark.parametrize("answer", [True, False])
def test_true_and_false_are_said_and_read_in_every_language(code: str, answer: bool) -> None:
    """The printed word and its first letter, which the guide promises to count, read back as the answer."""
    terms = Terms(language_code=code)
    printed = terms.language.reply(TRUTH.write(answer, TREE))
    assert (printed in ("true", "false")) == (code == "en")
    for reply in (printed, printed.capitalize(), printed[0]):
        assert TRUTH.read(reply, TREE, terms) is answer


@ALL
def test_the_letters_of_the_marking_rule_are_read_and_no_others(code: str) -> None:
    """A letter of another language only, such as w in an English exam, waits for a person."""
    rule = Terms(language_code=code).language.say(TRUTH.marking_rule)
    pieces = re.split("[,\u3001]", re.split(r"[(\uff08)\uff09]", rule)[1])
    listed_letters = {word for piece in pieces for word in piece.split()[:: len(piece.split()) - 1 or 1]}
    accepted = {letter for letter in ascii_lowercase if reading("truth", letter, code) != "?"}
    assert accepted == listed_letters - {"or"}
    foreign = {"t", "v", "w"} - accepted
    assert {reading("truth", f"true, {letter}", code) for letter in foreign} == {"?"}


@ALL
def test_nothing_is_said_and_read_in_every_language(code: str) -> None:
    """The printed word for an empty answer is one of the language, the one asked for, and reads back."""
    terms = Terms(language_code=code)
    printed = terms.language.reply(PATHS.write(frozenset(), TREE))
    assert (printed == "none") == (code == "en")
    assert printed in PATHS.instruction(terms.language)
    for form in (PATHS, BRANCHES):
        assert form.read(printed, TREE, terms) == frozenset()
        assert form.read("none", TREE, terms) == frozenset()


HINTS = {
    Phrase('write either "all" or, for example, "all except 5"'): ("all", "all except 5"),
    Phrase('write "all except 5", for example'): ("all except 5",),
    Phrase('if there are none, write only "none"'): ("none",),
}
"""What hints tell somebody to write."""

HINTED = {
    "de": {"all": "alle", "all except 5": "alle außer 5", "none": "keine"},
    "en": {"all": "all", "all except 5": "all except 5", "none": "none"},
    "es": {"all": "todas", "all except 5": "todas salvo 5", "none": "ninguna"},
    "fr": {"all": "toutes", "all except 5": "toutes sauf 5", "none": "aucune"},
    "it": {"all": "tutte", "all except 5": "tutte tranne 5", "none": "nessuna"},
    "pt": {"all": "todas", "all except 5": "todas exceto 5", "none": "nenhuma"},
    "zh": {"all": "全部", "all except 5": "全部除了 5", "none": "无"},
}
"""The same in the words of each language."""


@ALL
def test_what_hints_ask_for_is_read(code: str) -> None:
    """Hints ask for the words of the language, which are read as what the English ones say."""
    terms = Terms(language_code=code)
    for hint, answers in HINTS.items():
        for answer in answers:
            typed = HINTED[code][answer]
            assert typed in terms.language.term(hint)
            meant = PATHS.read(answer, TREE, Terms())
            assert PATHS.read(typed, TREE, terms) == meant
            assert isinstance(meant, frozenset)


LETTERS = {
    "A E I O Y": tree_of("MAX A (MIN E (3 12 8) MIN I (2 4 6) MIN O (14 5 2) MIN Y (1 9 7))"),
    "R A E O Y": tree_of("MAX R (MIN A (3 12 8) MIN E (2 4 6) MIN O (14 5 2) MIN Y (1 9 7))"),
}
"""Trees whose nodes are called like words of one letter."""


@pytest.mark.parametrize(
    ("code", "form", "reply", "meant", "other"),
    [
        ("es", "move", "jugada a E", "E", "E"),
        ("es", "move", "ir a E", "E", "E"),
        ("es", "move", "a E", "E", "?"),
        ("es", "move", "A", "?", "A"),
        ("es", "move", "E o O", "?", "?"),
        ("es", "paths", "de la 5 a la 6", "5 6", "5 6"),
        ("es", "paths", "1 a 4", "1 2 3 4", "1 2 3 4"),
        ("es", "paths", "las hojas 5 y 6", "?", "?"),
        ("es", "paths", "todas salvo 1 a 4 y 7 a 9", "?", "?"),
        ("es", "branches", "la rama a E", "E", "E"),
        ("es", "branches", "E y O", "?", "?"),
        ("es", "branches", "Y", "Y", "Y"),
        ("es", "table", "A = 3, E = 3 y O = 2", "A=3 E=3 O=2", "A=3 E=3 O=2"),
        ("fr", "table", "A a la valeur 3", "A=3", "A=3"),
        ("fr", "table", "E a 3", "E=3", "E=3"),
        ("fr", "count", "il y a 7 feuilles", "7", "7"),
        ("fr", "paths", "il n'y a pas de coupure", "none", "none"),
        ("it", "branches", "i nodi E e O", "E O", "E O"),
        ("it", "move", "mossa a E", "E", "E"),
        ("it", "paths", "le foglie 5 e 6", "?", "?"),
        ("it", "paths", "dalla 5 alla 6", "5 6", "5 6"),
        ("pt", "paths", "a folha 5", "5", "5"),
        ("pt", "branches", "o ramo E", "E", "E"),
        ("pt", "branches", "o nó E e o nó O", "E O", "E O"),
        ("pt", "move", "a jogada E", "E", "E"),
        ("pt", "paths", "todas exceto a 5 e a 6", "?", "?"),
        ("de", "branches", "E und O", "E O", "E O"),
        ("en", "move", "a move to E", "E", "E"),
        ("en", "branches", "i think E and O", "E O", "E O"),
    ],
)
def test_a_word_of_one_letter_is_no_node_by_mistake(
    code: str, form: str, reply: str, meant: str, other: str
) -> None:
    """It is read as the word where it can be nothing else, and as `?` a person decides; never as the node."""
    assert [reading(form, reply, code, tree) for tree in LETTERS.values()] == [meant, other]


@pytest.mark.parametrize(
    ("form", "reply", "meant"),
    [
        ("move", "走B", "B"),
        ("move", "最左边的走法", "B"),
        ("table", "A的极小化极大值是3", "A=3"),
        ("number", "根节点的值为3", "3"),
        ("count", "七个叶节点", "7"),
        ("paths", "被剪掉的是5和6号叶节点", "5 6"),
        ("paths", "除了1和2以外的所有叶节点", "3 4 5 6 7 8 9"),
        ("paths", "五和六", "5 6"),
        ("paths", "5~6", "5 6"),
        ("paths", "六", "?"),
        ("paths", "走廊5和6", "?"),
        ("interval", "x在19到37之间", "19 <= x <= 37"),
        ("truth", "√", "true"),
    ],
)
def test_chinese_is_cut_into_its_words(form: str, reply: str, meant: str) -> None:
    """Nobody leaves blanks between Chinese words; what is not made of known words stays as it is."""
    assert reading(form, reply, "zh") == meant


@pytest.mark.parametrize(
    ("code", "form", "reply", "meant"),
    [
        ("en", "paths", "the second and third child of C", "5 6"),
        ("de", "paths", "das zweite und dritte Kind von C", "5 6"),
        ("es", "paths", "el segundo y tercer hijo de C", "5 6"),
        ("fr", "paths", "le deuxième et le troisième enfant de C", "5 6"),
        ("it", "paths", "il secondo e il terzo figlio di C", "5 6"),
        ("pt", "paths", "o primeiro e o terceiro filho de C", "4 6"),
        ("zh", "paths", "C的第二个和第三个子节点", "5 6"),
        ("zh", "paths", "C的第2个和第3个子节点", "5 6"),
        ("de", "paths", "das 2. und 3. Kind des Knotens C", "5 6"),
        ("de", "paths", "2. Kind von C, 3. Kind von D", "5 9"),
        ("fr", "branches", "les 2e et 3e enfants de C", "5 6"),
        ("es", "paths", "los hijos segundo y tercero de C", "5 6"),
        ("es", "paths", "el primero y segundo hijo de C", "4 5"),
        ("it", "paths", "i figli secondo e terzo del nodo C", "5 6"),
        ("pt", "branches", "os filhos segundo e terceiro de C", "5 6"),
        ("fr", "branches", "les enfants deuxième et troisième de C", "5 6"),
        ("es", "move", "el hijo segundo de la raíz", "C"),
        ("es", "paths", "los hijos 2.º y 3.º de C", "5 6"),
        ("pt", "paths", "o 2.º filho de C", "5"),
        ("pt", "paths", "o 2.º e o 3º filho de C", "5 6"),
        ("pt", "branches", "o 2º e o 3.º filho de C", "5 6"),
        ("es", "paths", "los hijos segundo y tercero", "?"),
        ("es", "paths", "el segundo hijo tercero de C", "?"),
        ("es", "paths", "hijos segundo y tercero de C y D", "?"),
        ("en", "branches", "first, second and third child of C", "4 5 6"),
        ("en", "paths", "all except the last child of C", "1 2 3 4 5 7 8 9"),
        ("en", "paths", "the second child of D, leaf 9", "8 9"),
        ("en", "order", "the first child of B, the second child of C", "1 5"),
        ("en", "path", "the second child of C", "5"),
        ("de", "move", "das zweite Kind der Wurzel", "C"),
        ("de", "move", "zum zweiten Kind von A", "C"),
        ("es", "move", "al segundo hijo de A", "C"),
        ("en", "move", "the second child", "C"),
        ("en", "paths", "the second child", "?"),
        ("de", "paths", "2. Kind", "?"),
        ("en", "paths", "the fifth child of C", "?"),
        ("en", "paths", "first, second child of C", "?"),
        ("en", "paths", "the second child of C and D", "?"),
        ("en", "paths", "the second child of C or the third child of C", "?"),
    ],
)
def test_ordinals_count_the_children_of_a_node(code: str, form: str, reply: str, meant: str) -> None:
    """`child` and a node after ordinals say what they count; where it is unclear, a person decides."""
    assert reading(form, reply, code) == meant


def test_a_chinese_name_is_not_cut() -> None:
    """A node that is called like a word, or like two, keeps its name."""
    tree = tree_of("MAX 根 (MIN 走左 (3 12) MIN 选 (2 4))")
    for reply, node in (("走左", 1), ("选", 4), ("选择走左", 1), ("走选", 4)):
        assert BRANCHES.read(reply, tree, Terms(language_code="zh")) == {node}
    assert isinstance(BRANCHES.read("走左走左", tree, Terms(language_code="zh")), Malformed)


@pytest.mark.parametrize("reply", ["two leaves", "all but two", "six"])
def test_one_word_for_a_number_names_no_leaf(reply: str) -> None:
    """It may be how many there are; two of them are a list."""
    assert isinstance(PATHS.read(reply, TREE, Terms()), Malformed)
    assert PATHS.read("five and six", TREE, Terms()) == {5, 6}


@pytest.mark.parametrize("code", [code for code in TABLES if "-inf" in TABLES[code].get("phrases", {})])
@pytest.mark.parametrize("form", ["interval", "number"])
def test_minus_infinity_in_words_is_refused_as_the_sign_is(code: str, form: str) -> None:
    """The message says what is wrong with an infinity, not with the words for it."""
    spelled = ["-inf", *TABLES[code]["phrases"]["-inf"]]
    found = [FORM_OF[form].read(reply, TREE, Terms(language_code=code)) for reply in spelled]
    assert len({each.message for each in found if isinstance(each, Malformed)}) == 1
    assert all(isinstance(each, Malformed) for each in found)


def test_a_word_of_a_teachers_own_reads_back() -> None:
    """What a teacher's own catalogue prints for an empty answer is read, though no table has it."""
    terms = Terms(own=catalogue_of({"none": "nowt"}, "en"))
    assert terms.language.reply("none") == "nowt"
    assert PATHS.read("Nowt", TREE, terms) == frozenset()
    assert isinstance(PATHS.read("Nowt", TREE, Terms()), Malformed)


@ALL
@pytest.mark.parametrize("comma", [True, False])
@pytest.mark.parametrize(
    "set_of", ["x <= 4/3 or x >= 22/3", "x < 0.5 or 1 < x <= 2.5 or x = 3", "always", "never"]
)
def test_conditions_are_said_in_every_language(code: str, set_of: str, comma: bool) -> None:
    """A printed condition has no English word, and reads back as itself on papers in any language."""
    answer = INTERVAL.parse(set_of, TREE)
    printed = Terms(language_code=code, decimal_comma=comma).language.reply(INTERVAL.write(answer, TREE))
    assert ({"or", "always", "never"} & set(printed.split()) == set()) == (code != "en")
    for other in TABLES:
        assert INTERVAL.read(printed, TREE, Terms(language_code=other, decimal_comma=comma)) == answer
        assert INTERVAL.read(set_of, TREE, Terms(language_code=other)) == answer


@ALL
def test_a_name_is_no_word_of_a_condition(code: str) -> None:
    """What is no condition keeps its words, and so do names in quotes, whatever the language."""
    language = Terms(language_code=code).language
    for text in ('"or" <= 3', '"a 1 or b" < 3', "1 2 or", '"never"', "or B"):
        assert language.reply(text) == text


@pytest.mark.parametrize(
    ("code", "labels", "reply"),
    [
        ("de", ("oben Mitte", "Mitte links", "Mitte rechts", "unten Mitte"), "rechts in der Mitte"),
        ("zh", ("中上", "左中", "右中", "中下"), "走右中"),
    ],
)
def test_a_square_is_read_as_people_call_it(code: str, labels: tuple[str, ...], reply: str) -> None:
    """A square in the middle of a side is read in the usual order of words, too."""
    moves = " ".join(f'"{label}": {payoff}' for payoff, label in enumerate(labels))
    assert MOVE.read(reply, tree_of(f"MAX A ({moves})"), Terms(language_code=code)) == frozenset((2,))
