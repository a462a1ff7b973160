"""The terms of the vocabularies that the code itself names; everything else is data."""

GSM = "http://purl.org/gsm/vocab#"
AG = "https://w3id.org/milepost/agent#"
SCHED = "https://w3id.org/milepost/scheduling#"
HTTP = "http://www.w3.org/2011/http#"
METHODS = "http://www.w3.org/2011/http-methods#"
LDP = "http://www.w3.org/ns/ldp#"
LOG = "http://www.w3.org/2000/10/swap/log#"
MATH = "http://www.w3.org/2000/10/swap/math#"
STRING = "http://www.w3.org/2000/10/swap/string#"
LIST = "http://www.w3.org/2000/10/swap/list#"
TIME = "http://www.w3.org/2000/10/swap/time#"
CRYPTO = "http://www.w3.org/2000/10/swap/crypto#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
XSD = "http://www.w3.org/2001/XMLSchema#"
SP = "http://spinrdf.org/sp#"
SH = "http://www.w3.org/ns/shacl#"
SR = "http://www.w3.org/2005/sparql-results#"
SKOLEM = "https://w3id.org/.well-known/genid/milepost/"
PROV = "http://www.w3.org/ns/prov#"

THIS_BASE = (
    "http://this.nxparser.github.io/reference/to/URI/of/current/rdf/graph/for/representing/permanently/"
    "relative/URIs/in/N-Triples/"
)
"""Base of IRIs that mean "the document this body ends up in"; ``this:`` is this base and ``#``."""

KNOWN_PREFIXES: dict[str, str] = {
    "gsm": GSM,
    "ag": AG,
    "sched": SCHED,
    "http": HTTP,
    "httpm": METHODS,
    "ldp": LDP,
    "log": LOG,
    "math": MATH,
    "string": STRING,
    "list": LIST,
    "time": TIME,
    "crypto": CRYPTO,
    "rdf": RDF,
    "rdfs": RDFS,
    "owl": OWL,
    "xsd": XSD,
    "sp": SP,
    "sh": SH,
    "sr": SR,
    "prov": PROV,
}
