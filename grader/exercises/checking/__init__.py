"""What someone drew on a tree, judged: values at its nodes, and branches crossed out."""
