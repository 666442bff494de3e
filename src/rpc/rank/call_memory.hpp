// The scalars and blocks of one call, in a rank's memory.
//
// Used by the server of calls. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "rpc/interface/call_bytes.hpp"
#include "rpc/interface/call_layout.hpp"
#include "rpc/rank/array_transfer.hpp"
#include "rpc/rank/block_memory.hpp"
#include "rpc/rank/call_files.hpp"
#include "rpc/rank/call_texts.hpp"
#include "rpc/rank/kept_arrays.hpp"
#include "rpc/rank/layout_in_c.hpp"
#include "rpc/rank/long_arrays.hpp"

namespace tasuki::rpc {

struct RankOf {
  int rank = 0;
  int ranks = 1;
  /// That the arrays and files of a call may need here.
  std::int64_t call_most_bytes = no_call_limit;
};

class CallMemory {
 public:
  /// Names the arrays among the arguments that are on the ranks already.
  using Kept = std::map<std::string, std::string>;

  /// `memory` outlives it and gets back what the call has used. Of an array of which a part
  /// travels, the other elements are zeros. Throws tasuki::error that names the argument if there
  /// is no memory for it, or a scalar is wrong. `files` has the sizes of files that are sent.
  CallMemory(const Routine& routine, const nlohmann::json& scalars, Kept kept, RankOf place,
             BlockMemory& memory, const nlohmann::json& texts = nlohmann::json::object(),
             const nlohmann::json& files = nlohmann::json::object());
  ~CallMemory();
  CallMemory(const CallMemory&) = delete;
  CallMemory& operator=(const CallMemory&) = delete;

  /// One for each parameter, as RoutineEntry takes them.
  void* const* arguments() noexcept { return pointers_.data(); }
  /// Returns: a copy of the block, an array of `long` of which 32 bits travel, with C's 64 bits.
  /// Throws tasuki::error if there is no memory for it.
  void* widen(const void* block);
  /// Copies what the routine has written there back into the block. Throws tasuki::error if an
  /// element does not fit.
  void narrow(const void* block);
  /// The layout of the array whose block, or copy of a block, is there; nullptr if there is none.
  const LayoutInC* find(const void* argument) const noexcept;
  void receive(ArrayTransfer& transfer);
  /// Throws LostArray if an array is not there, or of another type, or the routine would write one
  /// that it is also given as another argument: on every rank alike. Requires: what the client
  /// sends has been received.
  void use(const KeptArrays& kept);
  /// As `receive`: files, whose sizes the message has, follow the blocks.
  void receive_files(Socket& client, const nlohmann::json& sizes) const {
    files_.receive(client, sizes);
  }
  const Integers& integers() const noexcept { return integers_; }
  const CallTexts& texts() const noexcept { return texts_; }
  const CallFiles& files() const noexcept { return files_; }
  /// The blocks that go back to the client.
  std::vector<ArrayBlock> results() const;
  /// Of all blocks that come from the client.
  std::int64_t received_bytes() const noexcept;

 private:
  ArrayBlock block(std::size_t index) const;
  std::byte* allocate(const Parameter& parameter, std::size_t bytes);
  std::size_t block_bytes(std::size_t index) const;
  std::size_t index_of(const void* block) const;
  bool is_received(std::size_t index) const;
  bool is_kept(std::size_t index) const;
  void check_apart() const;

  const Routine& routine_;
  Kept kept_;
  int rank_;
  BlockMemory& memory_;
  Integers integers_;
  CallLayout layout_;
  std::vector<std::optional<LayoutInC>> layouts_in_c_;
  std::vector<BlockMemory::Piece> pieces_;
  std::vector<void*> pointers_;
  LongArrays longs_;
  CallTexts texts_;
  CallFiles files_;
};

}  // namespace tasuki::rpc
