"""The windows of a search, the nodes that set their bounds, and the reasons for visits and cutoffs."""

from grader.base.numbers import INFINITY, Bound
from grader.base.phrases import Phrase, paragraph, plural_phrase
from grader.solvers.explaining.node_wording import TreeSpeaker, bound_equation, branch_list
from grader.solvers.trace import Cut, Update
from grader.trees.rules import Rules
from grader.trees.tree import Player

_CUTS = {
    "alpha": {
        "tie": Phrase(
            "MAX can already get {bound} at {where} by choosing {child} ({comparison}), "
            "so {node} cannot be better for MAX."
        ),
        "parent": Phrase(
            "MAX can already get {bound} at {where} by choosing {child} ({comparison}), "
            "so {node} will never be chosen."
        ),
        "deep": Phrase(
            "MAX can already get {bound} at {where} by choosing {child} ({comparison}), so play will never "
            "reach {node}."
        ),
    },
    "beta": {
        "tie": Phrase(
            "MIN can already hold MAX to {bound} at {where} by choosing {child} ({comparison}), "
            "so {node} cannot be better for MIN."
        ),
        "parent": Phrase(
            "MIN can already hold MAX to {bound} at {where} by choosing {child} ({comparison}), "
            "so {node} will never be chosen."
        ),
        "deep": Phrase(
            "MIN can already hold MAX to {bound} at {where} by choosing {child} ({comparison}), so play "
            "will never reach {node}."
        ),
    },
}
"""The reason for a cutoff: the values are equal, or the better choice is at the parent, or further up."""

_OUTSIDE = {
    "alpha": Phrase("No payoff is below {bound} ({comparison}), so the value of {node} cannot fall further."),
    "beta": Phrase("No payoff is above {bound} ({comparison}), so the value of {node} cannot rise further."),
}
_GIVEN = {
    "alpha": Phrase(
        "The search is given alpha = {bound} ({comparison}), so a lower value of {node} does not matter."
    ),
    "beta": Phrase(
        "The search is given beta = {bound} ({comparison}), so a higher value of {node} does not matter."
    ),
}
_LACKS = {
    "alpha": Phrase(
        "{owner} needs more than {bound} from this outcome, which is impossible here ({comparison})."
    ),
    "beta": Phrase(
        "{owner} needs less than {bound} from this outcome, which is impossible here ({comparison})."
    ),
}
_NEEDS = {
    "alpha": Phrase("{node} needs more than {bound} from this outcome."),
    "beta": Phrase("{node} needs less than {bound} from this outcome."),
}
_GETS = {
    "alpha": Phrase("MAX can already get {bound} at {where} by choosing {child}."),
    "beta": Phrase("MIN can already hold MAX to {bound} at {where} by choosing {child}."),
}
_DEMANDS = {
    "alpha": Phrase("Its value must be greater than {end} for {node} to be worth more than {bound}."),
    "beta": Phrase("Its value must be less than {end} for {node} to be worth less than {bound}."),
}
_REACHED = {
    "alpha": Phrase("{node} is now known to be worth at most {value}."),
    "beta": Phrase("{node} is now known to be worth at least {value}."),
}
"""Sentences for either side of a window."""

_COULD = {
    Player.MAX: Phrase("{node} could still raise the value of {parent} from {value} to a value in {window}."),
    Player.MIN: Phrase("{node} could still lower the value of {parent} from {value} to a value in {window}."),
}
_CHILDREN = plural_phrase(
    "The other child of {node}, {nodes}, is pruned.", "The other children of {node}, {nodes}, are pruned."
)
_OTHER_OUTCOMES = plural_phrase(
    "The other outcome of {node}, {nodes}, is pruned.", "The other outcomes of {node}, {nodes}, are pruned."
)
_OUTCOMES = plural_phrase(
    "The outcome of {node}, {nodes}, is pruned.", "The outcomes of {node}, {nodes}, are pruned."
)


class WindowHistory:
    """The current windows of a search, and the nodes that set their bounds."""

    def __init__(self, speaker: TreeSpeaker, rules: Rules) -> None:
        self._rules, self._say = rules, speaker.say
        self._tree, self._language, self._number_text = (
            speaker.tree,
            speaker.language,
            speaker.language.number,
        )
        self.running: dict[int, Bound] = {}
        self.windows: dict[int, tuple[Bound, Bound]] = {}
        # For each bound of each node: the node that set it and the child it chose; a chance node that
        # requires the bound is its own child.
        self._owners: dict[str, dict[int, tuple[int, int]]] = {"alpha": {}, "beta": {}}

    def enter(self, node: int, window: tuple[Bound, Bound]) -> None:
        """Record the window of a node and the owners of its bounds."""
        self.windows[node] = window
        parent = self._tree.parents[node]
        if parent >= 0:
            self._inherit(node, parent)

    def update(self, event: Update) -> None:
        """Update the window of a node."""
        alpha, beta = self.windows[event.node]
        self.windows[event.node] = (event.value, beta) if event.bound == "alpha" else (alpha, event.value)
        self._owners[event.bound][event.node] = (event.node, event.child)

    def _inherit(self, node: int, parent: int) -> None:
        """Pass on the owners of alpha and beta; below a chance node, the owner is the chance node."""
        if self._tree.players[parent] is not Player.CHANCE:
            for owners in self._owners.values():
                if parent in owners:
                    owners[node] = owners[parent]
            return
        low, high = self.windows[node]
        bottom, top = self._rules.bounds or (-INFINITY, INFINITY)
        if low > bottom:
            self._owners["alpha"][node] = (parent, parent)
        if high < top:
            self._owners["beta"][node] = (parent, parent)

    def chance_requirements(self, node: int, bounds: str) -> tuple[str, ...]:
        """Return the values that the outcome visited next must have to change its chance node."""
        say, parent, share = self._say, self._tree.parents[node], self._tree.probabilities[node] or 0
        ends = zip(self._owners, self.windows[node], self.windows[parent], strict=True)
        return (
            say(
                "This outcome has probability {probability}. Its window is {bounds}.",
                probability=share,
                bounds=bounds,
            ),
            *(
                say(_DEMANDS[side], end=end, node=parent, bound=bound)
                for side, end, bound in ends
                if node in self._owners[side]
            ),
        )

    def window_owners(self, node: int) -> tuple[str, ...]:
        """Return the reasons for a window: `MAX can already get 3 at the root by choosing MIN B`."""
        sentences = []
        for (side, owners), bound in zip(self._owners.items(), self.windows[node], strict=True):
            if node in owners:
                owner, child = owners[node]
                if owner == child:
                    sentences.append(self._say(_NEEDS[side], bound=bound, node=owner))
                else:
                    sentences.append(self._say(_GETS[side], bound=bound, where=owner, child=child))
        return tuple(sentences)

    def entry_reason(self, node: int) -> str:
        """Return the reason why a node must be visited when the search reaches it."""
        say, language = self._say, self._language
        parent, (alpha, beta) = self._tree.parents[node], self.windows[node]
        if parent < 0:
            return say("The search starts at this node.")
        known = paragraph(*(self.window_owners(node) or (say("No value found so far limits its value."),)))
        if alpha == beta:
            return paragraph(known, say("Here equality is not enough to prune."))
        if isinstance(alpha, float) and isinstance(beta, float):
            return paragraph(known, say("Its value can be any number."))
        ends = f"{self._number_text(alpha)}{language.number_separator}{self._number_text(beta)}"
        kind = (
            Phrase("the open interval ({ends})")
            if self._rules.ties == "cut"
            else Phrase("the interval [{ends}]")
        )
        window = language.term(kind, ends=ends)
        mover = self._tree.players[parent]
        if mover is Player.CHANCE:
            could = say("The value of {node} may still be in {window}.", node=node, window=window)
        elif mover is None or parent not in self.running:
            could = say(
                "{parent} has no value yet, and its final value may be in {window}.",
                parent=parent,
                window=window,
            )
        else:
            value = self.running[parent]
            could = say(_COULD[mover], node=node, parent=parent, value=value, window=window)
        return paragraph(known, could)

    def cutoff_reason(self, event: Cut) -> str:
        """Return the reason why the rest of a node is pruned."""
        player, node = self._tree.players[event.node], event.node
        meets_alpha = player is Player.MIN or (player is Player.CHANCE and event.value <= event.alpha)
        side = "alpha" if meets_alpha else "beta"
        result = (
            _REACHED[side] if player is Player.CHANCE else Phrase("The value of {node} so far is {value}.")
        )
        return paragraph(self._say(result, node=node, value=event.value), self._comparison(event, side))

    def pruned_sentence(self, event: Cut) -> str:
        """Return the sentence that names the children which a cutoff skips."""
        skipped = _CHILDREN
        if self._tree.players[event.node] is Player.CHANCE:
            skipped = _OTHER_OUTCOMES if event.node in self.running else _OUTCOMES
        nodes = branch_list(self._tree, event.skipped, self._language)
        return self._say(*skipped, len(event.skipped), node=event.node, nodes=nodes)

    def _comparison(self, event: Cut, side: str) -> str:
        """Return the comparison with the bound, and the better choice that makes the node irrelevant."""
        tree, node, write = self._tree, event.node, self._number_text
        below, above = ("≤", "≥") if self._rules.ties == "cut" else ("<", ">")
        bound, sign = (event.alpha, below) if side == "alpha" else (event.beta, above)
        alpha = bound_equation("alpha", event.alpha, self._language)
        beta = bound_equation("beta", event.beta, self._language)
        if tree.has_chance or self._rules.test == "value":
            comparison = f"{write(event.value)} {sign} {alpha if side == 'alpha' else beta}"
        else:
            comparison = f"{alpha} {above} {beta}"
        if node not in self._owners[side]:
            known = self._rules.bounds is not None and bound == self._rules.bounds[side == "beta"]
            reason = _OUTSIDE[side] if known else _GIVEN[side]
            return self._say(reason, bound=bound, comparison=comparison, node=node)
        owner, child = self._owners[side][node]
        if owner == child:
            return self._say(_LACKS[side], owner=owner, bound=bound, comparison=comparison)
        relation = "tie" if event.value == bound else "parent" if owner == tree.parents[node] else "deep"
        return self._say(
            _CUTS[side][relation], bound=bound, comparison=comparison, where=owner, child=child, node=node
        )
