"""How a student fills in blanks who has some answer in mind: written apart from what reads it."""

from typing import Any

from grader.answers.blank import node_label
from grader.answers.numeral import write_numeral
from grader.base.numbers import write_number
from grader.exercises.exercise import Exercise

NO_ANSWERS = (
    *("?", "???", "？", "n/a", "N/A", "I do not know", "I don’t know.", "no answer", "keine Ahnung"),
    *("je ne sais pas", "no lo sé", "non so", "não sei", "不知道"),
)
"""What people write who give no answer, in every language."""

STROKES = ("-", "--", "\u2013", "\u2014", "\u2212", "/")
"""What people put into the room for an answer that they leave empty."""


def boxed(part: Exercise) -> list[int]:
    """The nodes that have a box in a table, as the labels of the boxes name them."""
    tree = part.public.tree
    language = part.public.terms.language
    named = {node_label(tree, node, language): node for node in range(len(tree))}
    return [named[blank.label] for blank in part.blanks.with_boxes.blanks]


def filled(part: Exercise, answer: Any) -> list[str]:
    """What a student fills in who means this answer: texts in boxes, the chosen options in a row."""
    tree, form = part.public.tree, part.kind.form
    levels = sorted(
        (node for node in range(len(tree)) if tree.children[node]), key=lambda node: (tree.depths[node], node)
    )
    asked = part.blanks.with_boxes.blanks
    match form.name:
        case "table":
            said = dict(answer)
            return [write_numeral(said[node]) if node in said else "" for node in boxed(part)]
        case "windows":
            said, texts, named = dict(answer), list[str](), part.public.given.get("nodes", tree.names)
            for node in (level for level in levels if tree.names[level] in named):
                window = said.get(node)
                if window is None:
                    texts += ["none"] * 3
                else:
                    returned = "" if window.returned is None else write_numeral(window.returned)
                    texts += [write_number(window.alpha), write_number(window.beta), returned]
            return texts
        case "payoffs":
            language = part.public.terms.language  # 1.125 may be a thousand where decimals have commas
            return [language.reply(write_numeral(payoff)) for payoff in answer]
        case "order":
            return [*map(str, answer), *["none"] * (len(tree.leaves) - len(answer))]
        case "children-order":
            orders = {node: [part.kind.form.write(((node, order),), tree)] for node, order in answer}
            return [orders[node][0].split(": ", 1)[1] if node in orders else "none" for node in levels]
        case "strategy":
            said = dict(answer)
            places = [
                sorted(tree.children[node].index(child) for child in said.get(node, ())) for node in levels
            ]
            return [
                "; ".join(blank.options[place].text for place in place_of) or blank.options[-1].text
                for blank, place_of in zip(asked, places, strict=True)
            ]
    (blank,) = asked
    if not blank.options:
        return [form.write(answer, tree)]
    if form.name == "truth":
        return [blank.options[0 if answer else 1].text]
    things = {
        "move": list(range(len(tree.children[0]))),
        "branches": sorted(range(1, len(tree)), key=lambda node: (tree.depths[node], node)),
    }.get(form.name, list(range(1, len(tree.leaves) + 1)))
    texts = [option.text for option, thing in zip(blank.options, things, strict=False) if thing in answer]
    return ["; ".join(texts) or "none of them"]
