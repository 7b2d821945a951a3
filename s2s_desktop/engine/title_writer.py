"""Gives conversations better titles than their first words."""

from __future__ import annotations

import logging

from typing_extensions import override

from s2s_desktop.conversation.stages import LanguageModel
from s2s_desktop.conversation.store.library import Library
from s2s_desktop.conversation.store.titles import title_by_llm
from s2s_desktop.engine.idle_work import GetLanguageModel, IdleWork
from s2s_desktop.engine.saved_conversations import SavedConversations
from s2s_desktop.errors import AssistantError

_log = logging.getLogger(__name__)


class TitleWriter(IdleWork):
    """Names the conversation in use after a turn. Each is asked about once, so that no request is wasted.

    What goes wrong is in the log alone: the title by words stays.
    """

    def __init__(
        self, conversations: SavedConversations, language_model: GetLanguageModel, quiet_s: float = 2.0
    ) -> None:
        super().__init__(language_model, quiet_s)
        self._conversations = conversations
        self._asked: set[str] = set()

    @override
    async def work(self, model: LanguageModel) -> None:
        try:
            await self._conversations.written()
            first = await self._conversations.store.run(Library.unnamed)
            # Others are left alone: nobody expects requests about what was said weeks ago.
            if first is None or first.conversation_id != self._conversations.conversation_id:
                return
            if first.conversation_id in self._asked:
                return
            title = await title_by_llm(await model.backend(), first.user, first.assistant)
            self._asked.add(first.conversation_id)
            if title:
                await self._conversations.name_by_model(first.conversation_id, title)
        except AssistantError as error:
            _log.info("no title: %s (%s)", error.message, error.details)
