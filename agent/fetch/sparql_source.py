"""SPARQL endpoints as sources: the result of a CONSTRUCT or DESCRIBE query is a document like any other.

SPARQLWrapper words the request. It is sent as every other is: SPARQLWrapper itself would block a thread, go through
proxies that the environment names, and take credentials along to wherever a redirect leads.
"""

from SPARQLWrapper import GET, POST, TURTLE, SPARQLWrapper

from agent.fetch.answers import answer_from
from agent.messages import Answer, NoAnswer
from agent.rdf.endpoints import GraphQuery
from agent.transport.client import Client, NoReplyError, Reply

_LONGEST_IN_URI = 2_000
_WORDED_HERE = ("Accept", "Content-type")
"""Header fields that SPARQLWrapper words; all others are the client's."""


async def ask_endpoint(client: Client, uri: str, query: GraphQuery) -> Answer | NoAnswer:
    """Return what the endpoint answers ``query`` with, as the answer to a Get of ``uri``.

    Only endpoints on hosts that the user named are asked; long queries are posted, and only to endpoints that the
    user named as such. NoReplyError if no answer came, or none to the query.
    """
    target = client.target(query.endpoint)
    if not target.is_mapped and not client.policy.is_named(target.hostname):
        raise NoReplyError(f"host refused by policy: nobody named the SPARQL endpoint {query.endpoint}")
    is_long = len(query.query) > _LONGEST_IN_URI
    if is_long and not client.policy.is_endpoint(query.endpoint):
        # Retrieved data can make up the URI of a document; it must not make the agent post to whatever it likes.
        raise NoReplyError(f"a query this long is posted, and nobody named {query.endpoint} as ag:endpoint")
    worded = SPARQLWrapper(query.endpoint)
    worded.setQuery(query.query)
    worded.setMethod(POST if is_long else GET)
    worded.setReturnFormat(TURTLE)
    worded.setOnlyConneg(True)
    for name, value in query.parameters:
        worded.addParameter(name, value)
    request = worded._createRequest()  # what is public sends it too
    headers = tuple((name, value) for name, value in request.header_items() if name in _WORDED_HERE)
    body = request.data if isinstance(request.data, bytes) else None
    reply = await client.request(request.get_method(), request.full_url, headers, body)
    if reply.status != 200:
        # Not 404 either: that the endpoint is missing does not mean that there is no such data.
        raise NoReplyError(f"the SPARQL endpoint answered {reply.status}")
    return answer_from(uri, Reply(uri, reply.status, reply.headers, reply.body))
