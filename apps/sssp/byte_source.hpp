// The bytes of a file, plain or compressed by xz.
//
// Used by LineReader. Thread-safety: one thread at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace tasuki::sssp {

class ByteSource {
 public:
  ByteSource() = default;
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Fills the front of `bytes`. Returns: how many there were; 0 at the end.
  /// Throws graph_error if the file cannot be read or is damaged.
  virtual std::size_t read(std::span<char> bytes) = 0;
};

/// A file as it is. Throws graph_error if it cannot be opened.
std::unique_ptr<ByteSource> open_plain(const std::string& file);

/// What the xz format has in `compressed`; `file` is its name, for errors.
std::unique_ptr<ByteSource> open_xz(std::unique_ptr<ByteSource> compressed,
                                    const std::string& file);

/// Decompresses a file whose name ends in .xz. Throws graph_error if it cannot be opened.
std::unique_ptr<ByteSource> open_file(const std::string& file);

}  // namespace tasuki::sssp
