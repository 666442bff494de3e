// The lines that come through a pipe, whose reader polls.
//
// Used by the front end for what its starter says. Thread-safety: none.
#pragma once

#include <optional>
#include <string>

namespace tasuki::rpc {

class LineReader {
 public:
  explicit LineReader(int descriptor) noexcept : descriptor_(descriptor) {}

  /// Takes what has come, and waits if nothing has. Returns: false at the end of the pipe.
  bool read();
  /// Returns: the next whole line, without its end; nothing if there is none yet.
  std::optional<std::string> next();

 private:
  int descriptor_;
  std::string read_;
};

}  // namespace tasuki::rpc
