#include <gtest/gtest.h>
#include <tasuki/detail/mpi/record/mpich_choices.hpp>

namespace tasuki::mpi::record {
namespace {

using Names = std::vector<std::string>;

TEST(MpichChoices, AreInTheOrderOfTheirValues) {
  EXPECT_EQ(choices_in("Variable to select barrier algorithm\n"
                       "auto - Internal algorithm selection (can be overridden with SOME_FILE)\n"
                       "nb            - Force nonblocking algorithm\n"
                       "k_dissemination - Force high radix dissemination algorithm"),
            (Names{"auto", "nb", "k_dissemination"}));
}

TEST(MpichChoices, AreFoundWhereNoLineEnds) {
  EXPECT_EQ(choices_in("Variable to select bcast algorithmauto - Internal algorithm selection (can "
                       "be overridden with SOME_FILE)binomial   - Force Binomial Treenb   - Force "
                       "nonblocking algorithmsmp - Force smp algorithmscatter_ring_allgather  - "
                       "Force Scatter Ring"),
            (Names{"auto", "binomial", "nb", "smp", "scatter_ring_allgather"}));
}

TEST(MpichChoices, OfAnythingElseAreNone) {
  EXPECT_EQ(choices_in("Priority of the component - 30 by default"), Names{});
}

}  // namespace
}  // namespace tasuki::mpi::record
