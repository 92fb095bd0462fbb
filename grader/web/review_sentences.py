"""The sentences of the page on which scans and typed replies are decided."""

from collections.abc import Mapping

from grader.base.phrases import Phrase, plural_phrase

SORT_LABELS: Mapping[str, Phrase] = {
    "page": Phrase("pages to assign"),
    "paper": Phrase("papers without a name"),
    "sheet": Phrase("filled boxes and bare pages"),
    "box": Phrase("unclear boxes"),
    "written": Phrase("handwritten answers"),
    "reply": Phrase("typed replies"),
}
"""The sorts of questions that are left, in the order in which they are asked."""

REVIEW_SENTENCES: Mapping[str, Phrase] = {
    "scans_of": Phrase("Scans: {title}"),
    "replies_of": Phrase("Replies to decide: {title}"),
    "left": Phrase("What is left to decide"),
    "no_script": Phrase("This page needs its script."),
    "done": Phrase("Everything is decided."),
    "how_to_end": Phrase("Close this page, and press Ctrl-C where the program runs."),
    "no_grader": Phrase("The program does not answer. Is it still running?"),
    "try_again": Phrase("If not, start it again: every decision is kept."),
    "person": Phrase("Student or variant"),
    "page": Phrase("Page"),
    "assign": Phrase("assign"),
    "suggestions": Phrase("It may be one of these missing pages"),
    "set_aside": Phrase("Nobody needs this page"),
    "turn": Phrase("Turn the picture"),
    "nobody": Phrase("No student, or more than one, matches this."),
    "written": Phrase("What is written"),
    "confirm": Phrase("confirm"),
    "blank_again": Phrase("Is nothing written there? Press Enter once more."),
    "choose_box": Phrase("Choose the box that is crossed."),
    "row": Phrase("Row {number}"),
    "what_row": Phrase("All of these are"),
    "what_one": Phrase("This is"),
    "e_is_empty": Phrase("e: nothing is written there"),
    "unnamed_rows": Phrase("Boxes in rows without an entry are asked one by one. Press Enter once more."),
    "not_in_box": Phrase("This box cannot have this sign."),
    "apart": Phrase("asked later"),
    "to_decide": Phrase("to be decided"),
    "state": Phrase("{box}, {state}"),
    "key_enter": Phrase("Enter"),
    "key_escape": Phrase("Esc"),
    "key_page_down": Phrase("PageDown"),
    "undo": Phrase("undo"),
    "later": Phrase("later"),
    "the_scan": Phrase("The scan"),
    "the_box": Phrase("The box, larger"),
    "missing": Phrase("Missing pages"),
    "keys": Phrase(
        "Arrow keys go from box to box. Every decision is kept at once; you may close this page at any time."
    ),
}
"""What the script and the template say, by the names they use."""

REPLY_SENTENCES: Mapping[str, Phrase] = {
    "progress": Phrase("{done} of {total} decided"),
    "reading": Phrase("Reading {number}"),
    "no_answer": Phrase("The whole reply is empty"),
    "in_writing": Phrase("Written"),
    "one_by_one": Phrase("One by one"),
    "show_key": Phrase("Show points and correct answers"),
    "hide_key": Phrase("Hide points and correct answers"),
    "right_answer": Phrase("Correct: {answer}"),
    "reply_keys": Phrase(
        "Tab goes from reply to reply. Every decision is kept at once; you may close this page at any time."
    ),
    "whole_group": Phrase("Decide about all of these"),
    "as_you_read_it": Phrase("The reply as you read it"),
    "no_answer_again": Phrase("Is this no answer at all? Press Enter once more."),
}
"""What the page says about typed replies."""

REPLIES_MEANT = plural_phrase(
    "Question {part}: what does this reply mean?", "Question {part}: what do these {count} replies mean?"
)
WHICH_COUNTS = Phrase("{parts}: which reply of a student counts?")
ONE_OF_SEVERAL = Phrase("a student submitted different replies")
WHICH_VARIANT = Phrase("{parts}: which variant does the reply answer?")
TWO_VARIANTS = Phrase("reading 1 is for the variant in the row, reading 2 for the variant of the student")
PARTLY_UNDERSTOOD = Phrase("Reading 1 is only what was understood before the reply became unclear.")
UNREADABLE_LEFT_OUT = Phrase("The last reading leaves out all boxes that cannot be read.")
HOW_TO_DECIDE_GROUP = Phrase("A choice decides about all of them. Click a reply to decide about it later.")
HOW_TO_TYPE_REPLY = Phrase("Type the reply as you read it, or choose one of the keys.")
BAD_CHOICE = Phrase("these replies do not wait for this decision; load the page again")

CROSSED, EMPTY_BOX = Phrase("crossed"), Phrase("empty")
SOMETHING_CROSSED, PAGE_BLANK = Phrase("Something is crossed"), Phrase("The page is blank")
UNLIKELY_REPLY = Phrase(
    "This question cannot have the answer {reply}. Press Enter once more if the student wrote it."
)
