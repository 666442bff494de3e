#include "common/mpi_count.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <string>

namespace tasuki::apps {
namespace {

constexpr std::size_t most = std::numeric_limits<int>::max();

TEST(MpiCount, is_the_number_itself_as_long_as_mpi_takes_it) {
  EXPECT_EQ(mpi_count(0), 0);
  EXPECT_EQ(mpi_count(most), std::numeric_limits<int>::max());
}

TEST(MpiCount, of_more_is_refused) {
  for (const std::size_t count : {most + 1, std::size_t{1} << 32, std::size_t{1} << 63}) {
    try {
      mpi_count(count);
      FAIL() << count << " was taken";
    } catch (const std::length_error& failure) {
      EXPECT_NE(std::string(failure.what()).find(std::to_string(count)), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace tasuki::apps
