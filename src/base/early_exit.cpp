#include "base/early_exit.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/exit_record.hpp"

namespace tasuki::base {
namespace {

struct Guard {
  std::atomic<pid_t> process{0};  ///< That may not leave; 0: none.
  char line[192] = "";            ///< Made beforehand, because _exit is for signal handlers too.
  void (*leaving)(void* self, int exit_code) = nullptr;
  void* self = nullptr;
  const void* excused = nullptr;
};
Guard guard;

/// Reports once. Returns: whether this process was not to leave.
bool leaves_early() noexcept {
  if (guard.process.load() == 0 || guard.process.load() != ::getpid()) return false;
  guard.process.store(0);
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, guard.line, std::strlen(guard.line));
  return true;
}

/// Is the library that holds `guard.excused` among those that have called this?
bool is_excused() noexcept {
  Dl_info excused{};
  if (guard.excused == nullptr || ::dladdr(guard.excused, &excused) == 0) return false;
  std::array<void*, 64> callers{};
  const int count = ::backtrace(callers.data(), static_cast<int>(callers.size()));
  return std::any_of(callers.begin(), callers.begin() + count, [&](const void* caller) {
    Dl_info info{};
    return ::dladdr(caller, &info) != 0 && info.dli_fbase == excused.dli_fbase;
  });
}

void on_exit_of_process(int exit_code, void*) {
  if (exit_code != 0 && is_excused()) return allow_exit();
  const bool is_early = leaves_early();
  record_exit(is_early && exit_code == 0 ? 1 : exit_code);
  if (!is_early) return;
  guard.leaving(guard.self, exit_code);
  if (exit_code == 0) ::_exit(1);
}

}  // namespace

void guard_exit(int rank, void (*leaving)(void* self, int exit_code), void* self,
                const void* excused) {
  static const bool is_registered = [] {
    return ::on_exit(&on_exit_of_process, nullptr) == 0 &&
           std::at_quick_exit([] { on_exit_of_process(0, nullptr); }) == 0;
  }();
  if (!is_registered) return;
  const auto end = fmt::format_to_n(
      guard.line, sizeof guard.line - 1,
      "tasuki: rank {}: the program has left by exit or _exit before the job was done. Remedy: "
      "return from the function given to tasuki::run\n",
      rank);
  *end.out = '\0';
  guard.leaving = leaving;
  guard.self = self;
  guard.excused = excused;
  guard.process.store(::getpid());
}

void allow_exit() noexcept { guard.process.store(0); }

}  // namespace tasuki::base

// Of the C library's own, because nothing else runs when a program leaves by these.
extern "C" void _exit(int exit_code) {
  if (tasuki::base::leaves_early() && exit_code == 0) exit_code = 1;
  tasuki::base::record_exit(exit_code);
  for (;;) ::syscall(SYS_exit_group, exit_code);
}

extern "C" void _Exit(int exit_code) noexcept { ::_exit(exit_code); }
