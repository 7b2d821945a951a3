"""The composition root of the window: what starts in which order, and what ends in which."""

from __future__ import annotations

import asyncio
import importlib
import logging
import sys
from typing import TYPE_CHECKING

from s2s_desktop.errors import AssistantError
from s2s_desktop.runtime import preflight
from s2s_desktop.settings.paths import Paths
from s2s_desktop.settings.schema import Settings

if TYPE_CHECKING:
    from s2s_desktop.engine.engine import Engine
    from s2s_desktop.runtime.single_instance import SingleInstance
    from s2s_desktop.ui.dialogs import Dialogs
    from s2s_desktop.ui.main_window import MainWindow
    from s2s_desktop.ui.talk_shortcut import TalkShortcut

_log = logging.getLogger(__name__)

SHUTDOWN_LIMIT_S = 2.0
"""Quit takes no longer than this: what has not ended by then is left to the end of the process."""

WINDOW_STATE_NAME = "window.ini"

_DOES_NOT_ANSWER = "S2S Desktop is running already, but does not answer. End it first, then start it again."


def open_window(settings: Settings, paths: Paths, notices: list[str], quit_after: float | None = None) -> int:
    """Open the window and return the exit code when it is closed.

    Args:
        settings: The settings with every override applied.
        paths: The folders of this installation.
        notices: Sentences to show once (about settings that could not be used, for example).
        quit_after: Close by itself after so many seconds (for smoke tests).
    """
    display = preflight.check_display()
    if not display.ok:
        print(display.sentence, file=sys.stderr)
        if display.command:
            print(f"  {display.command}", file=sys.stderr)
        return 2

    # Qt is imported after the display was checked: with a broken display it aborts before Python can say why.
    from PySide6.QtWidgets import QApplication

    from s2s_desktop.runtime import crash_log, process_end, qt_loop
    from s2s_desktop.runtime.single_instance import RemoteCommand, SingleInstance, ask_running

    application = QApplication([sys.argv[0]])
    application.setApplicationName("S2S Desktop")
    application.setDesktopFileName("s2s-desktop")
    crash_log.install_qt_messages()
    instance = SingleInstance(paths)
    if not instance.is_first:
        if ask_running(paths, RemoteCommand.SHOW):
            return 0
        print(_DOES_NOT_ANSWER, file=sys.stderr)
        return 1
    try:
        code = qt_loop.run(lambda: run_window(settings, paths, notices, quit_after, instance), application)
    finally:
        instance.close()
    return process_end.leave(code)


async def run_window(
    settings: Settings,
    paths: Paths,
    notices: list[str],
    quit_after: float | None = None,
    instance: SingleInstance | None = None,
) -> int:
    """Show the window on the running Qt loop until it is closed; returns the exit code.

    Args:
        settings: The settings with every override applied.
        paths: The folders of this installation.
        notices: Sentences to show once.
        quit_after: Close by itself after so many seconds.
        instance: Hands on what other starts ask for.
    """
    from s2s_desktop.conversation.events import Notice
    from s2s_desktop.ui.main_window import MainWindow

    closing = asyncio.Event()
    # The window is on screen before any engine is imported: model libraries take longer than a person waits.
    window = MainWindow(state_file=paths.settings_file.parent / WINDOW_STATE_NAME)
    window.theme.choose(settings.general.theme, settings.general.text_scale)
    window.close_requested.connect(closing.set)
    window.show()
    window.use_settings(settings)
    if instance is not None:
        instance.asked.connect(window.obey)
    if quit_after is not None:
        asyncio.get_running_loop().call_later(quit_after, closing.set)
    # On a thread, so that the window is drawn and answers meanwhile.
    await asyncio.to_thread(importlib.import_module, "s2s_desktop.engine.engine")

    from s2s_desktop.engine.engine import Engine
    from s2s_desktop.engine.part import Part
    from s2s_desktop.runtime import autostart
    from s2s_desktop.ui.dialogs import Dialogs
    from s2s_desktop.ui.login_entry import LoginEntry
    from s2s_desktop.ui.talk_shortcut import TalkShortcut

    engine = Engine(settings, paths, parts=set(Part), conversations=True)
    window.connect_to(engine, engine.conversations, engine.preferences)
    talk_shortcut = TalkShortcut(
        engine.preferences, window.dock.talk, lambda problem: engine.session.publish(Notice(problem)), window
    )
    engine.add_observer(talk_shortcut.observe)
    talk_shortcut.begin()
    dialogs = Dialogs(
        engine.preferences,
        engine,
        engine.conversations,
        window.theme,
        window,
        login_offered=autostart.is_offered(),
        talk_shortcut=talk_shortcut,
    )
    window.settings_requested.connect(dialogs.open_settings)
    login = LoginEntry(engine.preferences, lambda problem: engine.session.publish(Notice(problem)))
    engine.add_observer(login)
    for notice in notices:
        engine.session.publish(Notice(notice))
    engine.prepare_in_background()
    dialogs.welcome()
    try:
        await closing.wait()
    finally:  # also when Ctrl+C or SIGTERM cancel this
        window.hide()
        talk_shortcut.close()
        await _close(window, dialogs, talk_shortcut, engine)
    return 0


async def _close(window: MainWindow, dialogs: Dialogs, talk_shortcut: TalkShortcut, engine: Engine) -> None:
    try:
        async with asyncio.timeout(SHUTDOWN_LIMIT_S):
            await dialogs.shut()
            await talk_shortcut.ended()
            await window.end_work()
            await engine.close()
    except TimeoutError:
        _log.warning("the engine took too long to close and ends with the process")
    except AssistantError as error:
        _log.warning("%s (%s)", error.message, error.details)
