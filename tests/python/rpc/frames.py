"""Messages of the protocol between clients, front end and ranks, as tests write and read them."""

import socket
from typing import Any

import msgpack

HEAD_BYTES = 4


def encoded(message: dict[str, Any]) -> bytes:
    """The message as a frame."""
    return frame_of(msgpack.packb(message))


def frame_of(body: bytes) -> bytes:
    return len(body).to_bytes(HEAD_BYTES, "big") + body


def receive(peer: socket.socket) -> dict[str, Any]:
    """The next message; raises EOFError if the peer ends the connection before its end."""
    body_bytes = int.from_bytes(receive_bytes(peer, HEAD_BYTES), "big")
    return msgpack.unpackb(receive_bytes(peer, body_bytes))


def receive_bytes(peer: socket.socket, bytes_count: int) -> bytes:
    data = b""
    while len(data) < bytes_count:
        part = peer.recv(bytes_count - len(data))
        if not part:
            raise EOFError(f"{len(data)} of {bytes_count} bytes have come")
        data += part
    return data


def split(data: bytes) -> tuple[dict[str, Any] | None, bytes]:
    """The first message, if it is whole, and what is left."""
    end = HEAD_BYTES + int.from_bytes(data[:HEAD_BYTES], "big")
    if len(data) < HEAD_BYTES or len(data) < end:
        return None, data
    return msgpack.unpackb(data[HEAD_BYTES:end]), data[end:]
