#include "rpc/client/server_link.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "rpc/sessions/small_server.hpp"
#include "rpc/wire/happened.hpp"
#include "rpc/wire/port_of_nobody.hpp"
#include "rpc/wire/refusal.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

constexpr Socket::Seconds patience{60};

/// A server that the test plays for one connection.
class PlayedServer {
 public:
  explicit PlayedServer(const std::function<void(Socket&)>& serve)
      : thread_([this, serve] {
          Socket client = listener_.accept(patience);
          client.set_timeout(patience);
          happened_in([&] { serve(client); });
        }) {}

  Endpoint endpoint() const { return {"127.0.0.1", listener_.port()}; }

 private:
  Listener listener_{{"127.0.0.1", 0}};
  std::jthread thread_;
};

/// Returns: the error.
template <class Work>
ServerGone gone(Work work) {
  try {
    work();
  } catch (const ServerGone& fault) {
    return fault;
  }
  ADD_FAILURE() << "the server is not gone";
  return ServerGone(error("", "", ""));
}

TEST(ServerLinkTest, GreetsWithTheTokenAndAsks) {
  json greeting;
  {
    const PlayedServer server([&](Socket& client) {
      greeting = receive_frame(client);
      send_frame(client, {{"message", "hello"}, {"protocol", protocol_version}});
      EXPECT_EQ(receive_frame(client), json({{"message", "interfaces"}}));
      send_frame(client, {{"message", "interfaces"}, {"modules", {1, 2}}, {"revision", 7}});
      EXPECT_EQ(receive_frame(client).at("message"), "kept");
      send_frame(client, {{"message", "kept"}, {"kept", json::array()}});
    });
    ServerLink link(server.endpoint(), {.token = "the token", .is_token_given = true});
    const OfferedInterfaces offered = link.ask_interfaces();
    EXPECT_EQ(offered.modules.size(), 2U);
    EXPECT_EQ(offered.revision, 7);
    EXPECT_EQ(link.ask({{"message", "kept"}}).at("kept"), json::array());
    EXPECT_EQ(link.own_host(), "127.0.0.1");
  }
  EXPECT_EQ(greeting, json({{"message", "hello"},
                            {"protocol", protocol_version},
                            {"token", "the token"},
                            {"sign_s", 20.0},
                            {"is_token_given", true}}));
}

TEST(ServerLinkTest, WhoIsNotLetInIsToldWhyAndMayAskAnother) {
  const PlayedServer server([](Socket& client) {
    receive_frame(client);
    send_frame(client, refusal_of(NamedError(access_kind, "connect", "the token is wrong", "")));
  });
  const ServerGone fault = gone([&] { const ServerLink link(server.endpoint(), {}); });
  EXPECT_EQ(fault.kind(), access_kind);
  EXPECT_EQ(fault.happened(), "the token is wrong");
}

TEST(ServerLinkTest, ARefusalIsAnErrorAfterWhichOtherQuestionsFollow) {
  const SmallServer server([](const json& message) -> std::optional<json> {
    if (message.at("message") == "lease") {
      return refusal_of(NamedError(queue_full_kind, "lease ranks", "70 wait", "call later"));
    }
    return {{{"message", "kept"}}};
  });
  const std::string url = server.url();
  const auto port = static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
  ServerLink link({"127.0.0.1", port}, {});
  try {
    link.ask({{"message", "lease"}});
    FAIL();
  } catch (const NamedError& fault) {
    EXPECT_EQ(dynamic_cast<const ServerGone*>(&fault), nullptr);
    EXPECT_EQ(fault.kind(), queue_full_kind);
  }
  EXPECT_EQ(link.ask({{"message", "kept"}}).at("message"), "kept");
  EXPECT_FALSE(link.has_ended());
}

TEST(ServerLinkTest, AServerThatEndsTheConnectionOrIsNotThereIsGone) {
  const PlayedServer server([](Socket& client) {
    receive_frame(client);
    send_frame(client, {{"message", "hello"}});
    receive_frame(client);
  });
  ServerLink link(server.endpoint(), {});
  gone([&] { link.ask({{"message", "kept"}}); });
  EXPECT_TRUE(link.has_ended());
  const PortOfNobody port;
  const ServerGone fault = gone([&] { const ServerLink to_nobody(port.endpoint(), {}); });
  EXPECT_NE(fault.happened().find("does not answer"), std::string::npos);
}

TEST(ServerLinkTest, AnAnswerThatIsNoneEndsTheConnection) {
  const PlayedServer server([](Socket& client) {
    receive_frame(client);
    send_frame(client, {{"message", "hello"}});
    receive_frame(client);
    client.send("HTTP/1.1 400 Bad Request\r\n", 26);
    client.first_byte();
  });
  ServerLink link(server.endpoint(), {});
  gone([&] { link.ask({{"message", "kept"}}); });
  EXPECT_TRUE(link.has_ended());  // What follows would be taken for the next answer.
}

/// Of servers that promise signs of life, and may be silent for a second.
class WatchedServerLinkTest : public testing::Test {
 protected:
  WatchedServerLinkTest() { setenv("TASUKI_SERVER_TIMEOUT", "1", 1); }
  ~WatchedServerLinkTest() override { unsetenv("TASUKI_SERVER_TIMEOUT"); }

  static void greet(Socket& client) {
    send_frame(client, {{"message", "hello"}, {"sign_s", receive_frame(client).at("sign_s")}});
  }
  static std::vector<std::uint8_t> sign() { return encode_frame({{"message", "here"}}); }
  static void say_here(Socket& client) { send_frame(client, {{"message", "here"}}); }
  /// Returns: the other half.
  static std::vector<std::uint8_t> send_half(Socket& client) {
    const std::vector<std::uint8_t> whole = sign();
    const auto half = whole.size() / 2;
    client.send(whole.data(), half);
    return {whole.begin() + static_cast<std::ptrdiff_t>(half), whole.end()};
  }
  /// Until the client has gone.
  static void be_silent(Socket& client) {
    while (true) receive_frame(client);
  }
  /// Returns: the error.
  template <class Work>
  static ServerSilent silence(Work work) {
    try {
      work();
    } catch (const ServerSilent& fault) {
      return fault;
    }
    ADD_FAILURE() << "the server is not silent";
    return ServerSilent(error("", "", ""));
  }
  /// Checks until the server is found to be silent.
  template <class MovedBytes>
  static void check_until_silent(ServerLink& link, MovedBytes moved_bytes) {
    silence([&] {
      while (true) {
        link.check(moved_bytes());
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
      }
    });
  }
};

TEST_F(WatchedServerLinkTest, SignsOfLifeComeBeforeAnAnswerThatTakesLonger) {
  const PlayedServer server([](Socket& client) {
    greet(client);
    receive_frame(client);
    for (int i = 0; i < 12; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(250));
      say_here(client);
    }
    send_frame(client, {{"message", "kept"}});
    be_silent(client);
  });
  ServerLink link(server.endpoint(), {});
  EXPECT_TRUE(link.is_watched());
  EXPECT_EQ(link.ask({{"message", "kept"}}).at("message"), "kept");
  const ServerSilent fault = silence([&] { link.ask({{"message", "kept"}}); });
  EXPECT_EQ(fault.happened().find(text_of(server.endpoint()) + " has given no sign of life"), 0U);
  EXPECT_NE(fault.remedy().find("TASUKI_SERVER_TIMEOUT"), std::string::npos);
  EXPECT_TRUE(link.has_ended());
}

TEST_F(WatchedServerLinkTest, AServerIsAskedAndSilentIfItDoesNotAnswer) {
  int asked_count = 0;
  {
    const PlayedServer server([&](Socket& client) {
      greet(client);
      for (; asked_count < 3; ++asked_count) {
        EXPECT_EQ(receive_frame(client), json({{"message", "ask"}}));
        say_here(client);
      }
      be_silent(client);
    });
    ServerLink link(server.endpoint(), {});
    check_until_silent(link, [] { return 0; });
  }
  EXPECT_EQ(asked_count, 3);
}

TEST_F(WatchedServerLinkTest, WhatMovesIsASignOfLife) {
  const PlayedServer server([](Socket& client) {
    greet(client);
    be_silent(client);
  });
  ServerLink link(server.endpoint(), {});
  const auto begin = std::chrono::steady_clock::now();
  std::int64_t checks_count = 0;
  check_until_silent(link, [&] { return std::min<std::int64_t>(++checks_count, 20); });
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(2700));
}

TEST_F(WatchedServerLinkTest, AServerThatPromisesNothingOrIsNotToBeWatchedIsNeverSilent) {
  const PlayedServer old([](Socket& client) {
    receive_frame(client);
    send_frame(client, {{"message", "hello"}});
    receive_frame(client);
    std::this_thread::sleep_for(std::chrono::milliseconds(2500));
    send_frame(client, {{"message", "kept"}});
  });
  ServerLink to_old(old.endpoint(), {});
  EXPECT_FALSE(to_old.is_watched());
  EXPECT_EQ(to_old.ask({{"message", "kept"}}).at("message"), "kept");
  setenv("TASUKI_SERVER_TIMEOUT", "0", 1);
  json greeting;
  const PlayedServer other([&](Socket& client) {
    greeting = receive_frame(client);
    send_frame(client, {{"message", "hello"}});
    be_silent(client);
  });
  const ServerLink link(other.endpoint(), {});
  EXPECT_FALSE(link.is_watched());
  EXPECT_FALSE(greeting.contains("sign_s"));
}

TEST_F(WatchedServerLinkTest, AServerThatStopsInASignOfLifeIsSilent) {
  const PlayedServer server([](Socket& client) {
    greet(client);
    send_half(client);
    be_silent(client);
  });
  ServerLink link(server.endpoint(), {});
  silence([&] {
    while (link.is_watched()) {
      link.check(0);
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  });
}

TEST_F(WatchedServerLinkTest, ASignOfLifeThatComesInPartsSpoilsNoAnswer) {
  setenv("TASUKI_SERVER_TIMEOUT", "60", 1);
  std::promise<void> half_sent, checked;
  const PlayedServer server([&](Socket& client) {
    greet(client);
    const std::vector<std::uint8_t> rest = send_half(client);
    half_sent.set_value();
    checked.get_future().wait();
    client.send(rest.data(), rest.size());
    receive_frame(client);
    send_frame(client, {{"message", "kept"}});
    be_silent(client);
  });
  ServerLink link(server.endpoint(), {});
  half_sent.get_future().wait();
  link.check(0);
  checked.set_value();
  EXPECT_EQ(link.ask({{"message", "kept"}}).at("message"), "kept");
}

TEST_F(WatchedServerLinkTest, AServerThatFloodsItsClientDoesNotHoldUpTheCheck) {
  std::atomic<bool> is_over = false;
  std::atomic<bool> has_given_up = false;
  const PlayedServer server([&](Socket& client) {
    greet(client);
    std::vector<std::uint8_t> much;
    for (const std::vector<std::uint8_t> one = sign(); much.size() < 1'000'000;) {
      much.insert(much.end(), one.begin(), one.end());
    }
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (!is_over && !has_given_up) {
      client.send(much.data(), much.size());
      has_given_up = std::chrono::steady_clock::now() > end;
    }
  });
  ServerLink link(server.endpoint(), {});
  link.check(0);
  EXPECT_FALSE(has_given_up);
  is_over = true;
}

TEST_F(WatchedServerLinkTest, AServerThatHasEndedTheConnectionIsNotSilent) {
  const PlayedServer server([](Socket& client) {
    greet(client);
    client.shut_down();
  });
  ServerLink link(server.endpoint(), {});
  while (link.is_watched()) link.check(0);
  EXPECT_TRUE(link.has_ended());
}

}  // namespace
}  // namespace tasuki::rpc
