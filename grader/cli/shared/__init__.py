"""What several commands share: options, sources, messages, exam folders."""
