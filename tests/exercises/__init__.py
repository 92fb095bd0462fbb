"""From replies and drawn trees to marks."""
