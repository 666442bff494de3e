#include <algorithm>
#include <map>
#include <tuple>

#include "checker.hpp"

namespace tasuki::coll::checker {
namespace {

using Channel = std::tuple<int, int, std::uint32_t>;  // From, to, sequence.

/// The telephone model: in one tick a rank sends at most one message and receives at most one,
/// and both ends must have come to the round of the message.
class Telephone {
 public:
  explicit Telephone(const std::vector<Schedule>& schedules)
      : schedules_(schedules), ranks_(schedules.size()) {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) open_rounds(rank);
  }

  std::size_t run() {
    std::size_t ticks = 0;
    while (tick()) ++ticks;
    return ticks;
  }

 private:
  struct Rank {
    std::size_t round = 0;
    std::vector<Channel> unsent;  ///< Of the open round.
    std::size_t unreceived = 0;   ///< Receives of the open round still to come.
  };

  /// Opens the next round that has transfers once nothing of this one is left.
  void open_rounds(std::size_t index) {
    Rank& rank = ranks_[index];
    const auto self = static_cast<int>(index);
    while (rank.unsent.empty() && rank.unreceived == 0 &&
           rank.round < schedules_[index].rounds.size()) {
      const RoundView round = schedules_[index].round(rank.round++);
      for (const Transfer& send : round.sends) {
        rank.unsent.emplace_back(self, send.peer, send.sequence);
      }
      for (const Transfer& receive : round.receives) {
        awaited_.emplace(Channel{receive.peer, self, receive.sequence}, index);
      }
      rank.unreceived = round.receives.size();
    }
  }

  bool tick() {
    std::vector<bool> hears(ranks_.size(), false);
    bool any = false;
    for (Rank& rank : ranks_) {
      const auto send = std::find_if(rank.unsent.begin(), rank.unsent.end(), [&](const auto& key) {
        const auto awaited = awaited_.find(key);
        return awaited != awaited_.end() && !hears[awaited->second];
      });
      if (send == rank.unsent.end()) continue;
      const auto awaited = awaited_.find(*send);
      hears[awaited->second] = true;
      awaited_.erase(awaited);
      rank.unsent.erase(send);
      any = true;
    }
    for (std::size_t index = 0; index < ranks_.size(); ++index) {
      if (hears[index]) --ranks_[index].unreceived;
    }
    for (std::size_t index = 0; index < ranks_.size(); ++index) open_rounds(index);
    return any;
  }

  const std::vector<Schedule>& schedules_;
  std::vector<Rank> ranks_;
  std::map<Channel, std::size_t> awaited_;
};

}  // namespace

Cost measured_cost(const std::vector<Schedule>& schedules) {
  Cost cost;
  for (const Schedule& schedule : schedules) {
    for (std::size_t index = 0; index < schedule.rounds.size(); ++index) {
      for (const Transfer& send : schedule.round(index).sends) cost.elements += send.slice.count;
    }
  }
  cost.rounds = Telephone(schedules).run();
  return cost;
}

}  // namespace tasuki::coll::checker
