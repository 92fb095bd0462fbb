"""The names and the meanings of the columns of the class report."""

from collections.abc import Mapping
from fractions import Fraction

from grader.base.phrases import Language, Phrase

COLUMNS: Mapping[str, Phrase] = {
    Phrase("share"): Phrase("The points of a student as a share of the full mark."),
    Phrase("students"): Phrase("How many students, or who they are."),
    Phrase("question"): Phrase("The question part; total is the whole exam."),
    Phrase("title"): Phrase("The title of the question."),
    Phrase("kind"): Phrase("The kind of the question, one of those that `gametree kinds` lists."),
    Phrase("full mark"): Phrase("The most points the question gives."),
    Phrase("mean"): Phrase(
        "The share of the full mark that students have on average: near 100% a question is easy."
    ),
    Phrase("discrimination"): Phrase(
        "Whether those who do well elsewhere do well here: Pearson's correlation of the points "
        "with those of all other questions, from -1 to 1. Below {weak} a question does not tell "
        "those who know from those who do not; below 0 something may be wrong with it."
    ),
    Phrase("all points"): Phrase("How many have the full mark."),
    Phrase("no points"): Phrase("How many have 0 points, blank replies included."),
    Phrase("GRADED"): Phrase("Replies with points."),
    Phrase("BLANK"): Phrase("Students who handed in and wrote nothing here; that counts as 0 points."),
    Phrase("UNPARSEABLE"): Phrase("Replies that the program cannot read."),
    Phrase("AMBIGUOUS"): Phrase("Replies that can be read in more than one way."),
    Phrase("ERROR"): Phrase("Replies that the program could not mark."),
    Phrase("MISSING"): Phrase("Students who handed in nothing."),
    Phrase("waiting"): Phrase("Replies that are not marked yet."),
    Phrase("misconception"): Phrase("The name of the mistake."),
    Phrase("what the answer looks like"): Phrase("The mistake in words."),
    Phrase("explains all"): Phrase("How many answers are exactly those of somebody who makes this mistake."),
    Phrase("explains most"): Phrase("How many answers are nearly those."),
    Phrase("variant"): Phrase(
        "The variant of the exam; those that ask the very same are one, and all are all of them."
    ),
    Phrase("answer"): Phrase("The answer as the program read it."),
    Phrase("points"): Phrase("The most points that such an answer earned."),
    Phrase("misconceptions"): Phrase(
        "The mistakes that lead to exactly this answer; of several, one was made."
    ),
    Phrase("H"): Phrase("The statistic of Kruskal and Wallis, larger for larger differences."),
    Phrase("degrees of freedom"): Phrase("One less than the number of variants compared."),
    Phrase("p"): Phrase(
        "How often differences this large would come about by chance between variants that are equally hard."
    ),
    Phrase("in words"): Phrase("What p says: some doubt below {doubt}, a closer look below {look}."),
    Phrase("reason"): Phrase("Why the replies cannot be read; … stands for what differs between them."),
    Phrase("replies"): Phrase("How many."),
    Phrase("for example"): Phrase("Up to three of the replies; behind each, the variant."),
    Phrase("students (variant)"): Phrase("Who gave this answer, and to which variant."),
    Phrase("why"): Phrase("What is odd about it."),
}
"""Name -> meaning; a name means the same in every table."""


def column_meaning(column: str, language: Language) -> str:
    """Return the meaning of a column, as a sentence."""
    limits = {name: language.number(limit) for name, limit in COMMENT_THRESHOLDS.items()}
    return language.say(COLUMNS[column], **limits)


COMMENT_THRESHOLDS = {"weak": Fraction(1, 5), "doubt": Fraction(5, 100), "look": Fraction(1, 100)}
"""The thresholds that the meanings of columns mention."""
