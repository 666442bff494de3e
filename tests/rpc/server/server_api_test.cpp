#include "rpc/server/server_api.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "rpc/server/played_view.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

class ServerApiTest : public PlayedView {
 protected:
  json rank_of_pool(std::size_t pool) const {
    return api_.ranks().at("modules").at(pool).at("ranks").at(0).at("state");
  }

  const ServerApi api_{view_};
  const User ann_{"ann"};
};

TEST_F(ServerApiTest, TheStatusCountsCallsByHowTheyDo) {
  call("ann", "done");
  call("ann", "computing");
  log_.close(call("bob", "computing"), CallState::failed, "singular");
  log_.queue({"m", "f", "bob"});
  const json status = api_.status(ann_);
  EXPECT_EQ(status.at("calls"),
            json({{"queued", 1}, {"running", 1}, {"done", 1}, {"failed", 1}, {"cancelled", 0}}));
  EXPECT_EQ(status.at("bytes"), json({{"received", 180}, {"sent", 15}}));
  EXPECT_EQ(status.at("user"), "ann");
  EXPECT_EQ(status.at("version"), "1.2.3");
  EXPECT_EQ(status.at("needs_token"), false);
  EXPECT_EQ(status.at("state"), "serving");
  is_draining_ = true;
  EXPECT_EQ(api_.status(ann_).at("state"), "draining");
}

TEST_F(ServerApiTest, RoutinesAreThoseOfEachModuleOnceWithTheirAddress) {
  const json modules = api_.routines("tasuki://calc:7777").at("modules");
  ASSERT_EQ(modules.size(), 1U);
  EXPECT_EQ(modules[0].at("module"), "m");
  EXPECT_EQ(modules[0].at("ranks"), 1);
  EXPECT_EQ(modules[0].at("routines").at(0).at("examples"),
            json({"call tasuki://calc:7777 m.f", "info tasuki://calc:7777"}));
}

TEST_F(ServerApiTest, OnlyItsOwnerIsToldTheNameOfWhatIsKept) {
  call("ann", "done");
  call("bob", "done");
  const json calls = api_.calls(ann_, 10);
  ASSERT_EQ(calls.at("past").size(), 2U);
  EXPECT_FALSE(calls["past"][0].contains("kept"));
  EXPECT_EQ(calls["past"][1].at("kept"), "a");
  EXPECT_EQ(api_.calls(ann_, 1).at("past").size(), 1U);
}

TEST_F(ServerApiTest, RanksOfOnePoolDoNotWorkOnCallsOfAnother) {
  const std::vector<RankGroup> groups = modules_.offered().groups;
  EXPECT_EQ(rank_of_pool(0), "stopped");
  std::vector<std::unique_ptr<JoinedRank>> ranks;
  for (const RankGroup& one : groups) {
    one->start();
    ranks.push_back(std::make_unique<JoinedRank>(one));
    one->await_start();
  }
  EXPECT_EQ(rank_of_pool(0), "idle");
  auto [near, far] = connected();
  const json leased = groups[1]->lease(near, {{"m", "f"}, std::make_shared<User>()});
  tell(leased.at("lease"), "computing");
  EXPECT_EQ(rank_of_pool(0), "idle");
  EXPECT_EQ(rank_of_pool(1), "computing");
  EXPECT_EQ(api_.ranks().at("modules").at(0).at("leased"), false);
  EXPECT_EQ(api_.ranks().at("modules").at(1).at("leased"), true);
  modules_.end();
}

}  // namespace
}  // namespace tasuki::rpc
