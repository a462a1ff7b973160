"""Waiting for what sources and performers tell."""

import asyncio

from agent.act.perform import Performer
from agent.fetch.polling import Sources
from agent.messages import Answer, Get, NoAnswer, NotWritten, Send, Written


async def answer_to(sources: Sources, get: Get) -> Answer | NoAnswer:
    """Ask and wait for the answer."""
    told: asyncio.Future[Answer | NoAnswer] = asyncio.get_running_loop().create_future()
    sources.ask(get, told.set_result)
    return await told


async def outcome_of(performer: Performer, send: Send) -> Written | NotWritten:
    """Send and wait for what became of it."""
    told: asyncio.Future[Written | NotWritten] = asyncio.get_running_loop().create_future()
    performer.perform(send, told.set_result)
    return await told
