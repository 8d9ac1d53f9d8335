"""`measurand demo`: the built-in sample, evaluated and compared."""

from __future__ import annotations

import re
import shlex

from measurand import sample


def test_the_demo_shows_the_calls_that_print_the_same(call):
    demo = call("demo")
    assert demo.code == 0
    parts = re.split(r"^(measurand .*)\n", demo.out, flags=re.MULTILINE)[1:]
    calls, printed = parts[::2], parts[1::2]
    assert [shlex.split(line)[1] for line in calls] == ["evaluate", "compare"]
    for line, text in zip(calls, printed, strict=True):
        again = call(*shlex.split(line)[1:])
        assert (again.code, again.out.strip("\n")) == (0, text.strip("\n"))


def test_the_demo_ranks_every_system_of_the_sample(call):
    rows = [line.split() for line in call("demo").out.partition("measurand compare")[0].splitlines()]
    systems = {path.name.removesuffix(".run.gz") for path in sample.runs()}
    values = {row[0]: [float(value) for value in row[1:]] for row in rows if row and row[0] in systems}
    assert values.keys() == systems
    first = [row[0] for row in values.values()]
    assert first == sorted(first, reverse=True)
    assert all(0 < value < 1 for row in values.values() for value in row)


def test_the_demo_minds_the_blemishes_of_the_sample(call):
    err = call("demo").err
    assert "have no relevant document" in err
    assert "judged topics; they count as empty results" in err
    assert "do not admit averages" in err
