"""The launcher's loop: calls when descriptors are ready, and at times."""

import os
import socket
import time

from tasuki.launcher.event_loop import EventLoop


def test_calls_are_made_in_the_order_in_which_they_are_due():
    loop = EventLoop()
    called = []
    for name, delay_s in (("late", 0.02), ("soon", 0.01), ("soon too", 0.01)):
        loop.call_after(delay_s, lambda name=name: called.append(name))
    assert not loop.run_once(0)
    while len(called) < 3:
        loop.run_once(10)
    assert called == ["soon", "soon too", "late"]


def test_what_is_due_ends_a_wait_without_a_limit():
    loop = EventLoop()
    loop.call_after(0.01, lambda: None)
    assert not loop.run_once(None)


def test_what_has_come_is_seen_before_what_is_due():
    loop = EventLoop()
    reader, writer = os.pipe()
    called = []
    loop.listen(reader, lambda: called.append("read"))
    loop.call_after(0.0, lambda: called.append("due"))
    os.write(writer, b"x")
    time.sleep(0.001)
    assert loop.run_once(0)
    assert called == ["read", "due"]


def test_room_is_told_until_nobody_waits_for_it():
    loop = EventLoop()
    one, other = socket.socketpair()
    called = []
    loop.listen(one.fileno(), lambda: called.append("read"))
    loop.await_room(one.fileno(), lambda: called.append("room"))
    assert loop.run_once(0)
    other.send(b"x")
    assert loop.run_once(0)
    assert called == ["room", "read", "room"]
    loop.await_room(one.fileno(), None)
    loop.run_once(0)
    assert called == ["room", "read", "room", "read"]


def test_what_is_forgotten_when_it_is_read_has_no_room():
    loop = EventLoop()
    one, other = socket.socketpair()
    loop.listen(one.fileno(), lambda: loop.forget(one.fileno()))
    loop.await_room(one.fileno(), lambda: one.send(b"x"))
    other.send(b"x")
    assert loop.run_once(0)
    assert not loop.run_once(0)
