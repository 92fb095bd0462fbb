"""The game tree and the rules an answer depends on; its notation; positions of games that become trees."""
