"""Programs for trees with chance nodes and for several players, with mistakes planted by replacing text."""

STAR1 = """
INF = float("inf")
def star1(node, alpha, beta, lowest, highest):
    if not node.children:
        return node.value
    if node.player == "MAX":
        best = -INF
        for child in node.children:
            best = max(best, star1(child, alpha, beta, lowest, highest))
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best
    if node.player == "MIN":
        best = INF
        for child in node.children:
            best = min(best, star1(child, alpha, beta, lowest, highest))
            beta = min(beta, best)
            if alpha >= beta:
                break
        return best
    total, rest = 0, 1
    for share, child in zip(node.probabilities, node.children):
        rest -= share
        low = (alpha - total - highest * rest) / share
        high = (beta - total - lowest * rest) / share
        value = star1(child, max(low, lowest), min(high, highest), lowest, highest)
        if value <= low:
            return alpha
        if value >= high:
            return beta
        total += share * value
    return total
"""
_CUTS = """        if value <= low:
            return alpha
        if value >= high:
            return beta
"""
_SLIDING = "max(low, lowest), min(high, highest)"
_SOFT = STAR1.replace("return alpha", "return total + share * value + highest * rest").replace(
    "return beta", "return total + share * value + lowest * rest"
)
_FRESH = STAR1.replace(_CUTS, "").replace(_SLIDING, "-INF, INF")

EXPECTIMINIMAX = """
def expectiminimax(node):
    if not node.children:
        return node.value
    values = [expectiminimax(child) for child in node.children]
    if node.player == "MAX":
        return max(values)
    if node.player == "MIN":
        return min(values)
    shares = node.probabilities
    return sum(share * value for share, value in zip(shares, values))
"""
_SUM = "sum(share * value for share, value in zip(shares, values))"

DICE = """
def expectiminimax(state, game):
    me = game.to_move(state)
    def value(state):
        if game.terminal_test(state):
            return game.utility(state, me)
        values = [after_dice(game.result(state, action)) for action in game.actions(state)]
        return max(values) if game.to_move(state) == me else min(values)
    def after_dice(state):
        if game.terminal_test(state):
            return game.utility(state, me)
        total = 0
        for chance in game.chances(state):
            total += game.probability(chance) * value(game.outcome(state, chance))
        return total
    return max(game.actions(state), key=lambda action: after_dice(game.result(state, action)))
"""

MAXN = """
def maxn(node):
    if not node.children:
        return node.payoffs
    return max(map(maxn, node.children), key=lambda payoffs: payoffs[node.player])
"""

RIGHT = {
    "Star1": ("chance", STAR1),
    "Star1 that is fail-soft": ("chance", _SOFT),
    "Star1 that keeps ties": ("chance", _SOFT.replace(">=", ">").replace("<=", "<")),
    "expectiminimax": ("chance", EXPECTIMINIMAX),
    "pruning without bounds": (
        "chance",
        "".join(
            line.replace(", lowest, highest", "") + "\n"
            for line in _FRESH.replace("star1", "expectiminimax").splitlines()
            if "highest *" not in line and "lowest *" not in line
        ),
    ),
    "a search with dice": ("dice", DICE),
    "max^n": ("multiplayer", MAXN),
    "max^n in lists, with the move": (
        "multiplayer",
        """
def max_n(node, n_players):
    if node.is_leaf():
        return list(node.payoffs), None
    best, move = [float("-inf")] * n_players, None
    for child in node.children:
        payoffs, _ = max_n(child, n_players)
        if payoffs[node.player] > best[node.player]:
            best, move = payoffs, child
    return best, move
""",
    ),
}
"""The interface and the text of right programs."""

WRONG = {
    "window-through-chance": _FRESH.replace("-INF, INF", "alpha, beta"),
    "no-chance-cuts": _FRESH,
    "only-at-max": STAR1.replace(
        "            beta = min(beta, best)\n            if alpha >= beta:\n                break\n",
        "            beta = min(beta, best)\n",
    ),
    "plain-average": EXPECTIMINIMAX.replace("share * value", "value / len(values)"),
    "outcomes-summed": EXPECTIMINIMAX.replace("share * value", "value"),
    "worst-outcome": EXPECTIMINIMAX.replace(_SUM, "min(values)"),
    "most-likely": EXPECTIMINIMAX.replace(_SUM, "values[shares.index(max(shares))]"),
    "divided-expectation": DICE.replace("return total\n", "return total / len(game.chances(state))\n"),
    "evaluates-for-mover": DICE.replace(
        "game.utility(state, me)", "game.utility(state, game.to_move(state))"
    ),
    "all-for-first": MAXN.replace("[node.player]", "[0]"),
    "others-against-first": MAXN.replace("return max(", "return (min if node.player else max)(").replace(
        "[node.player]", "[0]"
    ),
    "largest-sum": MAXN.replace("payoffs[node.player]", "sum(payoffs)"),
    "next-player-chooses": MAXN.replace("[node.player]", "[(node.player + 1) % 3]"),
    "best-of-each": MAXN.replace(
        "max(map(maxn, node.children), key=lambda payoffs: payoffs[node.player])",
        "tuple(map(max, zip(*map(maxn, node.children))))",
    ),
}
"""A wrong program for each mistake about chance nodes and several players."""
