"""The sidebar: search, the saved conversations by day, and what can be done with them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from s2s_desktop.conversation.export.formats import ExportFormat
from s2s_desktop.conversation.store.records import Conversation
from s2s_desktop.conversation.store.searching import SearchHit
from s2s_desktop.ui.conversation_list import ConversationList
from s2s_desktop.ui.conversation_menus import ConversationMenu, LibraryMenu
from s2s_desktop.ui.icon_button import IconButton
from s2s_desktop.ui.search_field import SearchField
from s2s_desktop.ui.search_results import SearchResults
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.wrapping_label import WrappingLabel

_EDGE = 12


class Sidebar(QWidget):
    """Shows what it is given and reports what the user wants.

    Signals:
        query_changed: The search field says something else; "" ends the search.
        open_requested: Id of a conversation, and the number of a turn to show or None.
        new_requested: A new conversation is to begin.
        rename_requested: Id and title.
        pin_requested: Id, and whether to keep it at the top.
        delete_requested: The conversation.
        export_requested: The conversation or None for all, and the format.
        import_requested: A file is to be imported.
        keep_requested: Whether to save conversations.
        wipe_requested: Everything is to be removed.
        more_wanted: The end of the list is near.
    """

    query_changed = Signal(str)
    open_requested = Signal(str, object)
    new_requested = Signal()
    rename_requested = Signal(str, str)
    pin_requested = Signal(str, bool)
    delete_requested = Signal(object)
    export_requested = Signal(object, ExportFormat)
    import_requested = Signal()
    keep_requested = Signal(bool)
    wipe_requested = Signal()
    more_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "sidebar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._keeps = True
        self._total = ""
        self.search = SearchField(theme, self)
        self.list = ConversationList(theme, self)
        self.results = SearchResults(theme, self)
        self._nothing = _sentence(self)
        self._new = IconButton(theme, "plus", self.tr("New conversation"), size=34, parent=self)
        self._new.setToolTip(self.tr("New conversation (Ctrl+N)"))
        self._more = IconButton(theme, "more", self.tr("More about conversations"), size=34, parent=self)
        self._pages = QStackedWidget(self)
        for page in (self.list, self.results, _at_top(self._nothing, self._pages)):
            self._pages.addWidget(page)
        self._off = _NotSaved(self)
        self._usage = QLabel(self)
        self._usage.setProperty("role", "muted")
        self._usage.setTextFormat(Qt.TextFormat.PlainText)
        self._usage.setContentsMargins(18, 6, 12, 10)
        self._usage.hide()
        self._arrange()
        self._connect()

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(_EDGE, _EDGE, 6, 6)
        head.setSpacing(4)
        head.addWidget(self.search, 1)
        head.addWidget(self._new)
        head.addWidget(self._more)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 1, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self._pages, 1)
        layout.addWidget(self._off)
        layout.addWidget(self._usage)

    def _connect(self) -> None:
        self.search.query_changed.connect(self._query_changed)
        self.search.left.connect(self._leave_search)
        self.list.open_requested.connect(lambda found: self.open_requested.emit(found, None))
        self.list.delete_requested.connect(self.delete_requested)
        self.list.menu_requested.connect(self._show_menu)
        self.list.rows.rename_requested.connect(self.rename_requested)
        self.list.rows.more_wanted.connect(self.more_wanted)
        self.results.open_requested.connect(self._open_hit)
        self._new.clicked.connect(self.new_requested)
        self._more.clicked.connect(self._show_library_menu)
        self._off.button.clicked.connect(lambda: self.keep_requested.emit(True))

    @property
    def sentence(self) -> str:
        """What is said in place of a list; "" while there is one."""
        return self._nothing.sentence if self._pages.currentIndex() == 2 else ""

    @property
    def nothing_saved(self) -> bool:
        """Whether it says that nothing is saved."""
        return not self._off.isHidden()

    @property
    def usage_text(self) -> str:
        """The quiet line at the bottom."""
        return "" if self._usage.isHidden() else self._usage.text()

    def show_conversations(self, conversations: list[Conversation], complete: bool) -> None:
        """List these conversations, unless a search is on; then they appear when it ends."""
        self.list.show_all(conversations, complete)
        if not self.search.text().strip():
            self._show_list()

    def show_conversation(self, conversation_id: str, found: Conversation | None) -> None:
        """Show what became of one conversation; None when it is gone."""
        if found is None:
            self.list.remove_one(conversation_id)
        else:
            self.list.update_one(found)
        if not self.search.text().strip():
            self._show_list()

    def show_hits(self, hits: Sequence[SearchHit]) -> None:
        """Show what a search found."""
        self.results.show_hits(hits)
        if hits:
            self._pages.setCurrentIndex(1)
        else:
            self._say(self.tr("Nothing was found. A search finds words by their beginning."))

    def show_keeping(self, keeps: bool) -> None:
        """Say that nothing is saved, where it is so."""
        self._keeps = keeps
        self._off.setVisible(not keeps)
        if not self.search.text().strip():
            self._show_list()

    def show_usage(self, conversation: int, total: int) -> None:
        """Show how many tokens the conversation in use took, and all together."""
        self._usage.setVisible(conversation > 0)
        self._usage.setText(self.tr("{count} tokens used here").format(count=f"{conversation:,}"))
        self._total = self.tr("{count} tokens in all").format(count=f"{total:,}") if total else ""
        self._usage.setToolTip(self._total)

    def focus_search(self) -> None:
        """Let the user type a query."""
        self.search.setFocus()
        self.search.selectAll()

    def end_search(self) -> None:
        """Show the list again."""
        self.search.clear()

    def _query_changed(self, query: str) -> None:
        if not query:
            self._show_list()
        self.query_changed.emit(query)

    def _leave_search(self) -> None:
        if self._pages.currentIndex() == 1 and self.results.hits:
            self.results.focus_first()
        elif self._pages.currentIndex() == 0:
            self.list.setFocus()

    def _open_hit(self, hit: SearchHit) -> None:
        self.open_requested.emit(hit.conversation.id, hit.turn)

    def _show_list(self) -> None:
        if self.list.rows.rowCount():
            self._pages.setCurrentIndex(0)
        else:
            promise = self.tr("What you talk about appears here, to read again and to go on with.")
            self._say(promise if self._keeps else "")

    def _say(self, sentence: str) -> None:
        self._nothing.show_sentence(sentence)
        self._pages.setCurrentIndex(2)

    def _show_menu(self, conversation: Conversation, place: QPoint) -> None:
        menu = ConversationMenu(
            self,
            conversation,
            rename=lambda: self.list.rename(conversation.id),
            pin=lambda pinned: self.pin_requested.emit(conversation.id, pinned),
            export=lambda chosen: self.export_requested.emit(conversation, chosen),
            delete=lambda: self.delete_requested.emit(conversation),
        )
        menu.popup(place)

    def _show_library_menu(self) -> None:
        menu = LibraryMenu(
            self,
            total=self._total,
            keeps=self._keeps,
            export=lambda chosen: self.export_requested.emit(None, chosen),
            import_file=self.import_requested.emit,
            keep=self.keep_requested.emit,
            wipe=self.wipe_requested.emit,
        )
        menu.popup(self._more.mapToGlobal(QPoint(0, self._more.height() + 4)))


class _NotSaved(QWidget):
    """Says that nothing is saved and offers to change that."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        label = WrappingLabel(self, "muted")
        label.show_sentence(self.tr("Conversations are not being saved."))
        self.button = QPushButton(self.tr("Save them"), self)
        self.button.setAccessibleName(self.tr("Save conversations"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 8, 12, 12)
        layout.addWidget(label)
        layout.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        self.hide()


def _sentence(parent: QWidget) -> WrappingLabel:
    label = WrappingLabel(parent, "muted")
    label.setAlignment(Qt.AlignmentFlag.AlignTop)
    return label


def _at_top(widget: QWidget, parent: QWidget) -> QWidget:
    page = QWidget(parent)
    layout = QVBoxLayout(page)
    layout.setContentsMargins(18, 12, 16, 12)
    layout.addWidget(widget)
    layout.addStretch(1)
    return page
