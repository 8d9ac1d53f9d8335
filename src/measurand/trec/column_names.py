"""What topics, documents and their values are called, in columns of frames and fields of rows."""

TOPIC = ("topic", "query_id", "qid", "q_id", "topic_id", "query-id", "query")
"""The topic; of several names the first that there is counts, here as below."""

DOCUMENT = ("document", "doc_id", "docno", "docid", "document_id", "corpus-id", "corpus_id", "pid", "passage_id")
"""The document."""

SCORE = ("score",)
"""The score of a document."""

RANK = ("rank",)
"""The rank of a document, where it has no score."""

GRADE = ("grade", "relevance", "label", "rel", "rating", "score")
"""The grade of a document."""

NAME = ("system", "run", "tag", "name")
"""The run that a row belongs to."""

SUBTOPIC = ("subtopic_id", "subtopic")
"""The subtopic that a judgment is about."""

SUBTOPICS = "judgments of subtopics, which only measures of diversity take; give judgments of whole topics"
"""What judgments with a subtopic are, and what to do."""
