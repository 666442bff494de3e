// What the ranks of a module have said of a lease, and what follows from it.
//
// Each rank serves the client's calls by itself, and all must stop after the same one: see
// docs/design/remote-procedures.md. Owned by the module's processes. Thread-safety: none.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace tasuki::rpc {

/// What has gone wrong, for the client.
struct LeaseFault {
  std::string operation;
  std::string happened;
  std::string remedy;
  bool is_cancelled = false;  ///< The client has given up what failed, or somebody has ended it.
  std::string kind = {};      ///< As of NamedError; empty of other errors.
  bool spoils_ranks = true;   ///< Must they be started anew?
};

class LeaseState {
 public:
  using Clock = std::chrono::steady_clock;
  /// For so long the others may take to refuse a call, too, or to hear that the client has gone.
  static constexpr std::chrono::seconds refused_wait{5};
  /// The same if a rank has broken its call off: another one may have failed before.
  static constexpr std::chrono::seconds broken_off_wait{1};

  LeaseState(std::int64_t number, int ranks)
      : number_(number), said_(static_cast<std::size_t>(ranks)) {}

  std::int64_t number() const noexcept { return number_; }

  /// Notes that the ranks are asked how many calls they have begun; `at_once`: they shall not wait
  /// for a first one. Returns: is the message "hold" to be sent, as no such one has been before?
  bool hold(bool at_once, Clock::time_point now = Clock::now());
  /// Takes "held" or "ended" of a rank. Throws tasuki::error if the message is malformed.
  void take(int rank, const nlohmann::json& message);
  void fail(LeaseFault fault);

  /// Has every rank said how many calls it has begun?
  bool is_counted() const noexcept;
  /// Has the lease ended on every rank?
  bool is_over() const noexcept;
  bool has_ended(int rank) const noexcept { return said(rank).has_ended; }
  /// The last call that any rank has begun: the ranks may end after no other.
  std::int64_t last_call() const noexcept;
  /// Returns: the message "until", which says after which call the ranks end; nothing if they know
  /// it, or not all are counted. It is the last call that any has begun. But if a rank has refused
  /// that call and the client has gone, it is the one before: the client sends the refused call to
  /// no other rank any more.
  std::optional<nlohmann::json> until(bool has_client_gone);
  /// Returns: what was said first; that a client has not waited for the answers of all ranks before
  /// its next call, as it then could let others wait for each; once it is over, that a rank has
  /// ended too early, or that the client has not told all ranks the same: what they have left for
  /// each other may spoil the calls of the next client. If no rank has begun the routine of the
  /// last call, as some have refused it and others have not heard of it, nothing is spoilt. That a
  /// rank has broken a call off, as its client has gone, counts if nothing else has gone wrong: the
  /// client leaves all ranks once one has failed.
  std::optional<LeaseFault> fault() const;
  /// Fails if a rank has refused its last call, and the others have not ended in `refused_wait`,
  /// or has broken it off, and they have not in `broken_off_wait`: they may wait for it in their
  /// routines.
  void check_ended(Clock::time_point now);
  /// Fails if a rank takes longer to say how many calls it has begun than it may wait for a first
  /// one, and `most` in addition: it does not serve the lease yet.
  void check_held(Clock::time_point now, std::chrono::duration<double> most);

 private:
  struct Said {
    std::optional<std::int64_t> calls_count;
    bool has_ended = false;
    bool has_refused = false;  ///< Its last call.
    std::string digest = {};   ///< Of what the client has said.
  };
  struct Early {
    LeaseFault fault;
    Clock::time_point told;
  };
  /// The least that any rank has begun. Requires: is_counted().
  std::int64_t first_last_call() const noexcept;
  /// Has no rank begun the routine of the last call?
  bool is_refused_by_all() const noexcept;
  const Said& said(int rank) const noexcept { return said_[static_cast<std::size_t>(rank)]; }

  std::int64_t number_;
  std::vector<Said> said_;
  std::optional<LeaseFault> fault_;
  std::optional<Early> refusal_;               ///< The first one.
  std::optional<Early> broken_off_;            ///< The same.
  std::optional<Clock::time_point> asked_at_;  ///< How many calls the ranks have begun.
  bool is_asked_at_once_ = false;
  std::optional<std::int64_t> told_end_;  ///< After which call the ranks know that they end.
};

}  // namespace tasuki::rpc
