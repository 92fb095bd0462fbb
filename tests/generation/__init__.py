"""Laws of the generator: draws, recipes, requirements, separation."""
