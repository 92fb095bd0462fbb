"""What does an agent know, and what can it achieve, in a world that it observes only partly?"""

from grader.questions.belief_state.belief_games import BEST_MOVE, EXPECTED, PLAN, VALUE
from grader.questions.belief_state.legal_actions import ACTIONS_OF, WHICH_MOVES
from grader.questions.belief_state.results import GOAL, RESULT, WHICH_STATES

KINDS = (RESULT, WHICH_STATES, ACTIONS_OF, WHICH_MOVES, GOAL, VALUE, EXPECTED, BEST_MOVE, PLAN)
