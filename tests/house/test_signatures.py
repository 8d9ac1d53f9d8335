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
    additivity_of_scores admissible as_cells as_grades as_measure as_scores author_year beside bibtex bootstrap
    bootstrap_interval bounds_of caveats_of check citation compare consistency_scatter corrected count_ranked_runs
    count_set_runs decimals define detectable differing_bases distinct_runs dominance dominance_matrix effectiveness
    effectiveness_additivity effects enclosure_of evaluate every_run expand expected_difference find_test
    fine_grained_documents flatten float_effect float_image friedman fusion_gain gate hashes_of information_tables
    inverse_log is_additive is_monotone is_one iterate_runs judge judged_rankings known_scale kruskal_wallis least
    log log_sum mean_robustness mergeability minimum_detectable_difference need_of noted one_way_anova paired_t
    parse parse_many parse_statement permissible place_of profile quotient randomisation randomised_tukey rank_sum
    ranked ranked_runs ratio rational rejection_rate reproduce required_scale scale_effect scale_tables set_algebra
    set_runs set_scale_table shown sign sign_pvalues signed_rank similarity simulated_runs spell
    studentized_range_quantile tau_ap tie_effect topics_needed two_way_anova unanimity units weighted_sum
    whole_number write write_atomically write_report
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
