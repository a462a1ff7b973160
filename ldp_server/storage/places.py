"""Where a resource is kept: the container that holds it, and its name there."""


def place(path: str) -> tuple[str, str]:
    """Return the container that holds ``path``, and its name there; nothing holds the root, whose container is empty.

    Put together they are the path.
    """
    start = path.rfind("/", 0, -1) + 1
    return path[:start], path[start:]


def container_of(path: str) -> str:
    """Return the container that holds ``path``, empty for the root."""
    return place(path)[0]
