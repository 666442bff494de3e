"""The command `tasuki fibers` of gdb, which lists fibers with what they wait for and their frames.

gdb reads this file (`gdb -x fibers.py -p PID`, or with a program and its core file). All it knows
of the program is in the table that `tasuki_debug_fields` points to (src/fiber/debug_table.hpp), so
the program may be without debug information.
"""

import re
from collections.abc import Iterator
from typing import Any

import gdb
from gdb.unwinder import Unwinder, register_unwinder

POINTER_BYTES = 8
# What of the runtime's own calls a function object, which comes first: as in function_name.cpp.
WRAPPER = re.compile(r"tasuki::runtime::(?:Call|ThenContinuation|ReplacingFunction|Spawned)<")


class Memory:
    """That of the program, in words."""

    @staticmethod
    def number(address: int, size_bytes: int = POINTER_BYTES, *, signed: bool = False) -> int:
        data = gdb.selected_inferior().read_memory(address, size_bytes)
        return int.from_bytes(bytes(data), "little", signed=signed)

    @staticmethod
    def text(address: int) -> str:
        found = bytearray()
        while byte := Memory.number(address + len(found), 1):
            found.append(byte)
        return found.decode(errors="replace")


class Table:
    """The numbers that the program publishes. Raises gdb.GdbError if there are none."""

    def __init__(self) -> None:
        try:
            at = Memory.number(int(gdb.parse_and_eval("(unsigned long)&tasuki_debug_fields")))
        except gdb.error as failure:
            raise gdb.GdbError(f"tasuki: no program of Tasuki ({failure})") from None
        if at == 0:
            raise gdb.GdbError("tasuki: no rank runs here: tasuki::run has not begun")
        self.numbers: dict[str, int] = {}
        while name := Memory.number(at):
            self.numbers[Memory.text(name)] = Memory.number(at + POINTER_BYTES)
            at += 2 * POINTER_BYTES

    def __getitem__(self, name: str) -> int:
        return self.numbers[name]

    def registers(self) -> dict[str, int]:
        """Returns the offsets in a context of those that are saved there."""
        return {name: number for name, number in self.numbers.items() if "." not in name}

    def read(self, base: int, name: str, size_bytes: int = POINTER_BYTES) -> int:
        return Memory.number(base + self[name], size_bytes, signed=size_bytes < POINTER_BYTES)


def function_name(address: int) -> str:
    """Returns what gdb calls the function at the address; of a runtime's wrapper, what it calls."""
    text = gdb.execute(f"info symbol {address:#x}", to_string=True)
    name = text.split(" in section ")[0].strip()
    if text.startswith("No symbol"):
        return f"the function at {address:#x}"
    wrapper = WRAPPER.search(name)
    return first_argument(name[wrapper.end() :]) if wrapper else name


def first_argument(arguments: str) -> str:
    """Returns `F` of "F, ...>..."."""
    depth = 0
    for at, character in enumerate(arguments):
        if depth == 0 and character in ",>":
            return arguments[:at]
        depth += (character in "<({") - (character in ">)}")
    return arguments


class FiberUnwinder(Unwinder):
    """Lets gdb go from the newest frame of a thread to those of a fiber that does not run."""

    def __init__(self) -> None:
        super().__init__("tasuki fiber")
        self.registers: dict[str, int] = {}
        self.newest_sp = 0
        self.context = 0

    def __call__(self, pending_frame: Any) -> Any:
        if not self.registers:
            return None
        sp = int(pending_frame.read_register("sp"))
        if sp != self.newest_sp:
            return None
        # Below all frames of the fiber: gdb stops where frames do not go up.
        frame_id = FrameId(self.context, int(pending_frame.read_register("pc")))
        found = pending_frame.create_unwind_info(frame_id)
        for name, value in self.registers.items():
            found.add_saved_register(name, gdb.Value(value))
        return found

    def backtrace(self, context: int, registers: dict[str, int]) -> str:
        """Returns the frames of a context as gdb's backtrace prints them."""
        self.newest_sp = int(gdb.newest_frame().read_register("sp"))
        self.context = context
        self.registers = registers
        try:
            gdb.invalidate_cached_frames()
            text = gdb.execute("backtrace", to_string=True)
        finally:
            self.registers = {}
            gdb.invalidate_cached_frames()
        frames = re.split(r"^(?=#\d)", text, flags=re.MULTILINE)
        return "".join(frames[2:])  # Without the thread's own frame, which gdb went on from.


class FrameId:
    """What gdb tells frames apart by."""

    def __init__(self, sp: int, pc: int) -> None:
        self.sp = gdb.Value(sp)
        self.pc = gdb.Value(pc)


UNWINDER = FiberUnwinder()
register_unwinder(None, UNWINDER, replace=True)


class Fiber:
    """One fiber, with what it does."""

    def __init__(self, table: Table, address: int, state: str) -> None:
        self.table = table
        self.address = address
        self.state = state
        self.context = table.read(address, "fiber.context")

    def doing(self) -> str:
        activity = self.address + self.table["fiber.activity"]
        function = self.table.read(activity, "activity.function")
        caller_rank = self.table.read(activity, "activity.caller_rank", 4)
        if caller_rank >= 0:
            return f"{function_name(function)} called by rank {caller_rank}"
        label = Memory.text(self.table.read(activity, "activity.label")) or "main"
        return f"{label} {function_name(function)}" if function else label

    def waiting_for(self) -> str:
        """Returns the reason in the words of the hang report."""
        table = self.table
        reason = self.address + table["fiber.reason"]
        kind = table.read(reason, "reason.kind", 1)
        place = table.read(reason, "reason.object")
        passed: set[int] = set()  # Where futures wait for each other, the list goes round.
        while kind == table["kinds.future"] and place and place not in passed:
            passed.add(place)
            reason = place
            kind = table.read(reason, "reason.kind", 1)
            place = table.read(reason, "reason.object")
        rank = table.read(reason, "reason.rank", 4)
        if kind == table["kinds.reply"]:
            called = function_name(table.read(reason, "reason.function"))
            return f"the result of {called} on rank {rank}"
        if kind == table["kinds.sync_read"]:
            return f"a value in the Sync at {place:#x} (its writer is not known)"
        if kind == table["kinds.collective"]:
            return f"the other ranks in {Memory.text(place)}"
        text = Memory.text(Memory.number(table["kinds.text"] + kind * POINTER_BYTES))
        return text if rank < 0 else f"{text} (rank {rank})"

    def is_yielded(self) -> bool:
        reason = self.address + self.table["fiber.reason"]
        return self.table.read(reason, "reason.kind", 1) == self.table["kinds.yielded"]

    def has_frames(self) -> bool:
        begins = self.table["context.begins"]
        return not begins or Memory.number(self.context + begins, 2) != 1

    def backtrace(self) -> str:
        if not self.has_frames():
            return "  it has not begun\n"
        offsets = self.table.registers()
        if not offsets:
            return "  its frames are not known on this processor\n"
        registers = {name: Memory.number(self.context + at) for name, at in offsets.items()}
        stack_pointer = Memory.text(self.table["context.stack_pointer"])
        registers[stack_pointer] = self.context + self.table["context.bytes"]
        return UNWINDER.backtrace(self.context, registers)


class Scheduler:
    """The fibers of one rank."""

    def __init__(self, table: Table, entry: int) -> None:
        self.table = table
        self.address = table.read(entry, "list.scheduler")
        self.rank = Memory.number(entry + table["list.rank"], signed=True)
        self.thread = table.read(entry, "list.thread")
        self.running = table.read(self.address, "scheduler.running")

    @staticmethod
    def all(table: Table) -> "list[Scheduler]":
        found = []
        entry = Memory.number(table["list.first"])
        while entry:
            found.append(Scheduler(table, entry))
            entry = table.read(entry, "list.next")
        return sorted(found, key=lambda one: one.rank)

    def fibers(self) -> Iterator[Fiber]:
        """Yields those that do not run, without a poller that has nothing under way."""
        table = self.table
        head = self.address + table["scheduler.waiting"]
        link = table.read(head, "link.next")
        while link != head:
            fiber = Fiber(table, link - table["link.fiber"], "")
            fiber.state = f"waits for {fiber.waiting_for()}"
            yield fiber
            link = table.read(link, "link.next")
        poller = table.read(self.address, "scheduler.poller")
        address = table.read(self.address, "scheduler.ready")
        while address:
            fiber = Fiber(table, address, "can run")
            if fiber.is_yielded():
                fiber.state = f"waits for {fiber.waiting_for()}"
            if address != poller:
                yield fiber
            address = table.read(address, "fiber.ready_next")

    def print(self) -> None:
        print(f"rank {self.rank} (thread {self.thread}):")
        for fiber in self.fibers():
            print(f"{fiber.doing()} {fiber.state}\n{fiber.backtrace()}")
        if self.running:
            self.print_running(Fiber(self.table, self.running, "runs"))

    def print_running(self, fiber: Fiber) -> None:
        threads = gdb.selected_inferior().threads()
        its_thread = next((one for one in threads if one.ptid[1] == self.thread), None)
        if its_thread is None:
            print(f"{fiber.doing()} runs, in a thread that is not there\n")
            return
        its_thread.switch()
        sp = int(gdb.newest_frame().read_register("sp"))
        bottom = self.table.read(fiber.address, "fiber.stack_bottom")
        stack_bytes = self.table.read(fiber.address, "fiber.stack_bytes")
        if bottom and not bottom <= sp < bottom + stack_bytes:
            print(f"{fiber.doing()} runs when its rank does: the thread runs another rank\n")
            return
        print(f"{fiber.doing()} runs\n{gdb.execute('backtrace', to_string=True)}")


class TasukiCommand(gdb.Command):
    """Commands for programs of Tasuki."""

    def __init__(self) -> None:
        super().__init__("tasuki", gdb.COMMAND_STATUS, prefix=True)


class FibersCommand(gdb.Command):
    """List the fibers of each rank in this process: what they wait for, and their frames."""

    def __init__(self) -> None:
        super().__init__("tasuki fibers", gdb.COMMAND_STATUS)

    def invoke(self, _argument: str, _from_terminal: bool) -> None:
        selected = gdb.selected_thread()
        if selected is None:
            raise gdb.GdbError("tasuki: there is no process and no core file")
        table = Table()
        try:
            for scheduler in Scheduler.all(table):
                scheduler.print()
        finally:
            selected.switch()


TasukiCommand()
FibersCommand()
