// Recorded messages of a program: the file that `tasuki profile --record` writes
// (docs/formats/message-trace.md).
//
// Read by apps/predict. Thread-safety: values, and a function of its own file.
#pragma once

#include <cstdint>
#include <string>
#include <tasuki/detail/predict/receive.hpp>
#include <vector>

namespace tasuki::apps {

struct TracedMessage {
  predict::Arrival arrival;
  std::int64_t posted_ns = 0;
  bool was_there = false;  ///< When the receive asked: then nothing had to wait.
};

struct Trace {
  std::string program;
  /// Of each rank the messages that it received, in the order of arrival.
  std::vector<std::vector<TracedMessage>> ranks;
};

/// Throws tasuki::error with the number of the line if the file is no complete trace.
Trace read_trace(const std::string& path);

}  // namespace tasuki::apps
