// The main of programs made of RankTests: GoogleTest inside tasuki::run.
//
// With one process per rank each runs all tests. In loopback rank 0 alone runs GoogleTest, which
// knows one running test per process; the others follow it from body to body.
#include <cstdio>
#include <exception>
#include <string>
#include <tasuki/detail/runtime/waiting/job_end.hpp>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

constexpr int failed_exit_code = 1;

/// What the ranks of loopback run next.
struct Stage {
  RankTest* test = nullptr;
  bool is_over = false;
};
Stage stage;

/// Says on which rank a check failed; after a fatal failure the other ranks would wait in vain.
class FailureListener final : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo& test) override {
    name_ = std::string(test.test_suite_name()) + "." + test.name();
  }
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::fprintf(stderr, "rank %d: %s: %s:%d: %s\n", base::rank_for_messages(), name_.c_str(),
                 result.file_name(), result.line_number(), result.message());
    auto* self = runtime::Rank::current_or_null();
    if (result.fatally_failed() && self != nullptr) {
      runtime::end_job(self->transport, failed_exit_code);
    }
  }

  std::string name_;  ///< GoogleTest cannot be asked for it while it reports a failure.
};

void end_test_together() {
  quiesce();
  barrier();
}

/// Runs the bodies that rank 0 runs.
int follow_rank_0() {
  for (;;) {
    barrier();
    if (stage.is_over) return 0;
    try {
      stage.test->TestBody();
    } catch (const std::exception& e) {
      [&] { FAIL() << "the test threw: " << e.what(); }();
    }
    end_test_together();
  }
}

int run_tests() {
  if (is_loopback() && rank() != 0) return follow_rank_0();
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  if (rank() != 0) delete listeners.Release(listeners.default_result_printer());
  listeners.Append(new FailureListener);
  const int result = RUN_ALL_TESTS();
  if (is_loopback()) {
    stage.is_over = true;
    barrier();
  }
  return result;
}

}  // namespace

bool is_loopback() { return std::string(runtime::Rank::current().transport.name()) == "loopback"; }

void RankTest::SetUp() {
  stage.test = this;
  barrier();
}

void RankTest::TearDown() { end_test_together(); }

}  // namespace tasuki::test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return tasuki::run(argc, argv, tasuki::test::run_tests);
}
