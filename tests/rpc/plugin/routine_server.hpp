// A server whose routine m/f(IN int32 n) succeeds, or fails if n is negative, like the method add
// of its class m/C.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "rpc/sessions/small_server.hpp"

namespace tasuki::rpc {

class RoutineServer {
 public:
  std::string url() const { return server_.url(); }
  SmallServer& server() { return server_; }
  /// Messages of a kind, in the order of their arrival.
  std::vector<nlohmann::json> received(const std::string& kind) {
    const std::lock_guard guard(mutex_);
    std::vector<nlohmann::json> found;
    for (const nlohmann::json& one : received_) {
      if (one["message"] == kind) found.push_back(one);
    }
    return found;
  }

 private:
  std::optional<nlohmann::json> answer(const nlohmann::json& message) {
    {
      const std::lock_guard guard(mutex_);
      received_.push_back(message);
    }
    if (message["message"] == "lease") return server_.leased();
    // The client asks after a failure whether its call was the last that the rank had begun.
    if (message["message"] == "settle") return nlohmann::json{{"message", "settled"}, {"calls", 1}};
    if (message["message"] == "make" || message["message"] == "free") return SmallServer::results();
    if (message["message"] != "call") return {};
    if (message["scalars"]["n"] >= 0) return SmallServer::results();
    return nlohmann::json{
        {"message", "failed"}, {"happened", "n is negative"}, {"remedy", "give another"}};
  }

  std::mutex mutex_;
  std::vector<nlohmann::json> received_ = {};  ///< Guarded by mutex_.
  SmallServer server_{[this](const nlohmann::json& message) { return answer(message); }};
};

}  // namespace tasuki::rpc
