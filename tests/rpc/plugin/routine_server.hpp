// A server whose routine m/f(IN int32 n) succeeds, or fails if n is negative.
#pragma once

#include <optional>
#include <string>

#include "rpc/sessions/small_server.hpp"

namespace tasuki::rpc {

class RoutineServer {
 public:
  std::string url() const { return server_.url(); }
  SmallServer& server() { return server_; }

 private:
  std::optional<nlohmann::json> answer(const nlohmann::json& message) const {
    if (message["message"] == "lease") return server_.leased();
    // The client asks after a failure whether its call was the last that the rank had begun.
    if (message["message"] == "settle") return nlohmann::json{{"message", "settled"}, {"calls", 1}};
    if (message["message"] != "call") return {};
    if (message["scalars"]["n"] >= 0) return SmallServer::results();
    return nlohmann::json{
        {"message", "failed"}, {"happened", "n is negative"}, {"remedy", "give another"}};
  }

  SmallServer server_{[this](const nlohmann::json& message) { return answer(message); }};
};

}  // namespace tasuki::rpc
