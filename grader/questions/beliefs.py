"""The misconceptions a wrong answer can show, each in words a student can learn from."""

from collections.abc import Mapping
from dataclasses import dataclass

from grader.base.phrases import Phrase


@dataclass(frozen=True, slots=True)
class Belief:
    """One misconception: what the answer looks like, and what is true instead, as whole sentences.

    `is_restatement`: the answer is the right one, said as something else, so that whoever has it and knows
    this has the right one too, without another look at the tree's values.
    """

    symptom: Phrase
    correction: Phrase
    is_restatement: bool = False


BELIEFS: Mapping[str, Belief] = {
    "players-swapped": Belief(
        Phrase("This is the answer for a game in which MAX minimises and MIN maximises."),
        Phrase("MAX takes the largest of its children's values and MIN the smallest."),
    ),
    "ties-kept": Belief(
        Phrase("This is the answer when the search goes on although alpha equals beta."),
        Phrase("Here equality is enough to prune: the test is alpha >= beta."),
    ),
    "ties-cut": Belief(
        Phrase("This is the answer when the search already stops at alpha equal to beta."),
        Phrase("Here equality is not enough to prune: the test is alpha > beta."),
    ),
    "right-to-left": Belief(
        Phrase("This is the answer for a search that visits children in the opposite order."),
        Phrase("The order of visits is part of the question, and it decides what is pruned."),
    ),
    "shallow-only": Belief(
        Phrase("Every node was compared with its parent only."),
        Phrase(
            "Alpha and beta are handed down the whole path from the root, so a bound set by a "
            "more distant ancestor can prune as well: a deep cut."
        ),
    ),
    "only-at-min": Belief(
        Phrase("Cuts were made at MIN nodes only."),
        Phrase("MAX nodes prune too: their value is compared with beta."),
    ),
    "only-at-max": Belief(
        Phrase("Cuts were made at MAX nodes only."),
        Phrase("MIN nodes prune too: their value is compared with alpha."),
    ),
    "leaves-only": Belief(
        Phrase("Single leaves were crossed out, but never a branch with a whole subtree below it."),
        Phrase("A cut removes all remaining children of the node, and everything below them."),
    ),
    "latest-not-best": Belief(
        Phrase("Alpha or beta was taken from the latest child, not from the best one so far."),
        Phrase("Alpha is the largest value MAX has found so far and never falls; beta never rises."),
    ),
    "latest-in-window": Belief(
        Phrase("Inside its window a node took alpha or beta from its latest child, not from the best one."),
        Phrase(
            "Alpha is the largest value MAX has found so far, at this node too, and never falls; "
            "beta never rises."
        ),
    ),
    "one-sibling-only": Belief(
        Phrase("After a cut only the next child was left out."),
        Phrase("A cut leaves out all remaining children of the node, not just the next one."),
    ),
    "root-alpha-forgotten": Belief(
        Phrase("Every branch of the root was searched as if nothing had been found before it."),
        Phrase("What earlier branches of the root gave is alpha (or beta) for the later ones."),
    ),
    "own-bound": Belief(
        Phrase("Nodes were cut by comparing their value with their own player's bound."),
        Phrase(
            "The value of a MIN node is compared with alpha, that of a MAX node with beta: "
            "it is the other player who will not let the game come here."
        ),
    ),
    "one-late": Belief(
        Phrase("After every cut one more child was still looked at."),
        Phrase("As soon as alpha and beta allow a cut, no further child of the node is looked at."),
    ),
    "stops-at-tie": Belief(
        Phrase("The search stopped at a node as soon as a child equalled the best value found there so far."),
        Phrase("A child that equals an earlier child changes nothing; only the window decides about a cut."),
    ),
    "returns-hard": Belief(
        Phrase("Every node that was cut returned the bound it ran into."),
        Phrase(
            "Here a node that is cut returns the best value it has found so far, which may lie "
            "beyond the bound."
        ),
    ),
    "returns-soft": Belief(
        Phrase("Every node that was cut returned the best value it had found so far."),
        Phrase(
            "Here a MIN node returns at least alpha and a MAX node at most beta, even when what it has found "
            "lies beyond."
        ),
    ),
    "sign-overlooked": Belief(
        Phrase("Negative payoffs were read without their minus sign."),
        Phrase("A payoff with a minus sign is below 0: MIN likes it, and MAX does not."),
    ),
    "second-best": Belief(
        Phrase("Just above the leaves the second best payoff was taken."),
        Phrase("A player takes the best payoff there is: MAX the largest, MIN the smallest."),
    ),
    "plain-average": Belief(
        Phrase("Outcomes were averaged as if they were equally likely."),
        Phrase("The value of a chance node weighs each outcome with its probability."),
    ),
    "most-likely": Belief(
        Phrase("The value of the most likely outcome was taken for the expectation."),
        Phrase("The expectation takes in all outcomes, each as often as it is likely."),
    ),
    "window-through-chance": Belief(
        Phrase("Alpha and beta were handed unchanged through a chance node."),
        Phrase(
            "One outcome is only a part of the expectation, so it has a window of its own: the values "
            "with which the expectation can still end in the window of the chance node."
        ),
    ),
    "no-chance-cuts": Belief(
        Phrase("Nothing was pruned at chance nodes."),
        Phrase(
            "With limits on the payoffs, the best and worst case of the outcomes still to come "
            "can settle a chance node."
        ),
    ),
    "ignores-opponent": Belief(
        Phrase("The best leaf was followed as if MAX moved at every node."),
        Phrase("MIN will not play along: at a MIN node the smallest value counts."),
    ),
    "returned-for-value": Belief(
        Phrase("These are the values that alpha-beta search returns, not the minimax values."),
        Phrase(
            "A node that was cut returns only a bound; its minimax value takes all its children into account."
        ),
    ),
    "never-prunes": Belief(
        Phrase("Every leaf was visited, as plain minimax does."),
        Phrase("Alpha-beta search leaves a node as soon as alpha and beta allow it."),
    ),
    "not-reordered": Belief(
        Phrase("The children were taken in the order in which they are drawn."),
        Phrase("Before each iteration the children are sorted by what the earlier ones found."),
    ),
    "largest-first": Belief(
        Phrase("The child with the largest score was put first, at MIN nodes too."),
        Phrase("At a MIN node the child with the smallest score comes first: it is the best for MIN."),
    ),
    "worst-first": Belief(
        Phrase("The worst child for the player who moves was put first."),
        Phrase("The best child is visited first, so that the others can be pruned."),
    ),
    "pruned-scored": Belief(
        Phrase("Nodes that had been pruned were sorted by a score as well."),
        Phrase("A pruned node is never looked at: it keeps the score it had, and without one it comes last."),
    ),
    "backed-up-for-own": Belief(
        Phrase("The children were sorted by the values that the search backed up to them."),
        Phrase("Here a node's score is its own static evaluation."),
    ),
    "own-for-backed-up": Belief(
        Phrase("The children were sorted by their own static evaluations."),
        Phrase("Here a node's score is the value that the last search of it returned."),
    ),
    "plays-unfinished": Belief(
        Phrase("This is the move of the iteration that was not finished."),
        Phrase("Only an iteration that is finished has compared all moves, so its move stands."),
    ),
    "one-iteration-early": Belief(
        Phrase("This is the move of the iteration before the last one that was finished."),
        Phrase("Each iteration that is finished replaces the move of the one before."),
    ),
    "whole-tree": Belief(
        Phrase("The whole tree was searched, down to its leaves."),
        Phrase("The search stops at its depth limit and takes the static evaluations there."),
    ),
    "one-ply-early": Belief(
        Phrase("The search was stopped one ply too early."),
        Phrase("A search to depth d looks d moves ahead: the root itself counts for none."),
    ),
    "before-the-change": Belief(
        Phrase("This is the last depth at which the old move is still best."),
        Phrase("The question asks for the first depth at which the best move is another one."),
    ),
    "after-the-change": Belief(
        Phrase("This is one ply more than the depth at which the best move changes."),
        Phrase("The question asks for the first depth at which the best move is another one."),
    ),
    "weights-ignored": Belief(
        Phrase("The features were added up without their weights."),
        Phrase("The evaluation is a weighted sum: each feature counts as often as its weight says."),
    ),
    "weight-sign-ignored": Belief(
        Phrase("A negative weight was taken for a positive one."),
        Phrase("A feature with a negative weight speaks against MAX, and lowers the evaluation."),
    ),
    "share-for-value": Belief(
        Phrase("This is the share of the positions that are won."),
        Phrase("The value is the expected utility: each share counts with the utility of its outcome."),
    ),
    "beyond-win": Belief(
        Phrase("This function goes beyond a win or a loss in positions that are not over."),
        Phrase("No position can be worth more than a win or less than a loss."),
    ),
    "end-misvalued": Belief(
        Phrase("This function is not the utility in positions that are over."),
        Phrase("Where the game is over, an evaluation is the utility itself."),
    ),
    "bound-ignored": Belief(
        Phrase("The bounds that are known at nodes were not used."),
        Phrase("A known bound can settle a node before anything below it is looked at."),
    ),
    "bound-always-prunes": Belief(
        Phrase("Everything was pruned below nodes with a known bound."),
        Phrase("A bound prunes only when alpha or beta, compared with it, allow a cut."),
    ),
    "bound-turned": Belief(
        Phrase("An upper bound was taken for a lower one, or the other way round."),
        Phrase("An upper bound of a node is compared with alpha, a lower bound with beta."),
    ),
    "window-for-range": Belief(
        Phrase("This is the window of the node, not the range of its value."),
        Phrase("Alpha and beta come from above as well; the range of a value comes of the leaves below it."),
    ),
    "only-last-leaf": Belief(
        Phrase("Only the leaf that was looked at last was taken into account."),
        Phrase("Every leaf seen so far counts."),
    ),
    "unseen-known": Belief(
        Phrase("Leaves that were not looked at yet were taken as they are."),
        Phrase("A leaf that was not looked at may hold anything, so nothing is known that depends on it."),
    ),
    "exact-for-provisional": Belief(
        Phrase("These are the minimax values of the nodes."),
        Phrase("A node at which the search stops early keeps the best value it had found until then."),
    ),
    "order-is-enough": Belief(
        Phrase("It was taken to be enough that larger payoffs stay larger."),
        Phrase("With chance nodes the distances between payoffs count as well, not only their order."),
    ),
    "only-linear-keeps": Belief(
        Phrase("The decision was taken to change because the transformation is not linear."),
        Phrase("Without chance the order of payoffs decides, and in one tree a decision can stay by luck."),
    ),
    "constant-matters": Belief(
        Phrase("A factor or a constant was taken to change decisions."),
        Phrase("A positive multiple plus a constant changes all values alike, and no decision."),
    ),
    "any-scale-keeps": Belief(
        Phrase("Decisions were taken to stay although larger payoffs do not stay larger."),
        Phrase("Where the order of payoffs is lost, a choice between two of them can change."),
    ),
    "slope-sign-overlooked": Belief(
        Phrase("A negative factor was taken for a positive one."),
        Phrase("A negative factor turns the order of the payoffs round."),
    ),
    "shape-overlooked": Belief(
        Phrase("A curve was taken for a straight line."),
        Phrase("Only a multiple plus a constant is linear: powers stretch some distances more than others."),
    ),
    "negatives-overlooked": Belief(
        Phrase("Negative payoffs were left out of account."),
        Phrase("The square of a negative number is positive: the order of payoffs is lost."),
    ),
    "move-kept": Belief(
        Phrase("This is the move that was best before the payoffs were replaced."),
        Phrase("The values have to be worked out again from the new payoffs."),
    ),
    "lists-visited": Belief(
        Phrase("This lists what the search does look at."),
        Phrase("The question asks for what it never looks at."),
        is_restatement=True,
    ),
    "counts-pruned": Belief(
        Phrase("This counts the leaves that are pruned."),
        Phrase("The question asks for the leaves that are visited."),
        is_restatement=True,
    ),
    "counts-all-nodes": Belief(
        Phrase("Inner nodes were counted as well."),
        Phrase("The question asks for leaves only."),
        is_restatement=True,
    ),
    "mean-alone": Belief(
        Phrase("Only the mean of the playouts was looked at."),
        Phrase("A child that was tried seldom gets more: c times the square root of ln N / n is added."),
    ),
    "counts-exchanged": Belief(
        Phrase("The two numbers of playouts were exchanged below the square root."),
        Phrase("N, whose logarithm is taken, counts for all children; n, the child's own, divides it."),
    ),
    "no-square-root": Belief(
        Phrase("The square root was left out."),
        Phrase("What is added is c times the square root of ln N / n."),
    ),
    "common-logarithm": Belief(
        Phrase("The logarithm to the base 10 was taken."),
        Phrase("The natural logarithm ln is meant, to the base e."),
    ),
    "constant-left-out": Belief(
        Phrase("What is added for exploration was not multiplied by c."),
        Phrase("The constant c says how much exploration weighs, and it is not 1 here."),
    ),
    "exploration-turned": Belief(
        Phrase("What exploration is worth got the wrong sign."),
        Phrase("Whoever takes the highest score adds it, and whoever takes the lowest subtracts it."),
    ),
    "least-tried-first": Belief(
        Phrase("The child that was tried least was chosen."),
        Phrase("The score decides, and the mean of the playouts is a part of it."),
    ),
    "most-tried-first": Belief(
        Phrase("The child that was tried most was chosen."),
        Phrase(
            "That is how the move is chosen when the search is over; while it goes on, the score decides."
        ),
    ),
    "untried-passed-over": Belief(
        Phrase("A child that was never tried was passed over."),
        Phrase("A child that was never tried comes first, whatever the others have won."),
    ),
    "lowest-for-min": Belief(
        Phrase("MIN took the child with the lowest score."),
        Phrase("Wins are counted for the player who moved into a node, so MIN too takes the highest score."),
    ),
    "highest-for-min": Belief(
        Phrase("MIN took the child with the highest score."),
        Phrase("All wins are those of MAX here, so MIN takes the lowest score."),
    ),
    "last-node-alone": Belief(
        Phrase("Only the node from which the playout started was updated."),
        Phrase("The result is propagated back to every node on the path, up to the root."),
    ),
    "root-not-updated": Belief(
        Phrase("The root was left as it was."),
        Phrase("The root lies on every path, so it counts every playout."),
    ),
    "root-alone": Belief(
        Phrase("Only the root was updated."),
        Phrase("The result is propagated back along the whole path: every node on it is updated."),
    ),
    "whole-tree-updated": Belief(
        Phrase("Every node of the tree was updated."),
        Phrase("The result is propagated back along the path alone: all other nodes stay as they are."),
    ),
    "counted-if-won": Belief(
        Phrase("Only nodes whose player won the playout counted it."),
        Phrase("A playout is counted by every node on the path, whoever won it."),
    ),
    "same-wins-for-both": Belief(
        Phrase("The result was added at every node, whoever moved into it."),
        Phrase("A node counts the wins of the player who moved into it, so players take turns on the path."),
    ),
    "win-for-everybody": Belief(
        Phrase("A win was added at every node, although only one of the players has won."),
        Phrase("A playout has one winner: nodes that count the wins of the other player stay as they are."),
    ),
    "win-at-every-node": Belief(
        Phrase("Every node of the tree counted one win more."),
        Phrase(
            "Only nodes on the path gain a win, and of these only those that count the wins of the winner."
        ),
    ),
    "wins-for-the-mover": Belief(
        Phrase("Every node counted the win of the player who moves there."),
        Phrase("A node counts the wins of the player who moved into it: this player decides to go there."),
    ),
    "wins-for-both": Belief(
        Phrase("Players took turns in counting the result."),
        Phrase("Every node counts the wins of MAX here, whoever moved into it."),
    ),
    "draws-left-out": Belief(
        Phrase("Drawn playouts were left out."),
        Phrase("A draw has its own worth, and it counts among the playouts."),
    ),
    "draws-as-losses": Belief(
        Phrase("Draws were counted as losses."),
        Phrase("A draw is worth what lies half-way between a win and a loss."),
    ),
    "sum-for-mean": Belief(
        Phrase("The results were added up and not divided."),
        Phrase("The mean is the sum of the results over the number of playouts."),
    ),
    "wins-alone": Belief(
        Phrase("Only the share of won playouts was taken."),
        Phrase("Draws and losses are worth something too, and the mean counts them."),
    ),
    "all-for-first": Belief(
        Phrase("Every player was taken to choose what is best for P1."),
        Phrase("Each player compares its own payoffs alone."),
    ),
    "others-against-first": Belief(
        Phrase("The other players were taken to choose what is worst for P1, as MIN does."),
        Phrase(
            "In a game of several players nobody plays against anybody: each maximises its own payoff, "
            "whatever that does to the others."
        ),
    ),
    "largest-sum": Belief(
        Phrase("Every player was taken to choose the payoffs with the largest sum."),
        Phrase("Each player compares its own payoffs, not what all get together."),
    ),
    "best-of-each": Belief(
        Phrase("The best payoff of every player was taken from all children at once."),
        Phrase("A move leads to one child, and all players get the payoffs that this child is worth."),
    ),
    "next-player-chooses": Belief(
        Phrase("At every node the payoffs of the player who moves next were compared."),
        Phrase("At a node that player chooses who moves there."),
    ),
    "leftmost-tie": Belief(
        Phrase("Ties were given to the leftmost move only."),
        Phrase("A player who does not care may make any of the moves, and the others feel the difference."),
    ),
    "other-end": Belief(
        Phrase("This is the other end of what ties allow."),
        Phrase("The question says whether the least or the largest payoff is asked for."),
    ),
    "any-leaf": Belief(
        Phrase("This was looked up among all leaves."),
        Phrase("Only those leaves count to which best play can come."),
    ),
    "deep-cut-of-several": Belief(
        Phrase("The bound of a player further up was used for a deep cut."),
        Phrase(
            "With more than two players a bound holds for a node and its parent only: "
            "what a player further up cannot want may still change what the players between them choose."
        ),
    ),
    "two-player-cut": Belief(
        Phrase("The branch was cut as in a game of MAX and MIN."),
        Phrase(
            "Nobody here wants to make a payoff of somebody else small: whoever moves may still "
            "choose a child that the player further up likes better."
        ),
    ),
    "never-cut-of-several": Belief(
        Phrase("It was taken for granted that nothing can be cut when several players play."),
        Phrase(
            "Where payoffs have a known sum and are never negative, what one player gets limits what is left "
            "for the others."
        ),
    ),
    "phase-before": Belief(
        Phrase("This is the phase before it."),
        Phrase("Selection walks through the tree, expansion adds a node, simulation plays; then all count."),
    ),
    "phase-after": Belief(
        Phrase("This is the phase after it."),
        Phrase("Only when a phase is done does the next one begin: walk, add, play, count."),
    ),
    "nothing-pruned": Belief(
        Phrase("This is how deep plain minimax comes."),
        Phrase("Alpha-beta search in a good order visits about the square root of what minimax visits."),
    ),
    "all-pruned": Belief(
        Phrase("This is how deep alpha-beta search comes in the best order."),
        Phrase("Here everything is visited, b^d leaves at depth d: nothing is pruned."),
    ),
    "branching-halved": Belief(
        Phrase("The branching factor was halved, and not the exponent."),
        Phrase("Pruning halves the exponent: b^(d/2) is the d-th power of the square root of b."),
    ),
    "one-ply-more": Belief(
        Phrase("This is the next depth, which the search does not complete."),
        Phrase("A depth counts only when all leaves that it takes fit into the time."),
    ),
    "time-left-out": Belief(
        Phrase("The leaves of one second were taken for those of the whole time."),
        Phrase("The search visits as many leaves as it visits in a second, times the number of seconds."),
    ),
    "leaves-over-depth": Belief(
        Phrase("The leaves were divided by the depth."),
        Phrase("The branching factor is multiplied with itself once for every ply, so it is a root."),
    ),
    "square-root": Belief(
        Phrase("The square root was taken, whatever the depth."),
        Phrase("With d plies it is the d-th root."),
    ),
    "one-ply-less": Belief(
        Phrase("One ply was left out."),
        Phrase("A tree of depth d has d levels of branches."),
    ),
    "last-level-alone": Belief(
        Phrase("Only the leaves were counted."),
        Phrase("The nodes of all levels count, from the root on."),
    ),
    "root-left-out": Belief(
        Phrase("The root was not counted."),
        Phrase("The root is a node too: b^0 = 1."),
    ),
    "branching-times-depth": Belief(
        Phrase("Branching and depth were multiplied."),
        Phrase("Every level has b times as many nodes as the one above it: levels multiply."),
    ),
    "root-of-all": Belief(
        Phrase("The exponent was halved, and what is left of it dropped."),
        Phrase("The number of leaves is b^⌈d/2⌉ + b^⌊d/2⌋ − 1: either player has to show something."),
    ),
    "one-line-counted-twice": Belief(
        Phrase("One leaf was counted twice."),
        Phrase("The line of best play belongs to both parts of the sum, so 1 is taken away."),
    ),
    "sequences-for-positions": Belief(
        Phrase("This counts the orders in which the squares can be filled."),
        Phrase("Different orders lead to the same position, and each position counts once."),
    ),
    "positions-for-sequences": Belief(
        Phrase("This counts what can stand on the board, not how it came there."),
        Phrase("The orders in which the squares are filled are counted: every move has one square less."),
    ),
    "squares-to-the-signs": Belief(
        Phrase("Base and exponent were exchanged."),
        Phrase(
            "Every square is in one of so many states, so the states are multiplied once for every square."
        ),
    ),
    "squares-used-again": Belief(
        Phrase("Every move could choose among all squares."),
        Phrase("A square that is taken is not free any more: every move has one square less to choose from."),
    ),
    "digits-for-exponent": Belief(
        Phrase("This is how many digits the number has."),
        Phrase("A number between 10^n and 10^(n+1) has n+1 digits."),
    ),
    "exponent-itself": Belief(
        Phrase("The number in the exponent, or before the sign !, was taken as it is."),
        Phrase("Only a power of ten can be read off; another one has to be brought to the base 10."),
    ),
    "natural-exponent": Belief(
        Phrase("This is the exponent to the base e."),
        Phrase("The exponent to the base 10 takes the logarithm to the base 10."),
    ),
    "power-for-factorial": Belief(
        Phrase("This belongs to n^n."),
        Phrase("n! = n·(n−1)·...·1 is much less than n^n: every factor is one less than the one before."),
    ),
    "opponent-perfect": Belief(
        Phrase("MIN was taken to play as well as it can."),
        Phrase("How this MIN plays is given, and it is not always the best move."),
    ),
    "adapts-to-opponent": Belief(
        Phrase("MAX was taken to make the best of what MIN does."),
        Phrase("The minimax strategy chooses as if MIN played perfectly, whatever MIN then does."),
    ),
    "keeps-to-minimax": Belief(
        Phrase("MAX was taken to keep to its minimax strategy."),
        Phrase("Who knows how MIN plays compares the moves by what they get from this MIN."),
    ),
    "always-even-better": Belief(
        Phrase("It was taken for granted that minimax play gets more whenever MIN errs."),
        Phrase(
            "Minimax play never gets less, but an error may be where play does not come, or cost nothing."
        ),
    ),
    "helped-by-opponent": Belief(
        Phrase("The moves lead to the best leaf, as if the other side helped to come there."),
        Phrase("What counts is what a strategy gets against the best play of the other side."),
    ),
    "one-line-only": Belief(
        Phrase("Only the moves on the line of best play are named."),
        Phrase("A strategy has an answer to everything that the other side may do, to its mistakes too."),
    ),
    "false-tie": Belief(
        Phrase("This move only seems as good: its search was cut and returned the value of the best move."),
        Phrase("A node that was cut returns a bound, and its minimax value may be worse."),
    ),
    "ends-turned": Belief(
        Phrase("The end points of the set are treated the other way."),
        Phrase("At an end point two numbers are equal: what the question says of equality decides there."),
    ),
    "turned-round": Belief(
        Phrase("These are the numbers for which it is the other way round."),
        Phrase("The question asks for the numbers for which it holds."),
        is_restatement=True,
    ),
    "next-whole": Belief(
        Phrase("This is the next whole number beside the end."),
        Phrase("Where equality is enough the end itself counts, and payoffs need not be whole numbers."),
    ),
    "unknown-alone": Belief(
        Phrase("The unknown payoff was taken for the value of the branch it stands in."),
        Phrase("The other payoffs of the branch still count: MIN takes the smallest, MAX the largest."),
    ),
    "unknown-always-matters": Belief(
        Phrase("An unknown payoff was taken to leave the answer open in any case."),
        Phrase("A payoff matters only where some number in its place would change the answer."),
    ),
    "value-for-decision": Belief(
        Phrase("The value of the game and the decision were taken for the same thing."),
        Phrase("The value can change while the same move stays best."),
    ),
    "other-extreme": Belief(
        Phrase(
            "This answers the opposite question: for the most leaves in place of the fewest, "
            "or for the fewest in place of the most."
        ),
        Phrase("Look again at whether the fewest or the most leaves are asked for."),
    ),
    "largest-everywhere": Belief(
        Phrase("At every node the largest value was put first."),
        Phrase("What is best for MAX is worst for MIN: at a MIN node the smallest value is the best."),
    ),
    "order-unchanged": Belief(
        Phrase("This is the count for the tree as it is drawn."),
        Phrase("In another order other leaves are pruned."),
    ),
    "root-of-leaves": Belief(
        Phrase("This is the square root of the number of leaves, or near it."),
        Phrase("Even in the best order more leaves are visited than that."),
    ),
    "other-cuts": Belief(
        Phrase("These are the nodes of the other kind of cut."),
        Phrase("An alpha cut is one at a MIN node, a beta cut one at a MAX node."),
    ),
    "every-cut": Belief(
        Phrase("These are the nodes of all cuts, whatever their kind."),
        Phrase("The question asks for one kind of cut."),
    ),
    "children-for-node": Belief(
        Phrase("These are branches that are cut off, not the nodes at which the search cuts."),
        Phrase("A cut happens at a node, and what it leaves out are children of that node."),
        is_restatement=True,
    ),
    "sibling-before": Belief(
        Phrase("This is the child that was searched just before."),
        Phrase("The value that counts is the best one so far, and it may stand at an ancestor further up."),
    ),
    "own-child": Belief(
        Phrase("This is the child after which the node was left."),
        Phrase("Its value is compared with what an ancestor of the node already has."),
    ),
    "any-reason": Belief(
        Phrase("It is so that nothing is cut off, but this is not why."),
        Phrase("Look at what the node is worth, and at the values that its ancestors have by then."),
    ),
    "cut-everywhere": Belief(
        Phrase("Something was taken to be cut off here, or the reason to be another one."),
        Phrase("A cut needs a value of an ancestor of the other player, met before the last child."),
    ),
    "node-itself": Belief(
        Phrase("This is the node at which the search cuts."),
        Phrase("The question asks where the value comes from with which it is compared."),
    ),
    "all-but-first": Belief(
        Phrase("Only the first children of nodes were taken to be safe."),
        Phrase("A cut needs a value at an ancestor, and it leaves out all children that follow."),
    ),
    "whole-subtrees-never": Belief(
        Phrase("Only leaves were taken to be cut off, never a whole subtree."),
        Phrase("A cut removes all remaining children of the node, and everything below them."),
    ),
    "payoffs-not-chosen": Belief(
        Phrase("It was taken to be impossible, since the payoffs are not known."),
        Phrase("It is enough that there are some payoffs that do it, and they may be chosen."),
    ),
    "payoffs-turned": Belief(
        Phrase("With all signs turned round these payoffs would do it."),
        Phrase("MIN is cut by small values and MAX by large ones."),
    ),
    "all-the-same": Belief(
        Phrase("All payoffs are the same."),
        Phrase("Equality cuts wherever it can, which is more than is wanted here, or nothing."),
    ),
    "always-a-draw": Belief(
        Phrase("The game was taken for a draw, as it is from the start."),
        Phrase("From the start tic-tac-toe is a draw; after a mistake it need not be."),
    ),
    "open-lines-alone": Belief(
        Phrase("The move was chosen that leaves most lines open."),
        Phrase("An evaluation guesses; near the end what the other side answers can be looked at."),
    ),
    "other-evaluation": Belief(
        Phrase("The position was evaluated by another function."),
        Phrase("The evaluation is the one that the question states."),
    ),
    "own-lines-alone": Belief(
        Phrase("Only the lines of X were counted."),
        Phrase("The lines that are open for O are subtracted."),
    ),
    "side-of-o": Belief(
        Phrase("Positions were evaluated from the side of O."),
        Phrase("Every evaluation is from the side of MAX, who plays X, whoever moves."),
    ),
    "every-empty-square": Belief(
        Phrase("Every empty square was counted."),
        Phrase("A game that is over has no moves, and a disc falls: a column that is not full is one move."),
    ),
    "every-square": Belief(
        Phrase("Moves were counted that are not there."),
        Phrase("Squares that are taken and columns that are full are no moves."),
    ),
    "one-move-a-heap": Belief(
        Phrase("Every heap was counted as one move."),
        Phrase("From a heap of n stones one can take 1, 2, and so on up to n stones: these are n moves."),
    ),
    "other-player": Belief(
        Phrase("The sign of the other player was put there."),
        Phrase("Whoever is to move puts a sign of their own."),
    ),
    "mirrored": Belief(
        Phrase("The sign stands on the mirrored square."),
        Phrase("Left and right are those of who looks at the board."),
    ),
    "moved-twice": Belief(
        Phrase("Both players have moved."),
        Phrase("A move is that of one player: the result has one sign more."),
    ),
    "full-board-alone": Belief(
        Phrase("The game was taken to be over when the board is full, and only then."),
        Phrase("A line ends the game too, however many squares are free."),
    ),
    "threat-for-line": Belief(
        Phrase("The game was taken to be over though there is no line yet."),
        Phrase("As long as nobody has a line and there is a move left, the game goes on."),
    ),
    "turn-mistaken": Belief(
        Phrase("The move was taken to be the other player's."),
        Phrase("MAX moves first: where both have as many signs on the board it is the move of MAX."),
    ),
    "worth-to-min": Belief(
        Phrase("The position was valued from the side of MIN."),
        Phrase("Utilities are those of MAX: a win of MAX is worth 1 and one of MIN −1."),
        is_restatement=True,
    ),
    "one-for-any-win": Belief(
        Phrase("A win was counted as 1, whoever wins."),
        Phrase("Utilities are those of MAX: a win of MIN is a loss."),
    ),
    "old-states-stay": Belief(
        Phrase("The states from before the move were kept."),
        Phrase(
            "Result(b, a) has the states that the move leads to, and those where it is illegal "
            "as they are; it has no others."
        ),
    ),
    "illegal-vanishes": Belief(
        Phrase("States in which the move is illegal were dropped."),
        Phrase("Where a move is illegal nothing happens, so the agent may still be in that state."),
    ),
    "not-merged": Belief(
        Phrase("Every state was counted for itself, though several lead to the same one."),
        Phrase("A belief is a set: a state that several states lead to is in it once."),
    ),
    "other-rule-of-actions": Belief(
        Phrase("This is the answer by the other rule for Actions(b)."),
        Phrase("The question says whether a move has to be legal in some of the states or in all of them."),
    ),
    "one-goal-is-enough": Belief(
        Phrase("It was taken for enough that one of the states is a goal."),
        Phrase("A belief passes the goal test only if every state in it is a goal."),
    ),
    "sees-nothing": Belief(
        Phrase("What the agent sees after a move was not used."),
        Phrase("What is seen rules states out, and the next move may depend on it."),
    ),
    "sees-everything": Belief(
        Phrase("After a move the state was taken for known."),
        Phrase("States that look the same cannot be told apart, so the same move is made in them."),
    ),
    "known-at-once": Belief(
        Phrase("The first move was chosen for each state apart, as if the state were known."),
        Phrase("Before anything is seen, one move has to do for all states the agent may be in."),
    ),
    "order-does-not-matter": Belief(
        Phrase("The order of the children was taken to make no difference."),
        Phrase("What comes first sets alpha and beta, and these decide what is pruned."),
    ),
    "other-order-helps": Belief(
        Phrase("The opposite order was taken for the better one without trying it."),
        Phrase("Which order prunes more depends on the payoffs: good moves have to come first."),
    ),
    "returns-always-exact": Belief(
        Phrase("The value that a search returns was taken for the minimax value everywhere."),
        Phrase(
            "A node that was cut returns a bound only; at the root alone the value is certain to be exact."
        ),
    ),
    "returns-exact-at-root-only": Belief(
        Phrase("Only at the root was the returned value taken for exact."),
        Phrase("A node that was searched to its end may return its exact value as well."),
    ),
    "any-line-keeps": Belief(
        Phrase("Every multiple of the payoffs was taken to keep the decision."),
        Phrase("Multiplying by a negative number turns good into bad."),
    ),
    "negative-always-changes": Belief(
        Phrase("A negative factor was taken to change every decision."),
        Phrase("It turns the order of the payoffs round; which move is best then has to be worked out."),
    ),
    "wrong-formula": Belief(
        Phrase("The count comes of another formula."),
        Phrase(
            "Minimax looks at b to the power d leaves, perfectly ordered alpha-beta search at about the "
            "square root of that, and memory grows with b times d."
        ),
    ),
    "chance-is-imperfect": Belief(
        Phrase("Chance was taken for imperfect information, or the other way round."),
        Phrase("Dice hide nothing: information is imperfect when a player does not see the whole position."),
    ),
    "payoffs-for-paths": Belief(
        Phrase("These are the payoffs of leaves."),
        Phrase("Leaves are named by their path numbers, which count them from the left."),
        is_restatement=True,
    ),
}
"""Every misconception by its name."""

PAYOFFS_FOR_PATHS = "payoffs-for-paths"
"""The one belief that is about writing the answer and not about finding it: no exercise has a reply for it,
because it can go with any other."""
