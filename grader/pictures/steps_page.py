"""A page that shows the steps of a search one at a time, forward and back."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from xml.etree import ElementTree

from markupsafe import Markup

from grader.base.phrases import ENGLISH, Language, Phrase, paragraph
from grader.base.templating import csp_hash, html_environment, raw_template
from grader.pictures.node_words import spell_value
from grader.pictures.svg import pictures
from grader.pictures.view import View
from grader.solvers.explaining.steps import Account
from grader.solvers.solution import Solution
from grader.solvers.solvable import several_players

_SVG = "http://www.w3.org/2000/svg"


def steps_page(solution: Solution, account: Account, language: Language = ENGLISH) -> str:
    """Return a self-contained HTML page with the picture and the sentence of every step.

    The picture is one SVG in which each element lists the steps that show it. Without scripts, and in
    print, the page shows the last step and all sentences.
    """
    style, script = raw_template("html/explain.css"), raw_template("html/explain.js")
    steps = pictures(solution.tree, step_views(solution, account, language), "tree", names="all")
    title = solution.tree.header.title or language.say("A game tree")
    count = len(account.steps)
    template = html_environment().get_template("html/explain.html.j2")
    return template.render(
        language=language.code,
        title=title,
        words=_words(title, language),
        conventions=_conventions(solution, language),
        picture=Markup(overlay_pictures([step.svg for step in steps])),
        steps=account.steps,
        places=[
            language.say("Step {step} of {count}", step=step, count=count) for step in range(1, count + 1)
        ],
        style=style,
        style_hash=csp_hash(style),
        script=script,
        script_hash=csp_hash(script),
    )


def _words(title: str, language: Language) -> dict[str, str]:
    """Return the words of the page except its steps."""
    return {
        "page": language.say("{title}, step by step", title=title),
        "stage": language.say("The tree"),
        "steps": language.say("Steps"),
        "first": language.say("First"),
        "back": language.say("Back"),
        "forward": language.say("Forward"),
        "last": language.say("Last"),
        "first_key": language.say("First step (Home)"),
        "back_key": language.say("One step back (left arrow)"),
        "forward_key": language.say("One step forward (right arrow)"),
        "last_key": language.say("Last step (End)"),
    }


def step_views(solution: Solution, account: Account, language: Language = ENGLISH) -> tuple[View, ...]:
    """Return the view of every step; without a search, each step adds the value of its node."""
    tree = solution.tree
    if solution.search is not None:
        event_views = View.steps(solution, language)
        return tuple(replace(event_views[step.events - 1], current=step.node) for step in account.steps)
    view = View.question(tree.bare(), language)
    views = []
    for step in account.steps:
        values = list(view.values)
        values[step.node] = solution.values[step.node]
        view = replace(view, values=tuple(values), current=step.node)
        views.append(view)
    return tuple(views)


def overlay_pictures(pictures: Sequence[str]) -> str:
    """Merge pictures of one size: every element occurs once, and lists the pictures that show it.

    `data-steps="1-3 7-7"` counts pictures from 1; elements that are not in the last one are hidden at first.
    All pictures have the same groups, which are the layers from back to front.
    """
    roots = [ElementTree.fromstring(picture) for picture in pictures]
    layers = [[element for element in root if element.tag == f"{{{_SVG}}}g"] for root in roots]
    for versions in zip(*layers, strict=True):
        numbers_by_element: dict[str, list[int]] = {}
        for number, layer in enumerate(versions, 1):
            for element in layer:
                element.tail = "\n"
                text = ElementTree.tostring(element, encoding="unicode")
                numbers_by_element.setdefault(text, []).append(number)
        merged = versions[0]
        del merged[:]
        for text, numbers in numbers_by_element.items():
            element = ElementTree.fromstring(text)
            element.tail = "\n"
            if len(numbers) < len(pictures):
                element.set("data-steps", _spans(numbers))
                if numbers[-1] < len(pictures):
                    element.set("display", "none")
            merged.append(element)
    ElementTree.register_namespace("", _SVG)
    return ElementTree.tostring(roots[0], encoding="unicode")


def _spans(numbers: Sequence[int]) -> str:
    """Return `1-3 7-7` for 1, 2, 3 and 7."""
    runs = groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0])
    spans = ([number for _, number in run] for _, run in runs)
    return " ".join(f"{span[0]}-{span[-1]}" for span in spans)


_SEARCH_RULES: dict[tuple[str, str], Phrase] = {
    ("left-to-right", "cut"): Phrase("{search}, children from left to right, equality is enough to prune."),
    ("left-to-right", "keep"): Phrase(
        "{search}, children from left to right, equality is not enough to prune."
    ),
    ("right-to-left", "cut"): Phrase("{search}, children from right to left, equality is enough to prune."),
    ("right-to-left", "keep"): Phrase(
        "{search}, children from right to left, equality is not enough to prune."
    ),
}


def _conventions(solution: Solution, language: Language) -> str:
    """Describe the search and its rules in one or two sentences."""
    rules, tree = solution.rules, solution.tree
    if several_players(tree):
        return language.say("Each player maximizes its own payoff; ties go to the leftmost move.")
    name = language.term("Star1") if tree.has_chance else language.term("alpha-beta")
    search = language.say(_SEARCH_RULES[rules.order, rules.ties], search=name)
    if rules.bounds is None:
        return search
    low, high = (spell_value(bound, language) for bound in rules.bounds)
    return paragraph(search, language.say("All payoffs are from {low} to {high}.", low=low, high=high))
