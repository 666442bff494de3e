#include <gtest/gtest.h>
#include <tasuki/detail/coll/registry.hpp>
#include <tasuki/error.hpp>

#include <set>
#include <string>

namespace tasuki::coll {
namespace {

TEST(RegistryTest, NamesAreUniqueAndWellFormed) {
  std::set<std::pair<Collective, std::string>> seen;
  Collective last = Collective::barrier;
  for (const AlgorithmDescriptor* algorithm : all_algorithms()) {
    const std::string name = algorithm->name;
    EXPECT_TRUE(seen.insert({algorithm->collective, name}).second) << name;
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"), std::string::npos);
    EXPECT_TRUE(std::string(algorithm->summary).ends_with('.')) << name;
    EXPECT_GE(algorithm->collective, last) << "grouped by collective";
    last = algorithm->collective;
    EXPECT_EQ(&algorithm_named(algorithm->collective, name), algorithm);
  }
}

TEST(RegistryTest, ParametersAreWellFormed) {
  for (const AlgorithmDescriptor* algorithm : all_algorithms()) {
    for (const ParameterDeclaration& parameter : algorithm->parameters) {
      EXPECT_LE(parameter.minimum, parameter.default_value) << algorithm->name;
      EXPECT_LE(parameter.default_value, parameter.maximum) << algorithm->name;
    }
  }
}

TEST(RegistryTest, EveryCollectiveHasAGeneralAlgorithm) {
  for (const Collective collective : all_collectives()) {
    bool general = false;
    for (const AlgorithmDescriptor* algorithm : algorithms_of(collective)) {
      general = general || (algorithm->medium() == Medium::messages &&
                            algorithm->not_applicable_because == always_applicable);
    }
    EXPECT_TRUE(general) << name_of(collective);
    EXPECT_EQ(collective_named(name_of(collective)), collective);
  }
}

TEST(RegistryTest, OnlyWhatMessagesCarryHasASchedule) {
  const auto without_messages = algorithms_on(Medium::mpi_library);
  EXPECT_FALSE(without_messages.empty());
  for (const AlgorithmDescriptor* algorithm : without_messages) {
    EXPECT_THROW(make_schedule(*algorithm, Shape{}), error) << algorithm->name;
  }
}

TEST(RegistryTest, UnknownNamesListWhatThereIs) {
  try {
    algorithm_named(Collective::allgather, "rings");
    FAIL() << "accepted";
  } catch (const error& e) {
    EXPECT_NE(e.remedy().find("ring"), std::string::npos);
  }
  EXPECT_THROW(collective_named("allredcue"), error);
}

TEST(RegistryTest, ShapesThatMakeNoSenseAreRefused) {
  const auto& binomial = algorithm_named(Collective::broadcast, "binomial");
  Shape shape;
  shape.ranks = 4;
  shape.root = 4;
  EXPECT_THROW(make_schedule(binomial, shape), error);
  shape.root = 0;
  shape.rank = -1;
  EXPECT_THROW(make_schedule(binomial, shape), error);
  shape.rank = 1;
  shape.in_place = true;
  EXPECT_THROW(make_schedule(binomial, shape), error);
  shape.in_place = false;
  EXPECT_NO_THROW(make_schedule(binomial, shape));
  shape.receive_counts.assign(4, 1);
  EXPECT_THROW(make_schedule(binomial, shape), error) << "it has no form with counts";
  shape.receive_counts.clear();
  EXPECT_THROW(make_schedule(binomial, shape, Parameters::parse("radix=3")), error);
  shape.receive_counts = {1, 2, 3};
  EXPECT_THROW(make_schedule(algorithm_named(Collective::allgatherv, "ring"), shape), error);
}

TEST(RegistryTest, BlocksThatFitNowhereAreRefused) {
  const auto& ring = algorithm_named(Collective::allgatherv, "ring");
  constexpr std::size_t minus_one = SIZE_MAX;
  Shape shape;
  shape.ranks = 2;
  shape.receive_counts = {minus_one, 2};
  EXPECT_THROW(make_schedule(ring, shape), error);
  shape.receive_counts = {1, 1};
  shape.receive_displacements = {0, minus_one};
  EXPECT_THROW(make_schedule(ring, shape), error);
  shape.receive_displacements = {1, 0};
  EXPECT_NO_THROW(make_schedule(ring, shape));
}

TEST(RegistryTest, SelfBlocksAreReceivedAsTheyAreSent) {
  const auto& pairwise = algorithm_named(Collective::alltoallv, "pairwise");
  Shape shape;
  shape.ranks = 2;
  shape.send_counts = {1, 5};
  shape.receive_counts = {2, 6};
  EXPECT_THROW(make_schedule(pairwise, shape), error);
  shape.receive_counts = {1, 6};
  EXPECT_NO_THROW(make_schedule(pairwise, shape));

  for (const Collective collective : {Collective::gatherv, Collective::scatterv}) {
    const auto& linear = algorithm_named(collective, "linear");
    shape.count = 2;
    EXPECT_THROW(make_schedule(linear, shape), error);
    shape.count = 1;
    EXPECT_NO_THROW(make_schedule(linear, shape));
  }
}

}  // namespace
}  // namespace tasuki::coll
