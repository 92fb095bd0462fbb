"""The answer forms: how a reply is written, read and credited, whatever the question."""

from typing import Any

from grader.answers.branches import BRANCHES
from grader.answers.children_order import CHILDREN_ORDER
from grader.answers.count import COUNT
from grader.answers.form import Form
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

AnyForm = Form[Any]
"""A form whose answer type is not known at the place that handles it."""

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
