"""The laws of single scripts of the page, run in Node beside what stands for a browser."""

import json
import subprocess
from typing import Any

import pytest

from grader.base.shipped import shipped
from grader.web.compiling import NODE

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
    code = (shipped("templates") / "site" / "offline.js").read_text(encoding="utf-8")
    assert run(before, code, after) == {
        "asked": [{"name": "./", "cache": "reload"}, {"name": "index.html", "cache": "reload"}],
        "deleted": ["gametree https://x.org/a/ 1"],
        "opened": ["gametree https://x.org/a/ 2"],
    }
