"""Guard-Stage-Milestone models and instances: what is said about them; the lifecycle itself is rules/gsm."""
