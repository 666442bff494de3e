#include "rpc/server/reloader.hpp"

#include <gtest/gtest.h>

#include <future>
#include <nlohmann/json.hpp>
#include <vector>

namespace tasuki::rpc {
namespace {

TEST(ReloaderTest, TheNewestOfThoseThatWaitIsNext) {
  std::promise<void> has_begun;
  std::promise<void> may_go_on;
  std::promise<void> is_done;
  std::vector<int> orders;
  Reloader reloader([&](const nlohmann::json& order) {
    orders.push_back(order);
    if (order == 1) {
      has_begun.set_value();
      may_go_on.get_future().wait();
    } else {
      is_done.set_value();
    }
  });
  reloader.ask(1);
  has_begun.get_future().wait();
  reloader.ask(2);
  reloader.ask(3);
  may_go_on.set_value();
  is_done.get_future().wait();
  reloader.end();
  EXPECT_EQ(orders, (std::vector<int>{1, 3}));
}

TEST(ReloaderTest, EndsWithoutAnOrder) {
  Reloader reloader([](const nlohmann::json&) { FAIL(); });
  reloader.end();
}

}  // namespace
}  // namespace tasuki::rpc
