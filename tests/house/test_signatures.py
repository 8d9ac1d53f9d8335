"""What `help`, editors and the reference pages show of a function is how users call it, parameter by parameter."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from types import ModuleType

import pytest

import measurand

TO_BE_DOCUMENTED: frozenset[str] = frozenset(
    """
    admissible author_year bibtex bootstrap bootstrap_interval check citation common_scale compare corrected
    detectable distribution dominance dominance_matrix effects enumeration_bytes find_test friedman image
    known_scale kruskal_wallis mean_robustness minimum_detectable_difference need_of one_way_anova paired_t
    parse_statement permissible profile randomisation randomised_tukey rank_sum readings required_scale
    run_shares scale_effect share_between sign sign_pvalues signed_rank similarity studentized_range_quantile
    tau_ap tie_effect topics_needed two_way_anova unanimity union value_curve write
    """.split()
)
"""Functions whose docstrings do not yet name all their parameters: document them, and take their names out."""

NOT_IMPERATIVE = {"Returns", "Computes", "Says", "Say", "Tells", "Tell", "Asks", "Ask", "Looks", "Look"}
"""First words of first lines that are neither imperative, as "Return" and "Compute", nor begin a noun phrase."""

Functions = dict[str, Callable[..., object]]


def offered(module: ModuleType) -> Iterator[tuple[str, Callable[..., object]]]:
    """Yield the functions that a public module lists, and those of the modules that it lists, by public name."""
    names = [(name, getattr(module, name)) for name in getattr(module, "__all__", ())]
    yield from ((f"{module.__name__}.{name}", value) for name, value in names if inspect.isfunction(value))
    for _, value in names:
        if isinstance(value, ModuleType):
            yield from offered(value)


@pytest.fixture(scope="module")
def functions() -> Functions:
    """Return every public function once, by the first of its names."""
    names = {value: name for name, value in reversed([*offered(measurand)])}
    return {name: function for function, name in names.items()}


def documented(function: Callable[..., object]) -> list[str]:
    """Return the names in the section "Parameters" of a docstring."""
    text = inspect.getdoc(function) or ""
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\w[\w ]*\n-+\n|\Z)", text, flags=re.MULTILINE | re.DOTALL)
    heads = re.findall(r"^(\S.*)$", section[1], flags=re.MULTILINE) if section else []
    return [name.strip().lstrip("*") for head in heads for name in head.split(" : ")[0].split(",")]


def test_every_public_function_documents_its_parameters_and_no_others(functions: Functions):
    wrong = {
        name: documented(function)
        for name, function in functions.items()
        if sorted(documented(function)) != sorted(inspect.signature(function).parameters)
    }
    assert {name: found for name, found in wrong.items() if name.rpartition(".")[2] not in TO_BE_DOCUMENTED} == {}


def test_the_first_line_of_every_public_function_is_one_imperative_sentence(functions: Functions):
    openings = {name: (inspect.getdoc(function) or "").splitlines()[:2] for name, function in functions.items()}
    assert [name for name, lines in openings.items() if not lines[0].endswith(".") or any(lines[1:])] == []
    assert [name for name, lines in openings.items() if lines[0].split()[0] in NOT_IMPERATIVE] == []
