#include "fiber/guard.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <memory>
#include <mutex>
#include <string_view>
#include <tasuki/base/error.hpp>
#include <tasuki/base/settings.hpp>

#include "fiber/stack_pool.hpp"

namespace tasuki::fiber {
namespace {

constexpr std::array guarded_signals = {SIGSEGV, SIGBUS};

std::mutex watches_mutex;
GuardWatch* first_watch = nullptr;
std::array<struct sigaction, guarded_signals.size()> previous_actions;

/// Text put together without allocation, as a signal handler must.
class FixedText {
 public:
  FixedText& operator<<(std::string_view text) noexcept {
    const std::size_t copied = std::min(text.size(), buffer_.size() - length_);
    std::memcpy(buffer_.data() + length_, text.data(), copied);
    length_ += copied;
    return *this;
  }
  FixedText& operator<<(std::size_t number) noexcept {
    std::array<char, 20> digits;
    const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    return *this << std::string_view(digits.data(),
                                     static_cast<std::size_t>(result.ptr - digits.data()));
  }
  void write_to_standard_error() const noexcept {
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, buffer_.data(), length_);
  }

 private:
  std::array<char, 512> buffer_;
  std::size_t length_ = 0;
};

void report_overflow(const Fiber& fiber, std::size_t stack_bytes) noexcept {
  FixedText text;
  text << "tasuki: ";
  if (const int rank = base::rank_for_messages(); rank >= 0) {
    text << "rank " << static_cast<std::size_t>(rank) << ": ";
  }
  const std::string_view label = fiber.activity.label;
  text << "stack overflow in fiber " << (label.empty() ? "(unnamed)" : label);
  if (fiber.activity.caller_rank >= 0) {
    text << ", called by rank " << static_cast<std::size_t>(fiber.activity.caller_rank);
  }
  text << " (" << stack_bytes / 1024 << " KiB). Remedy: raise " << base::setting::stack_bytes.name
       << " or move large arrays to the heap.\n";
  text.write_to_standard_error();
}

}  // namespace

struct GuardHandler {
  /// Prints the message if `address` lies in a guard.
  static bool explain(const void* address) noexcept {
    for (const GuardWatch* watch = first_watch; watch != nullptr; watch = watch->next_) {
      const Fiber* const fiber = watch->pool_->find(address);
      if (fiber == nullptr) continue;
      report_overflow(*fiber, watch->pool_->stack_bytes());
      return true;
    }
    return false;
  }

  static void handle(int number, siginfo_t* info, void* context) noexcept {
    const bool is_fault = info->si_code > 0;  // Not sent by kill or raise.
    const bool is_overflow = is_fault && explain(info->si_addr);
    const std::size_t index = number == guarded_signals[0] ? 0 : 1;
    const struct sigaction& previous = previous_actions[index];
    if (!is_overflow && (previous.sa_flags & SA_SIGINFO) != 0) {
      previous.sa_sigaction(number, info, context);
      return;
    }
    if (!is_overflow && previous.sa_handler == SIG_IGN && !is_fault) return;
    if (!is_overflow && previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
      previous.sa_handler(number);
      return;
    }
    // The default: the process ends by this signal. A fault happens again on return, where it can
    // be seen in a core file; a signal that was sent has to be sent again.
    ::signal(number, SIG_DFL);
    if (!is_fault) ::raise(number);
  }

  static void install() {
    struct sigaction action = {};
    action.sa_sigaction = &handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ::sigemptyset(&action.sa_mask);
    for (std::size_t index = 0; index < guarded_signals.size(); ++index) {
      ::sigaction(guarded_signals[index], &action, &previous_actions[index]);
    }
  }
};

GuardWatch::GuardWatch(const StackPool* pool) : pool_(pool) {
  const std::lock_guard lock(watches_mutex);
  static const bool installed = (GuardHandler::install(), true);
  static_cast<void>(installed);
  next_ = first_watch;
  first_watch = this;
}

GuardWatch::~GuardWatch() {
  const std::lock_guard lock(watches_mutex);
  GuardWatch** link = &first_watch;
  while (*link != this) link = &(*link)->next_;
  *link = next_;
}

namespace {

/// An alternate signal stack for as long as the thread lives.
class AlternateStack {
 public:
  AlternateStack() {
    stack_t present = {};
    ::sigaltstack(nullptr, &present);
    if ((present.ss_flags & SS_DISABLE) == 0) return;
    // SIGSTKSZ has room for the registers of this processor and a small handler; handlers that
    // were there before and are called from ours may want more.
    const auto bytes = static_cast<std::size_t>(::sysconf(_SC_SIGSTKSZ)) + 64 * 1024;
    memory_ = std::make_unique<std::byte[]>(bytes);
    stack_t wanted = {};
    wanted.ss_sp = memory_.get();
    wanted.ss_size = bytes;
    ::sigaltstack(&wanted, nullptr);
  }
  ~AlternateStack() {
    stack_t present = {};
    ::sigaltstack(nullptr, &present);
    if (memory_ == nullptr || present.ss_sp != memory_.get()) return;
    stack_t none = {};
    none.ss_flags = SS_DISABLE;
    ::sigaltstack(&none, nullptr);
  }

 private:
  std::unique_ptr<std::byte[]> memory_;
};

}  // namespace

void prepare_thread_for_guard() { thread_local const AlternateStack stack; }

}  // namespace tasuki::fiber
