"""Non-RDF sources: content of any media type, and the RDF document that describes each (LDP 1.0, section 4.4).

The description of ``/a/photo.png`` is ``/a/photo.png.meta``. It is made and deleted with the content, can be
written like any other document, and is no member of the container.
"""

from msgspec import Struct

from ldp_server.vocabulary import LDP, RDF_TYPE

SHORT_NAME = "bin"
"""What stands for the media type in the entity tag of content; there is one representation."""

_DESCRIPTION = ".meta"


class Binary(Struct, frozen=True):
    """The content of a Non-RDF source: its Content-Type as it was sent, its size in bytes, and where it is.

    Small content is ``content`` itself. Large content is in the file of the name ``file`` in the store's
    folder of contents, and ``content`` is empty.
    """

    media_type: str
    size: int
    content: bytes = b""
    file: str = ""


def description_path(path: str) -> str:
    """Return the path of the description of the content at ``path``."""
    return path + _DESCRIPTION


def described_by(path: str) -> str:
    """Return the path of the content that the description at ``path`` is about."""
    return path.removesuffix(_DESCRIPTION)


def first_description(uri: str) -> bytes:
    """Return what the description of new content at ``uri`` says, as N-Triples: only what stays true."""
    return f"<{uri}> <{RDF_TYPE}> <{LDP}NonRDFSource> .\n".encode()
