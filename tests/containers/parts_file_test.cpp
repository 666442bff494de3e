#include <tasuki/detail/containers/parts_file.hpp>

#include <filesystem>
#include <fstream>

#include "containers/shared_path.hpp"

namespace tasuki::containers {
namespace {

using test::contains;
using test::error_of;
using PartsFileTest = test::RankTest;

void write_one(const std::string& path) {
  write_values(
      path, "Lamps", [] { return std::vector<int>{1}; }, world_team());
}

TEST_F(PartsFileTest, any_number_of_ranks_reads_what_others_have_written) {
  const test::SharedPath path;
  std::vector<std::string> mine(static_cast<std::size_t>(rank()) + 1, std::to_string(rank()));
  write_values(
      *path, "Lamps", [&] { return mine; }, world_team());
  const auto all =
      allgather_values(read_values<std::string>(*path, "Lamps", world_team()), world_team());
  EXPECT_EQ(all, allgather_values(mine, world_team()));
  const Team alone = world_team().split(rank());
  EXPECT_EQ(read_values<std::string>(*path, "Lamps", alone), all);
}

TEST_F(PartsFileTest, a_file_of_something_else_is_an_error) {
  const test::SharedPath path;
  write_one(*path);
  const std::string text = error_of([&] { read_values<double>(*path, "Lamps", world_team()); });
  EXPECT_TRUE(contains(text, "does not hold a Lamps<double>")) << text;
}

TEST_F(PartsFileTest, a_file_that_is_cut_off_is_an_error) {
  const test::SharedPath path;
  write_one(*path);
  barrier();
  if (rank() == 0) {
    std::filesystem::resize_file(*path, std::filesystem::file_size(*path) - 1);
  }
  barrier();
  const std::string text = error_of([&] { read_values<int>(*path, "Lamps", world_team()); });
  EXPECT_TRUE(contains(text, "it is cut off")) << text;
}

TEST_F(PartsFileTest, parts_that_are_longer_than_the_file_are_an_error) {
  const test::SharedPath path;
  write_one(*path);
  if (rank() == 0) {
    // The sizes of the parts follow three words. Their sum is right again beyond all integers.
    constexpr std::uint64_t half = std::uint64_t{1} << 63;
    std::array<std::uint64_t, 2> part_bytes{};
    constexpr std::streamoff place = 3 * sizeof(std::uint64_t);
    std::fstream file(*path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(place);
    file.read(reinterpret_cast<char*>(part_bytes.data()), sizeof part_bytes);
    for (std::uint64_t& one : part_bytes) one += half;
    file.seekp(place);
    file.write(reinterpret_cast<const char*>(part_bytes.data()), sizeof part_bytes);
  }
  barrier();
  const std::string text = error_of([&] { read_values<int>(*path, "Lamps", world_team()); });
  EXPECT_TRUE(contains(text, "it is cut off")) << text;
}

TEST_F(PartsFileTest, values_that_one_rank_cannot_give_are_an_error_on_all) {
  const test::SharedPath path;
  const auto values = [] {
    if (rank() == 0) throw std::length_error("no room");
    return std::vector<int>{1};
  };
  const auto write = [&] { write_values(*path, "Lamps", values, world_team()); };
  if (rank() == 0) {
    EXPECT_THROW(write(), std::length_error);
  } else {
    EXPECT_TRUE(contains(error_of(write), "saving a Lamps<int>: on rank 0 of the team"));
  }
}

}  // namespace
}  // namespace tasuki::containers
