"""The formats of exports, in one place."""

from __future__ import annotations

from datetime import tzinfo
from enum import StrEnum

from s2s_desktop.conversation.export.markdown import to_markdown
from s2s_desktop.conversation.export.plain_text import to_plain_text
from s2s_desktop.conversation.export.subtitles import to_srt, to_vtt
from s2s_desktop.conversation.store.records import WholeConversation


class ExportFormat(StrEnum):
    """A format; its value is the ending of its files."""

    MARKDOWN = "md"
    JSON = "json"
    TEXT = "txt"
    SRT = "srt"
    VTT = "vtt"


def export_conversation(
    whole: WholeConversation, export_format: ExportFormat, timezone: tzinfo | None = None
) -> str:
    """Return a conversation as a document. Whatever is said in it is text there, and nothing else.

    Args:
        whole: The conversation.
        export_format: JSON keeps everything, the others what people read.
        timezone: Of the times in Markdown and text; None is the one of this computer.

    Raises:
        AssistantError: BAD_REQUEST; nothing was spoken, so that there are no subtitles.
    """
    match export_format:
        case ExportFormat.MARKDOWN:
            return to_markdown(whole, timezone)
        case ExportFormat.JSON:
            # The window knows the formats from the start; the models of this one take a while to import.
            from s2s_desktop.conversation.export.json_document import to_json

            return to_json([whole])
        case ExportFormat.TEXT:
            return to_plain_text(whole, timezone)
        case ExportFormat.SRT:
            return to_srt(whole)
        case ExportFormat.VTT:
            return to_vtt(whole)
