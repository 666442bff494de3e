#include "rpc/server/client_session.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tasuki/error.hpp>

#include "rpc/server/server_control.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

/// A client of a front end with module m, whose program is not there.
class ClientSessionTest : public testing::Test {
 protected:
  ClientSessionTest() {
    ServedModule module;
    module.interface = {
        {"interface", 1}, {"module", "m"}, {"routines", json::array()}, {"classes", json::array()}};
    module.command = {"/nonexistent"};
    module.is_warm = false;
    modules_.offer({module});
  }

  std::string refusal(const json& message) {
    auto [near, far] = connected();
    ClientSession session(near, 1, users_.find(""), parts());
    const json answer = session.answer(message);
    EXPECT_EQ(answer["message"], "refused") << answer;
    return answer["happened"];
  }

  ServerParts parts() {
    return {modules_, users_, passages_, log_, audit_, kept_, control_, staging_room_};
  }

  Users users_{{}};
  AuditLog audit_{""};
  CallLog log_{10};
  KeptTable kept_;
  Passages passages_;
  ModuleTable modules_{{"127.0.0.1", 1}, {}, 1, log_, kept_};
  ServerControl control_{modules_, log_, kept_, audit_};
  StagingRoom staging_room_{INT64_MAX};
};

TEST_F(ClientSessionTest, TellsOfTheModules) {
  auto [near, far] = connected();
  ClientSession session(near, 1, users_.find(""), parts());
  const json answer = session.answer({{"message", "interfaces"}});
  EXPECT_EQ(answer["modules"][0]["module"], "m");
  EXPECT_EQ(answer["revision"], 1);
}

TEST_F(ClientSessionTest, SaysThatItIsHere) {
  auto [near, far] = connected();
  ClientSession session(near, 1, users_.find(""), parts());
  EXPECT_EQ(session.answer({{"message", "ask"}}), json({{"message", "here"}}));
}

TEST_F(ClientSessionTest, AnswersWhatIsWrongWithAMessage) {
  EXPECT_EQ(refusal({{"message", "sing"}}), "there is no message sing");
  EXPECT_EQ(refusal(json::object()), "its field message is missing or of another type");
  EXPECT_EQ(refusal({{"message", "lease"}, {"module", "n"}}), "there is no module n");
  EXPECT_EQ(refusal({{"message", "settle"}, {"module", "m"}}), "the client has none");
  EXPECT_EQ(refusal({{"message", "lease"}, {"module", "m"}, {"through", "tunnel"}}),
            "there is no way tunnel through the front end");
  EXPECT_EQ(refusal({{"message", "lease"}, {"module", "m"}, {"mode", "flight"}}),
            "there is no such mode of transfer");
  for (const char* field : {"through", "routine", "mode", "revision", "call_back"}) {
    EXPECT_EQ(refusal({{"message", "lease"}, {"module", "m"}, {field, json::array()}}),
              std::string("its field ") + field + " is missing or of another type");
  }
}

TEST_F(ClientSessionTest, RoutinesThatAreNotThereAreNotCounted) {
  EXPECT_EQ(refusal({{"message", "lease"}, {"module", "m"}, {"routine", "none"}}),
            "module m has no routine none");
  EXPECT_TRUE(log_.totals().empty());
}

TEST_F(ClientSessionTest, SaysWhyRanksCannotBeStarted) {
  EXPECT_NE(refusal({{"message", "lease"}, {"module", "m"}}), "");
}

}  // namespace
}  // namespace tasuki::rpc
