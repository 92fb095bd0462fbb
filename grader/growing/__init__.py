"""Exercises grown from a recipe and a seed."""
