// A front end between a client and a rank, both of which the test plays, and a routine of one rank.
#pragma once

#include <cstdint>
#include <future>
#include <string>
#include <utility>
#include <vector>

#include "rpc/interface/call_layout.hpp"
#include "rpc/server/staged_call.hpp"
#include "rpc/wire/happened.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {

class StagedEnds {
 public:
  StagedEnds(const StagedEnds&) = delete;
  StagedEnds& operator=(const StagedEnds&) = delete;

 protected:
  StagedEnds() {
    constexpr Socket::Seconds patience{60};
    for (Socket* one : {&client_, &rank_}) one->set_timeout(patience);
  }
  ~StagedEnds() {
    client_.shut_down();
    rank_.shut_down();
  }

  /// The front end serves the call by `stage`; serving_ is what has happened, if it fails.
  template <class Stage>
  void serve(Stage stage, StagedCall call) {
    serving_ = std::async(std::launch::async, [this, stage, call = std::move(call)] {
      return happened_in([&] { stage(front_end_of_client_, links_, call, terms_); });
    });
  }

 private:
  std::pair<Socket, Socket> of_client_ = connected();
  std::pair<Socket, Socket> of_rank_ = connected();
  StagingRoom room_{INT64_MAX};
  const StagingTerms terms_{room_, [](bool) {}};

 protected:
  Socket& client_ = of_client_.first;
  Socket& front_end_of_client_ = of_client_.second;
  Socket& rank_ = of_rank_.first;
  RankLinks links_ = [this] {
    std::vector<Socket> ends;
    ends.push_back(std::move(of_rank_.second));
    return RankLinks(std::move(ends));
  }();
  Routine routine_{"f", "", {}};
  CallLayout layout_;
  CallLayout whole_;
  std::future<std::string> serving_;
};

}  // namespace tasuki::rpc
