#include "rpc/client/server_tries.hpp"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <span>
#include <string>
#include <tasuki/error.hpp>

#include "rpc/wire/named_error.hpp"

namespace tasuki::rpc {
namespace {

using Pause = ServerTries::Pause;

const std::array servers = {Endpoint{"a", 1}, Endpoint{"b", 2, true}};
constexpr std::array pauses = {Pause(10), Pause(20)};
const error silent("connect", "no answer", "start it");
const NamedError closed(access_kind, "connect", "the token is wrong", "ask for one");
const NamedError draining(draining_kind, "call", "it is ending", "call another");

/// Returns: the text of the error that ends the search, and its kind.
std::optional<std::string> end_of(ServerTries& tries, std::size_t index, const error& fault) {
  try {
    tries.note(index, fault);
  } catch (const error& all) {
    return std::string(kind_of(all)) + ": " + all.what();
  }
  return {};
}

TEST(ServerTriesTest, AllAreAskedOnceMoreAfterEachPause) {
  ServerTries tries(servers, pauses);
  EXPECT_EQ(tries.pause(), Pause(0));
  for (const Pause pause : pauses) {
    EXPECT_FALSE(end_of(tries, 0, silent));
    EXPECT_EQ(tries.pause(), Pause(0));
    EXPECT_FALSE(end_of(tries, 1, draining));
    EXPECT_EQ(tries.pause(), pause);
  }
  EXPECT_FALSE(end_of(tries, 0, silent));
  EXPECT_EQ(end_of(tries, 1, draining),
            "call: tasuki: find a server: none of 2 serves this client: tasuki://a:1: connect: no "
            "answer; tasukis://b:2: call: it is ending. Remedy: start one of them, or name "
            "another.");
}

TEST(ServerTriesTest, TheLastErrorOfEachCounts) {
  ServerTries tries(servers, std::span(pauses).first(1));
  for (const auto& fault : {draining, closed}) {
    EXPECT_FALSE(end_of(tries, 0, silent));
    if (const auto end = end_of(tries, 1, fault)) {
      EXPECT_EQ(end->find("it is ending"), std::string::npos);
      EXPECT_NE(end->find("the token is wrong"), std::string::npos);
      return;
    }
  }
  FAIL() << "asks for ever";
}

TEST(ServerTriesTest, AnErrorOfAllKeepsItsKind) {
  ServerTries tries(servers, {});
  EXPECT_FALSE(end_of(tries, 1, draining));
  const auto end = end_of(tries, 0, draining);
  ASSERT_TRUE(end);
  EXPECT_TRUE(end->starts_with("draining: "));
  EXPECT_NE(end->find("Remedy: call another"), std::string::npos);
}

TEST(ServerTriesTest, WhoIsKnownToNoneAsksNoneAgain) {
  ServerTries tries(servers, pauses);
  EXPECT_FALSE(end_of(tries, 0, closed));
  const auto end = end_of(tries, 1, closed);
  ASSERT_TRUE(end);
  EXPECT_TRUE(end->starts_with("access: "));
}

TEST(ServerTriesTest, TheErrorOfASingleServerIsItsOwn) {
  const auto one = std::span(servers).first(1);
  ServerTries tries(one, {});
  EXPECT_EQ(end_of(tries, 0, silent), "call: " + std::string(silent.what()));
}

}  // namespace
}  // namespace tasuki::rpc
