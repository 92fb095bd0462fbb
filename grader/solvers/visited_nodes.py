"""The leaves and branches of a tree that a search visited, and those it did not."""

from grader.trees.tree import Tree


def pruned_paths(tree: Tree, visited: tuple[bool, ...]) -> tuple[int, ...]:
    """The path numbers of the leaves that were never visited, ascending."""
    return tuple([path for path, seen in zip(tree.paths, visited, strict=True) if path and not seen])


def visited_paths(tree: Tree, visited: tuple[bool, ...]) -> tuple[int, ...]:
    """The path numbers of the leaves that were visited, ascending."""
    return tuple([path for path, seen in zip(tree.paths, visited, strict=True) if path and seen])


def pruned_branches(tree: Tree, visited: tuple[bool, ...]) -> tuple[int, ...]:
    """The topmost node of every pruned subtree, in preorder."""
    above = tree.parents
    return tuple([node for node, seen in enumerate(visited) if not seen and node and visited[above[node]]])
