#include <tasuki/detail/containers/object_name.hpp>

#include <string>
#include <tasuki/error.hpp>
#include <vector>

namespace tasuki::containers {
namespace {

struct Entry {
  void* object = nullptr;
  std::uint32_t generation = 0;
};

/// Of all ranks that the thread runs: there are several in loopback.
thread_local std::vector<Entry> entries;
thread_local std::vector<std::uint32_t> free_places;

}  // namespace

ObjectName enter_object(void* object) {
  if (free_places.empty()) {
    free_places.push_back(static_cast<std::uint32_t>(entries.size()));
    entries.emplace_back();
  }
  const std::uint32_t place = free_places.back();
  free_places.pop_back();
  entries[place].object = object;
  return {place, entries[place].generation};
}

void remove_object(ObjectName name) noexcept {
  Entry& entry = entries[name.place];
  entry.object = nullptr;
  ++entry.generation;
  free_places.push_back(name.place);
}

void* find_object(ObjectName name, const char* kind) {
  if (name.place < entries.size() && entries[name.place].generation == name.generation) [[likely]] {
    return entries[name.place].object;
  }
  throw error(kind, "this rank has destroyed it, and other ranks still call it",
              "call quiesce(), or a collective operation of the container, after the last "
              "asynchronous operation and before it goes out of scope");
}

}  // namespace tasuki::containers
