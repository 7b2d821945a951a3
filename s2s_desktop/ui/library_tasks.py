"""What the window does with the saved conversations, one task each."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec

from s2s_desktop.conversation.commands import Conversations
from s2s_desktop.conversation.events import AssistantError
from s2s_desktop.runtime.tasks import TaskGroup

P = ParamSpec("P")


class LibraryTasks:
    """Starts work on the conversations; what goes wrong becomes a sentence.

    Args:
        tell: Shows the sentence.
    """

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._conversations: Conversations | None = None
        self._tasks = TaskGroup()
        self._closed = False

    @property
    def library(self) -> Conversations:
        """The conversations; only where `ready`."""
        if self._conversations is None:
            raise RuntimeError("there are no conversations yet")
        return self._conversations

    @property
    def ready(self) -> bool:
        """Whether work is begun: there are conversations, and the end has not come."""
        return self._conversations is not None and not self._closed

    def connect_to(self, conversations: Conversations) -> None:
        """Work on these from now on. Needs the running event loop."""
        self._conversations = conversations

    def start(self, work: Callable[P, Coroutine[Any, Any, None]], *args: P.args, **kwargs: P.kwargs) -> None:
        """Begin something, unless it cannot be done any more or not yet."""
        if self.ready:
            self._tasks.start(self._told(lambda: work(*args, **kwargs)), "conversations")

    async def settled(self) -> None:
        """Return when everything asked for so far is done."""
        await self._tasks.wait()

    async def close(self) -> None:
        """End what is under way; nothing more is begun."""
        self._closed = True
        await self._tasks.cancel_all()

    async def _told(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            await work()
        except AssistantError as error:
            self._tell(error.message)
