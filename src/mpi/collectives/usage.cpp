#include "mpi/collectives/usage.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace tasuki::mpi::collectives {

void Usage::count(coll::Collective collective, const char* how, const char* why,
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

void Usage::append_to(const std::string& path, int rank) const {
  std::string text = fmt::format("{{\"rank\": {}, \"calls\": [", rank);
  const char* separator = "";
  for (const Row& row : rows_) {
    // Names of algorithms and reasons are Tasuki's own, without quotes.
    text += fmt::format(
        "{}{{\"collective\": \"{}\", \"how\": \"{}\", \"why\": \"{}\", \"calls\": {}, "
        "\"bytes\": {}}}",
        separator, coll::name_of(row.collective), row.how, row.why, row.calls, row.bytes);
    separator = ", ";
  }
  text += "]}\n";
  // One write appends as a whole, however many ranks do it.
  const int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  const bool is_written =
      file >= 0 && ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (!is_written) {
    std::fprintf(stderr, "tasuki: cannot write %s: %s\n", path.c_str(), std::strerror(errno));
  }
  if (file >= 0) ::close(file);
}

}  // namespace tasuki::mpi::collectives
