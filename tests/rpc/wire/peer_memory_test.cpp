#include "rpc/wire/peer_memory.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <tasuki/error.hpp>
#include <vector>

namespace tasuki::rpc {
namespace {

// A process may always read its own memory, which is all that these tests need.

TEST(PeerMemoryTest, TheSecretTellsThePeerFromOthers) {
  const std::string secret = "0123456789abcdef";
  const std::string other = "0123456789abcdeg";
  EXPECT_TRUE(PeerMemory::find(memory_offer(secret), std::string(secret)));
  EXPECT_FALSE(PeerMemory::find(memory_offer(other), secret));
  nlohmann::json nowhere = memory_offer(secret);
  nowhere["address"] = 8;
  EXPECT_FALSE(PeerMemory::find(nowhere, secret));
  nlohmann::json nobody = memory_offer(secret);
  nobody["process"] = 0x7fffffff;
  EXPECT_FALSE(PeerMemory::find(nobody, secret));
  EXPECT_THROW(PeerMemory::find({{"process", "x"}}, secret), error);
}

TEST(PeerMemoryTest, PiecesAreReadWhateverTheirLengths) {
  const std::string secret = "secret";
  const PeerMemory peer = *PeerMemory::find(memory_offer(secret), secret);
  std::vector<std::byte> source(300'000);
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::byte>(i * 31 / 7);
  std::vector<std::byte> copy(source.size());
  MemoryReader reader(peer);
  std::size_t done = 0;
  // Pairs in reverse, so that neighbours cannot be read as one.
  for (std::size_t bytes = 1; done + 2 * bytes <= source.size(); bytes = bytes % 97 + 1) {
    const auto add = [&](std::size_t at) {
      reader.add(reinterpret_cast<std::uintptr_t>(source.data() + at), copy.data() + at, bytes);
    };
    add(done + bytes);
    add(done);
    done += 2 * bytes;
  }
  reader.add(reinterpret_cast<std::uintptr_t>(source.data() + done), copy.data() + done,
             source.size() - done);
  reader.flush();
  EXPECT_EQ(copy, source);
}

TEST(PeerMemoryTest, MemoryThatIsNotThereIsAnError) {
  const std::string secret = "secret";
  const PeerMemory peer = *PeerMemory::find(memory_offer(secret), secret);
  const auto page_bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const pages =
      mmap(nullptr, 2 * page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(pages, MAP_FAILED);
  auto* const first = static_cast<std::byte*>(pages);
  ASSERT_EQ(munmap(first + page_bytes, page_bytes), 0);
  std::vector<std::byte> to(page_bytes);
  MemoryReader reader(peer);
  reader.add(reinterpret_cast<std::uintptr_t>(pages), to.data(), page_bytes);
  EXPECT_NO_THROW(reader.flush());
  reader.add(reinterpret_cast<std::uintptr_t>(pages) + page_bytes / 2, to.data(), page_bytes);
  EXPECT_THROW(reader.flush(), error);
  munmap(pages, page_bytes);
}

}  // namespace
}  // namespace tasuki::rpc
