// What a module's processes do at a moment, for operators.
//
// Made by RoutineProcesses, shown by the server's page. Thread-safety: a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tasuki::rpc {

struct ModuleState {
  std::vector<bool> has_joined;   ///< By rank.
  std::int64_t lease = 0;         ///< Its number, if a client may call; else 0.
  std::size_t waiting_count = 0;  ///< Clients that wait for the ranks.
};

}  // namespace tasuki::rpc
