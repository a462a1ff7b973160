"""Why a guard, stage or milestone is as it is: memory, outcomes and an instant in, an explanation out, nothing sent."""
