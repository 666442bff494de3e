// A client's connections to all ranks of a module that is leased to it.
//
// Used by clients, and by the front end where that stands between client and ranks. Thread-safety:
// one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "rpc/links/exchange.hpp"
#include "rpc/links/rank_link.hpp"

namespace tasuki::rpc {

class RankLinks {
 public:
  /// Throws tasuki::error if a rank cannot be reached.
  explicit RankLinks(const std::vector<RankAddress>& ranks, bool offers_memory = false);
  /// From connections that the ranks have opened, the first rank's first.
  explicit RankLinks(std::vector<Socket> ranks);

  /// The ranks are served one after the other, rather than at once.
  void take_turns() noexcept { takes_turns_ = true; }

  /// From now on each wait for a rank calls `check` about each second, and ends by what that
  /// throws. Several threads may do so at once.
  void watch(const RankLink::Await& check);

  /// May this process and all ranks read each other's memory?
  bool share_memory() const noexcept;
  int ranks() const noexcept { return static_cast<int>(links_.size()); }
  /// Calls that have been made, with those that failed.
  std::int64_t calls_count() const noexcept { return calls_count_; }
  /// Has a rank ended its connection? Does not wait.
  bool has_ended() const noexcept;

  /// Ends the connections: a call under way fails. Any thread, as moved_bytes().
  void shut_down() noexcept;
  std::int64_t moved_bytes() const noexcept;

  /// Returns when all ranks have answered: the answers, with the seconds of each, in parts. Throws
  /// Lost if they have refused it; then other calls may follow. Throws tasuki::error if a rank
  /// fails or its connection ends; then none may.
  std::vector<nlohmann::json> call(Exchange exchange);

  /// Where who calls has the blocks piece by piece: sends the message to all ranks; the blocks and
  /// then the answers go by the connection of each.
  void begin(nlohmann::json message);
  /// As RankLink's, once the answers of all ranks before it have been received.
  nlohmann::json receive_answer(int rank, const ServeCallback& serve_callback);
  RankLink& operator[](int rank) { return *links_[static_cast<std::size_t>(rank)]; }

 private:
  /// With a thread for each rank but the first, which the caller serves.
  void call_at_once(std::span<const std::uint8_t> head, const Exchange& exchange,
                    std::vector<nlohmann::json>& answers);
  /// One rank after the other.
  void call_in_turn(std::span<const std::uint8_t> head, const Exchange& exchange,
                    std::vector<nlohmann::json>& answers);
  /// Waits until the rank may say something, if those after it have still to answer. Throws
  /// tasuki::error if one of them has ended instead: the rank may wait for it, inside the routine.
  void await(std::size_t rank);
  /// Throws tasuki::error if the host of a rank has vanished.
  void check_hosts() const;

  std::vector<std::unique_ptr<RankLink>> links_;
  RankLink::Await check_ = {};  ///< Empty: nobody watches.
  bool takes_turns_ = false;
  std::int64_t calls_count_ = 0;
};

}  // namespace tasuki::rpc
