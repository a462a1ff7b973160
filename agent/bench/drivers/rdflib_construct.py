"""Apply CONSTRUCT queries with rdflib until none of them says anything new: ``QUERIES FACTS``."""

import json
import sys
from pathlib import Path

from rdflib import Graph


def main(queries: str, facts: str) -> None:
    """Write what the ``queries``, a JSON array, add to the N-Triples ``facts``."""
    texts: list[str] = json.loads(Path(queries).read_text(encoding="utf-8"))
    graph = Graph()
    graph.parse(facts, format="nt")
    derived = Graph()
    grown = True
    while grown:
        grown = False
        for text in texts:
            for triple in graph.query(text).graph or ():
                if triple not in graph:
                    graph.add(triple)
                    derived.add(triple)
                    grown = True
    sys.stdout.write(derived.serialize(format="nt"))


if __name__ == "__main__":
    main(*sys.argv[1:3])
