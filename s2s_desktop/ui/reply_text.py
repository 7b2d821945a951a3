"""A run of the assistant's text, shown while it arrives."""

from __future__ import annotations

import time

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from s2s_desktop.ui.code_view import CodeView
from s2s_desktop.ui.displayable import displayable_text, ends_in_half_a_character
from s2s_desktop.ui.segments import Segment, SegmentSplitter
from s2s_desktop.ui.table_view import TableView
from s2s_desktop.ui.text_view import TextView
from s2s_desktop.ui.theme import Theme

MAX_SHOWN = 200_000
"""Characters of one run that are laid out; the copy button gives the rest."""

_GAP = 10
_SLICE_S = 0.004
_PAUSE_MS = 4
"""Between two slices everybody else has a turn: captions, the meter, the network."""
_RENDER_PAUSE_MS = 100
_RENDER_SHARE = 8
"""Laying out the open piece may take one part in so many of the time."""
_CHEAP_MS = 6.0


class ReplyText(QWidget):
    """Shows a growing text as segments, each laid out on its own.

    The open segment grows by plain insertion and becomes Markdown at most every 100 ms. Work is done in
    slices, so that even a reply that arrives all at once does not hold up the window.

    Signals:
        laid_out: More of the text is shown, or the same in other places.
    """

    laid_out = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._splitter = SegmentSplitter()
        self._taken = 0
        self._finished = False
        self._views: list[TextView | CodeView] = []
        self._settled = 0
        self._render_ms = 0.0
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self._more = QTimer(self)
        self._more.setSingleShot(True)
        self._more.setInterval(_PAUSE_MS)
        self._more.timeout.connect(self._show)
        self._more.timeout.connect(self.laid_out)
        self._render = QTimer(self)
        self._render.setSingleShot(True)
        self._render.timeout.connect(self._render_open)
        self._render.timeout.connect(self.laid_out)

    @property
    def segment_views(self) -> list[TextView | CodeView]:
        """The pieces shown so far, from top to bottom."""
        return list(self._views)

    @property
    def text_views(self) -> list[TextView]:
        """The pieces that are text and not code."""
        return [view for view in self._views if isinstance(view, TextView)]

    @property
    def is_working(self) -> bool:
        """Whether there is text that is not laid out yet."""
        return self._more.isActive() or any(
            view.has_plain_tail for view in self._views if isinstance(view, TextView)
        )

    def set_text(self, text: str, finished: bool) -> None:
        """Show `text`, which continues what was shown before."""
        if self._finished:
            return
        end = min(len(text), MAX_SHOWN)
        if not finished and ends_in_half_a_character(text[:end]):
            end -= 1
        if end > self._taken:
            self._splitter.feed(displayable_text(text[self._taken : end]))
            self._taken = end
        if finished:
            self._splitter.finish()
            self._finished = True
            if len(text) > MAX_SHOWN:
                self._say_that_more_was_written(len(text))
        if not self._more.isActive():
            self._show()

    def _show(self) -> None:
        """Bring the widgets up to date, a slice of time at most."""
        deadline = time.perf_counter() + _SLICE_S
        closed = self._splitter.closed
        while self._settled < len(closed):
            self._show_segment(self._settled, closed[self._settled], final=True)
            self._settled += 1
            if time.perf_counter() > deadline:
                self._more.start()
                return
        segment = self._splitter.open_segment()
        if segment is not None:
            self._show_segment(self._settled, segment, final=False)

    def _show_segment(self, index: int, segment: Segment, *, final: bool) -> None:
        view = self._view(index, segment)
        if isinstance(view, CodeView):
            view.show_text(segment.text)
        elif final:
            self._render.stop()
            view.show_markdown(segment.text)
        else:
            self._grow(view, segment.text)

    def _grow(self, view: TextView, text: str) -> None:
        addition = text[len(view.text) :] if text.startswith(view.text) else None
        if addition == "":
            return
        due = not self._render.isActive()
        # A line end may begin a list or a paragraph: inserted plainly it would jump a moment later.
        cheap = self._render_ms < _CHEAP_MS and (addition is None or "\n" in addition)
        if due or cheap or addition is None:
            self._render_markdown(view, text)
        else:
            view.append_plain(addition)

    def _render_open(self) -> None:
        segment = self._splitter.open_segment()
        if segment is not None and not segment.is_code and self._settled < len(self._views):
            view = self._views[self._settled]
            if isinstance(view, TextView) and view.has_plain_tail:
                self._render_markdown(view, segment.text)

    def _render_markdown(self, view: TextView, text: str) -> None:
        begun = time.perf_counter()
        view.show_markdown(text)
        self._render_ms = (time.perf_counter() - begun) * 1000
        self._render.start(max(_RENDER_PAUSE_MS, round(self._render_ms * _RENDER_SHARE)))

    def _view(self, index: int, segment: Segment) -> TextView | CodeView:
        kind = CodeView if segment.is_code else TableView if segment.is_table else TextView
        if index < len(self._views):
            view = self._views[index]
            if type(view) is kind:
                return view
            place = self._layout.indexOf(view)
            self._layout.removeWidget(view)
            view.deleteLater()
            del self._views[index]
        else:
            if index and not segment.continues:
                self._layout.addSpacing(_GAP)
            place = self._layout.count()
        if segment.is_code:
            view = CodeView(self._theme, segment.language, self)
        elif segment.is_table:
            view = TableView(self._theme, self.tr("Table"), self)
        else:
            view = TextView(self._theme, self.tr("Answer of the assistant"), self)
        view.resize(self.width(), view.height())
        self._views.insert(index, view)
        self._layout.insertWidget(place, view)
        return view

    def _say_that_more_was_written(self, length: int) -> None:
        label = QLabel(
            self.tr("The answer goes on: it has {count} characters. Copy it to read all of it.").format(
                count=f"{length:,}"
            ),
            self,
        )
        label.setProperty("role", "muted")
        label.setWordWrap(True)
        self._layout.addSpacing(_GAP)
        self._layout.addWidget(label)
