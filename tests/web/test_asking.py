"""The laws of messages: what a page is told is what the commands print, and nothing breaks the grader."""

import json
from itertools import product
from typing import Any

import pytest

from grader.base.phrases import PSEUDO, Language
from grader.exercises.exercise import Exercise
from grader.generation.grower import Grower, grow_many
from grader.generation.recipe_file import default_recipe
from grader.generation.selection import ExhaustedError
from grader.pictures.latex import latex
from grader.questions import all_kinds
from grader.trees.notation.reading import read_tree
from grader.trees.tree import require_tree
from grader.web.messages.handler import HANDLERS, MessageHandler
from grader.web.messages.question_choice import (
    belief_classes,
    count_different_replies,
    likely_beliefs,
    next_question,
    question_summary,
    separates_belief,
)
from grader.web.messages.question_labels import question_labels, unlabelled_conventions
from grader.web.messages.question_records import question_record
from grader.web.pages import FIRST_KINDS
from grader.web.question_pool import EXAM, QuestionPool, deep_recipe, grow_pools, separates_all
from tests.cli.running import gametree

LARGEST_POOL = 144
"""Questions of an exam in a site of 200, without its small trees."""

TREE = "MAX A=3 (MIN B=3 (3 12 8) MIN C<=2 (2 ~4 ~6) MIN D=5 (14 5 2))"


def grown(kind: str, number: int) -> list[Exercise]:
    """Some exercises of a kind."""
    return list(grow_many(default_recipe(kind), "pages", number))


def asked(message: dict[str, Any], desk: MessageHandler | None = None) -> str:
    """The answer to a message."""
    return (desk or MessageHandler(lambda _kind, _level, _place: ())).reply(json.dumps(message))


@pytest.mark.parametrize("kind", ["pruned-paths", "windows", "node-values", "best-move"])
def test_a_page_is_told_what_the_command_prints(kind: str) -> None:
    """Byte for byte a mark is that of `gametree mark --json`: right, mistaken, half, blank or unreadable."""
    exercise = grown(kind, 1)[0]
    record = json.dumps(exercise.to_json())
    for reply in (exercise.key, *list(exercise.beliefs.values())[:2], exercise.key[:4], " ", "?!", "<b>"):
        printed = gametree("mark", "-", reply, "--json", typed=record).out
        told = asked({"ask": "mark", "exercise": exercise.to_json(), "reply": reply})
        assert told + "\n" == printed


@pytest.mark.parametrize("kind", [kind.code for kind in all_kinds()])
def test_a_page_names_misconceptions_as_the_command_does(kind: str) -> None:
    """For the reply of every belief of every kind a page gives the mark of `gametree mark --json`.

    Several beliefs can lead to one reply, and both name them in the same order.
    """
    record = grown(kind, 1)[0].to_json()
    for reply in dict.fromkeys(record["beliefs"].values()):
        printed = gametree("mark", "-", reply, "--json", typed=json.dumps(record)).out
        assert asked({"ask": "mark", "exercise": record, "reply": reply}) + "\n" == printed


@pytest.mark.parametrize("kind", ["windows", "pruned-paths", "uct.visits", "expected-values"])
def test_a_message_names_the_language_of_its_answer(kind: str) -> None:
    """In another language the question, mark and hints are those of the same exercise written in it."""
    recipe, german = default_recipe(kind), Language.of("de")
    exercise = next(grow_many(recipe, "pages", 1))
    own = next(grow_many(recipe.in_language(german), "pages", 1))
    assert exercise.in_language(german) == own
    for ask in ("question", "answer", "mark", "remarks", "hint"):
        for reply in (own.key, *own.beliefs.values(), "?!"):
            message = {"ask": ask, "reply": reply, "number": 3}
            there = asked({**message, "exercise": exercise.to_json(), "language": "de"})
            assert there == asked({**message, "exercise": own.to_json()})
    errors = json.loads(asked({"ask": "tree", "tree": TREE, "language": "xx"}))["errors"]
    assert [error["hint"] for error in errors] == ["there is no such language"]


@pytest.mark.parametrize("order", ["left-to-right", "right-to-left"])
def test_minimax_visits_everything(order: str) -> None:
    """Minimax search enters every node, leaves each with its value, in the order of the rules.

    Where nothing is pruned its steps are those of alpha-beta search, node by node.
    """
    for tree in ("MAX (3 2)", "MAX (MIN (5 2) MIN (MAX (8 9)))", "MAX (CHANCE (1/2: 4, 1/2: MIN (6 8)) 3)"):
        told = json.loads(asked({"ask": "explain", "tree": tree, "rules": {"order": order}}))
        solved = json.loads(asked({"ask": "solve", "tree": tree}))
        values = {node["name"]: node["value"] for node in (*solved["nodes"], *solved["leaves"])}
        left = {step["node"]: step["value"] for step in told["minimax"] if step["value"] is not None}
        assert {told["nodes"][node]["name"]: value for node, value in left.items()} == values
        if not any(step["pruned"] for step in told["steps"]):
            entered = [
                event["node"]
                for step in told["steps"]
                for event in step["events"]
                if event["event"] == "enter"
            ]
            assert list(dict.fromkeys(step["node"] for step in told["minimax"])) == entered


def test_a_drawing_is_given_as_latex() -> None:
    """A page gets the document of the command, and for a tree that is too large a sentence."""
    told = json.loads(asked({"ask": "latex", "tree": "MAX A (3 MIN B (1 2))"}))
    assert told["latex"] == latex(require_tree(read_tree("MAX A (3 MIN B (1 2))")), names="given")
    large = "MAX (" + " ".join("MIN (1 2)" for _ in range(1_200)) + ")"
    assert "too large" in asked({"ask": "latex", "tree": large})


@pytest.mark.parametrize("command", ["solve", "check"])
def test_trees_are_told_as_commands_print_them(command: str) -> None:
    """Byte for byte a solved and a checked tree are what the commands print, under other rules as well."""
    for ties in ("cut", "keep"):
        printed = gametree(command, "-", "--json", "--ties", ties, typed=TREE).out
        assert asked({"ask": command, "tree": TREE, "rules": {"ties": ties}}) + "\n" == printed


def test_a_question_has_no_key() -> None:
    """What is shown of a question holds neither its answer nor what a mistake would answer."""
    for kind in ("pruned-paths", "node-values"):
        exercise = grown(kind, 1)[0]
        shown = asked({"ask": "question", "exercise": exercise.to_json()})
        assert exercise.public.prompt in json.loads(shown)["prompt"]
        assert exercise.key not in shown
        # Two payoffs may stand next to each other like two leaves of a reply, but hardly four.
        assert not any(reply in shown for reply in exercise.beliefs.values() if len(reply.split()) > 3)


def test_every_step_is_told_with_what_it_changes() -> None:
    """What all steps change together is the picture of the last: the values and every cut branch."""
    told = json.loads(asked({"ask": "explain", "tree": TREE}))
    solved = json.loads(asked({"ask": "solve", "tree": TREE}))
    names = [node["name"] for node in told["nodes"]]
    cut = [names[node] for step in told["steps"] for node in step["pruned"]]
    assert cut == solved["pruned_branches"]
    values = {int(node): value for step in told["steps"] for node, value in step["values"].items()}
    assert values[0] == solved["value"]
    assert told["steps"][0]["words"].startswith("Start at the root")


@pytest.mark.parametrize(("typed", "shown"), [("7/2", "7/2"), ("3.5", "3.5")])
def test_a_page_writes_numbers_as_its_pictures_do(typed: str, shown: str) -> None:
    """A payoff typed as a fraction is a fraction in the tree, in its steps and in a judged drawing."""
    text = f"MAX=4 (MIN ({typed} 5) MIN (1 9))"
    told = json.loads(asked({"ask": "explain", "tree": text}))
    assert told["nodes"][2]["shown"] == shown
    assert shown in [value for step in told["steps"] for value in step["values"].values()]
    assert [shown, "∞"] in [window for step in told["steps"] for window in step["windows"].values()]
    steps = json.loads(asked({"ask": "trace", "tree": text}))["steps"]
    assert shown in [number for step in steps for number in step["numbers"]]
    assert json.loads(asked({"ask": "judge", "tree": text}))["marks"][0]["value"] == shown


@pytest.mark.parametrize(
    "message",
    [
        [],
        "x",
        {},
        {"ask": 3},
        {"ask": "steal"},
        {"ask": "mark"},
        {"ask": "mark", "exercise": {}, "reply": ""},
        {"ask": "mark", "exercise": {"schema": 1, "key": {}}, "reply": "3"},
        {"ask": "tree", "tree": "MAX (\ud800"},
        {"ask": "tree", "tree": "MAX ("},
        {"ask": "solve", "tree": "MAX (3 2)", "rules": {"ties": "sometimes"}},
        {"ask": "solve", "tree": "MAX (3 2)", "rules": {"title": "x"}},
        {"ask": "solve", "tree": "MAX (3 2)", "rules": {"depth": "deep"}},
        {"ask": "check", "tree": "MAX (3 2)", "pruning": "yes"},
        {"ask": "explain", "tree": "MAX (x 2)"},
        {"ask": "svg", "tree": "MAX (3 2)", "show": "all"},
        {"ask": "next", "kind": "x", "level": "y", "notes": [], "seen": [], "start": 0},
        {"ask": "next", "kind": "x", "level": "y", "notes": [3], "seen": [], "start": 0},
        {"ask": "choose", "pool": [], "notes": [], "seen": [], "start": 0},
        {"ask": "choose", "pool": [{"id": 3, "beliefs": {}}], "notes": [], "seen": [], "start": 0},
        {"ask": "choose", "pool": [{"id": "a", "beliefs": {}}], "notes": [3], "seen": [], "start": 0},
        {"ask": "trace", "tree": "P1 (P2 (<1, 2> <3, 4>) <5, 6>)"},
        {"ask": "trace_step", "tree": "MAX (3 2)", "number": 99, "entry": []},
        {"ask": "trace_step", "tree": "MAX (3 2)", "number": 0, "entry": [3]},
    ],
)
def test_bad_messages_are_answered(message: Any) -> None:
    """What cannot be answered is told so, with a sentence, and never raises."""
    answer = json.loads(asked(message))
    assert set(answer) == {"schema", "errors"}
    assert all(error["message"] for error in answer["errors"])


def test_what_is_wrong_with_a_message_is_said_in_the_language() -> None:
    """On a German page an unknown kind and broken JSON have reasons of their own, and a tree has its."""
    desk = MessageHandler(lambda _kind, _level, _place: (), Language.of("de"))
    nothing = {"ask": "next", "kind": "Xx", "level": "y", "notes": [], "seen": [], "start": 0}
    told = [desk.reply(text) for text in (json.dumps(nothing), "{", json.dumps({"ask": "steal"}))]
    messages = [json.loads(each)["errors"][0]["message"] for each in told]
    assert messages == [
        "Es gibt keine Aufgaben der Art Xx.",
        "Die Nachricht ist kein JSON-Objekt.",
        "Nach steal kann nicht gefragt werden.",
    ]


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ({"ask": "explain", "tree": "MAX (x 2)"}, "Die Auszahlung x von Blatt 1 ist unbekannt."),
        (
            {"ask": "solve", "tree": "@bounds [0, 5]\nMAX (9 2)"},
            "Die Auszahlung 9 von Blatt 1 liegt außerhalb der Schranken [0, 5].",
        ),
        (
            {"ask": "solve", "tree": "MAX A (MIN B (1 2) 3)", "rules": {"depth": 1}},
            "B liegt an der Tiefenschranke und hat weder eval= noch Merkmale f=[...].",
        ),
        (
            {"ask": "solve", "tree": "MAX (3 2)", "rules": {"depth": -1}},
            "Die Tiefenschranke ist negativ.",
        ),
    ],
)
def test_why_a_tree_cannot_be_solved_is_said_in_the_language(message: Any, sentence: str) -> None:
    """A reason against a tree or its rules is a translated sentence with its values."""
    desk = MessageHandler(lambda _kind, _level, _place: (), Language.of("de"))
    assert json.loads(desk.reply(json.dumps(message)))["errors"][0] == {"message": sentence, "hint": ""}
    desk = MessageHandler(lambda _kind, _level, _place: (), Language.of(PSEUDO))
    assert json.loads(desk.reply(json.dumps(message)))["errors"][0]["message"].startswith("«‹«")


@pytest.mark.parametrize("language", [Language(), Language(fractions=True), Language(comma=True)])
def test_english_with_other_numbers_has_reasons_and_hints(language: Language) -> None:
    """However English writes its numbers, a refusal has its own reason, and its hint."""
    desk = MessageHandler(lambda _kind, _level, _place: (), language)
    told = [
        json.loads(desk.reply(json.dumps(message)))["errors"][0]
        for message in (
            {"ask": "explain", "tree": "MAX (x 2)"},
            {"ask": "svg", "tree": "MAX (1 2)", "show": "all"},
            {"ask": "solve", "tree": "MAX (1 2-3)"},
        )
    ]
    assert [error["message"] for error in told] == [
        "The payoff x of leaf 1 is unknown.",
        "In this message show is missing or invalid.",
        "2-3 is not a number",
    ]
    assert told[1]["hint"] == "show is drawn, judged, solution or windows"


def test_a_message_that_is_no_json_is_answered() -> None:
    """Half a message, or a million brackets, is told so as well."""
    desk = MessageHandler(lambda _kind, _level, _place: ())
    for text in ("", "{", "[" * 1_000_000, '{"ask": NaN}'):
        assert json.loads(desk.reply(text))["errors"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", [kind.code for kind in all_kinds() if len(kind.beliefs) > 1])
def test_the_next_question_tells_the_mistake_apart(kind: str) -> None:
    """After three replies by one mistake at least seven of ten questions tell it apart.

    Of every kind there is such a mistake, in a pool no larger than that of a site. Nothing is said of one
    that no question of the pool tells from another: several slips of a search prune alike in trees of an
    exam (`latest-in-window` and `latest-not-best` of `pruned-paths`), and where true or false is asked
    there is one wrong answer for all mistakes (`cut-reasons.why-not`, `belief-state.goal`).
    """
    grower = Grower(default_recipe(kind), "pages")
    pool: list[dict[str, Any]] = []
    beliefs: set[str] = set()
    rare = {""}
    while rare and len(pool) < LARGEST_POOL:
        try:
            pool += [exercise.to_json() for exercise in grower.exercises(12)]
        except ExhaustedError:
            break
        beliefs = {code.rpartition(".")[2] for record in pool for code in record["beliefs"]}
        rare = {belief for belief in beliefs if sum(separates_belief(record, belief) for record in pool) == 1}
    assert not rare
    tried = [belief for belief in sorted(beliefs) if any(separates_belief(record, belief) for record in pool)]
    for belief in tried:
        notes, seen, telling = [[f"{kind}.{belief}"]] * 3, [pool[0]["id"]], 0
        for _ in range(10):
            record = pool[next_question(pool, notes, seen)]
            assert record["id"] != seen[-1]
            seen.append(record["id"])
            telling += separates_belief(record, belief)
        assert telling >= 7
    assert tried


@pytest.mark.parametrize(
    "kind",
    ["depth-limited.flip", "depth-limited.legal", "evaluation-scaling.why", "feasible-pattern.why-not"],
)
def test_numbers_are_offered_as_the_question_counts(kind: str) -> None:
    """Where one of several things is chosen by its number, those from 1 on are offered."""
    (exercise,) = grown(kind, 1)
    offered = [each["reply"] for each in question_record(exercise)["choices"]]
    assert offered == [str(1 + place) for place in range(len(offered))]
    assert exercise.key in offered


def test_a_mistake_that_is_over_is_let_go() -> None:
    """The likely mistakes are those of the latest replies, of equally frequent ones those of the last."""
    assert likely_beliefs([]) == ()
    assert likely_beliefs([["k.a"], ["k.b"], ["k.a"], []]) == ("a",)
    assert likely_beliefs([["k.a"], ["k.b"]]) == ("b",)
    assert likely_beliefs([["k.a"]] * 5 + [[]] * 12) == ()


def test_mistakes_that_come_together_are_told_apart() -> None:
    """If a reply fits several mistakes, the next question is one to which they reply in the most ways."""
    assert likely_beliefs([["k.a", "k.b", "k.c"], ["k.c", "k.b"]]) == ("c", "b")
    pool = [
        {"id": "none", "beliefs": {}},
        {"id": "two", "beliefs": {"k.a": "1", "k.b": "1", "k.c": "1"}},
        {"id": "four", "beliefs": {"k.a": "1", "k.b": "2"}},
        {"id": "three", "beliefs": {"k.a": "1", "k.b": "2", "k.c": "2"}},
    ]
    assert [count_different_replies(each, ("a", "b", "c")) for each in pool] == [1, 1, 3, 2]
    assert next_question(pool, [["k.a", "k.b", "k.c"]], ["two"]) == 2
    assert next_question([question_summary(each) for each in pool], [["k.a", "k.b", "k.c"]], ["two"]) == 2


@pytest.mark.parametrize("code", ["en", "de", "fr", "es", "it", "pt", "zh"])
def test_conventions_are_labelled_alike_in_every_language(code: str) -> None:
    """In every language a question has as many labels, and as little is left in words, as in English."""
    for kind in ("root-value", "windows", "expected-values"):
        exercise = grown(kind, 1)[0]
        other = exercise.in_language(Language.of(code)).public
        assert len(question_labels(other)) == len(question_labels(exercise.public))
        assert bool(unlabelled_conventions(other)) == bool(unlabelled_conventions(exercise.public))


def test_mistakes_that_nothing_tells_apart_are_one() -> None:
    """Beliefs with the same reply to every question of a pool are one class, separated as a whole."""
    pool = [
        {"id": "together", "beliefs": {"k.a": "1", "k.b": "1", "k.c": "2"}},
        {"id": "all", "beliefs": {"k.a": "1", "k.b": "1", "k.c": "1"}},
        {"id": "none", "beliefs": {}},
    ]
    assert belief_classes(pool) == [("a", "b"), ("c",)]
    assert [separates_belief(each, "a", "b") for each in pool] == [True, False, False]
    assert not any(separates_belief(each, "a") for each in pool)
    assert not separates_belief(pool[0], "a", "c")
    for questions in (pool, [question_summary(each) for each in pool]):
        for notes in (["k.a", "k.b"], ["k.b"]):
            assert next_question(questions, [notes], ["all"], 1) == 0


@pytest.mark.parametrize("kind", [kind for kind in FIRST_KINDS if kind != "best-move"])
def test_a_site_separates_every_misconception(kind: str) -> None:
    """In the questions of a site at least one separates each class; some about a search have four plies.

    `best-move` is left out: among three moves a mistake always answers as another one does.
    """
    questions = grow_pools(40, "site", [(kind, EXAM)])[kind][EXAM]
    assert len(questions) == 30
    assert separates_all(questions)
    trees = [require_tree(read_tree(each["tree"])) for each in questions]
    deep = [tree for tree in trees if max(tree.depths) == 4]
    assert bool(deep) == (deep_recipe(kind) is not None)
    assert 3 * len(deep) <= len(trees)


@pytest.mark.parametrize("kind", ["pruned-paths", "node-values", "root-value", "windows"])
def test_the_first_words_on_a_reply_have_no_key(kind: str) -> None:
    """What is said first is about the student's own entries; no right value and no missing one is named."""
    exercise = grown(kind, 1)[0]
    for reply in exercise.beliefs.values():
        told = json.loads(asked({"ask": "remarks", "exercise": exercise.to_json(), "reply": reply}))
        marked = json.loads(asked({"ask": "mark", "exercise": exercise.to_json(), "reply": reply}))
        said = {item["said"] for item in marked["items"] if item["said"]}
        assert sum(len(own["items"]) for own in told["own"]) == len(said)
        assert told["missing"] == any(item["verdict"] == "missing" for item in marked["items"])
        assert told["why"] == ""
    told = json.loads(asked({"ask": "remarks", "exercise": exercise.to_json(), "reply": exercise.key}))
    assert (told["missing"], told["diagnosis"], bool(told["why"])) == (False, [], True)


@pytest.mark.parametrize("kind", ["pruned-paths", "node-values", "root-value", "windows"])
def test_hints_begin_with_what_was_written(kind: str) -> None:
    """The first hint names an own entry that is wrong; every hint that tells of the key says that it does.

    Until one does, no hint has a right entry that the student has not written.
    """
    exercise = grown(kind, 1)[0]
    for reply in ("", *exercise.beliefs.values()):
        message = {"ask": "hint", "exercise": exercise.to_json(), "reply": reply}
        first = json.loads(asked(message | {"number": 1}))
        whole = json.loads(asked(message | {"number": 99}))
        assert not first["tells"]
        assert whole["tells"]
        assert not whole["more"]
        if kind != "pruned-paths" and reply:
            assert first["hints"][0]["text"].startswith("Look again at this part of your answer: ")
        if kind == "node-values" and reply:
            wrong = exercise.public.tree.names[first["hints"][0]["nodes"][0]]
            assert f"{wrong}=" in first["hints"][0]["text"]


@pytest.mark.parametrize("kind", ["root-value", "best-move", "best-path"])
def test_a_single_answer_is_told_by_the_last_hint(kind: str) -> None:
    """The steps follow on the answer and its diagnosis; no reason of the whole is told before them."""
    exercise = grown(kind, 1)[0]
    steps = exercise.kind.worked_solution.deciding_steps(exercise.solved())
    for reply in exercise.beliefs.values():
        message = {"ask": "hint", "exercise": exercise.to_json(), "reply": reply, "number": 99}
        texts = [hint["text"] for hint in json.loads(asked(message))["hints"]]
        assert texts[-len(steps) :] == list(steps)
        assert len(texts) - len(steps) <= 2


def test_all_that_can_be_asked_is_described() -> None:
    """Every message says in one sentence what its answer is."""
    assert all(answer.__doc__ for answer in HANDLERS.values())


@pytest.mark.parametrize("kind", ["windows", "steal", "../best-move", "best-move.x"])
def test_a_kind_that_a_page_has_not_has_no_questions(kind: str) -> None:
    """What a message names is looked for among the kinds of the page, and nowhere else."""
    message = {"ask": "next", "kind": kind, "level": "exam", "notes": [], "seen": [], "start": 0}
    (error,) = json.loads(asked(message, QuestionPool(1, "few", kinds=["best-move"]).handler()))["errors"]
    assert "no questions of the kind" in error["message"]


def test_questions_are_grown_ahead_of_those_who_ask() -> None:
    """Whoever asks again and again gets every question once, and waits for one at the most."""
    pool = QuestionPool(4, "ahead")
    desk = pool.handler()
    seen: list[str] = []
    for _ in range(4):
        message = {
            "ask": "next",
            "kind": "best-move",
            "level": "small",
            "notes": [],
            "seen": seen,
            "start": 0,
        }
        seen.append(json.loads(asked(message, desk))["exercise"]["id"])
    assert len(set(seen)) == 4
    assert seen == [record["id"] for record in pool.questions("best-move", "small")]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", FIRST_KINDS)
def test_a_student_is_diagnosed_within_six_questions(kind: str) -> None:
    """In nine of ten runs six questions name the misconception of a student who answers by it.

    Misconceptions that no question of the pool tells apart are named together.
    """
    pool = QuestionPool(30, "diagnosis").questions(kind, EXAM)
    replies = [{code.rpartition(".")[2]: reply for code, reply in each["beliefs"].items()} for each in pool]
    beliefs = sorted({belief for each in replies for belief in each})
    named, runs = 0, 0
    for belief, start in product(beliefs, range(0, len(pool), 10)):
        alike = {each for each in beliefs if all(row.get(each) == row.get(belief) for row in replies)}
        place, seen, notes = start, [pool[start]["id"]], list[list[str]]()
        for _ in range(6):
            reply = replies[place].get(belief)  # none where this misconception answers correctly
            notes.append([each for each in replies[place] if reply and replies[place][each] == reply])
            place = next_question(pool, notes, seen, start)
            seen.append(pool[place]["id"])
        runs += 1
        named += bool(likely_beliefs(notes)) and set(likely_beliefs(notes)) <= alike
    assert named >= 0.9 * runs
