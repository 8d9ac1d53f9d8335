"""The language of statements: the grammar, and the parser that reads sentences by it.

`reader` goes through a sentence, knows the names that may occur in it, and remembers where it got stuck; `phrases` has
the words for averages, relations, numbers and tests; `grammar` has the forms of sentences, `makers` what they mean, and
`complaints` what is said of a sentence that cannot be read.
"""

from __future__ import annotations

from measurand.scales.language.grammar import FORMS, GRAMMAR, parse_statement

__all__ = ["FORMS", "GRAMMAR", "parse_statement"]
