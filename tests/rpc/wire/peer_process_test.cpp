#include "rpc/wire/peer_process.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <tasuki/error.hpp>

#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

/// A process that has this one's memory, and its descriptors but for one.
class Child {
 public:
  explicit Child(int closed) : process_(fork()) {
    if (process_ != 0) return;
    close(closed);
    while (true) pause();
  }
  ~Child() {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t process() const noexcept { return process_; }

 private:
  pid_t process_;
};

/// Waits until the child has closed what it does not hold.
bool comes_to_hold_nothing(pid_t process, int descriptor) {
  while (holds_other_end(process, descriptor)) usleep(1000);
  return true;
}

TEST(PeerProcessTest, WhoHoldsTheOtherEndIsThePeer) {
  auto [near, far] = connected_by_tcp();
  EXPECT_TRUE(holds_other_end(getpid(), near.descriptor()));
  EXPECT_TRUE(holds_other_end(getpid(), far.descriptor()));
  const Child without_far(far.descriptor());
  EXPECT_TRUE(comes_to_hold_nothing(without_far.process(), near.descriptor()));
  EXPECT_TRUE(holds_other_end(without_far.process(), far.descriptor()));
  EXPECT_FALSE(holds_other_end(0x7fffffff, near.descriptor()));
}

TEST(PeerProcessTest, BothVersionsOfAddressesAreKnown) {
  for (const auto& [listens, connects] :
       {std::pair{"::1", "::1"}, std::pair{"::", "::1"}, std::pair{"::", "127.0.0.1"}}) {
    try {
      auto [near, far] = connected_by_tcp(listens, connects);
      EXPECT_TRUE(holds_other_end(getpid(), near.descriptor())) << listens << connects;
      EXPECT_TRUE(holds_other_end(getpid(), far.descriptor())) << listens << connects;
    } catch (const error& fault) {
      GTEST_SKIP() << "there is no version 6 here: " << fault.what();
    }
  }
}

TEST(PeerProcessTest, OfAnotherKindOfConnectionNothingIsKnown) {
  auto [near, far] = connected();
  EXPECT_FALSE(holds_other_end(getpid(), near.descriptor()));
}

}  // namespace
}  // namespace tasuki::rpc
