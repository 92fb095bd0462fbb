"""Search programs written by script: every interface, several styles, and mistakes planted into them.

A style decides how the program is built, a mistake changes single lines. Nothing here shares code with the
package: the searches are written as text.
"""

import re
from dataclasses import dataclass
from textwrap import indent

PRUNING_MISTAKES = (
    "never-prunes",
    "shallow-only",
    "only-at-min",
    "only-at-max",
    "leaves-only",
    "latest-not-best",
    "latest-in-window",
    "one-sibling-only",
    "root-alpha-forgotten",
    "own-bound",
    "one-late",
    "stops-at-tie",
    "inherited-bound-lost",
    "right-to-left",
    "window-start",
    "window-swapped",
    "window-shared",
    "reversed-test",
)
VALUE_MISTAKES = (
    "players-swapped",
    "ignores-opponent",
    "sign-overlooked",
    "second-best",
    "same-player-below-root",
    "evaluates-for-mover",
    "deeper-move",
    "best-start",
    "first-child-only",
    "no-leaf-test",
)
STYLES = ("flag", "pair", "tuple", "guarded", "clamped")
"""One function with a flag; two functions; values with moves; the test at the head of the loop; fail-hard."""


@dataclass(frozen=True)
class Words:
    """How an interface says it: `node` is the state, `c` a child or a move, `depth` what is left."""

    head: str
    is_leaf: str
    value: str
    children: str
    child: str
    tail: str


HEADS = {
    "lists": Words(
        "",
        "not isinstance(node, list)",
        "node",
        "node",
        "c",
        "def alphabeta(node, depth, alpha, beta, maximizing):\n    return ENTRY\n",
    ),
    "nodes": Words(
        "",
        "not node.children",
        "node.value",
        "node.children",
        "c",
        "def alphabeta(node, depth, alpha, beta, maximizing):\n    return ENTRY\n",
    ),
    "aima": Words(
        "GAME = None\n",
        "GAME.terminal_test(node)",
        'GAME.utility(node, "MAX")',
        "GAME.actions(node)",
        "GAME.result(node, c)",
        "def alphabeta_search(state, game):\n    global GAME\n    GAME = game\n    node, depth = state, 0\n"
        "    return MOVE\n",
    ),
    "mit": Words(
        "",
        "node.is_game_over() or depth <= 0",
        "(node.get_endgame_score(True) if node.is_game_over() else HEURISTIC(node.get_snapshot(), True))",
        "node.generate_next_states()",
        "c",
        "HEURISTIC = None\n"
        "def minimax_search_alphabeta(state, alpha, beta, heuristic_fn, depth_limit, maximize):\n"
        "    global HEURISTIC\n    HEURISTIC = heuristic_fn\n    node, depth = state, depth_limit\n"
        "    value = ENTRY\n    return ([state], value, 0)\n",
    ),
    "cs50": Words(
        'X, O = "X", "O"\ndef player(board): pass\ndef actions(board): pass\n'
        "def result(board, action): pass\n"
        "def terminal(board): pass\ndef utility(board): pass\n",
        "terminal(node)",
        "utility(node)",
        "actions(node)",
        "result(node, c)",
        "def minimax(board):\n    if terminal(board):\n        return None\n    node, depth = board, 0\n"
        "    maximizing = player(board) == X\n    return MOVE\n",
    ),
    "values": Words(
        "VALUES, HEIGHT = [], 0\n",
        "node[0] == HEIGHT",
        "VALUES[node[1]]",
        "((node[0] + 1, 2 * node[1]), (node[0] + 1, 2 * node[1] + 1))",
        "c",
        "def minimax(depth, node_index, maximizing, values, alpha, beta, height):\n"
        "    global VALUES, HEIGHT\n    VALUES, HEIGHT = values, height\n    node = (depth, node_index)\n"
        "    return ENTRY\n",
    ),
    "isolation": Words(
        "SCORE = None\n",
        "not node.get_legal_moves() or depth == 0",
        "SCORE(node)",
        "node.get_legal_moves()",
        "node.forecast_move(c)",
        "class AlphaBetaPlayer:\n    def __init__(self, search_depth=3):\n        pass\n"
        '    def alphabeta(self, game, depth, alpha=float("-inf"), beta=float("inf")):\n'
        "        global SCORE\n        SCORE = lambda state: self.score(state, self)\n        node = game\n"
        "        return MOVE\n",
    ),
    "pacman": Words(
        "",
        "node.isWin() or node.isLose() or depth == 0",
        "EVALUATE(node)",
        "node.getLegalActions(AGENT)",
        "node.generateSuccessor(AGENT, c)",
        "EVALUATE = None\n"
        "class MultiAgentSearchAgent(Agent):\n"
        '    def __init__(self, evalFn="scoreEvaluationFunction", depth="2"):\n'
        "        self.index, self.depth = 0, int(depth)\n"
        "class AlphaBetaAgent(MultiAgentSearchAgent):\n    def getAction(self, gameState):\n"
        "        global EVALUATE, AGENTS\n"
        "        EVALUATE, AGENTS = self.evaluationFunction, gameState.getNumAgents()\n"
        "        node, depth = gameState, self.depth * gameState.getNumAgents()\n        return MOVE\n",
    ),
}


def program(interface: str, style: str, mistake: str = "", *, ties: str = "cut", test: str = "best") -> str:
    """Return the text of an alpha-beta program with at most one mistake.

    `test` is what is compared with the bound: `best` before the window is updated, or the `window` after.
    """
    words = HEADS[interface]
    lead = "from game import Agent\nimport util\nAGENTS = 2\n" if interface == "pacman" else ""
    text = 'INF = float("inf")\n' + lead + words.head
    if style == "pair":
        for side in ("max", "min"):
            other = side if mistake == "ignores-opponent" else _other(side)
            lines = _body(interface, side, style, mistake, ties, test, other)
            text += f"def {side}_value(node, depth, alpha, beta, top=False):\n" + indent(lines, "    ")
    else:
        text += "def search(node, depth, alpha, beta, side, top=False):\n"
        for side in ("max", "min"):
            other = side if mistake == "ignores-opponent" else _other(side)
            lines = _body(interface, side, style, mistake, ties, test, other)
            text += f"    if side == {side!r}:\n" + indent(lines, "        ")
    first = "min" if mistake == "players-swapped" else "max"
    windows = (
        "alpha, beta" if "alpha" in words.tail.partition("(")[2] and interface != "pacman" else "-INF, INF"
    )
    windows = "0, INF" if mistake == "window-start" else windows
    if interface == "cs50":
        first = f'("{first}" if maximizing else "{_other(first)}")'
        call = f"search(node, depth, {windows}, {first}, True)"
        if style == "pair":
            call = f"(max_value if {first} == 'max' else min_value)(node, depth, {windows}, True)"
    elif style == "pair":
        call = f"{first}_value(node, depth, {windows}, True)"
    else:
        call = f"search(node, depth, {windows}, {first!r}, True)"
    if mistake == "window-shared":
        call = call.replace(f"{windows}, ", "")
        text = text.replace("depth, alpha, beta", "depth").replace("depth - 1, alpha, beta", "depth - 1")
        text = re.sub(r"(def \w+\(node, depth.*\n)", r"\1    global alpha, beta\n", text)
        text += "alpha, beta = -INF, INF\n"
    answer = call + ("[0]" if style == "tuple" else "")
    move = call + "[1]" if style == "tuple" else f"[{call}, MOVES[-1]][1]"
    return text + "MOVES = [None]\n" + words.tail.replace("ENTRY", answer).replace("MOVE\n", move + "\n")


def _other(side: str) -> str:
    return "min" if side == "max" else "max"


def _other_way(comparison: str) -> str:
    return comparison.translate(str.maketrans("<>", "><"))


def _body(interface: str, side: str, style: str, mistake: str, ties: str, test: str, child_side: str) -> str:
    """Return the lines for one player; they end with the return of the value."""
    words = HEADS[interface]
    up = side == "max"
    own, bound = ("alpha", "beta") if up else ("beta", "alpha")
    better = ">" if up else "<"
    reaches = better + ("=" if ties == "cut" else "")
    value = f"abs({words.value})" if mistake == "sign-overlooked" else words.value
    if mistake == "evaluates-for-mover" and not up:
        value = f"-({value})"
    is_leaf = re.sub(r".* or (?=depth)|not node.children", "", words.is_leaf) or "depth == 0"
    is_leaf = is_leaf if mistake == "no-leaf-test" else words.is_leaf
    head = f"if {is_leaf}:\n    return {f'({value}, None)' if style == 'tuple' else value}\n"
    if interface == "pacman":
        # `depth` counts single turns down to 0 and is a multiple of AGENTS at MAX.
        agent = "(-depth) % AGENTS"
        head += f"agent = {agent}\n"
        child_side_text = "('max' if (agent + 1) % AGENTS == 0 else 'min')"
        if mistake == "ignores-opponent":
            child_side_text = "'max'"
        if mistake == "players-swapped":
            child_side_text = "('min' if (agent + 1) % AGENTS == 0 else 'max')"
    elif mistake == "same-player-below-root":
        child_side_text = f"({side!r} if top else {child_side!r})"
    else:
        child_side_text = repr(child_side)
    children = words.children.replace("AGENT)", "agent)")
    child = words.child.replace("AGENT,", "agent,")
    if mistake == "right-to-left":
        children = f"list({children})[::-1]"
    window = "alpha, beta"
    if mistake == "shallow-only":
        window = "best, INF" if up else "-INF, best"
    if mistake == "window-swapped":
        window = "beta, alpha"
    if mistake == "root-alpha-forgotten":
        window = "*((-INF, INF) if top else (alpha, beta))"
    if style == "pair":
        function = f"{child_side}_value"
        if interface == "pacman" or mistake == "same-player-below-root":
            function = f"{{'max': max_value, 'min': min_value}}[{child_side_text}]"
        call = f"{function}({child}, depth - 1, {window})"
    else:
        call = f"search({child}, depth - 1, {window}, {child_side_text})"
    if style == "tuple":
        call += "[0]"
    best_start = "0" if mistake == "best-start" else "-INF" if up else "INF"
    update = {
        "latest-not-best": f"{own} = value",
        "inherited-bound-lost": f"{own} = best",
        "latest-in-window": f"{own} = {side}(start, value)",
    }.get(mistake, f"{own} = {side}({own}, value)")
    tested = "best" if test == "best" else own
    condition = f"{tested} {reaches} {bound}"
    if mistake == "own-bound":
        worse = "<" if up else ">"
        condition = f"best {worse}{'=' if ties == 'cut' else ''} {own}"
    if mistake == "reversed-test":
        condition = f"{tested} {_other_way(reaches)} {bound}"
    if mistake in ("never-prunes", "second-best") or mistake == ("only-at-min" if up else "only-at-max"):
        condition = "False"
    close = {
        "one-late": "late = True",
        "leaves-only": "closed = True",
        "one-sibling-only": "skip = True",
    }.get(mistake, "break")
    lines = [f"value = {call}"]
    if mistake == "stops-at-tie":
        lines.append("if value == best:\n    break")
    keeps = "True" if mistake == "deeper-move" else "top"
    lines.append(
        f"if value {better} best:\n    best, move = value, c\n    if {keeps}:\n        MOVES.append(c)"
    )
    if mistake == "one-late":
        lines.append("if late:\n    break")
    guard = {"leaves-only": "not closed and ", "one-sibling-only": "not skip and "}.get(mistake, "")
    cut = f"if {guard}{condition}:\n    {close}"
    order = [cut, update] if test == "best" or mistake == "own-bound" else [update, cut]
    if style == "guarded" and mistake in ("", "only-at-min", "only-at-max", "never-prunes", "shallow-only"):
        # the test at the head of the loop, before the next child
        lines = [f"if {condition}:\n    break", *lines, update]
    else:
        lines += order
    if mistake == "leaves-only":
        inner = words.is_leaf.replace("node", "kid").replace("VALUES[kid", "VALUES[node")
        lines.insert(
            0, f"kid = {child}\nif closed and ({inner.replace('depth', '(depth - 1)')}):\n    continue"
        )
    if mistake == "one-sibling-only":
        lines.insert(0, "if skip and not skipped:\n    skipped = True\n    continue")
    setup = f"best, move, start = {best_start}, None, {own}\nlate = closed = skip = skipped = False\n"
    if style == "clamped" and mistake in ("", "only-at-min", "only-at-max", "right-to-left", "one-late"):
        result = "max(alpha0, min(beta0, best))"
        setup += "alpha0, beta0 = alpha, beta\n"
    else:
        result = "best"
    move = "MOVES[-1]" if mistake == "deeper-move" else "move"
    end = f"return {f'(best, {move})' if style == 'tuple' else result}\n"
    if mistake == "first-child-only":
        lines.append(end)
    loop = f"for c in {children}:\n" + indent("\n".join(lines), "    ") + "\n"
    if mistake == "second-best":
        pick = "-2" if up else "1"
        leaf = words.is_leaf.replace("node", "k")
        head += (
            f"kids = [{child.replace('c', 'c', 1)} for c in {children}]\n"
            f"if len(kids) > 1 and all({leaf.replace('depth', '(depth - 1)')} for k in kids):\n"
            f"    found = [{words.value.replace('node', 'k')} for k in kids]\n"
            f"    second = sorted(found)[{pick}]\n"
            "    if top:\n"
            f"        MOVES.append(list({children})[len(found) - 1 - found[::-1].index(second)])\n"
            f"    return {'(second, MOVES[-1])' if style == 'tuple' else 'second'}\n"
        )
    return head + setup + loop + end
