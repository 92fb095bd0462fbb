"""From a reply to a mark, and from a hand-drawn tree to a judgement."""
