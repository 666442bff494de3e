// The scalars and blocks of one call, in a rank's memory.
//
// Used by the rank's service. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "rpc/interface/call_layout.hpp"
#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

class CallMemory {
 public:
  /// Throws tasuki::error that names the argument if there is no memory for it, or a scalar is
  /// wrong.
  CallMemory(const Routine& routine, const nlohmann::json& scalars, int rank, int ranks);

  /// One for each parameter, as RoutineEntry takes them.
  void* const* arguments() noexcept { return pointers_.data(); }
  void receive(Socket& client);
  void send_results(Socket& client);

 private:
  struct Free {
    void operator()(void* memory) const noexcept;
  };
  std::byte* allocate(const Parameter& parameter, std::size_t bytes);

  const Routine& routine_;
  int rank_;
  CallLayout layout_;
  std::vector<std::unique_ptr<void, Free>> memory_;
  std::vector<void*> pointers_;
};

}  // namespace tasuki::rpc
