#include "predict/trace.hpp"

#include <fmt/format.h>
#include <tasuki/error.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string_view>
#include <utility>

#include "common/request_reader.hpp"

namespace tasuki::apps {
namespace {

using predict::Field;

constexpr const char* format_name = "tasuki message trace";
constexpr std::int64_t version = 1;
constexpr std::int64_t ranks_most = 1 << 20;
constexpr std::int64_t int_most = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t unsigned_most = std::numeric_limits<std::uint32_t>::max();
/// Of sizes and times: so that sums and differences of them fit. It is 73 years.
constexpr std::int64_t integer_most = std::int64_t{1} << 61;
/// Longer ones are of some other file, and would only fill an error with it.
constexpr std::size_t line_bytes_most = 4096;

constexpr RequestWords of_line = {
    .what = "the line", .remedy = "record the trace again, with: tasuki profile --record FILE"};

std::string place_of(const std::string& path, std::int64_t line_number) {
  return fmt::format("reading the trace {}, line {}", path, line_number);
}

/// Leaves the argument out of `given` where it is null: a wildcard.
void read_argument(RequestReader& line, const char* name, Field field, std::int64_t most,
                   predict::Receive& receive) {
  if (line.is_null(name)) return;
  set_value(receive.arguments, field, line.integer(name, 0, most));
  receive.given.insert(field);
}

struct RankAndMessage {
  std::size_t rank;
  TracedMessage message;
};

RankAndMessage read_message(RequestReader line, std::int64_t ranks_count) {
  TracedMessage traced;
  auto& [receive, message, arrival_ns] = traced.arrival;
  const auto rank = static_cast<std::size_t>(line.integer("rank", 0, ranks_count - 1));
  set_value(message, Field::communicator, line.integer("communicator", 0, unsigned_most));
  set_value(message, Field::source, line.integer("source", 0, int_most));
  set_value(message, Field::tag, line.integer("tag", 0, int_most));
  message.message_bytes = line.integer("bytes", 0, integer_most);
  message.kind = line.flag("in_collective") ? predict::kind_in_collective : 0;
  receive.arguments.communicator = message.communicator;
  receive.arguments.kind = message.kind;
  receive.given.insert(Field::communicator).insert(Field::kind);
  read_argument(line, "posted_source", Field::source, int_most, receive);
  read_argument(line, "posted_tag", Field::tag, int_most, receive);
  read_argument(line, "posted_bytes", Field::message_bytes, integer_most, receive);
  traced.posted_ns = line.integer("posted_ns", 0, integer_most);
  arrival_ns = line.integer("arrival_ns", traced.posted_ns, integer_most);
  traced.was_there = line.flag("was_there");
  line.finish();
  return {rank, traced};
}

/// What does not agree with the receive that took it was not written by a recorder.
void require_match(const predict::Arrival& arrival, const std::string& place) {
  for (const Field field : predict::all_fields) {
    if (!arrival.receive.given.contains(field)) continue;
    const std::int64_t got = value_of(arrival.message, field);
    const std::int64_t posted = value_of(arrival.receive.arguments, field);
    if (field == Field::message_bytes ? got > posted : got != posted) {
      throw error(place,
                  fmt::format("a message whose {0} is {1} cannot match posted_{0} {2}",
                              name_of(field), got, posted),
                  of_line.remedy);
    }
  }
}

class LineReader {
 public:
  explicit LineReader(const std::string& path) : path_(path) {
    std::error_code failed;
    if (!std::filesystem::is_regular_file(path, failed)) {
      const std::string why = failed ? failed.message() : "it is no regular file";
      throw error(fmt::format("reading the trace {}", path), why,
                  "name a file that tasuki profile --record has written");
    }
    file_.open(path, std::ios::binary);
    if (!file_) {
      throw error(fmt::format("reading the trace {}", path), std::strerror(errno),
                  "name a file that may be read");
    }
  }

  /// False at the end of the file.
  bool next() {
    ++number_;
    if (!std::getline(file_, text_) && text_.empty()) return false;
    if (file_.eof()) {
      throw error(place(), "the line has no end: the file is truncated",
                  "remove that line, or record the trace again");
    }
    if (text_.size() > line_bytes_most) {
      throw error(
          place(),
          fmt::format("the line has {} bytes, and may have {}", text_.size(), line_bytes_most),
          "name a file that tasuki profile --record has written");
    }
    return true;
  }

  std::string place() const { return place_of(path_, number_); }
  RequestReader fields() const { return RequestReader(place(), text_, of_line); }

 private:
  std::string path_;
  std::ifstream file_;
  std::string text_;
  std::int64_t number_ = 0;
};

Trace read_header(LineReader& lines) {
  if (!lines.next()) {
    throw error(lines.place(), "the file is empty", of_line.remedy);
  }
  RequestReader header = lines.fields();
  header.text("format", {format_name});
  if (const std::int64_t found = header.integer("version", 0, integer_most); found != version) {
    throw error(
        lines.place(),
        fmt::format("the trace has version {}, and this program reads version {}", found, version),
        "read it with the Tasuki that has recorded it, or record it again");
  }
  Trace trace;
  trace.program = header.text("program");
  trace.ranks.resize(static_cast<std::size_t>(header.integer("ranks", 1, ranks_most)));
  header.finish();
  return trace;
}

}  // namespace

Trace read_trace(const std::string& path) {
  LineReader lines(path);
  Trace trace = read_header(lines);
  const auto ranks_count = static_cast<std::int64_t>(trace.ranks.size());
  bool is_empty = true;
  while (lines.next()) {
    const RankAndMessage one = read_message(lines.fields(), ranks_count);
    require_match(one.message.arrival, lines.place());
    trace.ranks[one.rank].push_back(one.message);
    is_empty = false;
  }
  if (is_empty) {
    throw error(fmt::format("reading the trace {}", path), "it has no messages",
                "record a program whose ranks receive some");
  }
  return trace;
}

}  // namespace tasuki::apps
