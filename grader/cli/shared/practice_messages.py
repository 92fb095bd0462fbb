"""The sentences of `practice` and `mark` for students, in the language of the question."""

from collections.abc import Mapping

from grader.base.phrases import Phrase, plural_phrase

MORE = Phrase("Not every reason is shown here: gametree mark --full shows all.")
UNDERSTOOD = Phrase("Understood as: {reply}")
EMPTY = Phrase("The reply is empty; the full mark is {points}.")
EARNED = plural_phrase("{points} of {maximum} point", "{points} of {maximum} points")
POINTS = plural_phrase("{points} point", "{points} points")
FOLLOWED = Phrase("{points} of that despite an earlier mistake.")
NOTE, NOTES = Phrase("Note"), Phrase("Note: it is unclear which of these mistakes it was")

VERDICTS: Mapping[str, Phrase] = {
    "right": Phrase("correct"),
    "partly": Phrase("partly"),
    "wrong": Phrase("incorrect"),
    "missing": Phrase("missing"),
    "extra": Phrase("extra"),
    "follows": Phrase("consistent"),
}
"""The word for every verdict on an entry."""

QUESTION, QUESTION_OF = Phrase("Question {number}"), Phrase("Question {number} of {count}")
COMMANDS = Phrase("? gives a hint, answer shows the answer, skip goes on, quit stops.")
LINES = Phrase("Several lines are fine; an empty line ends the answer.")
WANTED = Phrase("Write an answer, or one of: ?  answer  skip  quit")
LAST = Phrase("That was the last step.")
AGAIN = Phrase("Try again.")
EXAMPLE = Phrase("For example: {reply}")
ANSWER = Phrase("The answer is {answer}")
NOBODY = Phrase("No question was answered.")
SUM = plural_phrase(
    "{count} question answered, {right} entirely correct: {earned}.",
    "{count} questions answered, {right} entirely correct: {earned}.",
)
REMEMBER = plural_phrase(
    "Worth remembering ({code}, once): {instead}", "Worth remembering ({code}, {count} times): {instead}"
)
