// The parts of a front end that its page tells of.
//
// Made by the front end, which outlives it. Thread-safety: what it refers to is for any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

#include "rpc/server/call_log.hpp"
#include "rpc/server/connections.hpp"
#include "rpc/server/kept_table.hpp"
#include "rpc/server/module_table.hpp"
#include "rpc/server/users.hpp"

namespace tasuki::rpc {

struct ServerView {
  const ModuleTable& modules;
  const CallLog& calls;
  const Users& users;
  const Connections& connections;
  const KeptTable& kept;
  const std::atomic<bool>& is_draining;
  std::string version;
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
};

}  // namespace tasuki::rpc
