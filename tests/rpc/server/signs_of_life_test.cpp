#include "rpc/server/signs_of_life.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <chrono>
#include <limits>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "rpc/wire/encrypted.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/happened.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

constexpr Socket::Seconds patience{60};

/// Clients and their ends at the front end.
class SignsOfLifeTest : public testing::TestWithParam<bool> {
 protected:
  SignsOfLifeTest() {
    for (auto* const ends : {&ends_, &other_ends_}) {
      if (GetParam()) encrypt_both(ends->first, ends->second);
      ends->first.set_timeout(patience);
    }
  }
  static void expect_sign(Socket& client) {
    EXPECT_EQ(receive_frame(client), json({{"message", "here"}}));
  }

  std::pair<Socket, Socket> ends_ = connected();
  std::pair<Socket, Socket> other_ends_ = connected();
  Socket& client_ = ends_.first;
  Socket& front_end_ = ends_.second;
  Socket& other_ = other_ends_.first;
  Socket& other_end_ = other_ends_.second;
  SignsOfLife signs_;
};

INSTANTIATE_TEST_SUITE_P(Connections, SignsOfLifeTest, testing::Bool(), [](const auto& one) {
  return one.param ? std::string("encrypted") : std::string("plain");
});

TEST_P(SignsOfLifeTest, WhoWaitsGetsThemUntilTheAnswer) {
  const SignsOfLife::Waiting long_wait(signs_, other_end_, 3600);
  {
    const SignsOfLife::Waiting waiting(signs_, front_end_, 0.1);
    for (int i = 0; i < 3; ++i) expect_sign(client_);
  }
  send_frame(front_end_, {{"message", "leased"}});
  json message = receive_frame(client_);
  while (message.at("message") == "here") message = receive_frame(client_);  // It was on its way.
  EXPECT_EQ(message.at("message"), "leased");
  EXPECT_FALSE(other_.has_come());
}

TEST_P(SignsOfLifeTest, WhoHasNotAskedForThemGetsNone) {
  const SignsOfLife::Waiting silent(signs_, front_end_, std::nullopt);
  const SignsOfLife::Waiting waiting(signs_, other_end_, 0.1);
  for (int i = 0; i < 3; ++i) expect_sign(other_);
  EXPECT_FALSE(client_.has_come());
}

TEST_P(SignsOfLifeTest, NobodyGetsThemTooOften) {
  const auto begin = SignsOfLife::Clock::now();
  const SignsOfLife::Waiting waiting(signs_, front_end_, std::numeric_limits<double>::quiet_NaN());
  const SignsOfLife::Waiting other(signs_, other_end_, -1.0);
  for (int i = 0; i < 3; ++i) expect_sign(client_);
  for (int i = 0; i < 3; ++i) expect_sign(other_);
  EXPECT_GE(SignsOfLife::Clock::now() - begin, std::chrono::milliseconds(300));
}

TEST_P(SignsOfLifeTest, AClientThatTakesNothingOrHasGoneHoldsUpNobody) {
  const std::vector<std::byte> much = counted(100'000);
  front_end_.set_send_timeout(Socket::Seconds(1));
  EXPECT_NE(happened_in([&] {
              while (true) front_end_.send(much.data(), much.size());
            }),
            "");
  const SignsOfLife::Waiting full(signs_, front_end_, 0.1);
  std::optional<std::pair<Socket, Socket>> third = connected();
  const SignsOfLife::Waiting gone(signs_, third->second, 0.1);
  third->first.shut_down();
  const SignsOfLife::Waiting waiting(signs_, other_end_, 0.1);
  for (int i = 0; i < 5; ++i) expect_sign(other_);
}

TEST_P(SignsOfLifeTest, AConnectionThatTakesNoWholeSignEnds) {
  ASSERT_EQ(shutdown(front_end_.descriptor(), SHUT_WR), 0);  // It can be written, in vain.
  const SignsOfLife::Waiting waiting(signs_, front_end_, 0.1);
  const auto end = SignsOfLife::Clock::now() + patience;
  while (!front_end_.has_ended() && SignsOfLife::Clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(front_end_.has_ended());
}

}  // namespace
}  // namespace tasuki::rpc
