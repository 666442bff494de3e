#include "runtime/world/report_request.hpp"

#include <cerrno>
#include <csignal>
#include <ctime>
#include <tasuki/detail/base/fixed_text.hpp>
#include <tasuki/detail/runtime/calls/rank.hpp>

namespace tasuki::runtime {
namespace {

// A rank that polls sees the request within microseconds, or a few milliseconds where others use
// its core as well; one that does not for so long is computing.
constexpr timespec polls_within{0, 200'000'000};

volatile std::sig_atomic_t report_requested = 0;
timer_t patience;  ///< Sends this process the signal again.

/// Says that the rank is computing if it has not seen the request for a while. Safe in a signal
/// handler.
void say_computing() {
  const Rank* self = Rank::current_or_null();
  if (self == nullptr || report_requested == 0) return;
  base::FixedText text;
  text << "tasuki: rank " << static_cast<std::size_t>(self->rank)
       << " is computing; it answers when it next waits in Tasuki\n";
  text.write_to_standard_error();
}

void on_signal(int, siginfo_t* info, void*) {
  const int errno_before = errno;  // Of the function that the signal has interrupted.
  if (info->si_code == SI_TIMER) {
    say_computing();
  } else {
    report_requested = 1;
    const itimerspec once{{}, polls_within};
    ::timer_settime(patience, 0, &once, nullptr);
  }
  errno = errno_before;
}

}  // namespace

void accept_report_requests() {
  struct sigaction action {};
  if (::sigaction(SIGUSR1, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) return;
  sigevent again{};
  again.sigev_notify = SIGEV_SIGNAL;
  again.sigev_signo = SIGUSR1;
  if (::timer_create(CLOCK_MONOTONIC, &again, &patience) != 0) return;
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_RESTART | SA_SIGINFO;
  ::sigaction(SIGUSR1, &action, nullptr);
}

bool take_report_request() noexcept {
  if (report_requested == 0) return false;
  report_requested = 0;
  return true;
}

}  // namespace tasuki::runtime
