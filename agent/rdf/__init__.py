"""RDF as values: terms, documents, serialisation."""
