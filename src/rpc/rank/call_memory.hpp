// The scalars and blocks of one call, in a rank's memory.
//
// Used by the server of calls. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rpc/interface/call_layout.hpp"
#include "rpc/rank/block_memory.hpp"
#include "rpc/rank/kept_arrays.hpp"
#include "rpc/rank/layout_in_c.hpp"
#include "rpc/wire/block_sender.hpp"
#include "rpc/wire/socket.hpp"
#include "rpc/wire/wire_format.hpp"

namespace tasuki::rpc {

struct RankOf {
  int rank = 0;
  int ranks = 1;
};

class CallMemory {
 public:
  /// Names the arrays among the arguments that are on the ranks already.
  using Kept = std::map<std::string, std::string>;

  /// `memory` outlives it and gets back what the call has used. Throws tasuki::error that names
  /// the argument if there is no memory for it, or a scalar is wrong.
  CallMemory(const Routine& routine, const nlohmann::json& scalars, Kept kept, RankOf place,
             BlockMemory& memory);
  ~CallMemory();
  CallMemory(const CallMemory&) = delete;
  CallMemory& operator=(const CallMemory&) = delete;

  /// One for each parameter, as RoutineEntry takes them.
  void* const* arguments() noexcept { return pointers_.data(); }
  /// The layout of the array whose block is there; nullptr if there is none.
  const LayoutInC* find(const void* argument) const noexcept;
  void receive(Socket& client, WireFormat wire);
  /// Throws LostArray if an array is not there: on every rank alike. Requires: what the client
  /// sends has been received.
  void use(const KeptArrays& kept);
  /// Sends what `sender` has, and then the blocks of results.
  void send_results(BlockSender& sender, Socket& client, WireFormat wire) const;

 private:
  std::span<std::byte> block(std::size_t index) const;
  std::byte* allocate(const Parameter& parameter, std::size_t bytes);
  std::size_t block_bytes(std::size_t index) const;
  bool is_kept(std::size_t index) const;

  const Routine& routine_;
  Kept kept_;
  int rank_;
  BlockMemory& memory_;
  CallLayout layout_;
  std::vector<std::optional<LayoutInC>> layouts_in_c_;
  std::vector<BlockMemory::Piece> pieces_;
  std::vector<void*> pointers_;
};

}  // namespace tasuki::rpc
