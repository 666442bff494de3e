// How a transport tells the runtime that something it was asked for is done: bulk data have left or
// have arrived, an operation of the MPI library is complete.
// Made by whoever asks. Thread-safety: none; the rank's own thread.
#pragma once

namespace tasuki::transport {

/// Told once when an operation of the transport is complete. Intrusive: the owner embeds it in
/// whatever it has to find again, and keeps it alive until `done` has been called.
struct Completion {
  void (*done)(Completion* self) = nullptr;
};
/// Tells it, if there is one.
inline void complete(Completion* completion) {
  if (completion != nullptr) completion->done(completion);
}

}  // namespace tasuki::transport
