"""The server with schedulers: queues and decisions as Linked Data, and the loop that works them off."""
