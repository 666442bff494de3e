// Modules of which a test plays the ranks.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "rpc/server/module_table.hpp"
#include "rpc/wire/frame.hpp"

namespace tasuki::rpc {

/// A module of one rank, whose program does nothing.
inline ServedModule played_module(const std::string& name, bool is_warm = false) {
  ServedModule made;
  made.interface = {{"interface", 1},
                    {"module", name},
                    {"routines", nlohmann::json::array()},
                    {"classes", nlohmann::json::array()}};
  made.command = {"sleep", "1000"};
  made.is_warm = is_warm;
  return made;
}

/// The rank of such a module, which has joined. The group's ranks have to end before it does.
class JoinedRank {
 public:
  explicit JoinedRank(RankGroup group) : group_(std::move(group)) {
    Listener listener({"127.0.0.1", 0});
    Socket peer = Socket::connect({"127.0.0.1", listener.port()}, patience);
    peer.set_timeout(patience);
    peer_ = std::make_unique<Socket>(std::move(peer));
    const auto connection = std::make_shared<Socket>(listener.accept(patience));
    serving_ = std::thread([this, connection] {
      group_->serve(connection, {{"message", "join"}, {"rank", 0}, {"ranks", 1}, {"port", 1}});
    });
    EXPECT_EQ(receive_frame(*peer_).at("message"), "joined");
  }
  ~JoinedRank() {
    peer_->shut_down();
    serving_.join();
  }
  JoinedRank(const JoinedRank&) = delete;
  JoinedRank& operator=(const JoinedRank&) = delete;

  void say(const nlohmann::json& message) { send_frame(*peer_, message); }
  nlohmann::json hear() { return receive_frame(*peer_); }
  /// Ends a lease without a call, when the front end wants that.
  void give_back() {
    const nlohmann::json hold = hear();
    say({{"message", "held"}, {"lease", hold.at("lease")}, {"calls", 0}});
    EXPECT_EQ(hear().at("message"), "until");
    say({{"message", "ended"}, {"lease", hold.at("lease")}, {"calls", 0}, {"said", ""}});
  }

 private:
  static constexpr Socket::Seconds patience{60};

  const RankGroup group_;
  std::unique_ptr<Socket> peer_;
  std::thread serving_;
};

}  // namespace tasuki::rpc
