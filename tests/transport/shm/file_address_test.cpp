#include "transport/shm/file_address.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>

namespace tasuki::transport::shm {
namespace {

TEST(FileAddress, IsOpenedAsTheSameFile) {
  const int file = ::memfd_create("file", MFD_CLOEXEC);
  ASSERT_EQ(::write(file, "tasuki", 6), 6);
  const int opened = open_file({::getpid(), file});
  ASSERT_GE(opened, 0);
  char text[6];
  EXPECT_EQ(::pread(opened, text, 6, 0), 6);
  EXPECT_EQ(std::string_view(text, 6), "tasuki");
  ::close(opened);
  ::close(file);
}

TEST(FileAddress, OfNoFileIsAnError) {
  EXPECT_EQ(open_file({::getpid(), -1}), -1);
  EXPECT_EQ(errno, ENOENT);
}

TEST(NodeIdentity, FollowsTheNameThatTheNodePretendsToHave) {
  const std::uint64_t own = node_identity();
  EXPECT_EQ(node_identity(), own);
  ::setenv("TASUKI_NODE_NAME", "elsewhere", 1);
  EXPECT_NE(node_identity(), own);
  ::unsetenv("TASUKI_NODE_NAME");
  EXPECT_EQ(node_identity(), own);
}

}  // namespace
}  // namespace tasuki::transport::shm
