"""What stands between a client and a server, or a rank, in tests: it passes connections on."""

import contextlib
import socket
import threading


class Forwarder:
    """Listens at `port`, and gives each connection and one to the port `to_port` to `forward`.

    Leaving the context ends all connections.
    """

    def __init__(self, to_port: int) -> None:
        self.to_port = to_port
        self.is_over = False
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._threads = [threading.Thread(target=self._accept)]

    def __enter__(self) -> "Forwarder":
        self._threads[0].start()
        return self

    def __exit__(self, *_: object) -> None:
        self.is_over = True
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        for one in self._threads:  # The first one starts the others.
            one.join()
        self._listener.close()

    def forward(self, near: socket.socket, far: socket.socket, number: int) -> None:
        """Passes on what comes, on a thread of its own; returns soon once `is_over`.

        `number` counts the connections. After it, or an error of a socket, both are closed.
        """
        raise NotImplementedError

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._serve, args=(near, len(self._threads)))
            self._threads.append(thread)
            thread.start()

    def _serve(self, near: socket.socket, number: int) -> None:
        far = socket.socket()
        with near, far, contextlib.suppress(OSError):
            far.connect(("127.0.0.1", self.to_port))
            self.forward(near, far, number)
