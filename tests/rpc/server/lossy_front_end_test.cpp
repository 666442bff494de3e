#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "rpc/server/running_front_end.hpp"
#include "rpc/wire/happened.hpp"
#include "rpc/wire/lossy_wire.hpp"

namespace tasuki::rpc {
namespace {

/// Clients and browsers that reach a front end by way of a wire.
class LossyFrontEndTest : public RunningFrontEnd {
 protected:
  /// Returns: what has happened to a client that asks some times; "" if it was answered.
  std::string ask_by(unsigned seed, std::int64_t most_bytes) {
    LossyWire wire(seed, most_bytes, connect());
    Socket client = wire.take_near();
    const std::string happened = happened_in([&] {
      greet(client);
      for (int i = 0; i < 3; ++i) EXPECT_EQ(modules_of(client), "m");
    });
    passed_bytes_ = wire.passed_bytes();
    return happened;
  }
  /// The same of a browser.
  std::string browse_by(unsigned seed, std::int64_t most_bytes) {
    LossyWire wire(seed, most_bytes, connect());
    Socket browser = wire.take_near();
    std::string page;
    const std::string happened = happened_in([&] {
      const std::string request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
      browser.send(request.data(), request.size());
      while (page.find("<p>the page</p>") == std::string::npos) {
        char letter = 0;
        browser.receive(&letter, 1);
        page += letter;
      }
    });
    passed_bytes_ = wire.passed_bytes();
    return happened;
  }

  std::int64_t passed_bytes_ = 0;
};

TEST_F(LossyFrontEndTest, PiecesThatComeLateMakeNoDifference) {
  for (const unsigned seed : wire_seeds()) {
    SCOPED_TRACE(seed);
    EXPECT_EQ(ask_by(seed, LossyWire::loses_nothing), "");
    EXPECT_EQ(browse_by(seed, LossyWire::loses_nothing), "");
  }
}

TEST_F(LossyFrontEndTest, AConnectionThatEndsAtAnyByteEndsThatClientAlone) {
  ask_by(0, LossyWire::loses_nothing);
  const auto of_client = static_cast<std::uint32_t>(passed_bytes_);
  browse_by(0, LossyWire::loses_nothing);
  const auto of_browser = static_cast<std::uint32_t>(passed_bytes_);
  Socket other = client();
  for (const unsigned seed : wire_seeds()) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    EXPECT_NE(ask_by(seed, random() % of_client), "");
    EXPECT_NE(browse_by(seed, random() % of_browser), "");
    EXPECT_EQ(modules_of(other), "m");
  }
}

}  // namespace
}  // namespace tasuki::rpc
