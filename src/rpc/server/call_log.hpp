// The server's log of calls: those that wait or are under way, the last ones that have ended, and
// counters of all.
//
// A client asks for ranks (`queue`), gets them (`open`), and calls them directly; the ranks tell of
// their parts in its calls (`take`), which are put together here; then the lease ends (`close`).
// Clients' sessions and the ranks' connections write it, the page reads it. Thread-safety: any
// thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rpc/server/call_record.hpp"
#include "rpc/server/call_totals.hpp"

namespace tasuki::rpc {

/// Where a call is that waits or is under way, and whose it is.
struct CallPlace {
  CallOrigin origin;
  std::int64_t lease = 0;
  std::int64_t call = 1;  ///< Its number in the lease: the first one is to come while it waits.
};

class CallLog {
 public:
  /// Is told of each call that has ended. It is called under the log's lock, and must not ask it.
  using OnEnd = std::function<void(const CallRecord& record)>;
  /// Module and routine.
  using RoutineKey = std::pair<std::string, std::string>;

  explicit CallLog(std::size_t past_most = 1000, OnEnd on_end = {});

  /// A client waits for ranks. Returns: the number of its lease to come; nothing if its user has
  /// `leases_most` already.
  std::optional<std::int64_t> queue(const CallOrigin& origin,
                                    std::optional<std::int64_t> leases_most = {});
  /// The ranks are leased. A call ends once all ranks have said so and, if the lease `is_staged`,
  /// the front end, too.
  void open(std::int64_t lease, int ranks, bool is_staged = false);
  /// How arrays travel, once that is known better.
  void set_mode(std::int64_t lease, const std::string& mode);
  /// What a rank says of calls. Throws tasuki::error if the message is malformed.
  void take(std::int64_t lease, int rank, const nlohmann::json& message);
  /// What the front end says of its part of a call.
  void set_front_end(std::int64_t lease, std::int64_t call, FrontEndPart part);
  /// The lease has ended, or will not come. `state` is failed or cancelled, or done if nothing has
  /// gone wrong: calls under way then have ended so.
  void close(std::int64_t lease, CallState state, const std::string& happened = {});

  /// Those that wait or are under way, oldest first.
  std::vector<CallRecord> current() const;
  /// Those of one lease that are under way.
  std::vector<CallRecord> current_of(std::int64_t lease) const;
  /// Returns: nothing if no call of that number waits or is under way.
  std::optional<CallPlace> find(std::int64_t number) const;
  /// The last ones that have ended, the last first; at most `most`.
  std::vector<CallRecord> past(std::size_t most) const;
  std::map<RoutineKey, CallTotals> totals() const;
  /// Returns: how many leases clients of the user wait for or have; each lets them make one call
  /// after the other.
  std::int64_t leases_count(const std::string& user) const;
  /// Returns: how many calls of the user have ended in the last minute.
  std::int64_t recent_count(const std::string& user);

 private:
  struct Lease {
    CallOrigin origin;
    double asked_s = 0;                     ///< When the client has asked for it.
    std::optional<CallRecord> queued = {};  ///< Becomes the first call.
    bool has_failed = false;                ///< A call, as a rank has said.
    /// That have not ended on all ranks, by their number in the lease.
    std::map<std::int64_t, CallRecord> calls = {};
    std::vector<std::int64_t> ended = {};  ///< For each rank the last call that has ended there.
    /// The last call that has ended at the front end, if arrays pass through it.
    std::optional<std::int64_t> staged = {};

    /// Returns: the last call that has ended on all ranks; 0 if there is none.
    std::int64_t last_of_ranks() const {
      return ended.empty() ? 0 : *std::ranges::min_element(ended);
    }
    /// Returns: the last call that has ended everywhere; 0 if there is none.
    std::int64_t last_ended() const {
      return staged ? std::min(*staged, last_of_ranks()) : last_of_ranks();
    }
  };

  /// Requires: mutex_ is held.
  std::int64_t count_leases(const std::string& user) const;
  void take_call(Lease& lease, std::size_t rank, const nlohmann::json& described);
  void take_others(const Lease& lease, const nlohmann::json& described);
  CallRecord& record_of(Lease& lease, std::int64_t call, double age_s);
  /// Calls that have ended everywhere.
  void end_calls(Lease& lease);
  void end(CallRecord record);

  const std::size_t past_most_;
  const OnEnd on_end_;
  mutable std::mutex mutex_;
  // Guarded by mutex_:
  std::int64_t leases_count_ = 0;
  std::int64_t calls_count_ = 0;
  std::map<std::int64_t, Lease> leases_;
  std::deque<CallRecord> past_;  ///< The last first.
  std::map<RoutineKey, CallTotals> totals_;
  struct Ended {
    double time_s = 0;
    std::int64_t calls_count = 0;
  };
  std::map<std::string, std::deque<Ended>> recent_;  ///< Of users who have a name.
};

}  // namespace tasuki::rpc
