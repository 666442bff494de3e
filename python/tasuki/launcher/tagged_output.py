"""Output of the ranks with the rank before each line: `[1] text`."""

import os

READ_BYTES = 65536


class TaggedStream:
    """One stream of one rank: a pipe whose lines go, tagged, to `target_fd`.

    The rank writes to `writer_fd`; call `close_writer` once it has been started and `forward`
    whenever `reader_fd` is readable.
    """

    def __init__(self, rank: int, target_fd: int) -> None:
        self.reader_fd, self.writer_fd = os.pipe()
        self._tag = f"[{rank}] ".encode()
        self._target_fd = target_fd
        self._partial_line = b""

    def close_writer(self) -> None:
        os.close(self.writer_fd)

    def forward(self) -> bool:
        """Passes on what has been written; False at the end of the stream, which is then closed."""
        return self._take(os.read(self.reader_fd, READ_BYTES))

    def end(self) -> None:
        """Passes on what is left of a line, and closes the stream, whoever may still write."""
        self._take(b"")

    def _take(self, data: bytes) -> bool:
        *lines, self._partial_line = (self._partial_line + data).split(b"\n")
        if not data and self._partial_line:
            lines.append(self._partial_line)
        text = b"".join(self._tag + line + b"\n" for line in lines)
        try:
            while text:
                text = text[os.write(self._target_fd, text) :]
        except BrokenPipeError:
            data = b""  # Nobody reads any more; let the rank find out the same way.
        if not data:
            os.close(self.reader_fd)
        return bool(data)
