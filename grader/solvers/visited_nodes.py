"""The leaves and branches of a tree that a search visited or pruned."""

from grader.trees.tree import Tree


def pruned_paths(tree: Tree, visited: tuple[bool, ...]) -> tuple[int, ...]:
    """Return the numbers of the leaves that were never visited, ascending."""
    return tuple(
        [path for path, is_visited in zip(tree.paths, visited, strict=True) if path and not is_visited]
    )


def visited_paths(tree: Tree, visited: tuple[bool, ...]) -> tuple[int, ...]:
    """Return the numbers of the leaves that were visited, ascending."""
    return tuple([path for path, is_visited in zip(tree.paths, visited, strict=True) if path and is_visited])


def pruned_branches(tree: Tree, visited: tuple[bool, ...]) -> tuple[int, ...]:
    """Return the topmost node of every pruned subtree, in preorder."""
    return tree.tops([not is_visited for is_visited in visited])
