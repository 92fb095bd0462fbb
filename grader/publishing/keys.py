"""The key of a variant on paper: answers, drawn solutions, and how to mark what students write."""

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from grader.base.numbers import Number, normalize_number
from grader.base.phrases import Language, paragraph, plural_phrase
from grader.exam.paper import Paper, Question
from grader.exercises.exercise import Exercise
from grader.generation.profile import Profile, has_profile, profile_of
from grader.pictures.svg import picture
from grader.pictures.view import View, interval_value
from grader.publishing.printed_picture import printed_picture
from grader.publishing.sheet import direction_of, drawing_options, plain, sheet_as_drawn
from grader.publishing.typesetting import typeset
from grader.questions.beliefs import BELIEFS
from grader.questions.key_picture import KeyPicture
from grader.questions.wording import FOLLOW_THROUGH_RULE
from grader.solvers.solution import solve_cached
from grader.trees.tree import Tree


def key_pdf(paper: Paper) -> bytes:
    """The key of a variant as PDF/UA-1."""
    return typeset("key", key_data(paper))


def key_data(paper: Paper) -> dict[str, Any]:
    """What stands on the key, as its template takes it."""
    sheet, language = sheet_as_drawn(paper.public), paper.public.language
    follow = language.say(
        "Follow-through: later parts are marked from what the student wrote in earlier ones; "
        "that earns no more than what is right by itself, and an answer without parts as large a share as is "
        "right of the earlier one."
    )
    return sheet.to_json() | {
        "labels": {
            "heading": language.say("Key to variant {code}: {title}", code=sheet.code, title=sheet.title),
            "running": language.say("Key: {title}", title=sheet.title),
            "only": language.term("for the instructor only"),
            "every answer": language.say(
                "For the instructor only: this sheet holds every answer. {points} in all.",
                points=sheet.points,
            ),
            "wrong": [language.say("Wrong answer"), language.say("Earns"), language.say("What it shows")],
        },
        "questions": [
            page.to_json()
            | {
                "pictures": _solutions(question),
                "follow": follow if question.follow_through else "",
                "difficulty": difficulty(question),
                "parts": [
                    asked.to_json() | _answered(part)
                    for part, asked in zip(question.parts, page.parts, strict=True)
                ],
            }
            for question, page in zip(paper.questions, sheet.questions, strict=True)
        ],
    }


@lru_cache(maxsize=32)
def _answered(part: Exercise) -> dict[str, Any]:
    """What the key says of a part; remembered for a moment, as some are the same on every paper."""
    return {
        "kind": part.public.kind,
        "answer": plain(part.printed_key),
        "guide": marking_guide(part),
        "wrong": _wrong(part),
    }


def marking_guide(part: Exercise) -> str:
    """How an answer to this part is credited, in words."""
    terms, form = part.public.terms, part.kind.form
    say = terms.language.say
    best = say("All optimal answers are asked for.") if terms.every else say("Any optimal answer counts.")
    return paragraph(
        best if form.has_alternatives else "",
        part.kind.credit_sentence(terms, part.public.tree),
        say(form.marking_rule, digits=terms.digits),
        say("Other answers may do what is asked for, too; they count as well.") if _is_open(part) else "",
        say(FOLLOW_THROUGH_RULE) if part.kind.allows_follow_through(terms) else "",
    )


def _is_open(part: Exercise) -> bool:
    """Whether other answers than the key may be right."""
    public, right = part.public, part.kind.accepts
    return right is not None and right(public.case, part.answer(part.key), public.terms) is not None


def _wrong(part: Exercise) -> list[dict[str, Any]]:
    """Every wrong answer that shows a misconception, what it earns, and all misconceptions it may show.

    In the order in which a reply is looked for: short ones first.
    """
    key, public, form = part.answer(part.key), part.public, part.kind.form
    language = public.terms.language
    codes: dict[str, list[str]] = {}
    for code, reply in part.beliefs.items():
        replies = [reply]
        if form.has_alternatives and not public.terms.every:  # a student names one of them
            wrong = sorted(part.answer(reply) - key)
            replies = [form.write(frozenset((one,)), public.tree) for one in wrong]
        for reply in replies:
            codes.setdefault(reply, []).append(code)
    rows = []
    for reply, shown in sorted(codes.items(), key=lambda row: (len(row[0]), row[0])):
        # Follow-through is included.
        share = part.kind.earned_share(public.case, part.answer(reply), key, public.terms)
        if share == 1:
            continue  # who thinks so is right here all the same
        earned = normalize_number(Fraction(public.terms.points) * share)
        reasons = [_belief(code, language) for code in shown]
        said = plain(part.printed(reply))
        rows.append({"reply": said, "earns": format_rounded_points(earned, language), "reasons": reasons})
    return rows


def _belief(code: str, language: Language) -> dict[str, str]:
    """A misconception by the code of its note, in words."""
    name = code.rpartition(".")[2]
    return {"name": name, "seems": language.say(BELIEFS[name].symptom)}


def format_rounded_points(points: Number, language: Language) -> str:
    """Points to two decimals, with a sign when that is not exact."""
    cents = round(points * 100)
    return ("" if points * 100 == cents else "≈ ") + language.number(normalize_number(Fraction(cents, 100)))


@lru_cache(maxsize=32)
def _solutions(question: Question) -> list[dict[str, Any]]:
    """The drawn solutions that the parts need: what their kinds show, exact values, what alpha-beta cuts."""
    if not len(question.public.tree):
        return []
    # The solution has more to say and would turn sooner; it is to look like the question.
    options = drawing_options(question.public) | {"names": "all", "direction": direction_of(question.public)}
    windows = any(part.kind.about == "windows" for part in question.parts)
    made: list[tuple[Tree, View, str]] = []
    for part in question.parts:
        found = _pictured(part, windows)
        if found not in made:
            made.append(found)
    return [
        printed_picture(picture(tree, view=view, identity=f"solution-{question.label}-{number}", **options))
        | {"caption": caption}
        for number, (tree, view, caption) in enumerate(made, 1)
    ]


def _pictured(part: Exercise, windows: bool) -> tuple[Tree, View, str]:
    """The tree of a part with its answer, and what is said of it; a search with `windows` or without."""
    public, language, kind = part.public, part.public.terms.language, part.kind
    shown = kind.key_picture and kind.key_picture(part.solved())
    tree, say = public.tree if shown is None else shown.tree, language.say
    known = len(tree.unknowns) < len(tree.leaves)
    if known and (shown is None or shown.shows_backed_up_values):
        solution = solve_cached(tree, public.rules)
        view = View.solution(solution, windows=windows, pruning=kind.depends_on_search, language=language)
        tree, caption = solution.tree, say("Exact values; thick: the line of play.")
        if kind.depends_on_search:
            caption = say("What alpha-beta search sees and cuts; thick: the line of play.")
        if solution.intervals is not None and (solution.search is None or not kind.depends_on_search):
            caption = say("What is known of the values, whatever the unknown payoffs are.")
            if any(view.chosen):
                caption = say(
                    "What is known of the values, whatever the unknown payoffs are; thick: the line of play."
                )
    else:
        view = View.question(tree, language)
        caption = say("The tree of the question, in which no payoff is known.")
    if shown is not None:
        view, caption = _as_pictured(view, shown), shown.caption or caption
    return tree, view, caption


def _as_pictured(view: View, shown: KeyPicture) -> View:
    """A view with all that a kind shows of its own."""
    nodes = range(len(shown.tree))
    worth = {**shown.values, **{node: interval_value(ends) for node, ends in shown.ranges.items()}}
    return replace(
        view,
        values=tuple(worth.get(node) for node in nodes) if worth else view.values,
        pruned=tuple(node in shown.cuts for node in nodes) if shown.cuts else view.pruned,
        chosen=tuple(node in shown.line for node in nodes) if shown.line else view.chosen,
        notes=tuple(shown.notes.get(node, ()) for node in nodes) if shown.notes else (),
    )


@lru_cache(maxsize=32)
def difficulty(question: Question) -> str:
    """How hard a question is, in words: its size and, if it asks for that, where alpha-beta cuts.

    A kind that draws its own search, as in another order, says there what is cut.
    """
    searching = any(part.kind.depends_on_search and part.kind.key_picture is None for part in question.parts)
    public, language = question.parts[-1].public, question.public.language
    if not has_profile(public.tree):
        return ""
    profile = profile_of(public.tree, public.rules, searching=searching)
    told = [
        language.say(
            "Difficulty: {leaves} in {plies}, {values} to compare.",
            leaves=_leaves(profile.leaves, language),
            plies=language.term("{count} ply", "{count} plies", profile.plies),
            values=language.term("{count} value", "{count} values", profile.load),
        )
    ]
    if profile.optimal_moves > 1:
        told.append(
            language.say(
                "{count} move at the root is equally good.",
                "{count} moves at the root are equally good.",
                profile.optimal_moves,
            )
        )
    if searching:
        told.append(_cuts(profile, language))
    return paragraph(*told)


def _leaves(count: int, language: Language) -> str:
    return language.term("{count} leaf", "{count} leaves", count)


def _cuts(profile: Profile, language: Language) -> str:
    """What alpha-beta search visits and cuts."""
    leaves, term = _leaves(profile.visited, language), language.term
    cuts = [
        term(*said, count)
        for said, count in (
            (plural_phrase("{count} at a MIN node", "{count} at MIN nodes"), profile.alpha_cuts),
            (plural_phrase("{count} at a MAX node", "{count} at MAX nodes"), profile.beta_cuts),
            (plural_phrase("{count} at a chance node", "{count} at chance nodes"), profile.chance_cuts),
        )
        if count
    ]
    if not cuts:
        return language.say("Alpha-beta search visits {leaves} and cuts nothing.", leaves=leaves)
    told = [
        language.say(
            "Alpha-beta search visits {leaves}; cuts: {cuts}.", leaves=leaves, cuts=language.join_and(cuts)
        )
    ]
    if profile.deep_cuts:
        told.append(language.say("{count} of them is deep.", "{count} of them are deep.", profile.deep_cuts))
    if profile.subtree_cuts:
        told.append(
            language.say(
                "{count} whole subtree is crossed out.",
                "{count} whole subtrees are crossed out.",
                profile.subtree_cuts,
            )
        )
    return paragraph(*told)
