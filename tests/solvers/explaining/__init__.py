"""A search told in words, and as a page."""
