#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <tasuki/detail/transport/loopback.hpp>
#include <tasuki/detail/transport/memory_accounts.hpp>
#include <tasuki/error.hpp>
#include <vector>

#include "transport/conformance.hpp"
#include "transport/mailbox.hpp"

namespace tasuki::transport {
namespace {

using conformance::Case;
using conformance::Letter;
using conformance::Mailbox;

void run_case(const Case& tested, const LoopbackOptions& options) {
  LoopbackCluster cluster(options);
  cluster.run([&](Transport& transport) {
    transport.start();
    tested.run(transport);
    transport.stop();
  });
}

class LoopbackConformance : public testing::TestWithParam<Case> {};

TEST_P(LoopbackConformance, without_seed) {
  for (const int rank_count : {1, 2, 3, 5}) {
    SCOPED_TRACE("ranks " + std::to_string(rank_count));
    LoopbackOptions options;
    options.rank_count = rank_count;
    run_case(GetParam(), options);
  }
}

TEST_P(LoopbackConformance, with_seeds) {
  const std::uint64_t seed_count = GetParam().is_physical ? 3 : 24;
  for (std::uint64_t seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    run_case(GetParam(), LoopbackOptions::with_seed(1 + static_cast<int>(seed % 4), seed));
  }
}

std::vector<Case> short_cases() {
  std::vector<Case> cases;
  for (const Case& tested : conformance::all_cases()) {
    if (!tested.is_long) cases.push_back(tested);
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(All, LoopbackConformance, testing::ValuesIn(short_cases()),
                         [](const auto& instance) { return std::string(instance.param.name); });

/// Waits for nothing, and has nothing on its stack that would have to be destroyed.
void wait_for_ever(Transport& transport) {
  Arrival arrival;
  while (!transport.arrivals().poll(arrival)) transport.arrivals().wait(0, 10);
}

/// The order in which rank 0 gets the messages of three others.
std::vector<int> arrival_order(std::uint64_t seed) {
  std::vector<int> order;
  LoopbackCluster cluster(LoopbackOptions::with_seed(4, seed));
  cluster.run([&](Transport& transport) {
    Mailbox mailbox(transport);
    const std::byte byte{1};
    for (int i = 0; i < 20 && transport.rank() != 0; ++i) mailbox.send(0, {&byte, 1});
    for (int i = 0; i < 60 && transport.rank() == 0; ++i) order.push_back(mailbox.receive().source);
  });
  return order;
}

TEST(Loopback, same_seed_gives_the_same_run_and_another_seed_another) {
  EXPECT_EQ(arrival_order(7), arrival_order(7));
  EXPECT_NE(arrival_order(7), arrival_order(8));
  EXPECT_EQ(arrival_order(0), arrival_order(0));
}

std::size_t memory_bytes(const Transport& transport) {
  std::size_t bytes = 0;
  for (const base::MemoryUse& use : memory_uses(transport)) bytes += use.bytes();
  return bytes;
}

TEST(Loopback, memory_grows_with_the_pairs_of_ranks_that_talk) {
  LoopbackOptions options;
  options.rank_count = 1000;
  std::vector<std::size_t> bytes_before;
  std::vector<std::size_t> bytes_behind;
  LoopbackCluster cluster(options);
  cluster.run([&](Transport& transport) {
    bytes_before.push_back(memory_bytes(transport));
    Mailbox mailbox(transport);
    const std::byte byte{1};
    if (transport.rank() == 500) mailbox.send(0, {&byte, 1});
    if (transport.rank() != 0) return;
    EXPECT_EQ(mailbox.receive().source, 500);
    bytes_behind.push_back(memory_bytes(transport));
  });
  EXPECT_EQ(bytes_before, std::vector<std::size_t>(1000, 1000 * (8 + 32)));
  ASSERT_EQ(bytes_behind.size(), 1U);
  EXPECT_GT(bytes_behind.front(), bytes_before.front());
  EXPECT_LT(bytes_behind.front(), bytes_before.front() + 1000);
}

TEST(Loopback, odd_seeds_do_not_map_peers) {
  EXPECT_FALSE(LoopbackOptions::with_seed(2, 5).maps_peers);
  EXPECT_TRUE(LoopbackOptions::with_seed(2, 6).maps_peers);
}

TEST(Loopback, ranks_that_all_wait_are_an_error) {
  LoopbackOptions options;
  options.stalled_after_rounds = 600;
  LoopbackCluster cluster(options);
  try {
    cluster.run(&wait_for_ever);
    FAIL() << "a deadlock went unnoticed";
  } catch (const error& stalled) {
    EXPECT_NE(std::string(stalled.what()).find("all ranks wait"), std::string::npos);
  }
}

TEST(Loopback, stalled_hook_is_called_instead) {
  LoopbackOptions options;
  options.stalled_after_rounds = 600;
  int stalled_count = 0;
  LoopbackHooks hooks;
  hooks.stalled = [&] { ++stalled_count; };
  LoopbackCluster cluster(options, hooks);
  cluster.run([&](Transport& transport) {
    Arrival arrival;
    std::uint64_t idle = 0;
    while (stalled_count < 2) {
      EXPECT_FALSE(transport.arrivals().poll(arrival));
      transport.arrivals().wait(idle++, 10);
    }
  });
  EXPECT_EQ(stalled_count, 2);
}

TEST(Loopback, a_rank_that_only_polls_does_not_starve_the_others) {
  for (const std::uint64_t seed : {0, 4}) {
    bool is_set = false;
    LoopbackCluster cluster(LoopbackOptions::with_seed(2, seed));
    cluster.run([&](Transport& transport) {
      while (transport.rank() == 0 && !is_set) transport.arrivals().progress();
      is_set = true;
    });
  }
}

TEST(Loopback, an_exception_of_a_rank_leaves_run) {
  LoopbackCluster cluster(LoopbackOptions::with_seed(3, 2));
  EXPECT_THROW(cluster.run([](Transport& transport) {
    if (transport.rank() == 1) throw std::out_of_range("rank 1");
    wait_for_ever(transport);
  }),
               std::out_of_range);
}

TEST(Loopback, exceptions_being_handled_belong_to_their_rank) {
  LoopbackCluster cluster(LoopbackOptions::with_seed(4, 10));
  cluster.run([](Transport& transport) {
    Mailbox mailbox(transport);
    for (int turn = 0; turn < 20; ++turn) {
      try {
        throw std::runtime_error(std::to_string(transport.rank()));
      } catch (const std::exception&) {
        mailbox.barrier();
        try {
          throw;
        } catch (const std::exception& caught) {
          EXPECT_EQ(caught.what(), std::to_string(transport.rank()));
        }
      }
    }
  });
}

TEST(Loopback, state_of_the_thread_follows_the_rank) {
  static int* current = nullptr;
  int outer = 0;
  current = &outer;
  LoopbackHooks hooks;
  hooks.save_current = [] { return static_cast<void*>(current); };
  hooks.restore_current = [](void* state) { current = static_cast<int*>(state); };
  LoopbackCluster cluster(LoopbackOptions::with_seed(3, 4), hooks);
  cluster.run([](Transport& transport) {
    EXPECT_EQ(current, nullptr);
    EXPECT_EQ(base::rank_for_messages(), transport.rank());
    int own = 0;
    current = &own;
    Mailbox mailbox(transport);
    for (int turn = 0; turn < 20; ++turn) {
      mailbox.barrier();
      EXPECT_EQ(current, &own);
      EXPECT_EQ(base::rank_for_messages(), transport.rank());
    }
  });
  EXPECT_EQ(current, &outer);
  EXPECT_EQ(base::rank_for_messages(), -1);
}

TEST(Loopback, messages_nobody_receives_are_an_error) {
  LoopbackCluster cluster(LoopbackOptions{});
  EXPECT_THROW(cluster.run([](Transport& transport) {
    const std::byte byte{1};
    if (transport.rank() == 0) Mailbox(transport).send(1, {&byte, 1});
  }),
               error);
}

TEST(Loopback, zero_ranks_are_refused) {
  LoopbackOptions options;
  options.rank_count = 0;
  EXPECT_THROW(LoopbackCluster{options}, error);
}

}  // namespace
}  // namespace tasuki::transport
