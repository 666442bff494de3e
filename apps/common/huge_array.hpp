// Large arrays on huge pages where the kernel gives them: fewer TLB misses on random access.
//
// Used for matrices, vectors and keys. Elements added by `resize` are left uninitialised.
// Thread-safety: as std::vector.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace tasuki::apps {

/// Aligns large blocks to 2 MiB and asks for huge pages (a hint: refusal costs only time).
template <class T>
struct HugePageAllocator {
  using value_type = T;

  HugePageAllocator() noexcept = default;
  template <class U>
  HugePageAllocator(const HugePageAllocator<U>&) noexcept {}  // NOLINT: rebinding is implicit.

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    void* memory = ::operator new(bytes, alignment(bytes));
    if (bytes >= huge_page_bytes) ::madvise(memory, bytes, MADV_HUGEPAGE);
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) noexcept {
    ::operator delete(memory, alignment(count * sizeof(T)));
  }

  /// Default-initialises: no time spent on zeros that are overwritten.
  template <class U>
  void construct(U* place) noexcept(std::is_nothrow_default_constructible_v<U>) {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Args>
  void construct(U* place, Args&&... args) {
    ::new (static_cast<void*>(place)) U(std::forward<Args>(args)...);
  }

  bool operator==(const HugePageAllocator&) const noexcept = default;

 private:
  static constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;
  static constexpr std::size_t cache_line_bytes = 64;

  static std::align_val_t alignment(std::size_t bytes) noexcept {
    return std::align_val_t(bytes >= huge_page_bytes ? huge_page_bytes : cache_line_bytes);
  }
};

template <class T>
using HugeArray = std::vector<T, HugePageAllocator<T>>;

}  // namespace tasuki::apps
