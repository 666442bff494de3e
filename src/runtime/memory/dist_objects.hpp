// The distributed objects of one rank, by number.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstdint>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/future.hpp>
#include <unordered_map>

namespace tasuki::runtime {

class DistObjects {
 public:
  explicit DistObjects(Rank& self) { self.dist_objects = this; }

  std::uint64_t add(void* object);
  void remove(std::uint64_t id) noexcept { objects_.erase(id); }
  void* wait_for(std::uint64_t id);

 private:
  std::uint64_t next_id_ = 0;
  std::unordered_map<std::uint64_t, void*> objects_;
  std::unordered_map<std::uint64_t, std::vector<Promise<void>>> awaited_;
};

}  // namespace tasuki::runtime
