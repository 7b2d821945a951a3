"""The parts of an engine: fetched, loaded, and replaced one by one while the conversation goes on."""

from __future__ import annotations

import asyncio
import importlib
import logging
from collections.abc import Awaitable, Callable, Iterable

from s2s_desktop.conversation.events import Event, ModelProgress, Notice
from s2s_desktop.conversation.stages import Stages
from s2s_desktop.engine import build, model_use, sound
from s2s_desktop.engine.calibration import Calibration
from s2s_desktop.engine.components import needs
from s2s_desktop.engine.language_model import BuiltinLanguageModel, RemoteLanguageModel
from s2s_desktop.engine.part import Component, Part, components_of
from s2s_desktop.errors import AssistantError
from s2s_desktop.models.progress import DownloadProgress
from s2s_desktop.models.records import ModelStatus
from s2s_desktop.models.store import ModelStore
from s2s_desktop.runtime.tasks import TaskGroup, to_thread_and_back
from s2s_desktop.runtime.workers import SerialWorker
from s2s_desktop.settings.paths import Paths
from s2s_desktop.settings.schema import Profile, Settings
from s2s_desktop.settings.secrets import KeyStore
from s2s_desktop.stt.protocol import Transcriber
from s2s_desktop.tts.protocol import Synthesizer

_log = logging.getLogger(__name__)

TITLES = {
    Component.LLM: "Language model",
    Component.TRANSCRIBER: "Speech recognition",
    Component.VOICE: "Voice",
}
"""What people call those that take a while to load."""

OnDownload = Callable[[DownloadProgress], None]


class Parts:
    """Loads what the settings ask for into the stages. What is in use goes on until the new one is ready.

    Everything but the loading itself happens on one event loop.

    Args:
        stages: Get the parts; what has a sink gets no speaker.
        store: The model files.
        paths: The folders of this installation.
        keys: Where API keys are found.
        parts: What is wanted.
        publish: Told progress, and what went wrong.
        idle: Returns when no turn is running: only then what was replaced is closed.
        on_loaded: Told what was loaded or could not be.
        on_device_problem: Told about devices, from any thread.
    """

    def __init__(
        self,
        stages: Stages,
        store: ModelStore,
        paths: Paths,
        keys: KeyStore,
        *,
        parts: Iterable[Part],
        publish: Callable[[Event], None],
        idle: Callable[[], Awaitable[None]],
        on_loaded: Callable[[Component], None],
        on_device_problem: Callable[[str], None],
    ) -> None:
        self._stages = stages
        self._store = store
        self._paths = paths
        self.calibration = Calibration(paths.state / "calibration.json")
        self._keys = keys
        self._publish = publish
        self._idle = idle
        self._on_loaded = on_loaded
        self._on_device_problem = on_device_problem
        self._components = tuple(
            component
            for component in components_of(parts)
            if component is not Component.SPEAKER or stages.sink is None
        )
        self._wanted: dict[Component, tuple[object, ...]] = {}
        self._loaded: dict[Component, tuple[object, ...]] = {}
        self._loading: dict[Component, asyncio.Task[None]] = {}
        self._failed: set[Component] = set()
        self._tasks = TaskGroup()
        self._downloading = asyncio.Lock()
        self._language_model: BuiltinLanguageModel | RemoteLanguageModel | None = None
        self.answering: Profile | None = None
        """The profile whose language model is in use; None while none is."""

    async def load_all(self, settings: Settings, on_download: OnDownload | None = None) -> None:
        """Fetch and load every wanted part; a missing speaker is only told.

        Raises:
            AssistantError: A part cannot be had; says what to do.
        """
        wanted = [component for component in self._components if needs(component, settings) is not None]
        names = dict.fromkeys(name for each in wanted for name in model_use.model_files(each, settings))
        await self._store.ensure_async(names, on_download)
        await asyncio.gather(*(self._load_or_tell(component, settings) for component in wanted))
        self._wanted = {each: found for each in wanted if (found := needs(each, settings)) is not None}
        self._loaded = dict(self._wanted)

    async def _load_or_tell(self, component: Component, settings: Settings) -> None:
        """Load a part; without a speaker the rest works."""
        try:
            await self._load(component, settings)
        except AssistantError as error:
            if component is not Component.SPEAKER:
                raise
            self._tell(component, error.message)

    def use(self, settings: Settings, again: Iterable[Component] = ()) -> None:
        """Bring everything that differs to these settings in the background, the language model first.

        What goes wrong with one part is told and leaves the others alone. A part that is being loaded for
        other settings is given up.

        Args:
            settings: With prompt and voice of the persona.
            again: Load these anew although their settings are the same (another key, other files).
        """
        again = set(again)
        for component in self._components:
            wanted = needs(component, settings)
            if wanted is None or (self._wanted.get(component) == wanted and component not in again):
                continue
            self._wanted[component] = wanted
            before = self._loading.get(component)
            if before is not None:
                before.cancel()
            if before is not None or self._loaded.get(component) != wanted or component in again:
                self._failed.discard(component)
                work = self._bring(component, settings, wanted, before, always=component in again)
                self._loading[component] = self._tasks.start(work, f"load {component}")

    def failed(self, component: Component) -> bool:
        """Return whether a part could not be had for the settings in use, and is not on its way again."""
        return component in self._failed

    async def settled(self) -> None:
        """Return when nothing is being loaded."""
        await self._tasks.wait()

    async def close(self) -> None:
        """Stop loading, and end what was loaded. Idempotent. No turn runs any more."""
        await self._tasks.cancel_all()
        if Component.SPEAKER in self._components and self._stages.sink is not None:
            # The session stopped the one it knew; another may have been opened while it closed.
            await asyncio.to_thread(self._stages.sink.stop)
        for part in (self._stages.transcriber, self._stages.synthesizer):
            if part is not None:
                part.close()
        model, self._language_model = self._language_model, None
        if model is not None:
            await model.close()

    async def _bring(
        self,
        component: Component,
        settings: Settings,
        wanted: tuple[object, ...],
        before: asyncio.Task[None] | None,
        *,
        always: bool,
    ) -> None:
        if before is not None:
            await asyncio.wait([before])
        if self._loaded.get(component) == wanted and not always:
            return  # the user went back to what is there
        title = TITLES.get(component, "")
        try:
            await self._fetch(model_use.model_files(component, settings))
            if title:
                self._publish(ModelProgress(title, text=f"Loading {title.lower()}…"))
            await self._load(component, settings)
        except AssistantError as error:
            _log.error("%s: %s (%s)", component, error.message, error.details)
            self._tell(component, error.message)
        except asyncio.CancelledError:
            if title:
                self._publish(ModelProgress(title))
            raise
        except Exception as error:
            _log.exception("%s could not be loaded", component)
            self._tell(
                component, f"{title or 'A part'} could not be loaded. The log says what it was: {error}"
            )
        else:
            self._loaded[component] = wanted
            if title:
                self._publish(ModelProgress(title))
        self._on_loaded(component)
        if component is Component.DETECTOR and settings.audio.smart_turn:
            await self._fetch_judge(settings)

    async def _fetch_judge(self, settings: Settings) -> None:
        """Fetch what hears the end of a sentence, which hearing does not wait for."""
        name = model_use.TURN_MODEL
        if not model_use.judges(settings) or not await asyncio.to_thread(self._is_missing, name):
            return
        try:
            await self._fetch([name])
            await self._load(Component.DETECTOR, settings)
            self._on_loaded(Component.DETECTOR)
        except AssistantError as error:
            _log.warning("turns end after a pause alone: %s (%s)", error.message, error.details)

    def _tell(self, component: Component, sentence: str) -> None:
        """Say that a part could not be had."""
        self._failed.add(component)
        title = TITLES.get(component, "")
        if component is Component.SPEAKER:
            sentence += " Replies are shown and not spoken." if self._stages.sink is None else ""
        if component in self._loaded and title:
            self._publish(ModelProgress(title))
            self._publish(Notice(f"{sentence} Until then the {title.lower()} used before goes on."))
        elif title:
            self._publish(ModelProgress(title, error=sentence))
        else:
            self._publish(Notice(sentence))

    async def _fetch(self, names: Iterable[str]) -> None:
        """Fetch model files, one download after the other; what is there waits for none."""
        missing = [name for name in names if await asyncio.to_thread(self._is_missing, name)]
        if not missing:
            return
        shown: set[str] = set()

        def progressed(progress: DownloadProgress) -> None:
            shown.add(progress.title)
            self._publish(download_event(progress))

        async with self._downloading:
            try:
                await self._store.ensure_async(missing, progressed)
            except asyncio.CancelledError:
                for title in shown:
                    self._publish(ModelProgress(title))
                raise

    def _is_missing(self, name: str) -> bool:
        return self._store.status(name) is not ModelStatus.PRESENT

    async def _load(self, component: Component, settings: Settings) -> None:
        stages = self._stages
        match component:
            case Component.LLM:
                await self._load_language_model(settings)
            case Component.TRANSCRIBER:
                transcriber = await sound.transcriber(
                    settings, self._store, self._keys, self._on_device_problem, self.calibration
                )
                await _load_on(stages.stt_worker, transcriber)
                old, stages.transcriber = stages.transcriber, transcriber
                if old is not None:
                    self._later(lambda: _close_on(stages.stt_worker, old))
            case Component.DETECTOR:
                judge = await self._judge(settings)
                stages.make_detector = await stages.stt_worker.run(
                    lambda: sound.detector_factory(settings, judge)
                )
            case Component.VOICE:
                voice = await sound.synthesizer(
                    settings, self._store, self._keys, stages.synthesizer, self._paths.state / "voice"
                )
                await _load_on(stages.tts_worker, voice)
                before, stages.synthesizer = stages.synthesizer, voice
                if before is not None:
                    self._later(lambda: _close_on(stages.tts_worker, before))
            case Component.SPEAKER:
                sink = sound.speaker(settings, self._on_device_problem)
                try:
                    await to_thread_and_back(sink.start)
                except asyncio.CancelledError:
                    await asyncio.to_thread(sink.stop)
                    raise
                replaced, stages.sink = stages.sink, sink
                if replaced is not None:
                    self._later(lambda: asyncio.to_thread(replaced.stop))

    async def _judge(self, settings: Settings) -> sound.Judge | None:
        """Return what hears the end of a sentence; a pause decides alone where it cannot be had."""
        if not model_use.judges(settings):
            return None
        try:
            return await self._stages.stt_worker.run(lambda: sound.judge(self._store))
        except AssistantError as error:
            _log.warning("%s (%s)", error.message, error.details)
            return None

    async def _load_language_model(self, settings: Settings) -> None:
        model = await build.language_model(settings, self._store, self._paths, self._keys)
        try:
            # Importing the SDK takes half a second, in which the child process loads the model.
            sdk = asyncio.to_thread(importlib.import_module, "s2s_desktop.llm.http.sdk")
            await asyncio.gather(model.backend(), sdk)
            if isinstance(model, BuiltinLanguageModel):
                await model.warm_up(build.warm_up_items(settings))
        except BaseException:
            await model.close()
            raise
        before, self._language_model = self._language_model, model
        self._stages.language_model = model
        self.answering = settings.active_profile()
        if before is not None:
            self._later(before.close)

    def _later(self, close: Callable[[], Awaitable[object]]) -> None:
        """Close what was replaced when the turn that uses it is over."""

        async def when_idle() -> None:
            try:
                await self._idle()
            finally:
                await close()

        self._tasks.start(when_idle(), "close what was replaced")


async def _load_on(worker: SerialWorker, part: Transcriber | Synthesizer) -> None:
    try:
        await worker.run(part.load)
    except BaseException:
        await _close_on(worker, part)
        raise


async def _close_on(worker: SerialWorker, part: Transcriber | Synthesizer) -> None:
    try:
        await worker.run(part.close)
    except RuntimeError:  # the worker has ended, so that nobody uses it any more
        part.close()


def download_event(progress: DownloadProgress) -> ModelProgress:
    """Return a download as observers see it."""
    done = progress.done_bytes >= progress.total_bytes
    text = "" if done else progress.note or f"Downloading from {progress.source or 'the internet'}"
    return ModelProgress(progress.title, progress.done_bytes, progress.total_bytes, text)
