"""Sentences about nodes, values and searches."""
