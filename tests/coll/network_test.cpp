#include <gtest/gtest.h>
#include <tasuki/detail/coll/network.hpp>
#include <tasuki/error.hpp>

#include <string>

namespace tasuki::coll {
namespace {

TEST(Network, IsFoundByItsName) {
  for (const Network& network : networks()) EXPECT_EQ(parse_network(network.name), network);
}

TEST(Network, SaysWhereItsNumbersComeFrom) {
  for (const Network& network : networks()) EXPECT_NE(network.source, "") << network.name;
}

TEST(Network, AnUnknownNameIsAnErrorThatListsThoseThereAre) {
  try {
    parse_network("token_ring");
    FAIL() << "it was found";
  } catch (const error& failure) {
    EXPECT_NE(std::string(failure.what()).find("'token_ring'"), std::string::npos);
    EXPECT_NE(std::string(failure.what()).find(networks().front().name), std::string::npos);
  }
}

TEST(Network, TakesOtherNumbersBehindItsName) {
  const Network fast = parse_network("200g");
  const Network slower = parse_network("200g,latency_ns=900,gap_ns_per_byte=0.08,taper=1");
  EXPECT_EQ(slower.link.latency_ns, 900);
  EXPECT_EQ(slower.far.latency_ns - slower.link.latency_ns,
            fast.far.latency_ns - fast.link.latency_ns);
  EXPECT_EQ(slower.link.gap_ns_per_byte, 0.08);
  EXPECT_EQ(slower.far.gap_ns_per_byte, 0.08);
  EXPECT_EQ(slower.taper, 1);
  EXPECT_EQ(slower.link.overhead_ns, fast.link.overhead_ns);
  EXPECT_EQ(slower.node, fast.node);
  EXPECT_NE(slower.source.find("but latency_ns=900"), std::string::npos) << slower.source;
}

TEST(Network, RefusesWhatIsNoNumberOfIts) {
  for (const char* text :
       {"200g,", "200g,latency=3", "200g,latency_ns", "200g,latency_ns=", "200g,latency_ns=-1",
        "200g,latency_ns=nan", "200g,latency_ns=inf", "200g,latency_ns=5us", "200g,latency_ns=0",
        "200g,latency_ns=1e308", "200g,taper=0.5", "200g,latency_ns=5,"}) {
    EXPECT_THROW(parse_network(text), error) << text;
  }
}

}  // namespace
}  // namespace tasuki::coll
