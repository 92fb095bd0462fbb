"""The answer forms: how a reply is written, read and credited, whatever the question."""
