#include "rpc/wire/private_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <tasuki/error.hpp>
#include <utility>

namespace tasuki::rpc {
namespace {

TEST(PrivateFileTest, IsOpenedByItsPathAndByItsOwnerAlone) {
  const PrivateFile file;
  EXPECT_EQ(file.bytes(), 0);
  std::ofstream(file.path()) << "a text";
  EXPECT_EQ(file.bytes(), 6);
  std::string text;
  std::getline(std::ifstream(file.path()), text);
  EXPECT_EQ(text, "a text");
  struct stat status {};
  ASSERT_EQ(fstat(file.descriptor(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  EXPECT_EQ(status.st_nlink, 0U);  // It is gone with the process.
}

TEST(PrivateFileTest, IsGoneWithItsOwner) {
  std::string path;
  {
    PrivateFile file;
    const PrivateFile moved = std::move(file);
    path = moved.path();
    EXPECT_TRUE(std::filesystem::exists(path));
  }
  EXPECT_FALSE(std::ifstream(path).is_open());
}

TEST(PrivateFileTest, AFolderThatCannotBeWrittenIsAnError) {
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  setenv("TMPDIR", "/proc", 1);
  EXPECT_THROW(PrivateFile(), error);
  before == nullptr ? unsetenv("TMPDIR") : setenv("TMPDIR", kept.c_str(), 1);
}

}  // namespace
}  // namespace tasuki::rpc
