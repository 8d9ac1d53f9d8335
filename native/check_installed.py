"""Try an installed measurand: its module in C is there, and the sample scores the same with it and without it."""

from __future__ import annotations

import os
import subprocess
import sys

PROGRAM = """
from measurand import evaluate, interval, native, sample
print(native.is_there())
table = evaluate(sample.qrels(), sample.runs(), ["nDCG@10", "AP", "RBP(p=0.8)", "ERR@20", "P@10", "RR"])
print(table.to_dict(), interval("AP@12").rank([1, 0, 1, 1]))
"""


def printed(switch: str) -> list[str]:
    """Return the lines that the program prints, with the module in C switched on (1) or off (0)."""
    environment = {**os.environ, "MEASURAND_NATIVE": switch}
    # -I: from what is installed, never from the directory in which this is called
    ran = subprocess.run([sys.executable, "-I", "-c", PROGRAM], env=environment, stdout=subprocess.PIPE, check=True)
    return ran.stdout.decode().splitlines()


def main() -> None:
    """Exit with a message if anything is not as it should be."""
    (there, *fast), (still_there, *slow) = printed("1"), printed("0")
    if (there, still_there) != ("True", "False"):
        sys.exit("the module in C is not there, or MEASURAND_NATIVE=0 does not switch it off")
    if fast != slow:
        sys.exit("the sample scores differently with the module in C and without it")
    print(f"Python {sys.version.split()[0]}: the sample scores the same with the module in C and without it")


if __name__ == "__main__":
    main()
