"""What requests cost a Linked Data Platform server, ours beside the Community Solid Server."""
