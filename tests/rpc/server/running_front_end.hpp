// A front end that runs in a thread of a test.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "rpc/server/front_end.hpp"
#include "rpc/server/played_module.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/protocol.hpp"
#include "rpc/wire/temporary_folder.hpp"

namespace tasuki::rpc {

/// A server with module m, which needs no token, and its starter.
class RunningFrontEnd : public testing::Test {
 protected:
  RunningFrontEnd() {
    EXPECT_EQ(pipe2(starter_.data(), O_CLOEXEC), 0);
    folder_.write("index.html", "<p>the page</p>");
    front_end_.emplace(Endpoint{"127.0.0.1", 0}, std::vector{played_module("m")},
                       ServerOptions{.log_file = folder_.path_of("log")},
                       PageSource{folder_.name(), "1.2.3"});
    running_ = std::async(std::launch::async, [this] { front_end_->run(starter_[0]); });
  }
  ~RunningFrontEnd() override {
    end_starter();
    running_.wait();
    close(starter_[0]);
  }

  void end_starter() {
    if (starter_[1] >= 0) close(starter_[1]);
    starter_[1] = -1;
  }
  void order(const nlohmann::json& what) {
    const std::string line = what.dump() + "\n";
    ASSERT_EQ(write(starter_[1], line.data(), line.size()), static_cast<ssize_t>(line.size()));
  }
  Socket connect() const {
    Socket made = Socket::connect({"127.0.0.1", front_end_->port()}, patience);
    made.set_timeout(patience);
    return made;
  }
  static nlohmann::json ask(Socket& client, const nlohmann::json& message) {
    send_frame(client, message);
    return receive_frame(client);
  }
  static void greet(Socket& client) {
    const nlohmann::json hello = {{"message", "hello"}, {"protocol", protocol_version}};
    EXPECT_EQ(ask(client, hello).at("message"), "hello");
  }
  Socket client() const {
    Socket made = connect();
    greet(made);
    return made;
  }
  static std::string modules_of(Socket& client) {
    std::string names;
    const nlohmann::json answer = ask(client, {{"message", "interfaces"}});
    for (const nlohmann::json& one : answer.at("modules")) {
      names += one.at("module").get<std::string>();
    }
    return names;
  }
  static constexpr Socket::Seconds patience{60};
  const TemporaryFolder folder_;
  std::array<int, 2> starter_{};
  std::optional<FrontEnd> front_end_;
  std::future<void> running_;
};

}  // namespace tasuki::rpc
