"""The names and the meanings of the columns of the class report."""

from collections.abc import Mapping
from fractions import Fraction

from grader.base.phrases import Language, Phrase

COLUMNS: Mapping[str, Phrase] = {
    Phrase("share"): Phrase("The points of a student as a share of the full mark."),
    Phrase("students"): Phrase("How many students, or their names."),
    Phrase("question"): Phrase("The question part; total is the whole exam."),
    Phrase("title"): Phrase("The title of the question."),
    Phrase("kind"): Phrase("The kind of the question, one of those that `gametree kinds` lists."),
    Phrase("full mark"): Phrase("The most points the question gives."),
    Phrase("mean"): Phrase("The average share of the full mark: near 100% a question is easy."),
    Phrase("discrimination"): Phrase(
        "Whether students who do well elsewhere do well here: "
        "Pearson's correlation of the points with those of all other questions, from -1 to 1. "
        "Below {weak}, a question does not separate strong from weak students. "
        "Below 0, something may be wrong with it."
    ),
    Phrase("all points"): Phrase("How many students have the full mark."),
    Phrase("no points"): Phrase("How many students have 0 points, blank replies included."),
    Phrase("GRADED"): Phrase("Replies with points."),
    Phrase("BLANK"): Phrase("Students who submitted but wrote nothing here; this counts as 0 points."),
    Phrase("UNPARSEABLE"): Phrase("Replies that the program cannot read."),
    Phrase("AMBIGUOUS"): Phrase("Replies that can be read in more than one way."),
    Phrase("ERROR"): Phrase("Replies that the program could not mark."),
    Phrase("MISSING"): Phrase("Students who submitted nothing."),
    Phrase("waiting"): Phrase("Replies that are not marked yet."),
    Phrase("misconception"): Phrase("The name of the mistake."),
    Phrase("what the answer looks like"): Phrase("The mistake in words."),
    Phrase("explains all"): Phrase("How many answers are exactly what this mistake leads to."),
    Phrase("explains most"): Phrase("How many answers are close to that."),
    Phrase("variant"): Phrase(
        "The variant of the exam; variants with identical questions are one, and all means all of them."
    ),
    Phrase("answer"): Phrase("The answer as the program read it."),
    Phrase("points"): Phrase("The most points that such an answer earned."),
    Phrase("misconceptions"): Phrase(
        "The mistakes that lead to exactly this answer; if there are several, one of them was made."
    ),
    Phrase("H"): Phrase("The Kruskal-Wallis statistic, larger for larger differences."),
    Phrase("degrees of freedom"): Phrase("One less than the number of variants compared."),
    Phrase("p"): Phrase(
        "How often differences this large would occur by chance between equally difficult variants."
    ),
    Phrase("in words"): Phrase("What p says: some doubt below {doubt}, a closer look below {look}."),
    Phrase("reason"): Phrase("Why the replies cannot be read; … stands for what differs between them."),
    Phrase("replies"): Phrase("How many."),
    Phrase("for example"): Phrase("Up to three of the replies, each with its variant."),
    Phrase("students (variant)"): Phrase("Who gave this answer, and to which variant."),
    Phrase("why"): Phrase("What is unusual about it."),
}
"""Name -> meaning; a name means the same in every table."""


def column_meaning(column: str, language: Language) -> str:
    """Return the meaning of a column, as a sentence."""
    limits = {name: language.number(limit) for name, limit in COMMENT_THRESHOLDS.items()}
    return language.say(COLUMNS[column], **limits)


COMMENT_THRESHOLDS = {"weak": Fraction(1, 5), "doubt": Fraction(5, 100), "look": Fraction(1, 100)}
"""The thresholds that the meanings of columns mention."""
