// The simulator against closed forms: LogGP by hand for small cases, and the times that the papers
// give for algorithms.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tasuki/detail/coll/registry.hpp>
#include <tasuki/detail/coll/schedule_builder.hpp>
#include <tasuki/detail/coll/simulator.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace tasuki::coll {
namespace {

constexpr double latency = 1000, overhead = 100, gap = 300, per_byte = 2, copying = 0.5,
                 reducing = 0.75;

Network simple() {
  Network network;
  network.link = {latency, overhead, gap, per_byte};
  network.node = {100, 10, 20, 0.25};
  network.copy_ns_per_byte = copying;
  network.reduce_ns_per_byte = reducing;
  return network;
}

Shape shape_of(int ranks, std::size_t bytes) {
  Shape shape;
  shape.ranks = ranks;
  shape.count = bytes;
  return shape;
}

/// The schedules of all ranks; `shape` is that of any.
Simulation simulate_all(const AlgorithmDescriptor& algorithm, const Shape& shape,
                        const Parameters& parameters, const Network& network) {
  std::vector<Shape> shapes(static_cast<std::size_t>(shape.ranks), shape);
  for (int rank = 0; rank < shape.ranks; ++rank) shapes[static_cast<std::size_t>(rank)].rank = rank;
  return simulate(make_schedules(algorithm, shapes, parameters), shape.element_bytes, network);
}

Simulation simulate_named(Collective collective, const char* name, const Shape& shape,
                          const Network& network, const char* parameters = "") {
  return simulate_all(algorithm_named(collective, name), shape, Parameters::parse(parameters),
                      network);
}

/// One message of k bytes between two processors that have nothing else to do.
double message(std::size_t bytes) {
  return 2 * overhead + latency + static_cast<double>(bytes - 1) * per_byte;
}

TEST(Simulator, OneMessageTakesWhatLogGPSays) {
  const Simulation result =
      simulate_named(Collective::broadcast, "linear", shape_of(2, 500), simple());
  EXPECT_DOUBLE_EQ(result.end_ns, message(500));
  EXPECT_EQ(result.messages_count, 1U);
  EXPECT_EQ(result.sent_bytes, 500U);
}

TEST(Simulator, MessagesOfOneSenderLeaveAGapApart) {
  const int ranks = 5;
  const Simulation result =
      simulate_named(Collective::broadcast, "linear", shape_of(ranks, 1), simple());
  EXPECT_DOUBLE_EQ(result.end_ns, message(1) + (ranks - 2) * std::max(gap, overhead));
}

TEST(Simulator, LongMessagesOfOneSenderFollowEachOtherOnTheWire) {
  const int ranks = 4;
  const std::size_t bytes = 1000;
  const Simulation result =
      simulate_named(Collective::broadcast, "linear", shape_of(ranks, bytes), simple());
  EXPECT_DOUBLE_EQ(
      result.end_ns,
      message(bytes) + (ranks - 2) * (gap + static_cast<double>(bytes - 1) * per_byte));
}

TEST(Simulator, MessagesToOneReceiverAreTakenInAGapApart) {
  const int ranks = 9;
  const Simulation result =
      simulate_named(Collective::gather, "linear", shape_of(ranks, 1), simple());
  // The root copies its self block too.
  EXPECT_NEAR(result.end_ns, message(1) + (ranks - 2) * gap + copying, copying + 1e-9);
}

TEST(Simulator, DisseminationTakesALogarithmOfRounds) {
  for (const int ranks : {2, 3, 8, 33, 100}) {
    const double rounds = std::ceil(std::log2(ranks));
    const Simulation result =
        simulate_named(Collective::barrier, "dissemination", shape_of(ranks, 0), simple());
    EXPECT_DOUBLE_EQ(result.end_ns, rounds * (2 * overhead + latency)) << ranks;
    EXPECT_EQ(result.rounds.size(), static_cast<std::size_t>(rounds));
  }
}

TEST(Simulator, BinomialBroadcastIsTheLogarithmTimesAMessage) {
  // With gap <= overhead a parent's next message never waits for the one before.
  Network network = simple();
  network.link = {latency, overhead, overhead, 0};
  const Simulation result =
      simulate_named(Collective::broadcast, "binomial", shape_of(64, 8), network);
  EXPECT_DOUBLE_EQ(result.end_ns, 6 * (2 * overhead + latency));
}

TEST(Simulator, RecursiveDoublingPaysAlphaBetaGammaInEachRound) {
  const int ranks = 16;
  const std::size_t bytes = 400;
  Shape shape = shape_of(ranks, bytes);
  shape.in_place = true;  // No copy of the input first.
  const Simulation result =
      simulate_named(Collective::allreduce, "recursive_doubling", shape, simple());
  const double round = message(bytes) + static_cast<double>(bytes) * reducing;
  EXPECT_NEAR(result.end_ns, 4 * round, 4 * static_cast<double>(bytes) * copying);
  EXPECT_EQ(result.sent_bytes, std::size_t{4} * ranks * bytes);
}

TEST(Simulator, RingAllgatherPassesEachBlockOn) {
  const int ranks = 7;
  const std::size_t bytes = 250;
  const Simulation result =
      simulate_named(Collective::allgather, "ring", shape_of(ranks, bytes), simple());
  EXPECT_DOUBLE_EQ(result.end_ns,
                   static_cast<double>(bytes) * copying + (ranks - 1) * message(bytes));
}

TEST(Simulator, EveryRoundBeginsAndEndsInOrder) {
  for (const AlgorithmDescriptor* algorithm : algorithms_on(Medium::messages)) {
    if (varies(algorithm->collective)) continue;
    const Shape shape = shape_of(12, algorithm->collective == Collective::barrier ? 0 : 240);
    const Parameters parameters = complete(*algorithm, {});
    if (!algorithm->not_applicable_because(shape, parameters).empty()) continue;
    const Simulation result = simulate_all(*algorithm, shape, parameters, simple());
    double last_begin_ns = 0;
    for (const SimulatedRound& round : result.rounds) {
      EXPECT_LE(last_begin_ns, round.begin_ns) << algorithm->name;
      EXPECT_LE(round.begin_ns, round.end_ns) << algorithm->name;
      EXPECT_LE(round.end_ns, result.end_ns) << algorithm->name;
      last_begin_ns = round.begin_ns;
    }
  }
}

TEST(Simulator, RanksOfOneNodeUseTheNodesOwnCosts) {
  Network network = simple();
  network.ranks_per_node = 2;
  const Simulation result =
      simulate_named(Collective::broadcast, "linear", shape_of(2, 1), network);
  EXPECT_DOUBLE_EQ(result.end_ns, 2 * network.node.overhead_ns + network.node.latency_ns);
}

TEST(Simulator, ContentionMakesBytesIntoOneNodeWaitForEachOther) {
  const int ranks = 9;
  const std::size_t bytes = 10000;
  Network network = simple();
  const auto end_ns = [&] {
    return simulate_named(Collective::gather, "linear", shape_of(ranks, bytes), network).end_ns;
  };
  const double wire_ns = static_cast<double>(bytes - 1) * per_byte;
  const double alone_ns = end_ns();
  EXPECT_LT(alone_ns, 2 * wire_ns);
  network.contention = true;
  EXPECT_GE(end_ns(), (ranks - 1) * wire_ns + latency);
  EXPECT_LE(end_ns(), (ranks - 1) * wire_ns + alone_ns);
}

TEST(Simulator, ContentionMakesBytesOutOfOneNodeWaitForEachOther) {
  const std::size_t bytes = 10000;
  Network network = simple();
  network.ranks_per_node = 4;
  network.contention = true;
  // Ranks 0..3 on one node, 4..7 on the other: pairwise, 16 blocks leave each node.
  const Simulation result =
      simulate_named(Collective::alltoall, "pairwise", shape_of(8, bytes), network);
  EXPECT_GE(result.end_ns, 16 * static_cast<double>(bytes - 1) * per_byte);
}

Network in_groups(int nodes_per_group) {
  Network network = simple();
  network.far = {3000, overhead, gap, per_byte};
  network.nodes_per_group = nodes_per_group;
  network.taper = 4;
  return network;
}

TEST(Simulator, NodesOfDifferentGroupsUseTheCostsBetweenGroups) {
  const auto end_ns = [](const Network& network) {
    return simulate_named(Collective::broadcast, "linear", shape_of(2, 500), network).end_ns;
  };
  EXPECT_DOUBLE_EQ(end_ns(in_groups(2)), message(500));
  EXPECT_DOUBLE_EQ(end_ns(in_groups(1)), message(500) + 2000);
}

/// Ranks of which each sends to the last one, all at once.
double all_to_last_ns(int ranks, const Network& network) {
  Shape shape = shape_of(ranks, 10000);
  shape.root = ranks - 1;
  return simulate_named(Collective::gather, "linear", shape, network).end_ns;
}

TEST(Simulator, ContentionMakesBytesOutOfAGroupWaitForEachOther) {
  // Two ranks of a group send out of it at once, through links that are as fast as one of theirs.
  Network network = in_groups(2);
  network.contention = true;
  network.taper = 2;
  const auto end_ns = [&] {
    return simulate_named(Collective::alltoall, "pairwise", shape_of(4, 10000), network).end_ns;
  };
  const double shared = end_ns();
  network.taper = 1;
  EXPECT_GT(shared, end_ns() + 9000 * per_byte / 2);
}

TEST(Simulator, ContentionMakesBytesIntoAGroupWaitForEachOther) {
  // Each sender has a group of its own, so only the receiver's group can make them wait.
  Network network = in_groups(1);
  network.contention = true;
  network.taper = 1;
  const double free = all_to_last_ns(4, network);
  network.taper = 2;
  EXPECT_NEAR(all_to_last_ns(4, network) - free, 3 * 10000 * per_byte, 10000 * per_byte);
}

TEST(Simulator, ALinkBetweenGroupsMaySlowALoneMessage) {
  Network network = in_groups(1);
  network.contention = true;
  network.taper = 4;
  EXPECT_DOUBLE_EQ(
      simulate_named(Collective::broadcast, "linear", shape_of(2, 500), network).end_ns,
      message(500) + 2000 + 3 * 499 * per_byte);
}

TEST(Simulator, ContentionMakesBytesInOneNodesMemoryWaitForEachOther) {
  const std::size_t bytes = 10000;
  Network network = simple();
  network.ranks_per_node = 4;
  network.memory_ns_per_byte = 0.2;  // A rank alone takes 0.25 for each byte of a message.
  const auto end_ns = [&] {
    return simulate_named(Collective::alltoall, "linear", shape_of(8, bytes), network).end_ns;
  };
  const double alone_ns = end_ns();
  network.contention = true;
  network.link = {};  // Between the nodes all is free.
  const double shared_ns = end_ns();
  // Each rank sends three blocks within its node, and copies one.
  EXPECT_GE(shared_ns, 16 * static_cast<double>(bytes) * network.memory_ns_per_byte);
  EXPECT_LE(shared_ns, alone_ns + 16 * static_cast<double>(bytes) * network.memory_ns_per_byte);
}

TEST(Simulator, MemoryIsGivenToRanksInTheOrderInWhichTheyWantIt) {
  // Ranks 0 and 1 have messages for 2 and 3 of their node. Those of rank 1 find the memory free,
  // because what rank 0 sends next is still on its way through its own processor.
  Network network;
  network.node = {.overhead_ns = 1000};
  network.memory_ns_per_byte = 1;
  network.ranks_per_node = 4;
  network.contention = true;
  const Slice bytes{Buffer::output, 0, 400};
  std::vector<ScheduleBuilder> builders(4);
  for (const int from : {0, 1}) {
    for (int count = 0; count < 3; ++count) {
      builders[static_cast<std::size_t>(from)].send(from + 2, bytes);
      builders[static_cast<std::size_t>(from) + 2].receive(from, bytes);
    }
  }
  std::vector<Schedule> schedules;
  for (ScheduleBuilder& builder : builders) schedules.push_back(builder.finish());
  // The last two messages leave at 3000, both through the memory; then the receiver takes one in.
  EXPECT_DOUBLE_EQ(simulate(schedules, 1, network).end_ns, 3000 + 2 * 400 + 1000);
}

TEST(Simulator, LocalStepsTakeTurnsInTheMemoryOfTheirNode) {
  // Rank 0 copies a long vector, and waits for its own processor before it copies the next one.
  Network network;
  network.copy_ns_per_byte = 10;
  network.memory_ns_per_byte = 1;
  network.ranks_per_node = 2;
  network.contention = true;
  std::vector<ScheduleBuilder> builders(2);
  for (ScheduleBuilder& builder : builders) {
    for (std::size_t first = 0; first < 300; first += 100) {
      builder.copy({Buffer::input, first, 100}, {Buffer::output, first, 100});
    }
  }
  const std::vector<Schedule> schedules = {builders[0].finish(), builders[1].finish()};
  EXPECT_DOUBLE_EQ(simulate(schedules, 1, network).end_ns, 3 * 100 * 10);
}

TEST(Simulator, GivesTheSameTwice) {
  Network network = simple();
  network.contention = true;
  network.ranks_per_node = 3;
  const Shape shape = shape_of(50, 1000);
  const auto once = simulate_named(Collective::alltoall, "modified_bruck", shape, network);
  EXPECT_EQ(once, simulate_named(Collective::alltoall, "modified_bruck", shape, network));
}

TEST(Simulator, ReachesSixtyFiveThousandRanks) {
  const int ranks = 65536;
  const Simulation result =
      simulate_named(Collective::allreduce, "recursive_doubling", shape_of(ranks, 8), simple());
  EXPECT_EQ(result.messages_count, 16U * ranks);
}

TEST(Simulator, SchedulesThatWaitForEverAreAnError) {
  ScheduleBuilder receives;
  receives.receive(1, {Buffer::output, 0, 1});
  ScheduleBuilder does_nothing;
  const std::vector<Schedule> schedules = {receives.finish(), does_nothing.finish()};
  try {
    simulate(schedules, 1, simple());
    FAIL() << "it ended";
  } catch (const error& failure) {
    EXPECT_NE(std::string(failure.what()).find("rank 0 waits for ever"), std::string::npos)
        << failure.what();
  }
}

TEST(Simulator, AMessageWithoutAReceiveIsAnError) {
  ScheduleBuilder sends;
  sends.send(1, {Buffer::input, 0, 1});
  ScheduleBuilder does_nothing;
  const std::vector<Schedule> schedules = {sends.finish(), does_nothing.finish()};
  EXPECT_THROW(simulate(schedules, 1, simple()), error);
}

TEST(Simulator, CollectivesWhoseSizesVaryNeedEachRanksSchedule) {
  EXPECT_THROW(simulate_named(Collective::allgatherv, "ring", shape_of(4, 8), simple()), error);
}

TEST(Simulator, NoGroupHasFewerThanNoNodes) {
  Network network = simple();
  network.nodes_per_group = -1;
  EXPECT_THROW(simulate({}, 1, network), error);
}

TEST(Simulator, ANodeHasAtLeastOneRank) {
  Network network = simple();
  network.ranks_per_node = 0;
  EXPECT_THROW(simulate_named(Collective::broadcast, "linear", shape_of(2, 8), network), error);
}

}  // namespace
}  // namespace tasuki::coll
