"""The law of a real QTI 3 player: it scores every answer as the response processing of our reader does."""

import json
import os
import shutil
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TypeAlias

import pytest

from grader.answers.blank import NONE, Blank
from grader.exercises.exercise import Exercise
from tests.publishing.lms.exams import exam_of_kind
from tests.publishing.lms.test_qti3 import items, members, play
from tests.publishing.papers import NAMES
from tests.web.driving import Browser, Page

PLAYER = Path(os.environ.get("QTI_PLAYER", Path.home() / "node_modules" / "@citolab" / "qti-components"))
"""Where `npm install @citolab/qti-components` put it."""

SCORE_TOLERANCE = 0.0015
"""The player rounds every outcome to three decimals."""

Entry: TypeAlias = str | list[int]
"""What is entered: a text in a box, or the places of options."""


@pytest.fixture(scope="module")
def stage(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Page, Path]]:
    """A page with the player, and the folder from which it takes items."""
    folder = tmp_path_factory.mktemp("player")
    shutil.copy(Path(__file__).with_name("player.html"), folder)
    (folder / "player").symlink_to(PLAYER.resolve())
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        page = chromium.page()
        page.open(f"http://127.0.0.1:{server.server_port}/player.html")
        yield page, folder
        server.shutdown()


@pytest.mark.slow
@pytest.mark.skipif(
    not PLAYER.exists(),
    reason=f"no player in {PLAYER}: npm install @citolab/qti-components, and set QTI_PLAYER to its folder",
)
@pytest.mark.parametrize("kind", NAMES)
def test_the_player_scores_as_our_reader(kind: str, stage: tuple[Page, Path]) -> None:
    """The key earns everything, a blank nothing, and the answer of every misconception the same in both."""
    page, folder = stage
    exam = exam_of_kind(kind)
    for name, data in members(exam).items():
        path = folder / kind / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (item,) = items(exam)
    (paper,) = exam.papers
    (question,) = paper.questions
    (part,) = question.parts
    attempts = {"blank": dict[str, Entry](), "key": entered(part, part.key)}
    attempts |= {name: entered(part, reply) for name, reply in part.beliefs.items()}
    for name, responses in attempts.items():
        address = f"{kind}/items/{item.attrib['identifier']}.xml"
        assert page.run(f"show({json.dumps(address)})") == len(part.blanks.blanks)
        score = page.run(f"enter({json.dumps(responses)})")
        if name in ("blank", "key"):
            assert score == pytest.approx(4 * (name == "key"), abs=SCORE_TOLERANCE), name
        expected = play(item, {each: declared_values(value) for each, value in responses.items()})
        assert score == pytest.approx(float(expected), abs=SCORE_TOLERANCE), name


def entered(part: Exercise, reply: str) -> dict[str, Entry]:
    """What somebody enters who gives this reply."""
    public = part.public
    blanks = part.kind.form.blanks(part.answer(reply), public.tree, public.terms).blanks
    entries = {f"RESPONSE-{number}": _entry(blank) for number, blank in enumerate(blanks, 1)}
    return {name: entry for name, entry in entries.items() if entry}


def _entry(blank: Blank) -> Entry:
    """What is right in a blank; a box into which nothing belongs is left empty."""
    if blank.options:
        places = [place for place, option in enumerate(blank.options) if option.share > 0]
        return places if blank.allows_several else places[:1]
    return "" if NONE in blank.spellings and not blank.points else blank.spellings[0]


def declared_values(response: Entry) -> list[str]:
    """A response as an item declares it."""
    return [response] if isinstance(response, str) else [f"OPTION-{place + 1}" for place in response]
