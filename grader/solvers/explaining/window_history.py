"""What stands on the board during a search: windows, who is behind them, why a node is entered or cut."""

from grader.base.numbers import INFINITY, Bound
from grader.base.phrases import Phrase, paragraph, plural_phrase
from grader.solvers.explaining.node_wording import TreeSpeaker, branch_list
from grader.solvers.trace import Cut, Update
from grader.trees.rules import Rules
from grader.trees.tree import Player

_ALPHA_CUTS = {
    "tie": Phrase(
        "MAX can already get {bound} at {where} by choosing {child} ({comparison}), "
        "so {node} cannot be better for MAX."
    ),
    "parent": Phrase(
        "MAX can already get {bound} at {where} by choosing {child} ({comparison}), "
        "so {node} will never be chosen."
    ),
    "deep": Phrase(
        "MAX can already get {bound} at {where} by choosing {child} ({comparison}), "
        "so play will never come to {node}."
    ),
}
_BETA_CUTS = {
    "tie": Phrase(
        "MIN can already hold MAX to {bound} at {where} by choosing {child} ({comparison}), "
        "so {node} cannot be better for MIN."
    ),
    "parent": Phrase(
        "MIN can already hold MAX to {bound} at {where} by choosing {child} ({comparison}), "
        "so {node} will never be chosen."
    ),
    "deep": Phrase(
        "MIN can already hold MAX to {bound} at {where} by choosing {child} ({comparison}), "
        "so play will never come to {node}."
    ),
}
"""Whose better choice makes a cut: values are equal, it is the parent's, or that of a node further up."""

_CUTS = {"alpha": _ALPHA_CUTS, "beta": _BETA_CUTS}
_OUTSIDE = {
    "alpha": Phrase("No payoff is below {bound} ({comparison}), so the value of {node} cannot fall further."),
    "beta": Phrase("No payoff is above {bound} ({comparison}), so the value of {node} cannot rise further."),
}
_LACKS = {
    "alpha": Phrase(
        "{owner} needs more than {bound} of this outcome, and cannot get it here ({comparison})."
    ),
    "beta": Phrase("{owner} needs less than {bound} of this outcome, and cannot get it here ({comparison})."),
}
_NEEDS = {
    "alpha": Phrase("{node} needs more than {bound} of this outcome."),
    "beta": Phrase("{node} needs less than {bound} of this outcome."),
}
_GETS = {
    "alpha": Phrase("MAX can already get {bound} at {where} by choosing {child}."),
    "beta": Phrase("MIN can already hold MAX to {bound} at {where} by choosing {child}."),
}
_DEMANDS = {
    "alpha": Phrase("It must be above {end} to make {node} worth more than {bound}."),
    "beta": Phrase("It must be below {end} to make {node} worth less than {bound}."),
}
_REACHED = {
    "alpha": Phrase("{node} cannot be worth more than {value} any more."),
    "beta": Phrase("{node} cannot be worth less than {value} any more."),
}
"""What is said of either side of a window."""

_COULD = {
    Player.MAX: Phrase("{node} could still lift {parent} from {value} into {window}."),
    Player.MIN: Phrase("{node} could still lower {parent} from {value} into {window}."),
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
    """The windows of a search as far as it has come, and what each side already has."""

    def __init__(self, voice: TreeSpeaker, rules: Rules) -> None:
        self._tree, self._rules, self._language, self._say = voice.tree, rules, voice.language, voice.say
        self._written = voice.language.number
        self.running: dict[int, Bound] = {}
        self.windows: dict[int, tuple[Bound, Bound]] = {}
        # Who can already get alpha, and to how little beta can already be held: the node that
        # chooses and the child it chooses; a chance node that asks for it stands as its own child.
        self._behind: dict[str, dict[int, tuple[int, int]]] = {"alpha": {}, "beta": {}}

    def enter(self, node: int, window: tuple[Bound, Bound]) -> None:
        """Write down the window of a node, and who stands behind it."""
        self.windows[node] = window
        parent = self._tree.parents[node]
        if parent >= 0:
            self._inherit(node, parent)

    def update(self, event: Update) -> None:
        """Bring the window of a node up to date."""
        alpha, beta = self.windows[event.node]
        self.windows[event.node] = (event.value, beta) if event.bound == "alpha" else (alpha, event.value)
        self._behind[event.bound][event.node] = (event.node, event.child)

    def _inherit(self, node: int, parent: int) -> None:
        """Pass on who stands behind alpha and beta; below a chance node that is the chance node itself."""
        if self._tree.players[parent] is not Player.CHANCE:
            for behind in self._behind.values():
                if parent in behind:
                    behind[node] = behind[parent]
            return
        alpha, beta = self.windows[parent]
        low, high = self.windows[node]
        bottom, top = self._rules.bounds or (-INFINITY, INFINITY)
        if low > bottom and alpha > -INFINITY:
            self._behind["alpha"][node] = (parent, parent)
        if high < top and beta < INFINITY:
            self._behind["beta"][node] = (parent, parent)

    def chance_requirements(self, node: int, bounds: str) -> tuple[str, ...]:
        """What a chance node's window asks of the outcome that is entered next."""
        say, parent, share = self._say, self._tree.parents[node], self._tree.probabilities[node] or 0
        ends = zip(self._behind, self.windows[node], self.windows[parent], strict=True)
        return (
            say("This outcome has probability {probability}: {bounds}.", probability=share, bounds=bounds),
            *(
                say(_DEMANDS[side], end=end, node=parent, bound=bound)
                for side, end, bound in ends
                if node in self._behind[side]
            ),
        )

    def window_owners(self, node: int) -> tuple[str, ...]:
        """Who stands behind the window of a node: `MAX can already get 3 at the root by choosing MIN B`."""
        known = []
        for (side, behind), bound in zip(self._behind.items(), self.windows[node], strict=True):
            if node in behind:
                owner, child = behind[node]
                if owner == child:
                    known.append(self._say(_NEEDS[side], bound=bound, node=owner))
                else:
                    known.append(self._say(_GETS[side], bound=bound, where=owner, child=child))
        return tuple(known)

    def entry_reason(self, node: int) -> str:
        """Why a node has to be entered when the search comes to it."""
        say, language = self._say, self._language
        parent, (alpha, beta) = self._tree.parents[node], self.windows[node]
        if parent < 0:
            return say("The search starts there.")
        known = paragraph(*(self.window_owners(node) or (say("Nothing found so far limits it."),)))
        if alpha == beta:
            return paragraph(known, say("Under ties = keep an equal value is not cut off."))
        if isinstance(alpha, float) and isinstance(beta, float):
            return paragraph(known, say("It may be worth anything."))
        ends = f"{self._written(alpha)}{language.number_separator}{self._written(beta)}"
        kind = (
            Phrase("the open window ({ends})") if self._rules.ties == "cut" else Phrase("the window [{ends}]")
        )
        window = language.term(kind, ends=ends)
        mover = self._tree.players[parent]
        if mover is Player.CHANCE:
            could = say("{node} may still be worth something in {window}.", node=node, window=window)
        elif mover is None or parent not in self.running:
            could = say(
                "{parent} has no value yet and may still end in {window}.", parent=parent, window=window
            )
        else:
            has = self.running[parent]
            could = say(_COULD[mover], node=node, parent=parent, value=has, window=window)
        return paragraph(known, could)

    def cutoff_reason(self, event: Cut) -> str:
        """Why the rest of a node is pruned: what it has found, against what, and what is skipped."""
        player, node = self._tree.players[event.node], event.node
        low = player is Player.MIN or (player is Player.CHANCE and event.value <= event.alpha)
        side = "alpha" if low else "beta"
        found = _REACHED[side] if player is Player.CHANCE else Phrase("{node} has found {value}.")
        if player is not Player.CHANCE:
            skipped = _CHILDREN
        else:
            skipped = _OTHER_OUTCOMES if node in self.running else _OUTCOMES
        nodes = branch_list(self._tree, event.skipped, self._language)
        return paragraph(
            self._say(found, node=node, value=event.value),
            self._against(event, side),
            self._say(*skipped, len(event.skipped), node=node, nodes=nodes),
        )

    def _against(self, event: Cut, side: str) -> str:
        """The comparison, and what follows from it: whose better choice, and what will not be chosen."""
        tree, node, write = self._tree, event.node, self._written
        below, above = ("≤", "≥") if self._rules.ties == "cut" else ("<", ">")
        bound, sign = (event.alpha, below) if side == "alpha" else (event.beta, above)
        if tree.has_chance or self._rules.test == "value":
            comparison = f"{write(event.value)} {sign} {side} = {write(bound)}"
        else:
            comparison = f"alpha = {write(event.alpha)} {above} beta = {write(event.beta)}"
        if node not in self._behind[side]:
            return self._say(_OUTSIDE[side], bound=bound, comparison=comparison, node=node)
        owner, child = self._behind[side][node]
        if owner == child:
            return self._say(_LACKS[side], owner=owner, bound=bound, comparison=comparison)
        whose = "tie" if event.value == bound else "parent" if owner == tree.parents[node] else "deep"
        return self._say(
            _CUTS[side][whose], bound=bound, comparison=comparison, where=owner, child=child, node=node
        )
