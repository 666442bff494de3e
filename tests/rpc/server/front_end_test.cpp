#include "rpc/server/front_end.hpp"

#include <gtest/gtest.h>

#include <string>

#include "rpc/server/running_front_end.hpp"
#include "rpc/wire/happened.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

json described(const ServedModule& module) {
  return {{"interface", module.interface}, {"command", module.command},
          {"ranks", module.ranks},         {"keep_limit_bytes", module.keep_limit_bytes},
          {"is_warm", module.is_warm},     {"documentation", module.documentation},
          {"version", module.version},     {"signature", module.signature}};
}

class FrontEndTest : public RunningFrontEnd {
 protected:
  static std::string ended(Socket& peer) {
    return happened_in([&] { peer.first_byte(); });
  }
};

TEST_F(FrontEndTest, ClientsAndBrowsersComeByOnePort) {
  Socket one = client();
  Socket other = client();
  EXPECT_EQ(modules_of(one), "m");
  EXPECT_EQ(modules_of(other), "m");
  Socket browser = connect();
  const std::string request = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
  browser.send(request.data(), request.size());
  std::string page;
  while (ended(browser).empty()) {
    char letter = 0;
    browser.receive(&letter, 1);
    page += letter;
  }
  EXPECT_EQ(page.find("HTTP/1.1 200"), 0U) << page;
  EXPECT_NE(page.find("<p>the page</p>"), std::string::npos) << page;
}

TEST_F(FrontEndTest, WhoHasNeitherTicketNorKeySeesTheConnectionEnd) {
  for (const json& message :
       {json{{"ticket", "a guess"}}, json{{"message", "join"}, {"key", "a guess"}, {"rank", 0}}}) {
    Socket stranger = connect();
    send_frame(stranger, message);
    EXPECT_NE(ended(stranger), "");
  }
  Socket one = client();  // Others are served.
  EXPECT_EQ(modules_of(one), "m");
}

TEST_F(FrontEndTest, AClientThatWaitsForRanksHearsThatTheFrontEndIsThere) {
  Socket one = connect();
  ask(one, {{"message", "hello"}, {"protocol", protocol_version}, {"sign_s", 0.1}});
  const json here = {{"message", "here"}};
  EXPECT_EQ(ask(one, {{"message", "ask"}}), here);
  send_frame(one, {{"message", "lease"}, {"module", "m"}});  // Its rank never joins.
  for (int i = 0; i < 3; ++i) EXPECT_EQ(receive_frame(one), here);
}

TEST_F(FrontEndTest, TheStarterGivesItOtherModules) {
  Socket one = client();
  order({{"do", "reload"},
         {"modules", json::array({described(played_module("m")), described(played_module("n"))})},
         {"users", json::array()},
         {"happened", json::array()}});
  while (modules_of(one) != "mn") {
  }
  order({{"do", "sing"}});    // Reports what is wrong, and goes on.
  order({{"do", "reload"}});  // The same.
  EXPECT_EQ(modules_of(one), "mn");
}

TEST_F(FrontEndTest, ADrainedServerEnds) {
  Socket one = client();
  order({{"do", "drain"}});
  running_.wait();
  front_end_.reset();
  EXPECT_NE(ended(one), "");
}

TEST_F(FrontEndTest, TheServerEndsWithItsStarter) {
  Socket one = client();
  end_starter();
  running_.wait();
  front_end_.reset();
  EXPECT_NE(ended(one), "");
}

TEST_F(FrontEndTest, APortThatIsTakenIsAnError) {
  EXPECT_NE(
      happened_in([this] {
        const FrontEnd other({"127.0.0.1", front_end_->port()}, {}, {}, {folder_.name(), "1.2.3"});
      }),
      "");
  EXPECT_NE(happened_in([] {
              const FrontEnd other({"127.0.0.1", 0}, {}, {}, {"/nonexistent", ""});
            }),
            "");
}

}  // namespace
}  // namespace tasuki::rpc
