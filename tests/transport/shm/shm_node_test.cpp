// Starting, failing and ending of jobs over shared memory: ranks as forks, no launcher.
#include "transport/shm/shm_node.hpp"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/error.hpp>
#include <utility>
#include <vector>

#include "support/resident_bytes.hpp"
#include "transport/mailbox.hpp"
#include "transport/shm/forked_job.hpp"

namespace tasuki::transport::shm {
namespace {

using conformance::Flag;
using conformance::Mailbox;

constexpr uid_t nobody = 65534;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void wait_for_ever(Transport& transport) {
  Arrival arrival;
  for (std::uint64_t idle = 0; !transport.arrivals().poll(arrival); ++idle)
    transport.arrivals().wait(idle, 1'000'000);
}

void do_nothing(Transport&) {}

/// Is `change`, which holds for a whole process, permitted here? A child tries it.
template <class Change>
bool is_permitted(Change change) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(change() ? 0 : 1);
  int status = 1;
  ::waitpid(child, &status, 0);
  return status == 0;
}

// ---- start -------------------------------------------------------------------------------------

TEST(ShmStart, RanksThatDoNotComeAreNamed) {
  const auto prepare = [](int rank) {
    if (rank == 1 || rank == 3) ::_exit(0);
    ::setenv("TASUKI_START_TIMEOUT", "0.3", 1);
  };
  const auto endings = run_forked_job({.size = 4, .prepare = prepare}, do_nothing);
  EXPECT_FALSE(endings[0].succeeded());
  EXPECT_FALSE(endings[2].succeeded());
  EXPECT_TRUE(contains(endings[0].output + endings[2].output, "rank 1, 3 did not start within 0.3"))
      << endings[0].output << endings[2].output;
  EXPECT_TRUE(contains(endings[0].output + endings[2].output, "TASUKI_START_TIMEOUT"));
}

TEST(ShmStart, OtherSettingsAreRefused) {
  const auto prepare = [](int rank) {
    ::setenv("TASUKI_START_TIMEOUT", "1", 1);
    if (rank == 0) return;
    ::usleep(200'000);
    ::setenv("TASUKI_RING_BYTES", "128K", 1);
  };
  const auto endings = run_forked_job({.size = 2, .prepare = prepare, .timeout_s = 10}, do_nothing);
  EXPECT_FALSE(endings[1].succeeded());
  EXPECT_TRUE(contains(endings[1].output, "TASUKI_RING_BYTES is 131072 here but 65536"))
      << endings[1].output;
}

TEST(ShmStart, ImpossibleRingSizesAreRefused) {
  const char* const out_of_range = "a number from 16K to 1G";
  const std::pair<const char*, const char*> cases[] = {
      {"0", out_of_range}, {"8K", out_of_range}, {"2G", out_of_range}, {"65537", "power of two"}};
  for (const auto& [bytes, reason] : cases) {
    const auto prepare = [bytes = bytes](int) { ::setenv("TASUKI_RING_BYTES", bytes, 1); };
    const auto endings = run_forked_job({.size = 1, .prepare = prepare}, do_nothing);
    EXPECT_EQ(endings[0].exit_code(), 1);
    EXPECT_TRUE(contains(endings[0].output, reason)) << endings[0].output;
  }
}

TEST(ShmStart, ARankCannotJoinTwice) {
  const auto prepare = [](int rank) {
    if (rank == 1) ::usleep(200'000);
    ::setenv("TASUKI_RANK", "0", 1);
    ::setenv("TASUKI_START_TIMEOUT", "1", 1);
  };
  const auto endings = run_forked_job({.size = 2, .prepare = prepare}, do_nothing);
  EXPECT_TRUE(contains(endings[1].output, "rank 0 has already joined")) << endings[1].output;
}

TEST(ShmStart, OtherBuildsAreRefused) {
  const auto prepare = [](int rank) {
    if (rank == 1) ::execl(TASUKI_TEST_OTHER_BUILD, TASUKI_TEST_OTHER_BUILD, nullptr);
  };
  const auto endings = run_forked_job({.size = 2, .prepare = prepare}, do_nothing);
  for (const Ending& ending : endings) {
    EXPECT_EQ(ending.exit_code(), 1) << ending.output;
    EXPECT_TRUE(contains(ending.output, "ranks of different builds: rank 0 runs build"))
        << ending.output;
    EXPECT_TRUE(contains(ending.output, "start the same program everywhere"));
  }
  EXPECT_TRUE(contains(endings[0].output + endings[1].output, TASUKI_TEST_OTHER_BUILD));
}

// ---- memory ------------------------------------------------------------------------------------

TEST(ShmMemory, ARankAtRestIsSmall) {
  expect_success(run_forked_job({.size = 2}, [](Transport& transport) {
    Mailbox mailbox(transport);
    mailbox.barrier();
    EXPECT_LT(test::resident_bytes(), 32u << 20);
  }));
}

/// Gives this process a namespace of mounts, if need be in one of users. Returns: could it?
bool own_mounts() {
  if (::geteuid() == 0) return ::unshare(CLONE_NEWNS) == 0;
  const std::string user = std::to_string(::getuid());
  const std::string group = std::to_string(::getgid());
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
  std::ofstream("/proc/self/setgroups") << "deny";
  std::ofstream("/proc/self/uid_map") << user << ' ' << user << " 1";
  std::ofstream("/proc/self/gid_map") << group << ' ' << group << " 1";
  return true;
}

/// Replaces /dev/shm of this process by one of the given size. Returns: could it?
bool shrink_devshm(const char* size) {
  return own_mounts() && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount("tmpfs", "/dev/shm", "tmpfs", 0, size) == 0;
}

bool can_shrink_devshm() {
  return is_permitted([] { return shrink_devshm("size=1m"); });
}

ForkedJob job_with_devshm_of(const char* size) {
  return {.size = 1, .prepare = [size](int) {
            if (!shrink_devshm(size)) ::_exit(99);
            ::unsetenv("TASUKI_JOB_FD");
            ::setenv("TASUKI_SHM_BACKING", "devshm", 1);
          }};
}

TEST(ShmMemory, TooLittleForTheRingsIsAnError) {
  if (!can_shrink_devshm()) GTEST_SKIP() << "needs the right to mount a small /dev/shm";
  const auto endings = run_forked_job(job_with_devshm_of("size=64k"), do_nothing);
  EXPECT_EQ(endings[0].exit_code(), 1);
  EXPECT_TRUE(contains(endings[0].output, "No space left")) << endings[0].output;
  EXPECT_TRUE(contains(endings[0].output, "TASUKI_SHM_BACKING=memfd")) << endings[0].output;
}

TEST(ShmMemory, AFileSizeLimitIsAnError) {
  ForkedJob job;
  job.size = 1;
  job.prepare = [](int) {
    const rlimit small{1 << 20, 1 << 20};
    ::setrlimit(RLIMIT_FSIZE, &small);
  };
  const auto endings = run_forked_job(job, do_nothing);
  EXPECT_EQ(endings[0].exit_code(), 1) << endings[0].output;
  EXPECT_TRUE(contains(endings[0].output, "raise the file size limit (ulimit -f)"))
      << endings[0].output;
}

TEST(ShmMemory, TooLittleForTheHeapIsAReturnValue) {
  if (!can_shrink_devshm()) GTEST_SKIP() << "needs the right to mount a small /dev/shm";
  expect_success(run_forked_job(job_with_devshm_of("size=4m"), [](Transport& transport) {
    EXPECT_FALSE(transport.memory().grow_heap(64u << 20));
    EXPECT_EQ(transport.memory().heap().committed_bytes, 0u);
    ASSERT_TRUE(transport.memory().grow_heap(1u << 20));
    transport.memory().heap().base[(1u << 20) - 1] = std::byte{1};
  }));
}

TEST(ShmMemory, PrivateAddressesThatDoNotExistAreErrors) {
  expect_success(run_forked_job({.size = 2}, [](Transport& transport) {
    Mailbox mailbox(transport);
    std::byte data[16]{};
    const int other = 1 - transport.rank();
    if (transport.capabilities().reads_private) {
      EXPECT_THROW(transport.memory().get_private(other, 4096, data), error);
      EXPECT_THROW(transport.memory().put_private(other, 4096, data), error);
    }
    mailbox.barrier();
  }));
}

void exchange_private_bulk(Transport& transport) {
  Mailbox mailbox(transport);
  const int other = 1 - transport.rank();
  constexpr std::size_t count = 300'000;
  const std::vector<std::uint64_t> sent(count, 17u + static_cast<unsigned>(transport.rank()));
  std::vector<std::uint64_t> received(count);
  Flag is_sent;
  Flag is_received;
  mailbox.send_bulk(other, {}, std::as_bytes(std::span(sent)), &is_sent);
  const auto letter = mailbox.receive(other);
  ASSERT_EQ(letter.bulk_bytes, count * sizeof(std::uint64_t));
  transport.lane(letter.source)
      .accept(letter.bulk_token, std::as_writable_bytes(std::span(received)).data(), &is_received);
  mailbox.wait_for(is_sent);
  mailbox.wait_for(is_received);
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_EQ(received[i], 17u + static_cast<unsigned>(other)) << "word " << i;
  }
  mailbox.barrier();
}

/// Makes this process one of an ordinary user, whom the kernel asks for permission.
void become_ordinary_user() {
  if (::geteuid() == 0 && (::setgid(nobody) != 0 || ::setuid(nobody) != 0)) ::_exit(99);
}

TEST(ShmMemory, WithoutPermissionPrivateDataAreCopiedTwiceAndItIsSaid) {
  const auto prepare = [](int) {
    become_ordinary_user();
    ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);  // Nobody but root may look into such a process.
  };
  const auto endings = run_forked_job({.size = 2, .prepare = prepare}, [](Transport& transport) {
    EXPECT_FALSE(transport.capabilities().reads_private);
    exchange_private_bulk(transport);
  });
  expect_success(endings);
  const std::string said = endings[0].output + endings[1].output;
  const std::string line = "process_vm_readv is not permitted here; private data are copied twice";
  EXPECT_TRUE(contains(said, line)) << said;
  EXPECT_EQ(said.find(line), said.rfind(line)) << "said more than once: " << said;
}

TEST(ShmMemory, AnOrdinaryUserMayReadItsOwnProcesses) {
  const auto prepare = [](int) {
    become_ordinary_user();
    ::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);  // setuid has forbidden it
  };
  expect_success(run_forked_job({.size = 2, .prepare = prepare}, exchange_private_bulk));
}

// ---- end ---------------------------------------------------------------------------------------

TEST(ShmEnd, AKilledRankEndsTheOthers) {
  const std::int64_t start_ns = base::now_ns();
  const auto endings = run_forked_job({.size = 3}, [](Transport& transport) {
    if (transport.rank() == 1) ::raise(SIGKILL);
    wait_for_ever(transport);
  });
  EXPECT_LT(base::now_ns() - start_ns, 5'000'000'000);
  EXPECT_EQ(endings[1].exit_code(), 128 + SIGKILL);
  for (const int survivor : {0, 2}) {
    EXPECT_EQ(endings[static_cast<std::size_t>(survivor)].exit_code(), 70);
  }
  const std::string expected =
      "rank 1 (pid " + std::to_string(endings[1].pid) + ") has ended before the job was done";
  EXPECT_TRUE(contains(endings[0].output + endings[2].output, expected))
      << endings[0].output << endings[2].output;
}

/// The process becomes the first of a PID name space of its own.
void enter_pid_namespace(int) {
  if (::unshare(CLONE_NEWPID) != 0 && ::unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0) ::_exit(98);
  const pid_t inner = ::fork();
  if (inner == 0) return;
  int status = 0;
  ::waitpid(inner, &status, 0);
  ::_exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

TEST(ShmEnd, AKilledRankInAPidNamespaceOfItsOwnEndsTheOthers) {
  const auto endings = run_forked_job({.size = 3, .prepare = enter_pid_namespace, .timeout_s = 10},
                                      [](Transport& transport) {
                                        if (transport.rank() == 1) ::_exit(5);
                                        wait_for_ever(transport);
                                      });
  EXPECT_EQ(endings[1].exit_code(), 5);
  for (const std::size_t survivor : {0, 2}) {
    EXPECT_EQ(endings[survivor].exit_code(), 70) << endings[survivor].output;
  }
  EXPECT_TRUE(contains(endings[0].output + endings[2].output, "rank 1 (pid "));
}

/// More than a rank asks for their lives at once.
TEST(ShmEnd, ADeadRankOfManyIsMissed) {
  const auto endings = run_forked_job({.size = 24, .timeout_s = 20}, [](Transport& transport) {
    if (transport.rank() == 13) ::raise(SIGKILL);
    wait_for_ever(transport);
  });
  for (const std::size_t survivor : {0, 12, 23}) EXPECT_EQ(endings[survivor].exit_code(), 70);
}

/// From now on SIGSYS ends this process if it asks the kernel for another one. Returns: could it?
bool forbid_asking_for_processes() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pidfd_open, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_kill, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
  };
  const sock_fprog filter{std::size(program), program};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0;
}

/// A system call for each other rank, of each idle rank, grows with the square of the ranks.
TEST(ShmEnd, IdleRanksMissADeadOneWithoutAskingTheKernel) {
  if (!is_permitted(forbid_asking_for_processes)) GTEST_SKIP() << "needs filters of system calls";
  const auto endings = run_forked_job({.size = 24, .timeout_s = 20}, [](Transport& transport) {
    if (transport.rank() == 13) ::raise(SIGKILL);
    if (forbid_asking_for_processes()) wait_for_ever(transport);
  });
  for (std::size_t rank = 0; rank < endings.size(); ++rank) {
    EXPECT_EQ(endings[rank].exit_code(), rank == 13 ? 128 + SIGKILL : 70) << "rank " << rank;
  }
}

TEST(ShmEnd, AnEarlyExitEndsTheOthers) {
  const auto endings = run_forked_job({.size = 2}, [](Transport& transport) {
    if (transport.rank() == 1) ::_exit(0);
    wait_for_ever(transport);
  });
  EXPECT_EQ(endings[0].exit_code(), 70);
  EXPECT_TRUE(contains(endings[0].output, "has ended before the job was done"));
}

TEST(ShmEnd, AFinishedRankIsNotMissed) {
  expect_success(run_forked_job({.size = 2}, [](Transport& transport) {
    if (transport.rank() == 1) return;
    Arrival arrival;
    const std::int64_t start_ns = base::now_ns();
    for (std::uint64_t idle = 0; base::now_ns() - start_ns < 400'000'000; ++idle) {
      ASSERT_FALSE(transport.arrivals().poll(arrival));
      transport.arrivals().wait(idle, 50'000);
    }
  }));
}

TEST(ShmEnd, AbortEndsAllWithItsExitCode) {
  const auto endings = run_forked_job({.size = 3}, [](Transport& transport) {
    if (transport.rank() == 2) transport.abort_job(42);
    wait_for_ever(transport);
  });
  for (const Ending& ending : endings) EXPECT_EQ(ending.exit_code(), 42) << ending.output;
}

}  // namespace
}  // namespace tasuki::transport::shm
