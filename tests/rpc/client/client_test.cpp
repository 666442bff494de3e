#include "rpc/client/client.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "rpc/client/call_fault.hpp"
#include "rpc/sessions/server_address.hpp"
#include "rpc/sessions/small_server.hpp"
#include "rpc/wire/happened.hpp"
#include "rpc/wire/port_of_nobody.hpp"
#include "rpc/wire/refusal.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

const json draining = refusal_of(NamedError(draining_kind, "call", "the server is ending", ""));

/// What a server with the routine m/f answers, and what it is asked.
class PlayedServer {
 public:
  using Answers = std::function<std::optional<json>(const std::string& kind, int count)>;

  /// `count` is how often that kind of message has come, the one that is asked for included.
  explicit PlayedServer(Answers answers) : answers_(std::move(answers)) {}

  Endpoint endpoint() const { return server_address(server_.url()); }
  json leased() const { return server_.leased(); }
  SmallServer& server() { return server_; }
  int count(const std::string& kind) {
    const std::lock_guard guard(mutex_);
    return counts_[kind];
  }
  /// The last message of that kind.
  json last(const std::string& kind) {
    const std::lock_guard guard(mutex_);
    return messages_[kind];
  }

 private:
  std::optional<json> answer(const json& message) {
    const std::string kind = message.at("message");
    int count = 0;
    {
      const std::lock_guard guard(mutex_);
      count = ++counts_[kind];
      messages_[kind] = message;
    }
    if (const auto special = answers_(kind, count); !special || !special->is_null()) {
      return special;
    }
    if (kind == "lease") return leased();
    if (kind == "ask") return {{{"message", "here"}}};
    return SmallServer::results();
  }

  const Answers answers_;
  std::mutex mutex_;
  std::map<std::string, int> counts_;
  std::map<std::string, json> messages_;
  SmallServer server_{[this](const json& message) { return answer(message); }};
};

std::optional<json> as_usual(const std::string&, int) { return json(); }

/// By connections to the ranks, as the servers here read no memory.
struct Caller {
  explicit Caller(std::vector<Endpoint> servers) : client(std::move(servers), {}) {
    client.set_mode(TransferMode::hand_off);
  }
  CallReport call() { return client.call("m", "f", {{"n", 7}}, {}); }
  CallFault fault() {
    try {
      call();
    } catch (const CallFault& fault) {
      return fault;
    }
    ADD_FAILURE() << "the call has not failed";
    return {error("", "", ""), false};
  }

  Client client;
};

TEST(ClientTest, ACallGoesToTheRanksAndItsReportSaysHowLongItTook) {
  PlayedServer server(as_usual);
  Caller caller({server.endpoint()});
  EXPECT_TRUE(caller.client.is_connected());
  EXPECT_EQ(caller.client.modules().at(0).name, "m");
  for (const int number : {1, 2}) {
    const CallReport report = caller.call();
    EXPECT_EQ(report.server, server.server().url());
    EXPECT_EQ(report.mode, TransferMode::hand_off);
    ASSERT_EQ(report.ranks.size(), 1U);
    EXPECT_EQ(report.ranks[0].compute, 0.5);
    EXPECT_EQ(report.front_end_s > 0, number == 1);  // Then the ranks are the client's.
    EXPECT_EQ(server.last("call").at("scalars"), json({{"n", 7}}));
  }
  EXPECT_EQ(server.count("lease"), 1);
}

TEST(ClientTest, WhatIsWrongWithACallIsSaidBeforeTheServerIsAsked) {
  PlayedServer server(as_usual);
  Caller caller({server.endpoint()});
  const auto refused = [&](const char* module, const char* routine, const json& scalars) {
    return happened_in([&] { caller.client.call(module, routine, scalars, {}); });
  };
  const std::string place = text_of(server.endpoint());
  EXPECT_EQ(refused("k", "f", {{"n", 7}}), place + " has no module k");
  EXPECT_EQ(refused("m", "g", {{"n", 7}}), place + " has no routine m/g");
  EXPECT_NE(refused("m", "f", {{"n", 0.5}}), "");
  EXPECT_NE(refused("m", "f", json::object()), "");
  EXPECT_EQ(happened_in([&] { caller.client.make("m", "D"); }), place + " has no class m/D");
  EXPECT_EQ(happened_in([&] {
              caller.client.put("m", "f", "n", {{"n", 7}}, {});
            }),
            "f has no array n");
  EXPECT_EQ(server.count("lease"), 0);
}

TEST(ClientTest, ACallThatFailsOnARankMayHaveRun) {
  PlayedServer server([](const std::string& kind, int) -> json {
    if (kind == "settle") return {{"message", "settled"}, {"calls", 1}};
    return kind == "call" ? json{{"message", "failed"}, {"happened", "singular"}, {"remedy", ""}}
                          : json();
  });
  Caller caller({server.endpoint()});
  const CallFault fault = caller.fault();
  EXPECT_TRUE(fault.may_have_run());
  EXPECT_EQ(fault.happened(), "singular; the call may have run");
  EXPECT_EQ(server.count("call"), 1);
}

TEST(ClientTest, ARankThatHasCalledBackIsNamedAsOne) {
  std::jthread rank;
  PlayedServer* played = nullptr;
  PlayedServer server([&](const std::string& kind, int) -> json {
    if (kind == "settle") return {{"message", "settled"}, {"calls", 1}};
    if (kind != "lease") return json();
    rank = std::jthread([port = played->last("lease").at("call_back").get<std::uint16_t>()] {
      Socket client = Socket::connect({"127.0.0.1", port}, Socket::Seconds(60));
      send_frame(client, {{"ticket", "t"}});
      receive_frame(client);  // The call, in which it goes.
    });
    return json();
  });
  played = &server;
  Caller caller({server.endpoint()});
  caller.client.set_mode(TransferMode::call_back);
  EXPECT_EQ(caller.fault().happened(), "rank 0 closed the connection; the call may have run");
}

TEST(ClientTest, ACallThatNoRankHasBegunHasNotRun) {
  json settled = {{"message", "settled"}, {"calls", 0}};
  PlayedServer server([&](const std::string& kind, int) -> json {
    if (kind == "settle") return settled;
    return kind == "call" ? json{{"message", "failed"}, {"happened", "no memory"}, {"remedy", ""}}
                          : json();
  });
  Caller caller({server.endpoint()});
  EXPECT_EQ(caller.fault().happened(), "no memory; the call has not run");
  settled = {{"message", "settled"}, {"calls", 2},         {"has_run", false},
             {"operation", "call"},  {"happened", "none"}, {"remedy", "..."}};
  const CallFault fault = caller.fault();
  EXPECT_EQ(fault.happened(), "none; the call has not run");
  EXPECT_FALSE(fault.may_have_run());
}

TEST(ClientTest, ACallWhoseAnswerIsMalformedMayHaveRun) {
  PlayedServer server([](const std::string& kind, int) -> json {
    return kind == "call" ? json{{"message", "results"}, {"seconds", {{"compute", "long"}}}}
                          : json();
  });
  Caller caller({server.endpoint()});
  EXPECT_NE(caller.fault().happened().find("; the call may have run"), std::string::npos);
}

TEST(ClientTest, ACallThatHasNotBegunIsMadeAgainOnANewLease) {
  PlayedServer server([](const std::string& kind, int count) -> std::optional<json> {
    if (kind == "call" && count == 1) return {};  // The rank ends the connection.
    return kind == "settle" ? json{{"message", "settled"}, {"calls", 0}} : json();
  });
  Caller caller({server.endpoint()});
  EXPECT_EQ(caller.call().ranks.size(), 1U);
  EXPECT_EQ(server.count("lease"), 2);
  EXPECT_EQ(server.count("call"), 2);
}

TEST(ClientTest, ACallThatMayHaveRunIsNotMadeTwice) {
  PlayedServer other(as_usual);
  PlayedServer server([](const std::string& kind, int) -> std::optional<json> {
    if (kind == "call" || kind == "settle") return {};  // All of it has gone.
    return json();
  });
  Caller caller({server.endpoint(), other.endpoint()});
  EXPECT_TRUE(caller.fault().may_have_run());
  EXPECT_EQ(server.count("call"), 1);
  EXPECT_EQ(other.count("call"), 0);
}

TEST(ClientTest, WhatTheRanksHaveRefusedHasNotRun) {
  PlayedServer server([](const std::string& kind, int count) {
    const NamedError lost("lost-array", "find an array", "it is not there", "put it");
    return kind == "call" && count == 1 ? refusal_of(lost) : json();
  });
  Caller caller({server.endpoint()});
  const CallFault fault = caller.fault();
  EXPECT_EQ(fault.kind(), "lost-array");
  EXPECT_FALSE(fault.may_have_run());
  EXPECT_EQ(caller.call().ranks.size(), 1U);  // By the same lease.
  EXPECT_EQ(server.count("lease"), 1);
}

TEST(ClientTest, WhenAServerEndsTheCallIsMadeOnAnother) {
  PlayedServer first(
      [](const std::string& kind, int) { return kind == "lease" ? draining : json(); });
  PlayedServer second(as_usual);
  Caller caller({first.endpoint(), second.endpoint()});
  EXPECT_EQ(caller.call().server, second.server().url());
  EXPECT_EQ(text_of(caller.client.server()), text_of(second.endpoint()));
  EXPECT_EQ(first.count("call"), 0);
  second.server().end_connections();
  while (caller.client.is_connected()) std::this_thread::yield();  // Until it has heard of it.
}

TEST(ClientTest, AnotherRefusalIsTheErrorOfTheCall) {
  PlayedServer first([](const std::string& kind, int) {
    const NamedError full(queue_full_kind, "call", "70 clients wait", "call later");
    return kind == "lease" ? refusal_of(full) : json();
  });
  PlayedServer second(as_usual);
  Caller caller({first.endpoint(), second.endpoint()});
  const CallFault fault = caller.fault();
  EXPECT_EQ(fault.kind(), queue_full_kind);
  EXPECT_FALSE(fault.may_have_run());
  EXPECT_EQ(second.count("lease"), 0);
}

TEST(ClientTest, ACallIsCancelledFromAnotherThreadAndTheNextOneGoesOn) {
  std::promise<void> begun;
  std::atomic<bool> is_first = true;
  std::promise<void> cancelled;
  PlayedServer server([&](const std::string& kind, int) -> std::optional<json> {
    if (kind != "call" || !is_first.exchange(false)) return json();
    begun.set_value();
    cancelled.get_future().wait();
    return {};
  });
  Caller caller({server.endpoint()});
  caller.client.cancel();  // Nothing is under way.
  auto fault = std::async(std::launch::async, [&] { return caller.fault(); });
  begun.get_future().wait();
  caller.client.cancel();
  EXPECT_EQ(fault.get().kind(), cancelled_kind);
  cancelled.set_value();
  EXPECT_EQ(caller.call().ranks.size(), 1U);
  caller.client.end();
  EXPECT_EQ(caller.fault().kind(), cancelled_kind);
}

/// Ends the waits of a server, also where the test fails: to be declared after the server.
struct EndOfWaits {
  std::promise<void>& over;
  ~EndOfWaits() { over.set_value(); }
};

/// Servers may be silent for a second.
class SilentServerTest : public testing::Test {
 protected:
  SilentServerTest() { setenv("TASUKI_SERVER_TIMEOUT", "1", 1); }
  ~SilentServerTest() override { unsetenv("TASUKI_SERVER_TIMEOUT"); }

  /// The answer to a message that is not what the server is silent about.
  std::optional<json> answer(const std::string& kind) const {
    if (kind != silent_kind_ && kind != "ask") return json();
    is_over_.wait();
    return {};
  }

  std::string silent_kind_;
  std::promise<void> over_;
  const std::shared_future<void> is_over_ = over_.get_future().share();
};

TEST_F(SilentServerTest, FailsTheCallItIsSilentAbout) {
  silent_kind_ = "lease";
  PlayedServer server([&](const std::string& kind, int) { return answer(kind); });
  const EndOfWaits end{over_};
  const std::string silence = text_of(server.endpoint()) + " has given no sign of life for 1 s: ";
  {
    Caller caller({server.endpoint()});
    const CallFault fault = caller.fault();
    EXPECT_EQ(fault.kind(), silent_kind);
    EXPECT_EQ(fault.operation(), "call m/f");
    EXPECT_EQ(fault.happened().find(silence), 0U) << fault.happened();
    EXPECT_FALSE(fault.may_have_run());
    EXPECT_FALSE(caller.client.is_connected());
    silent_kind_ = "call";
    const CallFault later = caller.fault();  // By another connection.
    EXPECT_EQ(later.operation(), "call m/f");
    EXPECT_EQ(later.happened().find(silence), 0U) << later.happened();
    EXPECT_TRUE(later.may_have_run());
  }
  PlayedServer other(as_usual);
  silent_kind_ = "lease";
  Caller caller({server.endpoint(), other.endpoint()});
  EXPECT_EQ(caller.call().server, other.server().url());
}

TEST_F(SilentServerTest, WhatItKeepsIsSoughtNowhereElse) {
  PlayedServer server([&](const std::string& kind, int) { return answer(kind); });
  const EndOfWaits end{over_};
  PlayedServer other([](const std::string& kind, int) -> json {
    if (kind == "kept") return {{"message", "kept"}, {"kept", json::array()}};
    return kind == "discard" ? json{{"message", "discarded"}, {"is_freed", false}} : json();
  });
  const auto fault_of = [&](auto ask) -> CallFault {
    Caller caller({server.endpoint(), other.endpoint()});
    try {
      ask(caller.client);
    } catch (const CallFault& fault) {
      EXPECT_NE(fault.happened().find("has given no sign of life"), std::string::npos);
      EXPECT_FALSE(caller.client.is_connected());
      EXPECT_EQ(text_of(caller.client.server()), text_of(server.endpoint()));
      return fault;
    }
    ADD_FAILURE() << "another server was asked";
    return {error("", "", ""), false};
  };
  silent_kind_ = "discard";
  const CallFault of_freeing = fault_of([](Client& client) { client.discard("a"); });
  EXPECT_EQ(of_freeing.kind(), silent_kind);
  EXPECT_EQ(of_freeing.operation(), "free what is kept");
  EXPECT_TRUE(of_freeing.may_have_run());
  silent_kind_ = "kept";
  const CallFault of_list = fault_of([](Client& client) { client.kept(); });
  EXPECT_EQ(of_list.operation(), "list what is kept");
  EXPECT_FALSE(of_list.may_have_run());
}

TEST_F(SilentServerTest, WhatARankHasSaidIsTheErrorOfTheCall) {
  silent_kind_ = "settle";
  PlayedServer server([&](const std::string& kind, int) -> std::optional<json> {
    if (kind != "call") return answer(kind);
    return json{{"message", "failed"}, {"happened", "singular"}, {"remedy", ""}};
  });
  const EndOfWaits end{over_};
  Caller caller({server.endpoint()});
  EXPECT_EQ(caller.fault().happened(), "singular; the call may have run");
  EXPECT_FALSE(caller.client.is_connected());
}

TEST(ClientTest, AServerThatAnswersIsWaitedForAsLongAsTheCallTakes) {
  setenv("TASUKI_SERVER_TIMEOUT", "1", 1);
  PlayedServer* played = nullptr;
  PlayedServer server([&](const std::string& kind, int) {
    while (kind == "call" && played->count("ask") < 3) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return json();
  });
  played = &server;
  Caller caller({server.endpoint()});
  EXPECT_EQ(caller.call().ranks.size(), 1U);
  unsetenv("TASUKI_SERVER_TIMEOUT");
}

TEST(ClientTest, WhatIsKeptIsListedAndFreedByTheServer) {
  PlayedServer server([](const std::string& kind, int) -> json {
    if (kind == "kept") return {{"message", "kept"}, {"kept", {{{"name", "a"}}}}};
    return kind == "discard" ? json{{"message", "discarded"}, {"is_freed", true}} : json();
  });
  Caller caller({server.endpoint()});
  EXPECT_EQ(caller.client.kept(), json::array({{{"name", "a"}}}));
  EXPECT_TRUE(caller.client.discard("a"));
  EXPECT_EQ(server.last("discard").at("name"), "a");
  caller.client.free("m", "b");  // By the ranks.
  EXPECT_EQ(server.last("free").at("name"), "b");
}

TEST(ClientTest, IfNoServerAnswersTheErrorNamesAll) {
  const std::array<PortOfNobody, 2> ports;
  const std::vector<Endpoint> gone = {ports[0].endpoint(), ports[1].endpoint()};
  const std::string happened = happened_in([&] { const Client client(gone, {}); });
  for (const Endpoint& one : gone) {
    EXPECT_NE(happened.find(url_of(one)), std::string::npos) << happened;
  }
}

}  // namespace
}  // namespace tasuki::rpc
