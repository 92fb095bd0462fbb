"""Simulated classes in which nobody copies: the report lists no pair of papers; with copies it lists them."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from grader.exam.manifest import Exam, Origin, Seat
from grader.exam.paper import Heading, Paper, Question
from grader.exercises.exercise import Exercise
from grader.exercises.marking import Marker, State
from grader.grading.alike import AlikePair, find_alike
from grader.grading.exam_keys import ExamKeys
from grader.grading.marked_answers import MarkedAnswer
from tests.exam.written import write_paper
from tests.grading.classroom import sat, student
from tests.grading.simulated_class import exercise_of

PART = 500
"""How many classes a seed stands for."""

PAPERS, STUDENTS = 60, 30

SHAPES = (("node-values", 3, 3), ("pruned-paths", 3, 3), ("pruned-paths", 2, 2), ("node-values", 2, 3))
"""The questions: kind, children of the root and its children, leaves at each of these."""


def tree_text(payoffs: list[int], width: int, leaves: int) -> str:
    """A tree of three plies with these payoffs."""
    given, names = iter(map(str, payoffs)), iter("BEFGCHJKDLMN")
    parts = []
    for _ in range(width):
        top = next(names)
        below = [f"MAX {next(names)} ({' '.join(next(given) for _ in range(leaves))})" for _ in range(width)]
        parts.append(f"MIN {top} ({' '.join(below)})")
    return f"MAX A ({' '.join(parts)})"


@cache
def papers() -> tuple[ExamKeys, tuple[tuple[Exercise, ...], ...], tuple[tuple[str, ...], ...]]:
    """An exam with many variants, their exercises, and answers of students who misread one payoff."""
    random, variants, exercises, misread = Random("papers"), [], [], []
    for number in range(PAPERS):
        shown, wrong = [], []
        for kind, width, leaves in SHAPES:
            payoffs = random.sample(range(1, 60), width * width * leaves)
            shown.append(exercise_of(kind, tree_text(payoffs, width, leaves)))
            payoffs[random.randrange(len(payoffs))] = random.randrange(1, 60)
            wrong.append(exercise_of(kind, tree_text(payoffs, width, leaves)).key)
        questions = tuple(Question(str(place), "", (each,)) for place, each in enumerate(shown, 1))
        variants.append(write_paper(Paper(Heading("Quiz"), f"V{number}", questions)))
        exercises.append(tuple(shown))
        misread.append(tuple(wrong))
    seats = tuple(Seat(student(number), f"V{number}", f"paper-{number}") for number in range(PAPERS))
    with TemporaryDirectory() as folder:
        keys = sat(Path(folder), Exam(Origin("0" * 64, "0" * 64), Heading("Quiz"), seats, tuple(variants)))
    return keys, tuple(exercises), tuple(misread)


@cache
def marker(paper: int, part: int) -> Marker:
    """The marker of one question of a paper."""
    return Marker(papers()[1][paper][part])


def slipped(reply: str, kind: str, random: Random) -> str:
    """A reply with one or two slips: an entry changed, or a leaf left out or added."""
    pieces = [] if reply == "none" else reply.split()
    for _ in range(random.choice((1, 1, 2))):
        place = random.randrange(len(pieces)) if pieces else 0
        if kind == "node-values":
            name, _, value = pieces[place].partition("=")
            pieces[place] = f"{name}={int(value) + random.choice((-10, -1, 1, 2, 10))}"
        elif pieces and random.random() < 0.5:
            del pieces[place]
        else:
            pieces.append(str(random.randrange(1, 9)))
    return " ".join(dict.fromkeys(pieces)) or "none"


def honest_reply(paper: int, part: int, belief: str, random: Random) -> str:
    """What a student writes who does not copy: right, by a misconception, misread, or with slips."""
    _, exercises, misread = papers()
    exercise, kind = exercises[paper][part], SHAPES[part][0]
    intended = exercise.beliefs.get(f"{kind}.{belief}", exercise.key)
    draw = random.random()
    if draw < 0.5:
        return intended
    if draw < 0.6:
        return misread[paper][part]
    if draw < 0.65:
        return random.choice(sorted(exercise.beliefs.values()) or [exercise.key])
    return slipped(intended, kind, random)


def simulated(random: Random, copied: int = 0) -> tuple[tuple[AlikePair, ...], set[tuple[str, str]]]:
    """The pairs that are found in a class, and those of the students who copied two or more large answers."""
    keys, exercises, _ = papers()
    taken = random.sample(range(PAPERS), STUDENTS)
    beliefs = ("", "", "", "players-swapped", "only-at-min", "right-to-left", "ignores-opponent")
    planted = {}
    for place in random.sample(range(STUDENTS), copied):
        source = random.choice([each for each in range(STUDENTS) if each != place])
        planted[place] = source
    answers = []
    for place, paper in enumerate(taken):
        belief = random.choice(beliefs)
        for part in range(len(SHAPES)):
            reply = honest_reply(paper, part, belief, random)
            if place in planted:
                reply = exercises[taken[planted[place]]][part].key
            mark = marker(paper, part).mark(reply)
            if mark.state is State.GRADED and mark.points is not None:
                answers.append(
                    MarkedAnswer(str(place), f"V{paper}", f"V{paper}", str(part + 1), mark.points, mark)
                )
    return find_alike(keys, answers), {(str(place), str(source)) for place, source in planted.items()}


def wrong_classes(seed: str, count: int = PART) -> Iterator[str]:
    """Yield the pairs that are listed in honest classes."""
    random = Random(seed)
    for number in range(count):
        for pair in simulated(random)[0]:
            yield f"class {number}: {pair}"
