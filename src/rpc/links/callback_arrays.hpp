// The arrays of one callback, each in memory of its own or where the routine has them, and how they
// travel between the routine's rank and the client.
//
// Used at both ends. Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rpc/interface/call_layout.hpp"
#include "rpc/wire/socket.hpp"
#include "rpc/wire/wire_format.hpp"

namespace tasuki::rpc {

class CallbackArrays {
 public:
  /// In memory of its own, all zeros. Throws tasuki::error that names the array if its shape is
  /// impossible. Requires: the callback outlives it.
  CallbackArrays(const Callback& callback, const Integers& integers);
  /// In the routine's memory: a pointer to each.
  CallbackArrays(const Callback& callback, const Integers& integers, void* const* pointers);

  void* const* pointers() const noexcept { return pointers_.data(); }
  using Wanted = bool (Parameter::*)() const noexcept;
  /// Of those that are wanted, on the wire.
  std::int64_t wire_bytes(WireFormat wire, Wanted is_wanted) const;
  void send(Socket& socket, WireFormat wire, Wanted is_wanted) const;
  void receive(Socket& socket, WireFormat wire, Wanted is_wanted);

 private:
  template <class Use>
  void for_each_piece(Wanted is_wanted, Use use) const;

  const Callback& callback_;
  std::vector<layout::ArrayLayout> layouts_;
  std::vector<std::vector<std::byte>> memory_ = {};
  std::vector<void*> pointers_ = {};
};

}  // namespace tasuki::rpc
