"""Close a file of facts, named as argument, under the RDFS rules of owlrl.

owlrl derives more than the six rules of the workload: that everything is a resource, what is a class or a property,
and that each is below itself. That is left out of what is written, so that counts can be compared.
"""

import sys

from owlrl import DeductiveClosure, RDFS_Semantics
from rdflib import RDF, RDFS, Graph

_OF_THE_LANGUAGE = (str(RDF), str(RDFS))


def main(facts: str) -> None:
    """Write what follows from the N-Triples ``facts`` about other things than RDF and RDFS themselves."""
    graph = Graph()
    graph.parse(facts, format="nt")
    known = set(graph)
    DeductiveClosure(RDFS_Semantics).expand(graph)
    derived = Graph()
    for triple in graph:
        subject, _, object_ = triple
        language = any(str(term).startswith(_OF_THE_LANGUAGE) for term in (subject, object_))
        if triple not in known and not language and subject != object_:
            derived.add(triple)
    sys.stdout.write(derived.serialize(format="nt"))


if __name__ == "__main__":
    main(sys.argv[1])
