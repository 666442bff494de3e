// Memory for the blocks of calls, which is kept from one call of a client to the next, as fresh
// memory has to be mapped page by page while it is written.
//
// Owned by the server of a client's calls. What is new is zero, so that a routine which does not
// write all its results sends no client what another has left there.
// Thread-safety: none.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace tasuki::rpc {

class BlockMemory {
 public:
  struct Free {
    void operator()(void* memory) const noexcept;
  };
  struct Piece {
    std::unique_ptr<void, Free> memory;
    std::size_t bytes = 0;
  };

  /// Returns: at least `bytes` bytes, aligned for any vector instruction; nothing in `memory` if
  /// there are none. They are zero, or what calls of the same owner have left.
  Piece take(std::size_t bytes);
  /// Takes back what the call before has used.
  void keep(std::vector<Piece> pieces) { kept_ = std::move(pieces); }

 private:
  std::vector<Piece> kept_;
};

}  // namespace tasuki::rpc
