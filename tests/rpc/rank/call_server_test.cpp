#include "rpc/rank/call_server.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "rpc/rank/broken_off_call.hpp"
#include "rpc/rank/played_rank.hpp"
#include "rpc/rank/refused_call.hpp"
#include "rpc/wire/happened.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;
using Numbers = std::vector<double>;

class CallServerTest : public PlayedRank {
 protected:
  CallServerTest() { reporter_.begin_lease(1); }

  /// The message goes to the rank, with numbers behind it, and is served. Returns: what goes wrong.
  std::string serve(const json& message, const Numbers& numbers = {}) {
    send_frame(client_, message);
    client_.send(numbers.data(), numbers.size() * sizeof(double));
    return happened_in([this] { server_.serve(); });
  }
  json answer() { return receive_frame(client_); }
  /// What the front end is told of the first call once it has ended, be it told of before or not.
  json told_of_one_call() {
    json news = told("calls");
    while (news.at("ended") != 1) news = told("calls");
    return news.at("calls").at(0);
  }
  Numbers received(std::size_t count) {
    Numbers numbers(count);
    client_.receive(numbers.data(), count * sizeof(double));
    return numbers;
  }
  static json call_of_twice(const json& n) {
    return {{"message", "call"}, {"call", 1}, {"routine", "twice"}, {"scalars", {{"n", n}}}};
  }
  static json keep(const char* name, std::int64_t n) {
    return {{"message", "keep"},     {"call", 1},        {"routine", "twice"},
            {"scalars", {{"n", n}}}, {"parameter", "x"}, {"array", name}};
  }

  const std::optional<PeerMemory> memory_ = {};
  RunningDigest said_;
  CallServer server_{program_, kept_, reporter_, rank_end_, memory_, 1000, said_};
};

TEST_F(CallServerTest, ACallComputesAndItsResultsFollowTheAnswer) {
  for (int i = 1; i <= 2; ++i) {  // In memory of its own, and in that of the first call.
    EXPECT_EQ(serve(call_of_twice(3), {1, 2, 3.0 * i}), "");
    const json results = answer();
    EXPECT_EQ(results.at("message"), "results");
    EXPECT_GE(results.at("seconds").at("compute"), 0.0);
    EXPECT_EQ(received(3), (Numbers{2, 4, 6.0 * i}));
  }
}

TEST_F(CallServerTest, NumbersTravelInTheFormOfTheCall) {
  json call = call_of_twice(1);
  call["wire"] = "xdr";
  double big_endian = 0;
  const std::array<unsigned char, 8> one = {0x3f, 0xf0};
  std::memcpy(&big_endian, one.data(), one.size());
  EXPECT_EQ(serve(call, {big_endian}), "");
  answer();
  std::array<unsigned char, 8> two{};
  client_.receive(two.data(), two.size());
  EXPECT_EQ(two, (std::array<unsigned char, 8>{0x40, 0x00}));
}

TEST_F(CallServerTest, WhatIsWrongWithACallIsToldAndThrown) {
  const auto refused = [this](const json& message) {
    const std::string happened = serve(message);
    const json told = answer();
    EXPECT_EQ(told.at("message"), "failed");
    EXPECT_EQ(told.at("happened"), happened);
    return happened;
  };
  json unknown = call_of_twice(1);
  unknown["routine"] = "thrice";
  EXPECT_EQ(refused(unknown), "the interface has no routine thrice");
  json missing = {{"message", "call"}, {"routine", "missing"}, {"scalars", json::object()}};
  EXPECT_EQ(refused(missing), "the program has no routine missing");
  missing["routine"] = "fail";
  EXPECT_EQ(refused(missing), "the matrix is singular");
  missing.erase("scalars");
  EXPECT_EQ(refused(missing), "its field scalars is missing or of another type");
  EXPECT_EQ(refused({{"message", "call"}}), "its field routine is missing or of another type");
  EXPECT_NE(refused(call_of_twice(-1)), "");
  EXPECT_NE(refused(call_of_twice("many")), "");
  EXPECT_NE(refused(call_of_twice(1000)).find("1000"), std::string::npos);  // The limit.
}

TEST_F(CallServerTest, AnArrayIsKeptForLaterCallsUntilItIsFreed) {
  json call = call_of_twice(2);
  call["kept"] = {{"x", "a"}};
  EXPECT_EQ(serve(keep("a", 2), {5, 6}), "");
  EXPECT_EQ(answer().at("message"), "results");
  EXPECT_EQ(serve(call), "");
  answer();
  EXPECT_EQ(received(2), (Numbers{10, 12}));
  EXPECT_EQ(serve({{"message", "free"}, {"name", "a"}}), "");
  EXPECT_EQ(answer().at("message"), "results");
  EXPECT_EQ(serve(call), "");  // All ranks say the same, and other calls may follow.
  const json refused = answer();
  EXPECT_EQ(refused.at("message"), "refused");
  EXPECT_EQ(refused.at("kind"), "lost-array");
  EXPECT_EQ(serve(call_of_twice(1), {1}), "");
  EXPECT_EQ(answer().at("message"), "results");
}

TEST_F(CallServerTest, AnArrayForWhichThereIsNoRoomIsReceivedAndRefused) {
  const Numbers numbers(9, 1.0);
  EXPECT_EQ(serve(keep("a", 9), numbers), "");
  EXPECT_EQ(answer().at("message"), "refused");
  EXPECT_EQ(serve(call_of_twice(1), {1}), "");  // Nothing of it is left before this.
  EXPECT_EQ(answer().at("message"), "results");
  EXPECT_EQ(received(1), Numbers{2});
}

TEST_F(CallServerTest, NamesOfWhatIsKeptAreShort) {
  const std::string most(64, 'a');
  EXPECT_EQ(serve(keep(most.c_str(), 1), {1}), "");
  EXPECT_EQ(answer().at("message"), "results");
  for (const std::string& name : {most + 'a', std::string()}) {
    EXPECT_NE(serve(keep(name.c_str(), 1)).find("its field array is missing"), std::string::npos);
    EXPECT_EQ(answer().at("message"), "failed");
  }
}

TEST_F(CallServerTest, WhatIsWrongBeforeARoutineBeginsChangesNothing) {
  const auto is_refused = [this](const json& message) {
    send_frame(client_, message);
    bool is_refusal = false;
    try {
      server_.serve();
    } catch (const error& fault) {
      is_refusal = dynamic_cast<const RefusedCall*>(&fault) != nullptr;
    }
    EXPECT_EQ(answer().at("message"), "failed");
    return is_refusal;
  };
  RunningDigest nothing;
  json unknown = call_of_twice(1);
  unknown["routine"] = std::string(100'000, 'x');
  EXPECT_TRUE(is_refused(unknown));
  EXPECT_TRUE(is_refused(call_of_twice("\xff")));  // Which JSON cannot have.
  EXPECT_TRUE(is_refused(call_of_twice(1000)));    // The limit.
  for (const json& waited_s : {json(std::numeric_limits<double>::infinity()), json("long")}) {
    json waited = call_of_twice(0);
    waited["waited_s"] = waited_s;
    EXPECT_TRUE(is_refused(waited));
  }
  EXPECT_TRUE(is_refused({{"message", "make"}, {"class", "None"}, {"object", "a"}}));
  EXPECT_TRUE(is_refused({{"message", "free"}, {"name", std::string(65, 'a')}}));
  EXPECT_EQ(said_.text(), nothing.text());
}

TEST_F(CallServerTest, WhatFailsOnceARoutineHasBegunIsNoRefusal) {
  send_frame(client_, {{"message", "call"}, {"routine", "fail"}, {"scalars", json::object()}});
  try {
    server_.serve();
    ADD_FAILURE();
  } catch (const RefusedCall&) {
    ADD_FAILURE();
  } catch (const error& fault) {
    EXPECT_EQ(fault.happened(), "the matrix is singular");
  }
}

TEST_F(CallServerTest, WhatFailsAsTheClientHasGoneMayFollowFromAnotherRank) {
  send_frame(client_, {{"message", "call"}, {"routine", "fail"}, {"scalars", json::object()}});
  client_.shut_down();
  EXPECT_THROW(server_.serve(), BrokenOffCall);
}

TEST_F(CallServerTest, LongTextsOfTheClientAreNotRepeated) {
  json unknown = call_of_twice(1);
  unknown["routine"] = std::string(100'000, 'x');
  EXPECT_LT(serve(unknown).size(), 2000U);
  EXPECT_LT(answer().at("happened").get<std::string>().size(), 2000U);
  reporter_.end_lease();
  EXPECT_LT(told_of_one_call().at("happened").get<std::string>().size(), 2000U);
}

TEST_F(CallServerTest, AnUnknownMessageIsRefused) {
  EXPECT_NE(serve({{"message", "sing"}, {"name", "a"}}).find("its field message is missing"),
            std::string::npos);
  EXPECT_EQ(answer().at("message"), "failed");
}

TEST_F(CallServerTest, WhatTheClientSaysIsInTheDigest) {
  RunningDigest same;
  RunningDigest other;
  for (const std::int64_t n : {1, 2}) {
    const json message = call_of_twice(n);
    const std::vector<std::uint8_t> body = json::to_msgpack(message);
    same.add(body);
    if (n == 1) other.add(body);
    EXPECT_EQ(serve(message, Numbers(static_cast<std::size_t>(n), 1)), "");
    answer();
    received(static_cast<std::size_t>(n));
  }
  const std::string said = said_.text();
  EXPECT_EQ(said, same.text());
  EXPECT_NE(said, other.text());
}

TEST_F(CallServerTest, OnlyArraysAreKept) {
  json message = keep("a", 2);
  message["parameter"] = "n";
  EXPECT_EQ(serve(message), "twice has no array n");
}

TEST_F(CallServerTest, AnArrayAndAnObjectNeverHaveOneName) {
  const auto make = [](const char* name) {
    return json{{"message", "make"}, {"class", "Sum"}, {"object", name}};
  };
  kept_.arrays.lease_to({1, "ann"}, {});
  EXPECT_EQ(serve(keep("of ann", 1), {5}), "");
  EXPECT_EQ(answer().at("message"), "results");
  kept_.arrays.lease_to({2, "bob"}, {});
  EXPECT_EQ(serve(make("of ann")), "");
  EXPECT_EQ(answer().at("kind"), "lost-object");
  EXPECT_EQ(serve(make("an object")), "");
  EXPECT_EQ(answer().at("message"), "results");
  EXPECT_EQ(serve(keep("an object", 1), {5}), "");
  EXPECT_EQ(answer().at("kind"), "lost-array");
}

TEST_F(CallServerTest, MethodsWorkOnTheirObjects) {
  const auto add = [this](const char* object, std::int64_t step) {
    EXPECT_EQ(serve({{"message", "call"},
                     {"routine", "Sum.add"},
                     {"object", object},
                     {"scalars", {{"step", step}}}}),
              "");
    std::int64_t sum = 0;
    if (answer().at("message") == "results") client_.receive(&sum, sizeof sum);
    return sum;
  };
  for (const char* name : {"a", "b"}) {
    EXPECT_EQ(serve({{"message", "make"}, {"class", "Sum"}, {"object", name}}), "");
    EXPECT_EQ(answer().at("message"), "results");
  }
  add("a", 5);
  add("b", 100);
  EXPECT_EQ(add("a", 2), 7);
  EXPECT_EQ(add("b", 2), 102);
  EXPECT_EQ(add("c", 2), 0);  // Refused.
}

TEST_F(CallServerTest, TheFrontEndIsToldOfCallsAndOfWhatIsKept) {
  serve(call_of_twice(1), {1});
  serve(keep("a", 2), {5, 6});
  serve({{"message", "call"}, {"routine", "fail"}, {"scalars", json::object()}});
  reporter_.end_lease();
  json calls = json::array();
  json kept = json::array();
  while (calls.size() < 3) {
    const json news = told("calls");
    for (const json& one : news.at("calls")) {
      if (one.at("state") == "done" || one.at("state") == "failed") calls.push_back(one);
    }
    for (const json& one : news.value("kept", json::array())) kept.push_back(one);
  }
  EXPECT_EQ(calls[0].at("routine"), "twice");
  EXPECT_EQ(calls[0].at("bytes").at("received"), 8);
  EXPECT_EQ(calls[0].at("bytes").at("sent"), 8);
  EXPECT_EQ(calls[1].at("kind"), "keep");
  EXPECT_EQ(calls[2].at("happened"), "the matrix is singular");
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].at("bytes"), 16);
  EXPECT_EQ(kept[0].at("about").at("argument"), "x");
}

TEST_F(CallServerTest, AClientThatGoesDuringItsCallIsAnError) {
  send_frame(client_, call_of_twice(2));
  client_.shut_down();
  EXPECT_NE(happened_in([this] { server_.serve(); }), "");
  reporter_.end_lease();
  EXPECT_EQ(told_of_one_call().at("state"), "cancelled");
}

}  // namespace
}  // namespace tasuki::rpc
