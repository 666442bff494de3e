#include <gtest/gtest.h>
#include <tasuki/detail/coll/network.hpp>
#include <tasuki/error.hpp>

#include <string>

namespace tasuki::coll {
namespace {

TEST(Network, IsFoundByItsName) {
  for (const Network& network : networks()) EXPECT_EQ(&network_named(network.name), &network);
}

TEST(Network, SaysWhereItsNumbersComeFrom) {
  for (const Network& network : networks()) EXPECT_STRNE(network.source, "") << network.name;
}

TEST(Network, AnUnknownNameIsAnErrorThatListsThoseThereAre) {
  try {
    network_named("token_ring");
    FAIL() << "it was found";
  } catch (const error& failure) {
    EXPECT_NE(std::string(failure.what()).find("'token_ring'"), std::string::npos);
    EXPECT_NE(std::string(failure.what()).find(networks().front().name), std::string::npos);
  }
}

}  // namespace
}  // namespace tasuki::coll
