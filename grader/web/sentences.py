"""The sentences of the pages, by the names that their scripts and templates use."""

from collections.abc import Mapping

from grader.base.catalogues import PLACEHOLDER
from grader.base.phrases import Language, Phrase

SENTENCES: Mapping[str, Phrase] = {
    # The page and its parts
    "title": Phrase("Practise game trees"),
    "practise": Phrase("Practise"),
    "trace": Phrase("Step by step"),
    "draw": Phrase("Draw and check"),
    "present": Phrase("Present"),
    "parts": Phrase("Parts of this page"),
    "language": Phrase("Language"),
    "grader_starts": Phrase("The grader is starting. You can answer meanwhile."),
    "grader_loads": Phrase("The grader is being loaded: {percent}%. You can answer meanwhile."),
    "no_grader": Phrase("The grader cannot be reached."),
    "grader_failed": Phrase("The grader could not answer this."),
    "try_again": Phrase("Load this page again and try once more."),
    "address_gone": Phrase(
        "The program that serves this page may have been restarted. Your answer is kept: try again, or open "
        "the new address of the program."
    ),
    "no_question": Phrase("The next question cannot be loaded."),
    "try_later": Phrase("Try again when there is a network."),
    "no_scripts": Phrase("To answer on this page, its scripts have to be allowed."),
    "no_secret": Phrase(
        "The answers to these practice questions are not secret: they are part of this page. "
        "What you write stays in this browser."
    ),
    "tree_label": Phrase("The tree. Arrow keys move through it, and c crosses out a branch."),
    # A question and its answer
    "kind": Phrase("Question"),
    "level": Phrase("Size"),
    "all_rules": Phrase("All rules"),
    "special_rules": Phrase("Special rules: read them first"),
    "smaller": Phrase("Make the tree smaller"),
    "larger": Phrase("Make the tree larger"),
    "signs": Phrase("Signs"),
    "more": Phrase("More"),
    "copy": Phrase("Copy as text"),
    "copied": Phrase("The question, its tree and your answer were copied."),
    "not_copied": Phrase("This browser does not allow copying."),
    "your_reply": Phrase("Your answer"),
    "for_example": Phrase("For example: {reply}"),
    "how_leaves": Phrase("Touch leaves or whole branches to cross them out, or write below."),
    "how_branches": Phrase("Touch branches to cross them out, or write below."),
    "how_values": Phrase("Touch a node to write its value, or write below."),
    "how_windows": Phrase("Touch a node to write alpha, beta and its value, or write below."),
    "how_order": Phrase("Touch the leaves one after the other, or write below."),
    "how_leaf": Phrase("Touch a leaf, or write below."),
    "how_child": Phrase("Touch a child of the root, or write below."),
    "how_orders": Phrase("Touch the children of a node one after the other, or write below."),
    "how_choices": Phrase("Touch a child of each node to choose it, or write below."),
    "how_numbers": Phrase("Touch a node to write its number, or write below."),
    "how_payoffs": Phrase("Touch a leaf to write its payoff, or write below."),
    "how_offered": Phrase("Choose an answer, or write below."),
    "how_written": Phrase("Write your answer below."),
    "box_at": Phrase("{name} of {node}"),
    "value": Phrase("value"),
    "alpha": Phrase("alpha"),
    "beta": Phrase("beta"),
    "as_table": Phrase("Answer in a table"),
    "node": Phrase("Node"),
    "parent": Phrase("Below"),
    "reply": Phrase("Answer"),
    "mark": Phrase("Mark my answer"),
    "hint": Phrase("Hint"),
    "answer": Phrase("Show the answer"),
    "clear": Phrase("Clear"),
    "next": Phrase("Next question"),
    "again": Phrase("Try this question again"),
    "waiting": Phrase("One moment …"),
    "blank": Phrase("There is no answer yet."),
    "unread": Phrase("This cannot be marked: {why}"),
    "right": Phrase("Correct: {points} of {max}."),
    "earned": Phrase("Not quite: {points} of {max}."),
    "hints": Phrase("Hint {number}."),
    "hint_tells": Phrase("This hint tells part of the answer, so this question no longer counts."),
    "something_missing": Phrase("Something is missing."),
    "reveal": Phrase("Show the correct answer and the reasons"),
    "last_hint": Phrase("This is the last hint."),
    "answer_is": Phrase("The answer is {answer}"),
    "all_steps": Phrase("Every step"),
    "is_right": Phrase("correct"),
    "is_partly": Phrase("partially correct"),
    "is_wrong": Phrase("incorrect"),
    "is_missing": Phrase("missing"),
    "is_extra": Phrase("not part of the answer"),
    "is_follows": Phrase("consistent with your own entries"),
    "remark": Phrase("{items}: {verdict}. {text}"),
    # The description of a node for screen readers
    "judged": Phrase("{verdict}: {value}"),
    "node_called": Phrase("{player} {name}"),
    "chance_called": Phrase("chance node {name}"),
    "leaf_called": Phrase("leaf {path}, payoff {payoff}"),
    "has_board": Phrase("board {rows}"),
    "is_crossed": Phrase("marked as pruned"),
    "is_chosen": Phrase("chosen"),
    "is_cut": Phrase("pruned"),
    "fold": Phrase("Fold or unfold what is below this node (z)"),
    "folded": Phrase("folded, leaves: {count}"),
    "has_value": Phrase("value {value}"),
    # Progress
    "progress": Phrase("All questions and your progress"),
    "mastered": Phrase("{percent}% of the points in the latest answers ({count})"),
    "so_far": Phrase("Latest answers {dots} · kinds mastered: {kinds} · mistakes overcome: {mistakes}"),
    "find_kind": Phrase("Find a kind of question"),
    "save_progress": Phrase("Save as a file"),
    "load_progress": Phrase("Load a file"),
    "forget": Phrase("Forget everything"),
    "forget_all": Phrase("Forget all answers in this browser?"),
    "restored": Phrase("Answers taken over from the file: {count}"),
    "not_progress": Phrase("This file contains no progress."),
    # Drawing
    "notation": Phrase("The tree as text"),
    "drawing": Phrase("The tree as a drawing"),
    "do_add": Phrase("Add a child"),
    "do_beside": Phrase("Add a sibling"),
    "do_remove": Phrase("Remove"),
    "do_cross": Phrase("Cross out"),
    "do_undo": Phrase("Undo"),
    "do_redo": Phrase("Redo"),
    "at_player": Phrase("Player"),
    "at_called": Phrase("Name"),
    "at_payoff": Phrase("Payoff"),
    "at_chance": Phrase("Probability"),
    "at_move": Phrase("Move"),
    "at_claim": Phrase("Value, or a bound such as <=3"),
    "keys": Phrase(
        "Keys in the drawing: a adds a child, b a sibling, m changes the player, c crosses out, "
        "Delete removes, Enter goes to the value."
    ),
    "pruning": Phrase("Also check what is not crossed out"),
    "ties": Phrase("When alpha equals beta"),
    "ties_cut": Phrase("prune"),
    "ties_keep": Phrase("continue"),
    "solve": Phrase("Explain step by step"),
    "open_tree": Phrase("Open a file with a tree"),
    "bank": Phrase("Trees from books and exams"),
    "order": Phrase("Order of visits"),
    "after_cutoff": Phrase("Returned value"),
    "bounds": Phrase("Limits of payoffs"),
    "depth": Phrase("Depth limit in plies"),
    "copy_text": Phrase("Copy as text"),
    "copy_latex": Phrase("Copy as LaTeX"),
    "copy_picture": Phrase("Copy the picture"),
    "tree_copied": Phrase("The tree was copied."),
    "save_tree": Phrase("Save the tree"),
    "save_svg": Phrase("Save as SVG"),
    "save_png": Phrase("Save as PNG"),
    "link": Phrase("Make a link"),
    "link_copied": Phrase("A link that carries this tree was copied."),
    "link_made": Phrase("The address of this page now carries the tree."),
    "link_end": Phrase("Append this to the address of a page of this sort that others can open: {link}"),
    "not_a_tree": Phrase("This is not a tree yet:"),
    "at_place": Phrase("line {line}, column {column}"),
    "nothing_to_check": Phrase("Write values at nodes or cross out branches; they are checked at once."),
    # Checking a program
    "code": Phrase("Check a program"),
    "program": Phrase("Your search program in Python"),
    "program_file": Phrase("Open a file"),
    "interface": Phrase("Interface"),
    "recognised": Phrase("recognised by the program"),
    "no_rule": Phrase("either"),
    "run": Phrase("Run"),
    "program_starts": Phrase("Python is starting in a worker of its own."),
    "program_runs": Phrase("The program is running."),
    "program_late": Phrase("The program did not finish within {seconds} seconds."),
    "program_private": Phrase("The program runs in this browser only; nothing leaves it."),
    # Running a search step by step
    "trace_label": Phrase(
        "The tree. Arrow keys move through it, Enter goes to a child, and x prunes the rest."
    ),
    "trace_move": Phrase("Where does the search go next? Choose a child, or prune the rest."),
    "trace_window": Phrase("Which alpha and beta does the search enter this node with?"),
    "trace_value": Phrase("Which value does this node return?"),
    "trace_done": Phrase("The search is complete. Steps that you did not get at once: {faults}"),
    "trace_keys": Phrase(
        "Keys: the arrows move through the tree, Enter goes to a child, and x prunes the rest."
    ),
    "trace_tree": Phrase("To use another tree, draw it first."),
    "check": Phrase("Check"),
    "prune_rest": Phrase("Prune the other children"),
    "show_step": Phrase("Show this step"),
    "from_start": Phrase("From the beginning"),
    "algorithm": Phrase("Algorithm"),
    "root": Phrase("root"),
    # Presenting
    "back": Phrase("Back"),
    "forward": Phrase("Forward"),
    "full": Phrase("Full screen"),
    "play": Phrase("Play"),
    "pause": Phrase("Pause"),
    "guess": Phrase("Let the class guess what is pruned"),
    "what_next": Phrase("Is anything pruned now? Touch the branches, then go on."),
    "visited": Phrase("Leaves visited: {count}; minimax search visits all {leaves}."),
    "step": Phrase("Step {step} of {count}"),
    "minimax": Phrase("Minimax search without pruning"),
    "minimax_step": Phrase("Minimax search: step {step} of {count}, leaves visited: {leaves}"),
    "alphabeta_step": Phrase("Alpha-beta search: step {step} of {count}, leaves visited: {leaves}"),
    "minimax_goes_on": Phrase("Alpha-beta search is complete; minimax search continues."),
}


def sentences(language: Language, phrases: Mapping[str, Phrase] = SENTENCES) -> dict[str, str]:
    """Return every sentence of a page in a language, with its placeholders, which the script replaces.

    The signs of the language between other texts are among them: `labelled`, `noted`, `comma`, `semicolon`
    and `number_separator`.
    """
    texts = {
        name: language.term(phrase, **{place: f"{{{place}}}" for place in PLACEHOLDER.findall(phrase)})
        for name, phrase in phrases.items()
    }
    return texts | {
        "labelled": language.with_label("{label}", "{text}"),
        "noted": language.with_note("{text}", "{note}"),
        "comma": language.punctuation.comma,
        "semicolon": language.punctuation.semicolon,
        "number_separator": language.number_separator,
    }
