#include "rpc/client/server_link.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <thread>

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

}  // namespace
}  // namespace tasuki::rpc
