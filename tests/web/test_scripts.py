"""The laws of single scripts of the page, run in Node beside what stands for a browser."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from grader.base.phrases import Language
from grader.base.shipped import shipped_folder
from grader.web.sentences import sentences
from grader.web.site_compilation import NODE

pytestmark = pytest.mark.skipif(NODE is None, reason="there is no Node")


def run(before: str, code: str, after: str) -> Any:
    """What the last lines print as JSON, when a script runs between them and what stands for a browser."""
    whole = f"{before}\n{code}\n{after}"
    done = subprocess.run(
        [str(NODE), "--input-type=module"], input=whole, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def test_a_site_leaves_alone_what_other_pages_of_its_address_keep() -> None:
    """A new version takes its files fresh from the network, and deletes only older ones of its own."""
    before = """
      const VERSION = "2", FILES = ["./", "index.html"];
      const steps = {}, asked = [], deleted = [], opened = [];
      const names = ["a/ 1", "a/ 2", "a/b/ 1"].map((name) => `gametree https://x.org/${name}`).concat("other");
      globalThis.Request = class { constructor(name, how) { Object.assign(this, { name, ...how }); } };
      globalThis.caches = {
        open: async (name) => ({ addAll: async (files) => opened.push(name) && asked.push(...files) }),
        keys: async () => names,
        delete: async (name) => deleted.push(name),
      };
      globalThis.self = {
        registration: { scope: "https://x.org/a/" }, skipWaiting() {}, clients: { claim() {} },
        addEventListener: (name, step) => { steps[name] = step; },
      };
    """
    after = """
      for (const name of ["install", "activate"]) {
        let done;
        steps[name]({ waitUntil: (promise) => { done = promise; } });
        await done;
      }
      console.log(JSON.stringify({ asked, deleted, opened }));
    """
    code = (shipped_folder("templates") / "site" / "offline.js").read_text(encoding="utf-8")
    assert run(before, code, after) == {
        "asked": [{"name": "./", "cache": "reload"}, {"name": "index.html", "cache": "reload"}],
        "deleted": ["gametree https://x.org/a/ 1"],
        "opened": ["gametree https://x.org/a/ 2"],
    }


def test_a_site_keeps_what_was_fetched() -> None:
    """What was fetched once, a question or a language, is there without a network; a fault is not."""
    before = """
      const VERSION = "2", FILES = [];
      const steps = {}, kept = new Map(), origin = "https://x.org";
      let online = true;
      globalThis.location = { origin };
      globalThis.caches = { open: async () => ({
        match: async ({ url }) => kept.get(url), put: async ({ url }, answer) => kept.set(url, answer),
      }) };
      globalThis.fetch = async ({ url }) => {
        if (!online) throw new Error("offline");
        return { ok: !url.includes("missing"), url, clone: () => url };
      };
      globalThis.self = {
        registration: { scope: "https://x.org/a/" },
        addEventListener: (name, step) => { steps[name] = step; },
      };
    """
    after = """
      const get = async (name) => {
        let answer, done = Promise.resolve();
        const request = { method: "GET", url: `${origin}/a/${name}` };
        const respondWith = (promise) => { answer = promise; }, waitUntil = (promise) => { done = promise; };
        steps.fetch({ request, respondWith, waitUntil });
        const found = await answer.then((each) => each.url ?? each, () => "none");
        await done;
        return found;
      };
      await get("1.json.gz");
      await get("missing");
      online = false;
      console.log(JSON.stringify([await get("1.json.gz"), await get("missing"), await get("2.json.gz")]));
    """
    code = (shipped_folder("templates") / "site" / "offline.js").read_text(encoding="utf-8")
    assert run(before, code, after) == ["https://x.org/a/1.json.gz", "none", "none"]


@pytest.fixture
def modules(tmp_path: Path) -> str:
    """The address of the modules of the page, as Node imports them."""
    for file in (shipped_folder("templates") / "site").iterdir():
        if file.suffix == ".js":
            shutil.copy(file, tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    return tmp_path.as_uri()


BROWSER = """
  const setup = { way: "worker", speaking: { code: "en" } };
  setup.words = { no_grader: "none", grader_failed: "failed", try_again: "again" };
  const part = { textContent: JSON.stringify(setup) };
  globalThis.document = { baseURI: "https://x.org/a/", getElementById: () => part };
  globalThis.location = { pathname: "/a/index.html" };
  console.warn = () => undefined;
"""
"""What stands for the browser and its page."""

ENTRY = {
    "time": 1,
    "exercise": "e",
    "kind": "k",
    "level": "exam",
    "reply": "1",
    "points": "1/2",
    "max": "1",
    "notes": [],
}


def test_what_is_damaged_in_the_progress_is_left_out(modules: str) -> None:
    """Only whole entries with points of a maximum count; what other pages of the address keep stays apart."""
    kept = [
        "{", "null", *(json.dumps(ENTRY | {"max": most}) for most in ("0", "x", "1/4", "Infinity")),
        json.dumps(ENTRY | {"points": "-1"}), json.dumps(ENTRY | {"notes": [3]}), json.dumps(ENTRY),
    ]  # fmt: skip
    keys = [f"gametree.reply./a/ {number}" for number in range(len(kept))]
    store = dict(zip(keys, kept, strict=True)) | {"gametree.reply./a/b/ 1": json.dumps(ENTRY)}
    before = f"""{BROWSER}
      const store = new Map(Object.entries({json.dumps(store)}));
      globalThis.localStorage = {{
        get length() {{ return store.size; }},
        key: (place) => [...store.keys()][place], getItem: (key) => store.get(key),
      }};
      const {{ entries, mastered }} = await import("{modules}/progress.js");
    """
    assert run(before, "", 'console.log(JSON.stringify([entries(), mastered("k")]))') == [
        [ENTRY],
        {"count": 1, "share": 0.5, "shares": [0.5], "is_mastered": False},
    ]


def test_a_second_try_takes_the_place_of_the_first(modules: str) -> None:
    """Of two tries at a question the second counts, and both together are one question."""
    tries = [
        ENTRY | {"exercise": "a", "points": "0", "notes": ["k.x", "k.y"]},
        ENTRY | {"exercise": "a", "points": "1", "try": 2, "time": 2, "notes": ["k.x"]},
        *(ENTRY | {"exercise": f"b{time}", "points": "1", "time": time, "notes": []} for time in (3, 4, 5)),
    ]
    store = {f"gametree.reply./a/ {number}": json.dumps(entry) for number, entry in enumerate(tries)}
    before = f"""{BROWSER}
      const store = new Map(Object.entries({json.dumps(store)}));
      globalThis.localStorage = {{
        get length() {{ return store.size; }},
        key: (place) => [...store.keys()][place], getItem: (key) => store.get(key),
      }};
      const {{ entries, mastered, overcome }} = await import("{modules}/progress.js");
    """
    told = run(before, "", 'console.log(JSON.stringify([mastered("k"), overcome(entries())]))')
    assert told == [{"count": 4, "share": 1, "shares": [1, 1, 1, 1], "is_mastered": True}, 2]


def test_points_that_are_a_fraction_are_partly_correct(modules: str) -> None:
    """A mark is incorrect only without points: `2/3` of 1 is partly correct, as `0.5` is."""
    marks = [(points, "1") for points in ("1", "2/3", "0.5", "0")]
    before = f'{BROWSER}\nconst {{ verdictName }} = await import("{modules}/progress.js");'
    after = f"console.log(JSON.stringify({json.dumps(marks)}.map((mark) => verdictName(...mark))))"
    assert run(before, "", after) == ["right", "partly", "partly", "incorrect"]


LAYOUT = """
  const node = (parent, player, extra) => ({ parent, player, name: "", title: "A", given: false, spelled: "",
    path: 0, shown: player ? "" : "12", move: null, chance: null, known: "", board: [], ...extra });
  const tree = (...widths) => {
    const nodes = [node(-1, "MAX")];
    const grow = (at, depth) => {
      for (let count = 0; count < widths[depth]; count++) {
        const last = depth === widths.length - 1;
        const child = nodes.push(node(at, last ? null : depth % 2 ? "MAX" : "MIN")) - 1;
        if (!last) grow(child, depth + 1);
      }
    };
    grow(0, 0);
    return nodes;
  };
"""
"""Trees by the numbers of children at each depth."""


def test_usual_trees_fit(modules: str) -> None:
    """15 leaves fit a phone and the 36 leaves of an exam a desk: upright, and so large that they can be read.

    No two nodes of a depth touch each other, and nothing is outside of the picture.
    """
    before = f'{BROWSER}{LAYOUT} const {{ layout }} = await import("{modules}/layout.js");'
    after = """
      const told = [];
      const [phone, desk] = [372, 1232];
      const exam = tree(3, 4, 3);
      const cases = [[tree(5, 3), phone], [tree(2, 2, 3), phone], [exam, desk], [exam, phone]];
      for (const [nodes, width] of cases) {
        const at = layout(nodes, { width, height: 420, beside: 0, enlarged: 1 });
        const near = nodes.some((one, index) => nodes.some((other, place) => place < index
          && at.y[index] === at.y[place] && Math.abs(at.x[index] - at.x[place]) < (one.player ? 34 : 23)));
        const out = nodes.some((_, index) => at.x[index] < 12 || at.x[index] > at.width - 12
          || at.y[index] > at.height - 12);
        told.push([at.right, at.scale >= 0.72 && at.width * at.scale <= width + 1, near || out]);
      }
      console.log(JSON.stringify(told));
    """
    assert run(before, "", after) == [[False, True, False]] * 3 + [[True, True, False]]


def test_a_tree_is_whole_where_it_fills_its_place(modules: str) -> None:
    """Half a projector shows all 36 leaves of an exam, however small: nothing has to be scrolled there."""
    before = f'{BROWSER}{LAYOUT} const {{ layout }} = await import("{modules}/layout.js");'
    after = """
      const told = [];
      for (const [width, height] of [[600, 330], [400, 330], [1200, 400]]) {
        const room = { width, height, beside: 74, enlarged: 2.4, smallest: 0.3 };
        const at = layout(tree(3, 4, 3), room);
        told.push(at.width * at.scale <= width + 1 && at.height * at.scale <= height + 1);
      }
      console.log(JSON.stringify(told));
    """
    assert run(before, "", after) == [True, True, True]


def test_letters_come_before_gaps(modules: str) -> None:
    """In a place that a tree fills its letters are as large as they can be: levels and leaves move closer."""
    before = f'{BROWSER}{LAYOUT} const {{ layout }} = await import("{modules}/layout.js");'
    after = """
      const room = { beside: 50, both: true, enlarged: 2.4, smallest: 0.3 };
      const low = layout(tree(4, 3, 3), { ...room, width: 1230, height: 217 });
      const wide = layout(tree(3, 2, 2), { ...room, width: 1230, height: 430 });
      const filled = wide.width * wide.scale > 1100;
      console.log(JSON.stringify([low.right, low.scale > 0.85, wide.scale > 1.25, filled]));
    """
    assert run(before, "", after) == [False, True, True, True]


def test_a_tree_is_turned_where_that_makes_it_much_larger(modules: str) -> None:
    """In a high place that a tree fills it is turned, and can be read; in a wide one it is upright."""
    before = f'{BROWSER}{LAYOUT} const {{ layout }} = await import("{modules}/layout.js");'
    after = """
      const room = { beside: 74, enlarged: 2.4, smallest: 0.3 };
      const high = layout(tree(3, 2, 3), { ...room, width: 390, height: 410 });
      const wide = layout(tree(3, 2, 3), { ...room, width: 1240, height: 410 });
      console.log(JSON.stringify([high.right, high.scale > 0.65, wide.right]));
    """
    assert run(before, "", after) == [True, True, False]


def test_a_very_long_word_is_read_at_once(modules: str) -> None:
    """A reply of 20,000 letters without a space is left to the grader, and typing does not freeze."""
    before = f'{BROWSER}{LAYOUT} const {{ read }} = await import("{modules}/reply.js");'
    after = """
      const start = performance.now();
      const asked = { nodes: tree(3, 3), nothing: "none" };
      const word = "a".repeat(20000);
      const found = ["values", "windows", "branches"].map((touch) => read({ touch, ...asked }, word));
      console.log(JSON.stringify([found, performance.now() - start < 50]));
    """
    assert run(before, "", after) == [[None, None, None], True]


def test_a_lost_message_is_sent_again(modules: str) -> None:
    """A message to a server is sent three times before the page gives up, and says that the reply is kept."""
    before = f"""{BROWSER.replace('"worker"', '"server"')}
      let sent = 0;
      const fails = [2, 9];
      globalThis.fetch = async () => {{
        if (sent++ < fails[0]) throw new TypeError("reset");
        return {{ ok: true, json: async () => ({{ tree: 1 }}) }};
      }};
      const {{ ask }} = await import("{modules}/marker.js");
    """
    after = """
      const first = await ask({ ask: "tree" });
      [sent, fails[0]] = [0, 9];
      console.log(JSON.stringify([first, (await ask({ ask: "tree" })).errors[0].hint, sent]));
    """
    assert run(before, "", after) == [{"tree": 1}, "address_gone", 3]


def test_a_grader_that_fails_is_told_and_started_again(modules: str) -> None:
    """No question waits for ever: not when the grader cannot start, nor when it fails at one or ends."""
    before = f"""{BROWSER}
      let started = 0;
      globalThis.Worker = class {{
        heard = {{}};
        constructor() {{ this.run = ++started; }}
        addEventListener(name, step) {{ this.heard[name] = step; }}
        terminate() {{}}
        postMessage(data) {{
          const asked = data.text && JSON.parse(data.text).ask;
          const answers = {{ fail: {{ failed: "Traceback" }}, tree: {{ answer: '{{"tree": 1}}' }} }};
          const start = this.run === 1 ? {{ failed: "x" }} : {{ ready: true }};
          const said = data.number ? {{ number: data.number, ...answers[asked] }} : start;
          setTimeout(() => (asked === "end" ? this.heard.error({{}}) : this.heard.message({{ data: said }})));
        }}
      }};
      const {{ ask }} = await import("{modules}/marker.js");
    """
    after = """
      const said = [];
      for (const name of ["tree", "tree", "fail", "tree", "end", "tree"]) said.push(await ask({ ask: name }));
      console.log(JSON.stringify([started, said]));
    """
    tree = {"tree": 1}
    none, failed = ({"errors": [{"message": message, "hint": "again"}]} for message in ("none", "failed"))
    assert run(before, "", after) == [3, [none, tree, failed, tree, none, tree]]


@pytest.mark.parametrize(
    ("code", "joined"),
    [
        ("en", ["B, C", '"B,1", C', '"1,2", C', "2, 3", "[2, 3]", "One. Two."]),
        ("de", ["B, C", '"B,1"; C', '"1,2"; C', "2,5; 3", "[2; 3]", "One. Two."]),
        ("zh", ["B、C", '"B,1"、C', '"1,2"、C', "2、3", "[2, 3]", "甲。乙。"]),
    ],
)
def test_texts_are_joined_with_the_signs_of_the_language(code: str, joined: list[str]) -> None:
    """A script separates items, bounds and sentences as the program does in the language of the page."""
    language = Language.of(code)
    setup = json.dumps({"words": sentences(language)})
    before = f"globalThis.document = {{ getElementById: () => ({{ textContent: {json.dumps(setup)} }}) }};"
    lists = [["B", "C"], ['"B,1"', "C"], ['"1,2"', "C"], ["2,5" if code == "de" else "2", "3"]]
    told = ["甲。", "乙。"] if code == "zh" else ["One.", "Two."]
    after = f"""
      const texts = [windowText("2", "3"), paragraph("", ...{told})];
      console.log(JSON.stringify([...{json.dumps(lists)}.map(listed), ...texts]));
    """
    words = (shipped_folder("templates") / "site" / "words.js").read_text(encoding="utf-8")
    assert run(before, words, after) == joined
    assert joined[:4] == [language.join(items) for items in lists]
