"""An example for every code of the notation: a text with exactly this mistake, by its reader."""

from grader.trees.notation.diagnostics import MAX_DIAGNOSTICS
from grader.trees.tree import MAX_SUPPORTED_PLIES

TEXTS = {
    "no-tree": "# nothing but a comment",
    "several-trees": "3 12 8",
    # Characters, words and numbers.
    "control-character": "MAX (3\x00 4)",
    "unsafe-character": 'MAX "A\u202eB" (3 4)',
    "unclosed-quote": 'MAX "A (3 12 8)',
    "bad-escape": r'MAX "A\n" (3 12)',
    "bad-word": "MAX A-B (3 12 8)",
    "bad-number": "MAX A (3-2 8)",
    "player-word": "MAX max (3 12 8)",
    "player-unknown": "MAX A (MN B (3 12 8) MIN C (2 4 6))",
    # Brackets and lines.
    "unclosed-bracket": "MAX A (MIN B (3 12 8) MIN C (2 4 6)",
    "unopened-bracket": "MAX A (3 12 8))",
    "mismatched-bracket": "MAX A (3 12 8]",
    "indentation": "MAX\n    MIN (3)\n  MIN (4)",
    "unclear-group": "MAX A\n  (3 12 8)",
    "empty-node": "MAX A (MIN B 3 12 8)",
    "leaf-with-children": "MAX A (B(3 12 8) 4)",
    "missing": "MAX A (3, , 8)",
    "unexpected": "(MAX (3 12)=12 8)",
    # The header.
    "header-unknown": '@author "me"\n3',
    "header-value": "@ties sometimes\n3",
    "header-twice": "@ties cut\n@ties keep\n3",
    "header-place": 'MAX (3 12 8)\n@title "Figure 5.2"',
    "rules-clash": "@returns hard\n@ties keep\nMAX (3 12 8)",
    # Nodes.
    "name-twice": "MAX A (MIN B (3) MIN B (12))",
    "bad-name": 'MAX "" (3 12 8)',
    "players-mixed": "MAX (P2 (<1, 2>) P2 (<3, 4>))",
    "group-without-player": "P1 ((<1, 2> <3, 4>))",
    "payoff-kind": "P1 (<1, 2> 3)",
    "vector-length": "P1 (<1, 2> <1, 2, 6>)",
    "label-twice": "MAX (a: b: 3 12)",
    "probability-place": "MAX (1/2: 3, 1/2: 12)",
    "probability-missing": "CHANCE (1/2: 3, 12)",
    "probability-negative": "CHANCE (-1/2: 3, 3/2: 12)",
    "probability-sum": "CHANCE (0.33: 3, 0.33: 12, 0.33: 8)",
    # Claims and attributes.
    "claim-twice": "MAX A=3=4 (3 4)",
    "claim-at-leaf": "MAX A (3 e<=4)",
    "claim-kind": "MAX A=<1, 2> (3 4)",
    "attribute-unknown": "MAX A {colour=4} (3 4)",
    "attribute-twice": "MAX A {n=4, n=5} (3 4)",
    "attribute-value": "MAX A {n=-1} (3 4)",
    # Limits.
    "too-deep": "(" * (MAX_SUPPORTED_PLIES + 9),
    "more": f"({'; ' * (MAX_DIAGNOSTICS + 10)})",
}
"""Texts of trees; too many leaves have a test of their own, because they take long."""

FILES = {
    "not-utf-8": b'MAX ("\xe9" 3)',
}
"""Files of trees."""

JSON = {
    "json-syntax": '{"schema": 1, "tree": ',
    "json-key": '{"schema": 1}',
    "json-value": '{"schema": 1, "tree": [3, 12, 8]}',
}
"""Texts of trees in JSON."""

EFG = {
    "efg-syntax": 'EFG 2 R "" { "A" "B" } p',
    "efg-players": 'EFG 2 R "" { } t "" 0',
    "efg-information-set": """EFG 2 R "" { "A" "B" } p "" 1 1 "" { "" "" } 0
p "" 2 1 "" { "" } 0 t "" 1 "" { 3, -3 }
p "" 2 1 "" { "" } 0 t "" 2 "" { 2, -2 }""",
    "efg-payoff-inside": 'EFG 2 R "" { "A" "B" } p "" 1 1 "" { "" } 1 "" { 3, -3 } t "" 0',
    "efg-payoffs": 'EFG 2 R "" { "A" "B" } t "" 1 "" { 3 }',
}
"""Texts of `.efg` files."""

UNWRITTEN = {
    "efg-unknown": "MAX A (3 x 8)",
}
"""Texts of trees that no `.efg` file holds."""
