// A server with one routine, as a test wants it to answer: front end and rank by one port.
#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tasuki/error.hpp>
#include <thread>
#include <utility>

#include "rpc/wire/frame.hpp"
#include "rpc/wire/protocol.hpp"
#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

class SmallServer {
 public:
  /// Of a message that asks for something: the answer; nothing ends the connection. The greeting,
  /// which promises signs of life, and the interface, which has m/f(IN int32 n) and the class m/C
  /// with the method add like it, are answered already.
  using Answer = std::function<std::optional<nlohmann::json>(const nlohmann::json& message)>;

  explicit SmallServer(Answer answer = {})
      : answer_(std::move(answer)), thread_([this] { run(); }) {}
  ~SmallServer() {
    is_over_ = true;
    Socket::connect({"127.0.0.1", listener_.port()}, patience);  // Wakes the thread.
    thread_.join();
    end_connections();
    for (std::thread& one : threads_) one.join();
  }
  SmallServer(const SmallServer&) = delete;
  SmallServer& operator=(const SmallServer&) = delete;

  std::string url() const { return "tasuki://127.0.0.1:" + std::to_string(listener_.port()); }
  int connections_count() const { return connections_count_; }
  void end_connections() {
    const std::lock_guard guard(mutex_);
    for (Socket& one : connections_) one.shut_down();
  }
  /// Lets the client find its rank at this port, too.
  nlohmann::json leased() const {
    return {{"message", "leased"},
            {"lease", 1},
            {"ranks", {{{"host", "127.0.0.1"}, {"port", listener_.port()}, {"ticket", "t"}}}}};
  }
  static nlohmann::json results() {
    return {{"message", "results"},
            {"seconds", {{"receive", 0.0}, {"compute", 0.5}, {"cpu", 0.5}}}};
  }

 private:
  static constexpr Socket::Seconds patience{60};

  void run() {
    while (!is_over_) {
      try {
        Socket accepted = listener_.accept(patience);
        const std::lock_guard guard(mutex_);
        Socket& connection = connections_.emplace_back(std::move(accepted));
        ++connections_count_;
        threads_.emplace_back([this, &connection] { serve(connection); });
      } catch (const error&) {
        continue;  // Nobody has come.
      }
    }
  }

  void serve(Socket& connection) {
    try {
      while (const auto answer = answer_to(receive_frame(connection))) {
        if (!answer->is_null()) send_frame(connection, *answer);
      }
    } catch (const error&) {
      return;  // The client has gone.
    }
    connection.shut_down();
  }

  std::optional<nlohmann::json> answer_to(const nlohmann::json& message) const {
    if (message.contains("ticket")) return nlohmann::json();  // A rank says nothing to that.
    const auto kind = field_of<std::string>(message, "message");
    if (kind == "hello") {
      nlohmann::json hello = {{"message", "hello"}, {"protocol", protocol_version}};
      if (message.contains("sign_s")) hello["sign_s"] = message["sign_s"];
      return hello;
    }
    if (kind != "interfaces") return answer_ ? answer_(message) : std::nullopt;
    const nlohmann::json distribution = {{"divisions", nlohmann::json::array()},
                                         {"grid", nlohmann::json::array()}};
    const nlohmann::json n = {{"kind", "value"},
                              {"name", "n"},
                              {"mode", "in"},
                              {"wire", "int32"},
                              {"dimensions", nlohmann::json::array()},
                              {"distribution", distribution}};
    const nlohmann::json f = {{"name", "f"},
                              {"text", ""},
                              {"aliases", nlohmann::json::array()},
                              {"parameters", nlohmann::json::array({n})},
                              {"calc_order", nullptr}};
    nlohmann::json add = f;
    add["name"] = "add";
    const nlohmann::json c = {
        {"name", "C"}, {"text", ""}, {"methods", nlohmann::json::array({add})}};
    const nlohmann::json module = {{"interface", 1},
                                   {"module", "m"},
                                   {"routines", nlohmann::json::array({f})},
                                   {"classes", nlohmann::json::array({c})}};
    return {
        {{"message", "interfaces"}, {"modules", nlohmann::json::array({module})}, {"revision", 1}}};
  }

  const Answer answer_;
  Listener listener_{{"127.0.0.1", 0}};
  std::atomic<bool> is_over_ = false;
  std::atomic<int> connections_count_ = 0;
  std::mutex mutex_;
  std::list<Socket> connections_ = {};  ///< Guarded by mutex_; stay where they are.
  std::list<std::thread> threads_ = {};
  std::thread thread_;
};

}  // namespace tasuki::rpc
