// A server with module m, of which there are two groups of ranks, and calls of it that a test
// plays.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "rpc/server/played_module.hpp"
#include "rpc/server/server_view.hpp"

namespace tasuki::rpc {

/// What pages, metrics and the API tell of.
class PlayedView : public testing::Test {
 protected:
  explicit PlayedView(std::vector<User> users = {}) : users_(std::move(users)) {
    ServedModule module = played_module("m");
    module.documentation = {{{"name", "f"}, {"examples", {"call {url} m.f", "info {url}"}}}};
    modules_.offer({module});
  }
  ~PlayedView() override { modules_.end(); }

  /// A call of the user has come as far as that.
  std::int64_t call(const std::string& user, const char* state) {
    const std::int64_t lease = log_.queue({"m", "f", user, "127.0.0.1", 1}).value();
    log_.open(lease, 1);
    tell(lease, state);
    return lease;
  }
  void tell(std::int64_t lease, const char* state) {
    nlohmann::json described = {
        {"call", 1},
        {"kind", "keep"},
        {"routine", "f"},
        {"state", state},
        {"age_s", 0.5},
        {"kept", "a"},
        {"seconds", {{"compute", 0.2}}},
        {"bytes", {{"received", 60}, {"to_receive", 100}, {"sent", 5}, {"to_send", 20}}}};
    const int ended = std::string(state) == "done" ? 1 : 0;
    log_.take(
        lease, 0,
        {{"message", "calls"}, {"ended", ended}, {"calls", nlohmann::json::array({described})}});
  }

  CallLog log_{100};
  KeptTable kept_;
  ModuleTable modules_{{"127.0.0.1", 1}, {}, 2, log_, kept_};
  Users users_;
  Connections connections_;
  std::atomic<bool> is_draining_ = false;
  const ServerView view_{modules_, log_, users_, connections_, kept_, is_draining_, "1.2.3"};
};

}  // namespace tasuki::rpc
