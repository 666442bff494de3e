// Lets the program around a client end a call that waits: Python asks whether Ctrl-C was pressed.
//
// Set once by the C interface, asked by sockets whose wait a signal has ended. Thread-safety: any
// thread.
#pragma once

#include <tasuki/error.hpp>

namespace tasuki::rpc {

/// A wait that the program has ended.
class Interrupted : public error {
 public:
  explicit Interrupted(const char* operation)
      : error(operation, "the call was interrupted", "call again") {}
};

/// Returns: shall the wait of this thread end?
using IsInterrupted = int (*)();

/// nullptr: no wait ends.
void set_interrupt_check(IsInterrupted check) noexcept;
bool is_interrupted() noexcept;

}  // namespace tasuki::rpc
