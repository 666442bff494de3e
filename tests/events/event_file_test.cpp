#include "events/event_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <tasuki/error.hpp>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "support/temporary_folder.hpp"

namespace tasuki::events {
namespace {

constexpr std::array<FunctionName, 2> names = {{{"MPI_Send", 1}, {"completed", 16}}};

class EventFileTest : public ::testing::Test {
 protected:
  /// What another process reads while the writer has the file open.
  static Header header_of(const EventFile& file) {
    Header header{};
    std::ifstream(file.path(), std::ios::binary)
        .read(reinterpret_cast<char*>(&header), sizeof header);
    return header;
  }

  test::TemporaryFolder folder_;
};

TEST_F(EventFileTest, CanBeReadWhileItIsWritten) {
  EventFile file(folder_.path(), 16, names, Recorded::mpi);
  file.append()->sent_bytes = 7;
  file.append()->sent_bytes = 8;

  const Header header = header_of(file);
  EXPECT_EQ(std::string_view(header.magic, 8), file_magic);
  EXPECT_EQ(header.event_count, 2);
  EXPECT_EQ(header.function_count, 2);
  EXPECT_GT(header.ticks_per_second, 1e6);
  std::array<Event, 2> events{};
  std::ifstream content(file.path(), std::ios::binary);
  content.seekg(static_cast<std::streamoff>(header.events_offset));
  content.read(reinterpret_cast<char*>(events.data()), sizeof events);
  EXPECT_EQ(events[0].sent_bytes, 7);
  EXPECT_EQ(events[1].sent_bytes, 8);
}

TEST_F(EventFileTest, HasNoRoomForMoreEventsThanItsCapacity) {
  EventFile file(folder_.path(), 2, names, Recorded::mpi);
  EXPECT_NE(file.append(), nullptr);
  EXPECT_NE(file.append(), nullptr);
  EXPECT_EQ(file.append(), nullptr);
  EXPECT_EQ(file.header().event_count, 3) << "what found no room counts as well";
}

TEST_F(EventFileTest, KnowsTheModuleOfACallSite) {
  EventFile file(folder_.path(), 2, names, Recorded::mpi);
  const auto* const here = reinterpret_cast<const void*>(&header_bytes);
  EXPECT_EQ(file.add_site(here), 0);
  EXPECT_EQ(file.add_site(reinterpret_cast<const void*>(&std::strlen)), 1);
  const Header header = header_of(file);
  EXPECT_EQ(header.site_count, 2);
  EXPECT_EQ(header.module_count, 2);
  std::vector<ModuleEntry> modules(header.module_count);
  std::ifstream content(file.path(), std::ios::binary);
  content.seekg(static_cast<std::streamoff>(header.modules_offset));
  content.read(reinterpret_cast<char*>(modules.data()),
               static_cast<std::streamsize>(modules.size() * sizeof(ModuleEntry)));
  EXPECT_EQ(std::filesystem::path(modules[0].path), std::filesystem::canonical("/proc/self/exe"));
  EXPECT_TRUE(std::string_view(modules[1].path).find("libc") != std::string_view::npos);
}

TEST_F(EventFileTest, SaysWhichFolderItCannotWriteIn) {
  try {
    const EventFile file("/nowhere", 2, names, Recorded::mpi);
    FAIL() << "made a file in a folder that is not there";
  } catch (const error& failure) {
    EXPECT_TRUE(std::string_view(failure.what()).find("/nowhere/") != std::string_view::npos);
  }
}

TEST_F(EventFileTest, LeavesAFileThatIsThereAsItIs) {
  EventFile first(folder_.path(), 16, names, Recorded::mpi);
  EventFile second(folder_.path(), 16, names, Recorded::mpi);
  first.append()->sent_bytes = 7;
  EXPECT_NE(first.path(), second.path());
  EXPECT_EQ(header_of(first).event_count, 1);
  EXPECT_EQ(header_of(second).event_count, 0);
}

TEST_F(EventFileTest, IsAsLargeAsFilesMayBe) {
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto with_limit = [&](rlim_t bytes, auto make) {
    const rlimit limit{bytes, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    make();
    ::setrlimit(RLIMIT_FSIZE, &before);
  };
  std::uint64_t events_offset = 0;
  with_limit(RLIM_INFINITY, [&] {
    events_offset = EventFile(folder_.path(), 16, names, Recorded::mpi).header().events_offset;
  });
  with_limit(events_offset + 64 * 5, [&] {
    EXPECT_EQ(EventFile(folder_.path(), 1 << 20, names, Recorded::mpi).header().event_capacity, 5);
  });
  with_limit(
      4096, [&] { EXPECT_THROW(EventFile(folder_.path(), 1 << 20, names, Recorded::mpi), error); });
}

TEST_F(EventFileTest, KeepsTheCommunicatorsThatItHasRoomFor) {
  EventFile file(folder_.path(), 16, names, Recorded::mpi);
  std::uint32_t count = 0;
  while (file.add_communicator({}) != no_communicator) ++count;
  EXPECT_EQ(header_of(file).communicator_count, count);
  EXPECT_EQ(file.add_communicator({}), no_communicator);
}

TEST(CopyText, CutsWhatHasNoRoom) {
  char field[4] = {'x', 'x', 'x', 'x'};
  copy_text(field, "abcdef");
  EXPECT_STREQ(field, "abc");
}

}  // namespace
}  // namespace tasuki::events
