#!/usr/bin/env bash
# Runs in PrairieLearn's container for every submission: installs the program and checks the file.
set -euo pipefail

python3 -m venv --system-site-packages /tmp/venv
/tmp/venv/bin/pip install --quiet /grade/tests/gametree_grader-*.whl
exec /tmp/venv/bin/python /grade/tests/grade.py /grade
