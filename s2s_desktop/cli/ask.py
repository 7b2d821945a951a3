"""`s2s-desktop ask`: a typed turn, streamed to the terminal."""

from __future__ import annotations

import argparse

from s2s_desktop.cli import output
from s2s_desktop.conversation.events import (
    Event,
    Notice,
    ReplyFinished,
    TextDelta,
    ToolCall,
    ToolResult,
    TurnFailed,
    TurnFinished,
    TurnId,
    Usage,
)
from s2s_desktop.engine.engine import Engine
from s2s_desktop.engine.part import Part
from s2s_desktop.errors import AssistantError
from s2s_desktop.llm.events import FinishReason
from s2s_desktop.settings.paths import Paths
from s2s_desktop.settings.schema import Settings
from s2s_desktop.tts.speakable_text import SpeakableText


class TypedTurn:
    """Collects one typed turn; prints it as it comes unless the result is JSON."""

    def __init__(self, *, quiet: bool) -> None:
        self.text: list[str] = []
        self.tool_calls: list[ToolCall] = []
        self.usage: Usage | None = None
        self.error: AssistantError | None = None
        self.finish_reason: FinishReason | None = None
        self._quiet = quiet

    def observe(self, turn: TurnId | None, event: Event) -> None:
        """Take an event of the session."""
        match event:
            case TextDelta(text):
                self.text.append(text)
                if not self._quiet:
                    output.say(text, end="")
            case ToolCall():
                self.tool_calls.append(event)
                if not self._quiet:
                    output.explain(f"[{event.name} {event.arguments}]")
            case ToolResult(output=result) if not self._quiet:
                output.explain(f"[{result}]")
            case Usage() if self.usage is None:
                self.usage = event
            case Usage(input_tokens, output_tokens) if self.usage is not None:
                self.usage = Usage(
                    self.usage.input_tokens + input_tokens, self.usage.output_tokens + output_tokens
                )
            case ReplyFinished(reason=reason, notice=notice):
                self.finish_reason = reason
                if notice:
                    output.explain(notice)
            case TurnFailed(error):
                self.error = error
            case Notice(text):
                output.explain(text)
            case TurnFinished() if not self._quiet:
                output.say("")
            case _:
                pass

    def document(self) -> dict[str, object]:
        """Return the turn as `--json` shows it."""
        text = "".join(self.text)
        speakable = SpeakableText()
        return {
            "text": text,
            "spoken_text": speakable.feed(text) + speakable.finish(),
            "tool_calls": [{"name": call.name, "arguments": call.arguments} for call in self.tool_calls],
            "usage": None
            if self.usage is None
            else {"input_tokens": self.usage.input_tokens, "output_tokens": self.usage.output_tokens},
            "error": output.error_document(self.error),
            "finish_reason": self._reason().value,
        }

    def _reason(self) -> FinishReason:
        if self.finish_reason is not None:
            return self.finish_reason
        return FinishReason.STOP if self.error is None else FinishReason.ERROR


async def ask(options: argparse.Namespace, settings: Settings, paths: Paths) -> int:
    """Run the command and return its exit code."""
    turn = TypedTurn(quiet=options.json)
    engine = Engine(settings, paths, parts={Part.LLM}, tools=not options.no_tools)
    try:
        engine.session.add_observer(turn.observe)
        await engine.prepare(output.download_progress(quiet=options.json))
        await engine.session.converse(options.text)
    except AssistantError as error:
        turn.error = error
    finally:
        await engine.close()
    if options.json:
        output.print_json(turn.document())
    if turn.error is not None:
        output.explain(turn.error.message)
        return 1
    return 0
