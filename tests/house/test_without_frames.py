"""What is required suffices: nothing but frames and parquet files needs a library of frames, and none needs another."""

from __future__ import annotations

import json
import subprocess
import sys

BLOCKED = ("polars", "pandas", "pyarrow", "numba", "xarray", "networkx", "zstandard", "fsspec", "flint")

CODE = f"""
import csv, io, json, sys

sys.modules.update(dict.fromkeys({BLOCKED!r}))  # importing any of these fails
import measurand as md
from measurand.errors import NotInstalled

qrels = md.read_qrels(md.sample.qrels())
run, other = md.read_runs(md.sample.runs()[:2])
names = ("qid", "docno", "score")
rows = [(topic, document, score) for topic, found in run.to_dict().items() for document, score in found.items()]

def scores(source, judgments=qrels):
    return md.evaluate(judgments, source, "nDCG@10")["nDCG@10"].values.tolist()

def complaint(function, *given):
    try:
        function(*given)
    except NotInstalled as error:
        return str(error)

table = io.StringIO()
csv.writer(table).writerows([names, *rows])
lines = "".join(json.dumps(dict(zip(names, row))) + "\\n" for row in rows)
nested = [json.dumps(each.to_dict()) for each in (run, qrels)]
parquet = sys.argv[1] + "/a.parquet"
found = {{
    "run": scores(run),
    "rows": scores(rows),
    "CSV": scores(io.StringIO(table.getvalue())),
    "JSON lines": scores(io.StringIO(lines)),
    "JSON": scores(*map(io.StringIO, nested)),
}}
compared = md.compare(qrels, [run, other], "nDCG@10")
said = [str(compared), complaint(compared.to_polars), complaint(run.to_parquet, parquet)]

del sys.modules["pandas"]
import pandas

frame = pandas.DataFrame(rows, columns=names)
found["pandas"] = scores(frame)
found["numbers as names"] = scores(frame.astype({{"qid": int}}))
both = pandas.concat([md.evaluate(qrels, each, "nDCG@10").to_pandas() for each in (run, other)])
said.append(str(md.compare(both).of("nDCG@10").scores.values.shape))

del sys.modules["pyarrow"]
import pyarrow

found["Arrow"] = scores(pyarrow.table(dict(zip(names, zip(*rows)))))
run.to_parquet(parquet)
found["parquet"] = scores(parquet)
loaded = [name for name in {BLOCKED!r} if sys.modules.get(name)]
print(json.dumps([found, said, loaded]))
"""


def test_without_polars_all_else_works_and_gives_the_same_scores(tmp_path):
    done = subprocess.run([sys.executable, "-c", CODE, tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found, (compared, frame, parquet, shape), loaded = json.loads(done.stdout)
    assert [name for name, values in found.items() if values != found["run"]] == []
    assert "dense-1" in compared
    assert frame == "to_polars needs polars: pip install 'measurand[frames]'"
    assert parquet == "a parquet file needs polars or pyarrow: pip install 'measurand[frames]'"
    assert (shape, loaded) == ("(2, 50)", ["pandas", "pyarrow"])
