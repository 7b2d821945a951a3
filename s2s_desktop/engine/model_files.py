"""The model files, for the settings dialog."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from s2s_desktop.conversation.events import ModelProgress
from s2s_desktop.conversation.preferences import ModelChoice
from s2s_desktop.engine import model_use
from s2s_desktop.engine.part import Part
from s2s_desktop.engine.parts import download_event
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.models.catalog import find_model, recommend
from s2s_desktop.models.progress import DownloadProgress
from s2s_desktop.models.records import FileState, ModelRow, ModelStatus
from s2s_desktop.models.store import ModelStore
from s2s_desktop.settings.schema import Settings

_STATUS = {ModelStatus.PARTIAL: "incomplete"}


class ModelFiles:
    """What can be done with the models of the catalog.

    Args:
        store: The files.
        settings: Gives the settings in use.
        publish: Told how downloads go on.
    """

    def __init__(
        self, store: ModelStore, settings: Callable[[], Settings], publish: Callable[[ModelProgress], None]
    ) -> None:
        self._store = store
        self._settings = settings
        self._publish = publish

    async def models(self) -> tuple[ModelChoice, ...]:
        """Return the catalog with what is on this computer."""
        machine, used = model_use.machine(), set(self._used())
        recommended = {recommend(role, *machine).name for role in ("tts", "llm", "turn")}
        language = self._settings().speech.stt_language
        recommended.add(await asyncio.to_thread(_recommended_for_hearing, machine, language))

        def choice(row: ModelRow) -> ModelChoice:
            return ModelChoice(
                name=row.name,
                title=row.title,
                role=row.role,
                summary=row.summary,
                license=row.license,
                size=row.size,
                status=_STATUS.get(row.status, row.status.value),
                in_use=row.name in used,
                recommended=row.name in recommended,
            )

        return tuple(map(choice, await asyncio.to_thread(self._store.list)))

    async def get(self, name: str) -> None:
        """Download a model; cancelling the task stops it and keeps what was received.

        Raises:
            AssistantError: MODEL_MISSING; no source gave it, or there is no room.
        """
        title = find_model(name).title

        def progressed(progress: DownloadProgress) -> None:
            self._publish(download_event(progress))

        try:
            await self._store.ensure_async([name], progressed)
        except AssistantError as error:
            self._publish(ModelProgress(title, error=error.message))
            raise
        except asyncio.CancelledError:
            self._publish(ModelProgress(title))
            raise

    async def verify(self, name: str) -> str:
        """Check the files of a model against their checksums and return the finding as a sentence.

        Raises:
            AssistantError: MODEL_MISSING; there is no such model.
        """
        title = find_model(name).title
        checks = await asyncio.to_thread(self._store.verify, [name])
        bad = [check for check in checks if check.state is not FileState.INTACT]
        if not bad:
            return (
                f"{title} is intact: {len(checks)} files were checked."
                if len(checks) > 1
                else (f"{title} is intact.")
            )
        if len(bad) == len(checks) and all(check.state is FileState.MISSING for check in bad):
            return f"{title} is not on this computer."
        return f"{len(bad)} of {len(checks)} files of {title} are damaged or missing. Download it again."

    async def remove(self, name: str) -> int:
        """Delete the files of a model and return the bytes freed.

        Raises:
            AssistantError: MODEL_MISSING; it is in use, is being downloaded, or the folder cannot be written.
        """
        if name in self._used():
            raise AssistantError(
                ErrorKind.MODEL_MISSING,
                f"{find_model(name).title} is in use. Choose another model in its place first.",
            )
        return await asyncio.to_thread(self._store.remove, name)

    def _used(self) -> list[str]:
        return model_use.model_names(self._settings(), set(Part))


def _recommended_for_hearing(machine: tuple[int, int], language: str) -> str:
    """Runs on a thread: the question for a GPU loads a library."""
    from s2s_desktop.stt.hardware import recommended_model

    return recommended_model(*machine, language=language)
