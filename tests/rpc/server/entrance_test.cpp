#include "rpc/server/entrance.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <tasuki/error.hpp>

#include "rpc/wire/frame.hpp"
#include "rpc/wire/protocol.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

/// Somebody at an entrance where nobody needs a token.
struct Stranger {
  Stranger() {
    auto [near, far] = connected();
    connection = std::make_shared<Socket>(std::move(near));
    peer = std::make_unique<Socket>(std::move(far));
  }

  Visitor enter() { return entrance.admit(connection); }

  Entrance entrance{{}, {}, 1};
  std::shared_ptr<Socket> connection;
  std::unique_ptr<Socket> peer;
};

TEST(EntranceTest, ClientsAreGreeted) {
  Stranger stranger;
  send_frame(*stranger.peer, {{"message", "hello"}, {"protocol", protocol_version}});
  const Visitor visitor = stranger.enter();
  ASSERT_TRUE(std::holds_alternative<Guest>(visitor));
  EXPECT_EQ(std::get<Guest>(visitor).user->name, "");
  EXPECT_EQ(std::get<Guest>(visitor).sign_s, std::nullopt);
  EXPECT_EQ(receive_frame(*stranger.peer),
            json({{"message", "hello"}, {"protocol", protocol_version}}));
}

TEST(EntranceTest, AClientThatWantsSignsOfLifeIsPromisedThem) {
  Stranger stranger;
  const json hello = {{"message", "hello"}, {"protocol", protocol_version}, {"sign_s", 2.5}};
  send_frame(*stranger.peer, hello);
  EXPECT_EQ(std::get<Guest>(stranger.enter()).sign_s, 2.5);
  EXPECT_EQ(receive_frame(*stranger.peer), hello);
}

TEST(EntranceTest, ATokenThatNobodyNeedsIsRefusedUnlessItIsOfASetting) {
  Stranger stranger;
  json hello = {{"message", "hello"}, {"protocol", protocol_version}, {"token", "secret"}};
  send_frame(*stranger.peer, hello);
  EXPECT_TRUE(std::holds_alternative<Guest>(stranger.enter()));
  EXPECT_EQ(receive_frame(*stranger.peer)["message"], "hello");
  hello["is_token_given"] = true;
  send_frame(*stranger.peer, hello);
  EXPECT_THROW(stranger.enter(), error);
  const json refused = receive_frame(*stranger.peer);
  EXPECT_EQ(refused["kind"], "access");
  EXPECT_EQ(refused["happened"], "the server asks for no token, and one was given");
}

TEST(EntranceTest, AUserHasSoManyConnections) {
  Stranger stranger;
  const json hello = {{"message", "hello"}, {"protocol", protocol_version}};
  for (int i = 0; i < 2; ++i) send_frame(*stranger.peer, hello);
  {
    const Visitor first = stranger.enter();
    EXPECT_THROW(stranger.enter(), error);
  }
  EXPECT_EQ(receive_frame(*stranger.peer)["message"], "hello");
  EXPECT_EQ(receive_frame(*stranger.peer)["kind"], "quota");
  send_frame(*stranger.peer, hello);
  EXPECT_TRUE(std::holds_alternative<Guest>(stranger.enter()));
}

TEST(EntranceTest, BrowsersAreKnownByTheirFirstLetter) {
  Stranger stranger;
  stranger.peer->send("GET / HTTP/1.1\r\n", 16);
  EXPECT_TRUE(std::holds_alternative<Browser>(stranger.enter()));
}

TEST(EntranceTest, TicketsAndRanksComeInWithTheirMessage) {
  for (const json& message : {json({{"ticket", "t"}}), json({{"message", "join"}, {"key", "k"}})}) {
    Stranger stranger;
    send_frame(*stranger.peer, message);
    EXPECT_EQ(std::get<json>(stranger.enter()), message);
  }
}

TEST(EntranceTest, WhoSaysSomethingElseIsToldWhy) {
  for (const json& message : {json({{"message", 7}}), json::object(), json({{"message", "lease"}}),
                              json({{"message", "hello"}, {"protocol", protocol_version + 1}})}) {
    Stranger stranger;
    send_frame(*stranger.peer, message);
    EXPECT_THROW(stranger.enter(), error);
    EXPECT_EQ(receive_frame(*stranger.peer)["message"], "refused") << message;
  }
}

}  // namespace
}  // namespace tasuki::rpc
