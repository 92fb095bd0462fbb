"""The notation: text to tree and back, with everything that is wrong in a text said at once."""
