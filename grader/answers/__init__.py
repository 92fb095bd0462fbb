"""The answer forms: how a reply is written, read and credited, independent of the question."""
