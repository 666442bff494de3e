#include "transport/shm/lifeline.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

namespace tasuki::transport::shm {
namespace {

class LifelineTest : public testing::Test {
 protected:
  void SetUp() override {
    void* const shared = ::mmap(nullptr, sizeof(Lifeline), PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(shared, MAP_FAILED);
    lifeline_ = static_cast<Lifeline*>(shared);
    ASSERT_EQ(::pipe(ready_), 0);
    ASSERT_EQ(::pipe(go_), 0);
    ASSERT_EQ(::pipe(held_), 0);
  }

  /// A process that holds the line, then waits for `let_end` and does `end`.
  void start(const std::function<void()>& end) {
    child_ = ::fork();
    if (child_ != 0) {
      char byte = 0;
      ASSERT_EQ(::read(ready_[0], &byte, 1), 1);
      return;
    }
    lifeline_->hold();
    char byte = 1;
    if (::write(ready_[1], &byte, 1) != 1 || ::read(go_[0], &byte, 1) != 1) ::_exit(99);
    end();
    ::_exit(0);
  }
  void let_end() {
    const char byte = 1;
    ASSERT_EQ(::write(go_[1], &byte, 1), 1);
  }
  int wait_for_end() {
    int status = 0;
    ::waitpid(child_, &status, 0);
    return status;
  }

  Lifeline* lifeline_ = nullptr;
  pid_t child_ = -1;
  int ready_[2] = {-1, -1};
  int go_[2] = {-1, -1};
  int held_[2] = {-1, -1};  ///< As `ready_`, across a process in between.
};

TEST_F(LifelineTest, IsCutWhenItsProcessIsKilledAndStaysSo) {
  start([] { ::raise(SIGKILL); });
  for (int poll = 0; poll < 3; ++poll) EXPECT_FALSE(lifeline_->is_cut());
  let_end();
  EXPECT_TRUE(WIFSIGNALED(wait_for_end()));
  for (int poll = 0; poll < 3; ++poll) EXPECT_TRUE(lifeline_->is_cut());
}

TEST_F(LifelineTest, IsCutBeforeTheParentHasCollectedTheProcess) {
  start([] {});
  let_end();
  siginfo_t info{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOWAIT), 0);
  EXPECT_TRUE(lifeline_->is_cut());
  wait_for_end();
}

TEST_F(LifelineTest, IsCutWhenItsOwnerLetsGo) {
  start([this] { lifeline_->let_go(); });
  EXPECT_FALSE(lifeline_->is_cut());
  let_end();
  EXPECT_EQ(wait_for_end(), 0);
  EXPECT_TRUE(lifeline_->is_cut());
}

TEST_F(LifelineTest, IsSeenFromAnotherPidNamespace) {
  const pid_t outer = ::fork();
  if (outer == 0) {
    const bool is_separate =
        ::unshare(CLONE_NEWPID) == 0 || ::unshare(CLONE_NEWUSER | CLONE_NEWPID) == 0;
    if (!is_separate) ::_exit(98);
    start([] {});
    const char byte = 1;
    if (::write(held_[1], &byte, 1) != 1) ::_exit(97);
    ::_exit(wait_for_end() == 0 ? 0 : 1);
  }
  child_ = outer;
  char byte = 0;
  ASSERT_EQ(::read(held_[0], &byte, 1), 1);
  EXPECT_FALSE(lifeline_->is_cut());
  let_end();
  EXPECT_EQ(wait_for_end(), 0);
  EXPECT_TRUE(lifeline_->is_cut());
}

}  // namespace
}  // namespace tasuki::transport::shm
