"""How much memory a program takes, measured in a process of its own."""

import subprocess
import sys
from pathlib import Path

HAS_STATUS = Path("/proc/self/status").exists()
"""Whether this system tells how much memory a process had."""

_TOLD = """
from pathlib import Path
import sys
peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
print(int(peak.split()[1]) / 1024, file=sys.stderr)
"""


def peak_of(program: str, *arguments: str) -> float:
    """The most megabytes that a Python program had in memory; what it printed is dropped.

    What the system tells of a child that has ended counts what its parent had when it was begun.
    """
    command = [sys.executable, "-c", program + _TOLD, *arguments]
    ran = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True)
    return float(ran.stderr.splitlines()[-1])
