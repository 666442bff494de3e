// Memory of the small objects that calls make and free by the million: the states of futures,
// what waits for them, and coroutines.
//
// A class that derives from Recycled gets its memory from a list of the calling thread, where freed
// memory of that size goes: a few instructions, and it is in the cache. With a general allocator a
// call with a continuation took 120 ns of a processor instead of 65 (`tasuki run -n 1 --
// build/release/bin/kernels_tasuki index_gather_by_then 2000000`). Any thread may free; what a
// thread keeps is bounded. Code that is built for a sanitizer of memory or threads uses the general
// allocator, which the sanitizer watches. All memory comes from there in the end, so code that is
// built otherwise may free it. Thread-safety: safe.
#pragma once

#include <array>
#include <cstddef>
#include <new>

#include <tasuki/detail/base/sanitizers.hpp>

namespace tasuki::runtime {

class Recycled {
 public:
  // Inlined, as the size is known where it is called.
  static void* operator new(std::size_t bytes) {
    if (!is_watched && is_listed(bytes)) {
      List& list = list_for(bytes);
      if (list.first != nullptr) [[likely]] {
        Link* const taken = list.first;
        list.first = taken->next;
        --list.count;
        return taken;
      }
    }
    return allocate(bytes);
  }
  static void operator delete(void* memory, std::size_t bytes) noexcept { free(memory, bytes); }
  /// Those with members that need more than the usual alignment.
  static void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return ::operator new(bytes, alignment);
  }
  static void operator delete(void* memory, std::size_t, std::align_val_t alignment) noexcept {
    ::operator delete(memory, alignment);
  }
  /// What `delete` does of an object of so many bytes that has ended.
  static void free(void* memory, std::size_t bytes) noexcept {
    if (!is_watched && is_listed(bytes)) {
      List& list = list_for(bytes);
      if (list.count < kept_most) [[likely]] {
        list.first = ::new (memory) Link{list.first};
        ++list.count;
        return;
      }
    }
    ::operator delete(memory);
  }
  /// Frees what the calling thread keeps.
  static void free_kept() noexcept;

 private:
  struct Link {
    Link* next;
  };
  struct List {
    Link* first = nullptr;
    std::size_t count = 0;
  };
  static constexpr std::size_t step_bytes = 32;
  static constexpr std::size_t lists_count = 16;
  /// Of a list: twice as many as calls of a rank are under way before it waits for answers (Load).
  static constexpr std::size_t kept_most = 4096;
#if defined(TASUKI_ASAN) || defined(TASUKI_TSAN)
  static constexpr bool is_watched = true;
#else
  static constexpr bool is_watched = false;
#endif

  /// Else it is so large that allocating is not what takes the time.
  static constexpr bool is_listed(std::size_t bytes) noexcept {
    return bytes <= step_bytes * lists_count;
  }
  static List& list_for(std::size_t bytes) noexcept { return lists_[(bytes - 1) / step_bytes]; }
  /// As much as any object of the same list needs.
  static void* allocate(std::size_t bytes);

  static constinit thread_local std::array<List, lists_count> lists_
      __attribute__((tls_model("initial-exec")));
};

}  // namespace tasuki::runtime
