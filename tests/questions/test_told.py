"""What every kind asks about small trees, what every belief answers, and what whoever answers so is told."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

from grader.answers.form import Terms
from grader.exercises.exercise import find_objection, make_exercise
from grader.exercises.feedback import Feedback
from grader.exercises.marking import Marker
from grader.questions import KIND_NAMES, load_kinds
from grader.questions.case import Case
from grader.questions.kind import AnyKind
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from tests.conftest import Golden
from tests.questions.asking import asked, asked_of
from tests.questions.test_questions import CASES
from tests.stand_ins import QUOTED, QUOTES, standing_in, transcripts

GOLDEN = Path(__file__).parent / "golden"

TREES = (
    "MAX A (MIN B (MAX D (8 5) MAX E (9 2)) MIN C (MAX F (5 7) MAX G (8 3 4) MAX H (6 1)))",
    "MAX A (CHANCE B (1/3: MIN D (3 7), 2/3: 12) CHANCE C (1/2: 2, 1/2: MIN E (4 9) ))",
    "P1 A (P2 B (<3, 1> P1 D (<2, 4> <0, 4>)) P2 C (<1, 5> <6, 0>))",
)
"""The trees about which beliefs are told, each by the kinds that it suits."""

MIRRORED = Rules("right-to-left", "keep", "window")


def test_what_kinds_ask_and_tell(golden: Golden) -> None:
    """Questions, keys, what beliefs answer and what is said of that are those of the transcripts.

    A sentence that several kinds say stands in one of them, and so does what one kind says.
    """
    with standing_in():
        texts = {name: "\n".join(_of_topic(name)) for name in KIND_NAMES}
    for name, text in transcripts(texts).items():
        golden.hold(GOLDEN / f"{name}.txt", text)


def _of_topic(name: str) -> Iterator[str]:
    for kind in load_kinds(name).values():
        yield from (f"# {kind.code}", "", *_questions(kind), *_told(kind))


def _questions(kind: AnyKind) -> Iterator[str]:
    """What the kind asks about every small tree, or why it does not; once for all of which that is said."""
    trees: dict[str, list[str]] = {}
    for text, rules in CASES:
        tree = tree_of(text)
        found = asked(kind, tree, rules, QUOTES)
        if found is not None:
            said = make_exercise(kind, found[0], rules, TERMS, given=found[1]).public.prompt
        else:
            said = f"not asked: {find_objection(kind, Case(tree, rules))}"
        trees.setdefault(said, []).append(f"{text}, {rules.order}, {rules.ties}")
    for said, alike in trees.items():
        yield from (*alike, f"  {said}", "")


TERMS = Terms(language_code=QUOTED)


def _told(kind: AnyKind) -> Iterator[str]:
    for text, rules in product(TREES, (Rules(), MIRRORED)):
        tree = tree_of(text)
        if not asked(kind, tree, rules, QUOTES):
            continue
        exercise = asked_of(kind, tree, rules, TERMS)
        about = text if kind.needs_tree else exercise.public.given
        yield f"## {about}, {rules.order}, {rules.ties}: {exercise.key}"
        if rules == MIRRORED:
            yield from (f"{belief}: {reply}" for belief, reply in exercise.beliefs.items())
        else:
            marker, feedback = Marker(exercise), Feedback(exercise)
            for belief, reply in exercise.beliefs.items():
                marked = marker.mark(reply)
                yield f"{belief}: {reply} ({marked.points})"
                yield from (f"  {said}" for said in feedback.sentences(marked) if said)
        yield ""
