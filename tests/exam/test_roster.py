"""The laws of reading a class list: nobody is lost, nobody is doubled, every fault has its place."""

import csv
import io
import re
import zipfile
from collections.abc import Sequence
from typing import Any, get_args, get_type_hints

import openpyxl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grader.base.safe_text import strip_invisible
from grader.base.shipped import shipped_folder
from grader.exam.roster import Roster, read_roster
from grader.tables.column_names import COLUMN_NAMES, ROLE_BY_NAME
from grader.tables.columns import Columns
from grader.tables.rows import TableError
from grader.tables.student_directory import Student, StudentDirectory, identifier_key
from grader.trees.notation.diagnostics import Diagnostics

WORDS = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Co", "Cn", "Zl", "Zp", "Zs")),
    min_size=1,
    max_size=12,
).filter(lambda word: strip_invisible(word).strip() == word)


def read(text: str) -> Roster:
    """The roster of a text that has no faults."""
    roster = read_roster(text.encode())
    assert isinstance(roster, Roster), roster
    return roster


FAULTY = {
    "roster-size": b"",
    "roster-encoding": b"id,name\n7,\x81\n",
    "roster-quote": b'id,name\n7,"Ada\n',
    "roster-workbook": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    "roster-columns": b"colour,shape\nred,round\n",
    "roster-column-twice": b"id,name,id\n7,Ada,8\n",
    "roster-width": b"id,name\n7,Ada,extra\n",
    "roster-empty": b"id,name\n",
    "roster-no-identifier": b"id,name\n,Ada\n",
    "roster-no-name": b"id,name\n7,\n",
    "roster-cell": b"id,name\n7,Ada\x07\n",
    "roster-spreadsheet": b"id,name\n1.2E+08,Ada\n",
    "roster-twice": b"id,name\n7,Ada\n7,Ben\n",
    "roster-alike": b"id,name\n007,Ada\n7,Ben\n",
    "roster-email-twice": b"id,name,email\n1,Ada,a@b.c\n2,Ben,A@b.c\n",
}
"""For every code a class list with exactly this fault."""


@pytest.mark.parametrize(("code", "data"), FAULTY.items(), ids=FAULTY)
def test_every_example_has_exactly_its_fault(code: str, data: bytes) -> None:
    """The example of every code has that fault and no other."""
    faults = read_roster(data)
    assert isinstance(faults, Diagnostics)
    assert [fault.code for fault in faults] == [code]


def test_every_code_has_an_example() -> None:
    """There is one for each code in the source, and for whatever makes a file useless."""
    source = (shipped_folder("problems").parent / "grader" / "exam" / "roster.py").read_text(encoding="utf-8")
    useless = get_args(get_type_hints(TableError.__init__)["fault"])
    assert FAULTY.keys() == {
        *re.findall(r'"(roster-[a-z-]+)"', source),
        *(f"roster-{each}" for each in useless),
    }


@given(
    st.lists(
        st.tuples(st.from_regex(r"[1-9a-z][0-9a-z]{0,8}", fullmatch=True), WORDS), min_size=1, max_size=8
    ),
    st.sampled_from(",;\t"),
    st.sampled_from(("utf-8", "utf-8-sig", "utf-16")),
    st.sampled_from(("\n", "\r\n")),
)
def test_what_a_spreadsheet_writes_is_read(
    rows: list[tuple[str, str]], delimiter: str, encoding: str, ending: str
) -> None:
    """Whatever a CSV writer makes of a list of students reads back as the same students."""
    rows = list({identifier_key(identifier): (identifier, name) for identifier, name in rows}.values())
    file = io.StringIO()
    writer = csv.writer(file, delimiter=delimiter, lineterminator=ending)
    writer.writerows([("id", "name", "a column nobody knows"), *((*row, "") for row in rows)])
    roster = read_roster(file.getvalue().encode(encoding))
    if any(_spoiled(identifier) for identifier, _ in rows):
        assert isinstance(roster, Diagnostics)
        return
    assert isinstance(roster, Roster), roster
    assert [(student.identifier, student.name) for student in roster.students] == rows


def _spoiled(identifier: str) -> bool:
    digits, letter, exponent = identifier.partition("e")
    return digits.isdigit() and bool(letter) and exponent.isdigit()


def test_moodle_lists_are_read() -> None:
    """A participants' list of Moodle names students by ID number, or by address when there are none."""
    head = "First name,Last name,ID number,Email address\n"
    with_numbers = read(f"{head}Ada,Lovelace,0042,ada@example.org\n")
    assert with_numbers.students == (Student("0042", "Ada Lovelace", "ada@example.org"),)
    assert read(f"{head}Ada,Lovelace,,ada@example.org\n").students[0].identifier == "ada@example.org"


def test_german_moodle_lists_are_read() -> None:
    """The same list from a German Moodle says the same."""
    roster = read("Vorname;Nachname;ID-Nummer;E-Mail-Adresse;Gruppen\nAda;Lovelace;0042;ada@example.org;B\n")
    assert roster.students == (Student("0042", "Ada Lovelace", "ada@example.org", section="B"),)


def test_a_list_without_identifiers_is_told_what_would_do() -> None:
    """Where no column tells students apart, one name that such a column may have is suggested."""
    found = read_roster(b"name,colour\nAda,red\n")
    assert isinstance(found, Diagnostics)
    assert found.items[0].hint.startswith("call the column with the student number `id`")


def test_an_empty_list_is_told_the_columns_of_class_lists() -> None:
    """A file without any line is told the columns of a class list, and one without students a line of it."""
    for data, hint in ((b"", "id,name,email"), (b"\n", "id,name,email"), (b"id,name\n", "4711,Ada Lovelace")):
        found = read_roster(data)
        assert isinstance(found, Diagnostics)
        assert hint in found.items[0].hint


@pytest.mark.parametrize(
    ("header", "hint"),
    [
        ("id,nmae", "did you mean 'name' by 'nmae'?"),
        ("Nmae,Nachname,Matrikelnumer", "did you mean 'matrikelnummer' by 'Matrikelnumer'?"),
        ("Name,Matrikl", "did you mean 'matrikel' by 'Matrikl'?"),
        ("id,Emal", "the first line names the columns, for example: id,name,email"),
        ("name,matrikelnumer", "did you mean 'matrikelnummer' by 'matrikelnumer'?"),
        ("1,Ada Lovelace", "the first line names the columns, for example: id,name,email"),
    ],
)
def test_a_misspelt_column_is_told(header: str, hint: str) -> None:
    """Who misspells the name of a column, or leaves the first line out, is told what was meant."""
    found = read_roster(f"{header}\n1,Ada,2\n".encode())
    assert isinstance(found, Diagnostics)
    assert found.items[0].hint == hint


@pytest.mark.parametrize("column", ["Matrikel", "Matr.-Nr.", "Matr-Nr", "MatrNr", "Studierenden-ID"])
def test_a_german_student_number_tells_students_apart(column: str) -> None:
    """What German class lists call a student's number is the identifier."""
    roster = read_roster(f"Name;{column};E-Mail\nAda;0042;a@x.org\n".encode())
    assert isinstance(roster, Roster), str(roster)
    assert [student.identifier for student in roster.students] == ["0042"]


def test_canvas_gradebooks_are_read() -> None:
    """A gradebook of Canvas has rows that are no students; its own number is kept for the way back."""
    roster = read(
        "Student,ID,SIS User ID,SIS Login ID,Section,Quiz (12)\n"
        "    Points Possible,,,,,10\n"
        '"Lovelace, Ada",17,S-1,ada,Monday,\n'
        '"Student, Test",99,,,Monday,\n'
    )
    assert roster.students == (Student("S-1", "Lovelace, Ada", "", "ada", "Monday", "17"),)
    assert roster.warnings == ("Canvas's test student is left out",)


@pytest.mark.parametrize(
    ("head", "row", "name"),
    [
        ("First name,Last name,ID number", "芳,王,7", "王芳"),
        ("姓,名,学号", "欧阳,修,7", "欧阳修"),
        ("Name,Vorname,Matrikelnummer", "王,芳,7", "王芳"),
        ("First name,Last name,ID number", "Lili,王,7", "Lili 王"),
    ],
)
def test_a_name_in_chinese_characters_has_the_family_name_first(head: str, row: str, name: str) -> None:
    """It is put together from its columns without a space; other names have the first name first."""
    assert [student.name for student in read(f"{head}\n{row}\n").students] == [name]


def test_identifiers_are_text() -> None:
    """Leading zeros, signs and dates stay as they are written."""
    rows = ("007", "3-4", "+49", "=1", "1/2", "Ａ１")
    roster = read("id,name\n" + "".join(f"{row},Somebody\n" for row in rows))
    assert tuple(student.identifier for student in roster.students) == rows


@pytest.mark.parametrize("other", ["1", "01", " 1", "1.0", "1,00", "01.0"])
def test_identifiers_that_a_spreadsheet_confuses_are_refused(other: str) -> None:
    """What a spreadsheet may make of one identifier is not another; more than that is."""
    assert identifier_key(other) == identifier_key("1")
    assert len({identifier_key(each) for each in ("1", "10", "1.1", "1.0.0", ".0", "0.1", "a1.0")}) == 7
    faults = read_roster(f'id,name\n1,Ada\n"{other}",Ben\n'.encode())
    assert isinstance(faults, Diagnostics)
    assert [fault.code for fault in faults] == ["roster-alike" if other.strip() != "1" else "roster-twice"]


def test_an_open_quote_swallows_nobody() -> None:
    """A quote that is never closed is a fault at its place, not a class of one student."""
    faults = read_roster(b'id,name\n1,"Ada\n2,Ben\n3,Cem\n')
    assert isinstance(faults, Diagnostics)
    assert [(fault.code, fault.line, fault.column) for fault in faults] == [("roster-quote", 2, 3)]
    closed_late = read_roster(b'id,name\n1,"Ada\n2,Ben"\n3,Cem\n')
    assert isinstance(closed_late, Diagnostics)
    assert [fault.code for fault in closed_late] == ["roster-cell"]


def test_twenty_faults_make_twenty_messages() -> None:
    """All faults of a list are reported at once, each in its line."""
    text = "id,name,email\n"
    for number in range(5):
        text += f"A{number},Ada,a{number}@x.org\n a{number} ,Ada,b{number}@x.org\n,Ben,c{number}@x.org\n"
        text += f"B{number},,d{number}@x.org\nC{number},Cem\n"
    faults = read_roster(text.encode())
    assert isinstance(faults, Diagnostics)
    assert [fault.line for fault in faults] == [line for line in range(2, 27) if line % 5 != 2]
    assert all(fault.column and fault.message for fault in faults)
    assert "line 2 and line 3" in faults.items[0].message


@given(st.binary(max_size=200))
@example(b",")
@example(b' "" ;\n\n;')
def test_no_bytes_break_the_reader(data: bytes) -> None:
    """Whatever the bytes, the answer is a roster or diagnostics."""
    assert isinstance(read_roster(data), Roster | Diagnostics)


def workbook(*rows: Sequence[Any]) -> bytes:
    """An .xlsx file with these rows."""
    book, file = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        book.worksheets[0].append(row)
    book.save(file)
    return file.getvalue()


def test_workbooks_are_read() -> None:
    """A class list in a workbook says the same as one in a CSV file, and a number is the text it shows."""
    rows = [
        ("Matrikelnummer", "Vorname", "Nachname", "E-Mail"),
        ("0042", "Ada", "Lovelace", "ada@example.org"),
    ]
    roster = read_roster(workbook(*rows, (1007, "Ben", "Ångström", None)))
    assert isinstance(roster, Roster)
    assert roster.students == (
        Student("0042", "Ada Lovelace", "ada@example.org"),
        Student("1007", "Ben Ångström"),
    )


def test_an_apostrophe_belongs_to_a_name() -> None:
    """A spreadsheet's apostrophe before an identifier or a formula is left out, and kept before a name."""
    roster = read_roster(b"id,first name,last name\n'007,Gerard,'t Hooft\n'8,'=Ada,Lovelace\n")
    assert isinstance(roster, Roster)
    assert roster.students == (Student("007", "Gerard 't Hooft"), Student("8", "=Ada Lovelace"))
    columns = Columns("sheets", {"identifier": (0,)}, (), (), (), {})
    for cell in ("Gerard 't Hooft", "'t Hooft, Gerard", "'=Ada Lovelace", "'007"):
        owner = StudentDirectory(roster.students, {}).find([cell], columns)
        assert owner.student == ("8" if "Ada" in cell else "007"), cell


def test_faults_in_workbooks_say_row_and_column() -> None:
    """A fault in a workbook stands in a row and a column, as a spreadsheet calls them, and in no line."""
    rows = [("remark", "id", "name"), ("", "007", "Ada"), ("", 7, "Ben"), ("", "8", "")]
    faults = read_roster(workbook(*rows))
    assert isinstance(faults, Diagnostics)
    assert [(fault.code, fault.line, fault.excerpt) for fault in faults] == [
        ("roster-alike", 0, "row 3, column B"),
        ("roster-no-name", 0, "row 4, column C"),
    ]
    assert str(faults.items[0]).startswith(
        "row 3, column B: '007' and '7' in row 2 and row 3 are too similar"
    )


def test_damaged_workbooks_of_other_programs() -> None:
    """A damaged workbook of LibreOffice or of an old Excel is refused with what to do about it."""
    open_document = io.BytesIO()
    with zipfile.ZipFile(open_document, "w") as packed:
        packed.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
    for data in (b"\xd0\xcf\x11\xe0" + bytes(600), open_document.getvalue()):
        faults = read_roster(data, "class.xls")
        assert isinstance(faults, Diagnostics)
        assert [fault.code for fault in faults] == ["roster-workbook"]
        assert "as CSV" in faults.items[0].hint


@pytest.mark.parametrize(
    "header",
    [
        "ID number,First name,Surname,Email address,Groups",
        "ID-Nummer,Vorname,Name,E-Mail-Adresse,Klasse",
        "Numéro d’identification,Prénom,Nom,Adresse de courriel,Groupe",
        "Número de ID,Nombre,Apellido(s),Dirección de correo,Grupos",
        "Codice identificativo,Nome,Cognome,Indirizzo email,Gruppo",
        "Número de identificação,Nome,Apelido,Endereço de e-mail,Turma",
        "Studentnummer,Voornaam,Achternaam,E-mailadres,Groepen",
    ],
)
def test_columns_have_names_in_many_languages(header: str) -> None:
    """The columns of a class list go by the names that schools and their platforms give them."""
    roster = read(f"{header}\n0042,Ada,Lovelace,ada@example.org,B\n")
    assert roster.students == (Student("0042", "Ada Lovelace", "ada@example.org", section="B"),)


def test_no_name_means_two_things() -> None:
    """A name in the list of what columns are called belongs to one role."""
    names = [name for known in COLUMN_NAMES.values() for name in known]
    assert len(names) == len(set(names)) == len(ROLE_BY_NAME)
    assert all(name == name.casefold() for name in names)


def test_the_place_of_a_fault_is_that_of_its_cell() -> None:
    """Line and column are those of the cell, also behind quotes, line ends in cells and empty lines."""
    faults = read_roster(b'id,name,email\r\n\r\n1,"A\r\nda",x@y.z\r\n 2, "Ben, the second" ,B\x07\r\n')
    assert isinstance(faults, Diagnostics)
    places = [(fault.code, fault.line, fault.column) for fault in faults]
    assert places == [("roster-quote", 5, 5)]
    faults = read_roster(b'id,name,email\r\n\r\n1,"A\r\nda",x@y.z\r\n 2, "Ben, the second",B\x07\r\n')
    assert isinstance(faults, Diagnostics)
    places = [(fault.code, fault.line, fault.column) for fault in faults]
    assert places == [("roster-cell", 3, 3), ("roster-cell", 5, 23)]
    assert faults.items[1].excerpt.split("\n")[1].index("^") == 22


NAMESAKES = (
    Student("4711", "John Smith"),
    Student("4712", "John Smith"),
    Student("4713", "Grace Hopper", login="hopper"),
    Student("17", "Ada Lovelace"),
)


@pytest.mark.parametrize(
    ("file", "student"),
    [
        ("smith_4711", "4711"),
        ("4712-search", "4712"),
        ("Project 2 4713", ""),
        ("search (4713)", "4713"),
        ("hopper_search", ""),
        ("Participant 4711", ""),
        ("Ada Lovelace_4711_assignsubmission_file_", ""),
        ("search_17", ""),
        ("4711-4713", ""),
        ("4711-2", ""),
        ("search47110", ""),
        ("John Smith", ""),
    ],
)
def test_an_identifier_is_a_word_in_the_name_of_a_file(file: str, student: str) -> None:
    """A long identifier among words belongs to its student; other numbers next to it make it uncertain."""
    columns = Columns("table", {"identifier": (0,)}, (), (), (), {})
    assert StudentDirectory(NAMESAKES, {}).find([file], columns).student == student


def test_namesakes_are_told_apart_by_their_ids() -> None:
    """A name that two students have is refused for this reason, with both of their identifiers."""
    columns = Columns("table", {"identifier": (0,)}, (), (), (), {})
    owner = StudentDirectory(NAMESAKES, {}).find(["John Smith"], columns)
    assert owner.candidates == ("4711", "4712")
    assert owner.why == "2 students are called John Smith; write the ID of one of them instead"


def test_the_number_of_a_participant_is_not_an_identifier() -> None:
    """A row with a name that nobody has belongs to nobody, whatever number the platform has given to it."""
    columns = Columns("table", {"identifier": (0,), "name": (1,)}, (), (), (), {})
    assert StudentDirectory(NAMESAKES, {}).find(["Participant 4711", "Anna Antt"], columns).student == ""
    assert StudentDirectory(NAMESAKES, {}).find(["row 4711", "Anna Antt"], columns).student == ""
