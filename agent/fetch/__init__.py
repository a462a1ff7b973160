"""Reading the world: one Get per document and step."""
