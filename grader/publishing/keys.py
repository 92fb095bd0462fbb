"""The key of a variant on paper: answers, drawn solutions, and how to mark what students write."""

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import floor
from typing import Any

from grader.base.numbers import Number, normalize_number
from grader.base.phrases import Language, paragraph, plural_phrase
from grader.exam.paper import Paper, Question
from grader.exercises.exercise import Exercise
from grader.exercises.feedback import OFF_BY_ONE, SEVERAL_NOTES, is_off_by_one
from grader.exercises.follow_through import CONSISTENCY_LEFT_OUT, earlier_sources
from grader.generation.measures import Profile, has_profile, profile_of
from grader.pictures.svg import picture
from grader.pictures.typesetting import typeset
from grader.pictures.view import View, interval_value
from grader.publishing.printed_picture import printed_picture
from grader.publishing.sheet import direction_of, drawing_options, plain, sheet_as_drawn
from grader.questions.beliefs import BELIEFS
from grader.questions.key_picture import KeyPicture
from grader.questions.titles import TITLES
from grader.questions.wording import FOLLOW_THROUGH_RULE
from grader.solvers.solution import solve_cached
from grader.trees.tree import Tree


def key_pdf(paper: Paper) -> bytes:
    """The key of a variant as PDF/UA-1."""
    return typeset("key", key_data(paper))


def key_data(paper: Paper) -> dict[str, Any]:
    """Return the data for the template of the key."""
    sheet, language = sheet_as_drawn(paper.public), paper.public.language
    return sheet.to_json() | {
        "labels": {
            "heading": language.say("Key to variant {code}: {title}", code=sheet.code, title=sheet.title),
            "running": language.say("Key: {title}", title=sheet.title),
            "only": language.term("for the instructor only"),
            "every answer": language.say(
                "For the instructor only: this sheet contains every answer. Total: {points}.",
                points=sheet.points,
            ),
            "wrong": [
                language.say("Incorrect answer"),
                language.with_note("", language.say("Points earned")).strip(),
                language.say("What it indicates"),
            ],
        },
        "questions": [
            page.to_json()
            | {
                "pictures": _solution_pictures(question),
                "follow": _follow_through_guide(question),
                "difficulty": describe_difficulty(question),
                "parts": [
                    part_sheet.to_json() | _part_fields(part)
                    for part, part_sheet in zip(question.parts, page.parts, strict=True)
                ],
            }
            for question, page in zip(paper.questions, sheet.questions, strict=True)
        ],
    }


def _follow_through_guide(question: Question) -> str:
    """Say which parts are also marked from earlier answers, and how much that can earn."""
    sources = list(earlier_sources([part.kind for part in question.parts])) if question.follow_through else []
    if not sources:
        return ""
    names, language = question.public.part_names, question.public.language
    return paragraph(
        *(
            language.say(
                "Follow-through: {part} is also graded for consistency with the student's answer to {parts}.",
                part=names[place],
                parts=language.join_or([names[each] for each in earlier]),
            )
            for place, earlier in sources
        ),
        language.say(
            "The extra credit cannot exceed the credit for entries that are correct on their own. "
            "An answer without parts earns at most the same fraction as the earlier answer."
        ),
        language.say(CONSISTENCY_LEFT_OUT),
    )


@lru_cache(maxsize=32)
def _part_fields(part: Exercise) -> dict[str, Any]:
    """Return the data of a part; cached, since some parts are the same on every paper."""
    return {
        "kind": part.public.terms.language.term(TITLES[part.public.kind]),
        "answer": plain(part.printed_key),
        "guide": marking_guide(part),
        "wrong": _wrong_answers(part),
    }


def marking_guide(part: Exercise) -> str:
    """Describe in words how an answer to this part is credited."""
    terms, form = part.public.terms, part.kind.form
    say, rule = terms.language.say, form.marking_rule
    best = say("All optimal answers are required.") if terms.every else say("Any optimal answer is accepted.")
    return paragraph(
        best if form.has_alternatives else "",
        part.kind.credit_sentence(terms, part.public.tree),
        say(*rule, terms.digits) if isinstance(rule, tuple) else say(rule),
        say("Other answers that meet the conditions are also accepted.") if _is_open(part) else "",
        say(FOLLOW_THROUGH_RULE) if part.kind.allows_follow_through(terms) else "",
    )


def _is_open(part: Exercise) -> bool:
    """Return whether an answer other than the key may be correct."""
    public, right = part.public, part.kind.accepts
    return right is not None and right(public.case, part.answer(part.key), public.terms) is not None


def _wrong_answers(part: Exercise) -> list[dict[str, Any]]:
    """Return every wrong answer that shows a misconception, with its points and all its misconceptions.

    Short answers come first, which makes a reply easy to find.
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
    for reply, codes_of_reply in sorted(codes.items(), key=lambda row: (len(row[0]), row[0])):
        # Follow-through is included.
        share = part.kind.earned_share(public.case, part.answer(reply), key, public.terms)
        if share == 1:
            continue  # who thinks so is right here all the same
        points = normalize_number(Fraction(public.terms.points) * share)
        reasons = [_belief(code, language) for code in codes_of_reply]
        printed = plain(part.printed(reply))
        rows.append(
            {
                "reply": printed,
                "earns": language.with_note("", format_rounded_points(points, language)).strip(),
                "unsure": language.say(SEVERAL_NOTES) if len(reasons) > 1 else "",
                "reasons": reasons,
                "slip": language.say(OFF_BY_ONE) if is_off_by_one(part, reply) else "",
            }
        )
    return rows


def _belief(code: str, language: Language) -> dict[str, str]:
    """Return the name of a misconception, which is English and in English keys only, and its description."""
    name = code.rpartition(".")[2]
    heading = f"{name}:" if language.code == "en" else ""
    return {"name": heading, "seems": language.say(BELIEFS[name].symptom)}


def format_rounded_points(points: Number, language: Language) -> str:
    """Format points to two decimals, halves up as in gradebooks, with `≈` if that is not exact."""
    cents = floor(points * 100 + Fraction(1, 2))
    return ("" if points * 100 == cents else "≈ ") + language.number(normalize_number(Fraction(cents, 100)))


@lru_cache(maxsize=32)
def _solution_pictures(question: Question) -> list[dict[str, Any]]:
    """Draw the different solutions that the parts need: one serves all parts that show the same."""
    if not len(question.public.tree):
        return []
    # The labels of a solution are longer, but it has to be drawn in the direction of the question.
    options = drawing_options(question.public) | {"names": "all", "direction": direction_of(question.public)}
    windows = any(part.kind.about == "windows" for part in question.parts)
    pictures: list[tuple[Tree, View, str]] = []
    for part in question.parts:
        pictured = _key_view(part, windows)
        if pictured not in pictures:
            pictures.append(pictured)
    return [
        printed_picture(picture(tree, view=view, identity=f"solution-{question.label}-{number}", **options))
        | {"caption": caption}
        for number, (tree, view, caption) in enumerate(pictures, 1)
    ]


def _key_view(part: Exercise, windows: bool) -> tuple[Tree, View, str]:
    """Return the tree of a part, the view that shows its answer, and a caption."""
    public, language, kind = part.public, part.public.terms.language, part.kind
    key_picture = kind.key_picture and kind.key_picture(part.solved())
    tree, say = public.tree if key_picture is None else key_picture.tree, language.say
    known = len(tree.unknowns) < len(tree.leaves)
    if known and (key_picture is None or key_picture.shows_backed_up_values):
        solution = solve_cached(tree, public.rules)
        view = View.solution(solution, windows=windows, pruning=kind.depends_on_search, language=language)
        tree, caption = solution.tree, say("Exact values. The principal variation is drawn with thick lines.")
        if kind.depends_on_search:
            caption = say(
                "The alpha-beta search and its cutoffs. The principal variation is drawn with thick lines."
            )
        if solution.intervals is not None and (solution.search is None or not kind.depends_on_search):
            caption = say("What is known about the values, whatever the unknown payoffs are.")
            if any(view.chosen):
                caption = say(
                    "What is known about the values, whatever the unknown payoffs are. "
                    "The principal variation is drawn with thick lines."
                )
    else:
        view = View.question(tree, language)
        caption = say("The tree of the question. All payoffs are unknown.")
    if key_picture is not None:
        view, caption = _with_key_picture(view, key_picture), key_picture.caption or caption
    return tree, view, caption


def _with_key_picture(view: View, key_picture: KeyPicture) -> View:
    """Return a view with everything that the kind itself shows."""
    nodes = range(len(key_picture.tree))
    worth = {
        **key_picture.values,
        **{node: interval_value(ends) for node, ends in key_picture.ranges.items()},
    }
    return replace(
        view,
        values=tuple(worth.get(node) for node in nodes) if worth else view.values,
        pruned=tuple(node in key_picture.cuts for node in nodes) if key_picture.cuts else view.pruned,
        chosen=tuple(node in key_picture.line for node in nodes) if key_picture.line else view.chosen,
        notes=tuple(key_picture.notes.get(node, ()) for node in nodes) if key_picture.notes else (),
    )


@lru_cache(maxsize=32)
def describe_difficulty(question: Question) -> str:
    """Describe the difficulty of a question: its size, and the best moves and cutoffs that it is about.

    A kind with a picture of its own values or search, for example in another order, shows them there.
    """
    plain_parts = [part for part in question.parts if part.kind.key_picture is None]
    searching = any(part.kind.depends_on_search for part in plain_parts)
    public, language = question.parts[-1].public, question.public.language
    if not has_profile(public.tree):
        return ""
    profile = profile_of(public.tree, public.rules, searching=searching)
    sentences = [
        language.say(
            "Difficulty: a tree with {leaves} and {plies}, with {values} to compare.",
            leaves=_leaves(profile.leaves, language),
            plies=language.term("{count} ply", "{count} plies", profile.plies),
            values=language.term("{count} value", "{count} values", profile.load),
        )
    ]
    if profile.optimal_moves > 1 and plain_parts:
        sentences.append(
            language.say(
                "{count} move at the root is equally good.",
                "{count} moves at the root are equally good.",
                profile.optimal_moves,
            )
        )
    if searching:
        sentences.append(_cuts(profile, language))
    return paragraph(*sentences)


def _leaves(count: int, language: Language) -> str:
    return language.term("{count} leaf", "{count} leaves", count)


def _cuts(profile: Profile, language: Language) -> str:
    """Describe what alpha-beta search visits and prunes."""
    leaves, term = _leaves(profile.visited, language), language.term
    cuts = [
        term(*phrase, count)
        for phrase, count in (
            (plural_phrase("{count} at a MIN node", "{count} at MIN nodes"), profile.alpha_cuts),
            (plural_phrase("{count} at a MAX node", "{count} at MAX nodes"), profile.beta_cuts),
            (plural_phrase("{count} at a chance node", "{count} at chance nodes"), profile.chance_cuts),
        )
        if count
    ]
    if not cuts:
        return language.say("Alpha-beta search visits {leaves} and prunes nothing.", leaves=leaves)
    sentences = [
        language.say(
            "Alpha-beta search visits {leaves} and makes the following cutoffs: {cuts}.",
            leaves=leaves,
            cuts=language.join_and(cuts),
        )
    ]
    if profile.deep_cuts:
        sentences.append(
            language.say("{count} of them is deep.", "{count} of them are deep.", profile.deep_cuts)
        )
    if profile.subtree_cuts:
        sentences.append(
            language.say(
                "{count} whole subtree is pruned.",
                "{count} whole subtrees are pruned.",
                profile.subtree_cuts,
            )
        )
    return paragraph(*sentences)
