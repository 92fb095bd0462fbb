"""The sentences in which every prompt states its conventions."""

from collections.abc import Collection

from grader.answers.form import Policy
from grader.base.phrases import Language
from grader.rules import Rules
from grader.tree import Player, Tree

_SHAPES = {
    Player.MAX: "triangles that point up are MAX nodes",
    Player.MIN: "triangles that point down are MIN nodes",
    Player.CHANCE: "circles are chance nodes",
}


def sentence(*clauses: str) -> str:
    """One sentence made of clauses, the last one joined with "and"."""
    head, last = ", ".join(clauses[:-1]), clauses[-1]
    text = f"{head} and {last}" if head else last
    return f"{text[0].upper()}{text[1:]}."


PAYOFFS = "The number at a leaf is the payoff for MAX."


def the_game(tree: Tree) -> str:
    """Who moves where, and whose payoffs the leaves show."""
    return paragraph(the_mover(tree), the_shapes(tree.movers), PAYOFFS)


def the_mover(tree: Tree) -> str:
    """Who moves first."""
    root = tree.players[0]
    name = tree.names[0]
    place = "at the root" if name == "root" else f"at the root {name}"
    mover = "chance moves" if root is Player.CHANCE else f"{root} moves"
    return f"In this game {mover} {place}."


def the_shapes(movers: Collection[Player]) -> str:
    """How the nodes of these players are drawn; empty when none of them has a shape of its own."""
    shapes = [text for player, text in _SHAPES.items() if player in movers]
    return sentence(*shapes) if shapes else ""


def the_odds(tree: Tree) -> str:
    """How likely the outcomes of the chance nodes are; empty without chance nodes."""
    if not tree.has_chance:
        return ""
    chance = [node for node in tree.internal if tree.players[node] is Player.CHANCE]
    uniform = all(len({tree.probabilities[child] for child in tree.children[node]}) == 1 for node in chance)
    if uniform:
        return "At every chance node all outcomes are equally likely."
    return "The number beside a branch below a chance node is its probability."


def the_search(tree: Tree, rules: Rules, language: Language) -> str:
    """How the search visits and cuts: order and tie rule, bounds, and what it does at chance nodes."""
    return paragraph(the_cuts(rules), the_limits(tree, rules, language), the_chance_cuts(tree))


def the_cuts(rules: Rules) -> str:
    """In which order the search visits, and when it cuts."""
    order = rules.order.replace("-", " ")
    tie = (
        "It stops looking at further children of a node as soon as alpha is greater than or equal to beta: "
        "equality is enough to prune."
        if rules.ties == "cut"
        else "It stops looking at further children of a node only when alpha is strictly greater than beta: "
        "equality is not enough to prune."
    )
    return f"Alpha-beta search visits the children of every node from {order}. {tie}"


def the_limits(tree: Tree, rules: Rules, language: Language) -> str:
    """What the search knows of payoffs in advance; empty without chance nodes, where that is no use."""
    if not tree.has_chance:
        return ""
    if rules.bounds is None:
        return "Nothing is known in advance about how small or large payoffs can be."
    low, high = map(language.number, rules.bounds)
    return f"It is known in advance that every payoff lies between {low} and {high}, both included."


def the_chance_cuts(tree: Tree) -> str:
    """How the search cuts at chance nodes; empty without any."""
    if not tree.has_chance:
        return ""
    return (
        "At a chance node the search gives every outcome the window in which its value "
        "can still matter, given the outcomes seen so far and the limits on those still to come (Star1), "
        "and it stops as soon as no value of the remaining outcomes can matter."
    )


def inner_names(tree: Tree) -> str:
    """The names of all inner nodes level by level, as a list in a sentence."""
    return ", ".join(tree.names[node] for node in tree.by_level)


def the_policy(form: str, policy: Policy, language: Language) -> str:
    """How a reply that is not wholly right is credited, for the forms where that has to be known."""
    if form == "order":
        return "Your list counts up to the first place where it goes wrong."
    thing = {"paths": "leaf", "branches": "branch"}.get(form)
    if thing is None:
        return ""
    many = {"leaf": "leaves", "branch": "branches"}[thing]
    match policy.name:
        case "exact":
            return f"Only the complete answer earns points: all these {many} and no others."
        case "net":
            return (
                f"Each {thing} you name wrongly takes away as much as a right one earns "
                f"(never below 0); naming all {many} earns nothing."
            )
        case "each":
            return (
                f"Every {thing} counts, rightly named or rightly left out, but only beyond what naming all "
                f"{many} or naming none gets right, whichever is more; "
                "neither earns anything unless it is right."
            )
        case "deduct":
            lost = language.number(policy.deduction)
            return (
                f"Each {thing} you name wrongly and each one you leave out costs {lost} "
                f"{'point' if policy.deduction == 1 else 'points'} (never below 0); "
                f"naming all {many} earns nothing."
            )


ENTERED = "Leave out the nodes that are never entered."

FOLLOWS = "An entry also counts when it follows correctly from your own other entries."

PRUNED = (
    "A leaf is pruned when the search never looks at it, "
    "no matter whether the branch just above it or one higher up was cut."
)

NUMBERED = "Leaves are numbered 1, 2, 3, ... from left to right; these are their path numbers."


def paragraph(*sentences: str) -> str:
    """Sentences in a row, empty ones left out."""
    return " ".join(text for text in sentences if text)
