#include "rpc/server/lease_request.hpp"

#include <gtest/gtest.h>

namespace tasuki::rpc {
namespace {

TEST(LeaseRequestTest, RanksAreToldWhoHasThemAndWhatTheUserMay) {
  CallOrigin origin{"linpack", "solve"};
  origin.user = "ann";
  origin.client = 7;
  LeaseRequest request{origin, std::make_shared<User>()};
  const nlohmann::json order = lease_order(request, {3, 100, 7.5, {5, 6}});
  EXPECT_EQ(order, nlohmann::json({{"message", "lease"},
                                   {"lease", 3},
                                   {"client", 7},
                                   {"user", "ann"},
                                   {"call_most_bytes", 100},
                                   {"client_most_s", 7.5},
                                   {"gone_clients", {5, 6}}}));
  request.user = std::make_shared<User>(User{"ann", "", {.kept_memory_bytes = 80}});
  request.call_back = {"127.0.0.1", 9};
  const nlohmann::json more = lease_order(request, {3, 100, 7.5, {}});
  EXPECT_EQ(more.at("kept_quota").at("most_bytes"), 80);
  EXPECT_EQ(more.at("call_back"), "127.0.0.1:9");
}

}  // namespace
}  // namespace tasuki::rpc
