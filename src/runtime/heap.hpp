// This rank's shared heap: memory that peers of the node can address, growing on demand.
//
// Used by heap.hpp's public functions. Thread-safety: none; the rank's own thread.
#pragma once

#include <boost/interprocess/indexes/iset_index.hpp>
#include <boost/interprocess/managed_external_buffer.hpp>
#include <boost/interprocess/mem_algo/rbtree_best_fit.hpp>
#include <boost/interprocess/sync/mutex_family.hpp>
#include <cstddef>
#include <memory>
#include <tasuki/transport/transport.hpp>

namespace tasuki::runtime {

class Heap {
 public:
  explicit Heap(transport::Transport& transport) : transport_(transport) {}

  /// Throws tasuki::error when the heap may not or cannot grow any more.
  void* allocate(std::size_t bytes, std::size_t alignment);
  void deallocate(void* address);
  bool contains(const void* address) const noexcept;

 private:
  using Buffer = boost::interprocess::basic_managed_external_buffer<
      char, boost::interprocess::rbtree_best_fit<boost::interprocess::null_mutex_family>,
      boost::interprocess::iset_index>;
  void grow(std::size_t wanted_bytes);

  transport::Transport& transport_;
  std::unique_ptr<Buffer> buffer_;
};

}  // namespace tasuki::runtime
