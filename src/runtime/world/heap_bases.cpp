#include "runtime/world/heap_bases.hpp"

#ifdef TASUKI_DEBUG

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "runtime/collectives/rank_collectives.hpp"
#include "runtime/memory/shared_heap.hpp"

namespace tasuki::runtime {

void exchange_heap_bases(Rank& self) {
  SharedHeap& heap = *self.heap;
  const std::uintptr_t mine = heap.reserve_shadow();
  std::vector<std::uintptr_t> all(static_cast<std::size_t>(self.size));
  // A rank that has heard of all the others may call this one before it has heard of all itself:
  // what such a call allocates has to be marked already.
  all[static_cast<std::size_t>(self.rank)] = mine;
  heap.set_watched_bases(all);
  auto call = describe<std::uintptr_t>(coll::Collective::allgather, 1,
                                       std::span<const std::uintptr_t>(&mine, 1), std::span(all));
  RankCollectives& collectives = *self.collectives;
  collectives.start(collectives.service_team(), std::move(call)).get();
  heap.set_watched_bases(std::move(all));
}

}  // namespace tasuki::runtime

#endif
