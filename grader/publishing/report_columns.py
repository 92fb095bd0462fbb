"""The names and the meanings of the columns of the class report."""

from collections.abc import Mapping
from fractions import Fraction

from grader.base.phrases import Language, Phrase

COLUMNS: Mapping[str, Phrase] = {
    Phrase("share"): Phrase("A student's score as a percentage of the maximum score."),
    Phrase("students"): Phrase("The number of students, or their names."),
    Phrase("question"): Phrase('The question part; "total" is the whole exam.'),
    Phrase("title"): Phrase("The title of the question."),
    Phrase("kind"): Phrase("The kind of question."),
    Phrase("full mark"): Phrase("The maximum score for the question."),
    Phrase("mean"): Phrase("The average percentage score. A question with an average near 100% is easy."),
    Phrase("discrimination"): Phrase(
        "Whether students who do well on the other questions also do well on this one. "
        "This is Pearson's correlation coefficient, from -1 to 1, between the score here and the total "
        "score on all other questions. "
        "Below {weak}, a question does not distinguish strong students from weak ones. "
        "Below 0, something may be wrong with it."
    ),
    Phrase("all points"): Phrase("The number of students with full credit."),
    Phrase("no points"): Phrase("The number of students with 0 points, including blank answers."),
    Phrase("GRADED"): Phrase("Answers with a score."),
    Phrase("BLANK"): Phrase("Students who submitted but wrote nothing here; this counts as 0 points."),
    Phrase("UNPARSEABLE"): Phrase("Answers that the program cannot read."),
    Phrase("AMBIGUOUS"): Phrase("Answers that can be read in more than one way."),
    Phrase("ERROR"): Phrase("Answers that the program could not grade."),
    Phrase("MISSING"): Phrase("Students who submitted nothing."),
    Phrase("waiting"): Phrase("Answers that have not been graded yet."),
    Phrase("misconception"): Phrase("The name of the mistake."),
    Phrase("what the answer looks like"): Phrase("The mistake in words."),
    Phrase("explains all"): Phrase("The number of answers that are exactly the result of this mistake."),
    Phrase("explains most"): Phrase("The number of answers that are close to the result of this mistake."),
    Phrase("variant"): Phrase(
        'The exam variant. Variants with identical questions are combined; "all" means all variants.'
    ),
    Phrase("load"): Phrase(
        "The work that the variants take: the values to compute, fractions counted twice, of all parts."
    ),
    Phrase("variants"): Phrase("How many variants were answered."),
    Phrase("by chance"): Phrase("What p says, in words."),
    Phrase("answer"): Phrase("The answer as the program read it."),
    Phrase("points"): Phrase("The highest score of any such answer."),
    Phrase("misconceptions"): Phrase(
        "The mistakes that lead to exactly this answer; if there are several, any of them may have been made."
    ),
    Phrase("H"): Phrase("The Kruskal-Wallis statistic; larger values mean larger differences."),
    Phrase("degrees of freedom"): Phrase("The number of variants compared, minus 1."),
    Phrase("p"): Phrase(
        "The probability of differences at least this large by chance if the variants are equally difficult."
    ),
    Phrase("correct"): Phrase("The number of correct answers."),
    Phrase("consistent"): Phrase(
        "Answers that are incorrect only because they follow from an incorrect answer to an earlier part."
    ),
    Phrase("explained"): Phrase("Incorrect answers that a misconception leads to."),
    Phrase("unexplained"): Phrase("Incorrect answers that no known misconception leads to."),
    Phrase("no score"): Phrase("Answers that were handed in and have no score."),
    Phrase("in the picture"): Phrase("The number of the misconception in the pictures."),
    Phrase("quarter"): Phrase("The quarter of the class; 1 / 4 has the lowest total scores."),
    Phrase("leaves"): Phrase("The leaf numbers below the branch."),
    Phrase("pruned"): Phrase("Whether the correct answer prunes the branch."),
    Phrase("rank"): Phrase("The place of the student by total score."),
    Phrase("scores"): Phrase("The percentage score on each question."),
    Phrase("other paper"): Phrase("The student to whose paper the answers belong."),
    Phrase("answers"): Phrase("The answers, with what they are on the other paper."),
    Phrase("by chance in a class"): Phrase(
        "How probable such a pair is in a class of this size by chance, estimated from this class."
    ),
    Phrase("in words"): Phrase('Interpretation of p: "some doubt" below {doubt}, "check this" below {look}.'),
    Phrase("reason"): Phrase("Why the answers cannot be read; … replaces the parts that differ."),
    Phrase("replies"): Phrase("Number of answers."),
    Phrase("for example"): Phrase("Up to three of the answers, each with its variant."),
    Phrase("students (variant)"): Phrase("The students who gave this answer, and their variant."),
    Phrase("why"): Phrase("Why it is worth checking."),
}
"""Name -> meaning; a name means the same in every table."""


def column_meaning(column: str, language: Language) -> str:
    """Return the meaning of a column, as a sentence."""
    limits = {name: language.number(limit) for name, limit in COMMENT_THRESHOLDS.items()}
    return language.say(COLUMNS[column], **limits)


COMMENT_THRESHOLDS = {"weak": Fraction(1, 5), "doubt": Fraction(5, 100), "look": Fraction(1, 100)}
"""The thresholds that the meanings of columns mention."""
