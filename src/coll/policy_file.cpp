#include <tasuki/detail/coll/policy_file.hpp>

#include <fmt/format.h>
#include <tasuki/detail/coll/registry.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace tasuki::coll {
namespace {

using std::filesystem::file_type;

constexpr std::string_view first_line = "tasuki policy 1";
constexpr std::string_view last_line = "end";
constexpr std::string_view any = "any";
constexpr std::string_view none = "-";
constexpr const char* operation = "reading a policy";
constexpr const char* remedy = "measure again with tasuki tune, or mend the line";
/// tasuki tune writes about 100 B for each of 16 collectives, up to 64 numbers of ranks and, of
/// each, up to 20 ranges of sizes: 2 MB.
constexpr std::size_t most_bytes = std::size_t{4} << 20;

/// Reads line by line; knows where it is when something is wrong.
class Reader {
 public:
  Reader(std::string_view text, std::string_view name) : rest_(text), name_(name) {}

  /// The next line that is neither empty nor a comment. Returns: false at the end.
  bool next() {
    while (!rest_.empty()) {
      const std::size_t end = rest_.find('\n');
      line_ = rest_.substr(0, end);
      rest_ = end == std::string_view::npos ? std::string_view{} : rest_.substr(end + 1);
      ++line_number_;
      if (!line_.empty() && line_.front() != '#') return true;
    }
    return false;
  }

  std::string_view line() const { return line_; }

  /// Takes the next word off the line.
  std::string_view word(const char* what) {
    line_.remove_prefix(std::min(line_.find_first_not_of(' '), line_.size()));
    const std::string_view found = line_.substr(0, line_.find(' '));
    if (found.empty()) fail(fmt::format("{} is missing", what));
    line_.remove_prefix(found.size());
    return found;
  }

  template <class T>
  T number_or_any(const char* what, T any_value) {
    const std::string_view text = word(what);
    if (text == any) return any_value;
    T value{};
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc{} || end != text.data() + text.size() || value < T{0}) {
      fail(fmt::format("{} is '{}', not a number or 'any'", what, text));
    }
    return value;
  }

  std::string rest() const {
    const std::size_t begin = line_.find_first_not_of(' ');
    return begin == std::string_view::npos ? std::string{} : std::string(line_.substr(begin));
  }

  [[noreturn]] void fail(const std::string& happened,
                         const std::string& what_to_do = remedy) const {
    throw error(operation, fmt::format("{}, line {}: {}", name_, line_number_, happened),
                what_to_do);
  }

 private:
  std::string_view rest_;
  std::string_view name_;
  std::string_view line_;
  int line_number_ = 0;
};

/// What stands behind the word "nodes", which is about the rows that follow.
NodeRange read_nodes(Reader& reader) {
  NodeRange range;
  range.nodes_from = reader.number_or_any("the least number of nodes", 1);
  range.nodes_up_to = reader.number_or_any("the number of nodes", any_ranks);
  range.ranks_per_node_up_to = reader.number_or_any("the number of ranks on a node", any_ranks);
  if (!reader.rest().empty()) {
    reader.fail(
        fmt::format("'{}' is too much behind three numbers of nodes and ranks", reader.rest()));
  }
  if (range.nodes_from < 1 || range.ranks_per_node_up_to < 1) {
    reader.fail("no team has 0 nodes, or 0 ranks on a node");
  }
  if (range.nodes_from > range.nodes_up_to) {
    reader.fail(fmt::format("no team has {} nodes or more, and at most {}", range.nodes_from,
                            range.nodes_up_to));
  }
  return range;
}

PolicyRow read_row(Reader& reader, std::string_view collective, const NodeRange& nodes) {
  PolicyRow row;
  row.nodes = nodes;
  try {
    row.collective = collective_named(collective);
    row.ranks_up_to = reader.number_or_any("the number of ranks", any_ranks);
    row.bytes_up_to = reader.number_or_any("the number of bytes", any_bytes);
    row.algorithm = reader.word("the algorithm");
    const std::string_view parameters = reader.word("the parameters (- if there are none)");
    if (parameters != none) row.parameters = parameters;
    row.reason = reader.rest();
    complete(algorithm_named(row.collective, row.algorithm), Parameters::parse(row.parameters));
  } catch (const error& failure) {
    if (failure.operation() == operation) throw;
    reader.fail(failure.happened(),
                fmt::format("{}; or measure again with tasuki tune", failure.remedy()));
  }
  return row;
}

}  // namespace

std::string usual_policy_path(std::string_view transport) {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  const char* home = std::getenv("HOME");
  std::filesystem::path folder;
  if (config != nullptr && *config != '\0') {
    folder = config;
  } else if (home != nullptr) {
    folder = std::filesystem::path(home) / ".config";
  } else {
    return {};
  }
  return folder / "tasuki" / fmt::format("policy-{}", transport);
}

std::string read_policy_file(const std::string& path) {
  std::error_code ignored;
  const auto type = std::filesystem::status(path, ignored).type();
  if (type != file_type::regular && type != file_type::not_found && type != file_type::none) {
    // A job would wait for ever for somebody to write into a FIFO.
    throw error(operation, fmt::format("{} is no regular file", path),
                "give a file made by tasuki tune");
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::array<char, 4096> part;  // No more, for a rank's main function has a fiber's stack.
  while (file && text.size() <= most_bytes) {
    file.read(part.data(), part.size());
    text.append(part.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (!file.is_open() || file.bad()) {
    throw error(operation,
                errno == ENOENT ? fmt::format("there is no file {}", path)
                                : fmt::format("{} cannot be read: {}", path, std::strerror(errno)),
                "give a file made by tasuki tune; for jobs, as TASUKI_POLICY, which also may be "
                "auto or default");
  }
  if (text.size() > most_bytes) {
    throw error(operation,
                fmt::format("{} is longer than {} MiB: it is no policy", path, most_bytes >> 20),
                "give a file made by tasuki tune");
  }
  return text;
}

PolicyFile parse_policy_file(std::string_view text, std::string_view name) {
  Reader reader(text, name);
  if (!reader.next() || reader.line() != first_line) {
    reader.fail(fmt::format("it does not begin with '{}'", first_line));
  }
  PolicyFile file;
  NodeRange nodes;
  while (reader.next()) {
    if (reader.line() == last_line) return file;
    const std::string_view word = reader.word("a word");
    if (word == "machine") {
      file.machine = reader.rest();
    } else if (word == "transport") {
      file.transport = reader.rest();
    } else if (word == "library") {
      file.library = reader.rest();
    } else if (word == "nodes") {
      nodes = read_nodes(reader);
    } else {
      file.rows.push_back(read_row(reader, word, nodes));
    }
  }
  reader.fail(fmt::format("the file ends without the line '{}': it was cut short", last_line));
}

std::string to_text(const PolicyFile& file) {
  std::string text =
      fmt::format("{}\nmachine {}\ntransport {}\n", first_line, file.machine, file.transport);
  if (!file.library.empty()) text += fmt::format("library {}\n", file.library);
  text += "# collective  ranks up to  bytes up to  algorithm  parameters  reason\n";
  const auto or_any = [](auto value, auto any_value) {
    return value == any_value ? std::string(any) : std::to_string(value);
  };
  NodeRange nodes;
  for (const PolicyRow& row : file.rows) {
    if (row.nodes != nodes) {
      nodes = row.nodes;
      text +=
          fmt::format("nodes {} {} {}\n", nodes.nodes_from, or_any(nodes.nodes_up_to, any_ranks),
                      or_any(nodes.ranks_per_node_up_to, any_ranks));
    }
    text += fmt::format("{} {} {} {} {} {}\n", name_of(row.collective),
                        or_any(row.ranks_up_to, any_ranks), or_any(row.bytes_up_to, any_bytes),
                        row.algorithm, row.parameters.empty() ? none : row.parameters, row.reason);
  }
  return text + std::string(last_line) + "\n";
}

void require_measured_here(const PolicyFile& file, std::string_view machine,
                           std::string_view transport, std::string_view library,
                           std::string_view name) {
  const auto check_same = [&](const char* what, std::string_view theirs, std::string_view ours) {
    if (theirs == ours) return;
    throw error(
        operation,
        fmt::format("{} was measured on another {}: '{}', this is '{}'", name, what, theirs, ours),
        "measure here with tasuki tune, or do without the file");
  };
  if (file.machine != any) check_same("machine", file.machine, machine);
  check_same("transport", file.transport, transport);
  if (!file.library.empty()) check_same("MPI library", file.library, library);
}

Policy policy_for(const PolicyFile& file, std::string_view machine, std::string_view transport,
                  std::string_view name) {
  require_measured_here(file, machine, transport, "", name);
  return before_default_policy(file.rows);
}

}  // namespace tasuki::coll
