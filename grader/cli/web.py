"""`gametree web`: practise, draw and check in the browser, on this machine."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated

from grader.cli.generate import SeedOption, choose_seed
from grader.cli.shared.exercises import KindNames, require_kinds
from grader.cli.shared.languages import LanguageCode, require_language
from grader.cli.shared.options import RuleOptions
from grader.cli.shared.page_serving import OpenBrowser, Port, serve
from grader.cli.shared.parameters import option
from grader.cli.shared.sources import read_tree_source
from grader.cli.shared.terminal import CommandApp, printable, refuse

if TYPE_CHECKING:
    from grader.base.phrases import Language
    from grader.web.question_pool import GivenTreeQuestions

app = CommandApp()


@app.command()
def web(
    kinds: KindNames = None,
    with_class: Annotated[
        bool,
        option(
            "Ask a class questions on its phones: open the teacher's page, and print the phones' address.",
            "--class",
        ),
    ] = False,
    tree: Annotated[
        str | None,
        option(
            "With --class: ask about this tree, a file, - or bank:NAME, with every kind that suits it.",
            metavar="TREE",
        ),
    ] = None,
    host: Annotated[
        str | None,
        option(
            "The address to listen on; 0.0.0.0 for everyone in the network. Default: 127.0.0.1, this machine "
            "alone; with --class 0.0.0.0.",
            metavar="ADDRESS",
        ),
    ] = None,
    port: Port = 0,
    token: Annotated[
        str | None,
        option(
            "The token in the address. With the same --port and --token, pages that are open continue to "
            "work after a restart. Default: a new one.",
            metavar="TOKEN",
        ),
    ] = None,
    seed: SeedOption = None,
    language: LanguageCode = None,
    open_browser: OpenBrowser = True,
) -> None:
    """Practise, draw and check in the browser.

    The page is served from this machine and marked by this program; nothing is sent anywhere.
    Its address contains a token, so that only people who have the address can open it.

    Examples:
      gametree web
      gametree web --kinds pruned-paths,windows
      gametree web --class --kinds pruned-paths,best-move
      gametree web --class --tree bank:aima-fig-5-2
      gametree web --host 0.0.0.0 --port 8000 --token spring-term-cs188 --no-open

    Ctrl-C ends it.
    """
    from grader.web.pages import (
        GraderConnection,
        PageKinds,
        content_security_policy,
        page,
        page_files,
        translated_page,
    )
    from grader.web.question_pool import EXAM, QuestionPool
    from grader.web.server import EVERY_ADDRESS, LOOPBACK, TOKEN, ServedPage, new_token

    if token is not None and not TOKEN.fullmatch(token):
        refuse(
            f"--token {printable(token, 60)!r} cannot be used.",
            "Take 12 to 64 letters, digits, '-' and '_' that are hard to guess.",
        )
    if tree is not None and not with_class:
        refuse("--tree goes with --class.", "On the page, Draw opens a file with a tree.")
    codes, chosen_language = require_kinds(kinds), require_language(language)

    def grown_questions() -> QuestionPool:
        return QuestionPool(QUESTIONS_PER_LEVEL, choose_seed(seed), chosen_language, codes)

    if with_class:
        from grader.web.classroom import Classroom
        from grader.web.classroom_pages import phone_page, staff_pages

        if tree is None:
            room = Classroom(grown_questions())
        else:
            questions = _questions_about(tree, codes, chosen_language)
            room, codes = Classroom(questions), tuple(questions.records)
        phones = phone_page(room, token or new_token())
        pages = partial(staff_pages, room, codes)
        listened = host or EVERY_ADDRESS
        serve(phones, port, open_browser, listened, pages)
        return
    pool = grown_questions()
    kinds_shown = PageKinds(codes, {codes[0]: {EXAM: pool.questions(codes[0], EXAM, 1)[0]}})
    pool.grow_first_questions()
    connection = GraderConnection("server", pages=page_files(chosen_language))
    document = page(kinds_shown, connection, chosen_language)
    translated = partial(translated_page, kinds_shown, connection)
    policy = content_security_policy(connection)
    own = ServedPage(document, policy, pool.handler(), token or new_token(), translated)
    serve(own, port, open_browser, host or LOOPBACK)


def _questions_about(source: str, kinds: Sequence[str], language: "Language") -> "GivenTreeQuestions":
    """Return the questions about a tree of the teacher; refuse one that no kind can be asked about."""
    from grader.web.question_pool import GivenTreeQuestions

    tree = read_tree_source(source)
    questions = GivenTreeQuestions.about(tree, RuleOptions().override_rules(tree), kinds, language)
    if not questions.records:
        refuse(f"no kind can be asked about {source}.", "`gametree kinds KIND` says what it needs.")
    return questions


QUESTIONS_PER_LEVEL = 30
"""The questions of each kind and level before they repeat."""
