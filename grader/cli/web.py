"""`gametree web`: practise, draw and check in the browser, on this machine."""

from typing import Annotated

from grader.cli.generate import Seed, chosen
from grader.cli.shared.kind_option import KindNames, kinds_of
from grader.cli.shared.languages import LanguageCode, language_of
from grader.cli.shared.parameters import option
from grader.cli.shared.serving import OpenBrowser, Port, serve
from grader.cli.shared.terminal import program

app = program()


@app.command()
def web(
    kinds: KindNames = None,
    host: Annotated[
        str, option("Where to listen; 0.0.0.0 for everybody in the network.", metavar="ADDRESS")
    ] = "127.0.0.1",
    port: Port = 0,
    seed: Seed = None,
    language: LanguageCode = None,
    open_browser: OpenBrowser = True,
) -> None:
    """Practise, draw and check in the browser.

    The page is served from this machine and marked by this program; nothing is sent anywhere.
    Its address has a token in it, so that only those who were given the address come in.

    Examples:
      gametree web
      gametree web --kinds pruned-paths,windows
      gametree web --host 0.0.0.0 --port 8000 --no-open

    Ctrl-C ends it.
    """
    from grader.web.pages import Kinds, Way, page, policy_of
    from grader.web.pool import EXAM, Pool

    codes, spoken = kinds_of(kinds), language_of(language)
    pool = Pool(ENOUGH, chosen(seed), spoken, codes)
    first = {codes[0]: {EXAM: pool.questions(codes[0], EXAM, 1)[0]}}
    way = Way("server")
    shown = page(Kinds(codes, first), way, spoken)
    serve(shown, policy_of(way), pool.desk(), port, open_browser, host)


ENOUGH = 30
"""So many questions of each kind and level there are before they come again."""
