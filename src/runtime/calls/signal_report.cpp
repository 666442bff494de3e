// The name of the function is found by a copy of the process, because that takes locks and
// allocates memory, and the signal may have come in the midst of such code. The copy has a time
// limit; without its answer the line gives the module and the offset.
#include "runtime/calls/signal_report.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tasuki/detail/base/context.hpp>
#include <tasuki/detail/base/fixed_text.hpp>
#include <tasuki/detail/runtime/calls/code_address.hpp>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/detail/runtime/waiting/waits.hpp>

#include "runtime/calls/dispatcher.hpp"

namespace tasuki::runtime {
namespace {

/// The copy reads the symbols of one file: milliseconds, unless it waits for a lock that nobody
/// holds any more.
constexpr int copy_patience_ms = 2000;
/// Names of lambdas in templates are long, and the demangler keeps some tables on the stack.
constexpr std::size_t copy_stack_bytes = 8 * 1024 * 1024;

struct NameQuestion {
  std::uintptr_t function;
  int answer_to;  ///< The writing end of a pipe.
};

/// On a stack of its own in the copy, because that of the signal handler is small.
base::Transfer answer(base::Transfer transfer) {
  const auto& question = *static_cast<const NameQuestion*>(transfer.data);
  const std::string name = function_name(question.function);
  [[maybe_unused]] const ssize_t written = ::write(question.answer_to, name.data(), name.size());
  ::_exit(0);
}

/// What the copy does. It leaves no core file, and it ends with the process at the latest.
[[noreturn]] void answer_in_copy(NameQuestion question) noexcept {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::prctl(PR_SET_DUMPABLE, 0);
  for (const int number : fiber::guarded_signals) ::signal(number, SIG_DFL);
  void* const stack = ::mmap(nullptr, copy_stack_bytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (stack == MAP_FAILED) ::_exit(1);
  void* const context = base::make_context<&answer>(
      static_cast<std::byte*>(stack) + copy_stack_bytes, copy_stack_bytes);
  base::switch_context(context, &question);
  ::_exit(1);
}

/// Returns: what has been read when the other end was closed or the time was over.
std::size_t read_answer(int from, char* to, std::size_t bytes) noexcept {
  std::size_t length = 0;
  pollfd end{from, POLLIN, 0};
  while (bytes > length) {
    if (::poll(&end, 1, copy_patience_ms) <= 0) break;
    const ssize_t got = ::read(from, to + length, bytes - length);
    if (got <= 0) break;
    length += static_cast<std::size_t>(got);
  }
  return length;
}

/// Found by a copy of the process.
class NameByCopy {
 public:
  explicit NameByCopy(std::uintptr_t function) noexcept {
    std::array<int, 2> pipe_ends;
    if (::pipe2(pipe_ends.data(), O_CLOEXEC) != 0) return;
    const pid_t copy = ::_Fork();
    if (copy == 0) answer_in_copy({function, pipe_ends[1]});
    ::close(pipe_ends[1]);
    if (copy > 0) {
      length_ = read_answer(pipe_ends[0], name_.data(), name_.size());
      ::kill(copy, SIGKILL);
      ::waitpid(copy, nullptr, 0);
    }
    ::close(pipe_ends[0]);
  }
  /// "" if it was not found in time.
  std::string_view text() const noexcept { return {name_.data(), length_}; }

 private:
  std::array<char, 1024> name_;
  std::size_t length_ = 0;
};

void write_place(base::FixedText& text, std::uintptr_t function) noexcept {
  text << "the function at ";
  dl_find_object found{};
  if (::_dl_find_object(reinterpret_cast<void*>(function), &found) != 0) {
    text.hex(function);
    return;
  }
  const std::string_view path(found.dlfo_link_map->l_name);
  text << (path.empty() ? "the program" : path.substr(path.rfind('/') + 1)) << "+";
  text.hex(function - found.dlfo_link_map->l_addr);
}

void write_signal(base::FixedText& text, const siginfo_t& signal) noexcept {
  const char* const name = ::sigabbrev_np(signal.si_signo);
  text << "SIG" << (name == nullptr ? "?" : name);
  const bool is_of_memory = signal.si_signo == SIGSEGV || signal.si_signo == SIGBUS;
  if (!is_of_memory || signal.si_code <= 0) return;  // Not sent by raise.
  text << " (address ";
  text.hex(reinterpret_cast<std::uintptr_t>(signal.si_addr)) << ")";
}

void write_function(base::FixedText& text, const fiber::Activity& activity) noexcept {
  const std::uintptr_t function = activity.function;
  if (function == 0) {  // Called by its name.
    text << activity.label;
    return;
  }
  const NameByCopy name(function);
  if (name.text().empty()) {
    write_place(text, function);
  } else {
    text << name.text();
  }
}

/// Of a call that has not waited.
void write_record(base::FixedText& text) noexcept {
  const Rank* const self = Rank::current_or_null();
  if (self == nullptr || self->dispatcher == nullptr) return;
  const std::size_t bytes = self->dispatcher->running_record_bytes();
  if (bytes == 0) return;
  text << " (record " << static_cast<std::size_t>(self->dispatcher->records_handled()) << " here, "
       << bytes << " bytes)";
}

}  // namespace

void report_signal(const siginfo_t& signal) noexcept {
  Waits* const waits = Waits::current_or_null();
  if (waits == nullptr || waits->scheduler().current() == nullptr) return;
  const fiber::Activity& activity = waits->activity();
  if (activity.function == 0 && activity.caller_rank < 0) return;
  const int error_number = errno;  // An earlier handler may mend the fault, and the code goes on.
  base::FixedText text;
  write_signal(text.begin(), signal);
  if (activity.caller_rank < 0) {
    text << " in " << activity.label << " ";
    write_function(text, activity);
  } else {
    text << (activity.call_id == 0 ? " in a one-way call of " : " in a call of ");
    write_function(text, activity);
    text << " from rank " << static_cast<std::size_t>(activity.caller_rank);
    write_record(text);
  }
  text << ". Remedy: find the line with tasuki run --debug gdb, or in a core file.\n";
  text.write_to_standard_error();
  errno = error_number;
}

}  // namespace tasuki::runtime
