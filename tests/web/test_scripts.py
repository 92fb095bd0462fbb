"""The laws of single scripts of the page, run in Node beside what stands for a browser."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from grader.base.shipped import shipped_folder
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


@pytest.fixture
def modules(tmp_path: Path) -> str:
    """The address of the modules of the page, as Node imports them."""
    for file in (shipped_folder("templates") / "site").iterdir():
        if file.suffix == ".js":
            shutil.copy(file, tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    return tmp_path.as_uri()


BROWSER = """
  const setup = { way: "worker", words: { no_grader: "none", grader_failed: "failed", try_again: "again" } };
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
        {"count": 1, "share": 0.5},
    ]


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
