"""Marks the word of a reply that is being heard."""

from __future__ import annotations

from collections.abc import Iterable

from s2s_desktop.ui.text_view import TextView
from s2s_desktop.ui.word_alignment import ShownWord, WordAligner, words_of


class ReadAlong:
    """Keeps one word of a reply marked, over all the text views it is shown in.

    Only the words of a view whose text changed are looked up again, and marking a word lays out nothing.
    """

    def __init__(self) -> None:
        self._aligner = WordAligner()
        self._words: dict[TextView, tuple[int, list[ShownWord]]] = {}
        self._marked: TextView | None = None

    def follow(self, views: Iterable[TextView], heard: str) -> None:
        """Mark the last word of `heard`.

        Args:
            views: The text of the reply, from top to bottom, without its code.
            heard: What was spoken of the reply so far.
        """
        known = self._words
        self._words = {view: self._look_up(view, known.get(view)) for view in views}
        if self._marked not in self._words:
            self._marked = None  # it was replaced, and its widget may be gone
        if self._words != known:
            self._aligner.show([word.key for _, words in self._words.values() for word in words])
        self._mark(self._aligner.hear(heard))

    def clear(self) -> None:
        """Mark nothing."""
        self._unmark()

    @staticmethod
    def _look_up(view: TextView, known: tuple[int, list[ShownWord]] | None) -> tuple[int, list[ShownWord]]:
        revision = view.document().revision()
        if known is not None and known[0] == revision:
            return known
        return revision, words_of(view.toPlainText())

    def _mark(self, index: int) -> None:
        if index < 0:
            self._unmark()
            return
        for view, (_, words) in self._words.items():
            if index < len(words):
                if view is not self._marked:
                    self._unmark()
                self._marked = view
                view.mark_word(words[index].start, words[index].length)
                return
            index -= len(words)

    def _unmark(self) -> None:
        if self._marked is not None:
            self._marked.unmark()
            self._marked = None
