// The example in CONTRIBUTING.md, added as the table of another layer.
#include <gtest/gtest.h>
#include <tasuki/detail/coll/registry.hpp>
#include <tasuki/detail/coll/simulator.hpp>

#include "checker.hpp"

namespace tasuki::coll {

namespace broadcast {
extern const AlgorithmDescriptor two_senders;
}

namespace {

constexpr const AlgorithmDescriptor* added[] = {&broadcast::two_senders};

std::vector<PolicyRow> rows() {
  return {{Collective::broadcast, 4, any_bytes, "two_senders", "", "for this test"}};
}

class ContributingTest : public testing::Test {
 protected:
  ContributingTest() { add_algorithms({added, rows}); }
};

TEST_F(ContributingTest, TheExampleGivesTheResultAndTheCostItStates) {
  const AlgorithmDescriptor& algorithm = algorithm_named(Collective::broadcast, "two_senders");
  for (int ranks = 1; ranks <= 33; ++ranks) {
    for (int root = 0; root < ranks; ++root) {
      checker::Case one{&algorithm, {}, {}, &checker::integers(), 1, 1};
      for (int rank = 0; rank < ranks; ++rank) {
        Shape& shape = one.shapes.emplace_back();
        shape.ranks = ranks;
        shape.rank = rank;
        shape.root = root;
        shape.element_bytes = one.field->element_bytes;
        shape.count = 10;
      }
      const auto schedules = make_schedules(algorithm, one.shapes);
      ASSERT_EQ(checker::run(one, schedules).failure, "");
      EXPECT_EQ(checker::measured_cost(schedules),
                std::get<BySchedule>(algorithm.way).cost(one.shapes, {}));
    }
  }
}

TEST_F(ContributingTest, RowsOfATableComeBeforeThoseForMessages) {
  Shape shape;
  shape.ranks = 4;
  EXPECT_STREQ(default_policy().select(Collective::broadcast, shape).algorithm->name,
               "two_senders");
  shape.ranks = 5;
  EXPECT_STREQ(default_policy().select(Collective::broadcast, shape).algorithm->name, "binomial");
}

TEST_F(ContributingTest, AlgorithmsStayGroupedByCollective) {
  Collective last = Collective::barrier;
  for (const AlgorithmDescriptor* algorithm : all_algorithms()) {
    EXPECT_GE(algorithm->collective, last) << algorithm->name;
    last = algorithm->collective;
  }
}

}  // namespace
}  // namespace tasuki::coll
