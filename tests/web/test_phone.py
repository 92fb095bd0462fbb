"""The laws of the page on a phone: what is asked, told and typed can be seen and reached there."""

from collections.abc import Iterator
from itertools import pairwise

import pytest

from tests.web.conftest import Served
from tests.web.driving import Browser, Page
from tests.web.test_browser import asked, forget, handed_in, opened, shown


@pytest.fixture
def phone(chromium: Browser, served: Served) -> Iterator[Page]:
    """The page on a phone, open and ready; nothing went wrong on it in the end."""
    page = chromium.page()
    page.look(390, 844, touch=True)
    forget(page, served.address)
    opened(page, served.address)
    yield page
    assert page.complaints() == []
    page.send("Page.close")


ABOVE_BAR = "document.querySelector('#bar').getBoundingClientRect().top"


def bottom(selector: str) -> str:
    """The lower end of an element on the screen, as a script."""
    return f"document.querySelector({selector!r}).getBoundingClientRect().bottom"


def test_the_bars_of_neighbours_stay_apart(phone: Page, served: Served) -> None:
    """The bars of two leaves of one parent do not touch, however narrow the tree is."""
    phone.look(320, 700, touch=True)
    tree = asked(phone, served, "pruned-branches").public.tree
    for leaf in tree.leaves:
        phone.tap(f"#stage [data-node='{leaf}'] .shape")
    siblings = [pair for pair in pairwise(tree.leaves) if tree.parents[pair[0]] == tree.parents[pair[1]]]
    assert siblings
    for pair in siblings:
        left, right = (
            phone.run(f"""(() => {{
              const bars = document.querySelector("#stage [data-node='{leaf}'] > .bars");
              const {{ left, right, top, bottom }} = bars.getBoundingClientRect();
              return {{ left, right, top, bottom }};
            }})()""")
            for leaf in pair
        )
        gap = max(right["left"] - left["right"], right["top"] - left["bottom"])
        assert gap > 0, pair


def test_what_is_written_at_nodes_can_be_read(phone: Page, served: Served) -> None:
    """In a tree with counts no text leaves the picture, and no number stands on a leaf or on other text."""
    phone.run(f"document.querySelector('#reply').value = {asked(phone, served, 'uct.visits').key!r}")
    phone.run("document.querySelector('#reply').dispatchEvent(new Event('input'))")
    faults = phone.run("""(() => {
      const box = (element) => element.getBoundingClientRect();
      const texts = [...document.querySelectorAll("#stage text")].filter((text) => text.textContent);
      const stage = box(document.querySelector("#stage svg"));
      const out = texts.filter((text) => box(text).left < stage.left || box(text).right > stage.right);
      const shared = (one, other, start, end) =>
        Math.min(box(one)[end], box(other)[end]) - Math.max(box(one)[start], box(other)[start]);
      const meets = (...two) => shared(...two, "left", "right") > 1 && shared(...two, "top", "bottom") > 5;
      const values = texts.filter((text) => text.classList.contains("value"));
      const things = [...document.querySelectorAll("#stage .shape.leaf"), ...texts];
      const hidden = values.filter((value) => things.some((thing) => thing !== value && meets(value, thing)));
      return [values.length > 0, ...[...out, ...hidden].map((text) => text.textContent)];
    })()""")
    assert faults == [True]


def test_every_new_hint_is_seen(phone: Page, served: Served) -> None:
    """The latest hint and the node that it lights are above the bar, however many hints there are."""
    phone.look(390, 700, touch=True)
    asked(phone, served, "node-values")
    for number in range(1, 9):
        phone.click("#hint")
        phone.until(f"document.querySelectorAll('#told li').length === {number}")
        phone.until(f"{bottom('#told li:last-child')} <= {ABOVE_BAR}")


def test_what_is_told_of_a_reply_is_seen(phone: Page, served: Served) -> None:
    """The first sentence about a marked reply is above the bar, also below a large tree."""
    phone.look(390, 600, touch=True)
    asked(phone, served, "node-values")
    phone.tap("#stage [data-node='0'] .shape")
    phone.type("99")
    phone.run("scrollTo(0, 0)")
    assert phone.run(f"{bottom('#reply')} > {ABOVE_BAR}")
    phone.run("document.querySelector('#mark').click()")
    phone.until("document.querySelector('#told li') !== null")
    phone.until(f"{bottom('#told li')} <= {ABOVE_BAR}")


def test_marking_nothing_stays_at_the_tree(phone: Page, served: Served) -> None:
    """Without an answer nobody is sent to the text box, and its keyboard, when the tree is to be touched."""
    asked(phone, served, "pruned-paths")
    phone.tap("#mark")
    phone.until("document.querySelector('#verdict').textContent === 'There is no answer yet.'")
    assert phone.run("document.activeElement.id") != "reply"
    phone.run("location.hash = 'kind=true-false.pruning'")
    phone.until("document.querySelector('#prompt').textContent.startsWith('True')")
    phone.tap("#mark")
    phone.until("document.activeElement.id === 'reply'")


def test_the_bar_stands_above_a_keyboard(phone: Page) -> None:
    """The signs that a keyboard on the screen lacks are above it, and at the foot again when it is gone."""
    for height, foot in ((500, 500), (844, 844)):
        phone.run(
            f"Object.defineProperty(visualViewport, 'height', {{ configurable: true, value: {height} }})"
        )
        phone.run("visualViewport.dispatchEvent(new Event('resize'))")
        assert phone.run(bottom("#bar")) == foot


def test_keys_are_named_where_there_are_some(phone: Page) -> None:
    """What the keys do is said on a desk, and not on a phone."""
    phone.run("location.hash = 'trace'")
    phone.until("document.querySelector('#trace-lines li') !== null")
    assert "arrows" not in phone.text("#trace")
    phone.look(1280)
    assert "arrows" in phone.text("#trace")


def test_a_linked_question_survives_a_reload(phone: Page, served: Served) -> None:
    """A reply to a question that a link asked is there after a reload, and the same link asks again."""
    link = "kind=best-move&seed=1"
    phone.run(f"location.hash = '{link}'")
    phone.until("document.querySelector('#kind').value === 'best-move' && !location.hash.includes('kind')")
    exercise = shown(phone, served, "best-move")
    phone.tap("#stage [data-node='1'] .shape")
    reply, _ = handed_in(phone)
    phone.send("Page.reload")
    phone.until("document.documentElement?.dataset.usable && document.querySelector('#reply')?.value")
    assert phone.run("document.querySelector('#reply').value") == reply
    assert shown(phone, served, "best-move").public.id == exercise.public.id
    phone.run(f"location.hash = '{link}'")
    phone.until("document.querySelector('#reply').value === ''")
    assert shown(phone, served, "best-move").public.id == exercise.public.id
