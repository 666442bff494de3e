#include "rpc/server/rank_members.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <list>
#include <memory>
#include <string>
#include <tasuki/error.hpp>
#include <utility>
#include <vector>

#include "base/host_name.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/silenced.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

constexpr Socket::Seconds patience{60};
const json message = {{"message", "hold"}, {"lease", 1}};

/// Three processes, of which the test plays the far ends.
class RankMembersTest : public testing::Test {
 protected:
  /// Returns: the far end.
  Socket& join(int rank, const std::string& host = "", const char* address = "127.0.0.1") {
    Listener listener({"127.0.0.1", 0});
    Socket far = connected_from(address, listener.port());
    Socket near = listener.accept(patience);
    far.set_timeout(patience);
    members.join(rank, std::make_shared<Socket>(std::move(near)), port_of(rank), host);
    return far_ends.emplace_back(std::move(far));
  }
  static Socket connected_from(const char* address, std::uint16_t port) {
    Socket made(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "the front end");
    sockaddr_in own{}, front_end{};
    own.sin_family = front_end.sin_family = AF_INET;
    inet_pton(AF_INET, address, &own.sin_addr);
    inet_pton(AF_INET, "127.0.0.1", &front_end.sin_addr);
    front_end.sin_port = htons(port);
    EXPECT_EQ(bind(made.descriptor(), reinterpret_cast<const sockaddr*>(&own), sizeof own), 0);
    EXPECT_EQ(
        connect(made.descriptor(), reinterpret_cast<const sockaddr*>(&front_end), sizeof front_end),
        0);
    return made;
  }
  static std::uint16_t port_of(int rank) { return static_cast<std::uint16_t>(7000 + rank); }
  static void expect_end(Socket& far) {
    std::byte told{};
    EXPECT_THROW(far.receive(&told, 1), error);
  }

  RankMembers members{3};
  std::list<Socket> far_ends;
};

TEST_F(RankMembersTest, AllHaveJoinedWhenEachHas) {
  EXPECT_EQ(members.ranks(), 3);
  for (const int rank : {2, 0, 1}) {
    EXPECT_FALSE(members.has_joined(rank) || members.have_all_joined());
    join(rank);
    EXPECT_TRUE(members.has_joined(rank));
  }
  EXPECT_TRUE(members.have_all_joined());
  members.lose(1);
  EXPECT_FALSE(members.has_joined(1) || members.have_all_joined());
  EXPECT_TRUE(members.has_joined(0) && members.has_joined(2));
}

TEST_F(RankMembersTest, ClientsReachARankWhereItsConnectionComesFrom) {
  join(1);
  EXPECT_EQ(text_of(members.address_of(1)), "127.0.0.1:7001");
}

TEST_F(RankMembersTest, RanksOfTheFrontEndsOwnHostAreOnAHostWithoutAName) {
  join(2);
  join(0, base::host_name());
  EXPECT_EQ(members.host_of(0), "");
  EXPECT_TRUE(members.other_hosts().empty());
  EXPECT_FALSE(members.has_silent_host(0));
}

TEST_F(RankMembersTest, OtherHostsAreNamedWithTheirRanks) {
  for (const int rank : {2, 0}) join(rank, "b");
  join(1, "c");
  std::vector<RankHost> hosts = members.other_hosts();
  ASSERT_EQ(hosts.size(), 2U);
  EXPECT_EQ(hosts[0].name, "b");
  EXPECT_EQ(hosts[0].ranks, (std::vector{0, 2}));
  EXPECT_EQ(hosts[1].name, "c");
  EXPECT_EQ(hosts[1].ranks, std::vector{1});
  members.lose(0);
  EXPECT_EQ(members.other_hosts()[1].ranks, std::vector{2});
}

TEST_F(RankMembersTest, HostsOfOneNameAreToldApartByTheirAddresses) {
  join(0, "b");
  join(1, "b", "127.0.0.2");
  join(2, "", "127.0.0.3");
  EXPECT_EQ(members.host_of(0), "b (127.0.0.1)");
  EXPECT_EQ(members.host_of(1), "b (127.0.0.2)");
  EXPECT_EQ(members.other_hosts().size(), 2U);
  members.lose(0);
  EXPECT_EQ(members.host_of(1), "b");
}

TEST_F(RankMembersTest, AHostThatTakesNothingIsSilent) {
  if (!prepare_silence()) GTEST_SKIP() << "needs filters of sockets or networks of its own";
  Socket& far = join(0, "b");
  ASSERT_TRUE(silence(far));
  EXPECT_FALSE(members.has_silent_host(0));
  send_until([this] { members.tell(0, message); }, [this] { return members.has_silent_host(0); });
}

TEST_F(RankMembersTest, AConnectionIsTheRanksUntilAnotherReplacesIt) {
  auto [first, far_of_first] = connected_by_tcp();
  const auto before = std::make_shared<Socket>(std::move(first));
  members.join(0, before, 7000);
  EXPECT_TRUE(members.is_of(0, before));
  EXPECT_FALSE(members.is_of(1, before));
  join(0);
  EXPECT_FALSE(members.is_of(0, before));
}

TEST_F(RankMembersTest, OnlyThoseHearAMessageThatAreMeantAndHaveJoined) {
  Socket& first = join(0);
  Socket& last = join(2);
  members.tell_all(message, [](int rank) { return rank != 0; });
  members.tell(0, {{"message", "ask"}});
  EXPECT_EQ(receive_frame(last), message);
  EXPECT_EQ(receive_frame(first).at("message"), "ask");
}

TEST_F(RankMembersTest, ARankThatHasGoneKeepsNoOtherFromHearing) {
  join(0).shut_down();
  Socket& last = join(2);
  // The first message to a peer that has gone may still be taken by the system.
  for (int i = 0; i < 2; ++i) members.tell_all(message, [](int) { return true; });
  EXPECT_EQ(receive_frame(last), message);
}

TEST_F(RankMembersTest, ConnectionsThatAreShutDownEndAndAreStillThere) {
  Socket& far = join(0);
  members.shut_down();
  expect_end(far);
  EXPECT_TRUE(members.has_joined(0));
  members.tell(0, message);  // Its thread notices; nothing is thrown.
}

TEST_F(RankMembersTest, WhatIsForgottenEnds) {
  Socket& far = join(0);
  members.clear();
  expect_end(far);
  EXPECT_FALSE(members.has_joined(0));
  members.tell_all(message, [](int) { return true; });
}

}  // namespace
}  // namespace tasuki::rpc
