"""A server for tests of its page: with a routine that waits until the test lets it go on."""

import http.client
import json
import shutil
from pathlib import Path
from typing import Any

from demo_server import DemoServer

ROUTINES = Path(__file__).parent / "routines"


class WebServer(DemoServer):
    """`tasuki serve --demo` with module gates, whose calls end while the file `gate` exists."""

    def __init__(self, folder: Path, *options: object) -> None:
        for name in ("gates.idl", "gates.py"):
            shutil.copy(ROUTINES / name, folder)
        self.gate = folder / "gate"
        self.gate.touch()
        super().__init__(2, folder / "gates.idl", *options, GATE=str(self.gate))

    @property
    def page(self) -> str:
        return f"http://localhost:{self.port}/"

    def request(
        self, path: str, method: str = "GET", body: str = "", **headers: str
    ) -> tuple[http.client.HTTPResponse, str]:
        """The answer's head and its text; `_` in names of headers stands for `-`."""
        connection = http.client.HTTPConnection("localhost", self.port, timeout=60)
        try:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body or None, named)
            answer = connection.getresponse()
            return answer, answer.read().decode()
        finally:
            connection.close()

    def ask(self, path: str, **headers: str) -> Any:
        """What the API says."""
        answer, text = self.request(path, **headers)
        assert answer.status == 200, text
        assert answer.headers["Content-Type"] == "application/json"
        return json.loads(text)
