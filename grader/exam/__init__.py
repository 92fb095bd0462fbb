"""From a blueprint and a roster to papers, keys and a manifest."""
