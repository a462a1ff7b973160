"""Questions answered by rules: what a SPARQL ASK query means as rules, and what the SPARQL engine still has to be asked."""
