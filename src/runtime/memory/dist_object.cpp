#include <tasuki/dist_object.hpp>
#include <tasuki/error.hpp>

#include "runtime/memory/dist_objects.hpp"

namespace tasuki::runtime {

std::uint64_t DistObjects::add(void* object) {
  const std::uint64_t id = next_id_++;
  objects_[id] = object;
  if (auto awaited = awaited_.extract(id)) {
    for (Promise<void>& promise : awaited.mapped()) promise.set_value();
  }
  return id;
}

void* DistObjects::wait_for(std::uint64_t id) {
  const auto found = objects_.find(id);
  if (found != objects_.end()) return found->second;
  if (id < next_id_) {
    throw error("fetching a distributed object", "this rank has already destroyed it",
                "put a barrier before the object goes out of scope");
  }
  Future<void> there = awaited_[id].emplace_back().future();
  there.get();
  return objects_.at(id);
}

std::uint64_t register_dist_object(Rank& self, void* object) {
  return self.dist_objects->add(object);
}

void unregister_dist_object(Rank& self, std::uint64_t id) noexcept {
  self.dist_objects->remove(id);
}

void* wait_for_dist_object(Rank& self, std::uint64_t id) { return self.dist_objects->wait_for(id); }

}  // namespace tasuki::runtime
