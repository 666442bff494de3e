#include <tasuki/detail/runtime/waiting/recycled.hpp>

namespace tasuki::runtime {

constinit thread_local std::array<Recycled::List, Recycled::lists_count> Recycled::lists_{};

[[gnu::cold]] void* Recycled::allocate(std::size_t bytes) {
  return ::operator new((bytes + step_bytes - 1) / step_bytes * step_bytes);
}

void Recycled::free_kept() noexcept {
  for (List& list : lists_) {
    while (list.first != nullptr) {
      Link* const freed = list.first;
      list.first = freed->next;
      ::operator delete(freed);
    }
    list.count = 0;
  }
}

}  // namespace tasuki::runtime
