"""Parts of kinds that ask several questions: what one question asks, and what a few of them share."""
