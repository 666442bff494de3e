#include "transport/shm/shm_transport.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "transport/conformance.hpp"
#include "transport/shm/forked_job.hpp"

namespace tasuki::transport::shm {
namespace {

using conformance::Case;

class ShmConformance : public testing::TestWithParam<Case> {};

TEST_P(ShmConformance, between_processes) {
  for (const int size : {1, 2, 3}) {
    SCOPED_TRACE("ranks " + std::to_string(size));
    expect_success(run_forked_job({.size = size}, GetParam().run));
  }
}

TEST_P(ShmConformance, with_the_smallest_rings) {
  const auto prepare = [](int) { ::setenv("TASUKI_RING_BYTES", "16K", 1); };
  expect_success(run_forked_job({.size = 2, .prepare = prepare}, GetParam().run));
}

TEST_P(ShmConformance, without_process_vm_readv) {
  const auto prepare = [](int) { ::setenv("TASUKI_CMA", "0", 1); };
  expect_success(run_forked_job({.size = 2, .prepare = prepare}, GetParam().run));
}

std::vector<Case> short_cases() {
  std::vector<Case> chosen;
  for (const Case& tested : conformance::all_cases()) {
    if (!tested.is_long) chosen.push_back(tested);
  }
  return chosen;
}

INSTANTIATE_TEST_SUITE_P(All, ShmConformance, testing::ValuesIn(short_cases()),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace tasuki::transport::shm
