// GridRPC from grpc_initialize to grpc_finalize, with a server of m/f and of the class m/C.
#pragma once

#include <gtest/gtest.h>
#include <tasuki/grpc.h>

#include <string>

#include "rpc/plugin/routine_server.hpp"
#include "rpc/wire/temporary_folder.hpp"

namespace tasuki::rpc {

class RunningGrid {
 public:
  RunningGrid() {
    const std::string file = folder_.write("grid.conf", "server " + url() + "\nmode hand-off\n");
    EXPECT_EQ(grpc_initialize(file.c_str()), GRPC_NO_ERROR);
  }
  ~RunningGrid() { grpc_finalize(); }
  RunningGrid(const RunningGrid&) = delete;
  RunningGrid& operator=(const RunningGrid&) = delete;

  std::string url() const { return server_.url(); }
  SmallServer& server() { return server_.server(); }
  /// What messages of a kind the server has got.
  std::vector<nlohmann::json> received(const std::string& kind) { return server_.received(kind); }

 private:
  const TemporaryFolder folder_;
  RoutineServer server_;
};

}  // namespace tasuki::rpc
