// What carries out the collectives of a program: measured rows, those for node memory, the MPI
// library.
#include "mpi/collectives/program_policy.hpp"

#include "mpi/collectives/native_forms.hpp"

#include <gtest/gtest.h>
#include <tasuki/detail/node/algorithms.hpp>

#include <string>

namespace tasuki::mpi::collectives {
namespace {

using coll::any_bytes;
using coll::any_ranks;
using coll::Collective;

constexpr coll::Media on_node{.shared_memory = true, .peer_memory = true, .mpi_library = true};
constexpr coll::Media across_nodes{.mpi_library = true};

class ProgramPolicyTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    node::register_algorithms();
    register_native_forms();
  }

  /// The algorithm for 2 ranks and 64 bytes; "" where the MPI library is to do it unasked.
  static std::string chosen(const ProgramPolicy& policy, Collective collective, coll::Media media) {
    coll::Shape shape;
    shape.ranks = 2;
    shape.count = 64;
    shape.commutative = true;
    shape.send_counts = shape.receive_counts = {64, 64};
    const auto choice = policy.choose(collective, shape, media);
    return choice.has_value() ? choice->algorithm->name : "";
  }
};

TEST_F(ProgramPolicyTest, WithoutMeasuringNodeMemoryIsUsedAndNoMessages) {
  const ProgramPolicy policy({});
  for (const Collective collective : coll::all_collectives()) {
    EXPECT_NE(chosen(policy, collective, on_node), "") << coll::name_of(collective);
    EXPECT_EQ(chosen(policy, collective, across_nodes), "") << coll::name_of(collective);
  }
}

TEST_F(ProgramPolicyTest, WhatWasMeasuredDecides) {
  const ProgramPolicy policy({
      {Collective::scan, any_ranks, any_bytes, "linear", "", "by messages"},
      {Collective::barrier, any_ranks, any_bytes, "native", "", "as the library"},
      {Collective::broadcast, any_ranks, any_bytes, "single_copy", "", "in memory"},
  });
  EXPECT_EQ(chosen(policy, Collective::scan, on_node), "linear");
  EXPECT_EQ(chosen(policy, Collective::scan, across_nodes), "linear");
  EXPECT_EQ(chosen(policy, Collective::barrier, on_node), "native");
  EXPECT_EQ(chosen(policy, Collective::broadcast, on_node), "single_copy");
  EXPECT_EQ(chosen(policy, Collective::exscan, across_nodes), "") << "nobody measured it";
}

TEST_F(ProgramPolicyTest, ARowForNodeMemorySaysNothingOfMessagesBetweenNodes) {
  const ProgramPolicy policy({
      {Collective::gatherv, 2, any_bytes, "staged_or_single_copy", "", "best with 2 ranks"},
      {Collective::gatherv, 4, any_bytes, "linear", "", "best with 4 ranks"},
  });
  EXPECT_EQ(chosen(policy, Collective::gatherv, across_nodes), "native");
}

}  // namespace
}  // namespace tasuki::mpi::collectives
