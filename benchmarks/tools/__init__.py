"""One module per tool, each used in a process of its own.

Every module has `score_files(qrels, runs, measures)`, which goes from files to the scores of every topic.
Those that evaluate also have `read(qrels, runs)`, which returns the tool's own objects in memory,
`score_held(held, measures)`, which goes on from there, and `by_topic(scores)`, which is not timed and returns
`{measure: [[score of each topic] of each run]}`, so that the tools' answers can be compared.
"""
