"""Pictures: where things go, how they look, what they say."""
