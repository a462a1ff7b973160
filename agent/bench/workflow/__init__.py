"""The workload W(n): n workflows of eight stages at once, and what an agent spends on them (ADR 0120).

Server and agent are processes of their own. The agent counts its processor time itself, part by part (``ledger``):
from outside nobody could tell reading from reasoning.
"""
