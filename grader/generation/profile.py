"""The difficulty profile of an exercise, in which parallel variants agree."""

from typing import NamedTuple

from grader.generation.candidate_search import CandidateResult
from grader.generation.measures import Measures
from grader.generation.recipe import Recipe
from grader.trees.rules import Rules
from grader.trees.tree import Tree


class Profile(NamedTuple):
    """The difficulty of one exercise.

    - `plies`, `leaves`, `nodes`: the size of the tree; nodes are the inner ones.
    - `visited`: the leaves that alpha-beta visits.
    - `alpha_cuts`, `beta_cuts`, `chance_cuts`: its cuts at MIN, MAX and chance nodes.
    - `deep_cuts`, `subtree_cuts`: as `grader.generation.recipe.Require` says.
    - `load`: how many values are returned to a parent, fractions counted twice: of the visited
      nodes in a question about alpha-beta, else of all.
    - `optimal_moves`: the number of best moves at the root.
    """

    plies: int
    leaves: int
    nodes: int
    visited: int
    alpha_cuts: int
    beta_cuts: int
    chance_cuts: int
    deep_cuts: int
    subtree_cuts: int
    load: int
    optimal_moves: int

    def to_json(self) -> dict[str, int]:
        """Return the profile as records have it; recipes and questions name its measures by these keys."""
        return {
            "plies": self.plies,
            "leaves": self.leaves,
            "nodes": self.nodes,
            "visited": self.visited,
            "alpha_cuts": self.alpha_cuts,
            "beta_cuts": self.beta_cuts,
            "chance_cuts": self.chance_cuts,
            "deep_cuts": self.deep_cuts,
            "subtree_cuts": self.subtree_cuts,
            "load": self.load,
            "optimal_moves": self.optimal_moves,
        }


def profile_of(tree: Tree, rules: Rules, *, searching: bool) -> Profile:
    """Return the profile of a tree of MAX, MIN and chance; `searching`: the question is about alpha-beta."""
    measures = Measures(CandidateResult(tree, rules), searching=searching)
    return Profile(
        plies=max(tree.depths),
        leaves=len(tree.leaves),
        nodes=len(tree.internal),
        visited=measures.visited,
        alpha_cuts=measures.alpha_cuts,
        beta_cuts=measures.beta_cuts,
        chance_cuts=measures.chance_cuts,
        deep_cuts=measures.deep_cuts,
        subtree_cuts=measures.subtree_cuts,
        load=measures.load,
        optimal_moves=measures.optimal_moves,
    )


def has_profile(tree: Tree) -> bool:
    """Return whether a tree has a profile: a game of MAX, MIN and chance whose payoffs are known."""
    return len(tree) > 1 and not tree.seats and not tree.unknowns


def shared_fields(recipe: Recipe) -> tuple[str, ...]:
    """Return the fields of the profile, and of `Measures`, in which the variants of a recipe agree."""
    return tuple(measure.replace("-", "_") for measure in recipe.variants.same)
