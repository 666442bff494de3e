#include "mpi/collectives/usage.hpp"

#include <fmt/format.h>
#include <tasuki/detail/base/appended_line.hpp>

#include <algorithm>

namespace tasuki::mpi::collectives {

void Usage::count(const char* collective, const char* how, const char* why,
                  std::size_t bytes) noexcept {
  const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const Row& row) {
    return row.collective == collective && row.how == how && row.why == why;
  });
  if (found != rows_.end()) {
    ++found->calls;
    found->bytes += bytes;
  } else {
    rows_.push_back({collective, how, why, 1, bytes});
  }
}

void Usage::append_to(const std::string& path, int rank, int ranks) const {
  std::string text = fmt::format("{{\"rank\": {}, \"ranks\": {}, \"calls\": [", rank, ranks);
  const char* separator = "";
  for (const Row& row : rows_) {
    // Names of algorithms and reasons are Tasuki's own, without quotes.
    text += fmt::format(
        "{}{{\"collective\": \"{}\", \"how\": \"{}\", \"why\": \"{}\", \"calls\": {}, "
        "\"bytes\": {}}}",
        separator, row.collective, row.how, row.why, row.calls, row.bytes);
    separator = ", ";
  }
  text += "]}\n";
  base::append_line(path, text);
}

}  // namespace tasuki::mpi::collectives
