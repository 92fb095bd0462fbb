"""Print the lower bounds of all dependencies as constraints for pip: each of them is promised to work."""

import re
import tomllib
from pathlib import Path

text = (Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8")
project = tomllib.loads(text)["project"]
wanted = set(project["dependencies"]).union(*project["optional-dependencies"].values())
for requirement in sorted(wanted):
    found = re.fullmatch(r"(?P<name>[\w.-]+)>=(?P<lowest>[\d.]+)(,<[\d.]+)?", requirement)
    if not found:
        raise SystemExit(f"{requirement} has no lower bound.")
    print(f"{found['name']}=={found['lowest']}")
