"""The vocabularies the code names are namespaces, each with one prefix."""

from agent.vocab import KNOWN_PREFIXES, THIS_BASE


def test_every_known_prefix_names_another_namespace() -> None:
    assert len(set(KNOWN_PREFIXES.values())) == len(KNOWN_PREFIXES)
    assert [name for name in KNOWN_PREFIXES.values() if not name.endswith(("#", "/"))] == []


def test_the_base_of_this_is_a_folder_so_that_references_resolve_below_it() -> None:
    assert THIS_BASE.endswith("/")
