"""For which numbers x, a payoff that is not known, is a branch pruned or a move best, and does x matter?"""

from grader.questions.unknown_leaf.unknown_moves import CHOSEN, MATTERS
from grader.questions.unknown_leaf.unknown_pruned import EXTREME, PRUNED

KINDS = (PRUNED, EXTREME, CHOSEN, MATTERS)
