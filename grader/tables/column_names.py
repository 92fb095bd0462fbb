"""Names of the columns with a student's identity, the time of a submission, and the state of an attempt."""

import re
from collections.abc import Sequence
from typing import Literal, TypeAlias

Role: TypeAlias = Literal[
    "identifier",
    "student",
    "lms",
    "login",
    "email",
    "name",
    "first",
    "last",
    "section",
    "time",
    "state",
    "variant",
]


def _listed(names: str) -> list[str]:
    return [" ".join(name.split()) for name in names.split(",")]


_NAMES: dict[Role, str] = {
    "identifier": """id number, sis user id, sis_id, orgdefinedid, org defined id, identifier, student id,
        student_id, student number, student no, matriculation number, number, id-nummer,
        matrikelnummer, matrikelnr, matrikelnr.,
        matrikel-nr., matrikel-nr, matrikel nr., matrikel nr, matrikel, matr.-nr., matr.-nr, matr-nr.,
        matr-nr, matr. nr., matr.nr, matr.nr., matrnr, matrnr., matr., matr, immatrikulationsnummer,
        studentennummer, studierenden-id, studenten-id, nummer, schülernummer, studierendennummer,
        personalnummer,
        numéro d'identification, numéro d’identification, numéro d'étudiant, numéro étudiant, numéro,
        matricule, identifiant, número de id, número de identificación, número de estudiante, número,
        matrícula, codice identificativo, numero id, numero di matricola, matricola, numero,
        número de identificação, número de aluno, número de matrícula, studentnummer, student-nummer,
        leerlingnummer, stamnummer, numéro d’étudiant, número de estudante, 学号""",
    "student": "student, studierende, étudiant, estudiante, studente, estudante, aluno",
    "lms": "id",
    "login": """username, user name, sis login id, login, login id, login_id, user, account,
        anmeldename, benutzername, nutzername, benutzerkennung, kennung, nom d'utilisateur,
        nom d’utilisateur, nombre de usuario, usuario, nome utente, nome de utilizador, nome de usuário,
        identificação de usuário, gebruikersnaam""",
    "email": """email address, email, e-mail, mail, e-mail address, e-mail-adresse, email-adresse,
        mailadresse, adresse de courriel, courriel, adresse e-mail, adresse email, dirección de correo,
        dirección de correo electrónico, correo electrónico, correo, indirizzo email, indirizzo e-mail,
        posta elettronica, endereço de e-mail, endereço de email, e-mailadres, emailadres""",
    "name": """name, full name, student name, vollständiger name, nom complet, nombre completo,
        nome completo, volledige naam, nom, nombre, nome, naam, 姓名""",
    "first": """first name, given name, forename, vorname, rufname, prénom, primer nombre, nome próprio,
        primeiro nome, voornaam, 名, 名字""",
    "last": """last name, surname, family name, nachname, familienname, zuname, nom de famille,
        apellido, apellidos, apellido(s), cognome, apelido, apelidos, sobrenome, último nome,
        achternaam, familienaam, 姓, 姓氏""",
    "section": """section, group, groups, department, class, gruppe, gruppen, abteilung, klasse, groupe,
        groupes, classe, grupo, grupos, clase, gruppo, gruppi, turma, groep, groepen, klas, 班级""",
    "time": """timestamp, completed, completion time, submitted, submitted at, time, date, zeit, zeitstempel,
        beendet, fertigstellungszeit, abgegeben, abgegeben am, abgabezeit, abgabezeitpunkt,
        abgabedatum, eingereicht, eingereicht am, zeitpunkt, horodateur, terminé, heure de fin,
        marca temporal, finalizado, hora de finalización, informazioni cronologiche, completato,
        ora di completamento, carimbo de data/hora, concluído, concluída, hora de conclusão,
        tijdstempel, voltooid, tijd van voltooien""",
    "state": "state, status, zustand, état, statut, estado, estatus, stato, staat, 状态",
    "variant": "variant, variante, 试卷版本",
}

COLUMN_NAMES = {role: _listed(names) for role, names in _NAMES.items()}
"""Role -> the names of its columns in lower case, in several languages; the first column counts.

- `student`: an identifier or a name.
- `lms`: the platform's own number of a student, and columns of other tables with the name `ID`.
- `name`: the full name, or next to a first name the family name, see `student_directory.full_name`.
- `variant`: the code of the paper that a row answers.
"""

ROLE_BY_NAME: dict[str, Role] = {name: role for role, names in COLUMN_NAMES.items() for name in names}


def is_title(first: Sequence[str], second: Sequence[str]) -> bool:
    """Return whether a row is a title above the row with the names of the columns."""
    filled = [cell for cell in first if cell.strip()]
    names = [" ".join(cell.split()).casefold() for cell in second if cell.strip()]
    is_named = len(names) > 1 and any(name in ROLE_BY_NAME for name in names)
    return is_named and len(filled) == 1 and " ".join(filled[0].split()).casefold() not in ROLE_BY_NAME


UNFINISHED_STATES = frozenset(
    _listed(
        """
    in progress, never submitted, not yet started, overdue, abandoned, in bearbeitung, überfällig,
    nie abgegeben, nie eingereicht, nicht begonnen, en cours, en retard, jamais remis, jamais rendu,
    en curso, vencido, nunca enviado, in corso, scaduto, mai consegnato, em progresso, em andamento,
    nunca submetido, nunca enviada, bezig, te laat, nooit ingediend, verlopen,
    进行中, 过期, 从未提交, 尚未开始
    """
    )
)
"""States in lower case of an attempt that was not handed in."""

FINISHED_STATES = frozenset(
    _listed(
        """
    finished, submitted, handed in, complete, completed, graded, fertig, beendet, abgegeben, eingereicht,
    abgeschlossen, bewertet, terminée, terminé, rendu, remis, envoyé, achevé, terminado, terminada,
    finalizado, finalizada, enviado, enviada, entregado, entregada, completado, completada, finito,
    terminato, completato, consegnato, inviato, concluído, concluída, submetido, submetida, entregue,
    voltooid, beëindigd, ingediend, ingeleverd, 已完成, 完成, 已结束, 已提交
    """
    )
)
"""States in lower case of an attempt that was handed in, perhaps empty: of `entry.xlsx` and platforms."""

RESPONSE = re.compile(r"(?:response|antwort|réponse|respuesta|risposta|resposta|antwoord) (\d+)")
QUESTION = re.compile(r"(?:question|frage|pregunta|domanda|questão|pergunta|vraag) (\d+)")
RIGHT_ANSWER = re.compile(
    r"(?:right answer|richtige antwort|bonne réponse|respuesta correcta|risposta corretta"
    r"|resposta correta|juiste antwoord) (\d+)"
)
"""Columns in Moodle's report of responses, in lower case, each with the number of a question."""

TIMESTAMP_NAMES = _listed(
    "timestamp, zeitstempel, horodateur, marca temporal, informazioni cronologiche, carimbo de data/hora, "
    "tijdstempel"
)
"""Names of Google's first column."""

START_TIME_NAMES = _listed(
    "start time, startzeit, heure de début, hora de inicio, ora di inizio, hora de início, begintijd"
)
"""Names of Microsoft's column of start times, which has no replies."""
