"""What stands on the board during a search: windows, who is behind them, why a node is entered or cut."""

from grader.base.numbers import INFINITY, Bound
from grader.base.phrases import Language, Phrase
from grader.explaining.naming import branches, called, written
from grader.rules import Rules
from grader.solvers.trace import Cut, Update
from grader.tree import Player, Tree

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


class Board:
    """The windows of a search as far as it has come, and what each side already has."""

    def __init__(self, tree: Tree, rules: Rules, language: Language) -> None:
        self.tree, self.rules, self.language = tree, rules, language
        self.running: dict[int, Bound] = {}
        self.windows: dict[int, tuple[Bound, Bound]] = {}
        # Who can already get alpha, and to how little beta can already be held: the node that
        # chooses and the child it chooses; a chance node that asks for it stands as its own child.
        self._alpha_from: dict[int, tuple[int, int]] = {}
        self._beta_from: dict[int, tuple[int, int]] = {}

    def called(self, node: int) -> str:
        """How a node is called."""
        return called(self.tree, node, self.language)

    def written(self, value: Bound) -> str:
        """A value as text."""
        return written(value, self.language)

    def enter(self, node: int, window: tuple[Bound, Bound]) -> None:
        """Write down the window of a node, and who stands behind it."""
        self.windows[node] = window
        parent = self.tree.parents[node]
        if parent >= 0:
            self._inherit(node, parent)

    def update(self, event: Update) -> None:
        """Bring the window of a node up to date."""
        alpha, beta = self.windows[event.node]
        if event.bound == "alpha":
            self.windows[event.node] = (event.value, beta)
            self._alpha_from[event.node] = (event.node, event.child)
        else:
            self.windows[event.node] = (alpha, event.value)
            self._beta_from[event.node] = (event.node, event.child)

    def _inherit(self, node: int, parent: int) -> None:
        """Pass on who stands behind alpha and beta; below a chance node that is the chance node itself."""
        if self.tree.players[parent] is not Player.CHANCE:
            for source in (self._alpha_from, self._beta_from):
                if parent in source:
                    source[node] = source[parent]
            return
        alpha, beta = self.windows[parent]
        low, high = self.windows[node]
        bottom, top = self.rules.bounds or (-INFINITY, INFINITY)
        if low > bottom and alpha > -INFINITY:
            self._alpha_from[node] = (parent, parent)
        if high < top and beta < INFINITY:
            self._beta_from[node] = (parent, parent)

    def demand(self, node: int, bounds: str) -> tuple[str, ...]:
        """What a chance node's window asks of the outcome that is entered next."""
        tree, parent, say = self.tree, self.tree.parents[node], self.language.say
        probability = self.written(tree.probabilities[node] or 0)
        (low, high), (alpha, beta) = self.windows[node], self.windows[parent]
        asked, mover = [], self.called(parent)
        if node in self._alpha_from:
            asked.append(
                say(
                    "It must be above {low} to make {node} worth more than {bound}.",
                    low=self.written(low),
                    node=mover,
                    bound=self.written(alpha),
                )
            )
        if node in self._beta_from:
            asked.append(
                say(
                    "It must be below {high} to make {node} worth less than {bound}.",
                    high=self.written(high),
                    node=mover,
                    bound=self.written(beta),
                )
            )
        outcome = say(
            "This outcome has probability {probability}: {bounds}.", probability=probability, bounds=bounds
        )
        return (outcome, *asked)

    def known(self, node: int) -> tuple[str, ...]:
        """Who stands behind the window of a node."""
        known = []
        for side, bound in zip(("alpha", "beta"), self.windows[node], strict=True):
            source = self._source(node, side)
            if source is not None:
                known.append(self._gets(source, side, bound))
        return tuple(known)

    def _source(self, node: int, side: str) -> tuple[int, int] | None:
        return (self._alpha_from if side == "alpha" else self._beta_from).get(node)

    def _gets(self, source: tuple[int, int], side: str, bound: Bound) -> str:
        """`MAX can already get 3 at the root by choosing MIN B.`: who stands behind alpha or beta."""
        (owner, child), text, say = source, self.written(bound), self.language.say
        if owner == child:
            name = self.called(owner)
            if side == "alpha":
                return say("{node} needs more than {bound} of this outcome.", node=name, bound=text)
            return say("{node} needs less than {bound} of this outcome.", node=name, bound=text)
        where, choice = self._where(owner), self.called(child)
        if side == "alpha":
            return say(
                "MAX can already get {bound} at {where} by choosing {child}.",
                bound=text,
                where=where,
                child=choice,
            )
        return say(
            "MIN can already hold MAX to {bound} at {where} by choosing {child}.",
            bound=text,
            where=where,
            child=choice,
        )

    def _where(self, node: int) -> str:
        return self.called(node) if node else self.language.term("the root")

    def why_open(self, node: int) -> str:
        """Why a node cannot be skipped when the search comes to it."""
        say, tree = self.language.say, self.tree
        parent, (alpha, beta) = tree.parents[node], self.windows[node]
        if parent < 0:
            return say("The search starts there.")
        known = " ".join(self.known(node) or (say("Nothing is known yet."),))
        if alpha == beta:
            return f"{known} {say('Under ties = keep an equal value is not cut off.')}"
        if isinstance(alpha, float) and isinstance(beta, float):
            return f"{known} {say('It may be worth anything.')}"
        name, mover = self.called(node), self.called(parent)
        ends = f"{self.written(alpha)}{self.language.between}{self.written(beta)}"
        window = (
            self.language.term("the open window ({ends})", ends=ends)
            if self.rules.ties == "cut"
            else self.language.term("the window [{ends}]", ends=ends)
        )
        if tree.players[parent] is Player.CHANCE:
            return (
                f"{known} {say('{node} may still be worth something in {window}.', node=name, window=window)}"
            )
        if parent not in self.running:
            return (
                known
                + " "
                + say("{parent} has no value yet and may still end in {window}.", parent=mover, window=window)
            )
        has = self.written(self.running[parent])
        if tree.players[parent] is Player.MAX:
            could = say(
                "{node} could still lift {parent} from {value} into {window}.",
                node=name,
                parent=mover,
                value=has,
                window=window,
            )
        else:
            could = say(
                "{node} could still lower {parent} from {value} into {window}.",
                node=name,
                parent=mover,
                value=has,
                window=window,
            )
        return f"{known} {could}"

    def why_cut(self, event: Cut) -> str:
        """Why the rest of a node is pruned: what it has found, against what, and what is skipped."""
        return f"{self._found(event)} {self._against(event)} {self._skipped(event)}"

    def _found(self, event: Cut) -> str:
        name, value, say = self.called(event.node), self.written(event.value), self.language.say
        if self.tree.players[event.node] is not Player.CHANCE:
            return say("{node} has found {value}.", node=name, value=value)
        if event.value <= event.alpha:
            return say("{node} cannot be worth more than {value} any more.", node=name, value=value)
        return say("{node} cannot be worth less than {value} any more.", node=name, value=value)

    def _against(self, event: Cut) -> str:
        """The comparison, and what follows from it: whose better choice, and what will not be chosen."""
        tree, node, rules, say = self.tree, event.node, self.rules, self.language.say
        player, parent = tree.players[node], tree.parents[node]
        low = player is Player.MIN or (player is Player.CHANCE and event.value <= event.alpha)
        side, bound = ("alpha", event.alpha) if low else ("beta", event.beta)
        below, above = ("≤", "≥") if rules.ties == "cut" else ("<", ">")
        if player is Player.CHANCE or tree.has_chance or rules.test == "value":
            shown = f"{self.written(event.value)} {below if low else above} {side} = {self.written(bound)}"
        else:
            shown = f"alpha = {self.written(event.alpha)} {above} beta = {self.written(event.beta)}"
        source, told = self._source(node, side), {"bound": self.written(bound), "comparison": shown}
        if source is None:
            if low:
                return say("No payoff is below {bound} ({comparison}), so it cannot get better.", **told)
            return say("No payoff is above {bound} ({comparison}), so it cannot get better.", **told)
        owner, child = source
        told |= {"node": self.called(node), "where": self._where(owner), "child": self.called(child)}
        if owner == child:
            told["owner"] = self.called(owner)
            if low:
                return say(
                    "{owner} needs more than {bound} of this outcome, and cannot get it here ({comparison}).",
                    **told,
                )
            return say(
                "{owner} needs less than {bound} of this outcome, and cannot get it here ({comparison}).",
                **told,
            )
        endings = _ALPHA_CUTS if low else _BETA_CUTS
        tie = event.value == bound
        return say(endings["tie" if tie else "parent" if owner == parent else "deep"], **told)

    def _skipped(self, event: Cut) -> str:
        """What is pruned by a cut."""
        nodes, say = branches(self.tree, event.skipped, self.language), self.language.say
        count, node = len(event.skipped), self.called(event.node)
        if self.tree.players[event.node] is not Player.CHANCE:
            return say(
                "The other child of {node}, {nodes}, is pruned.",
                "The other children of {node}, {nodes}, are pruned.",
                count,
                node=node,
                nodes=nodes,
            )
        if event.node in self.running:
            return say(
                "The other outcome of {node}, {nodes}, is pruned.",
                "The other outcomes of {node}, {nodes}, are pruned.",
                count,
                node=node,
                nodes=nodes,
            )
        return say(
            "The outcome of {node}, {nodes}, is pruned.",
            "The outcomes of {node}, {nodes}, are pruned.",
            count,
            node=node,
            nodes=nodes,
        )
