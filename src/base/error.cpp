#include <tasuki/error.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <tasuki/detail/base/exit_code.hpp>
#include <utility>

#include "base/early_exit.hpp"

namespace tasuki {
namespace {

thread_local int current_rank = -1;

std::string prefix(int rank) {
  return rank < 0 ? std::string("tasuki: ") : fmt::format("tasuki: rank {}: ", rank);
}

}  // namespace

error::error(std::string operation, std::string happened, std::string remedy)
    : std::runtime_error(
          fmt::format("{}{}: {}. Remedy: {}.", prefix(current_rank), operation, happened, remedy)),
      rank_(current_rank),
      operation_(std::move(operation)),
      happened_(std::move(happened)),
      remedy_(std::move(remedy)) {}

namespace base {

int rank_for_messages() noexcept { return current_rank; }

void set_rank_for_messages(int rank) noexcept { current_rank = rank; }

void report(const std::string& text) noexcept {
  // One write, so that the lines of several ranks do not mix.
  const std::string line =
      (text.rfind("tasuki: ", 0) == 0 ? "" : prefix(current_rank)) + text + "\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
}

void die(const std::string& text) noexcept {
  report(text);
  allow_exit();
  ::_exit(exit_code::failed);
}

}  // namespace base
}  // namespace tasuki
