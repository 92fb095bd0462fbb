"""One question about one tree with its key: its record, marking a reply, checking a drawn tree, feedback."""
