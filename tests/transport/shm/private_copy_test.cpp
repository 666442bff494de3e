#include "transport/shm/private_copy.hpp"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <set>
#include <vector>

#include "transport/mailbox.hpp"
#include "transport/shm/forked_job.hpp"

namespace {

/// What this process has asked the kernel for, and of whom.
int copies_count = 0;
std::set<pid_t> asked;
bool is_later_forbidden = false;  ///< Processes not asked until now refuse.

ssize_t copy(long number, pid_t pid, const iovec* local, const iovec* remote) {
  ++copies_count;
  if (is_later_forbidden && !asked.contains(pid)) {
    errno = EPERM;
    return -1;
  }
  if (!is_later_forbidden) asked.insert(pid);
  return ::syscall(number, pid, local, 1UL, remote, 1UL, 0UL);
}

}  // namespace

// The program's own come before those of the C library.
extern "C" ssize_t process_vm_readv(pid_t pid, const iovec* local, unsigned long,
                                    const iovec* remote, unsigned long, unsigned long) {
  return copy(SYS_process_vm_readv, pid, local, remote);
}
extern "C" ssize_t process_vm_writev(pid_t pid, const iovec* local, unsigned long,
                                     const iovec* remote, unsigned long, unsigned long) {
  return copy(SYS_process_vm_writev, pid, local, remote);
}

namespace tasuki::transport::shm {
namespace {

using conformance::Flag;
using conformance::Letter;
using conformance::Mailbox;

TEST(PrivateCopy, ATransportTriesOneNeighbourAtItsStart) {
  for (const int size : {1, 2, 6}) {
    expect_success(run_forked_job({.size = size}, [](Transport& transport) {
      EXPECT_TRUE(transport.capabilities().reads_private);
      EXPECT_EQ(asked.size(), 1u);
      EXPECT_EQ(copies_count, 2) << "a word read and written back";
      Mailbox(transport).barrier();
    }));
  }
}

TEST(PrivateCopy, AnotherProcessIsTriedBeforeItIsFirstCopiedFrom) {
  const std::uint64_t value = 5;
  std::uint64_t copied = 0;
  const auto address = reinterpret_cast<std::uintptr_t>(&value);
  PrivateCopy mistaken(::getpid(), address, value + 1);  // As of another process with that number.
  EXPECT_TRUE(mistaken.is_permitted());
  EXPECT_EQ(mistaken.read(address, std::as_writable_bytes(std::span(&copied, 1))),
            PrivateCopy::Outcome::forbidden);
  EXPECT_FALSE(mistaken.is_permitted());
  EXPECT_EQ(copied, 0u);
}

TEST(PrivateCopy, APeerThatTurnsOutToRefuseIsReadByMessages) {
  expect_success(run_forked_job({.size = 3}, [](Transport& transport) {
    is_later_forbidden = true;
    Mailbox mailbox(transport);
    std::vector<std::uint64_t> sent(100'000, static_cast<unsigned>(transport.rank()));
    Flag is_sent;
    Flag is_received;
    const int next = (transport.rank() + 1) % 3;
    const int previous = (transport.rank() + 2) % 3;
    // The probe at the start was of the next rank, the data come from the one before.
    mailbox.send_bulk(next, {}, std::as_bytes(std::span(sent)), &is_sent);
    const Letter letter = mailbox.receive(previous);
    std::vector<std::uint64_t> received(sent.size(), 77);
    transport.lane(previous).accept(
        letter.bulk_token, std::as_writable_bytes(std::span(received)).data(), &is_received);
    mailbox.wait_for(is_received);
    mailbox.wait_for(is_sent);
    EXPECT_EQ(received, std::vector<std::uint64_t>(sent.size(), static_cast<unsigned>(previous)));
    EXPECT_FALSE(transport.memory().get_private(previous, 0, {}));
    EXPECT_EQ(transport.counters().received_copied, 1u);
    mailbox.barrier();
  }));
}

}  // namespace
}  // namespace tasuki::transport::shm
