// Early clear to send: receives for long records, posted before their sender announces them.
//
// A rank that gets long records of one length from a peer again and again posts a receive for the
// next one in an idle time, and tells the peer, which then sends nothing but the data. What the
// peer sends otherwise is announced as ever, so a wrong prediction loses nothing but the receive,
// which is taken back when nothing has come to it for long. docs/design/prediction.md says what is
// gained. The dispatcher has one; IdleWork lets it work.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <tasuki/detail/base/memory_account.hpp>
#include <tasuki/detail/predict/counters.hpp>
#include <tasuki/detail/predict/guard.hpp>
#include <tasuki/detail/runtime/calls/code_address.hpp>
#include <tasuki/detail/runtime/calls/record.hpp>
#include <unordered_map>
#include <vector>

#include "runtime/calls/payload_memory.hpp"

namespace tasuki::runtime {

/// What follows a long record's payload where no announcement names its handler.
struct EarlyTrailer {
  CodeAddress code;
  /// Messages from the same rank that its sender has sent before: their calls start first.
  std::uint64_t messages_before = 0;
};

class EarlyReceives {
 public:
  explicit EarlyReceives(Rank& self);
  ~EarlyReceives();
  EarlyReceives(const EarlyReceives&) = delete;
  EarlyReceives& operator=(const EarlyReceives&) = delete;

  /// A bound on memory and on what each poll tests, not a matter of speed.
  static constexpr std::size_t receives_most = 4;
  /// Of one length, after which the next is expected to come again: as for places in memory
  /// (docs/design/bulk-over-mpi.md).
  static constexpr int equal_records_least = 3;
  /// A receive is taken back after so many long records, none of which came to it. It has then cost
  /// at most 10 us / 64 for each, by its messages and the polls that tested it.
  static constexpr std::uint64_t unused_records_least = 64;

  /// From here on receives are posted. Without `is_guarded` whatever that gains.
  void start(bool is_guarded) noexcept;
  /// From here on this rank begins nothing more; what is begun goes on until the job ends.
  void stop() noexcept;

  /// A long record has come that its sender has announced.
  void note_announced(int source, std::size_t payload_bytes);
  /// Is there work for an idle time?
  bool is_due() const noexcept { return !due_.empty() || has_unused_; }
  /// Posts one receive, or takes one back. Requires: is_due(), and the rank takes messages in.
  void work();
  /// Are there receives whose data have come, so that they have to be posted again?
  bool is_any_to_post() const noexcept { return to_post_count_ != 0; }
  /// Requires: the rank takes messages in.
  void post_again();
  /// A message of `source` has been handled: what came before it and was sent after it may be.
  void note_handled(int source) {
    ++handled_counts_[static_cast<std::size_t>(source)];
    if (!held_.empty()) [[unlikely]]
      deliver_held();
  }

  /// A hit for each record that came to a receive, a miss for each receive that was taken back.
  const predict::Counters& counters() const noexcept { return counters_; }
  std::size_t receives_count() const noexcept { return receives_.size(); }

  static constexpr base::MemoryAccount account() noexcept {
    return {"counts of handled messages", 0, sizeof(std::uint64_t), 0};
  }

 private:
  struct EarlyReceive;
  /// A record that has overtaken messages sent before it.
  struct Held {
    int source;
    EarlyTrailer trailer;
    Payload payload;
  };
  /// Records of one length that a source has announced lately.
  struct Length {
    std::size_t payload_bytes = 0;
    std::uint64_t used_at = 0;  ///< `records_count_` when the last came.
    int count = 0;
    bool is_due = false;
    EarlyReceive* receive = nullptr;
  };
  struct Source {
    std::vector<Length> lengths;
    bool is_refused = false;  ///< The transport has no receives, or no more, for this source.
    predict::Guard guard;
  };
  /// What is to be done in an idle time: a receive is to be posted.
  struct Due {
    int source;
    std::size_t payload_bytes;
  };

  static void handle_clear(Rank& self, int source, Reader& reader);
  static void handle_take_back(Rank& self, int source, Reader& reader);
  static void handle_taken_back(Rank& self, int source, Reader& reader);

  bool takes(std::size_t payload_bytes) const noexcept;
  void count_record() noexcept;
  Length* find(int source, std::size_t payload_bytes) noexcept;
  Length& note_length(int source, std::size_t payload_bytes);
  EarlyReceive* longest_unused() noexcept;
  void post_first(int source, Length& length);
  void begin_to_take_back(EarlyReceive& receive);
  void note_arrived(EarlyReceive& receive);
  void end(EarlyReceive& receive);
  void deliver_held();

  Rank& self_;
  bool is_on_ = false;
  bool is_guarded_ = true;
  std::unordered_map<int, Source> sources_;
  std::vector<Due> due_;
  std::vector<std::unique_ptr<EarlyReceive>> receives_;
  std::vector<std::uint64_t> handled_counts_;  ///< Messages, by source.
  std::vector<Held> held_;
  std::size_t to_post_count_ = 0;
  bool has_unused_ = false;          ///< A receive is to be taken back.
  std::uint64_t records_count_ = 0;  ///< Long ones, of all sources.
  predict::Counters counters_;
};

}  // namespace tasuki::runtime
