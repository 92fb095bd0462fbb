"""The ground of everything: numbers, language, files, processes, templates."""
