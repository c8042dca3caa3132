"""A viewer served for a test, over real HTTP."""

import json
import re
import socket
import threading
import time
import urllib.error
import urllib.request
from typing import Any

import uvicorn


class Served:
    """A viewer in a thread of this process."""

    def __init__(self, app):
        listener = socket.create_server(("127.0.0.1", 0))
        self.at = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self.server = uvicorn.Server(uvicorn.Config(app, log_level="critical", access_log=False))
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [listener]}, daemon=True)
        self.thread.start()
        while not self.server.started:
            time.sleep(0.01)

    def stop(self):
        self.server.should_exit = True
        self.thread.join(10)

    def get(self, path, **headers):
        return self._answer(urllib.request.Request(self.at + path, headers=headers))  # noqa: S310 - our own server

    def post(self, path, body, **headers):
        data = json.dumps(body).encode() if not isinstance(body, bytes) else body
        sent = {"Origin": self.at, "X-Turnmark-CSRF": csrf_of(self.at, headers), **headers}
        return self._answer(urllib.request.Request(self.at + path, data=data, headers=sent))  # noqa: S310

    @staticmethod
    def _answer(request):
        try:
            with urllib.request.urlopen(request, timeout=20) as found:  # noqa: S310
                return found.status, found.read().decode(), found.headers
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode(), error.headers


def csrf_of(at, headers):
    """What a page of the viewer holds and brings back when it writes; empty where it may not be read."""
    cookie = {name: value for name, value in headers.items() if name == "Cookie"}
    asked = urllib.request.Request(at + "/", headers=cookie)  # noqa: S310
    found = re.search(r'<meta name="csrf" content="([^"]+)">', Served._answer(asked)[1])
    return found[1] if found else ""


def overrides_in(folder):
    """What reviewers have written into a run."""
    return [json.loads(line) for line in (folder / "overrides.jsonl").read_text("utf-8").splitlines()]


def follow(control: Any) -> None:
    """Click what leads to another page, and wait until that is there."""
    with control.page.expect_navigation():
        control.click()
