// The hang report: what every fiber waits for, on which rank, and which calls wait for each other.
//
// Asked for by SIGUSR1 on any rank, by TASUKI_HANG_AFTER seconds without progress, or by rank 0
// when every rank is idle while fibers wait (then the job ends, for nothing can ever wake them).
// Each rank prints its waiting fibers; rank 0 gathers them, follows the calls and names the cycle,
// the Sync that nobody writes, or the rank that does not answer.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <tasuki/detail/fiber/wait_reason.hpp>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <vector>

#include "runtime/collectives/unfinished_requests.hpp"

namespace tasuki::runtime {

/// One waiting fiber as it travels to rank 0.
struct WaitingFiber {
  std::int32_t rank = -1;         ///< Where it waits.
  std::int32_t caller_rank = -1;  ///< Whose call it serves; -1: the program's main.
  std::uint64_t call_id = 0;
  std::uint8_t kind = 0;  ///< fiber::WaitKind
  std::int32_t awaited_rank = -1;
  std::uint64_t awaited_call_id = 0;
  std::string doing;
  std::string waiting_for;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(rank, caller_rank, call_id, kind, awaited_rank, awaited_call_id, doing, waiting_for);
  }
};

/// What a rank answers to rank 0's query.
struct HangAnswer {
  std::int32_t rank = -1;
  bool idle = false;  ///< Nothing can run, no time limit is running, no bulk data are coming.
  bool has_waiting = false;    ///< A fiber waits for something other than the end of the program.
  std::uint64_t activity = 0;  ///< Grows with all that happens on the rank but queries.
  UnfinishedRequests unfinished_requests;  ///< What may go on while the rank is idle.
  std::vector<WaitingFiber> fibers;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(rank, idle, has_waiting, activity, unfinished_requests, fibers);
  }
};

/// Rank 0's conclusion from the answers of all ranks (`answers` of ranks that did not answer are
/// missing): pure, for tests.
std::string explain_hang(const std::vector<HangAnswer>& answers, int ranks);

class HangReport {
 public:
  explicit HangReport(Rank& self);

  /// Called by the poller when nothing can run.
  void on_idle(std::uint64_t idle_count);
  /// Called by the poller now and then while it is busy.
  void on_busy();
  /// Asks nothing any more: the job is about to end.
  void close() noexcept { is_closed_ = true; }
  /// The program's main function has returned: from here on it waits for the end of the job.
  void note_end_of_main() noexcept { main_has_ended_ = true; }

 private:
  enum class Purpose : std::uint8_t { report, deadlock_check };
  struct Query {
    bool open = false;
    Purpose purpose = Purpose::report;
    std::uint32_t number = 0;
    std::int64_t started_ns = 0;
    std::vector<HangAnswer> answers;
  };

  static void handle_request(Rank& self, int source, Reader& reader);
  static void handle_query(Rank& self, int source, Reader& reader);
  static void handle_answer(Rank& self, int source, Reader& reader);
  HangAnswer describe_self() const;
  void print_self() const;
  void request();
  void open_query(Purpose purpose);
  void conclude();
  /// Grows with all that arrives but queries.
  std::uint64_t arrivals_count() const;
  void check_signal();
  void check_overdue(std::int64_t now_ns);

  Rank& self_;
  std::int64_t hang_after_ns_;
  std::uint64_t seen_activity_ = 0;
  std::int64_t idle_since_ns_ = 0;
  std::int64_t next_check_ns_ = 0;
  bool reported_ = false;
  bool is_closed_ = false;
  bool main_has_ended_ = false;
  Query query_;
  std::vector<std::uint64_t> last_activity_;
  std::int64_t unchanged_since_ns_ = 0;  ///< So long `last_activity_` is that of all ranks.
  int equal_answers_count_ = 0;          ///< Queries in a row to which it was, all ranks idle.
};

}  // namespace tasuki::runtime
