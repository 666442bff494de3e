// The shared heap: objects that peers can reach quickly through global pointers.
//
// Each rank allocates from its own heap, which grows as needed (TASUKI_HEAP_MAX_BYTES bounds it);
// ranks of the same node address each other's heaps directly. `delete_` may be called from any
// rank. In builds with TASUKI_DEBUG, access to freed memory is an error that says so.
//
// Thread-safety: from the rank's own thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <tasuki/global_ptr.hpp>
#include <utility>

namespace tasuki {
namespace runtime {

/// Throws tasuki::error when the heap cannot grow.
void* heap_allocate(std::size_t bytes, std::size_t alignment, std::size_t count);
/// Returns: the `count` given when `address` was allocated. Throws tasuki::error unless `address`
/// is a live block of this rank's heap.
std::size_t heap_count(void* address);
void heap_free(void* address);

}  // namespace runtime

/// Makes a T(args...) in this rank's heap. Example: examples/global_pointers.cpp
template <class T, class... Args>
GlobalPtr<T> new_(Args&&... args) {
  void* room = runtime::heap_allocate(sizeof(T), alignof(T), 1);
  try {
    return global_ptr(::new (room) T(std::forward<Args>(args)...));
  } catch (...) {
    runtime::heap_free(room);
    throw;
  }
}

/// Makes `count` value-initialised objects side by side in this rank's heap.
/// Example: examples/global_pointers.cpp
template <class T>
GlobalPtr<T> new_array(std::size_t count) {
  const bool fits = count <= SIZE_MAX / 2 / sizeof(T);
  auto* room = static_cast<T*>(
      runtime::heap_allocate(fits ? count * sizeof(T) : SIZE_MAX / 2, alignof(T), count));
  try {
    std::uninitialized_value_construct_n(room, count);
  } catch (...) {
    runtime::heap_free(room);
    throw;
  }
  return global_ptr(room);
}

/// Destroys what `new_` or `new_array` made, on whatever rank it is. A null pointer is fine.
/// Example: examples/global_pointers.cpp
template <class T>
void delete_(GlobalPtr<T> pointer) {
  if (pointer.is_null()) return;
  if (pointer.rank() != runtime::Rank::current().rank) {
    tasuki::invoke(
        pointer.rank(), [](GlobalPtr<T> mine) { delete_(mine); }, pointer);
    return;
  }
  std::destroy_n(pointer.raw(), runtime::heap_count(pointer.raw()));
  runtime::heap_free(pointer.raw());
}

}  // namespace tasuki
