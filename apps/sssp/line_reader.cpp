#include "sssp/line_reader.hpp"

#include <algorithm>
#include <charconv>

#include "sssp/graph_error.hpp"

namespace tasuki::sssp {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 16;
/// More than any line of numbers or comment takes; without a bound a file without lines fills the
/// memory.
constexpr std::size_t line_most_bytes = std::size_t{1} << 20;
constexpr std::string_view blanks = " \t\r\v\f";

}  // namespace

std::string shortened(std::string_view text) {
  constexpr std::size_t most_shown = 60;
  std::string result;
  for (const char one : text.substr(0, most_shown)) {
    const bool is_plain = one >= ' ' && one <= '~';
    result +=
        is_plain ? std::string(1, one) : fmt::format("\\x{:02x}", static_cast<unsigned char>(one));
  }
  return text.size() > most_shown ? result + "..." : result;
}

LineReader::LineReader(const std::string& file)
    : file_(file), source_(open_file(file)), buffer_(buffer_bytes) {}

bool LineReader::next(std::string_view comments) {
  while (read_line()) {
    rest_ = line_;
    const std::string_view first = peek();
    if (!first.empty() && comments.find(first.front()) == std::string_view::npos) return true;
  }
  return false;
}

bool LineReader::read_line() {
  line_.clear();
  for (bool begun = false;; begun = true) {
    if (unread_.empty()) {
      unread_ = {buffer_.data(), source_->read(buffer_)};
      if (unread_.empty() && !begun) return false;
    }
    const std::size_t end = unread_.find('\n');
    line_ += unread_.substr(0, end);
    if (line_.size() > line_most_bytes) {
      ++line_number_;
      fail(fmt::format("the line is longer than {} bytes", line_most_bytes),
           "give a graph as text, an arc on each line");
    }
    if (end == std::string_view::npos && !unread_.empty()) {
      unread_ = {};
      continue;
    }
    if (!unread_.empty()) unread_.remove_prefix(end + 1);
    ++line_number_;
    return true;
  }
}

std::string_view LineReader::peek() {
  rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size()));
  return rest_.substr(0, rest_.find_first_of(blanks));
}

std::string_view LineReader::word() {
  const std::string_view first = peek();
  rest_.remove_prefix(first.size());
  return first;
}

std::uint64_t LineReader::number(std::string_view meaning, std::uint64_t least,
                                 std::uint64_t most) {
  const std::string_view text = word();
  const std::string remedy = least > most
                                 ? fmt::format("there can be no {}", meaning)
                                 : fmt::format("make it an integer from {} to {}", least, most);
  if (text.empty()) fail(fmt::format("the {} is missing", meaning), remedy);
  std::uint64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool ended = end == text.data() + text.size();
  const bool is_negative = text.front() == '-' && text.size() > 1 &&
                           text.find_first_not_of("0123456789", 1) == std::string_view::npos;
  if (is_negative) fail(fmt::format("{} {} is negative", meaning, shortened(text)), remedy);
  if (failure == std::errc::result_out_of_range && ended)
    fail(fmt::format("{} {} is too large", meaning, shortened(text)), remedy);
  if (failure != std::errc() || !ended)
    fail(fmt::format("{} '{}' is not an integer", meaning, shortened(text)), remedy);
  if (value < least || value > most)
    fail(fmt::format("{} {} is out of range", meaning, value), remedy);
  return value;
}

void LineReader::end() {
  if (!peek().empty())
    fail(fmt::format("'{}' is one word too many", shortened(peek())), "remove it");
}

void LineReader::fail(const std::string& what, const std::string& remedy) const {
  throw graph_error(file_, line_number_, what, remedy);
}

}  // namespace tasuki::sssp
