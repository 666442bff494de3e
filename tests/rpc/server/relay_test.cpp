#include "rpc/server/relay.hpp"

#include <gtest/gtest.h>

#include <future>
#include <string>
#include <vector>

#include "rpc/tls/tls_secret.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/happened.hpp"
#include "rpc/wire/port_of_nobody.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

constexpr Socket::Seconds patience{60};

/// A client and a rank, of which the front end relays what they send each other.
class RelayTest : public testing::TestWithParam<bool> {
 protected:
  RelayTest() {
    relaying_ = std::async(std::launch::async, [this] {
      const Endpoint rank{"127.0.0.1", listener_.port(), GetParam()};
      return happened_in([&] { relay(ends_.second, {rank, ticket_}); });
    });
    rank_.emplace(listener_.accept(patience));
    if (GetParam()) rank_->accept_encryption(TlsContext::for_listeners(find_), patience);
    rank_->set_timeout(patience);
    client_.set_timeout(patience);
  }
  ~RelayTest() override { client_.shut_down(); }

  const std::string ticket_ = "the ticket";
  const TlsContext::FindSecret find_ = [this](std::string_view) { return ticket_; };
  Listener listener_{{"127.0.0.1", 0}};
  std::pair<Socket, Socket> ends_ = connected();
  Socket& client_ = ends_.first;
  std::optional<Socket> rank_;
  std::future<std::string> relaying_;
};

INSTANTIATE_TEST_SUITE_P(Connections, RelayTest, testing::Bool(), [](const auto& one) {
  return one.param ? std::string("encrypted") : std::string("plain");
});

TEST_P(RelayTest, TheTicketGoesFirstAndThenAllBytesBothWays) {
  EXPECT_EQ(receive_frame(*rank_).at("ticket"), ticket_);
  const std::vector<std::byte> data = counted(1'000'000);
  for (int i = 0; i < 2; ++i) {
    auto sending = std::async(std::launch::async, [&] { client_.send(data.data(), data.size()); });
    std::vector<std::byte> received(data.size());
    rank_->receive(received.data(), received.size());
    sending.get();
    EXPECT_EQ(received, data);
    auto answering =
        std::async(std::launch::async, [&] { rank_->send(received.data(), received.size()); });
    std::vector<std::byte> answer(data.size());
    client_.receive(answer.data(), answer.size());
    answering.get();
    EXPECT_EQ(answer, data);
  }
}

TEST_P(RelayTest, EndsWhenTheClientDoes) {
  client_.shut_down();
  EXPECT_EQ(relaying_.get(), "");
  receive_frame(*rank_);
  EXPECT_NE(happened_in([this] { rank_->first_byte(); }), "");
}

TEST_P(RelayTest, EndsWhenTheRankDoes) {
  rank_.reset();
  EXPECT_EQ(relaying_.get(), "");
}

TEST(RelayToNobodyTest, IsAnError) {
  auto [near, far] = connected();
  const PortOfNobody port;
  RankAddress nobody;
  nobody.endpoint = port.endpoint();
  EXPECT_NE(happened_in([&, &near = near] { relay(near, nobody); }), "");
}

}  // namespace
}  // namespace tasuki::rpc
