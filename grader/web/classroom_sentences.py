"""The sentences of the pages of a class, by the names that their scripts and templates use."""

from collections.abc import Mapping

from grader.base.phrases import Phrase

CLASS_SENTENCES: Mapping[str, Phrase] = {
    "class_title": Phrase("A question for the class"),
    "join_how": Phrase("Scan the code or type the address. No names are asked for."),
    "open_wall": Phrase("Open the page for the projector"),
    "phones_joined": Phrase("Phones: {count}"),
    "answers_received": Phrase("Answers: {count} of {phones}"),
    "answers_waiting": Phrase("still being marked: {count}"),
    "start_question": Phrase("Start the question"),
    "same_tree": Phrase("The same tree for all"),
    "own_trees": Phrase("A tree for each phone"),
    "close_question": Phrase("Take no more answers"),
    "ask_again": Phrase("Ask again after the discussion"),
    "reveal_answer": Phrase("Show the correct answer on the phones"),
    "end_question": Phrase("Forget this question"),
    "forget_question": Phrase("Forget the counts of this question?"),
    "save_counts": Phrase("Save the counts as CSV"),
    "on_wall": Phrase("Shown on the wall"),
    "view_join": Phrase("Address"),
    "view_question": Phrase("Question"),
    "view_counts": Phrase("Counts"),
    "view_tree": Phrase("Tree with counts"),
    "view_steps": Phrase("Steps of the search"),
    "first_try": Phrase("First try"),
    "second_try": Phrase("Second try"),
    "no_counts": Phrase("There are no answers yet."),
    "question_open": Phrase("Answers are being taken."),
    "question_closed": Phrase("The question is closed."),
    "wait_for_question": Phrase("Wait for the next question."),
    "send_answer": Phrase("Send my answer"),
    "answer_arrived": Phrase("Your answer has arrived. You can change it until the question is closed."),
    "answer_closed": Phrase("The question is closed. Look at the wall."),
    "second_now": Phrase("Second try: answer again after the discussion."),
    "verdict_correct": Phrase("Your answer is correct."),
    "verdict_other": Phrase("Your answer is not correct."),
    "verdict_none": Phrase("You did not answer this question."),
    "named_by": Phrase("Next to each node: how many answers named it."),
}
