#include <tasuki/routines.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <future>
#include <optional>
#include <string>
#include <utility>

#include "base/host_name.hpp"
#include "rpc/rank/played_rank.hpp"
#include "rpc/wire/happened.hpp"
#include "rpc/wire/peer_memory.hpp"
#include "rpc/wire/port_of_nobody.hpp"
#include "rpc/wire/refusal.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

constexpr Socket::Seconds patience{60};

/// A front end that the test plays, by whose port a rank is served in this process.
class RankServiceTest : public testing::Test {
 protected:
  RankServiceTest() {
    const std::string address = "tasuki://127.0.0.1:" + std::to_string(listener_.port());
    setenv("TASUKI_SERVER", address.c_str(), 1);
    setenv("TASUKI_SERVER_KEY", "the key", 1);
    serving_ = std::async(std::launch::async, [this] {
      return happened_in([this] { serve_calls(1, 2, played_.routines(), {}, "signature"); });
    });
    front_end_.emplace(listener_.accept(patience));
    front_end_->set_timeout(patience);
    joined_ = receive_frame(*front_end_);
  }
  ~RankServiceTest() override {
    front_end_.reset();
    unsetenv("TASUKI_SERVER");
    unsetenv("TASUKI_SERVER_KEY");
  }

  void let_in() {
    const json fail = {{"name", "fail"},
                       {"text", ""},
                       {"aliases", json::array()},
                       {"parameters", json::array()},
                       {"calc_order", nullptr}};
    send_frame(*front_end_, {{"message", "joined"},
                             {"keep_limit_bytes", 100},
                             {"interface",
                              {{"interface", 1},
                               {"module", "m"},
                               {"routines", json::array({fail})},
                               {"classes", json::array()}}}});
  }
  void lease(json fields = json::object()) {
    fields.update({{"message", "lease"},
                   {"lease", 1},
                   {"ticket", ticket_},
                   {"client", 5},
                   {"user", "ann"},
                   {"gone_clients", json::array()},
                   {"call_most_bytes", 1000},
                   {"client_most_s", 60}});
    send_frame(*front_end_, fields);
  }
  Socket client(const json& first) const {
    Socket made = Socket::connect({"127.0.0.1", joined_.at("port")}, patience);
    made.set_timeout(patience);
    send_frame(made, first);
    return made;
  }
  /// Returns: what happens to a call.
  static std::string call_of_fail(Socket& client) {
    send_frame(client, {{"message", "call"}, {"routine", "fail"}, {"scalars", json::object()}});
    return receive_frame(client).at("happened");
  }
  /// What the front end is told when a lease ends.
  json ended() {
    while (true) {
      json message = receive_frame(*front_end_);
      if (message.at("message") == "ended") return message;
    }
  }
  /// Returns: what the program ends with, once the front end has gone.
  std::string end() {
    front_end_.reset();
    return serving_.get();
  }

  const std::string ticket_ = "the ticket of the lease";
  PlayedProgram played_;
  Listener listener_{{"127.0.0.1", 0}};
  std::optional<Socket> front_end_;
  json joined_;
  std::future<std::string> serving_;
};

TEST_F(RankServiceTest, JoinsWithItsKeyAndEndsWithTheFrontEnd) {
  EXPECT_EQ(joined_.at("message"), "join");
  EXPECT_EQ(joined_.at("key"), "the key");
  EXPECT_EQ(joined_.at("rank"), 1);
  EXPECT_EQ(joined_.at("ranks"), 2);
  EXPECT_EQ(joined_.at("signature"), "signature");
  EXPECT_EQ(joined_.at("host"), base::host_name());
  let_in();
  EXPECT_EQ(end(), "");
}

TEST_F(RankServiceTest, TheProgramEndsWithTheReasonIfItIsNotLetIn) {
  send_frame(*front_end_, refusal_of(error("join", "it was built of another interface", "reload")));
  EXPECT_EQ(serving_.get(), "it was built of another interface");
}

TEST_F(RankServiceTest, WhoHasTheTicketCallsOneLeaseAfterAnother) {
  let_in();
  for (int i = 0; i < 2; ++i) {
    lease();
    Socket stranger = client({{"ticket", "a guess"}});
    EXPECT_NE(happened_in([&] { receive_frame(stranger); }), "");
    Socket right = client({{"ticket", ticket_}});
    EXPECT_EQ(call_of_fail(right), "the matrix is singular");
    EXPECT_EQ(ended().at("happened"), "the matrix is singular");
  }
  EXPECT_EQ(end(), "");
}

TEST_F(RankServiceTest, TheRankConnectsToAClientThatWantsIt) {
  let_in();
  Listener waiting({"127.0.0.1", 0});
  lease({{"call_back", "127.0.0.1:" + std::to_string(waiting.port())}});
  Socket rank = waiting.accept(patience);
  EXPECT_EQ(receive_frame(rank), json({{"ticket", ticket_}}));
  EXPECT_EQ(call_of_fail(rank), "the matrix is singular");
  EXPECT_EQ(ended().at("calls"), 1);
}

TEST_F(RankServiceTest, AClientThatCannotBeCalledBackGetsNoCall) {
  let_in();
  const PortOfNobody port;
  lease({{"call_back", text_of(port.endpoint())}});
  const json told = ended();
  EXPECT_EQ(told.at("calls"), 0);
  EXPECT_FALSE(told.contains("happened"));  // The client notices by itself.
}

TEST_F(RankServiceTest, NobodyLetsTheRankReadItsOwnMemory) {
  let_in();
  lease();
  // This process is the rank, too: so that is the memory of the rank.
  Socket right = client({{"ticket", ticket_}, {"memory", memory_offer(ticket_)}});
  EXPECT_EQ(receive_frame(right), json({{"message", "welcome"}}));
}

TEST_F(RankServiceTest, WhoIsRefusedEndsNoMoreThanTheLease) {
  let_in();
  for (int i = 0; i < 2; ++i) {
    lease();
    Socket right = client({{"ticket", ticket_}});
    send_frame(right, {{"message", "call"}, {"routine", "twice"}, {"scalars", {{"n", "\xff"}}}});
    EXPECT_EQ(receive_frame(right).at("message"), "failed");
    EXPECT_EQ(ended().at("has_refused"), true);
    EXPECT_NE(happened_in([&] { receive_frame(right); }), "");
  }
  EXPECT_EQ(end(), "");
}

TEST_F(RankServiceTest, ALeaseEndsWithoutTheClientIfTheFrontEndSaysSo) {
  let_in();
  lease();
  send_frame(*front_end_, {{"message", "hold"}, {"lease", 1}, {"has_client_gone", true}});
  EXPECT_EQ(receive_frame(*front_end_).at("message"), "held");
  send_frame(*front_end_, {{"message", "until"}, {"lease", 1}, {"calls", 0}});
  EXPECT_EQ(ended().at("calls"), 0);
}

/// The second of two processes that a launcher has started as programs of one rank.
TEST(LoneRankTest, IsHeardIfItsBeingAloneIsNotTheFault) {
  Listener listener({"127.0.0.1", 0});
  const std::string address = "tasuki://127.0.0.1:" + std::to_string(listener.port());
  const std::array variables = {std::pair{"TASUKI_SERVER", address.c_str()},
                                std::pair{"OMPI_COMM_WORLD_SIZE", "2"},
                                std::pair{"OMPI_COMM_WORLD_RANK", "1"}};
  for (const auto& [name, value] : variables) setenv(name, value, 1);
  auto serving =
      std::async(std::launch::async, [] { return happened_in([] { serve_calls(0, 1, {}); }); });
  Socket front_end = listener.accept(patience);
  front_end.set_timeout(patience);
  EXPECT_TRUE(receive_frame(front_end).contains("alone"));
  send_frame(front_end, refusal_of(error("join", "rank 0 has joined before", "leave it")));
  EXPECT_EQ(serving.get(), "rank 0 has joined before");
  for (const auto& [name, value] : variables) unsetenv(name);
}

TEST(UnservedProgramTest, SaysWhatStartsIt) {
  unsetenv("TASUKI_SERVER");
  EXPECT_EQ(happened_in([] { serve_calls(0, 1, {}); }), "no server has started this program");
}

TEST(UnservedProgramTest, SaysWhereTheServerHasToListenForOtherHosts) {
  const PortOfNobody port;
  const std::string address = "tasuki://0.0.0.0:" + std::to_string(port.endpoint().port);
  setenv("TASUKI_SERVER", address.c_str(), 1);
  try {
    serve_calls(0, 1, {});
    ADD_FAILURE() << "a server that is not there has let the rank in";
  } catch (const error& fault) {
    EXPECT_NE(fault.remedy().find("--listen at a name or an address of its host"),
              std::string::npos)
        << fault.what();
  }
  unsetenv("TASUKI_SERVER");
}

}  // namespace
}  // namespace tasuki::rpc
