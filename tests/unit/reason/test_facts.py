"""Working memory: a set of triples with indexes."""

from agent.rdf.terms import RDF_NIL, ListTerm, Triple
from agent.reason.facts import Facts
from tests.support.reasoning import iri, triples


def memory() -> Facts:
    facts = Facts()
    for triple in triples(":a :p 1 , 2 . :b :p 1 ; :q :a ."):
        facts.add(triple)
    return facts


def test_adding_tells_what_is_new_and_counts_once() -> None:
    facts = memory()
    assert facts.add(Triple(iri("a"), iri("p"), iri("c"))) is True
    assert facts.add(Triple(iri("a"), iri("p"), iri("c"))) is False
    assert len(facts) == len(list(facts)) == 5


def test_every_combination_of_known_terms_finds_the_same_triples() -> None:
    facts = memory()
    everything = list(facts)
    for wanted in everything:
        for mask in range(8):
            given = [term if mask >> position & 1 else None for position, term in enumerate(wanted)]
            found = sorted(map(str, facts.match(*given)))
            assert found == sorted(
                str(triple)
                for triple in everything
                if all(term is None or term == part for term, part in zip(given, triple, strict=True))
            )


def test_unknown_terms_match_nothing() -> None:
    facts = memory()
    assert list(facts.match(iri("z"), None, None)) == []
    assert Triple(iri("a"), iri("q"), iri("b")) not in facts
    assert Triple(iri("b"), iri("q"), iri("a")) in facts
    assert "text" not in facts


def test_values_are_found_both_ways() -> None:
    facts = memory()
    assert facts.value(iri("b"), iri("q")) == iri("a")
    assert facts.value(iri("a"), iri("q")) is None
    assert len(set(facts.objects(iri("a"), iri("p")))) == 2
    assert set(facts.subjects(iri("q"), iri("a"))) == {iri("b")}


def test_the_empty_list_is_nil() -> None:
    facts = Facts()
    facts.add(Triple(iri("a"), iri("p"), ListTerm(())))
    assert facts.value(iri("a"), iri("p")) == RDF_NIL
    assert Triple(iri("a"), iri("p"), ListTerm(())) in facts
    assert facts.add(Triple(iri("a"), iri("p"), RDF_NIL)) is False


def test_a_copy_of_a_predicate_stays_as_it_was() -> None:
    facts = memory()
    before = Facts(facts.table)
    number = facts.table.intern(iri("p"))
    for _ in range(2):
        before.copy_predicate(facts, number)
        assert len(before) == len(list(before)) == 3
    facts.add(Triple(iri("a"), iri("p"), iri("new")))
    assert Triple(iri("a"), iri("p"), iri("new")) not in before
