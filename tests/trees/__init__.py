"""The tree: its notation, and games that become trees."""
