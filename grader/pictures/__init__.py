"""Pictures of trees: where everything goes, and one writer for each type of file."""
