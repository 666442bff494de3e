#include "fiber/guard.hpp"

#include <pthread.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <tasuki/detail/base/fixed_text.hpp>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/detail/fiber/served_memory.hpp>
#include <tasuki/detail/fiber/signal_report.hpp>

#include "fiber/stack_pool.hpp"

namespace tasuki::fiber {
namespace {

std::mutex watches_mutex;
GuardWatch* first_watch = nullptr;
std::array<struct sigaction, guarded_signals.size()> previous_actions;

void report_overflow(const Fiber& fiber, std::size_t stack_bytes) noexcept {
  base::FixedText text;
  text.begin();
  const std::string_view label = fiber.activity.label;
  text << "stack overflow in fiber " << (label.empty() ? "(unnamed)" : label);
  if (fiber.activity.caller_rank >= 0) {
    text << ", called by rank " << static_cast<std::size_t>(fiber.activity.caller_rank);
  }
  text << " (" << stack_bytes / 1024 << " KiB). Remedy: raise " << base::setting::stack_bytes.name
       << " or move large arrays to the heap.\n";
  text.write_to_standard_error();
}

/// The stack that the system gave this thread.
constinit thread_local StackRange own_stack;

/// The system keeps so much free below a stack that grows; nearer than the first bytes to its end
/// something else may already be mapped.
constexpr std::size_t below_stack_bytes = 1024 * 1024;
constexpr std::size_t above_end_bytes = 64 * 1024;

/// What a frame touches lies above the stack pointer, or not so far below it: the first store of a
/// new frame, the red zone of System V, a probe of -fstack-clash-protection. A fault further
/// below is a wrong pointer or index that happens to lead to a guard.
constexpr std::size_t below_pointer_bytes = 4096;

bool is_of_a_frame(std::uintptr_t address, std::uintptr_t stack_pointer) noexcept {
  return address + below_pointer_bytes >= stack_pointer;
}

std::uintptr_t stack_pointer_of(const void* context) noexcept {
  const mcontext_t& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(registers.gregs[REG_RSP]);
#else
  return registers.sp;
#endif
}

bool explain_own_stack(std::uintptr_t address) noexcept {
  if (own_stack.bytes == 0 || address + below_stack_bytes < own_stack.first ||
      address >= own_stack.first + above_end_bytes) {
    return false;
  }
  base::FixedText text;
  text.begin() << "stack overflow in main, or what else runs on this thread's own stack ("
               << own_stack.bytes / 1024
               << " KiB). Remedy: raise the system's limit (ulimit -s) or move large arrays to the "
                  "heap.\n";
  text.write_to_standard_error();
  return true;
}

bool explain_served_memory(std::uintptr_t address) noexcept {
  const ServedMemory& served = served_memory;
  if (served.rank < 0) return false;
  // Processors do not name addresses that are none: they are reported as 0.
  constexpr std::uintptr_t last_address = (std::uintptr_t{1} << 47) - 1;
  const bool is_there = address - served.first < served.bytes;
  if (!is_there && (address != 0 || served.first <= last_address)) return false;
  base::FixedText text;
  text.begin() << served.operation << " for rank " << static_cast<std::size_t>(served.rank)
               << ": this rank has no such memory of " << served.bytes << " bytes at ";
  text.hex(served.first) << ". Remedy: check the global pointer and its length.\n";
  text.write_to_standard_error();
  return true;
}

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

/// What is known of a touch of memory in vain.
enum class Explained : std::uint8_t { nothing, stack, foreign_access };

struct GuardHandler {
  /// Prints a message if it is known why `address` was touched in vain.
  static Explained explain(const void* address, const void* context) noexcept {
    const auto number = reinterpret_cast<std::uintptr_t>(address);
    const std::uintptr_t stack_pointer = stack_pointer_of(context);
    const bool is_of_frame = is_of_a_frame(number, stack_pointer);
    bool is_on_own_stack = true;
    for (const GuardWatch* watch = first_watch; watch != nullptr; watch = watch->next_) {
      const StackPool& pool = *watch->pool_;
      is_on_own_stack &= !pool.holds(reinterpret_cast<const void*>(stack_pointer));
      const Fiber* const fiber = pool.find(address);
      if (fiber == nullptr || fiber != *watch->running_ || !is_of_frame) continue;
      report_overflow(*fiber, pool.stack_bytes());
      return Explained::stack;
    }
    if (is_on_own_stack && is_of_frame && explain_own_stack(number)) return Explained::stack;
    return explain_served_memory(number) ? Explained::foreign_access : Explained::nothing;
  }

  static const struct sigaction& previous_action(int number) noexcept {
    std::size_t index = 0;
    while (guarded_signals[index] != number) ++index;
    return previous_actions[index];
  }

  static void handle(int number, siginfo_t* info, void* context) noexcept {
    const struct sigaction& previous = previous_action(number);
    const bool is_fault = info->si_code > 0;  // Not sent by kill or raise.
    const bool is_handled_before = (previous.sa_flags & SA_SIGINFO) != 0;
    if (!is_handled_before && previous.sa_handler == SIG_IGN && !is_fault) return;
    const bool is_of_memory = number == SIGSEGV || number == SIGBUS;
    const Explained explained =
        is_fault && is_of_memory ? explain(info->si_addr, context) : Explained::nothing;
    const bool is_explained = explained != Explained::nothing;
    const SignalReport report = signal_report.load(std::memory_order_acquire);
    const bool is_own = is_fault || info->si_pid == ::getpid();
    // What touches memory for another rank is a function of the runtime.
    if (report != nullptr && is_own && explained != Explained::foreign_access) report(*info);
    if (!is_explained && is_handled_before) {
      previous.sa_sigaction(number, info, context);
      return;
    }
    if (!is_explained && previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
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

GuardWatch::GuardWatch(const StackPool* pool, const Fiber* const* running)
    : pool_(pool), running_(running) {
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

StackRange prepare_thread_for_guard() {
  thread_local const AlternateStack stack;
  if (own_stack.bytes != 0) return own_stack;
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return own_stack;
  void* first = nullptr;
  std::size_t bytes = 0;
  if (::pthread_attr_getstack(&attributes, &first, &bytes) == 0) {
    own_stack = {reinterpret_cast<std::uintptr_t>(first), bytes};
  }
  ::pthread_attr_destroy(&attributes);
  return own_stack;
}

}  // namespace tasuki::fiber
