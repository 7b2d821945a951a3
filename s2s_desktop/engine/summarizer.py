"""Keeps long conversations within what the language model is sent, by summaries that can be taken back."""

from __future__ import annotations

import logging

from typing_extensions import override

from s2s_desktop.conversation.stages import LanguageModel
from s2s_desktop.engine.idle_work import GetLanguageModel, IdleWork
from s2s_desktop.engine.saved_conversations import SavedConversations
from s2s_desktop.errors import AssistantError
from s2s_desktop.llm.history.compaction import Compactor, Summary
from s2s_desktop.llm.history.history import History
from s2s_desktop.llm.protocol import LLMBackend

_log = logging.getLogger(__name__)


class Summarizer(IdleWork):
    """Runs the compactor after turns and saves what it made.

    Args:
        conversations: Where summaries are kept.
        history: Is shortened.
        language_model: The model to ask.
        quiet_s: How long after a turn a summary begins, in seconds.
    """

    def __init__(
        self,
        conversations: SavedConversations,
        history: History,
        language_model: GetLanguageModel,
        quiet_s: float = 1.0,
    ) -> None:
        super().__init__(language_model, quiet_s)
        self._conversations = conversations
        self._history = history
        self._compactor: Compactor | None = None
        self._made_for: tuple[LLMBackend, int] | None = None
        self._made: Summary | None = None

    @override
    async def work(self, model: LanguageModel) -> None:
        if not self._history.compacts:
            return
        try:
            compactor = self._compactor_for(await model.backend())
            task = compactor.start_if_needed()
            if task is None:
                return
            try:
                await task
            finally:
                await compactor.cancel()
            summary, self._made = self._made, None
            if summary is not None and await self._conversations.written():
                await self._conversations.summarized(
                    summary.user, summary.assistant, keep=len(self._history) - 1
                )
        except AssistantError as error:
            _log.warning("no summary: %s (%s)", error.message, error.details)

    def _compactor_for(self, backend: LLMBackend) -> Compactor:
        """Keep the compactor as long as backend and window are the same: it remembers failures."""
        made_for = (backend, self._history.chat_size)
        if self._compactor is None or made_for != self._made_for:
            self._made_for = made_for
            self._compactor = Compactor(backend, self._history, on_summary=self._remember)
        return self._compactor

    def _remember(self, summary: Summary) -> None:
        self._made = summary
