"""The words and signs that mean something in a reply, in any case; one line to add another."""

from unicodedata import normalize

FILLER = "FILLER"
"""Words that tell a marker nothing: every form passes over them."""

_KINDS = {
    "NONE": "none nothing nil nobody empty keine keiner keines keins nichts ∅ ⌀ ø",
    "NO": "no",
    "BELOW": "below under",
    "WITH": "with",
    "NOUN": """leaf leafs leaves node nodes branch branches subtree subtrees edge edges set pruning prunings
        cuts cutoff cutoffs terminal terminals child children move moves below under one ones
        go goes play plays choose chooses take takes pick picks select selects""",
    "PATH": "path paths number numbers nr nos",
    "ALL": "all everything every each any ℝ ∀",
    "EXCEPT": "except but excluding without",
    "OF": "of",
    "AND": "and und & ∧ ∩",
    "OR": "or oder ∨ ∪ u",
    "TO": "to through thru until till",
    "DIRECTION": "left leftmost right rightmost middle centre center first second third fourth fifth last",
    "VALUE": "value val v minimax result returns returned returning return",
    "VISITED": "visited evaluated explored examined expanded total in",
    "INF": "inf infinity infinite infty oo ∞",
    "VULGAR": "½ ⅓ ⅔ ¼ ¾ ⅕ ⅖ ⅗ ⅘ ⅙ ⅚ ⅐ ⅛ ⅜ ⅝ ⅞ ⅑ ⅒",
    "ALPHA": "alpha α",
    "BETA": "beta β",
    "BLANK": "never not unknown blank",
    "CUT": "pruned prune prunes cut crossed skipped unvisited",
    "MORE": "more greater larger bigger",
    "LESS": "less smaller",
    "THAN": "than",
    "EQUAL": "equal",
    "AT": "at",
    "LEAST": "least",
    "MOST": "most",
    "ABOVE": "above over",
    "NOT": "not",
    "IN": "in ∈ within inside",
    "OUTSIDE": "outside ∉",
    "BETWEEN": "between",
    "ALWAYS": "always",
    "NEVER": "never",
    "DASH": "-",
    "LONGDASH": "— ―",
    "PLUS": "+",
    "ARROW": "→ ⇒ ⟶ ↦ ➔ ➜ =>",
    "EQUALS": "= == :=",
    "COLON": ":",
    "LE": "<= =< ≤",
    "GE": ">= ≥",
    "LT": "< ⟨ 〈 ‹",
    "GT": "> ⟩ 〉 ›",
    "NE": "!= <> =/= ≠",
    "ABOUT": "~ ≈ ≅ ≃",
    "HASH": "# №",
    "COMMA": ", ، 、",
    "SEMICOLON": ";",
    "BAR": "| /",
    "BACKSLASH": "\\ ∖",
    "DOT": ". ! ?",
    "DOTS": "…",
    "LPAREN": "(",
    "RPAREN": ")",
    "LBRACKET": "[",
    "RBRACKET": "]",
    "LBRACE": "{",
    "RBRACE": "}",
    FILLER: """the are is be been being was were get gets got will would can could only just also namely
        prune prunes pruned cut off out crossed answer it its that there of for these those this so thus hence
        therefore then finally we get have has my our which as well with both them they either else should
        best optimal equally good tied""",
}

_RUNS = {"--": "LONGDASH", "->": "ARROW", "=>": "ARROW", "..": "DOTS"}
"""Signs that may be repeated, by their last two characters: `--`, `-->`, `...`."""

WORDS: dict[str, tuple[str, ...]] = {}
"""Every word and sign in lower case with the kinds it can be; a form takes the first it has a use for."""

for _kind, _words in _KINDS.items():
    for _word in _words.split():
        if _kind not in WORDS.get(_word, ()):
            WORDS[_word] = (*WORDS.get(_word, ()), _kind)

_IDLE = """
    the is are was were this that of for by from to on at in as with it its and be we get my our
    choice choose chooses pick picks select selects answer result value minimax utility payoff score
    outcome root tree player max min chance leaf leaves node nodes branch branches subtree subtrees
    edge path move moves via under below best optimal good equally tied highest higher largest
    larger biggest bigger greatest greater maximum maximal minimum visited evaluated explored
    examined total
"""
IDLE = frozenset(_IDLE.split())
"""Words that say nothing new in a remark behind an answer: `C (the largest)`."""

_POINTING = "left right middle leftmost rightmost all but except without"
POINTING = frozenset(_POINTING.split())
"""Words that say nothing new where they are no answer, as beside a number: `7 (all but those of C)`."""

_RETRACTING = """
    no not nope nor or oder actually mean meant rather instead sorry oops wait wrong mistake
    correction maybe perhaps possibly nein nicht sondern
"""
RETRACTING = frozenset(_RETRACTING.split())
"""Words that may take an answer back, or leave it open."""

POSITIONS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
"""The ordinals people write as words."""

VULGAR = {sign: normalize("NFKC", sign).replace("⁄", "/") for sign in _KINDS["VULGAR"].split()}
"""Fractions that are one character."""


def kinds(text: str) -> tuple[str, ...]:
    """The kinds a word or a sign can be, empty for a word that is only ever a name."""
    return WORDS.get(text) or WORDS.get(text.casefold()) or ((run,) if (run := _RUNS.get(text[-2:])) else ())
