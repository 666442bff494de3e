#include "rpc/server/module_table.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <fstream>
#include <future>
#include <set>
#include <string>
#include <vector>

#include "rpc/server/played_module.hpp"
#include "rpc/tls/tls_secret.hpp"
#include "rpc/wire/happened.hpp"
#include "rpc/wire/temporary_folder.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

/// From now on the system has no thread for this process, as where it has too many.
std::atomic<bool> has_no_threads = false;

using nlohmann::json;
using Names = std::vector<std::string>;

class ModuleTableTest : public testing::Test {
 protected:
  std::vector<RankGroup> groups() const { return modules_.offered().groups; }
  std::int64_t revision() const { return modules_.offered().revision; }

  CallLog log_;
  KeptTable kept_;
  ModuleTable modules_{{"127.0.0.1", 1}, {}, 2, log_, kept_};
};

TEST_F(ModuleTableTest, EachModuleIsOfferedByAsManyGroupsAsThereArePools) {
  modules_.offer({played_module("a"), played_module("b")});
  Names names;
  std::set<std::string> keys;
  for (const RankGroup& one : groups()) {
    names.push_back(one->module().name);
    keys.insert(one->key());
    EXPECT_EQ(modules_.find_key(one->key()), one);
    EXPECT_EQ(modules_.find_identity(identity_of(one->key())), one);
    EXPECT_EQ(modules_.find_identity(one->key()), nullptr);
  }
  EXPECT_EQ(names, (Names{"a", "a", "b", "b"}));
  EXPECT_EQ(keys.size(), 4U);
  EXPECT_EQ(modules_.find_key("a guess"), nullptr);
}

TEST_F(ModuleTableTest, AWarmModuleWhoseProgramIsNotThereIsNotOffered) {
  ServedModule module = played_module("a", true);
  module.command = {"/nonexistent"};
  EXPECT_EQ(happened_in([&] { modules_.offer({module}); }),
            "/nonexistent: No such file or directory");
}

TEST_F(ModuleTableTest, WhatHasNotChangedGoesOnAndTheRestIsReplaced) {
  modules_.offer({played_module("a"), played_module("b"), played_module("c")});
  const std::vector<RankGroup> before = groups();
  ServedModule changed = played_module("b");
  changed.version = "2";
  const ModuleChanges changes = modules_.replace({played_module("a"), changed, played_module("d")});
  EXPECT_EQ(changes.begun, (Names{"b", "d"}));
  EXPECT_EQ(changes.ended, Names{"c"});
  EXPECT_TRUE(changes.happened.empty());
  const std::vector<RankGroup> after = groups();
  ASSERT_EQ(after.size(), 6U);
  EXPECT_EQ(after[0], before[0]);
  EXPECT_NE(after[2], before[2]);
  while (!before[2]->is_retired() || !before[4]->is_retired()) std::this_thread::yield();
  EXPECT_FALSE(before[0]->is_retired());
}

TEST_F(ModuleTableTest, TheRevisionGrowsWithInterfacesAndNotWithPrograms) {
  modules_.offer({played_module("a"), played_module("b")});
  EXPECT_EQ(revision(), 1);
  ServedModule module = played_module("a");
  module.version = "2";
  modules_.replace({module, played_module("b")});
  EXPECT_EQ(revision(), 1);
  module.interface["classes"] =
      json::array({{{"name", "C"}, {"text", ""}, {"methods", json::array()}}});
  modules_.replace({module, played_module("b")});
  EXPECT_EQ(revision(), 2);
  EXPECT_EQ(groups()[0]->revision(), 2);
  EXPECT_EQ(groups()[2]->revision(), 1);  // Since then that of b is the same.
}

TEST_F(ModuleTableTest, AWarmModuleThatDoesNotStartStaysWhatItWas) {
  modules_.offer({played_module("a")});
  const std::vector<RankGroup> before = groups();
  ServedModule module = played_module("a", true);
  module.command = {"false"};
  const ModuleChanges changes = modules_.replace({module});
  EXPECT_TRUE(changes.begun.empty());
  ASSERT_EQ(changes.happened.size(), 1U);
  EXPECT_EQ(groups(), before);
  EXPECT_FALSE(before[0]->is_retired());
}

TEST_F(ModuleTableTest, NewRanksTakeThePlaceOfOldOnesOnceTheyHaveJoined) {
  ModuleTable modules({"127.0.0.1", 1}, {}, 1, log_, kept_);
  modules.offer({played_module("a")});
  const RankGroup before = modules.offered().groups[0];
  const TemporaryFolder folder;
  const std::string place = folder.path_of("key");
  ServedModule module = played_module("a", true);
  module.command = {"sh", "-c",
                    "echo $TASUKI_SERVER_KEY > " + place + ".new; mv " + place + ".new " + place +
                        "; sleep 1000"};
  auto replacing = std::async(std::launch::async, [&] { return modules.replace({module}).begun; });
  std::string key;
  while (!std::getline(std::ifstream(place), key)) std::this_thread::yield();
  const RankGroup starting = modules.find_key(key);  // Not offered yet.
  ASSERT_NE(starting, nullptr);
  EXPECT_EQ(modules.offered().groups[0], before);
  const JoinedRank rank(starting);
  EXPECT_EQ(replacing.get(), Names{"a"});
  EXPECT_EQ(modules.offered().groups[0], starting);
  modules.end();
}

TEST_F(ModuleTableTest, WhenItDrainsRanksAreGivenToNobody) {
  modules_.offer({played_module("a")});
  modules_.drain();
  auto [near, far] = connected();
  EXPECT_EQ(happened_in([&, &near = near] {
              groups()[0]->lease(near, {{"a", "f"}, std::make_shared<User>()});
            }),
            "the server is ending");
}

TEST_F(ModuleTableTest, TheEndOfUsersEndsTheirLeases) {
  modules_.offer({played_module("a")});
  const RankGroup group = groups()[0];
  group->start();
  JoinedRank rank(group);
  auto [near, far] = connected();
  const Users nobody({User{"bob", "digest"}});
  auto user = std::make_shared<User>();
  user->name = "ann";
  group->lease(near, {{"a", "f"}, user});
  EXPECT_EQ(rank.hear().at("message"), "lease");
  modules_.revoke(nobody);
  rank.give_back();
  while (group->state().lease != 0) std::this_thread::yield();
  modules_.end();
}

TEST_F(ModuleTableTest, WithoutThreadsAReloadStillRevokesAndRetires) {
  modules_.offer({played_module("a")});
  const std::vector<RankGroup> before = groups();
  const Users nobody({User{"bob", "digest"}});
  has_no_threads = true;
  modules_.revoke(nobody);
  const ModuleChanges changes = modules_.replace({});
  has_no_threads = false;
  EXPECT_EQ(changes.ended, Names{"a"});
  for (const RankGroup& one : before) EXPECT_TRUE(one->is_retired());
  modules_.keep_house();
  modules_.end();
}

}  // namespace
}  // namespace tasuki::rpc

/// In place of the system's, which is asked while there are threads.
extern "C" int pthread_create(pthread_t* made, const pthread_attr_t* attributes,
                              void* (*work)(void*), void* argument) noexcept {
  if (tasuki::rpc::has_no_threads) return EAGAIN;
  static const auto system =
      reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  return system(made, attributes, work, argument);
}
