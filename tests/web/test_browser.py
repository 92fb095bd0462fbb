"""The laws of the page in a browser: what people do with mouse, finger and keyboard, and what they see."""

import json
import re
from collections.abc import Iterator
from itertools import pairwise

import pytest

from grader.exercises.exercise import Exercise
from grader.exercises.exercise_file import read_exercise
from grader.exercises.marking import mark
from grader.web.messages.question_choice import separates_belief
from tests.web.conftest import TOUCHED, Served
from tests.web.driving import Browser, Page

TEXTBOOK = "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))"


@pytest.fixture
def page(chromium: Browser, served: Served) -> Iterator[Page]:
    """The page, open and ready, with nothing kept from before; nothing went wrong on it in the end."""
    page = chromium.page()
    page.look(1280)
    forget(page, served.address)
    opened(page, served.address)
    yield page
    assert page.complaints() == []
    page.send("Page.close")


def forget(page: Page, address: str) -> None:
    """Forget what other tests left in the browser: replies, and what was being worked on."""
    page.send("Storage.clearDataForOrigin", origin=address.rpartition("/")[0], storageTypes="all")


def opened(page: Page, address: str) -> None:
    """Open the page and wait for the grader."""
    page.send("Page.navigate", url=address)
    page.until("document.documentElement?.dataset.ready && document.readyState === 'complete'")


def asked(page: Page, served: Served, kind: str) -> Exercise:
    """Choose a kind; the exercise that is asked then."""
    page.run(f"""(() => {{
      const kind = document.querySelector("#kind");
      kind.value = {json.dumps(kind)};
      document.querySelector("#prompt").textContent = "";
      kind.dispatchEvent(new Event("change"));
    }})()""")
    page.until("document.querySelector('#prompt').textContent !== ''")
    return shown(page, served, kind)


def shown(page: Page, served: Served, kind: str) -> Exercise:
    """The exercise that is asked."""
    name = page.run("document.querySelector('#prompt').dataset.exercise")
    for record in served.pool.questions(kind, "exam"):
        exercise = read_exercise(record)
        assert isinstance(exercise, Exercise)
        if exercise.public.id == name:
            return exercise
    raise AssertionError("the page shows no question of the pool")


def reach(page: Page, exercise: Exercise, node: int, way: str) -> None:
    """Touch a node with the mouse, a finger, or the arrow keys and `c`."""
    place = f"#stage [data-node='{node}']"
    if way == "mouse":
        page.click(f"{place} .shape")
    elif way == "finger":
        page.tap(f"{place} .shape")
    else:
        tree = exercise.public.tree
        page.run("document.querySelector('#stage [tabindex=\"0\"]').focus()")
        page.press("Home")
        way_down = [node]
        while tree.parents[way_down[0]] >= 0:
            way_down.insert(0, tree.parents[way_down[0]])
        for parent, child in pairwise(way_down):
            page.press("ArrowRight")
            for _ in range(tree.children[parent].index(child)):
                page.press("ArrowDown")
        page.press("c")


def handed_in(page: Page) -> tuple[str, str]:
    """Have the answer marked: the reply, and the verdict that is shown."""
    reply = page.run("document.querySelector('#reply').value")
    page.click("#mark")
    page.until("document.querySelector('#next').classList.contains('primary')")
    return reply, page.text("#verdict")


def nodes_of(exercise: Exercise, reply: str) -> list[int]:
    """The nodes that a reply of names and leaf numbers speaks of."""
    tree = exercise.public.tree
    return [
        tree.leaves[int(word) - 1] if word.isdigit() else tree.names.index(word)
        for word in reply.split()
        if word != "none"
    ]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("way", ["mouse", "finger", "keys"])
@pytest.mark.parametrize("kind", TOUCHED)
def test_answers_are_given_in_the_tree(page: Page, served: Served, kind: str, way: str) -> None:
    """Touching what the key names writes a reply that earns the full mark, whatever one touches with."""
    if way == "finger":
        page.look(390, 800, touch=True)
    exercise = asked(page, served, kind)
    for node in nodes_of(exercise, exercise.key):
        reach(page, exercise, node, way)
    reply, verdict = handed_in(page)
    marked = mark(exercise, reply)
    assert marked.points == marked.maximum
    assert verdict == "Correct: 1 of 1."


@pytest.mark.sampled(1)
@pytest.mark.parametrize("way", ["mouse", "keys"])
def test_values_are_written_at_nodes(page: Page, served: Served, way: str) -> None:
    """Values that are typed at nodes are the reply, and a wrong one is marked in the tree with its reason."""
    exercise = asked(page, served, "node-values")
    entries = dict(entry.split("=") for entry in exercise.key.split())
    entries["A"] = "99"
    for name, value in entries.items():
        if way == "mouse":
            page.click(f"#stage [data-node='{exercise.public.tree.names.index(name)}'] .shape")
        else:
            reach(page, exercise, exercise.public.tree.names.index(name), "keys")
        page.type(value)
        page.press("Enter")
    reply, verdict = handed_in(page)
    assert mark(exercise, reply).understood.startswith("A=99 B=")
    assert verdict.startswith("Partly correct: ")
    assert page.run("document.querySelector('#stage [data-node=\"0\"]').classList.contains('wrong')")
    assert "A=99" in page.text("#told")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "kind",
    ["true-false.pruning", "strategy.optimal", "uct.visits", "reorder.order", "feasible-pattern.payoffs"],
)
def test_other_answers_are_given_in_the_tree(page: Page, served: Served, kind: str) -> None:
    """A choice is one of its options; children are chosen, put in order and numbered where they stand."""
    exercise = asked(page, served, kind)
    tree, nodes = exercise.public.tree, "#stage [data-node='{}'] .shape"
    if kind == "true-false.pruning":
        page.click(f"#offer input[value='{exercise.key}']")
    elif kind == "strategy.optimal":
        for pair in exercise.key.split(", "):
            page.click(nodes.format(named(exercise, pair.partition("->")[2])))
    elif kind == "reorder.order":
        for line in exercise.key.split("; "):
            for child in line.partition(": ")[2].split():
                page.click(nodes.format(named(exercise, child)))
    else:
        entries = (
            dict(zip(tree.leaves, exercise.key.split(), strict=True))
            if kind == "feasible-pattern.payoffs"
            else {
                named(exercise, each.partition("=")[0]): each.partition("=")[2]
                for each in exercise.key.split()
            }
        )
        for node, value in entries.items():
            page.click(nodes.format(node))
            page.type(value)
            page.press("Enter")
    reply, verdict = handed_in(page)
    marked = mark(exercise, reply)
    assert marked.points == marked.maximum, reply
    assert verdict == "Correct: 1 of 1."


def named(exercise: Exercise, name: str) -> int:
    """The node that a reply calls so: by its name, or a leaf by its number."""
    tree = exercise.public.tree
    return tree.names.index(name) if name in tree.names else tree.leaves[int(name) - 1]


def test_a_tree_is_laid_out_once(page: Page, served: Served) -> None:
    """Where trees of other sizes follow one another, none is exchanged under a mouse that is pressed."""
    page.run("""(() => {
      window.drawn = 0;
      const watch = new MutationObserver((changes) => { window.drawn += changes.length; });
      watch.observe(document.querySelector("#stage"), { childList: true });
    })()""")
    kinds = ["strategy.optimal", "feasible-pattern.payoffs", "pruned-paths", "uct.visits", "node-values"]
    for count, kind in enumerate(kinds, 1):
        asked(page, served, kind)
        page.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert page.run("window.drawn") == count, kind


def test_signs_that_phones_hide_are_offered(page: Page, served: Served) -> None:
    """An interval is written by touching its signs and typing its numbers."""
    exercise = asked(page, served, "possible-values")
    page.click("#reply")
    for piece in exercise.key.split():
        signs = page.run("[...document.querySelectorAll('#offer button')].map(each => each.textContent)")
        if piece in signs:
            page.click(f"#offer button:nth-of-type({signs.index(piece) + 1})")
        else:
            page.type(piece)
    reply, verdict = handed_in(page)
    assert reply.split() == exercise.key.split()
    assert verdict == "Correct: 1 of 1."


def test_text_and_tree_are_one(page: Page, served: Served) -> None:
    """A reply that is typed shows in the tree, one in words as the grader understands it."""
    exercise = asked(page, served, "pruned-paths")
    crossed = "[...document.querySelectorAll('#stage .muted .payoff')].length"
    page.click("#reply")
    page.type("1, 3-4")
    assert page.run(crossed) == 3
    page.run("document.querySelector('#reply').select()")
    page.type("leaves 2 and 7")
    page.until(f"{crossed} === 2")
    reach(page, exercise, nodes_of(exercise, "5")[0], "mouse")
    assert page.run("document.querySelector('#reply').value") == "2 5 7"


def test_a_mistake_is_named_and_the_next_question_tells_it_apart(page: Page, served: Served) -> None:
    """A reply by a belief is told as that, and what comes next is a question that tells it apart."""
    exercise = asked(page, served, "pruned-paths")
    page.click("#reply")
    page.type(exercise.beliefs["pruned-paths.right-to-left"])
    handed_in(page)
    assert "opposite order" in page.text("#told .diagnosis")
    page.click("#next")
    page.until("document.querySelector('#verdict').textContent === ''")
    following = shown(page, served, "pruned-paths")
    assert following.public.id != exercise.public.id
    assert "pruned-paths.right-to-left" in following.beliefs


def test_hints_come_before_the_answer(page: Page, served: Served) -> None:
    """Every hint tells one step more; the answer is told with what decides it, and drawn."""
    exercise = asked(page, served, "pruned-paths")
    for count in (1, 2, 3):
        page.click("#hint")
        page.until(f"document.querySelectorAll('#told .step').length === {count}")
    page.click("#answer")
    page.until("document.querySelector('#verdict').textContent.startsWith('The answer is')")
    assert exercise.key in page.text("#verdict")
    bars = page.run("[...document.querySelectorAll('#stage .muted .payoff')].length")
    assert bars == len(exercise.key.split())


def test_progress_is_kept_and_two_tabs_lose_nothing(page: Page, served: Served, chromium: Browser) -> None:
    """What two tabs answered at once is there after a reload, for both."""
    other = chromium.page()
    opened(other, served.address)
    for tab in (page, other):
        tab.click("#reply")
        tab.type("1")
        handed_in(tab)
    opened(page, served.address)
    entries = page.run("Object.keys(localStorage).filter(key => key.startsWith('gametree.reply.')).length")
    assert entries == 2
    page.run("document.querySelector('.progress').open = true")
    assert "(2)" in page.text("#mastery")
    other.send("Page.close")


def test_a_question_counts_once_and_not_after_its_answer(page: Page, served: Served) -> None:
    """One right answer, handed in again and again, is one entry; an answer that was shown is none."""
    count = "Object.keys(localStorage).filter(key => key.startsWith('gametree.reply.')).length"
    for kind, answered, entries in (("best-move", False, 1), ("pruned-paths", True, 1)):
        exercise = asked(page, served, kind)
        if answered:
            page.click("#answer")
            page.until("document.querySelector('#verdict').textContent.startsWith('The answer is')")
        page.run(f"document.querySelector('#reply').value = {json.dumps(exercise.key)}")
        for _ in range(3):
            page.run("document.querySelector('#next').classList.remove('primary')")
            handed_in(page)
        assert page.run(count) == entries


def test_an_answer_that_comes_late_is_not_shown(page: Page, served: Served) -> None:
    """A mark that comes when the next question is there already is neither shown nor kept."""
    asked(page, served, "best-move")
    page.run("""(() => {
      const load = window.fetch.bind(window);
      window.late = 0;
      window.fetch = async (...asked) => {
        const answer = await load(...asked);
        if (!asked[1].body.includes('"ask":"mark"')) return answer;
        await new Promise((resolve) => { window.release = resolve; });
        setTimeout(() => { window.late++; }, 50);
        return answer;
      };
    })()""")
    page.click("#reply")
    page.type("1")
    page.click("#mark")
    page.until("window.release !== undefined")
    page.run("document.querySelector('#verdict').textContent = 'asked'")
    page.click("#next")
    page.until("document.querySelector('#verdict').textContent === ''")
    page.run("window.release()")
    page.until("window.late === 1")
    assert page.text("#verdict") == ""
    assert page.run("Object.keys(localStorage).filter(key => key.startsWith('gametree.reply.')).length") == 0


def test_a_tree_is_drawn_from_nothing(page: Page) -> None:
    """The textbook's tree, built by keys alone, is the textbook's; a wrong cross in it is told at once."""
    page.run("location.hash = 'draw'")
    page.until("document.querySelectorAll('#canvas [role=treeitem]').length === 3")
    page.run("document.querySelector('#canvas [data-node=\"0\"]').focus()")
    page.press("a")
    payoffs = [3, 12, 8, 2, 4, 6, 14, 5, 2]
    for child in range(3):
        for place in range(3):
            page.run(f"document.querySelector('#canvas [data-node=\"{1 + 4 * child}\"]').focus()")
            page.press("Home")
            page.press("ArrowRight")
            for _ in range(child):
                page.press("ArrowDown")
            page.press("a")
            page.press("Enter")
            page.type(str(payoffs[3 * child + place]))
            page.press("Tab")
    text = page.run("document.querySelector('#notation').value")
    assert text == TEXTBOOK.replace(" A", "").replace(" B", "").replace(" C", "").replace(" D", "")
    page.click("#canvas [data-node='12'] .shape")
    page.press("c")
    page.until("document.querySelector('#judgement').textContent.includes('1 incorrect')")
    assert page.run("document.querySelector('#canvas [data-node=\"12\"]').classList.contains('extra')")
    page.click("#do-undo")
    page.until("!document.querySelector('#notation').value.includes('~')")


@pytest.mark.slow
@pytest.mark.parametrize("way", ["mouse", "finger"])
def test_a_tree_is_drawn_by_touching(page: Page, way: str) -> None:
    """The same tree is built without a single key of the drawing, by its buttons and boxes."""
    touch = page.click if way == "mouse" else page.tap
    page.look(390 if way == "finger" else 1280, touch=way == "finger")
    page.run("location.hash = 'draw'")
    page.until("document.querySelectorAll('#canvas [role=treeitem]').length === 3")
    touch("#canvas [data-node='0'] .shape")
    touch("#do-add")
    for child, payoffs in enumerate(((3, 12, 8), (2, 4, 6), (14, 5, 2))):
        touch(f"#canvas [data-node='{1 + 4 * child}'] .shape")
        for place, payoff in enumerate(payoffs):
            touch("#do-beside" if place else "#do-add")
            touch("#at-payoff")
            page.run("document.querySelector('#at-payoff').select()")
            page.type(str(payoff))
            page.run("document.activeElement.blur()")
    text = page.run("document.querySelector('#notation').value")
    assert text == "MAX (MIN (3 12 8) MIN (2 4 6) MIN (14 5 2))"
    touch("#canvas [data-node='7'] .shape")
    touch("#do-cross")
    page.until("document.querySelector('#notation').value.includes('~4')")
    page.until("document.querySelector('#judgement').textContent.includes('1 correct')")


def test_text_is_drawn_and_its_mistakes_have_places(page: Page) -> None:
    """What is typed is drawn and judged; a mistake in it is told with its place, and the drawing stays."""
    page.run("location.hash = 'draw=' + encodeURIComponent('MAX A=4 (MIN B (3 12) MIN C (2 ~4))')")
    page.until("document.querySelector('#judgement').textContent.includes('correct')")
    assert "A=4" in page.text("#reasons")
    typed(page, "MAX (3 2")
    page.until("document.querySelector('#reasons').textContent.includes('line 1, column 5')")
    assert page.run("document.querySelectorAll('#canvas [role=treeitem]').length") == 7


def typed(page: Page, text: str) -> None:
    """Replace the text of the editor."""
    page.run(f"""(() => {{
      const box = document.querySelector("#notation");
      box.value = {json.dumps(text)};
      box.dispatchEvent(new Event("input"));
    }})()""")


def test_a_tree_is_judged_by_the_rules_of_its_header(page: Page) -> None:
    """`@ties keep` in the text is what the menu shows and the verdict follows, and the menu writes it."""
    tree = "MAX (MIN B (3 5) MIN C (3 ~9))"
    keeping = f"@ties keep\n{tree}"
    page.run(f"location.hash = 'draw=' + encodeURIComponent({json.dumps(keeping)})")
    page.until("document.querySelector('#judgement').className === 'wrong'")
    assert page.run("document.querySelector('#ties').value") == "keep"
    for ties, text, sign in (("cut", tree, "right"), ("keep", keeping, "wrong")):
        page.run(f"document.querySelector('#ties').value = '{ties}'")
        page.run("document.querySelector('#ties').dispatchEvent(new Event('change'))")
        assert page.run("document.querySelector('#notation').value") == text
        page.until(f"document.querySelector('#judgement').className === '{sign}'")


def test_a_link_that_was_cut_off_shows_what_is_left(page: Page) -> None:
    """Half a sign at the end of an address is told as a fault of the text, and the rest is there."""
    page.run("location.hash = 'draw=MAX%20(3%202)%20%E2%8'")
    page.until("document.querySelector('#reasons li') !== null")
    assert page.run("document.querySelector('#notation').value").startswith("MAX (3 2)")


def test_undo_brings_a_text_back_that_is_no_tree(page: Page) -> None:
    """A key in the drawing puts its notation in place of a half-written text, and undo takes that back."""
    page.run("location.hash = 'draw'")
    page.until("document.querySelectorAll('#canvas [role=treeitem]').length === 3")
    typed(page, "MAX (3 2")
    page.until("document.querySelector('#reasons li') !== null")
    page.run("document.querySelector('#canvas [tabindex=\"0\"]').focus()")
    page.press("a")
    page.until("document.querySelectorAll('#canvas [role=treeitem]').length === 4")
    page.click("#do-undo")
    assert page.run("document.querySelector('#notation').value") == "MAX (3 2"
    page.until("document.querySelector('#reasons li') !== null")
    page.click("#do-redo")
    assert page.run("document.querySelector('#notation').value") == "MAX (0 0 0)"


def test_the_class_guesses_first(page: Page) -> None:
    """Wherever something could be pruned the class is asked, and marked when the cut is shown."""
    page.run("location.hash = 'present'")
    page.until("document.querySelector('#words').textContent.startsWith('Start at the root')")
    asked = 0
    for _ in range(60):
        page.press("PageDown")
        if "pruned now" in page.text("#words"):
            asked += 1
            page.click("#screen [data-node='7'] .shape")
        elif "are pruned" in page.text("#words"):
            break
        else:
            classes = page.run("document.querySelector('#screen [data-node=\"7\"]').className.baseVal")
            assert "right" not in classes
    assert asked > 3  # not only before the cut
    classes = "document.querySelector('#screen [data-node=\"{}\"]').className.baseVal"
    assert "right" in page.run(classes.format(7))
    assert "missing" in page.run(classes.format(8))


def test_minimax_is_shown_beside(page: Page) -> None:
    """Beside alpha-beta search minimax search has made as many steps, and goes on to the end alone."""
    page.run("location.hash = 'present'")
    page.until("document.querySelector('#words').textContent.startsWith('Start at the root')")
    page.click("#guess")
    page.click("#with-minimax")
    for _ in range(60):
        alone = page.text("#words") == "Alpha-beta search is complete; minimax search continues."
        step, plain = (int(re.findall(r"\d+", page.text(each))[0]) for each in ("#place", "#minimax-place"))
        assert alone == (plain > step)
        if page.run("document.querySelector('#forward').disabled"):
            break
        page.press("PageDown")
    assert page.text("#minimax-place") == "Minimax search: step 17 of 17, leaves visited: 9"
    assert page.text("#place") == "Alpha-beta search: step 16 of 16, leaves visited: 7"
    assert page.run("document.querySelectorAll('#screen .leaf').length") == 9
    assert page.run("document.querySelectorAll('#screen .lit > .leaf').length") == 7
    page.click("#with-minimax")
    assert page.text("#visited") == "Leaves visited: 7; minimax search visits all 9."
    values = "[...document.querySelectorAll('#minimax-screen .item > .value')].map(each => each.textContent)"
    assert page.run(f"{values}.filter(Boolean)") == ["3", "3", "2", "2"]


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
@pytest.mark.parametrize(("beside", "letters"), [("", 0.9), ("minimax", 0.85), ("minimax code", 0.65)])
def test_a_lecture_fits_the_screen(page: Page, size: tuple[int, int], beside: str, letters: float) -> None:
    """36 leaves, sentence and buttons are on a projector at once, as large as it allows with all beside.

    `letters` is what the letters of 14 pixels are scaled by on a projector of 1280 pixels.
    """
    page.look(*size)
    tree = "MAX (" + " ".join("MIN (MAX (1 2 3) MAX (4 5 6) MAX (7 8 9))" for _ in range(4)) + ")"
    page.run(f"location.hash = 'present=' + encodeURIComponent({tree!r})")
    page.until("document.querySelectorAll('#screen [data-node]').length === 53")
    for name in beside.split():
        page.click(f"#with-{name}")
    assert page.run("document.documentElement.scrollHeight") <= size[1]
    for place in ("#visited", "#full"):
        assert page.run(f"document.querySelector('{place}').getBoundingClientRect().bottom") <= size[1]
    for stage in ("#screen", "#minimax-screen")[: 1 + bool(beside)]:
        inside = "(each => each.scrollWidth <= each.clientWidth && each.scrollHeight <= each.clientHeight)"
        assert page.run(f"{inside}(document.querySelector('{stage}'))"), stage
        scale = f"document.querySelector('{stage} > svg').getScreenCTM().a"
        assert page.run(scale) >= letters * size[0] / 1280, stage


def test_a_click_leaves_the_keyboard_to_the_lecture(page: Page) -> None:
    """After a click on a branch, a box or a button the keys go on with the lecture, and undo no click."""
    page.run("location.hash = 'present'")
    page.until("document.querySelector('#words').textContent.startsWith('Start at the root')")
    page.click("#with-code")
    step = 1
    for key in ("ArrowRight", " "):
        while "pruned now" not in page.text("#words"):
            page.press("PageDown")
        step = int(re.findall(r"\d+", page.text("#place"))[0])
        assert page.text("#code-lines [aria-current]").strip().startswith("if α ≥ β")
        page.click("#screen [data-node='7'] .shape")
        page.press(key)
        assert page.text("#place").startswith(f"Step {step + 1} of")
    assert page.run("document.querySelector('#with-code').checked")
    page.click("#play")
    words = page.text("#words")
    page.press(" ")
    assert page.text("#words") != words
    assert page.text("#play") == "Pause"


def test_a_lecture_goes_on_where_it_was(page: Page) -> None:
    """Who comes back from another part finds the same step, and nothing played there; another tree begins."""
    page.run("location.hash = 'present'")
    page.until("document.querySelector('#words').textContent.startsWith('Start at the root')")
    for _ in range(3):
        page.press("PageDown")
    place = page.text("#place")
    page.run("location.hash = 'draw'")
    page.until("document.querySelector('#present').hidden")
    page.run("location.hash = 'present'")
    page.until("!document.querySelector('#present').hidden")
    assert page.text("#place") == place
    page.run("location.hash = 'present=' + encodeURIComponent('MAX (3 MIN (2 4))')")
    page.until("document.querySelectorAll('#screen [data-node]').length === 5")
    assert page.text("#place").startswith("Step 1 of")


def test_a_lecture_is_led_by_keys(page: Page) -> None:
    """Space goes on, Home and End go to the ends, p plays; nothing moves but the words and the tree."""
    page.run("location.hash = 'present'")
    page.until("document.querySelector('#words').textContent.startsWith('Start at the root')")
    page.run("document.activeElement.blur()")
    tops = set()
    for _ in range(12):
        page.press(" ")
        tops.add(page.run("document.querySelector('#forward').getBoundingClientRect().top"))
    assert len(tops) == 1
    page.press("End")
    assert page.run("document.querySelector('#forward').disabled")
    page.press("Home")
    assert page.text("#place").startswith("Step 1 of")
    page.press("p")
    assert page.text("#play") == "Pause"
    page.press("p")
    assert page.text("#play") == "Play"


def test_work_survives_a_reload(page: Page, served: Served) -> None:
    """Kind, question, reply and drawing are there again after the page was loaded anew."""
    exercise = asked(page, served, "node-values")
    page.click("#stage [data-node='1'] .shape")
    page.type("7")
    page.run("location.hash = 'draw=' + encodeURIComponent('MAX A (3 2)')")
    page.until("document.querySelector('#judgement').textContent !== ''")
    opened(page, served.address)
    assert shown(page, served, "node-values").public.id == exercise.public.id
    assert page.run("document.querySelector('#kind').value") == "node-values"
    assert page.run("document.querySelector('#reply').value") == "B=7"
    page.run("location.hash = 'draw'")
    page.until("document.querySelector('#notation').value === 'MAX A (3 2)'")


def test_a_link_names_a_mistake(page: Page, served: Served) -> None:
    """A link to practise a mistake asks a question that tells it from all others, whatever was answered."""
    records = served.pool.questions("pruned-paths", "exam")
    names = [code.rpartition(".")[2] for code in records[0]["beliefs"]]
    mistakes = [name for name in names if any(separates_belief(each, name) for each in records)]
    assert mistakes
    for name in mistakes[:3]:
        page.run("document.querySelector('#prompt').dataset.exercise = ''")
        page.run(f"location.hash = 'kind=pruned-paths&mistake={name}'")
        page.until("document.querySelector('#prompt').dataset.exercise !== ''")
        assert separates_belief(shown(page, served, "pruned-paths").to_json(), name)


def test_the_page_speaks_another_language(page: Page, served: Served) -> None:
    """Who chooses another language goes on with the same question and reply in it, and so does a link."""
    asked(page, served, "best-move")
    page.click("#reply")
    page.type("B")
    page.run("""(() => {
      const choice = document.querySelector("#language");
      choice.value = "de";
      choice.dispatchEvent(new Event("change"));
    })()""")
    page.until("document.documentElement?.lang === 'de' && document.documentElement.dataset.ready")
    page.until("document.querySelector('#prompt').textContent.includes('Zug')")
    assert page.run("document.querySelector('#reply').value") == "B"
    assert page.text("#mark") == "Antwort bewerten"
    assert handed_in(page)[1].startswith(("Richtig: ", "Teilweise richtig: ", "Falsch: "))
    page.run("location.hash = 'kind=uct.visits&seed=2&lang=fr'")
    page.until("document.documentElement?.lang === 'fr' && document.documentElement.dataset.ready")
    page.until("document.querySelector('#kind').value === 'uct.visits'")


def test_a_link_names_a_question(page: Page, served: Served) -> None:
    """`#kind=...&seed=...` asks the same question every time; `embed=1` shows it without a header."""
    found = []
    for seed in (2, 1, 2):
        page.run("document.querySelector('#prompt').textContent = ''")
        page.run(f"location.hash = 'kind=best-move&size=exam&seed={seed}&embed=1'")
        page.until("document.querySelector('#prompt').textContent !== ''")
        found.append(shown(page, served, "best-move").public.id)
    assert found[0] == found[2] != found[1]
    assert page.run("getComputedStyle(document.querySelector('header')).display") == "none"


def test_the_key_is_shown_on_request(page: Page, served: Served) -> None:
    """A first mark has no key; a second try counts, until the key is shown; a reason lights its path."""
    exercise = asked(page, served, "pruned-paths")
    wrong = next(path for path in range(1, 9) if str(path) not in exercise.key.split())
    count = "Object.keys(localStorage).filter(key => key.startsWith('gametree.reply.')).length"
    for tries in (1, 2):
        page.run("document.querySelector('#reply').select()")
        page.type(f"{wrong}" if tries == 1 else f"{wrong} {exercise.key.split()[0]}")
        for _ in range(2):  # pressed twice, it is one try
            page.run("document.querySelector('#next').classList.remove('primary')")
            handed_in(page)
        assert page.run(count) == tries
        assert page.run("document.querySelectorAll('#stage .missing').length") == 0
        assert page.run("document.querySelectorAll('#told button.plain').length") == 0
    page.click("#reveal")
    assert page.run("document.querySelectorAll('#stage .missing').length") > 0
    page.run("[...document.querySelectorAll('#told button.plain')].pop().click()")
    assert page.run("document.querySelectorAll('#stage .lit').length") > 2
    page.run(f"document.querySelector('#reply').value = {json.dumps(exercise.key)}")
    page.run("document.querySelector('#reply').dispatchEvent(new Event('input'))")
    assert page.text("#told") == ""
    assert handed_in(page)[1] == "Correct: 1 of 1."
    assert page.run(count) == 2
    assert "pruned" in page.text("#told .why")


def test_boxes_follow_one_another(page: Page, served: Served) -> None:
    """Every asked node has a box in the tree; Tab goes through all of them, and the whole answer is typed."""
    exercise = asked(page, served, "node-values")
    entries = dict(entry.split("=") for entry in exercise.key.split())
    names = [exercise.public.tree.names[node] for node in exercise.public.tree.internal]
    assert page.run("document.querySelectorAll('#stage .box').length") == len(names)
    page.click("#stage [data-node='0'] .shape")
    for name in names:
        page.type(entries[name])
        page.press("Tab")
    assert handed_in(page)[1] == "Correct: 1 of 1."


def test_a_search_is_run_step_by_step(page: Page) -> None:
    """By keys alone the whole search of the textbook's tree is run; a wrong step is told, and counted."""
    page.run("location.hash = 'trace'")
    page.until("document.querySelector('#trace-place').textContent.startsWith('Step 1 of')")
    steps = page.run(f"""fetch("ask", {{method: "POST", headers: {{"Content-Type": "application/json"}},
      body: JSON.stringify({{ask: "trace", tree: {json.dumps(TEXTBOOK)}}})}}).then(each => each.json())""")[
        "steps"
    ]
    for number, step in enumerate(steps, 1):
        page.until(f"document.querySelector('#trace-place').textContent.startsWith('Step {number} of')")
        if step["asks"] == "move" and step["to"] is None:
            page.press("x")
        elif step["asks"] == "move":
            page.press("ArrowRight")
            siblings = [index for index, node in enumerate(page.run(_PARENTS)) if node == step["node"]]
            for _ in range(siblings.index(step["to"])):
                page.press("ArrowDown")
            page.press("Enter")
        else:
            if number == 9:
                for _ in step["numbers"]:  # Enter goes to the next box, after the last one it checks
                    page.type("99")
                    page.press("Enter")
                page.until("document.querySelector('#trace-fault').textContent !== ''")
                page.run(
                    "document.querySelectorAll('#trace-entry input').forEach(each => { each.value = ''; })"
                )
            for place, text in enumerate(step["numbers"]):
                page.type(text)
                if place < len(step["numbers"]) - 1:
                    page.press("Tab")
            page.press("Enter")
    page.until("document.querySelector('#trace-question').textContent.includes('complete')")
    assert page.text("#trace-question").endswith("at once: 1")
    assert page.run("[...document.querySelectorAll('#trace-stage .crossed')].length") == 2


_PARENTS = """[...document.querySelectorAll('#trace-stage [data-node]')].reduce((found, each) => {
  const level = Number(each.getAttribute("aria-level"));
  found.path[level] = found.parents.length;
  found.parents.push(level > 1 ? found.path[level - 1] : -1);
  return found;
}, {path: [], parents: []}).parents"""
"""The parent of every node of the tree, which is in preorder."""


def test_hostile_words_stay_words(page: Page) -> None:
    """Names and replies that are markup or scripts show as text, and nothing of them runs."""
    words = "<img src=x onerror=document.title=1>"
    page.run("location.hash = 'draw'")
    page.until("!document.querySelector('#draw').hidden")
    page.run(f"""(() => {{
      const text = document.querySelector("#notation");
      text.value = 'MAX "{words}"=4 ("{words}": 3, b: 2)';
      text.dispatchEvent(new Event("input"));
    }})()""")
    page.until("document.querySelector('#reasons').textContent.includes('onerror')")
    page.run("location.hash = 'practise'")
    page.until("!document.querySelector('#practise').hidden")
    page.click("#reply")
    page.type(f"{words} & </script>")
    page.click("#mark")
    page.until("document.querySelector('#verdict').textContent.includes('cannot be marked')")
    assert page.run("document.querySelectorAll('img').length") == 0
    assert page.run("document.title") == "Practise game trees"


@pytest.mark.slow
def test_subtrees_of_a_large_tree_are_folded(page: Page) -> None:
    """From 40 leaves on z, or a touch of its sign, folds what is below a node, and going there unfolds it."""
    for leaves, folds in ((39, False), (40, True)):
        text = f"MAX A (MIN B ({' '.join(map(str, range(leaves - 2)))}) MIN C (1 2))"
        page.run(f"location.hash = 'draw=' + encodeURIComponent({text!r})")
        page.until(f"document.querySelectorAll('#canvas [data-node]').length === {leaves + 3}")
        page.run("document.querySelector('#canvas [data-node=\"1\"]').focus()")
        page.click("#canvas [data-node='1'] .shape")
        page.press("z")
        shown = "document.querySelectorAll('#canvas [data-node]').length"
        assert page.run(shown) == (5 if folds else leaves + 3)
    assert (
        page.run("document.querySelector('#canvas [data-node=\"1\"]').getAttribute('aria-expanded')")
        == "false"
    )
    assert "folded, leaves: 38" in page.run("document.activeElement.getAttribute('aria-label')")
    page.press("ArrowDown")
    assert page.run("document.activeElement.dataset.node") == "40"
    page.click("#canvas [data-node='1'] .fold circle")
    assert page.run(shown) == 43


def test_trees_of_the_bank_and_rules_are_chosen(page: Page) -> None:
    """A tree of the bank is drawn when it is chosen, and every rule is a line of the header, or none."""
    page.run("location.hash = 'draw'")
    page.until("document.querySelectorAll('#canvas [data-node]').length === 3")

    def choose(name: str, value: str) -> str:
        page.run(f"""(() => {{
          const box = document.querySelector("#{name}");
          box.value = {json.dumps(value)};
          box.dispatchEvent(new Event("change"));
        }})()""")
        return str(page.run("document.querySelector('#notation').value"))

    choose("bank", "The textbook two-ply game")
    page.until("document.querySelectorAll('#canvas [data-node]').length === 13")
    rules = {
        "ties": ("keep", "cut"),
        "order": ("right-to-left", "left-to-right"),
        "returns": ("hard", "soft"),
    }
    for name, (other, usual) in (rules | {"bounds": ("[0, 20]", ""), "depth": ("2", "")}).items():
        assert f"\n@{name} {other}\n" in choose(name, other)
        assert f"@{name}" not in choose(name, usual)


def test_a_drawing_is_copied(page: Page) -> None:
    """A drawing is copied as text, as LaTeX, and as a picture."""
    page.run("""(() => {
      window.copied = [];
      const write = async ([item]) => { copied.push((await item.getType("image/png")).type); };
      const clipboard = { writeText: async (text) => { copied.push(text); }, write };
      Object.defineProperty(navigator, "clipboard", { value: clipboard });
    })()""")
    page.run("location.hash = 'draw=' + encodeURIComponent('MAX A (3 MIN B (1 2))')")
    page.until("document.querySelectorAll('#canvas [data-node]').length === 5")
    page.until("document.querySelector('#judgement').textContent !== ''")  # which moves the buttons
    for place, name in enumerate(("copy-text", "copy-latex", "copy-picture")):
        page.click(f"#{name}")
        page.until(f"copied.length === {place + 1}")
        page.until("document.querySelector('#judgement').textContent === 'The tree was copied.'")
    text, document, picture = page.run("copied")
    assert (text, picture) == ("MAX A (3 MIN B (1 2))", "image/png")
    assert document.startswith("%") or "\\documentclass" in document


def test_a_large_tree_does_not_freeze_the_page(page: Page) -> None:
    """A tree of 2,000 leaves is drawn in less than two seconds, and a cross in it in a tenth of that."""
    leaves = " ".join(f"({' '.join(map(str, range(20)))})" for _ in range(100))
    page.run("location.hash = 'draw'")
    page.until("!document.querySelector('#draw').hidden")
    page.run(f"""(() => {{
      const text = document.querySelector("#notation");
      text.value = "({leaves})";
      text.dispatchEvent(new Event("input"));
    }})()""")
    page.until("document.querySelectorAll('#canvas [role=treeitem]').length === 2101")
    taken = page.run("""(() => {
      const start = performance.now();
      const leaf = document.querySelector("#canvas [data-node='5'] .shape");
      leaf.dispatchEvent(new MouseEvent("click", {bubbles: true}));
      return performance.now() - start;
    })()""")
    assert taken < 2000


@pytest.mark.sampled(1)
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [360, 768, 1280])
def test_axe_finds_nothing(page: Page, width: int, dark: bool) -> None:
    """On every part of the page, in every width and theme, axe finds no fault, and nothing is too wide."""
    page.look(width, dark=dark, touch=width == 360)
    page.send("Emulation.setScrollbarsHidden", hidden=True)
    page.click("#reply")
    page.type("1 2")
    handed_in(page)
    page.run("document.querySelectorAll('#practise details').forEach(each => { each.open = true; })")
    for part in ("practise", "trace", "draw", "present"):
        page.run(f"location.hash = {part!r}")
        page.until(f"!document.querySelector('#{part}').hidden")
        if part == "present":
            page.until("document.querySelector('#words').textContent !== ''")
        assert page.axe_faults() == [], part
        assert page.run("document.documentElement.scrollWidth") <= width


def test_what_is_open_on_a_phone_closes(page: Page) -> None:
    """The menu of a phone closes when something else is touched, and Enter goes to a box that is empty."""
    page.look(390, 844, touch=True)
    for elsewhere in ("#prompt", "#stage", "#hint"):
        page.tap("#more")
        page.until("!document.querySelector('#menu').hidden")
        page.tap(elsewhere)
        page.until("document.querySelector('#menu').hidden")
    page.run("location.hash = 'trace'")
    page.until("document.activeElement.id === 'trace-alpha'")
    page.type("3")
    page.press("Enter")
    page.until("document.activeElement.id === 'trace-beta'")
    assert page.text("#trace-fault") == ""


def test_payoffs_are_typed_one_after_the_other(page: Page) -> None:
    """Enter in a payoff goes to the next leaf, after the last one to the tree; each is one step to undo."""
    page.run("location.hash = 'draw'")
    page.until("!document.querySelector('#draw').hidden")
    page.run("document.querySelector('#canvas [tabindex=\"0\"]').focus()")
    page.press("ArrowRight")
    page.press("Enter")
    for payoff in "37":
        page.type(payoff)
        page.press("Enter")
    assert page.run("document.activeElement.closest('#canvas') !== null")
    texts = ["MAX (3 7)", "MAX (3 0)", "MAX (0 0)"]
    for text in texts:
        assert page.run("document.querySelector('#notation').value") == text
        page.click("#do-undo")


def test_payoffs_are_typed_and_the_tree_is_touched(page: Page) -> None:
    """What is typed into a payoff replaces it, and touching the next leaf at once keeps it and goes there."""
    page.run("location.hash = 'draw'")
    page.until("!document.querySelector('#draw').hidden")
    for leaf, payoff in ((1, "3"), (2, "7")):
        page.click(f"#canvas [data-node='{leaf}'] .shape")
        page.click("#at-payoff")
        page.until("document.querySelector('#at-payoff').selectionEnd === 1")
        page.type(payoff)
    page.click("#canvas [data-node='1'] .shape")
    assert page.run("document.querySelector('#notation').value") == "MAX (3 7)"
    assert page.run("document.querySelector('#at-payoff').value") == "3"


@pytest.mark.parametrize("width", [320, 768, 1280])
def test_letters_of_twice_their_size_fit(page: Page, width: int) -> None:
    """No part of the page is too wide for its window, nor a button for the bar, if letters are doubled."""
    page.look(width, 800, touch=width == 320)
    page.run("document.documentElement.style.fontSize = '200%'")
    for part in ("practise", "trace", "draw", "present"):
        page.run(f"location.hash = {part!r}")
        page.until(f"!document.querySelector('#{part}').hidden")
        assert page.run("document.documentElement.scrollWidth") <= width, part
    page.run("location.hash = 'practise'")
    page.until("!document.querySelector('#practise').hidden")
    edges = """[...document.querySelectorAll('#bar button, .label')].map(
      each => each.getBoundingClientRect().right)"""
    assert max(page.run(edges)) <= width


def test_no_request_leaves(page: Page, served: Served) -> None:
    """Whatever is done on the page, it asks this machine alone, for the page and for answers."""
    asked(page, served, "best-move")
    page.click("#answer")
    page.until("document.querySelector('#verdict').textContent.startsWith('The answer')")
    assert {address.partition("#")[0] for address in page.requested()} <= {
        served.address,
        f"{served.address}ask",
        "data:,",
    }
