// What a client and the ranks exchange once: a message with blocks behind it, and an answer with
// blocks behind that.
//
// Made by Client for a call or for an array that stays on the ranks. Thread-safety: nobody changes
// it, but for the arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <tasuki/detail/layout/array_view.hpp>
#include <vector>

#include "rpc/interface/call_layout.hpp"
#include "rpc/wire/socket.hpp"
#include "rpc/wire/wire_format.hpp"

namespace tasuki::rpc {

/// An array of the caller: `memory_bytes` from `memory` on. Of an IN array nothing is changed.
struct ArrayArgument {
  std::byte* memory = nullptr;
  std::size_t memory_bytes = 0;
  layout::ArrayView view = {};
  /// Its numbers are in the byte order that is not this machine's.
  bool is_byte_swapped = false;
};

/// An array, and how it lies on the ranks.
struct PlacedArray {
  const Parameter& parameter;
  const layout::ArrayLayout& layout;
  const ArrayArgument& array;
  /// The reader copies it from the memory of the other process.
  bool is_in_memory = false;
};

/// An open file: of those that are sent the first `bytes` travel.
struct PlacedFile {
  std::string name;  ///< Of the parameter.
  int descriptor = -1;
  std::int64_t bytes = 0;
};

/// Serves a callback, of which the rank has sent the message: receives its arrays, which follow,
/// and sends the answer with what comes back. Throws CallbackFault if the client's function has
/// failed.
using ServeCallback = std::function<void(const nlohmann::json& message, Socket& rank)>;

/// Each rank gets its blocks of `sent`, and gives its blocks of `returned`.
struct Exchange {
  nlohmann::json message;
  std::vector<PlacedArray> sent = {};
  std::vector<PlacedArray> returned = {};
  std::vector<PlacedFile> sent_files = {};      ///< To all ranks, after the arrays.
  std::vector<PlacedFile> returned_files = {};  ///< From the first rank, after the arrays.
  ServeCallback serve_callback = {};            ///< Empty if the routine has no callbacks.
  WireFormat wire = WireFormat::native;

  /// Of all blocks on all ranks.
  std::int64_t sent_bytes() const;
  std::int64_t returned_bytes() const;
};

}  // namespace tasuki::rpc
