"""What seeds give: the same exercises with the same explanations, by every recipe."""

from hashlib import sha256
from pathlib import Path

import pytest

from grader.base.phrases import Language
from grader.exercises.exercise import Exercise
from grader.generation.grower import grow
from grader.generation.recipe_file import default_recipe
from grader.questions import all_kinds
from grader.trees.notation.writing import write_tree
from tests.conftest import Golden
from tests.stand_ins import NUMBERED, numbered, standing_in

GOLDEN = Path(__file__).parent / "golden" / "drawn"

FEW, ALL = 8, 24
"""How many seeds the fast run compares, and how many the golden files have."""


@pytest.mark.parametrize("seeds", [FEW, pytest.param(ALL, marks=pytest.mark.slow)])
@pytest.mark.parametrize("code", [kind.code for kind in all_kinds()])
def test_a_seed_gives_what_it_gave(code: str, seeds: int, golden: Golden) -> None:
    """The keys of some seeds are those of the golden file, and so are questions, beliefs and explanations.

    Of these the file has which sentences are said, one after the other and with which values, in any words.
    """
    lines = []
    with standing_in():
        for seed in range(ALL if golden.writing else seeds):
            exercise = grow(default_recipe(code), seed).in_language(Language.of(NUMBERED))
            said = numbered(told(exercise))
            lines.append(f"{seed}: {exercise.key} | {sha256(said.encode()).hexdigest()[:12]}\n")
    path, text = GOLDEN / f"{code}.txt", "".join(lines)
    if golden.writing or seeds == ALL:
        golden.hold(path, text)
    else:
        assert path.read_text(encoding="utf-8").startswith(text), f"{path.name} differs"


def told(exercise: Exercise) -> str:
    """All that is said of an exercise: the question, what beliefs answer, the way to the key, its picture."""
    public, worked, solved = exercise.public, exercise.kind.worked_solution, exercise.solved()
    said = [write_tree(public.tree), public.prompt, str(exercise.beliefs)]
    said += [*worked.deciding_steps(solved), *worked.steps(solved)]
    if exercise.kind.key_picture and (picture := exercise.kind.key_picture(solved)):
        said += [write_tree(picture.tree), picture.caption, f"{picture.notes} {picture.line}"]
        own = (picture.values, picture.ranges, sorted(picture.cuts))
        said += [str(each) for each in own if each]
    return "\n".join(said)
