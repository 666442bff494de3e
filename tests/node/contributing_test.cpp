// The example in CONTRIBUTING.md, added as a table of its own. The tests of node_memory_test.cpp,
// in the same program, run it with the other algorithms.
#include <gtest/gtest.h>
#include <tasuki/detail/coll/registry.hpp>

#include <vector>

namespace tasuki::node {

namespace staged {
extern const coll::AlgorithmDescriptor broadcast_chain;
}

namespace {

constexpr const coll::AlgorithmDescriptor* added[] = {&staged::broadcast_chain};

std::vector<coll::PolicyRow> no_rows() { return {}; }

/// Before the tests, because those of node memory ask for all algorithms.
const bool is_added = (coll::add_algorithms({added, no_rows}), true);

TEST(ContributingTest, TheExampleIsAmongTheAlgorithmsThatAreTested) {
  ASSERT_TRUE(is_added);
  EXPECT_EQ(&coll::algorithm_named(coll::Collective::broadcast, "staged_chain"),
            &staged::broadcast_chain);
  EXPECT_EQ(staged::broadcast_chain.medium(), coll::Medium::shared_memory);
}

}  // namespace
}  // namespace tasuki::node
