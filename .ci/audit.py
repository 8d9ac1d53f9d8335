"""Ask whether a version that a lock pins has a known vulnerability: `make audit`.

The exit status is 0 where none has one, 1 where one has, and 3 where versions could not be checked, because the index
or its advisories could not be reached or have no entry; what was not checked is named. pip-audit itself calls that a
success. Advisories come from the JSON interface of PyPI; what only other platforms install is not asked about.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent

VULNERABLE, UNCHECKED = 1, 3


def verdict(lock: str, found: dict[str, Any] | None, said: str) -> tuple[int, list[str]]:
    """Return the exit status for a lock and the lines that tell it, from what pip-audit found, or said in despair."""
    if found is None:
        reason = (said.strip().splitlines() or ["pip-audit said nothing"])[-1]
        return UNCHECKED, [f"NOT CHECKED: {lock}: {reason}"]
    packages = found["dependencies"]
    lines = [
        f"VULNERABLE: {lock}: {each['name']} {each['version']}: {flaw['id']}, "
        f"mended in {', '.join(flaw['fix_versions']) or 'no version yet'}"
        for each in packages
        for flaw in each.get("vulns", ())
    ]
    skipped = [each for each in packages if "skip_reason" in each]
    checked = len(packages) - len(skipped)
    status = VULNERABLE if lines else UNCHECKED if skipped or not checked else 0
    if skipped:
        lines.append(
            f"NOT CHECKED: {lock}: {len(skipped)} of {len(packages)} packages have no entry in the advisories that "
            f"can be reached here: {', '.join(each['name'] for each in skipped)}"
        )
    if checked:
        lines.append(f"{lock}: {checked} packages checked")
    return status, lines or [f"NOT CHECKED: {lock}: it names no package"]


def audited(lock: Path) -> tuple[int, list[str]]:
    """Return the exit status for a lock and the lines that tell it."""
    call = [sys.executable, "-m", "pip_audit", "--requirement", lock, "--no-deps", "--disable-pip"]
    options = ["--vulnerability-service", "pypi", "--format", "json", "--progress-spinner", "off", "--timeout", "15"]
    done = subprocess.run([*call, *options], capture_output=True, text=True, check=False)
    try:
        found = json.loads(done.stdout)
    except ValueError:
        found = None
    return verdict(lock.name, found, done.stderr)


def main() -> int:
    """Check all locks, print what was found, and return the exit status."""
    outcomes = [audited(lock) for lock in sorted(ROOT.glob("requirements*.lock"))]
    for _, lines in outcomes:
        print(*lines, sep="\n")
    statuses = {status for status, _ in outcomes}
    return next((status for status in (VULNERABLE, UNCHECKED) if status in statuses), 0)


if __name__ == "__main__":
    sys.exit(main())
