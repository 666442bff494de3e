#include <tasuki/detail/containers/shared_file.hpp>

#include <unistd.h>

#include <filesystem>

#include "containers/shared_path.hpp"

namespace tasuki::containers {
namespace {

using test::contains;
using test::error_of;
using SharedFileTest = test::RankTest;

TEST_F(SharedFileTest, each_rank_writes_its_place_and_reads_that_of_another) {
  const test::SharedPath path;
  const auto bytes_of = [](int& value) { return std::as_writable_bytes(std::span(&value, 1)); };
  {
    SharedFile file = SharedFile::create("test", *path, world_team());
    int mine = 7 * rank();
    file.write(sizeof mine * static_cast<std::size_t>(rank()), bytes_of(mine));
    file.throw_failure(world_team());
  }
  SharedFile file = SharedFile::open("test", *path, world_team());
  int theirs = 0;
  file.read(sizeof theirs * static_cast<std::size_t>(test::next_rank()), bytes_of(theirs));
  file.throw_failure(world_team());
  EXPECT_EQ(theirs, 7 * test::next_rank());
  EXPECT_EQ(file.size_bytes(), sizeof theirs * static_cast<std::size_t>(size()));
}

/// Closes all that this process has open of the file, as if the system had lost it.
void lose(const std::string& path) {
  for (const auto& one : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code none;
    const bool is_it = std::filesystem::read_symlink(one.path(), none) == path;
    if (is_it) ::close(std::stoi(one.path().filename()));
  }
}

TEST_F(SharedFileTest, what_close_says_all_ranks_are_told) {
  const test::SharedPath path;
  SharedFile file = SharedFile::create("test", *path, world_team());
  const std::byte one{7};
  file.write(static_cast<std::uint64_t>(rank()), std::span(&one, 1));
  file.throw_failure(world_team());
  if (rank() == 0) lose(*path);
  const std::string text = error_of([&] { file.close(world_team()); });
  EXPECT_TRUE(contains(text, "on rank 0 of the team: the file " + *path + " cannot be closed"))
      << text;
}

TEST_F(SharedFileTest, what_one_rank_cannot_do_all_ranks_are_told) {
  const test::SharedPath path;
  EXPECT_TRUE(contains(error_of([&] { SharedFile::open("test", *path + "/none", world_team()); }),
                       "cannot be opened"));
  SharedFile::create("test", *path, world_team());
  SharedFile file = SharedFile::open("test", *path, world_team());
  std::byte one{};
  if (rank() == size() - 1) file.read(0, std::span(&one, 1));
  const std::string text = error_of([&] { file.throw_failure(world_team()); });
  EXPECT_TRUE(contains(text, "ends too early")) << text;
}

}  // namespace
}  // namespace tasuki::containers
