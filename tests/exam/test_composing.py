"""The laws of making questions from a blueprint: whose words they are in, and how they vary."""

from grader.exam.composing import compose
from tests.exam.test_blueprint import HEAD, read

CHANCE = 'tree = "MAX A (CHANCE B (0.3: 2, 0.7: 9) CHANCE C (1/3: 4, 2/3: 3))"\n'


def test_a_teachers_words_leave_the_demands() -> None:
    """Words of one's own replace the question, and neither what to write nor what the terms demand."""
    plan = read(
        f'{HEAD}[[question]]\n{CHANCE}digits = 3\n[[question.part]]\nkind = "root-value"\n'
        'prompt = "Wie viel?"\n[[question.part]]\nkind = "best-move"\nprompt = "Wohin?"\n'
    )
    (question,) = compose(plan.questions[0], 0, plan.secret, 1)
    value, move = question.parts
    assert value.public.prompt.startswith(f"Wie viel? {value.kind.form.ask}")
    assert "round to at least 3 decimals" in value.public.prompt
    assert move.public.prompt.startswith(f"Wohin? {move.kind.form.ask}")
    assert "If several are equally good" in move.public.prompt
