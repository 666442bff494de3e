#include <tasuki/detail/containers/parts_file.hpp>

#include <filesystem>

#include "containers/shared_path.hpp"

namespace tasuki::containers {
namespace {

using test::contains;
using test::error_of;
using PartsFileTest = test::RankTest;

TEST_F(PartsFileTest, any_number_of_ranks_reads_what_others_have_written) {
  const test::SharedPath path;
  const std::vector<std::string> mine(static_cast<std::size_t>(rank()) + 1, std::to_string(rank()));
  write_values(*path, "Lamps", mine, world_team());
  const auto all =
      allgather_values(read_values<std::string>(*path, "Lamps", world_team()), world_team());
  EXPECT_EQ(all, allgather_values(mine, world_team()));
  const Team alone = world_team().split(rank());
  EXPECT_EQ(read_values<std::string>(*path, "Lamps", alone), all);
}

TEST_F(PartsFileTest, a_file_of_something_else_is_an_error) {
  const test::SharedPath path;
  write_values(*path, "Lamps", std::vector<int>{1}, world_team());
  const std::string text = error_of([&] { read_values<double>(*path, "Lamps", world_team()); });
  EXPECT_TRUE(contains(text, "does not hold a Lamps<double>")) << text;
}

TEST_F(PartsFileTest, a_file_that_is_cut_off_is_an_error) {
  const test::SharedPath path;
  write_values(*path, "Lamps", std::vector<int>{1}, world_team());
  barrier();
  if (rank() == 0) {
    std::filesystem::resize_file(*path, std::filesystem::file_size(*path) - 1);
  }
  barrier();
  const std::string text = error_of([&] { read_values<int>(*path, "Lamps", world_team()); });
  EXPECT_TRUE(contains(text, "it is cut off")) << text;
}

}  // namespace
}  // namespace tasuki::containers
