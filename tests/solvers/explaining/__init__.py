"""The explanation of a search in words, and as a page."""
