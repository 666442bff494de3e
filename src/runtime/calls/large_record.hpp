// Records that are longer than a message: their payload travels as bulk data, and the poller runs
// their handler when it is there. Made by Sender.
//
// Thread-safety: the rank's own thread.
#pragma once

#include <cstddef>
#include <memory>
#include <tasuki/detail/runtime/calls/record.hpp>
#include <tasuki/detail/transport/transport.hpp>

namespace tasuki::runtime {

/// Owns the payload until the receiver has it, then deletes itself.
struct LargeRecord : transport::Completion {
  explicit LargeRecord(std::size_t payload_bytes)
      : payload(std::make_unique_for_overwrite<std::byte[]>(payload_bytes)) {
    done = [](transport::Completion* self) { delete static_cast<LargeRecord*>(self); };
  }
  std::unique_ptr<std::byte[]> payload;
};

/// Handles the announcement, which carries the CodeAddress of the record's own handler.
void handle_large_record(Rank& self, int source, Reader& reader);

}  // namespace tasuki::runtime
