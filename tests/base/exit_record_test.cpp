#include "base/exit_record.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/early_exit.hpp"

namespace tasuki::base {
namespace {

using Entries = std::vector<std::pair<std::int32_t, std::int32_t>>;

/// What a process that does this to its record leaves there.
Entries entries_of(const std::function<void()>& live, std::uint64_t wrong_inode = 0) {
  const int descriptor = ::memfd_create("exit-record", MFD_CLOEXEC);
  struct stat status {};
  ::fstat(descriptor, &status);
  const std::string setting = fmt::format("/proc/{}/fd/{} {}:{}", ::getpid(), descriptor,
                                          status.st_dev, status.st_ino + wrong_inode);
  const pid_t child = ::fork();
  if (child == 0) {
    ::setenv("TASUKI_EXIT_RECORD", setting.c_str(), 1);
    join_exit_record(7);
    guard_exit(
        7, [](void*, int) {}, nullptr, nullptr);
    live();
    ::_exit(99);
  }
  ::waitpid(child, nullptr, 0);
  Entries entries(16);
  const auto bytes = ::pread(descriptor, entries.data(), 16 * sizeof entries[0], 0);
  entries.resize(static_cast<std::size_t>(bytes) / sizeof entries[0]);
  ::close(descriptor);
  return entries;
}

TEST(ExitRecord, TellsEachWayToEnd) {
  EXPECT_EQ(entries_of([] { allow_exit(), ::_exit(3); }), (Entries{{7, -1}, {7, 3}}));
  EXPECT_EQ(entries_of([] { allow_exit(), std::exit(-1); }), (Entries{{7, -1}, {7, 255}}));
  EXPECT_EQ(entries_of([] { allow_exit(), std::exit(0); }), (Entries{{7, -1}, {7, 0}}));
  EXPECT_EQ(entries_of([] { std::abort(); }), (Entries{{7, -1}}));
}

TEST(ExitRecord, CallsAnEarlySuccessAFailure) {
  EXPECT_EQ(entries_of([] { ::_exit(0); }), (Entries{{7, -1}, {7, 1}}));
  EXPECT_EQ(entries_of([] { std::exit(0); }), (Entries{{7, -1}, {7, 1}}));
}

TEST(ExitRecord, KeepsTheFirstFailure) {
  EXPECT_EQ(entries_of([] {
              allow_exit();
              record_exit(0);
              record_exit(70);
              ::_exit(1);
            }),
            (Entries{{7, -1}, {7, 0}, {7, 70}}));
}

TEST(ExitRecord, IsNotForOtherProcesses) {
  EXPECT_EQ(entries_of([] {
              allow_exit();
              const pid_t child = ::fork();
              if (child == 0) ::_exit(5);
              ::waitpid(child, nullptr, 0);
              ::_exit(std::getenv("TASUKI_EXIT_RECORD") == nullptr ? 2 : 3);
            }),
            (Entries{{7, -1}, {7, 2}}));
  EXPECT_EQ(entries_of([] { ::_exit(3); }, 1), Entries{});
}

}  // namespace
}  // namespace tasuki::base
