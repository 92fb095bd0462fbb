"""The notation: text to tree and back, with all mistakes in a text reported at once."""
