#include "rpc/server/process_end.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <cstring>

namespace tasuki::rpc {
namespace {

constexpr int signal_code_base = 128;

}  // namespace

ProcessEnd end_by_code(int code) noexcept {
  const int signal = code - signal_code_base;
  if (signal > 0 && sigdescr_np(signal) != nullptr) return {.signal = signal};
  return {.code = code};
}

std::string text_of(const ProcessEnd& end) {
  if (end.signal == 0) return fmt::format("exit code {}", end.code);
  const char* const described = sigdescr_np(end.signal);
  if (described == nullptr) return fmt::format("signal {}", end.signal);
  return fmt::format("signal {} ({})", end.signal, described);
}

}  // namespace tasuki::rpc
