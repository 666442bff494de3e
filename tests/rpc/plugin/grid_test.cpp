#include "rpc/plugin/grid.hpp"

#include <gtest/gtest.h>
#include <tasuki/client.h>

#include <memory>
#include <string>

#include "rpc/plugin/running_grid.hpp"
#include "rpc/sessions/routine_name.hpp"

namespace tasuki::rpc {
namespace {

/// What a function of GridRPC returns that throws a Fault made of these.
template <class Fault, class... Parts>
grpc_error_t number_of(const Parts&... parts) {
  return grid_result([&]() -> grpc_error_t { throw Fault(parts...); }, GRPC_SESSION_FAILED);
}

TEST(GridTest, AnErrorHasANumberAndIsTheThreadsLastOne) {
  EXPECT_EQ(number_of<GridError>(GRPC_RPC_REFUSED, "a", "b", "c"), GRPC_RPC_REFUSED);
  EXPECT_EQ(number_of<UnknownRoutine>("a", "b", "c"), GRPC_FUNCTION_NOT_FOUND);
  EXPECT_EQ(number_of<NoGridConfig>("a", "b", "c"), GRPC_CONFIGFILE_NOT_FOUND);
  EXPECT_EQ(number_of<error>("call", "it has failed", "r"), GRPC_SESSION_FAILED);
  EXPECT_NE(std::string(tasuki_client_error_text()).find("it has failed"), std::string::npos);
  EXPECT_EQ(grid_thread().last, GRPC_SESSION_FAILED);
  EXPECT_EQ(grid_result([] { return GRPC_NOT_COMPLETED; }), GRPC_NOT_COMPLETED);
  EXPECT_EQ(grid_thread().last, GRPC_NOT_COMPLETED);
}

TEST(GridTest, IsThereFromItsBeginningToItsEnd) {
  EXPECT_THROW(grid_or_throw(), GridError);
  EXPECT_THROW(end_grid(), GridError);
  begin_grid(nullptr);
  EXPECT_THROW(begin_grid(nullptr), GridError);
  const std::shared_ptr<Grid> grid = grid_or_throw();
  EXPECT_EQ(end_grid(), grid);
  EXPECT_THROW(grid_or_throw(), GridError);
}

TEST(GridTest, KnowsItsServersAndItsSessions) {
  const RunningGrid running;
  const std::shared_ptr<Grid> grid = grid_or_throw();
  EXPECT_EQ(usual_servers_of(*grid), running.url());
  EXPECT_EQ(url_of(client_of(*grid, running.url(), GRPC_SERVER_NOT_FOUND)->server()),
            running.url());
  EXPECT_THROW(client_of(*grid, "tasuki://127.0.0.1:1", GRPC_SERVER_NOT_FOUND), GridError);
  EXPECT_THROW(check_session(*grid, 1), GridError);
  const int session = grid->sessions.begin({[](int) {}, [] {}});
  check_session(*grid, session);
  grid->sessions.wait_for_all();
  EXPECT_EQ(error_of_session(*grid, session), GRPC_NO_ERROR);
  grid->config.servers.clear();
  EXPECT_THROW(usual_servers_of(*grid), GridError);
  EXPECT_THROW(check_not_null(nullptr, "handle"), GridError);
}

}  // namespace
}  // namespace tasuki::rpc
