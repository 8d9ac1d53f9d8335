"""What SECURITY.md promises: pinned packages, no code from data, and no network or process that nobody asked for."""

from __future__ import annotations

import ast
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOCKS = sorted(ROOT.glob("requirements*.lock"))

PINNED = re.compile(r"[\w.-]+==[\w.+!]+(?: ; [^\\\n]+?)?(?: \\\n    --hash=sha256:[0-9a-f]{64})+\n")
COMMENT = re.compile(r" *#[^\n]*\n")


def beyond_pins(text: str) -> str:
    """Return what a lock says that is neither a version with its hashes nor a comment."""
    return COMMENT.sub("", PINNED.sub("", text))


def test_every_line_of_every_lock_is_a_version_with_hashes_and_none_an_address():
    assert len(LOCKS) == 4
    for lock in LOCKS:
        text = lock.read_text(encoding="utf-8")
        assert PINNED.search(text), lock.name
        assert beyond_pins(text) == "", lock.name
        assert "://" not in text, lock.name


@pytest.mark.parametrize(
    "line",
    [
        "attrs==26.1.0\n",
        "attrs>=26 \\\n    --hash=sha256:" + "0" * 64 + "\n",
        "--find-links elsewhere\n",
    ],
)
def test_a_line_without_a_version_or_a_hash_is_seen(line):
    assert beyond_pins(line) == line


def package(name, **more):
    return {"name": name, "version": "1", "vulns": [], **more}


FLAW = {"id": "PYSEC-1", "fix_versions": ["2"]}


@pytest.mark.parametrize(
    ("found", "status", "words"),
    [
        ({"dependencies": [package("a")]}, 0, "1 packages checked"),
        ({"dependencies": [package("a", vulns=[FLAW]), {"name": "b", "skip_reason": "no"}]}, 1, "a 1: PYSEC-1"),
        ({"dependencies": [package("a"), {"name": "b", "skip_reason": "no"}]}, 3, "1 of 2 packages have no entry"),
        ({"dependencies": []}, 3, "names no package"),
        (None, 3, "NOT CHECKED: x.lock: no route"),
    ],
)
def test_an_audit_tells_a_vulnerable_version_from_one_that_could_not_be_checked(found, status, words):
    spec = importlib.util.spec_from_file_location("audit", ROOT / ".ci" / "audit.py")
    audit = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(audit)
    code, lines = audit.verdict("x.lock", found, "warning\nno route\n")
    assert code == status
    assert words in "\n".join(lines)


RUNS = {"eval", "exec", "__import__", "compile"}
LOADS = {"load", "loads", "Unpickler"}
MODULES = {"pickle", "marshal", "shelve", "yaml", "dill", "cloudpickle", "joblib"}
STARTS = {"subprocess", "socket", "ctypes", "webbrowser", "http", "requests", "ftplib", "smtplib", "urllib.request"}

ALLOWED = {
    "cli/main.py: exec": "runs nothing, so that Python forgets a signal that was answered",
    "display/writing.py: ctypes": "exchanges two folders at once, by a call of the system that Python lacks",
    "execution/carriers.py: pickle.loads": "runs on the workers of an executor that was handed over",
    "execution/cluster.py: eval": "asks a cluster that was named for its version, in words that are fixed here",
    "execution/cluster.py: pickle.loads": "outcomes of a cluster that was named",
    "execution/cluster.py: socket": "knocks at the address of a scheduler that was named",
    "execution/on_worker.py: pickle.loads": "runs on the workers of a cluster that was named",
}


def risks(several: list[ast.AST]) -> set[str]:
    """Return what a module names that could run code from data, start a process or open a connection."""
    found = set()
    for node in several:
        if isinstance(node, ast.Name) and node.id in RUNS:
            found.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            owner, name = node.value.id, node.attr
            if (owner in MODULES and name in LOADS) or (
                owner == "os" and re.match("system|popen|exec|spawn|posix_sp|fork", name)
            ):
                found.add(f"{owner}.{name}")
        elif isinstance(node, ast.keyword) and node.arg in ("allow_pickle", "shell"):
            if not (isinstance(node.value, ast.Constant) and node.value.value is False):
                found.add(node.arg)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else [each.name for each in node.names]
            found |= {each for each in modules if each in STARTS or each.partition(".")[0] in STARTS}
            if isinstance(node, ast.ImportFrom) and node.module in MODULES:
                found |= {f"{node.module}.{each.name}" for each in node.names if each.name in LOADS}
    return found


def test_no_module_runs_code_from_data_starts_a_process_or_opens_a_connection_but_those_named(nodes):
    found = {f"{path}: {risk}" for path, several in nodes.items() for risk in risks(several)}
    assert found == set(ALLOWED)


@pytest.mark.parametrize(
    "code",
    [
        "eval(x)",
        "from pickle import loads",
        "pickle.load(x)",
        "np.load(x, allow_pickle=True)",
        "os.system(x)",
        "import urllib.request",
        "from http.client import HTTPConnection",
        "f(shell=True)",
    ],
)
def test_a_way_to_run_code_or_to_connect_is_seen(code):
    assert risks(list(ast.walk(ast.parse(code))))


WATCHED = """
import sys
FORBIDDEN = (
    "socket.", "subprocess.", "os.system", "os.exec", "os.fork", "os.spawn", "os.posix_spawn", "pickle.", "urllib.",
    "webbrowser.",
)
seen = []
sys.addaudithook(lambda event, _: seen.append(event) if event.startswith(FORBIDDEN) else None)
import measurand as md
qrels, runs = md.sample.qrels(), md.sample.runs()[:2]
md.evaluate(qrels, runs[0], ["AP", "nDCG@10"])
md.write_report(md.Study.from_files(qrels, runs, ["P@10"], fuse=False), sys.argv[1])
assert seen == [], seen
import socket
socket.socket().close()
assert seen
"""


def test_scoring_and_reporting_open_no_socket_start_no_process_and_unpickle_nothing(tmp_path):
    page = tmp_path / "page.html"
    done = subprocess.run([sys.executable, "-c", WATCHED, page], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert page.exists()
