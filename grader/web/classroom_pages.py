"""The three pages of a class: the teacher's, the wall's and the phones', and answers to their messages."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Literal

import segno
from markupsafe import Markup

from grader.base.phrases import Language
from grader.questions.titles import TITLES
from grader.web.classroom import MAX_PHONE_KEY_LENGTH, VIEWS, Classroom
from grader.web.classroom_sentences import CLASS_SENTENCES
from grader.web.messages.documents import Record, record_text
from grader.web.messages.handler import MessageHandler
from grader.web.messages.message_fields import (
    ANOTHER_TYPE,
    MessageError,
    message_error,
    read_message,
    read_message_field,
)
from grader.web.pages import ICON, kind_groups, served_page
from grader.web.sentences import SENTENCES
from grader.web.server import ServedPage, new_token

PageName = Literal["teacher", "wall", "phone"]

SHARED_SCRIPTS = ("words", "layout", "tree", "marker")
SCRIPTS: Mapping[PageName, Sequence[str]] = {
    "teacher": (*SHARED_SCRIPTS, "counts", "teacher"),
    "wall": (*SHARED_SCRIPTS, "present", "counts", "wall"),
    "phone": (*SHARED_SCRIPTS, "reply", "boxes", "answer", "phone"),
}
"""The modules of the script of each page, each after those that it imports."""

MAX_PHONE_MESSAGE_BYTES = 32_000
"""The longest message of a phone; a reply is much shorter."""


@dataclass(frozen=True, slots=True)
class ClassDesk:
    """Answers the messages of one of the pages; its `handlers` say what the page may ask."""

    handlers: Mapping[str, Callable[[Mapping[str, Any]], Record]]
    language: Language

    def reply(self, text: str) -> str:
        """Answer a message; both are JSON text. The answer to one that cannot be taken has `errors`."""
        try:
            message = read_message(text)
            name = read_message_field(message, "ask", str)
            if name not in self.handlers:
                raise message_error(ANOTHER_TYPE, name="ask")
            return record_text({"schema": 1, **self.handlers[name](message)})
        except MessageError as error:
            errors = error.errors_in(self.language)
        return record_text({"schema": 1, "errors": errors})


def phone_desk(room: Classroom) -> ClassDesk:
    """Return what answers phones: they look, and send replies; nothing else is theirs to ask."""

    def look(message: Mapping[str, Any]) -> Record:
        return room.look(_phone(message), read_message_field(message, "known", int, 0))

    def answer(message: Mapping[str, Any]) -> Record:
        """Pass a phone's reply to the classroom. Raises `MessageError` if a field is missing."""
        number, attempt = (
            read_message_field(message, "number", int),
            read_message_field(message, "attempt", int),
        )
        return room.answer(_phone(message), number, attempt, read_message_field(message, "reply", str))

    return ClassDesk({"look": look, "answer": answer}, room.language)


def wall_desk(room: Classroom) -> ClassDesk:
    """Return what answers the wall: it looks, and asks for the steps of the search."""

    def look(message: Mapping[str, Any]) -> Record:
        return room.state(read_message_field(message, "known", int, 0), all_counts=False)

    return ClassDesk({"look": look, "explain": _explain(room)}, room.language)


def teacher_desk(room: Classroom) -> ClassDesk:
    """Return what answers the teacher's page; every answer is the new state."""

    def look(message: Mapping[str, Any]) -> Record:
        return room.state(read_message_field(message, "known", int, 0), all_counts=True)

    def start(message: Mapping[str, Any]) -> Record:
        kind, level = read_message_field(message, "kind", str), read_message_field(message, "level", str)
        room.start(kind, level, read_message_field(message, "shared", bool))
        return look(message)

    def show(message: Mapping[str, Any]) -> Record:
        room.show(read_message_field(message, "view", str), read_message_field(message, "slide", int, 0))
        return look(message)

    def after(action: Callable[[], None]) -> Callable[[Mapping[str, Any]], Record]:
        """Return an answer to a message: do the action, then return what the teacher's page shows."""

        def act(message: Mapping[str, Any]) -> Record:
            action()
            return look(message)

        return act

    actions = {"close": room.close, "ask_again": room.ask_again, "reveal": room.reveal, "end": room.end}
    handlers = {"look": look, "start": start, "show": show, "explain": _explain(room)}
    return ClassDesk(handlers | {name: after(action) for name, action in actions.items()}, room.language)


def _explain(room: Classroom) -> Callable[[Mapping[str, Any]], Record]:
    """Return what tells the steps of a search, as the page to practise asks for them."""
    return MessageHandler(language=room.language).answer


def _phone(message: Mapping[str, Any]) -> str:
    """Return the key of the phone that sent a message. Raises `MessageError` for an unusable one."""
    phone = read_message_field(message, "phone", str)
    if not 0 < len(phone) <= MAX_PHONE_KEY_LENGTH:
        raise message_error(ANOTHER_TYPE, name="phone")
    return phone


def phone_page(room: Classroom, token: str) -> ServedPage:
    """Return the page of the phones."""
    document, policy = _class_page("phone", room)
    return ServedPage(document, policy, phone_desk(room), token, max_message_length=MAX_PHONE_MESSAGE_BYTES)


def staff_pages(room: Classroom, kinds: Sequence[str], address: str) -> tuple[ServedPage, ServedPage]:
    """Return the teacher's page and that of the wall, which show the address at which phones join.

    Each has a secret token: that of the wall is seen on the wall, so it cannot start or show anything.
    """
    wall_token = new_token()
    joining = {"address": address, "code": Markup(qr_code(address))}
    groups = kind_groups({each: room.language.term(TITLES[each]) for each in kinds}, room.language)
    teacher, teacher_policy = _class_page("teacher", room, **joining, wall=f"../{wall_token}/", groups=groups)
    wall, wall_policy = _class_page("wall", room, **joining)
    return (
        ServedPage(teacher, teacher_policy, teacher_desk(room), new_token()),
        ServedPage(wall, wall_policy, wall_desk(room), wall_token),
    )


def _class_page(name: PageName, room: Classroom, **content: Any) -> tuple[str, str]:
    """Return a page as HTML, and its content security policy."""
    return served_page(
        "classroom/page.html.j2",
        ("site/page.css", "classroom/page.css"),
        SCRIPTS[name],
        {**SENTENCES, **CLASS_SENTENCES},
        room.language,
        {"views": VIEWS},
        name=name,
        icon=ICON,
        views=VIEWS,
        levels={level: room.language.term(phrase) for level, phrase in room.pool.levels.items()},
        **content,
    )


def qr_code(address: str) -> str:
    """Return the QR code of an address as SVG: black on white also in the dark, for cameras need that."""
    out = BytesIO()
    segno.make(address, error="m").save(
        out, kind="svg", xmldecl=False, svgns=True, omitsize=True, light="#fff", border=3, nl=False
    )
    return out.getvalue().decode()
