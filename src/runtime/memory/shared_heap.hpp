// This rank's shared heap: memory that peers of the node can address, growing on demand.
//
// Used by heap.hpp's public functions. Thread-safety: none; the rank's own thread.
#pragma once

#include <boost/interprocess/indexes/iset_index.hpp>
#include <boost/interprocess/managed_external_buffer.hpp>
#include <boost/interprocess/mem_algo/rbtree_best_fit.hpp>
#include <boost/interprocess/sync/mutex_family.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <utility>
#include <vector>

namespace tasuki::runtime {

class SharedHeap {
 public:
  explicit SharedHeap(Rank& self) : memory_(self.transport.memory()) { self.heap = this; }

  /// Throws tasuki::error when the heap may not or cannot grow any more.
  void* allocate(std::size_t bytes, std::size_t alignment);
  void deallocate(void* address);
  bool contains(const void* address) const noexcept;

  // ---- for heap_check.hpp, in debug builds ---------------------------------------------------
  /// Sets memory for the bits of heap_check.hpp aside. Returns: where the heap begins, or 0 if it
  /// is too small to be watched.
  std::uintptr_t reserve_shadow();
  void set_watched_bases(std::vector<std::uintptr_t> bases) { watched_bases_ = std::move(bases); }
  /// Where the heap of `rank` begins there; 0 if it is not watched.
  std::uintptr_t watched_base(int rank) const noexcept {
    const auto index = static_cast<std::size_t>(rank);
    return index < watched_bases_.size() ? watched_bases_[index] : 0;
  }

 private:
  using Buffer = boost::interprocess::basic_managed_external_buffer<
      char, boost::interprocess::rbtree_best_fit<boost::interprocess::null_mutex_family>,
      boost::interprocess::iset_index>;
  void grow(std::size_t wanted_bytes);
  [[noreturn]] void throw_no_room(std::size_t wanted_bytes, std::size_t used_bytes,
                                  std::size_t needed_bytes) const;

  transport::Memory& memory_;
  std::unique_ptr<Buffer> buffer_;
  std::size_t shadow_bytes_ = 0;
  std::vector<std::uintptr_t> watched_bases_;
};

}  // namespace tasuki::runtime
