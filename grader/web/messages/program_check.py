"""Check a program in the worker of a page: the verdict in words, with both searches as pictures."""

import json
from dataclasses import dataclass
from typing import Any

from grader.base.phrases import ENGLISH, Language
from grader.programs.checking import first_suited
from grader.programs.child import run_job
from grader.programs.example_trees import examples_for
from grader.programs.interface import load_interface, recognised_interfaces
from grader.programs.interfaces import INTERFACES
from grader.programs.missing_modules import forget_stand_ins
from grader.programs.pages import counterexample_pictures
from grader.programs.records import verdict_record
from grader.programs.run_reports import collect_run
from grader.programs.sentences import comparison_sentences, note_sentences, sentence_of
from grader.programs.verdict import Verdict, judge_run
from grader.trees.rules import CHOICES, Ties

PAGE_SECONDS = 5
"""The seconds after which the page ends its worker."""

WARM_UP = "def minimax(node):\n    return node if isinstance(node, int) else max(map(minimax, node))\n"
"""A wrong program."""

FILE = "/program/search.py"
"""The name of the program in its own error messages; there is no such file."""


@dataclass(frozen=True, slots=True)
class ProgramChecker:
    """Runs programs in this process, which the page ends when it takes too long."""

    language: Language = ENGLISH

    def warm_up(self) -> None:
        """Load everything and grow all trees, which would count as the time of the first program."""
        for name in INTERFACES:
            examples_for(load_interface(name))
        self.reply(json.dumps({"source": WARM_UP}))

    def reply(self, text: str) -> str:
        """Check the `source` in a message, by its `interface` and tie rule `ties` if it has any."""
        message = json.loads(text)
        source = str(message["source"])
        ties = message.get("ties") if message.get("ties") in CHOICES["ties"] else None
        names = (message["interface"],) if message.get("interface") else recognised_interfaces(source)
        return json.dumps(self._answer(first_suited(_check(source, name, ties) for name in names)))

    def _answer(self, verdict: Verdict) -> dict[str, Any]:
        """Return the record of the command, with sentences and pictures in the language of the page."""
        comparison = verdict.counterexample_comparison
        return {
            "schema": 1,
            "program": verdict_record(verdict),
            "sentence": sentence_of(verdict, self.language),
            "difference": []
            if comparison is None
            else list(comparison_sentences(verdict, comparison, self.language)),
            "notes": list(note_sentences(verdict, self.language)),
            "pictures": [
                {"svg": picture, "caption": caption}
                for picture, caption in counterexample_pictures(verdict, self.language)
            ],
        }


def _check(source: str, name: str, ties: Ties | None) -> Verdict:
    """Run a program in this process and judge it by an interface."""
    interface = load_interface(name)
    examples = examples_for(interface)
    records: list[dict[str, Any]] = []
    job = {
        "file": FILE,
        "source": source,
        "interface": name,
        "function": None,
        "trees": [example.to_job() for example in examples],
    }
    try:
        run_job(job, records.append)
    finally:
        forget_stand_ins()
    run = collect_run(json.loads(json.dumps(records)), "crash", PAGE_SECONDS)
    return judge_run("search.py", run, interface, examples, ties)
