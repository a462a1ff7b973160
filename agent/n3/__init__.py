"""The rule language: Notation3 with the habits of ASM4LD programs."""
