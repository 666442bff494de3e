#include "runtime/world/vanished_hosts_report.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/world/waiting_fiber.hpp"

namespace tasuki::runtime {
namespace {

/// Host b with ranks 2 and 3; rank 0 speaks for the own one.
class VanishedHostsReportTest : public ::testing::Test {
 protected:
  VanishedHostsReportTest() {
    constexpr std::string_view text = "host b with ranks 2-3 has vanished";
    std::memcpy(hosts_->text.data(), text.data(), text.size());
    hosts_->text_bytes = text.size();
    hosts_->ranks[0] = {2, 3};
    hosts_->ranks_count = 1;
  }

  std::string report(int rank, const std::vector<WaitingFiber>& fibers) const {
    const std::string text = vanished_hosts_report(*hosts_, rank, fibers);
    return text.substr(0, text.find("Remedy"));
  }

  std::unique_ptr<transport::VanishedHosts> hosts_ = std::make_unique<transport::VanishedHosts>();
};

TEST_F(VanishedHostsReportTest, tells_what_waits_for_the_vanished_or_for_nobody_known) {
  EXPECT_EQ(report(1, {waiting_main(0, "rank 0"), waiting_main(3, "rank 3"),
                       waiting_main(-1, "the other ranks")}),
            "host b with ranks 2-3 has vanished:\n"
            "  main waits for rank 3\n"
            "  main waits for the other ranks\n");
}

TEST_F(VanishedHostsReportTest, only_one_rank_of_a_host_speaks_where_nothing_waits) {
  EXPECT_EQ(report(0, {}), "host b with ranks 2-3 has vanished. Nothing here waited for it. ");
  EXPECT_EQ(report(1, {waiting_main(0, "rank 0")}), "");
}

}  // namespace
}  // namespace tasuki::runtime
