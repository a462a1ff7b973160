"""From a final memory to an update set: requests, clashes, units."""
