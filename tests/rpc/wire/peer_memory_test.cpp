#include "rpc/wire/peer_memory.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <optional>
#include <string>
#include <tasuki/error.hpp>
#include <utility>
#include <vector>

#include "rpc/wire/peer_process.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

/// A process may always read its own memory, and here it holds both ends of the connection.
class PeerMemoryTest : public testing::Test {
 protected:
  std::optional<PeerMemory> find(const nlohmann::json& offer, const std::string& secret) const {
    return PeerMemory::find(offer, secret, ends_.first);
  }

  std::pair<Socket, Socket> ends_ = connected_by_tcp();
};

TEST_F(PeerMemoryTest, TheSecretTellsThePeerFromOthers) {
  const std::string secret = "0123456789abcdef";
  const std::string other = "0123456789abcdeg";
  EXPECT_TRUE(find(memory_offer(secret), std::string(secret)));
  EXPECT_FALSE(find(memory_offer(other), secret));
  nlohmann::json nowhere = memory_offer(secret);
  nowhere["address"] = 8;
  EXPECT_FALSE(find(nowhere, secret));
  nlohmann::json nobody = memory_offer(secret);
  nobody["process"] = 0x7fffffff;
  EXPECT_FALSE(find(nobody, secret));
  EXPECT_THROW(find({{"process", "x"}}, secret), error);
}

TEST_F(PeerMemoryTest, AProcessThatDoesNotHoldTheConnectionIsNotRead) {
  const std::string secret = "secret";
  nlohmann::json offer = memory_offer(secret);
  EXPECT_TRUE(find(offer, secret));
  // It has the secret at the same address, as another rank may have where a client's array is.
  const auto [unused, other] = connected_by_tcp();
  EXPECT_TRUE(PeerMemory::find(offer, secret, other));
  const pid_t child = fork();
  if (child == 0) {
    close(ends_.second.descriptor());
    while (true) pause();
  }
  offer["process"] = child;
  while (holds_other_end(child, ends_.first.descriptor())) usleep(1000);  // Until it has closed it.
  EXPECT_FALSE(find(offer, secret));
  EXPECT_TRUE(PeerMemory::find(offer, secret, other));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

TEST_F(PeerMemoryTest, PiecesAreReadWhateverTheirLengths) {
  const std::string secret = "secret";
  const PeerMemory peer = *find(memory_offer(secret), secret);
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

TEST_F(PeerMemoryTest, MemoryThatIsNotThereIsAnError) {
  const std::string secret = "secret";
  const PeerMemory peer = *find(memory_offer(secret), secret);
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
