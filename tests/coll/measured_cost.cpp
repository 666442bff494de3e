#include <map>
#include <tuple>

#include "checker.hpp"

namespace tasuki::coll::checker {
namespace {

using Channel = std::tuple<int, int, std::uint32_t>;  // From, to, sequence.

/// In one tick a rank sends at most `ports` messages and receives at most as many (one: the
/// telephone model), and both ends must have come to the round of the message.
class Telephone {
 public:
  Telephone(const std::vector<Schedule>& schedules, std::size_t ports)
      : schedules_(schedules), ports_(ports), ranks_(schedules.size()) {
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
    std::vector<std::size_t> heard(ranks_.size(), 0);
    bool any = false;
    for (Rank& rank : ranks_) {
      for (std::size_t sent = 0; sent < ports_ && send_one(rank, heard); ++sent) any = true;
    }
    for (std::size_t index = 0; index < ranks_.size(); ++index) {
      ranks_[index].unreceived -= heard[index];
    }
    for (std::size_t index = 0; index < ranks_.size(); ++index) open_rounds(index);
    return any;
  }

  /// The first message of the rank that its receiver awaits and has a port for.
  bool send_one(Rank& rank, std::vector<std::size_t>& heard) {
    for (auto send = rank.unsent.begin(); send != rank.unsent.end(); ++send) {
      const auto awaited = awaited_.find(*send);
      if (awaited == awaited_.end() || heard[awaited->second] == ports_) continue;
      ++heard[awaited->second];
      awaited_.erase(awaited);
      rank.unsent.erase(send);
      return true;
    }
    return false;
  }

  const std::vector<Schedule>& schedules_;
  std::size_t ports_;
  std::vector<Rank> ranks_;
  std::map<Channel, std::size_t> awaited_;
};

}  // namespace

Cost measured_cost(const std::vector<Schedule>& schedules, std::size_t ports) {
  Cost cost;
  cost.ports = ports;
  for (const Schedule& schedule : schedules) {
    for (std::size_t index = 0; index < schedule.rounds.size(); ++index) {
      for (const Transfer& send : schedule.round(index).sends) cost.elements += send.slice.count;
    }
  }
  cost.rounds = Telephone(schedules, ports).run();
  return cost;
}

}  // namespace tasuki::coll::checker
