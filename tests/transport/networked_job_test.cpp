// The conformance suite over a job that may have several nodes: every rank is a process under a
// launcher and runs all cases in the same order, over one transport.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/detail/transport/registry.hpp>
#include <tasuki/error.hpp>
#include <vector>

#include "transport/conformance.hpp"
#include "transport/mailbox.hpp"

namespace tasuki::transport {
namespace {

using conformance::Case;
using conformance::Mailbox;

std::unique_ptr<Transport> job;

class NetworkedConformance : public testing::TestWithParam<Case> {};

TEST_P(NetworkedConformance, between_processes) {
  GetParam().run(*job);
  if (HasFailure()) job->abort_job(1);  // the others may wait for this rank
  Mailbox(*job).barrier();
}

std::vector<Case> cases(bool is_long) {
  std::vector<Case> chosen;
  for (const Case& tested : conformance::all_cases()) {
    if (tested.is_long == is_long) chosen.push_back(tested);
  }
  return chosen;
}

std::string name_of(const testing::TestParamInfo<Case>& instance) { return instance.param.name; }

INSTANTIATE_TEST_SUITE_P(Short, NetworkedConformance, testing::ValuesIn(cases(false)), name_of);
INSTANTIATE_TEST_SUITE_P(Long, NetworkedConformance, testing::ValuesIn(cases(true)), name_of);

TEST(NetworkedJob, is_in_the_registry_and_usable) {
  const std::string name = job->name();
  EXPECT_EQ(name, base::setting::transport.text());
  for (const Descriptor& descriptor : all_transports()) {
    if (descriptor.name == name) {
      EXPECT_EQ(descriptor.unavailable_because(), "");
    }
  }
}

thread_local int own_thread_local = 0;
int own_global = 0;

/// In simulation all ranks are in one process, each with its own copy of the program.
TEST(NetworkedJob, thread_locals_and_globals_belong_to_the_rank) {
  Mailbox mailbox(*job);
  own_thread_local = own_global = job->rank() + 1;
  mailbox.barrier();
  EXPECT_EQ(own_thread_local, job->rank() + 1);
  EXPECT_EQ(own_global, job->rank() + 1);
  EXPECT_EQ(base::rank_for_messages(), job->rank());
  mailbox.barrier();
}

/// Nodes named N0, N1, ...: rank r is on N(r % 2), as the test's registration has set it up.
TEST(NetworkedJob, shared_memory_follows_the_node_names) {
  if (!base::setting::node_name.is_set()) GTEST_SKIP() << "all ranks are on the real node";
  Mailbox mailbox(*job);
  const std::string own = base::setting::node_name.text();
  const bool shares_memory = base::setting::node_shm.flag();
  for (int peer = 0; peer < job->size(); ++peer) mailbox.send(peer, std::as_bytes(std::span(own)));
  for (int peer = 0; peer < job->size(); ++peer) {
    const std::vector<std::byte> theirs = mailbox.receive(peer).bytes;
    const bool is_same = std::as_bytes(std::span(own)).size() == theirs.size() &&
                         std::memcmp(own.data(), theirs.data(), own.size()) == 0;
    if (peer == job->rank()) continue;
    EXPECT_EQ(shares_memory && is_same, job->memory().shares(peer)) << "rank " << peer;
    EXPECT_EQ(shares_memory && is_same, job->memory().get_private(peer, 0, {})) << "rank " << peer;
  }
  EXPECT_TRUE(job->memory().shared_scratch().empty());
  mailbox.barrier();
}

}  // namespace
}  // namespace tasuki::transport

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  try {
    tasuki::transport::job = tasuki::transport::open_transport();
    tasuki::transport::job->start();
  } catch (const tasuki::error& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
  }
  const int failed = RUN_ALL_TESTS();
  tasuki::transport::job->stop();
  return failed;
}
