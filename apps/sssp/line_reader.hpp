// The lines of a graph file and the numbers in them.
//
// Used by the readers, which know what the words mean; this one knows where they stand.
// Thread-safety: one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sssp/byte_source.hpp"

namespace tasuki::sssp {

/// What a message quotes of a file: its beginning, with escapes for what a terminal could obey.
std::string shortened(std::string_view text);

class LineReader {
 public:
  /// Throws graph_error if there is no such file.
  explicit LineReader(const std::string& file);

  /// Goes to the next line that has a word and whose first word does not begin with one of
  /// `comments`. Returns: is there one?
  bool next(std::string_view comments);

  /// The words of the line that are not taken yet: the first of them, or "".
  std::string_view peek();
  /// Takes it.
  std::string_view word();
  /// Takes it as a number in [least, most]; `meaning` is as in "weight".
  std::uint64_t number(std::string_view meaning, std::uint64_t least, std::uint64_t most);
  /// The line must have ended.
  void end();

  /// Throws graph_error about this line.
  [[noreturn]] void fail(const std::string& what, const std::string& remedy) const;

  const std::string& file() const noexcept { return file_; }
  const std::string& line() const noexcept { return line_; }

 private:
  bool read_line();

  std::string file_;
  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
  std::string_view unread_;  ///< Of the buffer.
  std::string line_;
  std::string_view rest_;  ///< Of the line.
  std::uint64_t line_number_ = 0;
};

}  // namespace tasuki::sssp
