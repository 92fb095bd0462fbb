"""The answer forms: how a reply is written, read and credited, whatever the question."""

from grader.answers.branches import BRANCHES
from grader.answers.move import MOVE
from grader.answers.number import NUMBER
from grader.answers.order import ORDER
from grader.answers.path import PATH
from grader.answers.paths import PATHS
