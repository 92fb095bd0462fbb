#!/usr/bin/env bash
# Runs once, when Gradescope builds the image: installs Python 3.11 or newer, and the program with what it needs.
set -euo pipefail

source=/autograder/source
venv=/autograder/venv

apt-get update
apt-get install -y python3 python3-venv
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    apt-get install -y python3.11 python3.11-venv
fi

for python in python3.11 python3; do
    if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        "$python" -m venv "$venv"
        "$venv/bin/pip" install "$source"/gametree_grader-*.whl
        exit 0
    fi
done
echo "There is no Python 3.11 or newer here; choose a newer base image in the autograder's settings." >&2
exit 1
