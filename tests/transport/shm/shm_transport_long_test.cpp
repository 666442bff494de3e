// The long cases of the conformance suite over shm: transfers above 2 GiB.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "transport/conformance.hpp"
#include "transport/shm/forked_job.hpp"

namespace tasuki::transport::shm {
namespace {

using conformance::Case;

class ShmConformanceLong : public testing::TestWithParam<Case> {};

TEST_P(ShmConformanceLong, between_processes) {
  expect_success(run_forked_job({.size = 2, .timeout_s = 300}, GetParam().run));
}

TEST_P(ShmConformanceLong, without_process_vm_readv) {
  const auto prepare = [](int) { ::setenv("TASUKI_CMA", "0", 1); };
  expect_success(run_forked_job({.size = 2, .prepare = prepare, .timeout_s = 300}, GetParam().run));
}

std::vector<Case> long_cases() {
  std::vector<Case> chosen;
  for (const Case& tested : conformance::all_cases()) {
    if (tested.is_long) chosen.push_back(tested);
  }
  return chosen;
}

INSTANTIATE_TEST_SUITE_P(All, ShmConformanceLong, testing::ValuesIn(long_cases()),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace tasuki::transport::shm
