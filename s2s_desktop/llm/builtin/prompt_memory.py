"""Lets a server begin where the one before had read the same prompt."""

from __future__ import annotations

import asyncio
import logging

from s2s_desktop.llm.builtin.prompt_file import PromptFile
from s2s_desktop.llm.builtin.server import BuiltinServer

_log = logging.getLogger(__name__)


class PromptMemory:
    """What a model made of a prompt, from one start to the next. What goes wrong only costs time.

    Args:
        server: Runs already; without a prompt folder nothing is kept.
        prompt: What its first request will hold, in any form that is the same at every start.
    """

    def __init__(self, server: BuiltinServer, prompt: str) -> None:
        self._server = server
        self._prompt = prompt

    async def recall(self) -> bool:
        """Give the model what it had read when `remember` was called; to be called before the first request.

        Returns:
            False where nothing is kept, or it cannot be used.
        """
        if self._server.prompt_folder is None:
            return False
        try:
            name = await asyncio.to_thread(lambda: self._file().intact())
        except OSError as error:
            _log.info("what the model made of its prompt cannot be read: %s", error)
            return False
        return bool(name) and await self._server.slot("restore", name)

    async def remember(self) -> None:
        """Keep what the model has read so far."""
        if self._server.prompt_folder is None:
            return
        try:
            file = self._file()
            draft = await asyncio.to_thread(file.draft)
            if await self._server.slot("save", draft):
                await asyncio.to_thread(file.keep, draft)
        except OSError as error:
            _log.info("what the model made of its prompt cannot be kept: %s", error)

    def _file(self) -> PromptFile:
        assert self._server.prompt_folder is not None
        return PromptFile(self._server.prompt_folder, self._server.model_file, self._prompt)
