"""Exercises grown from a recipe and a seed, or made of a given tree."""
