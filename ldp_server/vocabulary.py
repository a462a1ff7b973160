"""The names the server speaks with."""

LDP = "http://www.w3.org/ns/ldp#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDF_TYPE = RDF + "type"
LDP_CONTAINS = LDP + "contains"
AS = "https://www.w3.org/ns/activitystreams#"
FEED = "https://w3id.org/milepost/ldp#"
"""What Activity Streams have no word for: sequence, version, and the relations of a container to its feeds."""

CONTAINER_TYPES = (LDP + "BasicContainer", LDP + "Container", LDP + "RDFSource", LDP + "Resource")
"""Types that every container has; a client may send them, they are not stored."""
SHOWN_TYPES = CONTAINER_TYPES[:3]
"""Those of them that a container says it has; the last follows from each."""

THIS = (
    "http://this.nxparser.github.io/reference/to/URI/of/current/rdf/graph/"
    "for/representing/permanently/relative/URIs/in/N-Triples/"
)
"""The well-known base that stands for the document being written, in rules of older agents."""

PREFIXES = {
    "as": AS,
    "dcterms": "http://purl.org/dc/terms/",
    "feed": FEED,
    "foaf": "http://xmlns.com/foaf/0.1/",
    "gsm": "http://purl.org/gsm/vocab#",
    "http": "http://www.w3.org/2011/http#",
    "ldp": LDP,
    "owl": "http://www.w3.org/2002/07/owl#",
    "prov": "http://www.w3.org/ns/prov#",
    "rdf": RDF,
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "saref": "https://saref.etsi.org/core/",
    "sched": "https://w3id.org/milepost/scheduling#",
    "schema": "http://schema.org/",
    "sosa": "http://www.w3.org/ns/sosa/",
    "ssn": "http://www.w3.org/ns/ssn/",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
"""Prefixes of Turtle and RDF/XML answers; a document gets those it uses."""
