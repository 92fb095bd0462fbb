"""Papers as they stand in `exam.json`."""

from grader.exam.manifest import write_question, write_variant
from grader.exam.paper import Paper


def write_paper(paper: Paper) -> str:
    """A variant with its answers, as one line of JSON."""
    return write_variant(paper.code, map(write_question, paper.questions))
