// One rank, as all that runs on it finds it: its number, its transport, its waits, what it sends,
// and where the parts of higher rooms are.
//
// Every handler gets it; everything else asks `Rank::current()`. A room sees the parts of higher
// rooms as names only, so it cannot use them. World makes the rank and its parts, and each part
// enters itself here.
//
// Thread-safety: none. A rank belongs to the thread that runs it; `current()` throws on any other
// thread.
#pragma once

#include <tasuki/detail/runtime/calls/sender.hpp>
#include <tasuki/detail/runtime/calls/traffic.hpp>
#include <tasuki/detail/runtime/waiting/waits.hpp>
#include <tasuki/detail/transport/transport.hpp>

namespace tasuki::runtime {

class DeadlockCheck;
class Dispatcher;
class DistObjects;
class HangReport;
class IdleWork;
class PeerMappings;
class Puts;
class Quiescence;
class RankCollectives;
class Reads;
class SharedHeap;
class ThreadWorks;

struct Rank {
  /// Starts the transport. Collective.
  Rank(transport::Transport& its_transport, const fiber::PollerHooks& poller);
  Rank(const Rank&) = delete;
  Rank& operator=(const Rank&) = delete;

  /// The one that the calling thread runs. Throws tasuki::error if it runs none.
  static Rank& current() {
    if (current_ == nullptr) [[unlikely]] {
      throw_no_rank();
    }
    return *current_;
  }
  static Rank* current_or_null() noexcept { return current_; }
  /// World also sets what other parts keep for the current rank.
  static void set_current(Rank* rank) noexcept { current_ = rank; }

  /// Throws tasuki::error unless 0 <= other < size.
  void check_rank(int other, const char* operation) const {
    if (static_cast<unsigned>(other) >= static_cast<unsigned>(size)) [[unlikely]] {
      throw_rank_out_of_range(other, operation);
    }
  }

  transport::Transport& transport;
  Waits waits;
  const int rank;
  const int size;
  Traffic traffic;
  Sender sender;
  Dispatcher* dispatcher = nullptr;

  PeerMappings* peer_mappings = nullptr;
  SharedHeap* heap = nullptr;
  DistObjects* dist_objects = nullptr;
  Puts* puts = nullptr;
  RankCollectives* collectives = nullptr;
  Quiescence* quiescence = nullptr;
  HangReport* hang_report = nullptr;
  DeadlockCheck* deadlock_check = nullptr;
  IdleWork* idle_work = nullptr;
  ThreadWorks* thread_works = nullptr;
  Reads* reads = nullptr;

 private:
  [[noreturn]] void throw_rank_out_of_range(int other, const char* operation) const;

  static constinit thread_local Rank* current_ __attribute__((tls_model("initial-exec")));
};

}  // namespace tasuki::runtime
