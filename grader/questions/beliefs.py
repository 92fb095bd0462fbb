"""The misconceptions a wrong answer can show, each in words a student can learn from."""

from collections.abc import Mapping
from dataclasses import dataclass

from grader.base.phrases import Phrase


@dataclass(frozen=True, slots=True)
class Belief:
    """One misconception: the symptom in the answer and the correction, as whole sentences.

    `is_restatement`: the answer is the correct one in another form, such as payoffs in place of leaf numbers,
    so that a student who is told this knows the correct answer.
    """

    symptom: Phrase
    correction: Phrase
    is_restatement: bool = False


BELIEFS: Mapping[str, Belief] = {
    "players-swapped": Belief(
        Phrase("In this answer, the players are swapped: MAX minimizes and MIN maximizes."),
        Phrase("MAX takes the largest of its children's values, and MIN takes the smallest."),
    ),
    "ties-kept": Belief(
        Phrase("In this answer, the search continues when alpha equals beta."),
        Phrase("Here equality is enough to prune: the search stops when alpha >= beta."),
    ),
    "ties-cut": Belief(
        Phrase("In this answer, the search stops as soon as alpha equals beta."),
        Phrase("Here equality is not enough to prune: the search stops only when alpha > beta."),
    ),
    "right-to-left": Belief(
        Phrase("In this answer, the search visits the children in the opposite order."),
        Phrase("The question states the order of visits, which determines what is pruned."),
    ),
    "shallow-only": Belief(
        Phrase("Every node was compared only with its parent."),
        Phrase(
            "Alpha and beta are passed down the whole path from the root. "
            "So a bound set by a more distant ancestor can prune too: this is a deep cutoff."
        ),
    ),
    "only-at-min": Belief(
        Phrase("Cutoffs were made only at MIN nodes."),
        Phrase("MAX nodes have cutoffs too: their values are compared with beta."),
    ),
    "only-at-max": Belief(
        Phrase("Cutoffs were made only at MAX nodes."),
        Phrase("MIN nodes have cutoffs too: their values are compared with alpha."),
    ),
    "leaves-only": Belief(
        Phrase("Only single leaves were pruned, never a branch with a whole subtree below it."),
        Phrase("A cutoff prunes all remaining children of the node and everything below them."),
    ),
    "latest-not-best": Belief(
        Phrase("Alpha or beta was set to the most recent child's value, not to the best value so far."),
        Phrase(
            "Alpha is the largest value that MAX has found so far, so it never decreases; "
            "beta never increases."
        ),
    ),
    "latest-in-window": Belief(
        Phrase(
            "For values inside the node's window, alpha or beta was set to the most recent child's value, "
            "not to the best value so far."
        ),
        Phrase(
            "Alpha is the largest value that MAX has found so far, including at this node, so it never "
            "decreases. Likewise, beta never increases."
        ),
    ),
    "one-sibling-only": Belief(
        Phrase("After a cutoff, only the next child was pruned."),
        Phrase("A cutoff prunes all remaining children of the node, not just the next one."),
    ),
    "root-alpha-forgotten": Belief(
        Phrase("Every branch of the root was searched without using the values found earlier."),
        Phrase("The values of the root's earlier branches set alpha (or beta) for its later branches."),
    ),
    "own-bound": Belief(
        Phrase("Nodes were pruned by comparing their values with their own player's bound."),
        Phrase(
            "The value of a MIN node is compared with alpha; the value of a MAX node is compared with beta. "
            "The opponent would avoid this node."
        ),
    ),
    "one-late": Belief(
        Phrase("One child too many was visited after each cutoff."),
        Phrase("As soon as alpha and beta allow a cutoff, no more children of the node are visited."),
    ),
    "stops-at-tie": Belief(
        Phrase(
            "The search left a node as soon as a child's value equaled the best value found so far at that "
            "node."
        ),
        Phrase(
            "A child with the same value as an earlier child changes nothing. "
            "Only alpha and beta determine whether there is a cutoff."
        ),
    ),
    "returns-hard": Belief(
        Phrase("Every node with a cutoff returned the bound that caused it."),
        Phrase(
            "Here a node with a cutoff returns the best value it has found so far, which may be beyond the "
            "bound."
        ),
    ),
    "returns-soft": Belief(
        Phrase("Every node with a cutoff returned the best value it had found so far."),
        Phrase(
            "Here a MIN node returns at least alpha, and a MAX node returns at most beta, even if the value "
            "found is beyond that bound."
        ),
    ),
    "sign-overlooked": Belief(
        Phrase("Negative payoffs were read without their minus signs."),
        Phrase("A payoff with a minus sign is negative: good for MIN and bad for MAX."),
    ),
    "second-best": Belief(
        Phrase("The second-best payoff was chosen just above the leaves."),
        Phrase(
            "A player takes the best payoff available: MAX takes the largest, and MIN takes the smallest."
        ),
    ),
    "plain-average": Belief(
        Phrase("Outcomes were averaged as if they were equally likely."),
        Phrase("The value of a chance node is the average of its outcomes, weighted by their probabilities."),
    ),
    "most-likely": Belief(
        Phrase("The value of the most likely outcome was used as the expected value."),
        Phrase("The expected value includes every outcome, weighted by its probability."),
    ),
    "window-through-chance": Belief(
        Phrase("Alpha and beta were passed unchanged through a chance node."),
        Phrase(
            "An outcome is only one part of the expected value, so it has its own window. "
            "This window contains the outcome's values for which the expected value can still be inside the "
            "chance node's window."
        ),
    ),
    "no-chance-cuts": Belief(
        Phrase("Nothing was pruned at chance nodes."),
        Phrase(
            "If the payoffs are bounded, the best and worst cases of the remaining outcomes can be "
            "sufficient for a cutoff at a chance node."
        ),
    ),
    "ignores-opponent": Belief(
        Phrase("The game was solved as if MAX also moved at the MIN nodes."),
        Phrase("MIN will not cooperate: a MIN node takes the smallest value of its children."),
    ),
    "ignores-max": Belief(
        Phrase("The game was solved as if MIN also moved at the MAX nodes."),
        Phrase("MAX will not cooperate: a MAX node takes the largest value of its children."),
    ),
    "returned-for-value": Belief(
        Phrase("These are the values that alpha-beta search returns, not the minimax values."),
        Phrase("A node with a cutoff returns only a bound. Its minimax value depends on all its children."),
    ),
    "never-prunes": Belief(
        Phrase("Every leaf was visited, as in plain minimax."),
        Phrase("Alpha-beta search leaves a node as soon as alpha and beta allow a cutoff."),
    ),
    "not-reordered": Belief(
        Phrase("The children were visited in the order in which they are drawn."),
        Phrase("Before each iteration, the children are sorted by the scores from earlier iterations."),
    ),
    "largest-first": Belief(
        Phrase("The child with the largest score was put first, even at MIN nodes."),
        Phrase(
            "At a MIN node, the child with the smallest score comes first because it is the best for MIN."
        ),
    ),
    "worst-first": Belief(
        Phrase("The worst child for the player to move was put first."),
        Phrase("The best child is visited first, so that the others can be pruned."),
    ),
    "pruned-scored": Belief(
        Phrase("Pruned nodes were also given new scores and sorted by them."),
        Phrase("A pruned node is never visited. It keeps its earlier score; if it has none, it comes last."),
    ),
    "backed-up-for-own": Belief(
        Phrase("The children were sorted by their backed-up values."),
        Phrase("Here a node's score is its own static evaluation."),
    ),
    "own-for-backed-up": Belief(
        Phrase("The children were sorted by their own static evaluations."),
        Phrase("Here a node's score is the value that the last search of it returned."),
    ),
    "plays-unfinished": Belief(
        Phrase("This is the move of the unfinished iteration."),
        Phrase("Only a finished iteration has compared all moves, so its move is played."),
    ),
    "one-iteration-early": Belief(
        Phrase("This is the move from the iteration before the correct one."),
        Phrase("Each finished iteration replaces the move of the previous one."),
    ),
    "whole-tree": Belief(
        Phrase("The whole tree was searched, down to its leaves."),
        Phrase("The search stops at its depth limit and uses the static evaluations there."),
    ),
    "one-ply-early": Belief(
        Phrase("The search was stopped one ply too early."),
        Phrase("A search to depth d looks d moves ahead; the root is at depth 0."),
    ),
    "before-the-change": Belief(
        Phrase("This is the last depth at which the earlier move is still best."),
        Phrase("The question asks for the first depth at which the best move changes."),
    ),
    "after-the-change": Belief(
        Phrase("This depth is one ply greater than the depth at which the best move changes."),
        Phrase("The question asks for the first depth at which the best move changes."),
    ),
    "weights-ignored": Belief(
        Phrase("The features were added without being multiplied by their weights."),
        Phrase("The evaluation is a weighted sum: each feature is multiplied by its weight."),
    ),
    "weight-sign-ignored": Belief(
        Phrase("A negative weight was treated as positive."),
        Phrase("A feature with a negative weight is bad for MAX and lowers the evaluation."),
    ),
    "share-for-value": Belief(
        Phrase("This is the proportion of wins, not the expected utility."),
        Phrase(
            "The value is the expected utility: each proportion is multiplied by the utility of its outcome."
        ),
    ),
    "beyond-win": Belief(
        Phrase(
            "In some nonterminal positions, this function is greater than the utility of a win or less than "
            "the utility of a loss."
        ),
        Phrase("No position can be worth more than a win or less than a loss."),
    ),
    "end-misvalued": Belief(
        Phrase("In some terminal positions, this function differs from the utility."),
        Phrase("In a terminal position, the evaluation must equal the utility."),
    ),
    "bound-ignored": Belief(
        Phrase("The known bounds at nodes were not used."),
        Phrase("A known bound can make it unnecessary to search a node at all."),
    ),
    "bound-always-prunes": Belief(
        Phrase("Everything below nodes with a known bound was pruned."),
        Phrase("A bound prunes only if its comparison with alpha or beta allows a cutoff."),
    ),
    "bound-turned": Belief(
        Phrase("An upper bound was confused with a lower bound, or vice versa."),
        Phrase(
            "An upper bound on a node's value is compared with alpha; a lower bound is compared with beta."
        ),
    ),
    "window-for-range": Belief(
        Phrase("This is the window of the node, not the range of its possible values."),
        Phrase(
            "Alpha and beta also depend on ancestors. "
            "The range of a node's possible values depends only on the leaves below it."
        ),
    ),
    "only-last-leaf": Belief(
        Phrase("Only the leaf visited last was used."),
        Phrase("Every leaf visited so far counts."),
    ),
    "unseen-known": Belief(
        Phrase("Leaves that have not been visited yet were treated as known."),
        Phrase(
            "A leaf that has not been visited may have any payoff, so values that depend on it are not "
            "known yet."
        ),
    ),
    "exact-for-provisional": Belief(
        Phrase("These are the minimax values of the nodes."),
        Phrase(
            "A node at which the search stops early keeps the best value that it has found up to that point."
        ),
    ),
    "order-is-enough": Belief(
        Phrase("The answer assumes that preserving the order of the payoffs is sufficient."),
        Phrase("With chance nodes, the magnitudes of the payoffs matter, not only their order."),
    ),
    "only-linear-keeps": Belief(
        Phrase("The answer assumes that the decision changes because the transformation is not linear."),
        Phrase(
            "Without chance nodes, only the order of the payoffs matters. "
            "In a particular tree, a decision can also stay the same by coincidence."
        ),
    ),
    "constant-matters": Belief(
        Phrase("The answer assumes that a positive factor or an added constant changes decisions."),
        Phrase(
            "Multiplying by a positive factor and adding a constant changes all values in the same way, so "
            "no decision changes."
        ),
    ),
    "any-scale-keeps": Belief(
        Phrase("The answer assumes that decisions stay the same even if the order of the payoffs changes."),
        Phrase("If the order of the payoffs changes, a choice between two of them can change."),
    ),
    "slope-sign-overlooked": Belief(
        Phrase("A negative factor was treated as positive."),
        Phrase("A negative factor reverses the order of the payoffs."),
    ),
    "shape-overlooked": Belief(
        Phrase("A nonlinear transformation was treated as linear."),
        Phrase(
            "A transformation is linear only if it multiplies by a factor and adds a constant. "
            "Powers stretch some differences more than others."
        ),
    ),
    "negatives-overlooked": Belief(
        Phrase("Negative payoffs were overlooked."),
        Phrase(
            "The square of a negative number is positive, so squaring can change the order of the payoffs."
        ),
    ),
    "move-kept": Belief(
        Phrase("This is the move that was best before the payoffs were replaced."),
        Phrase("The values must be computed again from the new payoffs."),
    ),
    "lists-visited": Belief(
        Phrase("This answer lists what the search visits."),
        Phrase("The question asks for what the search never visits."),
        is_restatement=True,
    ),
    "counts-pruned": Belief(
        Phrase("This is the number of pruned leaves."),
        Phrase("The question asks for the leaves that are visited."),
        is_restatement=True,
    ),
    "counts-all-nodes": Belief(
        Phrase("Inner nodes were counted too."),
        Phrase("The question asks only for leaves."),
        is_restatement=True,
    ),
    "mean-alone": Belief(
        Phrase("Only the mean result of the playouts was used."),
        Phrase("A child that has rarely been tried gets a larger exploration term, c·sqrt(ln N / n)."),
    ),
    "counts-exchanged": Belief(
        Phrase("The playout counts N and n were swapped under the square root."),
        Phrase(
            "N, inside the logarithm, counts the playouts of the parent. "
            "The divisor n counts the playouts of the child."
        ),
    ),
    "no-square-root": Belief(
        Phrase("The square root was omitted."),
        Phrase("The exploration term is c·sqrt(ln N / n)."),
    ),
    "common-logarithm": Belief(
        Phrase("The base-10 logarithm was used."),
        Phrase("The formula uses ln, the natural logarithm."),
    ),
    "constant-left-out": Belief(
        Phrase("The exploration term was not multiplied by c."),
        Phrase("The constant c weights the exploration term; here it is not 1."),
    ),
    "exploration-turned": Belief(
        Phrase("The sign of the exploration term is incorrect."),
        Phrase(
            "Where the highest score is selected, the exploration term is added; "
            "where the lowest score is selected, it is subtracted."
        ),
    ),
    "least-tried-first": Belief(
        Phrase("The child with the fewest playouts was chosen."),
        Phrase("The score determines the selection; the mean result of the playouts is only part of it."),
    ),
    "most-tried-first": Belief(
        Phrase("The child with the most playouts was chosen."),
        Phrase(
            "That rule is used to choose the move after the search has ended. "
            "During the search, the score determines the selection."
        ),
    ),
    "untried-passed-over": Belief(
        Phrase("A child without playouts was passed over."),
        Phrase("A child without playouts is selected first, regardless of the results of the others."),
    ),
    "lowest-for-min": Belief(
        Phrase("MIN took the child with the lowest score."),
        Phrase(
            "Each node counts the wins of the player who moved into it, so MIN also takes the highest score."
        ),
    ),
    "highest-for-min": Belief(
        Phrase("MIN took the child with the highest score."),
        Phrase("All wins counted here are wins by MAX, so MIN takes the lowest score."),
    ),
    "last-node-alone": Belief(
        Phrase("Only the counts at the node where the playout started were updated."),
        Phrase("The result is backed up to every node on the path, up to the root."),
    ),
    "root-not-updated": Belief(
        Phrase("The counts at the root were not updated."),
        Phrase("The root is on every path, so every playout is counted there."),
    ),
    "root-alone": Belief(
        Phrase("Only the counts at the root were updated."),
        Phrase("The result is backed up along the whole path: every node on it is updated."),
    ),
    "whole-tree-updated": Belief(
        Phrase("The counts at every node of the tree were updated."),
        Phrase("The result is backed up only along the path: no other node changes."),
    ),
    "counted-if-won": Belief(
        Phrase("The playout was counted only at nodes whose player won it."),
        Phrase("Every node on the path counts the playout, regardless of who won."),
    ),
    "same-wins-for-both": Belief(
        Phrase("The result was added at every node, regardless of which player moved into it."),
        Phrase(
            "A node counts the wins of the player who moved into it, so the player whose wins are counted "
            "alternates along the path."
        ),
    ),
    "win-for-everybody": Belief(
        Phrase("A win was added at every node, although only one player won."),
        Phrase("A playout has one winner. Nodes that count the other player's wins do not gain a win."),
    ),
    "win-at-every-node": Belief(
        Phrase("A win was added at every node of the tree."),
        Phrase("A win is added only at nodes that are on the path and count the winner's wins."),
    ),
    "wins-for-the-mover": Belief(
        Phrase("Every node counted the wins of the player who moves there."),
        Phrase(
            "A node counts the wins of the player who moved into it: this is the player who chooses the node."
        ),
    ),
    "wins-for-both": Belief(
        Phrase("The result was credited to the two players alternately."),
        Phrase("Here every node counts the wins of MAX, regardless of which player moved into it."),
    ),
    "draws-left-out": Belief(
        Phrase("Drawn playouts were ignored."),
        Phrase("A drawn playout counts too, and a draw has its own utility."),
    ),
    "draws-as-losses": Belief(
        Phrase("Draws were counted as losses."),
        Phrase("The utility of a draw is halfway between a win and a loss."),
    ),
    "sum-for-mean": Belief(
        Phrase("The results were added but not divided by the number of playouts."),
        Phrase("The mean is the sum of the results divided by the number of playouts."),
    ),
    "wins-alone": Belief(
        Phrase("Only the proportion of won playouts was used."),
        Phrase("Draws and losses have utilities too, and the mean includes them."),
    ),
    "all-for-first": Belief(
        Phrase("The answer assumes that every player chooses what is best for P1."),
        Phrase("Each player compares only its own payoffs."),
    ),
    "others-against-first": Belief(
        Phrase("The answer assumes that the other players choose what is worst for P1, as MIN would."),
        Phrase(
            "With more than two players, nobody plays against a particular opponent. "
            "Each player maximizes its own payoff, regardless of the others."
        ),
    ),
    "largest-sum": Belief(
        Phrase("The answer assumes that every player chooses the payoffs with the largest sum."),
        Phrase("Each player compares its own payoffs, not the totals."),
    ),
    "best-of-each": Belief(
        Phrase("The best payoffs for the players were combined from different children."),
        Phrase("A move leads to a single child, and every player gets its own payoff at that child."),
    ),
    "next-player-chooses": Belief(
        Phrase("At every node, the payoffs of the player who moves next were compared."),
        Phrase("The player who moves at a node chooses by comparing its own payoffs."),
    ),
    "leftmost-tie": Belief(
        Phrase("Every tie was broken in favor of the leftmost move."),
        Phrase("An indifferent player may choose any tied move, but the choice affects the others."),
    ),
    "other-end": Belief(
        Phrase(
            "This is the opposite extreme of the payoffs that are possible, depending on how ties are broken."
        ),
        Phrase("Check whether the question asks for the smallest or the largest payoff."),
    ),
    "any-leaf": Belief(
        Phrase("All leaves were considered."),
        Phrase("A leaf counts only if it can be reached by optimal play."),
    ),
    "deep-cut-of-several": Belief(
        Phrase("A more distant ancestor's bound was used for a deep cutoff."),
        Phrase(
            "With more than two players, a bound holds only between a node and its parent. "
            "A branch that a more distant ancestor rejects may still change which moves are chosen in "
            "between."
        ),
    ),
    "two-player-cut": Belief(
        Phrase("The branch was pruned as if this were a game between MAX and MIN."),
        Phrase(
            "No player here minimizes the payoff of another. "
            "The player to move may still choose a child that is better for the ancestor."
        ),
    ),
    "never-cut-of-several": Belief(
        Phrase("The answer assumes that nothing can be pruned in games with more than two players."),
        Phrase(
            "If payoffs are never negative and have a known sum, one player's payoff limits what remains "
            "for the others."
        ),
    ),
    "phase-before": Belief(
        Phrase("This is the phase before the correct one."),
        Phrase(
            "Selection walks down the tree, expansion adds a node, simulation plays the game out, and "
            "backpropagation updates the counts."
        ),
    ),
    "phase-after": Belief(
        Phrase("This is the phase after the correct one."),
        Phrase(
            "Each phase begins only when the previous one is finished: "
            "selection, expansion, simulation, backpropagation."
        ),
    ),
    "nothing-pruned": Belief(
        Phrase("This is the depth that plain minimax reaches."),
        Phrase(
            "With good move ordering, alpha-beta search visits about the square root of the number of "
            "leaves that minimax visits."
        ),
    ),
    "all-pruned": Belief(
        Phrase("This is the depth that alpha-beta search reaches with perfect ordering."),
        Phrase("Here nothing is pruned: all b^d leaves at depth d are visited."),
    ),
    "branching-halved": Belief(
        Phrase("The branching factor, rather than the exponent, was halved."),
        Phrase(
            "With good move ordering, pruning halves the exponent, not the branching factor: "
            "b^(d/2) is the d-th power of the square root of b."
        ),
    ),
    "one-ply-more": Belief(
        Phrase("This is the next depth, which the search does not complete."),
        Phrase("A depth counts only if all its leaves can be visited in the time available."),
    ),
    "time-left-out": Belief(
        Phrase("The number of leaves visited in one second was used for the entire time."),
        Phrase("The number of leaves is the number per second times the number of seconds."),
    ),
    "leaves-over-depth": Belief(
        Phrase("The number of leaves was divided by the depth."),
        Phrase(
            "The number of leaves is b^d, so the branching factor b is the d-th root of the number of leaves."
        ),
    ),
    "square-root": Belief(
        Phrase("The square root was used, regardless of the depth."),
        Phrase("For d plies, take the d-th root of the number of leaves."),
    ),
    "one-ply-less": Belief(
        Phrase("One ply was omitted."),
        Phrase("A tree of depth d has d levels of branches."),
    ),
    "last-level-alone": Belief(
        Phrase("Only the leaves were counted."),
        Phrase("The nodes of all levels count, starting with the root."),
    ),
    "root-left-out": Belief(
        Phrase("The root was omitted from the count."),
        Phrase("The root is a node too: b^0 = 1."),
    ),
    "branching-times-depth": Belief(
        Phrase("Only b nodes were counted at each level below the root."),
        Phrase("Every level has b times as many nodes as the level above it, so level k has b^k nodes."),
    ),
    "root-of-all": Belief(
        Phrase("The exponent was halved and rounded down, and the other term was omitted."),
        Phrase(
            "The number of leaves is b^⌈d/2⌉ + b^⌊d/2⌋ − 1: one strategy for each player must be checked."
        ),
    ),
    "one-line-counted-twice": Belief(
        Phrase("One leaf was counted twice."),
        Phrase(
            "The leaf of the principal variation is counted in both terms of the sum, so 1 is subtracted."
        ),
    ),
    "sequences-for-positions": Belief(
        Phrase("This is the number of orders in which the squares can be filled."),
        Phrase("Different orders lead to the same position, and each position counts once."),
    ),
    "positions-for-sequences": Belief(
        Phrase("This is the number of positions, not the number of sequences of moves that lead to them."),
        Phrase(
            "The question asks for the number of sequences of moves: "
            "with each move, there is one fewer square to choose from."
        ),
    ),
    "squares-to-the-signs": Belief(
        Phrase("The base and the exponent were swapped."),
        Phrase(
            "Each square is in one of several states, so the total is the product, over all squares, of the "
            "number of states."
        ),
    ),
    "squares-used-again": Belief(
        Phrase("Every move was allowed to use any square."),
        Phrase(
            "An occupied square cannot be used again: "
            "with each move, there is one fewer square to choose from."
        ),
    ),
    "digits-for-exponent": Belief(
        Phrase("This is the number of digits."),
        Phrase("A whole number with n + 1 digits is at least 10^n and less than 10^(n+1)."),
    ),
    "exponent-itself": Belief(
        Phrase("The exponent, or the number before the factorial sign, was used without conversion."),
        Phrase(
            "The exponent can be read only from a power of 10. "
            "Rewrite any other number as a power of 10 first."
        ),
    ),
    "natural-exponent": Belief(
        Phrase("This is the exponent for base e."),
        Phrase("The exponent for base 10 requires the base-10 logarithm."),
    ),
    "power-for-factorial": Belief(
        Phrase("This is the answer for n^n."),
        Phrase("n! = n·(n−1)·...·1 is much less than n^n because its factors decrease from n to 1."),
    ),
    "opponent-perfect": Belief(
        Phrase("The answer assumes that MIN plays optimally."),
        Phrase("The question says how this MIN plays, and its play is not always optimal."),
    ),
    "adapts-to-opponent": Belief(
        Phrase("The answer assumes that MAX exploits how MIN plays."),
        Phrase(
            "The minimax strategy chooses as if MIN played optimally, regardless of what MIN actually does."
        ),
    ),
    "keeps-to-minimax": Belief(
        Phrase("The answer assumes that MAX plays its minimax strategy."),
        Phrase("A player who knows how MIN plays compares moves by their payoffs against this MIN."),
    ),
    "always-even-better": Belief(
        Phrase("The answer assumes that the minimax strategy gets more whenever MIN makes a mistake."),
        Phrase(
            "The minimax strategy never gets less than the minimax value. "
            "But a mistake by MIN may be off the path of play or cost MIN nothing."
        ),
    ),
    "helped-by-opponent": Belief(
        Phrase("These moves lead to the best leaf only if the opponent cooperates."),
        Phrase("A strategy is judged by its payoff against optimal play by the opponent."),
    ),
    "one-line-only": Belief(
        Phrase("Only the moves of the principal variation are given."),
        Phrase("A strategy specifies a reply to every move by the opponent, even a mistake."),
    ),
    "false-tie": Belief(
        Phrase(
            "This move only seems to be equally good. "
            "Its search ended with a cutoff and returned only a bound equal to the best move's value."
        ),
        Phrase("A node with a cutoff returns only a bound; its minimax value may be worse for its parent."),
    ),
    "ends-turned": Belief(
        Phrase("Endpoints that should be included were excluded, or vice versa."),
        Phrase(
            "At an endpoint, two values are equal, so the answer depends on how the question treats equality."
        ),
    ),
    "turned-round": Belief(
        Phrase("These are the numbers for which the statement does not hold."),
        Phrase("The question asks for the numbers for which the statement holds."),
        is_restatement=True,
    ),
    "next-whole": Belief(
        Phrase("This is the whole number next to the endpoint, not the endpoint itself."),
        Phrase("If equality is enough, the endpoint is included. Payoffs need not be whole numbers."),
    ),
    "unknown-alone": Belief(
        Phrase("The unknown payoff was treated as the value of its whole branch."),
        Phrase(
            "The other payoffs of the branch still count: MIN takes the smallest, and MAX takes the largest."
        ),
    ),
    "unknown-always-matters": Belief(
        Phrase("The answer assumes that an unknown payoff always leaves the result undetermined."),
        Phrase("An unknown payoff matters only if the answer is not the same for all its possible values."),
    ),
    "value-for-decision": Belief(
        Phrase("The value of the game was confused with the best move."),
        Phrase("The value can change while the same move stays best."),
    ),
    "other-extreme": Belief(
        Phrase(
            "This answers the opposite question: "
            "the most leaves instead of the fewest, or the fewest instead of the most."
        ),
        Phrase("Check whether the question asks for the fewest or the most leaves."),
    ),
    "largest-everywhere": Belief(
        Phrase("At every node, the child with the largest value was put first."),
        Phrase(
            "The best child for MAX is the worst for MIN: "
            "at a MIN node, the child with the smallest value is best."
        ),
    ),
    "order-unchanged": Belief(
        Phrase("This is the count for the tree as it is drawn."),
        Phrase("With a different order, different leaves are pruned."),
    ),
    "root-of-leaves": Belief(
        Phrase("This is the square root of the number of leaves, or close to it."),
        Phrase("Even with the best order, the search visits more leaves than that."),
    ),
    "other-cuts": Belief(
        Phrase("These are the nodes with the other kind of cutoff."),
        Phrase("An alpha cutoff occurs at a MIN node; a beta cutoff occurs at a MAX node."),
    ),
    "every-cut": Belief(
        Phrase("These are the nodes with a cutoff of either kind."),
        Phrase("The question asks for only one kind of cutoff."),
    ),
    "children-for-node": Belief(
        Phrase("These are pruned branches, not the nodes at which the cutoff occurs."),
        Phrase("A cutoff occurs at a node and prunes children of that node."),
        is_restatement=True,
    ),
    "sibling-before": Belief(
        Phrase("This is the child that was searched immediately before the node with the cutoff."),
        Phrase("What matters is the best value so far, which may be at a more distant ancestor."),
    ),
    "own-child": Belief(
        Phrase("This is the child whose value caused the cutoff."),
        Phrase(
            "The value of the node with the cutoff is compared with a value that one of its ancestors "
            "already has."
        ),
    ),
    "any-reason": Belief(
        Phrase("True, nothing is pruned, but not for this reason."),
        Phrase("Compare the value of the node with the values that its ancestors have at that point."),
    ),
    "cut-everywhere": Belief(
        Phrase("The answer rejects the actual reason why nothing is pruned here."),
        Phrase(
            "For a cutoff, the node's value must reach that of an ancestor that belongs to the other player "
            "before the last child is visited."
        ),
    ),
    "node-itself": Belief(
        Phrase("This is the node at which the cutoff occurs."),
        Phrase(
            "The question asks for the source of the alpha or beta with which the node's value is compared."
        ),
    ),
    "all-but-first": Belief(
        Phrase("The answer assumes that only the first child of a node is always visited."),
        Phrase(
            "A cutoff requires that an ancestor already have a value, and it prunes all remaining children "
            "of the node."
        ),
    ),
    "whole-subtrees-never": Belief(
        Phrase("The answer assumes that only leaves can be pruned, never a whole subtree."),
        Phrase("A cutoff prunes all remaining children of the node and everything below them."),
    ),
    "payoffs-not-chosen": Belief(
        Phrase("The answer assumes that this is impossible because the payoffs are not given."),
        Phrase("It is possible if there are any payoffs for which the search prunes exactly these branches."),
    ),
    "payoffs-turned": Belief(
        Phrase("These payoffs would be correct if all their signs were reversed."),
        Phrase("Small values cause cutoffs at MIN nodes, and large values cause cutoffs at MAX nodes."),
    ),
    "all-the-same": Belief(
        Phrase("All payoffs are equal."),
        Phrase("With equal payoffs, either every possible cutoff occurs or none does."),
    ),
    "always-a-draw": Belief(
        Phrase("The answer assumes a draw, which is the value of the game from the empty board."),
        Phrase("With optimal play from the start, tic-tac-toe is a draw; after a mistake, it need not be."),
    ),
    "open-lines-alone": Belief(
        Phrase("The move was chosen by comparing the numbers of open lines."),
        Phrase(
            "An evaluation is only an estimate; "
            "near the end of the game, the opponent's replies can be searched."
        ),
    ),
    "other-evaluation": Belief(
        Phrase("The position was evaluated with a different function."),
        Phrase("Use the evaluation function that the question states."),
    ),
    "own-lines-alone": Belief(
        Phrase("Only the lines open for X were counted."),
        Phrase("The lines open for O are subtracted."),
    ),
    "side-of-o": Belief(
        Phrase("The positions were evaluated from O's point of view."),
        Phrase("Every evaluation is from the point of view of MAX (X), regardless of who is to move."),
    ),
    "every-empty-square": Belief(
        Phrase("Every empty square was counted."),
        Phrase(
            "There are no legal moves once the game is over. "
            "In Connect Four, there is one legal move for each column that is not full."
        ),
    ),
    "every-square": Belief(
        Phrase("Nonexistent moves were counted."),
        Phrase("There is no legal move to an occupied square or into a full column."),
    ),
    "one-move-a-heap": Belief(
        Phrase("Each heap was counted as a single move."),
        Phrase("A player can take from 1 to n stones from a heap of n stones, so each heap offers n moves."),
    ),
    "other-player": Belief(
        Phrase("The other player's mark was placed."),
        Phrase("The player to move places their own mark."),
    ),
    "mirrored": Belief(
        Phrase("The mark is on the mirror image of the correct square."),
        Phrase("Left and right are from the reader's point of view."),
    ),
    "moved-twice": Belief(
        Phrase("Both players made a move."),
        Phrase("A move adds exactly one mark to the board."),
    ),
    "full-board-alone": Belief(
        Phrase("The answer assumes that the game ends only when the board is full."),
        Phrase("A complete line also ends the game, no matter how many squares are empty."),
    ),
    "threat-for-line": Belief(
        Phrase("The answer assumes that the game is over, although there is no complete line yet."),
        Phrase("As long as there is no complete line and a move is left, the game continues."),
    ),
    "turn-mistaken": Belief(
        Phrase("The answer assumes that it is the other player's turn."),
        Phrase(
            "MAX moves first: if both players have the same number of marks on the board, MAX is to move."
        ),
    ),
    "worth-to-min": Belief(
        Phrase("The position was evaluated from MIN's point of view."),
        Phrase(
            "Utilities are from MAX's point of view: a win for MAX is worth 1, and a win for MIN is worth −1."
        ),
        is_restatement=True,
    ),
    "one-for-any-win": Belief(
        Phrase("A win was counted as 1, regardless of who won."),
        Phrase("Utilities are from MAX's point of view: a win for MIN counts as a loss."),
    ),
    "old-states-stay": Belief(
        Phrase("The states from before the action were kept."),
        Phrase(
            "Result(b, a) contains the states that the action leads to and the states of b in which the "
            "action is illegal."
        ),
    ),
    "illegal-vanishes": Belief(
        Phrase("States in which the action is illegal were dropped."),
        Phrase("An illegal action has no effect, so the agent may still be in that state."),
    ),
    "not-merged": Belief(
        Phrase("Every state was counted separately, although several lead to the same state."),
        Phrase(
            "A belief state is a set: a state that can be reached from several states is in it only once."
        ),
    ),
    "other-rule-of-actions": Belief(
        Phrase("This is the answer under the other definition of Actions(b)."),
        Phrase("The question says whether an action must be legal in some or in all of the states."),
    ),
    "one-goal-is-enough": Belief(
        Phrase("The answer assumes that one goal state is enough."),
        Phrase("A belief state passes the goal test only if every state in it is a goal state."),
    ),
    "sees-nothing": Belief(
        Phrase("The percept after the action was not used."),
        Phrase("A percept rules out states, and the next action may depend on it."),
    ),
    "sees-everything": Belief(
        Phrase("The answer assumes that the agent knows the state after the first action."),
        Phrase(
            "States with the same percept cannot be told apart, so the same action is taken in all of them."
        ),
    ),
    "known-at-once": Belief(
        Phrase("The first action was chosen separately for each state, as if the state were known."),
        Phrase("Before the first percept, the agent must choose one action for all possible states."),
    ),
    "order-does-not-matter": Belief(
        Phrase("The answer assumes that the order of the children makes no difference."),
        Phrase("The children visited first set alpha and beta, which determine what is pruned."),
    ),
    "other-order-helps": Belief(
        Phrase("The answer assumes without checking that the opposite order prunes more."),
        Phrase("Which order prunes more depends on the payoffs: good moves must come first."),
    ),
    "returns-always-exact": Belief(
        Phrase("The answer assumes that every node returns its minimax value."),
        Phrase(
            "A node with a cutoff returns only a bound. Only at the root is the returned value always exact."
        ),
    ),
    "returns-exact-at-root-only": Belief(
        Phrase("The answer assumes that only the root returns its minimax value."),
        Phrase("A node that was searched completely may also return its exact value."),
    ),
    "any-line-keeps": Belief(
        Phrase("The answer assumes that multiplying the payoffs by any factor preserves the decision."),
        Phrase("Multiplying by a negative number reverses the order of the payoffs."),
    ),
    "negative-always-changes": Belief(
        Phrase("The answer assumes that a negative factor always changes the decision."),
        Phrase(
            "A negative factor reverses the order of the payoffs. The best move must then be computed again."
        ),
    ),
    "wrong-formula": Belief(
        Phrase("A different formula was used."),
        Phrase(
            "Minimax visits b^d leaves; "
            "with perfect ordering, alpha-beta search visits about the square root of that number. "
            "The memory required is proportional to b times d."
        ),
    ),
    "chance-is-imperfect": Belief(
        Phrase("Chance was confused with imperfect information."),
        Phrase(
            "Dice do not hide any information. "
            "Information is imperfect if a player cannot see the whole position."
        ),
    ),
    "payoffs-for-paths": Belief(
        Phrase("These are the payoffs of the leaves."),
        Phrase("Identify leaves by their leaf numbers, counted from left to right."),
        is_restatement=True,
    ),
}
"""Every misconception by its name."""

PAYOFFS_FOR_PATHS = "payoffs-for-paths"
"""The one belief that is about writing the answer and not about finding it: no exercise has a reply for it,
because it can go with any other."""
