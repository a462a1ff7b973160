"""HTTP as the agent uses it: client, policy, retries."""
