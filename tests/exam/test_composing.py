"""The laws of making questions from a blueprint: whose words they are in, and how they vary."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import sqrt

import pytest

from grader.base.numbers import write_number
from grader.base.phrases import ENGLISH
from grader.exam.assignment import PaperOwner
from grader.exam.composition import compose, compose_for, shared_key_warnings, tree_warnings
from grader.exam.paper import PublicPaper
from grader.exercises.follow_through import apply_follow_through
from grader.exercises.marking import Marker
from grader.exercises.question_text import QuestionText
from grader.generation.recipe import Recipe
from grader.publishing.sheet import lay_out
from grader.publishing.verification import find_wrong_answers
from grader.questions.wording import pruning_sentence
from tests.exam.test_blueprint import HEAD, faults, read

CHANCE = 'tree = "MAX A (CHANCE B (0.3: 2, 0.7: 9) CHANCE C (1/3: 4, 2/3: 3))"\n'


def test_a_teachers_words_leave_the_demands() -> None:
    """Words of one's own replace the question, and neither what to write nor what the terms demand."""
    plan = read(
        f'{HEAD}[[question]]\n{CHANCE}digits = 3\n[[question.part]]\nkind = "root-value"\n'
        'prompt = "Wie viel?"\n[[question.part]]\nkind = "best-move"\nprompt = "Wohin?"\n'
    )
    (question,) = compose(plan.questions[0], 0, plan.secret, 1)
    value, move = question.parts
    assert f"Wie viel? {value.kind.form.ask}" in value.public.prompt
    assert "round to at least 3 decimal places" in value.public.prompt
    assert f"Wohin? {move.kind.form.ask}" in move.public.prompt
    assert "If several are tied for best" in move.public.prompt


def test_what_an_answer_has_to_observe_is_no_part_of_how_it_is_written() -> None:
    """What a question says about its answer is demanded on every page, also where boxes replace writing."""
    tree = 'tree = "MAX A (MIN B (3 12) MIN C (3 4))"\n'
    plan = read(f'{HEAD}[[question]]\n{tree}kind = "reorder.order"\n')
    (question,) = compose(plan.questions[0], 0, plan.secret, 1)
    (part,) = question.parts
    prompt = part.kind.prompt(part.public.case, ENGLISH)
    assert prompt.demands
    assert prompt.demands in part.public.wording.demands
    assert part.public.wording.instruction == part.kind.form.instruction(ENGLISH)


def test_a_teachers_words_leave_the_conventions() -> None:
    """Words of one's own leave the rules of the search on the paper, and a question without them is wrong."""
    tree = 'tree = "MAX A (MIN B (3 12) MIN C (3 4))"\nrules = {ties = "keep"}\n'
    plan = read(f'{HEAD}[[question]]\n{tree}kind = "pruned-paths"\nprompt = "Was fällt weg?"\n')
    (question,) = compose(plan.questions[0], 0, plan.secret, 1)
    (part,) = question.parts
    sheet = lay_out(PublicPaper(plan.heading, "A", (question.public,)))
    assert pruning_sentence(part.public.case, ENGLISH) in sheet.conventions
    assert sheet.questions[0].parts[0].question == "Was fällt weg?"
    assert not list(find_wrong_answers(part))
    bare = replace(part, public=replace(part.public, wording=QuestionText("Was fällt weg?")))
    assert any("does not say" in wrong for wrong in find_wrong_answers(bare))


def test_answers_of_all_parts_vary() -> None:
    """Parts about one grown tree have their answers spread: the best move evenly, the pruned sets widely."""
    plan = read(
        f'{HEAD}[[question]]\n[[question.part]]\nkind = "best-move"\n'
        '[[question.part]]\nkind = "pruned-paths"\n'
    )
    questions = list(compose(plan.questions[0], 0, plan.secret, 18))
    moves = Counter(question.parts[0].key for question in questions)
    assert len(moves) == 3
    assert max(moves.values()) - min(moves.values()) <= 2
    assert len({question.parts[1].key for question in questions}) >= 14


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("kinds", "short", "choices"),
    [
        (("node-values", "best-move", "pruned-paths"), "best-move", 3),
        (("node-values", "best-path", "pruned-paths"), "best-path", 8),
        (("node-values", "best-move", "windows"), "best-move", 3),
        (("expected-values", "best-move"), "best-move", 3),
        (("node-values", "best-move", "pruned-branches"), "best-move", 3),
        (("root-value", "best-path", "visiting-order"), "best-path", 8),
        (("node-values", "best-move", "cut-reasons.cause"), "best-move", 2),
        (("best-move", "visited-count"), "best-move", 3),
        (("best-move", "true-false.pruning", "pruned-paths"), "best-move", 2),
        (("node-values", "best-move", "reorder.leaves"), "best-move", 3),
    ],
)
def test_no_bet_on_a_short_answer_pays(kinds: Sequence[str], short: str, choices: int) -> None:
    """Papers grown apart from each other have each best move, and many best leaves, about equally often."""
    plan = read(of_parts(*kinds))
    place, count = kinds.index(short), 30
    answers = Counter[str]()
    for number in range(count):
        owner = PaperOwner("student", str(number))
        answers[compose_for(plan.questions[0], 0, plan.secret, owner).parts[place].printed_key] += 1
    assert len(answers) >= choices
    # Three standard deviations above what each of so many equally likely answers gets.
    share = 1 / choices
    assert max(answers.values()) <= count * share + 3 * sqrt(count * share * (1 - share))


def test_a_part_of_another_kind_draws_what_it_gives() -> None:
    """Whatever kind a tree is grown for, windows are asked for at the nodes that tell, not at all of them."""
    plan = read(
        f'{HEAD}[[question]]\n[[question.part]]\nkind = "windows"\n[[question.part]]\nkind = "pruned-paths"\n'
    )
    source = plan.questions[0].source
    assert isinstance(source, Recipe)
    assert source.kind == "pruned-paths"
    for question in compose(plan.questions[0], 0, plan.secret, 3):
        windows, paths = (part.public for part in question.parts)
        assert windows.tree == paths.tree
        assert "nodes" not in paths.given
        assert 4 <= len(windows.given["nodes"]) < len(windows.tree.internal)


def test_a_recipe_may_say_how_variants_vary() -> None:
    """What the blueprint itself says of variants goes over what the parts would have."""
    plan = read(
        f'{HEAD}[[question]]\nrecipe = {{variants = {{evenly = "none", same = ["load"]}}}}\n'
        '[[question.part]]\nkind = "best-move"\n[[question.part]]\nkind = "pruned-paths"\n'
    )
    source = plan.questions[0].source
    assert isinstance(source, Recipe)
    assert (source.variants.evenly, source.variants.same) == ("none", ("load",))


@pytest.mark.parametrize(
    ("kind", "tree", "said"),
    [
        ("pruned-paths", "MAX (MIN (3 5) MIN (3 9))", 'the tie rule; with ties = "keep" it is none'),
        ("windows", "@ties keep\nMAX (MIN (3 5) MIN (MAX (3 1) MAX (9 8)))", 'with ties = "cut" it is root'),
        ("best-move", "MAX (MIN (3 5) MIN (3 9))", "all moves are equally good"),
        ("pruned-branches", "MAX (MIN (3 5) MIN (4 9) MIN (2 2))", ""),
        ("pruned-branches", "MAX (MIN (3 5) MIN (6 4))", "nothing is pruned"),
        ("root-value", "MAX (5 5)", "no known misconception"),
        ("node-values", "MAX (MIN (3 5) MIN (3 9))", ""),
        ("best-move", "MAX (MIN (3 5) MIN (3 9) MIN (2 8))", ""),
    ],
)
def test_a_given_tree_that_asks_for_little_is_doubted(kind: str, tree: str, said: str) -> None:
    """Answers that hang on the tie rule, that are empty or that everybody gets right are told by part."""
    plan = read(
        f"{HEAD}[[question]]\ntree = '''{tree}'''\n"
        f'[[question.part]]\nkind = "node-values"\n[[question.part]]\nkind = "{kind}"\n'
    )
    told = [doubt for doubt in tree_warnings(plan.questions[0], 3) if doubt.startswith("question 4b: ")]
    assert (said in " ".join(told)) if said else not told


@pytest.mark.parametrize(("size", "warned"), [("lecture", True), ("exam", False)])
def test_answers_that_many_students_share_are_noted(size: str, warned: bool) -> None:
    """A part of which two of thirty students often have the same answer is noted by its letter; no other."""
    plan = read(
        f'{HEAD}[[question]]\nsize = "{size}"\n'
        '[[question.part]]\nkind = "pruned-paths"\n[[question.part]]\nkind = "node-values"\n'
    )
    variants = list(compose(plan.questions[0], 3, plan.secret, 30))
    notes = list(shared_key_warnings(variants, 3))
    assert [note.split(" exercises have the same answer")[0] for note in notes] == [
        "question 4a: two"
    ] * warned


def test_an_answer_of_nearly_all_papers_is_noted() -> None:
    """An answer that more than four fifths of the papers have is noted, also where it is one of two."""
    plan = read(of_parts("node-values", "best-move"))
    variants = list(compose(plan.questions[0], 0, plan.secret, 30))
    common = Counter(question.parts[1].key for question in variants).most_common(1)[0][0]
    same = [question for question in variants if question.parts[1].key == common][:9]
    (other, another) = [question for question in variants if question.parts[1].key != common][:2]
    (note,) = shared_key_warnings([*same, other], 3)
    assert note.startswith("question 4b: 9 of 10 exercises have the same answer")
    assert not list(shared_key_warnings([*same[:8], other, another], 3))


def of_parts(*kinds: str) -> str:
    """A blueprint with one question that has these parts."""
    parts = "".join(f'[[question.part]]\nkind = "{kind}"\n' for kind in kinds)
    return f"{HEAD}[[question]]\n{parts}"


TOGETHER = (
    ("uct.scores", "uct.selected"),
    ("uct.scores", "uct.selected", "uct.visits", "uct.wins"),
    ("uct.selected", "uct.phase", "uct.mean"),
    ("board-position.mover", "board-position.evaluation", "board-position.values", "board-position.pruned"),
    ("board-position.mover", "board-position.legal", "board-position.result"),
    ("board-position.value", "board-position.move"),
    ("belief-state.states", "belief-state.result", "belief-state.goal"),
    ("belief-state.moves", "belief-state.actions"),
    ("belief-state.best-move", "belief-state.strategy", "belief-state.value"),
)
"""Questions of exams about one tree, position or world, parts a to d."""


@pytest.mark.parametrize("kinds", TOGETHER, ids=" ".join)
def test_parts_ask_about_one_tree_position_or_world(kinds: tuple[str, ...]) -> None:
    """All parts of a grown question speak of the same: one tree, and alike whatever two of them give."""
    plan = read(of_parts(*kinds))
    for question in compose(plan.questions[0], 0, plan.secret, 3):
        assert [part.public.kind for part in question.parts] == list(kinds)
        assert len({part.public.tree for part in question.parts}) == 1
        given: dict[str, object] = {}
        for part in question.parts:
            for name, value in part.public.given.items():
                assert given.setdefault(name, value) == value, name


@pytest.mark.parametrize(
    ("kinds", "reason"),
    [
        (("uct.scores", "board-position.values"), "no counts of playouts"),
        (("board-position.result", "board-position.values"), "does not show the boards"),
        (("belief-state.states", "belief-state.moves"), "does not show everything"),
    ],
)
def test_parts_that_cannot_share_a_tree_are_refused(kinds: tuple[str, ...], reason: str) -> None:
    """What cannot be asked of one tree is refused when the blueprint is read, with what is lacking there."""
    (fault,) = faults(of_parts(*kinds))
    assert reason in fault.message
    assert kinds[0] in fault.message
    assert "separate question" in fault.hint


def test_a_selection_follows_from_own_scores() -> None:
    """Who goes on to the child that is best by own scores gains as much as of these is right."""
    plan = read(of_parts("uct.scores", "uct.selected"))
    followed = 0
    for question in compose(plan.questions[0], 0, plan.secret, 12):
        scores, selected = question.parts
        tree, right = scores.public.tree, scores.answer(scores.key)
        goal = tree.leaves[int(selected.key) - 1]
        other = next(child for child in tree.children[0] if not child <= goal < tree.ends[child])
        if {scores.public.given.get("wins"), "max"} <= {"max"}:
            continue
        own = " ".join(
            f"{tree.names[node]}={'99' if node == other else write_number(value.value)}"
            for node, value in right
        )
        before = Marker(scores).mark_with_answer(own)
        for leaf in (leaf for leaf in tree.leaves if other <= leaf < tree.ends[other]):
            after = Marker(selected).mark_with_answer(str(tree.paths[leaf]))
            assert after.mark.points == 0
            points = apply_follow_through(
                selected, after.mark, after.answer, [(scores, before.answer)]
            ).points
            assert points in (0, Fraction(before.mark.points or 0) / Fraction(scores.public.terms.points))
            followed += points != 0
    assert followed >= 3
