"""Every answer form there is."""

from grader.answers.branches import BRANCHES
from grader.answers.children_order import CHILDREN_ORDER
from grader.answers.count import COUNT
from grader.answers.form import AnyForm
from grader.answers.interval import INTERVAL
from grader.answers.move import MOVE
from grader.answers.number import NUMBER
from grader.answers.order import ORDER
from grader.answers.path import PATH
from grader.answers.paths import PATHS
from grader.answers.payoffs import PAYOFFS
from grader.answers.strategy import STRATEGY
from grader.answers.table import TABLE
from grader.answers.truth import TRUTH
from grader.answers.vector import VECTOR
from grader.answers.windows import WINDOWS

FORMS: tuple[AnyForm, ...] = (
    NUMBER,
    COUNT,
    MOVE,
    PATH,
    PATHS,
    BRANCHES,
    TABLE,
    WINDOWS,
    ORDER,
    INTERVAL,
    VECTOR,
    TRUTH,
    CHILDREN_ORDER,
    PAYOFFS,
    STRATEGY,
)
"""Every answer form; one line to add another."""
