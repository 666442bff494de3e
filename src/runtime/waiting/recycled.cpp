#include <array>
#include <tasuki/detail/base/sanitizers.hpp>
#include <tasuki/detail/runtime/waiting/recycled.hpp>

namespace tasuki::runtime {
namespace {

struct Link {
  Link* next;
};
struct List {
  Link* first = nullptr;
  std::size_t count = 0;
};
constexpr std::size_t step_bytes = 32;
constexpr std::size_t lists_count = 16;
/// Of a list: four for each call of a rank that is under way (TASUKI_FIBER_CAP).
constexpr std::size_t kept_most = 4096;
/// A sanitizer is to see what is freed.
#if defined(TASUKI_ASAN) || defined(TASUKI_TSAN)
constexpr bool is_watched = true;
#else
constexpr bool is_watched = false;
#endif

constinit thread_local std::array<List, lists_count> lists
    __attribute__((tls_model("initial-exec"))){};

/// nullptr: so large that allocating is not what takes the time.
List* list_for(std::size_t bytes) noexcept {
  const std::size_t number = (bytes - 1) / step_bytes;
  return number < lists_count ? &lists[number] : nullptr;
}

}  // namespace

void* Recycled::operator new(std::size_t bytes) {
  if (is_watched) return ::operator new(bytes);
  List* const list = list_for(bytes);
  if (list == nullptr || list->first == nullptr) [[unlikely]] {
    // As much as any object of the same list needs.
    return ::operator new((bytes + step_bytes - 1) / step_bytes * step_bytes);
  }
  Link* const taken = list->first;
  list->first = taken->next;
  --list->count;
  return taken;
}

void Recycled::free(void* memory, std::size_t bytes) noexcept {
  if (is_watched) return ::operator delete(memory);
  List* const list = list_for(bytes);
  if (list == nullptr || list->count == kept_most) [[unlikely]] {
    return ::operator delete(memory);
  }
  list->first = new (memory) Link{list->first};
  ++list->count;
}

void Recycled::operator delete(void* memory, std::size_t bytes) noexcept { free(memory, bytes); }

void Recycled::free_kept() noexcept {
  for (List& list : lists) {
    while (list.first != nullptr) {
      Link* const freed = list.first;
      list.first = freed->next;
      ::operator delete(freed);
    }
    list.count = 0;
  }
}

}  // namespace tasuki::runtime
